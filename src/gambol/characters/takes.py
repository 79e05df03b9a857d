"""The motion files of a character; each is read once, mirrored once, and its contacts are found once."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gambol.characters.file_model import ReadingEntry
from gambol.characters.make_clip import facing_headings, set_down
from gambol.characters.splice import splice
from gambol.errors import InvalidInput
from gambol.files.bvh.t_pose import starts_with_t_pose
from gambol.files.formats import ReadOptions, read_motion
from gambol.geometry import planar
from gambol.motion import edits
from gambol.motion.contacts import Contacts, detect_contacts
from gambol.motion.ground import Ground
from gambol.motion.mirroring import mirror
from gambol.motion.motion import Motion
from gambol.motion.retargeting import retarget
from gambol.motion.skeleton import Skeleton

RIDING_M_S = 0.15  # m/s, > 0: for clips on a board, only slower feet stand on the ground
_VARIABLE = re.compile(r"\$(\w+|\{\w+\})")


class Take(NamedTuple):
    """A motion with its contacts."""

    motion: Motion
    contacts: Contacts
    left_out: int  # number of the file's frames before the motion's first


class Takes:
    """Motion files of one folder; each is read when first needed and kept."""

    def __init__(self, folder: Path, reading: ReadingEntry, takes: Mapping[str, ReadingEntry]) -> None:
        self.folder = folder
        self._reading = reading
        self._takes = takes
        self._files: dict[str, tuple[Motion, int]] = {}
        self._ready: dict[tuple[str, bool, bool, Skeleton | None], Take] = {}

    def read(self, file: str) -> tuple[Motion, int]:
        """Return a file's motion, and the number of the file's frames before the motion's first."""
        if file not in self._files:
            self._files[file] = self._read(file)
        return self._files[file]

    def take(self, file: str, *, mirrored: bool, riding: bool, target: Skeleton | None) -> Take:
        """Return a file's motion, prepared for a clip.

        riding: the feet may stand on a board; then only feet that hardly move are on the ground.
        target: the skeleton to transfer the motion to, if any.
        """
        key = (file, mirrored, riding, target)
        if key not in self._ready:
            motion, left_out = self.read(file)
            if target is not None:
                motion = retarget(motion, target)
            if mirrored:
                motion = mirror(motion)
            height = self._entry(file).ground_m
            contacts = detect_contacts(motion, ground_height_m=height, slow_m_s=RIDING_M_S if riding else None)
            if height is not None:
                contacts = Contacts(contacts.points, contacts.planted, Ground(height))
            self._ready[key] = Take(motion, contacts, left_out)
        return self._ready[key]

    def _read(self, file: str) -> tuple[Motion, int]:
        entry, path = self._entry(file), self.folder / file
        is_bvh = path.suffix.lower() == ".bvh"
        # The T-pose is dropped here and not by the reader, because frames are counted as in the file.
        options = ReadOptions(unit=entry.unit, rate_hz=entry.rate_hz, t_pose="keep" if is_bvh else None)
        motion = read_motion(path, options).motion
        drops = entry.t_pose == "drop" or (entry.t_pose == "auto" and starts_with_t_pose(motion))
        if is_bvh and drops and motion.frame_count > 1:
            return edits.cut(motion, 1, motion.frame_count - 1), 1
        return motion, 0

    def _entry(self, file: str) -> ReadingEntry:
        own = self._takes.get(file)
        if own is None:
            return self._reading
        return self._reading.model_copy(update={name: getattr(own, name) for name in own.model_fields_set})


def splice_takes(a: Take, last: int, b: Take, first: int, *, facing: str, over_s: float) -> Take:
    """Return a up to its frame `last`, continued by b from its frame `first`, both moved onto level ground."""
    tails, poses = [], []
    for take, frame in ((a, last), (b, first)):
        motion = set_down(take.motion, take.contacts.ground)
        heading = facing_headings(motion, facing)[frame]
        poses.append(np.array([*motion.root_positions[frame, :2], heading]))
        tails.append(motion)
    before = edits.cut(tails[0], 0, last)
    after = edits.cut(tails[1], first, tails[1].frame_count - 1)
    motion = splice(before, after, a_from_seam=poses[0], b_from_seam=poses[1], over_s=over_s)
    planted = np.concatenate((a.contacts.planted[: last + 1], b.contacts.planted[first + 1 :]))
    return Take(motion, Contacts(a.contacts.points, planted, Ground(0.0)), a.left_out)


def loop_take(take: Take, first: int, last: int, *, before: int, after: int) -> Take:
    """Return a cycle cut out of a take, repeated until the original has enough frames before and after it.

    The difference between the cycle's last pose and its first is spread over the cycle.  The result counts
    frames as the take does: `first` and `last` are the same poses.
    """
    if take.motion.translations is not None:
        raise InvalidInput("only motions with rigid bones can be made cyclic")
    motion = edits.make_cyclic(edits.cut(set_down(take.motion, take.contacts.ground), first, last))
    length = last - first
    earlier, later = -(-before // length), -(-after // length)
    step = planar.compose(edits.planar_pose(motion, -1), planar.invert(edits.planar_pose(motion, 0)))
    carried = np.zeros(3)
    for _ in range(earlier):
        carried = planar.compose(planar.invert(step), carried)
    pieces: list[Motion] = []
    for _ in range(earlier + 1 + later):
        placed = edits.move(motion, carried)
        pieces.append(edits.cut(placed, 0, length - 1))
        carried = planar.compose(step, carried)
    pieces.append(edits.cut(edits.move(motion, carried), 0, 0))
    looped = replace(
        motion,
        root_positions=np.concatenate([piece.root_positions for piece in pieces]),
        rotations=np.concatenate([piece.rotations for piece in pieces]),
    )
    planted = np.tile(take.contacts.planted[first:last], (earlier + 1 + later, 1))
    contacts = Contacts(take.contacts.points, np.concatenate((planted, planted[:1])), Ground(0.0))
    return Take(looped, contacts, take.left_out + first - earlier * length)


def motions_folder(stated: str, *, beside: Path) -> Path:
    """Return the folder that a character file names, relative to the folder of the file itself."""

    def value(match: re.Match[str]) -> str:
        name = match[1].strip("{}")
        if name not in os.environ:
            raise InvalidInput(
                f"the environment variable {name} is not set; set it, or state the folder of the motions"
            )
        return os.environ[name]

    folder = beside / _VARIABLE.sub(value, stated)
    if not folder.is_dir():
        raise InvalidInput(f"there is no folder {folder}")
    return folder
