"""Captured motions to learn variation from, cut as the captures' own table says."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from gambol.files import ReadOptions, read_motion
from gambol.motion import Contacts, Motion, detect_contacts
from gambol.variation import Example, cut_example
from gambol.variation.examples import RATE_HZ

#: By kind: the folder of its takes, and whether its cuts are cycles.
KINDS = {
    "walk": ("var_walk/35_", True),
    "jump": ("var_jump/118_", False),
    "breast stroke": ("var_swim_breast/126_", True),
    "jumping jack": ("var_jumpingjack/23_", True),
}


def cuts(mocap: Path, kind: str) -> list[tuple[str, int, int]]:
    """Return file, first and last frame of every cut of a kind, in the order of the table."""
    folder = KINDS[kind][0]
    with (mocap / "CUTS.csv").open(newline="") as table:
        return [
            (row["file"], int(row["start_frame"]), int(row["end_frame"]))
            for row in csv.DictReader(table)
            if row["file"].startswith(folder)
        ]


@cache
def take(mocap: Path, file: str) -> tuple[Motion, Contacts]:
    """Return a captured motion without its T-pose, and its contacts."""
    motion = read_motion(mocap / file, ReadOptions(unit="cmu", t_pose="drop")).motion
    return motion, detect_contacts(motion)


def captured(mocap: Path, kind: str, *, rate_hz: float = RATE_HZ) -> list[Example]:
    """Return all examples of a kind; frames of the table count the T-pose, which is left out."""
    found = []
    for file, first, last in cuts(mocap, kind):
        motion, contacts = take(mocap, file)
        name = f"{Path(file).stem} {first}-{last}"
        found.append(cut_example(name, motion, first - 1, last - 1, rate_hz=rate_hz, contacts=contacts))
    return found
