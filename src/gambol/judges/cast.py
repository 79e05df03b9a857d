"""The capsules of all performers, a few seconds at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gambol.body.capsules import Body, check_same_joints
from gambol.characters.character import Character
from gambol.characters.step import Step
from gambol.core import Struct, struct_of
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.judges.rows import AXIS_SIZE, work_room
from gambol.motion.motion import Motion

MOST_CAPSULES = 2_000_000  # capsules of all performers and frames, > 0: the most to place at a time; more takes memory
FEWEST_SLICES = 8  # slices of time, >= 1: the fewest to place at a time
ROUNDING_FRAMES = 1e-6  # frames, > 0: a time this close to a frame is the frame's


@dataclass(frozen=True, eq=False)
class Performer:
    """A delivered motion with its body and its start; with steps and a character if it was planned."""

    name: str
    motion: Motion
    body: Body
    start_s: float = 0.0  # time of the first frame
    steps: tuple[Step, ...] = ()  # without steps, only collisions and touches are checked
    character: Character | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))
        object.__setattr__(self, "start_s", float(self.start_s))
        if not np.isfinite(self.start_s):
            raise InvalidInput(f"performer {self.name!r}: a start must be finite, not {self.start_s}")
        if self.steps and self.character is None:
            raise InvalidInput(f"performer {self.name!r}: steps need their character")
        check_same_joints(self.body.skeleton, self.motion.skeleton)

    @property
    def end_s(self) -> float:
        """Time of the last frame."""
        return self.start_s + self.motion.duration_s

    def frames_until(self, time_s: float) -> int:
        """Return the number of its frames up to a time."""
        passed = int(np.floor((time_s - self.start_s) * self.motion.rate_hz + ROUNDING_FRAMES)) + 1
        return min(max(passed, 0), self.motion.frame_count)

    def part(self, capsule: int) -> str:
        """Return the name of a capsule's joint."""
        return self.body.skeleton.names[self.body.joint[capsule]]


class Cast(NamedTuple):
    """P bodies with C capsules in all, at frames around some stretch of time."""

    start_s: FloatArray  # (P,) start of each motion; before it, the body stands in its first pose
    rate_hz: FloatArray  # (P,)
    frame_count: Int64Array  # (P,) frames of the whole motion; after the last, the body stands in its last pose
    capsule_first: Int64Array  # (P + 1,)
    radius: FloatArray  # (C,) metres
    frame_first: Int64Array  # (P,) first placed frame
    frame_last: Int64Array  # (P,) last placed frame
    row_first: Int64Array  # (P,) row of the first capsule of the first placed frame; capsules, then frames
    axes: FloatArray  # (R, 6) metres: start and end of each axis in the world


def struct_of_cast(cast: Cast) -> Struct:
    """Return a cast as the core reads it."""
    return struct_of("gb_check_cast", cast, bodies=len(cast.start_s))


def time_blocks(performers: Sequence[Performer], begin_s: float, end_s: float) -> Iterator[FloatArray]:
    """Cut the time into slices no longer than any frame, and yield the slices' edges in blocks that fit into memory."""
    rate = max(performer.motion.rate_hz for performer in performers)
    count = max(int(np.ceil((end_s - begin_s) * rate - ROUNDING_FRAMES)), 1)
    edges = np.minimum(begin_s + np.arange(count + 1) / rate, end_s)
    edges[-1] = end_s
    capsules = sum(performer.body.part_count for performer in performers)
    size = max(MOST_CAPSULES // capsules, FEWEST_SLICES)
    for first in range(0, count, size):
        yield edges[first : first + size + 1]


def place_cast(performers: Sequence[Performer], from_s: float, to_s: float) -> Cast:
    """Place all capsules at the frames from one time to another, and at one more frame on either side."""
    counts = np.array([performer.motion.frame_count for performer in performers], dtype=np.int64)
    starts_s = np.array([performer.start_s for performer in performers], dtype=np.float64)
    rates = np.array([performer.motion.rate_hz for performer in performers], dtype=np.float64)
    parts = np.array([performer.body.part_count for performer in performers], dtype=np.int64)
    first = np.clip(np.floor((from_s - starts_s) * rates).astype(np.int64) - 1, 0, counts - 1)
    last = np.clip(np.ceil((to_s - starts_s) * rates).astype(np.int64) + 1, 0, counts - 1)
    rows = np.concatenate(([0], np.cumsum((last - first + 1) * parts)))
    axes = np.empty((rows[-1], AXIS_SIZE))
    for number, performer in enumerate(performers):
        own = axes[rows[number] : rows[number + 1]]
        placed = performer.body.place(_cut(performer.motion, int(first[number]), int(last[number])))
        own[:, :3], own[:, 3:] = (points.reshape(-1, 3) for points in placed)
    return Cast(
        start_s=starts_s,
        rate_hz=rates,
        frame_count=counts,
        capsule_first=np.concatenate(([0], np.cumsum(parts))),
        radius=np.concatenate([performer.body.radius for performer in performers]),
        frame_first=first,
        frame_last=last,
        row_first=np.array(rows[:-1]),
        axes=axes,
    )


def _cut(motion: Motion, first: int, last: int) -> Motion:
    """Return some frames of a motion."""
    if first == 0 and last == motion.frame_count - 1:
        return motion
    own = slice(first, last + 1)
    translations = None if motion.translations is None else motion.translations[own]
    return replace(
        motion, root_positions=motion.root_positions[own], rotations=motion.rotations[own], translations=translations
    )


def standing_cast(performer: Performer, from_s: float, to_s: float) -> Cast:
    """Place a performer that stands in its first or its last pose from one time to another, as two frames."""
    cast = place_cast([performer], from_s, to_s)
    parts = len(cast.radius)
    own = slice(0, parts) if to_s <= performer.start_s else slice(-parts, None)
    return cast._replace(
        start_s=np.array([from_s]),
        rate_hz=np.array([1.0 / (to_s - from_s)]),
        frame_count=np.array([2]),
        frame_first=np.array([0]),
        frame_last=np.array([1]),
        row_first=np.array([0]),
        axes=np.tile(cast.axes[own], (2, 1)),
    )


def room_for(cast: Cast) -> Struct:
    """Return room to work on the bodies of a cast."""
    return work_room(int(np.diff(cast.capsule_first).max()))
