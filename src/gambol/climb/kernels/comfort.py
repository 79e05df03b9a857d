"""How uncomfortable a posture is [KP00 table 1]: each heuristic is 1 + (deviation / tolerance)², 1 being ideal.

The seven of the paper, whose formulas it leaves to a thesis, and two of ours: free legs follow gravity, and held
limbs keep a bend.  The discomfort is their product; what is minimised is its logarithm.
"""

from __future__ import annotations

import math

from gambol.climb.figure import FigureTable
from gambol.climb.kernels.field import DistanceField, distance_at
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel

WALK, CLIMB, SWING, CRAWL = range(4)  # as Mode numbers them
BALANCE, UPRIGHT_SPINE, LIMB_COUNTER, COMFY_LIMBS, HEAD_UP, HAND_DOWN, KNEES_DOWN, LEGS_HANG, KEEPS_BEND = range(9)
#: Names of the heuristics that judge how comfortable a posture is, in the order of their numbers.
HEURISTICS = (
    "balance", "upright_spine", "limb_counter", "comfy_limbs", "head_up", "hand_down", "knees_down",
    "legs_hang", "keeps_bend",
)  # fmt: skip
#: Which heuristic counts how much in which mode (9, 4), in the exponent: KP00's table 1, with our additions.
USAGE = (
    # walk, climb, swing, crawl
    (1.0, 0.5, 1.0, 0.5),  # balance
    (1.0, 0.3, 0.0, 0.0),  # upright_spine
    (1.0, 0.0, 0.0, 0.0),  # limb_counter
    (1.0, 0.4, 1.0, 1.0),  # comfy_limbs
    (0.7, 0.4, 0.4, 0.5),  # head_up
    (0.0, 0.5, 0.5, 0.0),  # hand_down
    (0.0, 0.0, 0.0, 1.5),  # knees_down
    (0.0, 0.6, 1.0, 0.0),  # legs_hang
    (1.0, 1.0, 0.3, 0.6),  # keeps_bend
)


@kernel
def term(deviation: float, tolerance: float) -> float:
    """Return the logarithm of 1 + (deviation / tolerance)²."""
    share = deviation / tolerance
    return math.log1p(share * share)


@kernel
def heuristic(
    which: int,
    figure: FigureTable,
    field: DistanceField,
    mode: int,
    q: FloatArray,
    points: FloatArray,
    centre_x: float,
    low: float,
    high: float,
    grasps: Int32Array,
) -> float:
    """Return the logarithm of one heuristic's value, at least 0.

    low, high: what the grasps can hold (gravity.py).
    """
    lean = q[2]
    scale = figure.stature / 1.75
    if which == BALANCE:
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        if not half < 1e6:
            return 0.0
        if mode == SWING:
            return term(centre_x - middle, 0.25 * scale)
        # Inside, the middle is a little better than the edges; outside, it soon gets bad.
        beyond = max(0.0, abs(centre_x - middle) - half)
        return term(beyond, 0.04 * scale) + 0.3 * term(centre_x - middle, max(0.12 * scale, half))
    if which == UPRIGHT_SPINE:
        return term(lean - 0.06, 0.20 if mode == WALK else 0.45)
    if which == LIMB_COUNTER:
        total = 0.0
        for side in range(2):
            thigh = q[10 - 2 * side] - lean  # of the other side
            arm = q[4 + 2 * side] - lean
            total += term(arm - (0.75 * thigh - 0.06), 0.25) + term(
                q[5 + 2 * side] - (0.35 + 0.3 * max(0.0, arm)), 0.35
            )
        return 0.5 * total
    if which == COMFY_LIMBS:
        total = 0.0
        for side in range(2):
            if mode == WALK:
                if grasps[2 + side] >= 0:
                    total += term(q[9 + 2 * side] - 0.18, 0.25)
            elif mode == CRAWL:
                total += 0.5 * term(q[5 + 2 * side] - 0.25, 0.5)
                total += 0.5 * term(q[8 + 2 * side] - 1.5, 0.7)
            else:
                if grasps[side] >= 0:
                    total += term(q[5 + 2 * side] - 0.3, 0.35) if mode == SWING else term(q[5 + 2 * side] - 0.9, 0.8)
                if grasps[2 + side] >= 0:
                    total += term(q[9 + 2 * side] - 1.1, 0.8)
        return total
    if which == HEAD_UP:
        aim = 0.0 if mode != CLIMB else -0.25
        return term(lean + q[3] - aim, 0.45) + term(q[3], 0.9)
    if which == HAND_DOWN:
        total = 0.0
        for side in range(2):
            if grasps[side] < 0:
                total += term(q[4 + 2 * side] - lean - 0.15, 0.5) + term(q[5 + 2 * side] - 0.4, 0.5)
        return total
    if which == KNEES_DOWN:
        total = 0.0
        for side in range(2):
            knee = 8 + 2 * side
            above = distance_at(field, points[knee, 0], points[knee, 1]) - figure.radius[7]
            total += term(max(0.0, above - 0.04), 0.12 * scale)
        return total
    if which == LEGS_HANG:
        total = 0.0
        for side in range(2):
            if grasps[2 + side] < 0:
                total += term(q[8 + 2 * side] - lean - 0.12, 0.35) + term(q[9 + 2 * side] - 0.4, 0.4)
        return total
    total = 0.0  # KEEPS_BEND: near to straight is stiff, and leaves nothing to move with
    for limb in range(4):
        if grasps[limb] >= 0:
            least = 0.10 if mode == WALK else (0.15 if mode == SWING else 0.35)
            if mode == WALK and limb >= 2:  # who steps down lands on a leg that gives way
                least += min(0.4, max(0.0, points[11 if limb == 2 else 9, 1] - points[9 if limb == 2 else 11, 1]))
            total += term(max(0.0, least - q[5 + 2 * limb]), 0.15)
    return total


@kernel
def log_discomfort(
    figure: FigureTable,
    field: DistanceField,
    usage: FloatArray,
    mode: int,
    q: FloatArray,
    points: FloatArray,
    centre_x: float,
    low: float,
    high: float,
    grasps: Int32Array,
) -> float:
    """Return the logarithm of the discomfort of a placed figure: the sum over heuristics, by usage (9, 4)."""
    total = 0.0
    for which in range(9):
        weight = usage[which, mode]
        if weight > 0.0:
            total += weight * heuristic(which, figure, field, mode, q, points, centre_x, low, high, grasps)
    return total
