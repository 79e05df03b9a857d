"""Where the centre of mass goes over the ground: the feet push it, along lines that begin under their soles.

While feet stand, the ground's force goes through the centre of mass, so how fast that speeds up says where under the soles
the force begins: at a point that wanders from the heel to the ball of a foot, and from one foot to the other.  In flight
nothing pushes.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.linalg import solveh_banded
from tools.authoring import human_skeleton as human
from tools.authoring.authored import RATE_HZ
from tools.authoring.figure import FigureTracks
from tools.authoring.mass import GRAVITY_M_S2

from gambol.geometry.arrays import BoolArray, FloatArray

#: Where a foot presses, as a share of the way from heel to tip, by the share of its stance.
PRESSURE = ((0.0, 0.12), (0.15, 0.36), (0.5, 0.58), (0.8, 0.76), (1.0, 0.90))
STANDING = 0.36  # the same share, of a foot that stands for good
HANDING_OVER_S = 0.13  # within this time the weight goes from one foot to the other
INSIDE_M = 0.015  # how far inside the edge of a sole the force stays
OFF_M = 0.015  # what is nearer to there than this is left alone
# Weights: to press where feet press, to stay near the way that is meant, and what must be.
PREFER, STAY, MUST = 1.0, 1.0, 60.0
ROUNDS, SETTLED_M = 25, 1e-5


class Soles(NamedTuple):
    """What of both feet is on the ground in each frame, and where they press."""

    points: FloatArray  # (F, 6, 2) heel, ball and tip, of the left foot and of the right one
    planted: BoolArray  # (F, 6)
    pressure: FloatArray  # (F, 2) where the force would begin


def soles_of(tracks: FigureTracks, planted: BoolArray, shift: FloatArray | float = 0.0) -> Soles:
    """Return the soles of tracks whose heels and toes are planted so (F, 2, 2).

    shift: (F, 2) how far from the usual place feet press.
    """
    count = tracks.frame_count
    points, weights, pressed = np.zeros((count, 2, 3, 2)), np.zeros((count, 2)), np.zeros((count, 2, 2))
    down = np.zeros((count, 2, 3), dtype=bool)
    for side in (0, 1):
        ahead = np.column_stack((np.cos(tracks.foot_yaw[:, side]), np.sin(tracks.foot_yaw[:, side])))
        pitch, ankle = tracks.foot_pitch[:, side], tracks.ankles[:, side, :2]
        for number, (x, z) in enumerate(
            (
                (-human.HEEL_BEHIND_ANKLE_M, -human.ANKLE_HEIGHT_M),
                (human.BALL_AHEAD_M, human.BALL_HEIGHT_M - human.ANKLE_HEIGHT_M),
            )
        ):
            points[:, side, number] = ankle + (x * np.cos(pitch) - z * np.sin(pitch))[:, None] * ahead
        points[:, side, 2] = points[:, side, 1] + human.TOE_LENGTH_M * ahead
        down[:, side, 0], down[:, side, 1], down[:, side, 2] = planted[:, side, 0], planted[:, side, 1], planted[:, side, 1]
        weights[:, side], along = _load(planted[:, side].any(axis=1))
        heel, tip = points[:, side, 0], points[:, side, 2]
        wanted = heel + along[:, None] * (tip - heel) + shift
        pressed[:, side] = _nearest_of_foot(wanted, points[:, side], down[:, side])
    total = weights.sum(axis=1, keepdims=True)
    shares = np.where(total > 0.0, weights / np.maximum(total, 1e-12), 0.0)
    return Soles(points.reshape(count, 6, 2), down.reshape(count, 6), np.einsum("fs,fsc->fc", shares, pressed))


def _load(stands: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return how much a foot would bear (F,), and where it presses as a share of its length."""
    count = len(stands)
    weight, along = np.zeros(count), np.full(count, STANDING)
    shares, places = np.array(PRESSURE).T
    edges = np.flatnonzero(np.diff(np.concatenate(([0], stands.astype(int), [0]))))
    for first, after in edges.reshape(-1, 2):
        frames = np.arange(first, after)
        ramp = HANDING_OVER_S * RATE_HZ
        since = np.full(after - first, np.inf) if first == 0 else frames - first + 0.5
        until = np.full(after - first, np.inf) if after == count else after - frames - 0.5
        weight[first:after] = np.minimum(1.0, np.minimum(since, until) / ramp)
        if first > 0 and after < count:
            along[first:after] = np.interp((frames - first) / max(1, after - first - 1), shares, places)
        elif first == 0 and after < count:
            begun = np.clip(1.0 - until / (0.6 * RATE_HZ), 0.0, 1.0)
            along[first:after] = np.interp(begun, (0.0, 0.3, 1.0), (STANDING, STANDING, places[-1]))
        elif first > 0:
            begun = np.clip(since / (0.6 * RATE_HZ), 0.0, 1.0)
            along[first:after] = np.interp(begun, (0.0, 0.7, 1.0), (places[0], STANDING, STANDING))
    return weight, along


def _nearest_of_foot(wanted: FloatArray, points: FloatArray, down: BoolArray) -> FloatArray:
    """Return the places nearest to some (F, 2) on that part of a foot that is on the ground."""
    first = np.where(down[:, 0, None], points[:, 0], points[:, 1])
    last = np.where(down[:, 1, None], points[:, 2], points[:, 0])
    way = last - first
    length = np.einsum("fc,fc->f", way, way)
    share = np.einsum("fc,fc->f", wanted - first, way) / np.maximum(length, 1e-12)
    return np.where(down.any(axis=1)[:, None], first + np.clip(share, 0.0, 1.0)[:, None] * way, wanted)


