"""Feet: flat where they stand, toes to walls, insteps down in crawling, and loose where they are free, but in nothing.

A foot is *turned over* by rolling outward, so that its toes point back and its sole up: whoever crawls on hands and
knees has shanks along the ground, to which no ankle lets a foot be flat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.climb.body.curves import rounded
from gambol.climb.body.holding import Holding
from gambol.climb.body.kernels import pitch
from gambol.climb.body.kernels.pitch import Balls
from gambol.climb.environment_table import BAR, FLOOR, WALL
from gambol.climb.kernels.field import DistanceField, distance_at
from gambol.climb.modes import Mode
from gambol.jit import kernel
from gambol.motion.body import Body

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

ANGLES = np.radians(np.arange(-110.0, 61.0, 5.0))
LOWEST, HIGHEST = -0.95, 0.45  # how far an ankle bends down and up from square to the shank
RELAXED, HANGING = -0.15, -0.45  # of free feet from square to the shank
HURRY = 0.02  # price of changing the pitch by one of the angles, times the rate in hertz over 60
TOES_ON_WALL_RAD = 0.55  # how far toes bend against a wall
ON_WALL_RAD = -0.18  # of a foot against a wall ahead
ON_BAR_RAD = -0.15
TOO_FLAT_RAD = 0.75  # an ankle that would have to bend up more than this all the while is turned over
INSTEP_RAD = 0.5  # of a foot turned over
TURN_OVER_S = 0.08
EASE_S = 0.035
MOST_TOES_RAD = 0.8
NEAR_M = 0.05  # of the ball from the ground: toes that leave it bend


class FootPitch(NamedTuple):
    """Angles (F,): of the sole above level ahead, of the toes upward from the sole, and of being turned over."""

    pitch: FloatArray
    toes: FloatArray
    over: FloatArray  # 0: on its sole, pi: toes back and sole up


def foot_balls(body: Body) -> Balls:
    """Return what stands for a foot in the plane, from the body's own capsules."""
    skeleton = body.skeleton
    foot, toe = skeleton.index("LeftFoot"), skeleton.index("LeftToeBase")
    ankle, ball = np.zeros(3), skeleton.offsets[toe]
    rows: set[tuple[float, float, float, bool]] = set()
    for part in np.flatnonzero((body.joint == foot) | (body.joint == toe)):
        is_toe = bool(body.joint[part] == toe)
        origin = ball if is_toe else ankle
        for share in (0.0, 0.5, 1.0):
            x, _, z = origin + (1.0 - share) * body.start[part] + share * body.end[part]
            rows.add((round(float(x), 4), round(float(z), 4), round(float(body.radius[part]), 4), is_toe))
    ahead, up, radius, bends = (np.array(column) for column in zip(*sorted(rows), strict=True))
    return Balls(ahead, up, radius, bends.astype(np.bool_), float(ball[0]), float(ball[2]))


def foot_pitch(
    field: DistanceField,
    balls: Balls,
    holding: Holding,
    ankle: tuple[FloatArray, FloatArray],
    facing: FloatArray,
    shank: FloatArray,
    modes: NDArray[np.int32],
    rate_hz: float,
) -> FootPitch:
    """Return how a foot is pitched at every frame.

    ankle: x and z in the world's plane.  shank: its direction, counter-clockwise from straight ahead.
    """
    surface, along = holding.surface, holding.along
    ahead_of_it = (surface == WALL) & (along > 0.0)
    behind_it = (surface == WALL) & (along <= 0.0)
    turned = _turned_over(holding, shank)
    over = np.pi * rounded(turned.astype(float), np.where(holding.is_held, 1e4, 0.01), frames=TURN_OVER_S * rate_hz)
    hanging = (modes == Mode.SWING) & ~holding.is_held
    wanted = np.clip(shank + 0.5 * np.pi + np.where(hanging, HANGING, RELAXED), ANGLES[0], 0.5)
    tolerance = np.full(len(wanted), 0.35)
    for where, value, tight in (
        (surface == FLOOR, along, 0.01),
        (turned & (surface == FLOOR), along + INSTEP_RAD, 0.15),
        (surface == BAR, ON_BAR_RAD, 0.2),
        (ahead_of_it, ON_WALL_RAD, 0.15),
        (behind_it, along, 0.2),
    ):
        wanted = np.where(where, value, wanted)
        tolerance = np.where(where, tight, tolerance)
    bend = np.where(ahead_of_it, TOES_ON_WALL_RAD, 0.0)
    bend = rounded(bend, np.where(holding.is_held, 1e4, 1.0), frames=2.0 * EASE_S * rate_hz)
    price = np.empty((len(wanted), len(ANGLES)))
    pitch.price_feet(
        field, balls, *ankle, facing, bend, np.cos(over), shank, wanted, tolerance, LOWEST, HIGHEST, ANGLES, price
    )  # fmt: skip
    chosen = np.empty(len(wanted), dtype=np.int64)
    pitch.least_path(price, HURRY * rate_hz / 60.0, chosen)
    flat = (surface == FLOOR) & ~turned
    angles = np.where(flat, wanted, ANGLES[chosen])
    weights = np.where(flat, 1e6, np.where(holding.is_held, 10.0, 1.0))
    angles = rounded(angles, weights, frames=EASE_S * rate_hz)
    bend = np.clip(bend + _trailing(field, balls, ankle, facing, angles) * np.cos(0.5 * over), 0.0, MOST_TOES_RAD)
    return FootPitch(angles, bend, over)


def _turned_over(holding: Holding, shank: FloatArray) -> BoolArray:
    """Tell when a foot is turned over (F,): as held on a floor, and between two such holds, or near one."""
    turned = np.zeros(len(shank), dtype=bool)
    last_run = -1
    for first, last in holding.runs:
        run = slice(first, last + 1)
        if holding.surface[first] != FLOOR:
            continue
        up = holding.along[run] - shank[run] - 0.5 * np.pi
        turned[run] = up.min() > TOO_FLAT_RAD
        if turned[first] and last_run >= 0 and turned[last_run]:
            turned[last_run:first] = True
        last_run = last
    return turned


def _trailing(
    field: DistanceField, balls: Balls, ankle: tuple[FloatArray, FloatArray], facing: FloatArray, angles: FloatArray
) -> FloatArray:
    """Return how far toes stay flat (F,) while a foot is raised over its ball."""
    sine, cosine = np.sin(angles), np.cos(angles)
    x = ankle[0] + facing * (cosine * balls.hinge_ahead - sine * balls.hinge_up)
    z = ankle[1] + sine * balls.hinge_ahead + cosine * balls.hinge_up
    above = np.empty(len(x))
    _distances(field, x, z, above)
    at_rest = 0.6 * abs(balls.hinge_up)
    near = np.clip(1.0 - (above - at_rest) / NEAR_M, 0.0, 1.0)
    near = near * near * (3.0 - 2.0 * near)
    return near * np.clip(-angles, 0.0, MOST_TOES_RAD)


@kernel
def _distances(field, x, z, distance):
    """Fill the distances (F,) of points from what is solid."""
    for f in range(len(x)):
        distance[f] = distance_at(field, x[f], z[f])
