"""Feet: flat where they stand, toes to walls, insteps down in crawling, and loose where they are free, but in nothing.

A foot is *turned over* by rolling outward, so that its toes point back and its sole up: whoever crawls on hands and
knees has shanks along the ground, to which no ankle lets a foot be flat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.climb.body.curves import least_way, rounded
from gambol.climb.body.holding import Holding
from gambol.climb.body.kernels import pitch
from gambol.climb.body.kernels.pitch import Balls, LegLengths
from gambol.climb.environment_table import BAR, FLOOR, WALL
from gambol.climb.kernels.field import DistanceField
from gambol.climb.modes import Mode
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import runs

BALL_AHEAD_M = 0.13  # of an adult's ankle: feet are as large as theirs is farther ahead
ANGLES = np.radians(np.arange(-110.0, 61.0, 5.0))
LOWEST, HIGHEST = -0.95, 0.45  # how far an ankle bends down and up from square to the shank
RELAXED, HANGING = -0.15, -0.45  # of free feet from square to the shank
LANDS_S, TOES_UP_RAD = 0.3, 0.22  # before it lands, walking
PACE_RAD_S = 3.2  # pitching so fast costs one
#: Where a free foot may go instead: ahead and up, in metres for an adult.
ASIDE_M = (
    (0.0, 0.0), (-0.07, 0.0), (-0.14, 0.0), (0.07, 0.0), (0.0, 0.06), (-0.07, 0.06), (-0.14, 0.06), (0.07, 0.06),
    (-0.07, 0.12), (0.0, 0.12), (0.07, 0.12), (-0.14, 0.12), (-0.2, 0.06),
)  # fmt: skip
ASIDE_FOR_ONE_M, ASIDE_PACE_M_S = 0.06, 0.5  # being, and going, so far aside costs one
STRETCHED, STRETCH_FOR_ONE_M = 0.97, 0.01  # a leg that goes aside is not to be straighter
MARGINS_M = (0.012, 0.03)  # kept on the way, more if easing still cuts a corner,
NEAR_ENDS_S = 0.15  # but less near its ends
AROUND_S = 0.5
TIGHT_M = 0.005  # a foot that would enter something deeper looks for another way
TOES_ON_WALL_RAD = 0.55  # how far toes bend against a wall
ON_WALL_RAD = -0.18  # of a foot against a wall ahead
ON_BAR_RAD = -0.15
#: A foot whose ankle would have to bend up farther is turned over, until it would have to less far.
TOO_FLAT_RAD, FLAT_AGAIN_RAD = 0.95, 0.7
INSTEP_RAD = 0.42  # of a foot turned over
TURN_OVER_S = 0.08
EASE_S = 0.036
MOST_TOES_RAD = 0.8
NEAR_M = 0.05  # of the ball from the ground: toes that leave it, or come to it, bend
LEAVES_S = 0.3


class FootPose(NamedTuple):
    """Angles (F,): of the sole above level ahead, of the toes upward from the sole, and of being turned over."""

    pitch: FloatArray
    toes: FloatArray
    over: FloatArray  # 0: on its sole, pi: toes back and sole up
    is_flat: BoolArray  # on a floor, on its sole
    aside: FloatArray  # (F, 2) metres ahead and up, by which a free foot goes out of something's way


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


def leg_lengths(body: Body) -> LegLengths:
    skeleton = body.skeleton
    upper, lower = (float(skeleton.bone_lengths[skeleton.index(name)]) for name in ("LeftLeg", "LeftFoot"))
    return LegLengths(upper, lower, float(body.radius[body.joint == skeleton.index("LeftLeg")].max()))


def foot_poses(
    field: DistanceField,
    balls: Balls,
    holding: Holding,
    ankle: tuple[FloatArray, FloatArray],
    facing: FloatArray,
    shank: FloatArray,
    from_hip: FloatArray,
    leg: LegLengths,
    modes: NDArray[np.int32],
    rate_hz: float,
) -> FootPose:
    """Return how a foot is pitched at every frame.

    ankle: x and z in the world's plane.  shank: its direction, counter-clockwise from straight ahead.
    from_hip: (F, 2) to the ankle, ahead and up.
    """
    surface, along = holding.surface, holding.along
    ahead_of_it = (surface == WALL) & (along > 0.0)
    behind_it = (surface == WALL) & (along <= 0.0)
    turned = _turned_over(holding, shank, modes != Mode.WALK)
    over = np.pi * rounded(turned.astype(float), np.where(holding.is_held, 1.0, 0.05), frames=TURN_OVER_S * rate_hz)
    hanging = (modes == Mode.SWING) & ~holding.is_held
    wanted = np.clip(shank + 0.5 * np.pi + np.where(hanging, HANGING, RELAXED), ANGLES[0], 0.5)
    wanted += _heel_first(holding, modes, rate_hz)
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

    def price(
        frames: NDArray[np.intp], ahead_m: float, up_m: float, margin: FloatArray, angles: FloatArray
    ) -> FloatArray:
        at = facing[frames]
        prices = np.empty((len(frames), len(angles)))
        pitch.price_feet(
            field, balls, margin, ankle[0][frames] + at * ahead_m, ankle[1][frames] + up_m, at, bend[frames],
            np.cos(over[frames]), shank[frames], wanted[frames], tolerance[frames], LOWEST, HIGHEST, angles, prices,
        )  # fmt: skip
        return prices

    def price_of_leg(frames: NDArray[np.intp], ahead_m: float, up_m: float) -> FloatArray:
        prices = np.empty(len(frames))
        x, z = (values[frames] for values in ankle)
        pitch.price_legs(field, leg, x, z, facing[frames], from_hip[frames], ahead_m, up_m, prices)
        return prices

    flat = (surface == FLOOR) & ~turned
    weights = np.where(flat, 1e6, np.where(holding.is_held, 10.0, 1.0))
    prices = price(np.arange(len(wanted)), 0.0, 0.0, np.zeros(len(wanted)), ANGLES)
    angles = np.where(flat, wanted, ANGLES[least_way(prices, ANGLES[:, None], pace=PACE_RAD_S / rate_hz)])
    aside = np.zeros((len(wanted), 2))
    held = np.where(holding.is_held, 1e7, 1.0)

    def eased(angles: FloatArray, aside: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return both eased, and how deep the foot is then (F,)."""
        angles = rounded(angles, weights, frames=EASE_S * rate_hz)
        aside = np.stack([rounded(aside[:, k], held, frames=EASE_S * rate_hz) for k in range(2)], axis=-1)
        there = (ankle[0] + facing * aside[:, 0], ankle[1] + aside[:, 1])
        deep = np.empty(len(angles))
        pitch.depth_of_feet(field, balls, *there, facing, bend, np.cos(over), angles, deep)
        return angles, aside, deep

    best_angles, best_aside = angles.copy(), aside.copy()
    deep = eased(angles, aside)[2]
    least_deep = deep.copy()
    for margin_m in MARGINS_M:
        parts = _swings(~holding.is_held, deep > TIGHT_M, round(AROUND_S * rate_hz))
        if not parts:
            break
        for frames in parts:
            swing = _Swing(frames, holding.is_held[frames], angles[frames], aside[frames], from_hip[frames], leg)
            angles[frames], aside[frames] = _out_of_the_way(price, price_of_leg, balls, swing, margin_m, rate_hz)
        deep = eased(angles, aside)[2]
        for first, last in runs(~holding.is_held):
            run = slice(first, last + 1)
            if deep[run].max() < least_deep[run].max():
                best_angles[run], best_aside[run], least_deep[run] = angles[run], aside[run], deep[run]
    angles, aside, _ = eased(best_angles, best_aside)
    there = (ankle[0] + facing * aside[:, 0], ankle[1] + aside[:, 1])
    leaves = scipy.ndimage.maximum_filter1d(flat.astype(float), 2 * round(LEAVES_S * rate_hz) + 1)
    trailing = leaves * _trailing(field, balls, there, facing, angles) * np.cos(0.5 * over)
    trailing = rounded(trailing, np.where(flat, 100.0, 1.0), frames=EASE_S * rate_hz)
    return FootPose(angles, np.clip(bend + trailing, 0.0, MOST_TOES_RAD), over, flat, aside)


