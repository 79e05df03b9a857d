"""Studies to test with: short motions of synthetic walkers, and answers to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from evidence.study.clips import StudyClip
from evidence.study.experiments import Experiment
from tests.support.variation_walks import walks

from gambol.motion import Motion, edits

FRAMES = 15  # of each motion: a quarter of a second


@cache
def _motions(count: int) -> list[Motion]:
    return [edits.cut(item.motion, 0, FRAMES) for item in walks(count, seed=5)]


def pools(experiment: Experiment, counts: tuple[int, int] = (8, 8)) -> dict[str, list[StudyClip]]:
    """Return motions of both kinds, with sources that no page may tell."""
    motions = _motions(sum(counts))
    kinds = [condition for condition, count in zip(experiment.conditions, counts, strict=True) for _ in range(count)]
    return {
        condition: [
            StudyClip(f"origin-of-{condition}-{at}", condition, motion)
            for at, (kind, motion) in enumerate(zip(kinds, motions, strict=True))
            if kind == condition
        ]
        for condition in experiment.conditions
    }


def answers_of(key: dict[str, Any], participant: int, score: Callable[[str], int]) -> dict[str, Any]:
    """Return what the page writes for a participant who scores by conditions."""
    return {
        "gambol_study": 1,
        "study": key["study"],
        "experiment": key["experiment"],
        "participant": participant,
        "began": "2026-01-01T10:00:00.000Z",
        "ended": "2026-01-01T10:05:00.000Z",
        "answers": [
            {"clip": clip, "score": score(key["clips"][clip]["condition"]), "plays": 1, "seconds": 2.5}
            for clip in key["orders"][participant - 1]
        ],
    }


def write_json(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path
