"""Hands: palms flat on floors and walls, around bars, and loose in line with the forearm where they are free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.climb.body.curves import least_way, rounded
from gambol.climb.body.holding import Holding
from gambol.climb.body.kernels import pitch
from gambol.climb.body.kernels.pitch import ArmLengths, Balls
from gambol.climb.body.limbs import across, unit
from gambol.climb.environment_table import BAR
from gambol.climb.kernels.field import DistanceField
from gambol.climb.modes import Mode
from gambol.geometry.arrays import BoolArray, FloatArray

ANGLES = np.radians(np.arange(-100.0, 141.0, 5.0))
TURNS = np.radians(np.arange(0.0, 181.0, 10.0))  # of hands on surfaces, fingers inward
TILT_RAD = 0.14  # of fingers towards the surface, so that the wrist keeps off it
WRIST_RAD = 1.25  # how far a wrist bends, either way
SOFT_FROM, SOFT_TO = 0.94, 0.985  # of an arm's length: where it gets harder to stretch, and does not go on
HARDLY_BENT = 0.993  # of an arm that holds, where that is possible
REACH_M = (0.002, 0.04)  # what costs one where an arm is too short, of hands that hold and that do not
LOOSE_FLEXION_RAD = 0.6  # and towards the palm, of a free hand
PACE_RAD_S = 3.0  # bending a wrist, or turning a hand, so fast costs one
EASE_S = 0.11
NEAR_HANDS = 1.2  # a palm nearer than so many times its middle is from the wrist keeps along the surface
SLOPE_M = 0.015  # over which the direction of a surface is taken
NEAR_S = 0.3  # before and after that, a hand gets ready
#: What a deviation from the direction of the last or next surface costs one, and from a straight wrist.
NEAR, CRAWLING, LOOSE, ON_BAR = (0.5, 1.0), (0.8, 1.0), (1e3, 0.35), (1e3, 0.3)
#: How far the back of a free hand is turned from outward (0) to where a held one faces.
TURNED = {Mode.WALK: 0.25, Mode.CLIMB: 1.4, Mode.SWING: 1.4, Mode.CRAWL: 1.3}
HELD_TURNED = 0.5 * np.pi


class HandPose(NamedTuple):
    """Directions (F, 3) in the body's space: of the hand, from the wrist to the fingers, and out of its back."""

    along: FloatArray
    back: FloatArray
    wrist: FloatArray  # where the wrist comes


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
    """Return a hand's pose at every frame, turned towards the arm's line where the arm would not reach otherwise."""
    held = task.holding.is_held
    laid, surface = _near_surfaces(field, arm, task)
    direction = _loose(field, balls, arm, task, laid, surface)
    turn = _laid(field, balls, arm, task, laid, surface)
    zero = np.zeros_like(direction)
    along = np.stack((np.cos(direction), zero, np.sin(direction)), axis=-1)
    over = np.stack((-np.sin(direction), zero, np.cos(direction)), axis=-1)
    turned = np.where(held, HELD_TURNED, np.array([TURNED[mode] for mode in Mode])[task.modes])
    back = np.cos(turned)[:, None] * np.array([0.0, task.left, 0.0]) + np.sin(turned)[:, None] * over
    tangent = np.stack((np.cos(surface), zero, np.sin(surface)), axis=-1)
    normal = np.stack((-np.sin(surface), zero, np.cos(surface)), axis=-1)
    on_surface = np.cos(turn)[:, None] * tangent - (task.left * np.sin(turn))[:, None] * np.array([0.0, 1.0, 0.0])
    on_surface = np.cos(TILT_RAD) * on_surface - np.sin(TILT_RAD) * normal
    along = _eased(np.where(laid[:, None], on_surface, along), laid, task.rate_hz)
    back = _eased(np.where(laid[:, None], normal, back), laid, task.rate_hz)
    share = rounded(held.astype(float), np.where(held, 1e4, 1.0), frames=EASE_S * task.rate_hz)[:, None]
    share = np.where(held[:, None], 1.0, np.clip(share, 0.0, 1.0))
    along = unit(along + share * (reachable(along, task.palm - task.shoulder, arm) - along))
    # A free hand rather stays nearer to the shoulder than it is wished to be.
    wrist = task.palm - arm.palm * along
    return HandPose(along, across(back, along), wrist + (1.0 - share) * (_softly(wrist, task.shoulder, arm) - wrist))


def _softly(wrist: FloatArray, shoulder: FloatArray, arm: ArmLengths) -> FloatArray:
    """Return wrists (F, 3) that approach a straight arm's reach, but do not get there."""
    way = wrist - shoulder
    distance = np.linalg.norm(way, axis=-1, keepdims=True)
    first, room = SOFT_FROM * (arm.upper + arm.lower), (SOFT_TO - SOFT_FROM) * (arm.upper + arm.lower)
    soft = np.where(distance > first, first + room * (1.0 - np.exp(np.minimum(0.0, first - distance) / room)), distance)
    return shoulder + way * (soft / np.maximum(distance, 1e-9))


