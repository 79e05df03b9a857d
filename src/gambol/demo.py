"""The embedded default job: make a motion, edit it, export it, picture it, report on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gambol.character.builtin.walk import walk
from gambol.errors import MissingExtra
from gambol.io.formats import write_motion
from gambol.motion import edits
from gambol.motion.foot_skate import remove_foot_skate
from gambol.motion.mirror import mirror
from gambol.motion.motion import Motion
from gambol.motion.quality import Quality, measure_quality
from gambol.pictures.contact_sheet import contact_sheet
from gambol.pictures.quality_picture import quality_picture

FORMATS = (".bvh", ".glb", ".usda")


@dataclass(frozen=True, eq=False)
class Demo:
    """What the demo made."""

    motion: Motion
    quality: Quality
    files: tuple[Path, ...]
    skipped: tuple[str, ...]  # why some files are not there


def demo_motion() -> Motion:
    """Join a walk, its mirror image and a brisker version into one motion.

    The walk starts on the left foot; half a stride in, its mirror image does too.
    """
    steady = walk(strides=3)
    frames = steady.frame_count - 1
    opening = edits.cut(steady, 0, frames // 3 + frames // 6)
    mirrored = edits.cut(mirror(steady), 0, frames // 3 + frames // 6)
    brisk = edits.retime(edits.cut(steady, 0, 2 * frames // 3), speed=1.2)
    return remove_foot_skate(edits.join([opening, mirrored, brisk]))


def make_demo(folder: Path, *, say: Callable[[str], None]) -> Demo:
    """Write the demo's files into a folder, saying what is being done."""
    say("Making a walk by code, then cutting, mirroring, retiming and joining it")
    motion = demo_motion()
    files: list[Path] = []
    skipped: list[str] = []
    for suffix in FORMATS:
        path = folder / f"walk{suffix}"
        say(f"Writing {path}")
        try:
            write_motion(path, motion, name="walker")
            files.append(path)
        except MissingExtra as missing:
            skipped.append(str(missing))
    quality = measure_quality(motion)
    for path, draw in (
        (folder / "walk_contact_sheet.png", lambda path: contact_sheet(motion, path, title="A walk made by code")),
        (folder / "walk_quality.png", lambda path: quality_picture(motion, quality, path, title="walk")),
    ):
        say(f"Drawing {path}")
        draw(path)
        files.append(path)
    assert np.all(np.isfinite(motion.world_positions))
    return Demo(motion, quality, tuple(files), tuple(skipped))
