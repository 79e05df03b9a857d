"""Where the body goes in a clip: out of one gait, through an action, into a gait again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tools.authoring.actions.curves import ease
from tools.authoring.actions.cycle import Cycle
from tools.authoring.actions.feet import FootTrack
from tools.authoring.actions.mass_path import Flight, Support, travel
from tools.authoring.authored import MARGIN

from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray

IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Course:
    """The frames of a clip, margins included, the gaits before and after it, and its centre of mass."""

    before: Cycle  # begun at frame 0 above the origin
    after: Cycle  # begun at the last frame, at the end pose
    last: int  # frame
    end: FloatArray  # (3,) pose of the path at the last frame
    mass: FloatArray  # (F, 3) metres
    heading: FloatArray  # (F,) radians, in which the body travels

    @property
    def frames(self) -> IntArray:
        """Numbers (F,) of all frames; 0 is the clip's first."""
        return np.arange(-MARGIN, self.last + MARGIN + 1)

    def place(self, frame: int, ahead_m: float, left_m: float, *, heading: float = 0.0) -> tuple[float, float]:
        """Return a place on the ground, ahead and left of the centre of mass at a frame, seen along a heading."""
        x, y = planar.apply((*self.mass[frame + MARGIN, :2], heading), (ahead_m, left_m))
        return float(x), float(y)

    def foot_before(self, side: int, last: int) -> FootTrack:
        """Return what a foot does in the gait before, up to a frame."""
        return self.before.foot(side, -MARGIN, last)

    def foot_after(self, side: int, first: int) -> FootTrack:
        """Return what a foot does in the gait after, from a frame on."""
        return self.after.foot(side, first, self.last + MARGIN, begun=self.last, pose=self.end)


def plot_course(
    gaits: tuple[Cycle, Cycle],
    last: int,
    stages: Sequence[Flight | Support],
    *,
    leaves: int,
    returns: int,
    heading: FloatArray | None = None,
) -> Course:
    """Leave the way of one gait at a frame and join that of another, so that its stride begins at the last frame.

    How far the clip goes follows from the speeds of the stages.  heading (F,) is 0 throughout where
    not given; velocities are in the world and so have to agree with it.
    """
    before, after = gaits
    frames = np.arange(-MARGIN, last + MARGIN + 1)
    heading = np.zeros(len(frames)) if heading is None else heading
    joined = after.mass(returns, begun=last, pose=(0.0, 0.0, heading[-1]))
    path, place = travel(before.mass(leaves), stages, joined, frames.astype(np.float64))
    if not np.any(heading):
        # A straight clip ends on the line it began on; a little sway must not add up.
        path[:, 1] -= (place[1] - joined.position[1]) * ease(frames, leaves, returns)
        place[1] = joined.position[1]
    end = np.array([*(place - joined.position[:2]), heading[-1]])
    for i, frame in enumerate(frames):
        if frame <= leaves:
            path[i] = before.mass(int(frame)).position
        elif frame >= returns:
            path[i] = after.mass(int(frame), begun=last, pose=end).position
    return Course(before, after, last, end, path, heading)
