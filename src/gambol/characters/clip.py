"""A clip: a piece of motion that a character can play, with its path, its shape and all else that a planner needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.motion.contacts import Contacts
from gambol.motion.motion import Motion

#: The parts of a body that have a cylinder each in a swept shape.
PARTS = ("left foot", "right foot", "left knee", "right knee", "left forearm", "right forearm", "trunk", "head")


@dataclass(frozen=True, eq=False)
class SweptShape:
    """Cylinders by instant (a planning frame) and part, each in the frame of the path's pose at that instant.

    An instant covers the time from half a planning frame before it to half a planning frame after it: all
    instants together cover the whole clip.
    """

    offset: FloatArray  # (K, 8, 2) metres: the axis, forward and left of the path's pose
    radius: FloatArray  # (K, 8) metres
    low: FloatArray  # (K, 8) metres above the ground
    high: FloatArray  # (K, 8) metres above the ground

    def __post_init__(self) -> None:
        for name in ("offset", "radius", "low", "high"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        count = len(self.radius)
        if self.offset.shape != (count, len(PARTS), 2) or any(
            array.shape != (count, len(PARTS)) for array in (self.radius, self.low, self.high)
        ):
            raise InvalidInput(
                f"a swept shape needs {len(PARTS)} cylinders for each instant; radii of {self.radius.shape} given"
            )

    @property
    def instant_count(self) -> int:
        return len(self.radius)

    @property
    def outer_radius(self) -> FloatArray:
        """Radius around the path's pose that contains all parts, by instant (K,)."""
        return (np.linalg.norm(self.offset, axis=-1) + self.radius).max(axis=1)

    @property
    def lowest(self) -> FloatArray:
        """Height of the lowest part by instant (K,)."""
        return self.low.min(axis=1)

    @property
    def highest(self) -> FloatArray:
        """Height of the highest part by instant (K,)."""
        return self.high.max(axis=1)

    def grown(self, margin: FloatArray) -> SweptShape:
        """Return the shape with every cylinder extended on all sides by a margin (K, 8) or (K, 1)."""
        return SweptShape(self.offset, self.radius + margin, self.low - margin, self.high + margin)


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion placed so that its path starts at the origin, facing +X.

    The *path* is the root's position in the ground plane, with the direction in which the figure travels
    (standing: faces) as heading.  The next clip begins at the path's last pose.  Before the clip's first
    frame and after its last one the motion has `margin` frames for blending with neighbours.  If the take
    was too short for them, the margin's outer frames are only a guess: see `recorded`.
    """

    name: str
    motion: Motion  # margin + duration * frames_per_step + 1 + margin frames
    margin: int  # frames of the motion on either side of the clip itself
    duration: int  # planning frames, >= 1
    path: FloatArray  # (duration + 1, 3) x, y, heading at each planning frame; starts at (0, 0, 0)
    shape: SweptShape  # the space that the body fills around each planning frame
    contacts: Contacts  # over all frames of the motion, margins included
    event: int  # planning frame of the most important moment: the top of a jump, the lowest head of a duck
    recorded: tuple[int, int] | None = None  # number of captured margin frames before and after; None: all
    riding: bool = False  # feet that are not planted on the ground stand on a board that moves along

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", frozen_array(self.path))
        if self.duration < 1 or self.path.shape != (self.duration + 1, 3):
            raise InvalidInput(
                f"clip {self.name!r}: a duration of at least one planning frame and a path of (duration + 1, 3) "
                f"expected, not {self.duration} and {self.path.shape}"
            )
        inside = self.motion.frame_count - 2 * self.margin - 1
        if inside < self.duration or inside % self.duration != 0:
            raise InvalidInput(
                f"clip {self.name!r}: {inside} steps of motion are no whole multiple of {self.duration} planning frames"
            )
        if np.abs(self.path[0]).max() > 1e-6:
            raise InvalidInput(f"clip {self.name!r}: the path must start at the origin, facing +X")
        if not 0 <= self.event <= self.duration:
            raise InvalidInput(
                f"clip {self.name!r}: event {self.event} lies outside its {self.duration} planning frames"
            )
        if self.shape.instant_count != self.duration + 1:
            raise InvalidInput(f"clip {self.name!r}: one shape for each planning frame expected")
        if self.recorded is not None and not all(0 <= count <= self.margin for count in self.recorded):
            raise InvalidInput(
                f"clip {self.name!r}: at most {self.margin} margin frames can be recorded, not {self.recorded}"
            )
        if len(self.contacts.planted) != self.motion.frame_count:
            raise InvalidInput(f"clip {self.name!r}: contacts for every frame of the motion expected")

    @property
    def frames_per_step(self) -> int:
        """Number of the motion's frames in one planning frame."""
        return (self.motion.frame_count - 2 * self.margin - 1) // self.duration

    @property
    def planning_rate_hz(self) -> float:
        return self.motion.rate_hz / self.frames_per_step

    @property
    def duration_s(self) -> float:
        return self.duration / self.planning_rate_hz

    @property
    def displacement(self) -> FloatArray:
        """Pose (x, y, heading) at which the next clip begins, seen from this one's start."""
        return self.path[-1]

    @cached_property
    def path_length_m(self) -> float:
        """Length of the root's path in the ground plane [L09 3.2]."""
        return float(np.linalg.norm(np.diff(self.path[:, :2], axis=0), axis=1).sum())

    @cached_property
    def reach_m(self) -> float:
        """Greatest distance of the root from its start; a figure that only sways or turns in place has almost none."""
        return float(np.linalg.norm(self.path[:, :2], axis=1).max())

    @cached_property
    def chord_m(self) -> float:
        """Straight distance from start to end [LK05 3.3]."""
        return float(np.linalg.norm(self.path[-1, :2]))

    def place(self, world_from_start: FloatArray) -> FloatArray:
        """Return the path's poses in the world for a clip that begins at a pose."""
        return planar.compose(world_from_start, self.path)