class _Swing(NamedTuple):
    """Part of a swing that has no room, with a frame before and after it, where the foot stays as it is."""

    frames: NDArray[np.intp]  # (N,)
    held: BoolArray  # (N,)
    angles: FloatArray  # (N,)
    aside: FloatArray  # (N, 2)
    from_hip: FloatArray  # (N, 2) to the ankle
    leg: LegLengths


def _swings(free: BoolArray, tight: BoolArray, around: int) -> list[NDArray[np.intp]]:
    """Return frames around those that are tight, as far as the foot is free, with one before and one after."""
    parts = scipy.ndimage.maximum_filter1d((tight & free).astype(np.int8), 2 * around + 1).astype(bool) & free
    last = len(free) - 1
    return [
        np.arange(max(0, first - 1), min(last, end + 1) + 1)
        for first, end in runs(parts)
        if np.any(tight[first : end + 1])
    ]


def _out_of_the_way(
    price: Callable[[NDArray[np.intp], float, float, FloatArray, FloatArray], FloatArray],
    price_of_leg: Callable[[NDArray[np.intp], float, float], FloatArray],
    balls: Balls,
    swing: _Swing,
    margin_m: float,
    rate_hz: float,
) -> tuple[FloatArray, FloatArray]:
    """Return pitches (N,) and ways aside (N, 2) for a swing that has no room where the planar ankle goes."""
    size = balls.hinge_ahead / BALL_AHEAD_M
    places, coarse, count = size * np.array(ASIDE_M), ANGLES[::2].copy(), len(swing.frames)
    from_ends = np.minimum(np.arange(count), np.arange(count)[::-1]) / (NEAR_ENDS_S * rate_hz)
    margin = margin_m * size * np.clip(from_ends, 0.0, 1.0)
    prices = np.concatenate([price(swing.frames, ahead, up, margin, coarse) for ahead, up in places.tolist()], axis=1)
    pitches, aside = np.tile(coarse, len(places)), np.repeat(places, len(coarse), axis=0)
    prices += np.sum(aside**2, axis=1) / (ASIDE_FOR_ONE_M * size) ** 2
    stretched = np.linalg.norm(swing.from_hip[:, None] + aside, axis=-1) - STRETCHED * (
        swing.leg.upper + swing.leg.lower
    )
    prices += np.where(np.any(aside != 0.0, axis=1), (np.maximum(stretched, 0.0) / STRETCH_FOR_ONE_M) ** 2, 0.0)
    legs = [price_of_leg(swing.frames, ahead, up) for ahead, up in places.tolist()]
    prices += np.repeat(np.array(legs).T, len(coarse), axis=1)
    for end in (0, -1):
        off = np.sum((aside - swing.aside[end]) ** 2, axis=1) / size**2
        prices[end] = 1e3 * ((pitches - swing.angles[end]) ** 2 + off)
    paces = np.array([PACE_RAD_S, ASIDE_PACE_M_S * size, ASIDE_PACE_M_S * size]) / rate_hz
    chosen = least_way(prices, np.column_stack((pitches, aside)) / paces, pace=1.0)
    wanted, away = pitches[chosen], aside[chosen]
    wanted[[0, -1]], away[[0, -1]] = swing.angles[[0, -1]], swing.aside[[0, -1]]
    return np.where(swing.held, swing.angles, wanted), np.where(swing.held[:, None], 0.0, away)


