"""Let planted feet and hands stand still through a join.

A foot does not follow the smooth weights of the blend.  It goes where it goes in the first clip,
then changes over to where it goes in the second: while it swings, if it swings at all.  So every
plant lies exactly where one of the clips has it.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import kernel

# The slide of a planted point at some speed is as bad as
STEADYING_S = 0.0024  # an added acceleration over this time to the same speed, or
PEAKING_S = 0.015  # what exceeds the limb's usual acceleration, over this time:
PEAK_TOLERANCE = 1.25  # more than so many times the greatest that the clips themselves show there,
GENTLE_M_S2 = 20.0  # or than this, in limbs that hardly move
TIE = 1e-6  # per frame that a changeover is shorter: of equals the longest


@kernel
def stands(owners, limb, a_planted, b_planted):
    """Tell whether a limb is planted in any frame of either window."""
    for p in range(owners.shape[0]):
        if owners[p] == limb:
            for f in range(a_planted.shape[0]):
                if a_planted[f, p] or b_planted[f, p]:
                    return True
    return False


@kernel
def ramp(frame, first, last):
    """Rise smoothly from 0 at the first frame to 1 at the last."""
    t = min(max((frame - first) / max(last - first, 1.0), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def between(a, b, f, p, c, weight):
    """Return what lies between two points."""
    return a[f, p, c] + weight * (b[f, p, c] - a[f, p, c])


@kernel
def acceleration(points, f, p):
    """Return how fast the velocity of a point changes around frame f, in metres per frame squared."""
    x = points[f + 1, p, 0] - 2.0 * points[f, p, 0] + points[f - 1, p, 0]
    y = points[f + 1, p, 1] - 2.0 * points[f, p, 1] + points[f - 1, p, 1]
    z = points[f + 1, p, 2] - 2.0 * points[f, p, 2] + points[f - 1, p, 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel
def usual_peak(owners, limb, a_points, b_points):
    """Return the greatest acceleration of a limb's points, along a up to the join and along b from it on."""
    frames = a_points.shape[0]
    peak = 0.0
    for p in range(owners.shape[0]):
        if owners[p] == limb:
            for f in range(1, frames - 1):
                peak = max(peak, acceleration(a_points if f <= frames // 2 else b_points, f, p))
    return peak


@kernel
def unsteadiness(owners, limb, a_points, b_points, a_planted, b_planted, peak, rate_hz, f, before, weight, after):
    """Return how badly a limb moves around frame f, with weights given there, in the frame before and the one after.

    The sum of squares of the speed at which planted points slide, of the acceleration that the
    changing weights add, and of how far accelerations exceed their usual peak.
    """
    total = 0.0
    for p in range(owners.shape[0]):
        if owners[p] != limb:
            continue
        held = 0.0
        if a_planted[f, p] and a_planted[f + 1, p]:
            held += 1.0 - 0.5 * (weight + after)
        if b_planted[f, p] and b_planted[f + 1, p]:
            held += 0.5 * (weight + after)
        square = 0.0
        for c in range(3):
            here = between(a_points, b_points, f, p, c, weight)
            step = between(a_points, b_points, f + 1, p, c, after) - here
            square += (step - here + between(a_points, b_points, f - 1, p, c, before)) ** 2
            added = (after - weight) * (b_points[f + 1, p, c] - a_points[f + 1, p, c])
            added += (before - weight) * (b_points[f - 1, p, c] - a_points[f - 1, p, c])
            total += (STEADYING_S * rate_hz * added) ** 2
            if c < 2:
                total += held * step * step
        total += (PEAKING_S * rate_hz * max(math.sqrt(square) - peak, 0.0)) ** 2
    return rate_hz * rate_hz * total


@kernel
def choose_changeover(owners, limb, a_points, b_points, a_planted, b_planted, rate_hz):
    """Return the first and last frame of the changeover that slides and jerks least, of all there are."""
    frames = a_points.shape[0]
    peak = PEAK_TOLERANCE * max(usual_peak(owners, limb, a_points, b_points), GENTLE_M_S2 / rate_hz**2)
    costs_before, costs_after = np.zeros(frames), np.zeros(frames)  # along a up to a frame, along b from it on
    for f in range(1, frames - 1):
        cost = unsteadiness(owners, limb, a_points, b_points, a_planted, b_planted, peak, rate_hz, f, 0.0, 0.0, 0.0)
        costs_before[f + 1] = costs_before[f] + cost
    for f in range(frames - 2, 0, -1):
        cost = unsteadiness(owners, limb, a_points, b_points, a_planted, b_planted, peak, rate_hz, f, 1.0, 1.0, 1.0)
        costs_after[f] = costs_after[f + 1] + cost
    best, best_first, best_last = np.inf, 0, frames - 1
    for length in range(frames - 1, 0, -1):
        for first in range(frames - length):
            last = first + length
            cost = costs_before[first] + costs_after[min(last + 1, frames - 1)] + TIE * (frames - length)
            for f in range(max(first, 1), min(last, frames - 2) + 1):
                if cost >= best:
                    break
                cost += unsteadiness(
                    owners, limb, a_points, b_points, a_planted, b_planted, peak, rate_hz, f,
                    ramp(f - 1, first, last), ramp(f, first, last), ramp(f + 1, first, last),
                )  # fmt: skip
            if cost < best:
                best, best_first, best_last = cost, first, last
    return best_first, best_last
