"""Hands: palms flat on floors and walls, around bars, and loose in line with the forearm where they are free."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.climb.body.curves import rounded
from gambol.climb.body.holding import Holding
from gambol.climb.body.kernels import pitch
from gambol.climb.body.kernels.pitch import ArmLengths, Balls
from gambol.climb.body.limbs import across, unit
from gambol.climb.environment_table import BAR, CEILING, FLOOR, WALL
from gambol.climb.kernels.field import DistanceField
from gambol.climb.modes import Mode
from gambol.motion.body import Body

FloatArray = NDArray[np.float64]

ANGLES = np.radians(np.arange(-100.0, 111.0, 5.0))
WRIST_RAD = 1.25  # how far a wrist bends, either way
HURRY = 0.02
EASE_S = 0.04
#: What a deviation from the surface's direction costs one, and from a straight wrist.
TOLERANCES = {FLOOR: (0.3, 1.5), WALL: (0.5, 1.0), CEILING: (0.9, 0.7), BAR: (1e3, 0.3)}
LOOSE = (1e3, 0.3)
#: How far the back of a free hand is turned from outward (0) to where a held one faces.
TURNED = {Mode.WALK: 0.25, Mode.CLIMB: 1.4, Mode.SWING: 1.4, Mode.CRAWL: 1.3}
HELD_TURNED = 0.5 * np.pi


class HandPose(NamedTuple):
    """Directions (F, 3) in the body's space: of the hand, from the wrist to the fingers, and out of its back."""

    along: FloatArray
    back: FloatArray


def arm_lengths(body: Body) -> ArmLengths:
    skeleton = body.skeleton
    upper, lower = (float(skeleton.bone_lengths[skeleton.index(name)]) for name in ("LeftForeArm", "LeftHand"))
    palm = 0.09 / 0.25 * lower
    radius = float(body.radius[body.joint == skeleton.index("LeftForeArm")].min())
    return ArmLengths(upper, lower, palm, radius)


def hand_balls(body: Body) -> Balls:
    """Return what stands for a hand in the plane, from the body's own capsules, without the thumb."""
    own = np.flatnonzero(body.joint == body.skeleton.index("LeftHand"))
    rows: set[tuple[float, float]] = set()
    for part in own:
        for share in (0.0, 0.5, 1.0):
            point = (1.0 - share) * body.start[part] + share * body.end[part]
            rows.add((round(float(point[1]), 3), round(float(body.radius[part]), 4)))
    ahead, radius = (np.array(column) for column in zip(*sorted(rows), strict=True))
    return Balls(ahead, np.zeros(len(ahead)), radius, np.zeros(len(ahead), dtype=np.bool_), 0.0, 0.0)


def hand_direction(
    field: DistanceField,
    balls: Balls,
    arm: ArmLengths,
    holding: Holding,
    pelvis_x: FloatArray,
    facing: FloatArray,
    shoulder: FloatArray,
    palm: FloatArray,
    forearm: FloatArray,
    rate_hz: float,
) -> FloatArray:
    """Return a hand's direction in the plane (F,), counter-clockwise from straight ahead."""
    tolerance, wanting = np.full(len(forearm), LOOSE[0]), np.full(len(forearm), LOOSE[1])
    for surface, (off, bent) in TOLERANCES.items():
        held = holding.surface == surface
        tolerance[held], wanting[held] = off, bent
    price = np.empty((len(forearm), len(ANGLES)))
    straight = np.zeros(len(forearm))
    pitch.price_hands(
        field, balls, arm, pelvis_x, facing, shoulder, palm, forearm, holding.along, tolerance, straight, wanting,
        WRIST_RAD, ANGLES, price,
    )  # fmt: skip
    chosen = np.empty(len(forearm), dtype=np.int64)
    pitch.least_path(price, HURRY * rate_hz / 60.0, chosen)
    weights = np.where(holding.is_held, 4.0, 1.0)
    return forearm + rounded(ANGLES[chosen], weights, frames=EASE_S * rate_hz)


def turned(holding: Holding, modes: NDArray[np.int32], rate_hz: float) -> FloatArray:
    """Return how far the back of a hand is turned from outward (F,)."""
    free = np.array([TURNED[mode] for mode in Mode])[modes]
    wanted = np.where(holding.is_held, HELD_TURNED, free)
    return rounded(wanted, np.where(holding.is_held, 20.0, 1.0), frames=0.10 * rate_hz)


def hand_pose(direction: FloatArray, turn: FloatArray, side: float, to_palm: FloatArray, arm: ArmLengths) -> HandPose:
    """Return a hand's pose; it is turned towards the arm's line as far as the arm would not reach otherwise.

    to_palm: (F, 3) from the shoulder joint to the palm's middle.
    """
    zero = np.zeros_like(direction)
    along = np.stack((np.cos(direction), zero, np.sin(direction)), axis=-1)
    over = np.stack((-np.sin(direction), zero, np.cos(direction)), axis=-1)
    back = np.cos(turn)[:, None] * np.array([0.0, side, 0.0]) + np.sin(turn)[:, None] * over
    distance = np.linalg.norm(to_palm, axis=-1)
    line = unit(to_palm)
    most = (1.0 - 1e-5) * (arm.upper + arm.lower)
    least = np.clip((distance**2 + arm.palm**2 - most**2) / (2.0 * arm.palm * np.maximum(distance, 1e-9)), -1.0, 1.0)
    cosine = np.sum(along * line, axis=-1)
    aside = across(along + 1e-9 * over, line)
    limited = least[:, None] * line + np.sqrt(1.0 - least**2)[:, None] * aside
    along = np.where((cosine < least)[:, None], limited, along)
    return HandPose(along, across(back, along))
