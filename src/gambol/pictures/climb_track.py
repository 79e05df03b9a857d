"""A climber's path ready to be drawn: the figure's points, its centre of mass, the angles of its feet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy
import shapely
from numpy.typing import NDArray

from gambol.climb.climb import ClimbMotion, ClimbPath
from gambol.climb.environment_table import BAR, WALL, surface_of
from gambol.climb.figure import FREE, POINTS
from gambol.climb.kernels.kinematics import centre_of_mass, place
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.geometry.arrays import FloatArray
from gambol.world.environment import GraspPoint

PATH_RATE_HZ = 30.0  # frames a second of a path without time
FREE_FLEXION = -0.25  # radians: angle of a hanging foot from the shank; negative: toes down
#: Radians: turns of a free foot, in the order in which they are tried until its toes are in no solid.
TURNS = np.array([0.0, *(sign * 0.1 * step for step in range(1, 17) for sign in (1.0, -1.0))])
MOST_FLEXION = 1.35  # radians: a foot bent more than this against its shank is stretched out behind
CRAWLING_FLEXION = 0.9  # radians: the same while crawling
LAID_BACK = 0.22 - math.pi  # radians: turn of a foot that is stretched out behind
SHORTEST = 0.25  # 0 to 1: least size of a foot while it rolls over
EASE_S = 0.16  # seconds: a foot turns in this time after it is released, and before it is put down


@dataclass(frozen=True, eq=False)
class Track:
    """A path, with everything that pictures need."""

    problem: ClimbProblem
    path: ClimbPath
    rate_hz: float
    points: FloatArray  # (N, 12, 2)
    centres: FloatArray  # (N, 2) of mass
    feet: FloatArray  # (N, 2) radians, left and right foot: 0 is level and forward, positive is toes up
    foot_sizes: FloatArray  # (N, 2) 0 to 1: length as seen, less than 1 while a foot rolls over

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
        feet = [_foot(problem, path, points[:, 9 + 2 * side], side, rate) for side in (0, 1)]
        angles, sizes = (np.column_stack(columns) for columns in zip(*feet, strict=True))
        return cls(problem, path, rate, points, centres, angles, sizes)

    def __len__(self) -> int:
        return len(self.path)

    @property
    def moved_m(self) -> FloatArray:
        """Mean way of the figure's points up to each configuration (N,)."""
        steps = np.linalg.norm(np.diff(self.points, axis=0), axis=2).mean(axis=1)
        return np.concatenate(([0.0], np.cumsum(steps)))

    @property
    def gone_m(self) -> FloatArray:
        """Way of the centre of mass up to each configuration (N,)."""
        steps = np.linalg.norm(np.diff(self.centres, axis=0), axis=1)
        return np.concatenate(([0.0], np.cumsum(steps)))


def foot_angle(point: GraspPoint, facing: float) -> float:
    """Return the angle of a foot with its sole or toes on a grasp point."""
    across, up = point.normal
    if surface_of(point) == WALL and across * facing > 0.0:
        return -0.5 * math.pi  # the sole pushes against a wall behind
    if surface_of(point) in (WALL, BAR):
        return 0.0
    return math.atan2(-math.copysign(1.0, facing) * across, up)


class _Feet(NamedTuple):
    """Angles and sizes of one foot, as in `Track`."""

    angles: FloatArray  # (N,)
    sizes: FloatArray  # (N,)


def _foot(problem: ClimbProblem, path: ClimbPath, ankles: FloatArray, side: int, rate_hz: float) -> _Feet:
    """Return a foot placed on its holds; between holds it turns smoothly into hanging and back."""
    q, holds = path.configurations, path.grasps[:, 2 + side].tolist()
    shanks = q[:, 8 + 2 * side] - q[:, 2] - q[:, 9 + 2 * side]
    is_held = np.array([hold != FREE for hold in holds])
    points, facings = problem.environment.grasp_points, path.facings.tolist()
    angles = shanks + FREE_FLEXION
    angles[is_held] = [
        foot_angle(points[hold], facing) for hold, facing in zip(holds, facings, strict=True) if hold != FREE
    ]
    # A kneeling figure has its foot stretched out behind: the foot rolls over its side, so it looks shorter.
    most = np.where(path.modes == Mode.CRAWL, CRAWLING_FLEXION, MOST_FLEXION)
    kneels = is_held & (angles - shanks > most)
    angles[kneels] += LAID_BACK
    sizes = np.ones(len(path))
    if kneels.any():
        rolled = np.abs(
            np.cos(np.pi * scipy.ndimage.gaussian_filter1d(kneels.astype(np.float64), EASE_S * rate_hz / 3.0))
        )
        sizes = np.where(is_held, np.maximum(rolled, SHORTEST), 1.0)
    held = np.flatnonzero(is_held)
    if 0 < len(held) < len(path):
        angles = _eased(angles, held, EASE_S * rate_hz)
    if not is_held.all():
        angles[~is_held] += _cleared(problem, path, ankles, angles)[~is_held]
    return _Feet(angles, sizes)


def _eased(angles: FloatArray, held: NDArray[np.intp], frames_of_ease: float) -> FloatArray:
    """Return angles that change smoothly to those at held frames, and away from them."""
    frames = np.arange(len(angles))
    after = np.searchsorted(held, frames)
    eased = angles.copy()
    for near in (held[np.clip(after - 1, 0, None)], held[np.clip(after, None, len(held) - 1)]):
        share = np.clip(1.0 - np.abs(frames - near) / frames_of_ease, 0.0, 1.0)
        share = np.where(frames == near, 0.0, share * share * (3.0 - 2.0 * share))
        eased = eased + share * (angles[near] - eased)
    return eased


def _cleared(problem: ClimbProblem, path: ClimbPath, ankles: FloatArray, angles: FloatArray) -> FloatArray:
    """Return the least turns (N,) of feet that keep their toes out of solids."""
    table = problem.figure.table
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in problem.environment.polygons])
    shapely.prepare(solid)
    tried = angles[:, None] + TURNS
    ahead, up = table.toes, -table.ankle
    facing = np.sign(path.facings)[:, None]
    x = ankles[:, :1] + facing * (ahead * np.cos(tried) - up * np.sin(tried))
    z = ankles[:, 1:] + ahead * np.sin(tried) + up * np.cos(tried)
    inside = shapely.contains_xy(solid, x, z)
    return TURNS[np.where(inside.all(axis=1), 0, np.argmin(inside, axis=1))]
