"""Motions that variation is measured on: captures where GAMBOL_MOCAP names them, else takes of the built-in human."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evidence.reproductions.made_takes import made_takes
from gambol.files import ReadOptions, read_motion
from gambol.motion import Contacts, Motion, detect_contacts
from gambol.variation import Example, Examples, cut_example, gather

MOCAP = "GAMBOL_MOCAP"
CUTS = "CUTS.csv"
MADE, MADE_SEED = 16, 7  # takes of a kind that are made, and their seed
FOUR = 4  # inputs of a model, as in the thesis


class Source(NamedTuple):
    """Where motions in place of one of the thesis's kinds come from."""

    captured: str  # what is captured
    folder: str  # of its takes
    four: tuple[int, ...]  # which cuts are learned from, in the order of the table
    others: tuple[int, ...]  # further cuts, sound ones first
    made: str  # what is made where there are no captures
    cyclic: tuple[bool, bool]  # captured, made


#: By the kinds of the thesis.  The first cycles of some walks have a foot that pops or hips that spike.
SOURCES = {
    "cheering": Source("jumping jacks", "var_jumpingjack/23_", (0, 1, 2, 3), (), "cheer", (True, False)),
    "walk": Source("walks", "var_walk/35_", (7, 9, 11, 13), (1, 5, 6, 8, 10, 12, 14, 15, 3), "walk", (True, True)),
    "swim": Source("breast strokes", "var_swim_breast/126_", (10, 11, 12, 13), (), "jog", (True, True)),
    "jump": Source("jumps", "var_jump/118_", (0, 1, 2, 3), (4, 5, 6, 7), "two-foot jump", (False, False)),
}
SUBJECTS = {"cheering": "23", "walk": "35", "swim": "126", "jump": "118"}  # of CMU


@dataclass(frozen=True, eq=False)
class Inputs:
    """Takes of one kind."""

    kind: str  # of the thesis
    name: str  # what they are, in the plural
    captured: bool
    cyclic: bool
    four: tuple[Example, ...]
    others: tuple[Example, ...]

    def gathered(self, items: Sequence[Example] | None = None) -> Examples:
        """Return the four, or others, as what a model is learned from."""
        return gather(self.four if items is None else items, cyclic=self.cyclic)

    @property
    def frames(self) -> int:
        """Return how many frames the four have together."""
        return sum(item.motion.frame_count for item in self.four)


def captures() -> Path | None:
    """Return the folder of captures, if there is one."""
    folder = os.environ.get(MOCAP)
    return Path(folder) if folder and (Path(folder) / CUTS).is_file() else None


def inputs_of(kind: str) -> Inputs:
    """Return takes in place of a kind of the thesis."""
    return _inputs(kind, captures())


def said_of(kinds: Sequence[str]) -> str:
    """Say which motions are used, in a sentence."""
    if captures() is None:
        names = ", ".join(f"{SOURCES[kind].made} for {kind}" for kind in kinds)
        return (
            f"No captures ({MOCAP} is not set): takes of the built-in human ({names}), each bent and timed a little "
            f"differently (seed {MADE_SEED})."
        )
    names = ", ".join(f"{SOURCES[kind].captured} (subject {SUBJECTS[kind]}) for {kind}" for kind in kinds)
    return f"Captures of the CMU database, as the thesis's own are not public: {names}; models and variants by seed."


@cache
def _inputs(kind: str, folder: Path | None) -> Inputs:
    source = SOURCES[kind]
    if folder is None:
        made = made_takes(source.made, MADE, seed=MADE_SEED)
        name = {"cheer": "cheers", "walk": "walks", "jog": "jogs"}.get(source.made, f"{source.made}s")
        return Inputs(kind, name, False, source.cyclic[1], tuple(made[:FOUR]), tuple(made[FOUR:]))
    cuts = _captured(folder, source.folder)
    four, others = (tuple(cuts[number] for number in some) for some in (source.four, source.others))
    return Inputs(kind, source.captured, True, source.cyclic[0], four, others)


def _captured(folder: Path, takes: str) -> list[Example]:
    """Return the cuts of some takes; frames of the table count the T-pose, which is left out."""
    with (folder / CUTS).open(newline="", encoding="utf-8") as table:
        cuts = [row for row in csv.DictReader(table) if row["file"].startswith(takes)]
    found = []
    for cut in cuts:
        motion, contacts = _take(folder / cut["file"])
        first, last = int(cut["start_frame"]), int(cut["end_frame"])
        name = f"{Path(cut['file']).stem} {first}-{last}"
        found.append(cut_example(name, motion, first - 1, last - 1, contacts=contacts))
    return found


@cache
def _take(path: Path) -> tuple[Motion, Contacts]:
    motion = read_motion(path, ReadOptions(unit="cmu", t_pose="drop")).motion
    return motion, detect_contacts(motion)
