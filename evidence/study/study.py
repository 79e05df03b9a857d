"""A study as two files: a page for those who take part, and a key for who asked them."""

from __future__ import annotations

import hashlib
import html
import json
import math
import secrets
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import numpy as np

from evidence.study.clips import StudyClip
from evidence.study.design import Design, make_design
from evidence.study.experiments import CLIPS, HIGHEST, LOWEST, Experiment
from evidence.study.figures import figures
from evidence.study.key import KEY_FORMAT, VERSION
from gambol.errors import InvalidInput, UnreadableFile
from gambol.files import write_atomically

PAGE, KEY = "study.html", "key.json"
PARTICIPANTS = 60  # for whom there are orders
FEWEST_SEEN, MOST_SEEN = 3, 100  # motions, by each person
ANSWERING_S = 6.0  # about, for each motion


class Study(NamedTuple):
    """A page that does not say which motion is of which kind, and the key that does."""

    page: str
    key: dict[str, Any]


def make_study(
    experiment: Experiment,
    pools: Mapping[str, Sequence[StudyClip]],
    *,
    count: int = CLIPS,
    participants: int = PARTICIPANTS,
    seed: int | None = None,
) -> Study:
    """Mix motions of both kinds, and make a page that shows them.

    count: how many motions each person sees.
    seed: of names and orders; None: nobody can guess it.
    """
    if not FEWEST_SEEN <= count <= MOST_SEEN:
        raise InvalidInput(f"from {FEWEST_SEEN} to {MOST_SEEN} motions expected for each person, not {count}")
    seed = secrets.randbits(64) if seed is None else seed
    design = make_design(experiment, pools, count=count, participants=participants, rng=np.random.default_rng(seed))
    shown = {
        "version": VERSION,
        "experiment": experiment.name,
        "lowest": LOWEST,
        "highest": HIGHEST,
        "clips": list(design.clips),
        "orders": [[list(design.clips).index(name) for name in order] for order in design.orders],
        "figures": figures({name: clip.motion for name, clip in design.clips.items()}),
    }
    shown["id"] = hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]
    return Study(_page(experiment, design, shown), _key(experiment, design, shown["id"], seed))


def write_study(study: Study, folder: Path) -> tuple[Path, Path]:
    """Write page and key to a folder; earlier ones are not replaced, since answers may have been given to them."""
    check_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableFile(f"cannot write: {error.strerror or error}", path=folder) from error
    paths = folder / PAGE, folder / KEY
    write_atomically(paths[0], study.page.encode())
    write_atomically(paths[1], json.dumps(study.key, indent=1, ensure_ascii=False).encode())
    return paths


def check_folder(folder: Path) -> None:
    """Raise if a study cannot be written to a folder."""
    if folder.exists() and not folder.is_dir():
        raise UnreadableFile("this is a file; a folder is needed to write to", path=folder)
    for path in (folder / PAGE, folder / KEY):
        if path.exists():
            raise InvalidInput(f"{path} is there already: answers to it need its key; choose another folder")


def _page(experiment: Experiment, design: Design, shown: dict[str, Any]) -> str:
    seconds = float(np.mean([clip.motion.duration_s for clip in design.clips.values()]))
    place = files("evidence.study") / "page"
    texts = {
        "TITLE": experiment.title,
        "TASK": experiment.task.format(count=len(design.clips), seconds=round(seconds)),
        "QUESTION": experiment.question,
        "LOW": experiment.low,
        "HIGH": experiment.high,
        "MINUTES": str(max(2, math.ceil(len(design.clips) * (seconds + ANSWERING_S) / 60.0))),
        "PARTICIPANTS": str(len(design.orders)),
    }
    parts = {name: (place / file).read_text(encoding="utf-8").rstrip() for name, file in (
        ("STYLE", "style.css"), ("PLAYER", "player.js"), ("RATING", "rating.js"),
    )}  # fmt: skip
    parts["STUDY"] = json.dumps(shown, separators=(",", ":")).replace("<", "\\u003c")
    page = Template((place / "page.html").read_text(encoding="utf-8"))
    return page.substitute({name: html.escape(text) for name, text in texts.items()} | parts)


def _key(experiment: Experiment, design: Design, study: str, seed: int) -> dict[str, Any]:
    return {
        "format": KEY_FORMAT,
        "version": VERSION,
        "gambol": version("gambol"),
        "study": study,
        "experiment": experiment.name,
        "seed": seed,
        "clips": {
            name: {"condition": clip.condition, "source": clip.source, "seconds": round(clip.motion.duration_s, 3)}
            for name, clip in design.clips.items()
        },
        "orders": [list(order) for order in design.orders],
    }
