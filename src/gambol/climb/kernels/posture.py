"""Fit a whole body to what it holds: inverse kinematics that moves pelvis and torso too, then comfort.

A posture is judged by two numbers: *violation*, in metres, of what it must do (reach what is held, joint limits,
clearance, balance), and discomfort.  A stochastic descent lowers the first to nothing, then the second.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gambol.climb.figure import FigureTable
from gambol.climb.kernels.chance import normal, uniform
from gambol.climb.kernels.comfort import log_discomfort
from gambol.climb.kernels.field import DistanceField, link_clearance
from gambol.climb.kernels.kinematics import centre_of_mass, place, reach
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel

NOTHING_M = 1e-6
LARGEST = 0.999  # share of a straight limb that a fit uses


@kernel
def stretch_towards(figure: FigureTable, facing: float, q: FloatArray, limb: int, x: float, z: float) -> float:
    """Set a limb's joints as well as its limits allow; return by how much its end misses a point, about, in metres."""
    if reach(figure, facing, q, limb, x, z):
        return 0.0
    sine, cosine = math.sin(q[2]), math.cos(q[2])
    if limb < 2:
        from_x, from_z = q[0] + facing * figure.shoulder * sine, q[1] + figure.shoulder * cosine
        upper, lower = figure.upper_arm, figure.forearm
    else:
        from_x, from_z = q[0], q[1]
        upper, lower = figure.thigh, figure.shank
    at = 4 + 2 * limb
    ahead, down = facing * (x - from_x), from_z - z
    distance = max(1e-9, math.sqrt(ahead * ahead + down * down))
    most = LARGEST * (upper + lower)
    least_bend = figure.high[at + 1]
    least = math.sqrt(upper * upper + lower * lower + 2.0 * upper * lower * math.cos(least_bend)) + 1e-6
    wanted = min(most, max(least, distance))
    missed = abs(distance - wanted)
    cosine_bend = (wanted * wanted - upper * upper - lower * lower) / (2.0 * upper * lower)
    bend = math.acos(min(1.0, max(-1.0, cosine_bend)))
    inner = math.atan2(lower * math.sin(bend), upper + lower * math.cos(bend))
    direct = math.atan2(ahead, down)
    first = (direct - inner if limb < 2 else direct + inner) + q[2]
    low, high = figure.low[at], figure.high[at]
    middle = 0.5 * (low + high)
    first -= 2.0 * math.pi * math.floor((first - middle + math.pi) / (2.0 * math.pi))
    kept = min(high, max(low, first))
    missed += abs(first - kept) * wanted
    q[at] = kept
    q[at + 1] = min(figure.high[at + 1], max(figure.low[at + 1], bend))
    return missed + 1e-5


@kernel
def judge_posture(
    figure: FigureTable,
    field: DistanceField,
    usage: FloatArray,
    facing: float,
    mode: int,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    q: FloatArray,
    points: FloatArray,
) -> tuple[float, float]:
    """Set the held limbs of a configuration, place it, and return its violation and the logarithm of its discomfort.

    targets: (4, 2) where the ends of held limbs are to be.
    span: (5,) where the centre of mass may be (low, high), how high the head, and what comfort takes for balance
    (low, high).
    """
    violation = 0.0
    for limb in range(4):
        if grasps[limb] >= 0:
            violation += stretch_towards(figure, facing, q, limb, targets[limb, 0], targets[limb, 1])
    place(figure, facing, q, points)
    for link in range(10):
        violation += max(0.0, margin - link_clearance(figure, field, points, link))
    centre_x, _ = centre_of_mass(figure, points)
    violation += max(0.0, span[0] - centre_x) + max(0.0, centre_x - span[1])
    violation += max(0.0, points[3, 1] + figure.radius[1] - span[2])
    if violation < NOTHING_M:
        violation = 0.0
    discomfort = log_discomfort(figure, field, usage, mode, q, points, centre_x, span[3], span[4], grasps)
    return violation, discomfort


@kernel
def fit_posture(
    figure: FigureTable,
    field: DistanceField,
    usage: FloatArray,
    facing: float,
    mode: int,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    steps: int,
    state: NDArray[np.uint64],
    q: FloatArray,
) -> tuple[float, float]:
    """Improve a configuration (12,) in place; return its violation (0: none) and the logarithm of its discomfort."""
    trial = np.empty(12)
    points = np.empty((12, 2))
    for at in range(2, 12):
        q[at] = min(figure.high[at], max(figure.low[at], q[at]))
    violation, discomfort = judge_posture(figure, field, usage, facing, mode, targets, grasps, span, margin, q, points)
    scale = 1.0
    failures = 0
    for _ in range(steps):
        if failures > 90 and scale < 0.03:
            break
        for at in range(12):
            trial[at] = q[at]
        whole = uniform(state) < 0.5
        for at in range(12):
            if at >= 4:
                limb = (at - 4) // 2
                if grasps[limb] >= 0:
                    continue
            if not whole and uniform(state) < 0.6:
                continue
            step = 0.08 if at < 2 else 0.25
            trial[at] += scale * step * normal(state)
            if at >= 2:
                trial[at] = min(figure.high[at], max(figure.low[at], trial[at]))
        new_violation, new_discomfort = judge_posture(
            figure, field, usage, facing, mode, targets, grasps, span, margin, trial, points
        )
        better = new_violation < violation if violation > 0.0 else new_violation <= 0.0 and new_discomfort < discomfort
        if better:
            violation, discomfort = new_violation, new_discomfort
            for at in range(12):
                q[at] = trial[at]
            scale = min(1.5, scale * 1.25)
            failures = 0
        else:
            failures += 1
            scale = max(0.01, scale * 0.96)
    return violation, discomfort