def _turned_over(holding: Holding, shank: FloatArray, allowed: BoolArray) -> BoolArray:
    """Tell when a foot is turned over (F,): as held on a floor, and from one such hold to the next.

    allowed: (F,) when it may begin to be.
    """
    turned = np.zeros(len(shank), dtype=bool)
    up = holding.along - shank - 0.5 * np.pi  # how far an ankle would have to bend to stand flat
    last_run = -1
    for first, last in holding.runs:
        if holding.surface[first] != FLOOR:
            continue
        over = bool(allowed[first] and up[first] > 0.5 * (TOO_FLAT_RAD + FLAT_AGAIN_RAD))
        for frame in range(first, last + 1):
            over = bool(up[frame] > FLAT_AGAIN_RAD if over else allowed[frame] and up[frame] > TOO_FLAT_RAD)
            turned[frame] = over
        if turned[first] and last_run >= 0 and turned[last_run]:
            turned[last_run:first] = True
        last_run = last
    return turned


def _heel_first(holding: Holding, modes: NDArray[np.int32], rate_hz: float) -> FloatArray:
    """Return how far a free foot's toes are raised beside its rest (F,), as it comes down in walking."""
    raised, before = np.zeros(len(modes)), round(LANDS_S * rate_hz)
    for first, _ in holding.runs:
        if holding.surface[first] == FLOOR and modes[first] == Mode.WALK:
            frames = np.arange(max(0, first - before), first)
            frames = frames[~holding.is_held[frames]]
            raised[frames] = TOES_UP_RAD * np.sin(np.pi * (first - frames) / before) ** 2
    return raised


def _trailing(
    field: DistanceField, balls: Balls, ankle: tuple[FloatArray, FloatArray], facing: FloatArray, angles: FloatArray
) -> FloatArray:
    """Return how far toes stay flat (F,) while a foot is raised over its ball."""
    sine, cosine = np.sin(angles), np.cos(angles)
    x = ankle[0] + facing * (cosine * balls.hinge_ahead - sine * balls.hinge_up)
    z = ankle[1] + sine * balls.hinge_ahead + cosine * balls.hinge_up
    above = np.empty(len(x))
    pitch.distances(field, x, z, above)
    at_rest = 0.6 * abs(balls.hinge_up)
    near = np.clip(1.0 - (above - at_rest) / NEAR_M, 0.0, 1.0)
    near = near * near * (3.0 - 2.0 * near)
    return near * np.clip(-angles, 0.0, MOST_TOES_RAD)
