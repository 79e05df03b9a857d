"""Hands: palms flat on floors and walls, around bars, and loose in line with the forearm where they are free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.climb.body.curves import least_way, rounded
from gambol.climb.body.holding import Holding
from gambol.climb.body.kernels import pitch
from gambol.climb.body.kernels.pitch import ArmLengths, Balls
from gambol.climb.body.limbs import across, unit
from gambol.climb.environment_table import BAR
from gambol.climb.kernels.field import DistanceField
from gambol.climb.modes import Mode
from gambol.motion.body import Body

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

ANGLES = np.radians(np.arange(-100.0, 141.0, 5.0))
TURNS = np.radians(np.arange(0.0, 181.0, 10.0))  # of hands on surfaces, fingers inward
TILT_RAD = 0.2  # of fingers towards the surface, so that the wrist keeps off it
WRIST_RAD = 1.25  # how far a wrist bends, either way
LOOSE_FLEXION_RAD = 0.6  # and towards the palm, of a free hand
PACE_RAD_S = 10.0  # bending a wrist, or turning a hand, so fast costs one
EASE_S = 0.06
NEAR_S = 0.25  # before and after a hold, a hand gets ready to lie on the surface
#: What a deviation from the direction of the last or next surface costs one, and from a straight wrist.
NEAR, CRAWLING, LOOSE, ON_BAR = (0.5, 1.0), (0.8, 1.0), (1e3, 0.35), (1e3, 0.3)
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


@dataclass(frozen=True, eq=False)
class HandTask:
    """What one hand does, in the body's space: x ahead of the pelvis, y to the left, z the world's height."""

    holding: Holding
    left: float  # 1 or -1
    pelvis_x: FloatArray  # (F,) in the world
    facing: FloatArray  # (F,)
    shoulder: FloatArray  # (F, 3) the joint
    palm: FloatArray  # (F, 3) the palm's middle
    forearm: FloatArray  # (F,) direction of the planar one, counter-clockwise from straight ahead
    modes: NDArray[np.int32]  # (F,)
    rate_hz: float


def hand_poses(field: DistanceField, balls: Balls, arm: ArmLengths, task: HandTask) -> HandPose:
    """Return a hand's pose at every frame; it is turned towards the arm's line where the arm would not reach otherwise."""
    holding = task.holding
    laid = holding.is_held & (holding.surface != BAR)
    direction = _loose(field, balls, arm, task, laid)
    turn = _laid(field, balls, arm, task, laid)
    zero = np.zeros_like(direction)
    along = np.stack((np.cos(direction), zero, np.sin(direction)), axis=-1)
    over = np.stack((-np.sin(direction), zero, np.cos(direction)), axis=-1)
    turned = np.where(holding.is_held, HELD_TURNED, np.array([TURNED[mode] for mode in Mode])[task.modes])
    back = np.cos(turned)[:, None] * np.array([0.0, task.left, 0.0]) + np.sin(turned)[:, None] * over
    tangent = np.stack((np.cos(holding.along), zero, np.sin(holding.along)), axis=-1)
    normal = np.stack((-np.sin(holding.along), zero, np.cos(holding.along)), axis=-1)
    on_surface = np.cos(turn)[:, None] * tangent - (task.left * np.sin(turn))[:, None] * np.array([0.0, 1.0, 0.0])
    on_surface = np.cos(TILT_RAD) * on_surface - np.sin(TILT_RAD) * normal
    along = _eased(np.where(laid[:, None], on_surface, along), laid, task.rate_hz)
    back = _eased(np.where(laid[:, None], normal, back), laid, task.rate_hz)
    along = _reachable(along, task.palm - task.shoulder, arm)
    return HandPose(along, across(back, along))


def _eased(directions: FloatArray, held: BoolArray, rate_hz: float) -> FloatArray:
    weights = np.where(held, 30.0, 1.0)
    return unit(np.stack([rounded(directions[:, k], weights, frames=EASE_S * rate_hz) for k in range(3)], axis=-1))


def _loose(field: DistanceField, balls: Balls, arm: ArmLengths, task: HandTask, laid: BoolArray) -> FloatArray:
    """Return the direction in the plane (F,) of a hand that is free or around a bar."""
    holding, rate_hz = task.holding, task.rate_hz
    count = len(task.forearm)
    tolerance, wanting = np.full(count, LOOSE[0]), np.full(count, LOOSE[1])
    crawls = task.modes == Mode.CRAWL
    tolerance[crawls], wanting[crawls] = CRAWLING
    surface_along = np.array(holding.along)
    apart = np.full(count, 1e9)
    for first, last in holding.runs:
        if not laid[first]:
            continue
        for frames, far in ((np.arange(last + 1, count), last), (np.arange(first), first)):
            nearer = frames[np.abs(frames - far) < apart[frames]]
            apart[nearer] = np.abs(nearer - far)
            surface_along[nearer] = holding.along[far]
    near = apart < NEAR_S * rate_hz
    tolerance[near], wanting[near] = NEAR
    on_bar = holding.surface == BAR
    tolerance[on_bar], wanting[on_bar] = ON_BAR
    price = np.empty((count, len(ANGLES)))
    flexion = np.where(holding.is_held, -WRIST_RAD, -LOOSE_FLEXION_RAD)
    pitch.price_loose_hands(
        field, balls, arm, task.pelvis_x, task.facing, task.shoulder[:, [0, 2]], task.palm[:, [0, 2]], task.forearm,
        surface_along, tolerance, np.zeros(count), wanting, flexion, WRIST_RAD, ANGLES, price,
    )  # fmt: skip
    price[laid] = ((wrapped(task.forearm[laid][:, None] + ANGLES - holding.along[laid][:, None] + TILT_RAD)) / 0.3) ** 2
    chosen = least_way(price, ANGLES[:, None], pace=PACE_RAD_S / rate_hz)
    return task.forearm + ANGLES[chosen]


def _laid(field: DistanceField, balls: Balls, arm: ArmLengths, task: HandTask, laid: BoolArray) -> FloatArray:
    """Return how far a hand on a surface is turned on it (F,): it turns rather than bends its wrist too far."""
    frames = np.flatnonzero(laid)
    price = np.zeros((len(laid), len(TURNS)))
    own = np.empty((len(frames), len(TURNS)))
    pitch.price_laid_hands(
        field, balls, arm, task.pelvis_x[frames], task.facing[frames], task.shoulder[frames], task.palm[frames],
        task.holding.along[frames], TILT_RAD, task.left, WRIST_RAD, TURNS, own,
    )  # fmt: skip
    price[frames] = own
    chosen = least_way(price, TURNS[:, None], pace=PACE_RAD_S / task.rate_hz)
    return rounded(TURNS[chosen], np.where(laid, 1.0, 0.05), frames=EASE_S * task.rate_hz)


def _reachable(along: FloatArray, to_palm: FloatArray, arm: ArmLengths) -> FloatArray:
    """Turn hands (F, 3) towards the line from shoulder to palm where the arm would not reach the wrist otherwise."""
    distance = np.linalg.norm(to_palm, axis=-1)
    line = unit(to_palm)
    most = (1.0 - 1e-5) * (arm.upper + arm.lower)
    least = np.clip((distance**2 + arm.palm**2 - most**2) / (2.0 * arm.palm * np.maximum(distance, 1e-9)), -1.0, 1.0)
    cosine = np.sum(along * line, axis=-1)
    limited = least[:, None] * line + np.sqrt(1.0 - least**2)[:, None] * across(along, line)
    return np.where((cosine < least)[:, None], limited, along)


def wrapped(angles: FloatArray) -> FloatArray:
    """Return angles as ones between half a turn to either side."""
    return angles - 2.0 * np.pi * np.floor((angles + np.pi) / (2.0 * np.pi))
