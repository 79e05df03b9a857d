"""Mend targets where they break something: the trunk, and ends of limbs on their way, moved as little as it takes.

What is broken is one number, in metres: holds that are missed, limbs that are straighter than they may be, clearance
that lacks, a centre of mass beside what holds it.  A few steps down its slope end, mostly, where it is nothing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gambol.climb.filters.checks import unheld
from gambol.climb.filters.in_reach import most_stretch
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.field import link_clearance
from gambol.climb.kernels.kinematics import place
from gambol.climb.kernels.posture import stretch_towards
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.kernels.jit import kernel

STEPS = 3  # down the slope of what is broken
NUDGE = 1e-4  # metres or radians, by which the slope is felt
MOST_M = 0.03  # of a step
NOTHING_M = 1e-5
LEAN_M, NECK_M, JOINT_M = 0.5, 0.15, 0.25  # what a radian counts


@kernel
def broken(
    tables: FilterTables,
    facing: float,
    mode: int,
    grasps: Int32Array,
    reaching: BoolArray,
    ends: FloatArray,
    most: FloatArray,
    margin: FloatArray,
    beside: float,
    q: FloatArray,
    points: FloatArray,
) -> float:
    """Set limbs that hold or reach and return by how much, in metres, a configuration breaks what it should keep.

    most: (4,) how far each limb's end may be from its joint.
    """
    figure = tables.figure
    result = 0.0
    for at in range(2, 12):
        result += JOINT_M * (max(0.0, figure.low[at] - q[at]) + max(0.0, q[at] - figure.high[at]))
    for limb in range(4):
        if grasps[limb] >= 0 or reaching[limb]:
            missed = stretch_towards(figure, facing, q, limb, ends[limb, 0], ends[limb, 1])
            arm = figure.shoulder if limb < 2 else 0.0
            dx = ends[limb, 0] - q[0] - facing * arm * math.sin(q[2])
            dz = ends[limb, 1] - q[1] - arm * math.cos(q[2])
            result += max(missed, math.sqrt(dx * dx + dz * dz) - most[limb], 0.0)
    place(figure, facing, q, points)
    for link in range(10):
        result += max(0.0, margin[link] - link_clearance(figure, tables.field, points, link))
    return result + max(0.0, min(0.2, unheld(tables, facing, mode, grasps, points) - beside))


@kernel
def mend(
    tables: FilterTables,
    may_mend: BoolArray,
    base: FloatArray,
    facings: FloatArray,
    modes: Int32Array,
    grasps: Int32Array,
    reaching: BoolArray,
    base_ends: FloatArray,
    margin: FloatArray,
    beside: FloatArray,
    ends: FloatArray,
    q: FloatArray,
    touched: NDArray[np.int8],
) -> int:
    """Mend configurations (F, 12) and ends (F, 4, 2) in place; mark frames mended, and return how many they are."""
    points, here, aims, most, slope = np.empty((12, 2)), np.empty(12), np.empty((4, 2)), np.empty(4), np.empty(12)
    count = 0
    for row in range(len(q)):
        facing = facings[row]
        if not may_mend[row]:
            continue
        for limb in range(4):
            most[limb] = most_stretch(
                tables.figure, facing, base[row], limb, base_ends[row, limb, 0], base_ends[row, limb, 1]
            )
        for step in range(STEPS):
            here[:] = q[row]
            lacks = broken(
                tables, facing, modes[row], grasps[row], reaching[row], ends[row], most, margin[row], beside[row],
                here, points,
            )  # fmt: skip
            if lacks <= NOTHING_M:
                break
            if step == 0:
                count += 1
                touched[row] = 1
            total = 0.0
            for at in range(12):
                slope[at] = 0.0
                limb = (at - 4) // 2
                if at >= 4 and grasps[row, limb] >= 0:
                    continue
                here[:] = q[row]
                aims[:] = ends[row]
                if at >= 4 and reaching[row, limb]:
                    aims[limb, at % 2] += NUDGE
                else:
                    here[at] += NUDGE
                more = broken(
                    tables, facing, modes[row], grasps[row], reaching[row], aims, most, margin[row], beside[row],
                    here, points,
                )  # fmt: skip
                weight = metres(at, reaching[row])
                slope[at] = (more - lacks) / NUDGE / weight
                total += slope[at] * slope[at]
            if total < 1e-6:
                break
            size = min(lacks / total, MOST_M / math.sqrt(total))
            for at in range(12):
                change = -size * slope[at] / metres(at, reaching[row])
                limb = (at - 4) // 2
                if at >= 4 and reaching[row, limb]:
                    ends[row, limb, at % 2] += change
                else:
                    q[row, at] += change
    return count


@kernel
def metres(at: int, reaching: BoolArray) -> float:
    """Return what a unit of a coordinate counts, in metres."""
    if at < 2:
        return 1.0
    if at == 2:
        return LEAN_M
    if at == 3:
        return NECK_M
    return 1.0 if reaching[(at - 4) // 2] else JOINT_M
