"""A climber's path ready to be drawn: where the figure's points are, its centre of mass, how its feet point."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.climb.climb import ClimbMotion, ClimbPath
from gambol.climb.environment_table import BAR, WALL, surface_of
from gambol.climb.figure import FREE, POINTS
from gambol.climb.kernels.kinematics import centre_of_mass, place
from gambol.climb.problem import ClimbProblem
from gambol.world.environment import GraspPoint

FloatArray = NDArray[np.float64]

PATH_RATE_HZ = 30.0  # at which a path without time is taken to be played
FREE_FLEXION = -0.25  # of a foot that hangs, in radians: toes down
RAISED = np.linspace(0.0, 1.1, 12)  # by which its toes are lifted off what is below
MOST_FLEXION = 1.25  # shanks that lie flatter have the foot stretched out behind
LAID_BACK = 0.22 - math.pi  # how it points then
EASE_S = 0.16  # in which a foot that is let go or about to be put down turns


@dataclass(frozen=True, eq=False)
class Track:
    """A path and all that pictures need to know of it."""

    problem: ClimbProblem
    path: ClimbPath
    rate_hz: float
    points: FloatArray  # (N, 12, 2)
    centres: FloatArray  # (N, 2) of mass
    feet: FloatArray  # (N, 2) how left and right foot point, in radians: 0 level and forward, positive is toes up

    @classmethod
    def of(cls, problem: ClimbProblem, planned: ClimbPath | ClimbMotion) -> Track:
        """Follow a path, or a motion at its rate."""
        path = planned.path if isinstance(planned, ClimbMotion) else planned
        rate = planned.rate_hz if isinstance(planned, ClimbMotion) else PATH_RATE_HZ
        table = problem.figure.table
        points = np.empty((len(path), len(POINTS), 2))
        centres = np.empty((len(path), 2))
        for index, (facing, q) in enumerate(zip(path.facings.tolist(), path.configurations, strict=True)):
            place(table, facing, q, points[index])
            centres[index] = centre_of_mass(table, points[index])
        feet = np.column_stack([_foot_angles(problem, path, points[:, 9 + 2 * side], side, rate) for side in (0, 1)])
        return cls(problem, path, rate, points, centres, feet)

    def __len__(self) -> int:
        return len(self.path)

    @property
    def gone_m(self) -> FloatArray:
        """How far the centre of mass has gone at each configuration (N,)."""
        steps = np.linalg.norm(np.diff(self.centres, axis=0), axis=1)
        return np.concatenate(([0.0], np.cumsum(steps)))


def foot_angle(point: GraspPoint | None, facing: float, shank: float) -> float:
    """Return how a foot points that holds a grasp point, or none.

    shank: its angle, forward from hanging straight down.
    """
    if point is None:
        return shank + FREE_FLEXION
    slope = 0.0
    across, up = point.normal
    if surface_of(point) == WALL and across * facing > 0.0:
        return -0.5 * math.pi  # the sole pushes against a wall behind
    if surface_of(point) not in (WALL, BAR):
        slope = math.atan2(-math.copysign(1.0, facing) * across, up)
    return slope if slope - shank < MOST_FLEXION else slope + LAID_BACK


def _foot_angles(problem: ClimbProblem, path: ClimbPath, ankles: FloatArray, side: int, rate_hz: float) -> FloatArray:
    """Return a foot's angles (N,): as what it holds asks for, and between holds eased into hanging and back."""
    q, holds = path.configurations, path.grasps[:, 2 + side]
    shanks = q[:, 8 + 2 * side] - q[:, 2] - q[:, 9 + 2 * side]
    points = problem.environment.grasp_points
    angles = np.array([
        foot_angle(None if hold == FREE else points[hold], facing, shank)
        for hold, facing, shank in zip(holds.tolist(), path.facings.tolist(), shanks.tolist(), strict=True)
    ])  # fmt: skip
    count = len(path)
    frames = np.arange(count)
    held = np.flatnonzero(holds != FREE)
    if len(held) == count:
        return angles
    angles[holds == FREE] += _raised(problem, path, ankles, angles)[holds == FREE]
    if len(held) == 0:
        return angles
    wanted = angles.copy()
    after = np.searchsorted(held, frames)
    for near in (held[np.clip(after - 1, 0, None)], held[np.clip(after, None, len(held) - 1)]):
        away = np.abs(frames - near) / (EASE_S * rate_hz)
        share = np.clip(1.0 - away, 0.0, 1.0)
        share = share * share * (3.0 - 2.0 * share)
        wanted = np.where(holds == FREE, wanted + share * (angles[near] - wanted), wanted)
    return wanted


def _raised(problem: ClimbProblem, path: ClimbPath, ankles: FloatArray, angles: FloatArray) -> FloatArray:
    """Return by how much feet (N,) lift their toes, so that these are not inside something."""
    table = problem.figure.table
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in problem.environment.polygons])
    shapely.prepare(solid)
    tried = angles[:, None] + RAISED
    ahead, up = table.toes, -table.ankle
    facing = np.sign(path.facings)[:, None]
    x = ankles[:, :1] + facing * (ahead * np.cos(tried) - up * np.sin(tried))
    z = ankles[:, 1:] + ahead * np.sin(tried) + up * np.cos(tried)
    inside = shapely.contains_xy(solid, x, z)
    return RAISED[np.where(inside.all(axis=1), 0, np.argmin(inside, axis=1))]
