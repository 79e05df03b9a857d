"""What each limb holds from frame to frame, as surfaces and directions seen by the figure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.climb.environment_table import BAR, surface_of
from gambol.climb.figure import FREE
from gambol.climb.problem import ClimbProblem
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array

NOTHING = -1  # in place of a surface


@dataclass(frozen=True, eq=False)
class Holding:
    """One limb's holds."""

    grasp: Int32Array  # (F,) grasp point, FREE where none
    surface: Int32Array  # (F,) FLOOR, WALL, CEILING, BAR or NOTHING
    along: FloatArray  # (F,) the surface's direction, ahead on floors and up on walls ahead, as an angle from ahead
    runs: tuple[tuple[int, int], ...]  # first and last frame of each unbroken hold

    @property
    def is_held(self) -> BoolArray:
        return self.surface != NOTHING


def holdings(
    problem: ClimbProblem, facings: FloatArray, grasps: Int32Array
) -> tuple[Holding, Holding, Holding, Holding]:
    """Return what left hand, right hand, left foot and right foot hold."""
    points = problem.environment.grasp_points
    surfaces = np.array([surface_of(point) for point in points] + [NOTHING], dtype=np.int32)
    normals = np.array([(0.0, 1.0) if point.is_bar else point.normal for point in points] + [(0.0, 1.0)])
    sides = np.where(facings >= 0.0, 1.0, -1.0)

    def of(limb: int) -> Holding:
        grasp = grasps[:, limb]
        normal = normals[grasp]  # FREE is the last one
        along = np.arctan2(-sides * normal[:, 0], normal[:, 1])
        surface = surfaces[grasp]
        along[surface == BAR] = 0.0
        return Holding(grasp, surface, along, _runs(grasp))

    return of(0), of(1), of(2), of(3)


def _runs(grasp: Int32Array) -> tuple[tuple[int, int], ...]:
    edges = np.flatnonzero(np.diff(grasp)) + 1
    firsts = np.concatenate(([0], edges))
    lasts = np.concatenate((edges - 1, [len(grasp) - 1]))
    return tuple((int(first), int(last)) for first, last in zip(firsts, lasts, strict=True) if grasp[first] != FREE)
