"""A straightened way: distances along it, and the things that it crosses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import runs
from gambol.pictures.mesh import Color
from gambol.pictures.shown import Shown
from gambol.pictures.world_colors import THING_COLORS, kind_of
from gambol.world.world import World

STANDING_M_S = 0.35  # metres a second: slower parts of a way are drawn as if this fast, so that poses have room
FINER = 8  # >= 1: samples of the way in a planning frame; more find the edges of crossed things more exactly


class Crossing(NamedTuple):
    """A thing that a way crosses, from one distance along it to another."""

    begins_m: float
    ends_m: float
    bottom_m: float  # above the local ground
    top_m: float
    kind: str  # a key of THING_COLORS

    @property
    def color(self) -> Color:
        return THING_COLORS[self.kind]


@dataclass(frozen=True, eq=False)
class Unrolled:
    """A character's way from the side."""

    shown: Shown
    along_m: FloatArray  # (K,) distance at which each pose of the path is drawn, increasing

    @classmethod
    def of(cls, shown: Shown) -> Unrolled:
        gone = np.linalg.norm(np.diff(shown.path[:, :2], axis=0), axis=1)
        least = STANDING_M_S / shown.plan.character.planning_rate_hz
        return cls(shown, np.concatenate(([0.0], np.cumsum(np.maximum(gone, least)))))

    @property
    def length_m(self) -> float:
        return float(self.along_m[-1])

    def pose_at(self, along_m: FloatArray) -> FloatArray:
        """Return poses (N, 3) of the path at distances (N,)."""
        columns = (*self.shown.path[:, :2].T, np.unwrap(self.shown.path[:, 2]))
        return np.column_stack([np.interp(along_m, self.along_m, column) for column in columns])

    def time_at(self, along_m: FloatArray) -> FloatArray:
        return np.interp(along_m, self.along_m, self.shown.times_s)

    def straighten(self, points: FloatArray, along_m: float) -> FloatArray:
        """Return world points (..., 3) near the path at a distance, in a frame whose way leads along +X."""
        x, y, heading = self.pose_at(np.array([along_m]))[0]
        level = planar.rotate(np.full(points.shape[:-1], -heading), points[..., :2] - (x, y))
        return np.concatenate((level + (along_m, 0.0), points[..., 2:]), axis=-1)

    def crossings(self, world: World) -> list[Crossing]:
        """Return the things that the middle of the way leads over, under or through; movers count at their time."""
        count = FINER * (len(self.along_m) - 1) + 1
        frames = np.linspace(0.0, len(self.along_m) - 1, count)
        rows = np.arange(len(self.along_m))
        along = np.interp(frames, rows, self.along_m)
        places = np.column_stack([np.interp(frames, rows, column) for column in self.shown.path[:, :2].T])
        times = np.interp(frames, rows, self.shown.times_s)
        found = []
        for obstacle in world.obstacles:
            inside = shapely.contains_xy(obstacle.footprint.region(obstacle.pose), places[:, 0], places[:, 1])
            heights = np.tile((obstacle.bottom_m, obstacle.top_m), (count, 1))
            found += _spans(inside, along, heights, kind_of(obstacle))
        for mover in world.movers:
            poses, heights = mover.trajectory.at(times)
            level = planar.rotate(-poses[:, 2], places - poses[:, :2])
            inside = shapely.contains_xy(mover.footprint.region(), level[:, 0], level[:, 1])
            found += _spans(inside, along, heights, "mover")
        return found


def _spans(inside: NDArray[np.bool_], along: FloatArray, heights: FloatArray, kind: str) -> list[Crossing]:
    return [
        Crossing(
            float(along[first]),
            float(along[last]),
            float(heights[first : last + 1, 0].min()),
            float(heights[first : last + 1, 1].max()),
            kind,
        )
        for first, last in runs(np.asarray(inside))
        if last > first
    ]
