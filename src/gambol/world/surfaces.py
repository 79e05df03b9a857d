"""The surfaces of a climber's environment: edges of solids, and runs of edges without a sharp corner."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.world.environment import FLOOR_SLOPE

SMOOTH_RAD = math.radians(40.0)  # radians: edges that meet at less than this belong to one run; larger: longer runs
SAME_M = 1e-6  # metres: places nearer than this are the same


class NearestSurface(NamedTuple):
    """The place on a surface that is nearest to a point."""

    distance_m: float
    x: float
    z: float
    normal: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Edges:
    """The straight edges of the union of solids, ring by ring; the solid lies to the left of each edge."""

    start: FloatArray  # (E, 2)
    end: FloatArray  # (E, 2)
    ring: NDArray[np.intp]  # (E,) the closed ring of each edge; edges of one ring follow each other

    @staticmethod
    def of(polygons: Iterable[FloatArray]) -> Edges:
        solid = shapely.unary_union([shapely.Polygon(corners) for corners in polygons])
        parts = [part for part in shapely.get_parts(solid) if part.geom_type == "Polygon"]
        rings = [
            _plain(np.asarray(ring.coords)[:-1])
            for part in (shapely.geometry.polygon.orient(part) for part in parts)
            for ring in (part.exterior, *part.interiors)
        ]
        rings = [ring for ring in rings if len(ring) > 2]
        if not rings:
            return Edges(np.empty((0, 2)), np.empty((0, 2)), np.empty(0, dtype=np.intp))
        return Edges(
            frozen_array(np.concatenate(rings)),
            frozen_array(np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])),
            frozen_array(np.repeat(np.arange(len(rings)), [len(ring) for ring in rings]), np.intp),
        )

    def __len__(self) -> int:
        return len(self.start)

    @property
    def length(self) -> FloatArray:
        return np.linalg.norm(self.end - self.start, axis=1)

    @property
    def normal(self) -> FloatArray:
        """Unit vectors out of the solid (E, 2)."""
        along = (self.end - self.start) / self.length[:, None]
        return np.column_stack([along[:, 1], -along[:, 0]])

    @property
    def tilt_rad(self) -> FloatArray:
        """Angles of normals from up (E,): 0 on a level floor, pi on a level ceiling."""
        return np.arccos(np.clip(self.normal[:, 1], -1.0, 1.0))

    def nearest(self, x: float, z: float) -> NearestSurface | None:
        """Return the nearest place on a surface; where two surfaces meet, on the one that is a floor."""
        if len(self) == 0:
            return None
        along = self.end - self.start
        share = np.einsum("ij,ij->i", (x, z) - self.start, along) / np.einsum("ij,ij->i", along, along)
        foot = self.start + np.clip(share, 0.0, 1.0)[:, None] * along
        distance = np.hypot(x - foot[:, 0], z - foot[:, 1])
        near = np.flatnonzero(distance <= distance.min() + SAME_M)
        normal = self.normal
        best = near[np.argmax(normal[near, 1] >= FLOOR_SLOPE)]
        return NearestSurface(
            float(distance[best]),
            float(foot[best, 0]),
            float(foot[best, 1]),
            (float(normal[best, 0]), float(normal[best, 1])),
        )

    def following(self) -> tuple[NDArray[np.intp], FloatArray]:
        """Return the next edge in the ring of each (E,), and the turn to it (E,): positive round an outer corner."""
        after = np.arange(1, len(self) + 1)
        last = np.flatnonzero(np.diff(self.ring, append=-1) != 0)
        after[last] = np.concatenate([[0], last[:-1] + 1]) if len(last) else last
        along = self.end - self.start
        ahead = along[after]
        cross = along[:, 0] * ahead[:, 1] - along[:, 1] * ahead[:, 0]
        return after, np.arctan2(cross, np.einsum("ij,ij->i", along, ahead))


class Run(NamedTuple):
    """Edges that continue each other, from one corner to the next."""

    edges: tuple[int, ...]
    inner_start: bool  # whether it begins at an inner corner, where a wall and a floor meet
    inner_end: bool


def runs_of(edges: Edges, chosen: NDArray[np.bool_]) -> list[Run]:
    """Return the chosen edges (E,) as runs."""
    runs: list[Run] = []
    after, turn = edges.following()
    before = np.argsort(after)
    joined = chosen & chosen[after] & (np.abs(turn) < SMOOTH_RAD)
    inner = turn <= -SMOOTH_RAD
    seen = np.zeros(len(edges), dtype=bool)
    for index in range(len(edges)):
        if not chosen[index] or seen[index]:
            continue
        first = index
        while joined[before[first]] and before[first] != index:
            first = int(before[first])
        run = [first]
        while joined[run[-1]] and after[run[-1]] != first:
            run.append(int(after[run[-1]]))
        seen[run] = True
        runs.append(Run(tuple(run), bool(inner[before[first]]), bool(inner[run[-1]])))
    return runs


def _plain(ring: FloatArray) -> FloatArray:
    """Return a ring without corners that coincide or lie on a straight line."""
    ring = ring[np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1) > SAME_M]
    if len(ring) < 3:
        return ring
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    straight = np.abs(cross) <= SAME_M * np.maximum(np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1))
    return ring[~(straight & (np.einsum("ij,ij->i", before, after) > 0.0))]
