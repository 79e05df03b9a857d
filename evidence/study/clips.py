"""The motions of a study: from folders of files, or straight from a model of variation."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from evidence.noise import cycle_animation
from evidence.study.experiments import LEAST_CLIPS, OURS, Experiment
from gambol.errors import InvalidInput
from gambol.files import ReadOptions, read_motion
from gambol.files.formats import FORMATS
from gambol.motion import Motion, edits
from gambol.variation import VariationModel, cut_example
from gambol.variation.model import Progress

MOST_SEED = 2**31


class StudyClip(NamedTuple):
    """A motion that people are shown."""

    source: str  # where it is from; told to the experimenter alone
    condition: str
    motion: Motion  # from the origin, along +X, on the ground at height zero


def read_clips(folder: Path, condition: str, *, options: ReadOptions | None = None) -> list[StudyClip]:
    """Read all motion files of a folder."""
    if not folder.is_dir():
        raise InvalidInput(f"{folder} is no folder; one with motion files expected")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in FORMATS)
    if not paths:
        raise InvalidInput(f"there are no motion files in {folder}; expected: {', '.join(FORMATS)}")
    return [
        StudyClip(str(path), condition, cut_example(path.name, read_motion(path, options).motion).motion)
        for path in paths
    ]


def clips_of_model(
    model: VariationModel,
    condition: str,
    experiment: Experiment,
    count: int,
    rng: np.random.Generator,
    *,
    progress: Progress | None = None,
) -> list[StudyClip]:
    """Make as many motions of a kind as wanted from a model: its inputs, its variants, or long sequences of either."""
    if condition == "real":
        return [StudyClip(item.name, condition, item.motion) for item in model.examples.items]
    found = []
    for number in range(count):
        if progress is not None:
            progress(f"making {condition}", number / count)
        seed = int(rng.integers(MOST_SEED))
        motion = model.sample(seed).motion if experiment.name == "natural" else _sequence(model, condition, seed)
        found.append(StudyClip(f"{model.preset}, seed {seed}", condition, motion))
    return found


def _sequence(model: VariationModel, condition: str, seed: int) -> Motion:
    """Return clips one after another: all of them new, or inputs chosen at random."""
    examples = model.examples
    rng = np.random.default_rng(seed)
    if examples.cyclic:
        if condition != OURS:
            return cycle_animation(examples, rng, count=LEAST_CLIPS).motion
        longest = max(item.motion.duration_s for item in examples.items)
        return model.sample_stream(LEAST_CLIPS * longest, seed).motion
    if condition == OURS:
        return edits.join([model.sample(int(one)).motion for one in rng.integers(MOST_SEED, size=LEAST_CLIPS)])
    chosen = rng.integers(examples.count, size=LEAST_CLIPS)
    return edits.join([examples.items[int(one)].motion for one in chosen])
