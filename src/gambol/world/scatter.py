"""Grasp points scattered along the surfaces of an environment, by slope and spacing [KP00 3]."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import shapely

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.world.environment import CEILING_SLOPE, FLOOR_SLOPE, Environment, GraspKind, GraspPoint
from gambol.world.surfaces import Edges, Run, runs_of

Box = tuple[float, float, float, float]  # least x, least z, greatest x, greatest z

#: Least and greatest tilt of kinds of surfaces, in radians from level: feet stand on floors, hands hang from ceilings.
TILTS: dict[str, tuple[float, float]] = {
    "floors": (0.0, math.acos(FLOOR_SLOPE)),
    "walls": (math.acos(FLOOR_SLOPE), math.acos(CEILING_SLOPE)),
    "ceilings": (math.acos(CEILING_SLOPE), math.pi),
}
EDGE_M = 0.05  # metres: grasp points keep this distance from outer corners
CLEARANCE_M = 0.25  # metres: grasp points keep this distance from inner corners, so that a foot fits
SAME_RAD = 1e-6  # radians: tolerance of tilts


class Chosen(NamedTuple):
    """Surfaces to scatter along."""

    tilts_rad: tuple[tuple[float, float], ...]  # ranges of tilts, each least and greatest
    within: Box | None = None
    clearance_m: float = CLEARANCE_M  # distance from inner corners, and free room in front of the surface


def scatter(
    environment: Environment,
    chosen: Chosen,
    *,
    spacing_m: float,
    kind: GraspKind = "hybrid",
    noise_m: float = 0.0,
    rng: np.random.Generator,
) -> tuple[GraspPoint, ...]:
    """Return points spread evenly along the chosen surfaces, from corner to corner.

    Surfaces that meet at less than 40 degrees are one.  A surface shorter than half the spacing has one point in its
    middle, or none where no foot would fit.

    noise_m: each point is moved along the surface by up to this much, at random.
    """
    if not spacing_m > 0.0:
        raise InvalidInput(f"the spacing of grasp points must be positive, not {spacing_m:g}")
    if not 0.0 <= noise_m <= 0.5 * spacing_m:
        raise InvalidInput(f"noise must be from 0 to half the spacing of {spacing_m:g} m, not {noise_m:g}")
    edges = Edges.of(environment.polygons)
    tilt = edges.tilt_rad if len(edges) else np.empty(0)
    is_chosen = np.zeros(len(edges), dtype=bool)
    for low, high in chosen.tilts_rad:
        is_chosen |= (tilt >= low - SAME_RAD) & (tilt <= high + SAME_RAD)
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in environment.polygons])
    shapely.prepare(solid)
    points: list[GraspPoint] = []
    for run in runs_of(edges, is_chosen):
        way = _Way(edges, run)
        for low, high in _usable(way, run, chosen):
            for at in _spread(low, high, spacing_m):
                moved = min(max(at + noise_m * float(rng.uniform(-1.0, 1.0)), low), high)
                (x, z), normal = way.at(moved)
                if _has_room(environment, solid, (x, z), normal, chosen.clearance_m):
                    points.append(GraspPoint(x, z, kind, normal))
    return tuple(points)


def without_repeats(points: Iterable[GraspPoint], apart_m: float = 0.02) -> tuple[GraspPoint, ...]:
    """Return points without those nearer than `apart_m` to an earlier one."""
    kept: list[GraspPoint] = []
    cells: dict[tuple[int, int], list[GraspPoint]] = {}
    for point in points:
        column, row = math.floor(point.x / apart_m), math.floor(point.z / apart_m)
        near = [one for i in (-1, 0, 1) for j in (-1, 0, 1) for one in cells.get((column + i, row + j), ())]
        if all(math.hypot(one.x - point.x, one.z - point.z) >= apart_m for one in near):
            kept.append(point)
            cells.setdefault((column, row), []).append(point)
    return tuple(kept)


class _Way:
    """A run of edges, by the distance along it."""

    def __init__(self, edges: Edges, run: Run) -> None:
        index = list(run.edges)
        self.start, self.end, self.normal = edges.start[index], edges.end[index], edges.normal[index]
        self.length = edges.length[index]
        self.begins = np.concatenate([[0.0], np.cumsum(self.length)])

    def at(self, distance: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the place and its normal."""
        edge = min(max(int(np.searchsorted(self.begins, distance, side="right")) - 1, 0), len(self.length) - 1)
        share = (distance - self.begins[edge]) / self.length[edge]
        x, z = self.start[edge] + share * (self.end[edge] - self.start[edge])
        across, up = self.normal[edge]
        return (float(x), float(z)), (float(across), float(up))

    def within(self, box: Box) -> list[tuple[float, float]]:
        """Return the stretches that lie in a box."""
        stretches: list[tuple[float, float]] = []
        for edge, length in enumerate(self.length):
            cut = shapely.clip_by_rect(shapely.LineString([self.start[edge], self.end[edge]]), *box)
            if cut.is_empty or cut.length == 0.0:
                continue
            ends = np.linalg.norm(np.asarray(cut.coords) - self.start[edge], axis=1)
            low, high = self.begins[edge] + float(ends.min()), self.begins[edge] + min(float(ends.max()), float(length))
            if stretches and low - stretches[-1][1] < 1e-6:
                stretches[-1] = (stretches[-1][0], high)
            else:
                stretches.append((low, high))
        return stretches


def _usable(way: _Way, run: Run, chosen: Chosen) -> list[tuple[float, float]]:
    """Return the stretches of a run away from its corners; if it is short between outer corners, its middle."""
    total = float(way.begins[-1])
    margins = [chosen.clearance_m if inner else EDGE_M for inner in (run.inner_start, run.inner_end)]
    low, high = margins[0], total - margins[1]
    if low > high and not (run.inner_start or run.inner_end):
        low = high = 0.5 * total
    if low > high:
        return []
    if chosen.within is None:
        return [(low, high)]
    cut = [(max(low, start), min(high, end)) for start, end in way.within(chosen.within)]
    return [(start, end) for start, end in cut if start <= end]


def _spread(low: float, high: float, spacing_m: float) -> FloatArray:
    gaps = round((high - low) / spacing_m)
    return np.linspace(low, high, gaps + 1) if gaps > 0 else np.array([0.5 * (low + high)])


def _has_room(
    environment: Environment,
    solid: shapely.Geometry,
    place: tuple[float, float],
    normal: tuple[float, float],
    clearance_m: float,
) -> bool:
    """Tell whether there is free room in front of a surface, within the bounds."""
    low_x, low_z, high_x, high_z = environment.bounds
    (x, z), (across, up) = place, normal
    near, far = ((x + out * across, z + out * up) for out in (1e-3, max(clearance_m, 2e-3)))
    inside = low_x <= far[0] <= high_x and low_z <= far[1] <= high_z and low_x <= x <= high_x and low_z <= z <= high_z
    return inside and not shapely.intersects(solid, shapely.LineString([near, far]))