def _near_surfaces(field: DistanceField, arm: ArmLengths, task: HandTask) -> tuple[BoolArray, FloatArray]:
    """Tell when a hand lies on a surface (F,), or is so near that it keeps along it, and that direction (F,)."""
    holding = task.holding
    count = len(holding.grasp)
    x, z = task.pelvis_x + task.facing * task.palm[:, 0], task.palm[:, 2]
    away, right, left, above, below = np.empty((5, count))
    pitch.distances(field, x, z, away)
    for aside, up, values in ((1.0, 0.0, right), (-1.0, 0.0, left), (0.0, 1.0, above), (0.0, -1.0, below)):
        pitch.distances(field, x + aside * SLOPE_M, z + up * SLOPE_M, values)
    near = (away < NEAR_HANDS * arm.palm) & ~holding.is_held
    laid = holding.is_held & (holding.surface != BAR)
    surface, apart = np.array(holding.along), np.full(count, 1e9)
    for first, last in holding.runs:
        if holding.surface[first] == BAR:
            continue
        for frames, end in ((np.arange(last + 1, count), last), (np.arange(first)[::-1], first)):
            leaves = np.flatnonzero(~near[frames])
            laid[frames[: leaves[0]] if len(leaves) else frames] = True
            nearer = frames[(np.abs(frames - end) < apart[frames]) & ~holding.is_held[frames]]
            apart[nearer] = np.abs(nearer - end)
            surface[nearer] = holding.along[end]
    # Around a corner it follows what is nearest there.
    side = np.where(task.facing >= 0.0, 1.0, -1.0)
    follows = laid & ~holding.is_held & (np.hypot(right - left, above - below) > SLOPE_M)
    surface[follows] = np.arctan2(-side * (right - left), above - below)[follows]
    return laid, surface


def _eased(directions: FloatArray, held: BoolArray, rate_hz: float) -> FloatArray:
    weights = np.where(held, 30.0, 1.0)
    return unit(np.stack([rounded(directions[:, k], weights, frames=EASE_S * rate_hz) for k in range(3)], axis=-1))


def _loose(
    field: DistanceField, balls: Balls, arm: ArmLengths, task: HandTask, laid: BoolArray, surface: FloatArray
) -> FloatArray:
    """Return the direction in the plane (F,) of a hand that is free or around a bar."""
    holding, count = task.holding, len(task.forearm)
    tolerance, wanting = np.full(count, LOOSE[0]), np.full(count, LOOSE[1])
    near = scipy.ndimage.maximum_filter1d(laid.astype(np.int8), 2 * round(NEAR_S * task.rate_hz) + 1).astype(bool)
    for where, (off, bent) in (
        (task.modes == Mode.CRAWL, CRAWLING), (near, NEAR), (holding.surface == BAR, ON_BAR)
    ):  # fmt: skip
        tolerance[where], wanting[where] = off, bent
    price = np.empty((count, len(ANGLES)))
    flexion = np.where(holding.is_held, -WRIST_RAD, -LOOSE_FLEXION_RAD)
    pitch.price_loose_hands(
        field, balls, arm, task.pelvis_x, task.facing, task.shoulder[:, [0, 2]], task.palm[:, [0, 2]], task.forearm,
        surface, tolerance, np.zeros(count), wanting, flexion, WRIST_RAD, np.where(holding.is_held, *REACH_M),
        ANGLES, price,
    )  # fmt: skip
    off = wrapped(task.forearm[laid][:, None] + ANGLES - surface[laid][:, None] + TILT_RAD)
    price[laid] = (off / 0.3) ** 2
    chosen = least_way(price, ANGLES[:, None], pace=PACE_RAD_S / task.rate_hz)
    return task.forearm + ANGLES[chosen]


def _laid(
    field: DistanceField, balls: Balls, arm: ArmLengths, task: HandTask, laid: BoolArray, surface: FloatArray
) -> FloatArray:
    """Return how far a hand on a surface is turned on it (F,): it turns rather than bends its wrist too far."""
    frames = np.flatnonzero(laid)
    held = task.holding.is_held[frames]
    price = np.zeros((len(laid), len(TURNS)))
    own = np.empty((len(frames), len(TURNS)))
    pitch.price_laid_hands(
        field, balls, arm, task.pelvis_x[frames], task.facing[frames], task.shoulder[frames], task.palm[frames],
        surface[frames], TILT_RAD, task.left, WRIST_RAD, np.where(held, *REACH_M), np.where(held, 1.0, 0.5), TURNS,
        own,
    )  # fmt: skip
    price[frames] = own
    chosen = least_way(price, TURNS[:, None], pace=PACE_RAD_S / task.rate_hz)
    return rounded(TURNS[chosen], np.where(laid, 1.0, 0.05), frames=EASE_S * task.rate_hz)


def reachable(
    along: FloatArray, to_palm: FloatArray, arm: ArmLengths, *, straightest: float = HARDLY_BENT
) -> FloatArray:
    """Turn hands (F, 3) towards the line from shoulder to palm where the arm would not reach the wrist otherwise.

    straightest: of the arm's length, which it keeps to if that is possible.
    """
    distance = np.linalg.norm(to_palm, axis=-1)
    line = unit(to_palm)
    # Not quite straight, if that is possible: a straight arm's elbow pops.
    longest = (1.0 - 1e-5) * (arm.upper + arm.lower)
    most = np.clip(distance - (1.0 - 1e-4) * arm.palm, straightest * longest, longest)
    least = np.clip((distance**2 + arm.palm**2 - most**2) / (2.0 * arm.palm * np.maximum(distance, 1e-9)), -1.0, 1.0)
    cosine = np.sum(along * line, axis=-1)
    limited = least[:, None] * line + np.sqrt(1.0 - least**2)[:, None] * across(along, line)
    return np.where((cosine < least)[:, None], limited, along)


def wrapped(angles: FloatArray) -> FloatArray:
    """Return angles as ones between half a turn to either side."""
    return angles - 2.0 * np.pi * np.floor((angles + np.pi) / (2.0 * np.pi))
