"""Choose when feet and hands change from one clip to the next, so that planted ones stand still.

A limb does not follow the smooth weights of the blend.  It follows the first clip, then changes over to
the second, while it swings if it swings at all.  So every plant lies exactly where one of the clips has it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.kernels.jit import kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array

# A changeover costs the squares of speeds: the slide of planted points, and accelerations times these durations.
STEADYING_S = 0.0024  # s, >= 0: weight of the acceleration that changing weights add; larger prefers steady limbs
PEAKING_S = 0.015  # s, >= 0: weight of the acceleration above the limb's usual peak; larger prefers soft limbs
PEAK_TOLERANCE = 1.25  # > 0: the usual peak is this many times the greatest acceleration of the clips there
GENTLE_M_S2 = 20.0  # m/s^2, > 0: lower bound of that acceleration, for limbs that hardly move
TIE = 1e-6  # > 0: cost for each frame that a changeover is shorter; among equals the longest wins


class JoinPoints(NamedTuple):
    """P contact points in N frames around a join: as clip a moves them, and as clip b does."""

    limb: Int64Array  # (P,) the limb of each point, -1 for none
    a: FloatArray  # (N, P, 3) metres
    b: FloatArray  # (N, P, 3) metres
    a_planted: BoolArray  # (N, P)
    b_planted: BoolArray  # (N, P)
    rate_hz: float


@kernel
def stands(points: JoinPoints, limb: int) -> bool:
    """Return whether a limb is planted in any frame of either clip."""
    for p in range(points.limb.shape[0]):
        if points.limb[p] == limb:
            for f in range(points.a_planted.shape[0]):
                if points.a_planted[f, p] or points.b_planted[f, p]:
                    return True
    return False


@kernel
def ramp(frame: int, first: int, last: int) -> float:
    """Rise smoothly from 0 at the first frame to 1 at the last."""
    t = min(max((frame - first) / max(last - first, 1.0), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def between(points: JoinPoints, f: int, p: int, c: int, weight: float) -> float:
    """Return coordinate c of point p in frame f, mixed from both clips."""
    return points.a[f, p, c] + weight * (points.b[f, p, c] - points.a[f, p, c])


@kernel
def acceleration(points: FloatArray, f: int, p: int) -> float:
    """Return the acceleration of point p of points (N, P, 3) around frame f, metres per frame squared."""
    x = points[f + 1, p, 0] - 2.0 * points[f, p, 0] + points[f - 1, p, 0]
    y = points[f + 1, p, 1] - 2.0 * points[f, p, 1] + points[f - 1, p, 1]
    z = points[f + 1, p, 2] - 2.0 * points[f, p, 2] + points[f - 1, p, 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel
def usual_peak(points: JoinPoints, limb: int) -> float:
    """Return the greatest acceleration of a limb's points, along a up to the join and along b after it."""
    frames = points.a.shape[0]
    peak = 0.0
    for p in range(points.limb.shape[0]):
        if points.limb[p] == limb:
            for f in range(1, frames - 1):
                peak = max(peak, acceleration(points.a if f <= frames // 2 else points.b, f, p))
    return peak


@kernel
def unsteadiness(
    points: JoinPoints, limb: int, peak: float, f: int, before: float, weight: float, after: float
) -> float:
    """Return the cost of a limb's motion around frame f; the weights are of frames f - 1, f and f + 1.

    The cost is a sum of squares: the speed of sliding planted points, the acceleration that the changing
    weights add, and the part of accelerations above the peak.
    """
    total = 0.0
    for p in range(points.limb.shape[0]):
        if points.limb[p] != limb:
            continue
        held = 0.0
        if points.a_planted[f, p] and points.a_planted[f + 1, p]:
            held += 1.0 - 0.5 * (weight + after)
        if points.b_planted[f, p] and points.b_planted[f + 1, p]:
            held += 0.5 * (weight + after)
        square = 0.0
        for c in range(3):
            here = between(points, f, p, c, weight)
            step = between(points, f + 1, p, c, after) - here
            square += (step - here + between(points, f - 1, p, c, before)) ** 2
            added = (after - weight) * (points.b[f + 1, p, c] - points.a[f + 1, p, c])
            added += (before - weight) * (points.b[f - 1, p, c] - points.a[f - 1, p, c])
            total += (STEADYING_S * points.rate_hz * added) ** 2
            if c < 2:
                total += held * step * step
        total += (PEAKING_S * points.rate_hz * max(math.sqrt(square) - peak, 0.0)) ** 2
    return points.rate_hz * points.rate_hz * total


@kernel
def choose_changeover(points: JoinPoints, limb: int) -> tuple[int, int]:
    """Return the first and last frame of the changeover with the least cost."""
    frames = points.a.shape[0]
    peak = PEAK_TOLERANCE * max(usual_peak(points, limb), GENTLE_M_S2 / points.rate_hz**2)
    costs_before, costs_after = np.zeros(frames), np.zeros(frames)  # along a up to a frame, along b after it
    for f in range(1, frames - 1):
        costs_before[f + 1] = costs_before[f] + unsteadiness(points, limb, peak, f, 0.0, 0.0, 0.0)
    for f in range(frames - 2, 0, -1):
        costs_after[f] = costs_after[f + 1] + unsteadiness(points, limb, peak, f, 1.0, 1.0, 1.0)
    best, best_first, best_last = np.inf, 0, frames - 1
    for length in range(frames - 1, 0, -1):
        for first in range(frames - length):
            last = first + length
            cost = costs_before[first] + costs_after[min(last + 1, frames - 1)] + TIE * (frames - length)
            for f in range(max(first, 1), min(last, frames - 2) + 1):
                if cost >= best:
                    break
                before, weight, after = ramp(f - 1, first, last), ramp(f, first, last), ramp(f + 1, first, last)
                cost += unsteadiness(points, limb, peak, f, before, weight, after)
            if cost < best:
                best, best_first, best_last = cost, first, last
    return best_first, best_last