def pushed(
    meant: FloatArray, lift: FloatArray, soles: Soles, free: slice, *, prefer: float = PREFER, stay: float = STAY
) -> FloatArray:
    """Return how the centre of mass goes over the ground (F, 2): as near to what is meant as what stands can push it.

    lift: (F,) how much the centre speeds up for each metre that the force begins off from below it: what presses,
    by the mass and by its height; 0 in flight.
    free: the frames, in one piece, where the way may differ from what is meant.
    """
    standing = soles.planted.any(axis=1)
    lift = np.where(standing, np.maximum(lift, 0.0), 0.0)
    moved = np.zeros_like(meant)
    target = np.array(soles.pressure)
    tight = np.zeros(len(meant), dtype=bool)
    for number in range(ROUNDS):
        last = moved
        weight = np.where(standing, np.where(tight, MUST, prefer), MUST)
        moved = _least_squares(meant, lift, target, weight, free, stay)
        start = _begins(meant + moved, lift, soles.pressure)
        nearest = _nearest(start, soles)
        off = np.linalg.norm(start - nearest, axis=1) > OFF_M
        tight = standing & (off | (tight & (number > ROUNDS // 2)))
        target = np.where(tight[:, None], nearest, soles.pressure)
        if number > 2 and np.abs(moved - last).max() < SETTLED_M:
            break
    return meant + moved


def begins(centre: FloatArray, lift: FloatArray, soles: Soles) -> FloatArray:
    """Return where the force that moves a body so begins (F, 2); where feet would press in flight."""
    return _begins(centre, np.where(soles.planted.any(axis=1), lift, 0.0), soles.pressure)


def missing(centre: FloatArray, lift: FloatArray, soles: Soles) -> FloatArray:
    """Return how far (F, 2) the force that moves a body so begins from under its soles; 0 where nothing stands."""
    begins = _begins(centre, lift, soles.pressure)
    return np.where(soles.planted.any(axis=1)[:, None], begins - _nearest(begins, soles), 0.0)


def _begins(centre: FloatArray, lift: FloatArray, otherwise: FloatArray) -> FloatArray:
    """Return where the force begins (F, 2)."""
    speeding = np.zeros_like(centre)
    speeding[1:-1] = np.diff(centre, 2, axis=0) * RATE_HZ**2
    return np.where((lift > 0.5)[:, None], centre - speeding / np.maximum(lift, 0.5)[:, None], otherwise)


def _least_squares(
    meant: FloatArray, lift: FloatArray, target: FloatArray, weight: FloatArray, free: slice, stay: float
) -> FloatArray:
    """Solve for what the way differs by from what is meant."""
    square = RATE_HZ**2
    inner = lift[1:-1]
    weights = weight[1:-1] ** 2
    off = np.diff(meant, 2, axis=0) * square - inner[:, None] * (meant - target)[1:-1]
    factors = (np.full(len(inner), square), -2.0 * square - inner, np.full(len(inner), square))
    bands, wanted = np.zeros((3, len(meant))), np.zeros_like(meant)
    bands[0] = stay**2
    for offset, factor in enumerate(factors):
        rows = slice(offset, offset + len(inner))
        bands[0, rows] += factor**2 * weights
        wanted[rows] -= (factor * weights)[:, None] * off
    bands[1, :-2] += factors[0] * factors[1] * weights
    bands[1, 1:-1] += factors[1] * factors[2] * weights
    bands[2, :-2] += factors[0] * factors[2] * weights
    moved = np.zeros_like(meant)
    moved[free] = solveh_banded(bands[:, free], wanted[free], lower=True)
    return moved


def _nearest(places: FloatArray, soles: Soles) -> FloatArray:
    """Return the places nearest to some (F, 2) under what is planted of the soles."""
    result = np.array(places)
    for frame in np.flatnonzero(soles.planted.any(axis=1)):
        result[frame] = _nearest_in_hull(places[frame], soles.points[frame, soles.planted[frame]])
    return result


def _nearest_in_hull(place: FloatArray, points: FloatArray) -> FloatArray:
    """Return the place of the convex hull of a few points, drawn in at its ends, that is nearest to one."""
    middle = points.mean(axis=0)
    away = points - middle
    lengths = np.linalg.norm(away, axis=1, keepdims=True)
    points = middle + away * np.maximum(0.0, 1.0 - INSIDE_M / np.maximum(lengths, 1e-9))
    for one, two, three in combinations(points - place, 3):
        sides = [a[0] * b[1] - a[1] * b[0] for a, b in ((one, two), (two, three), (three, one))]
        if min(sides) >= 0.0 < max(sides) or max(sides) <= 0.0 > min(sides):
            return place
    best, nearest = points[0], np.inf
    for one, two in [*combinations(points, 2), (points[0], points[0])]:
        along = two - one
        length = float(along @ along)
        share = min(1.0, max(0.0, float((place - one) @ along) / length)) if length > 0.0 else 0.0
        at = one + share * along
        away_m = float(np.linalg.norm(at - place))
        if away_m < nearest:
            best, nearest = at, away_m
    return best


def lift_of(height: FloatArray) -> FloatArray:
    """Return what `pushed` asks for, by the height of the centre of mass above the ground (F,)."""
    rising = np.zeros_like(height)
    rising[1:-1] = np.diff(height, 2) * RATE_HZ**2
    rising[[0, -1]] = rising[[1, -2]]
    return (GRAVITY_M_S2 + rising) / height


