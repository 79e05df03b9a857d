"""Bring bodies and limbs into reach: the pelvis for what is held, ends of limbs for where the pelvis is."""

from __future__ import annotations

import math

from gambol.climb.figure import FigureTable
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.kinematics import REACH
from gambol.climb.kernels.posture import stretch_towards
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.kernels.jit import kernel

WALK = 0  # as Mode numbers it
WALKED_ON = 0.98  # share of a straight leg that walkers use with feet apart: straighter, knees would pop
NEARLY_STRAIGHT = 0.99  # share of a straight limb that fairing uses, unless more was used before


@kernel
def most_stretch(figure: FigureTable, facing: float, base: FloatArray, limb: int, x: float, z: float) -> float:
    """Return how far a limb's end may be from its joint: nearly straight, or as far as it was at a point."""
    arm = figure.shoulder if limb < 2 else 0.0
    length = figure.upper_arm + figure.forearm if limb < 2 else figure.thigh + figure.shank
    dx = x - base[0] - facing * arm * math.sin(base[2])
    dz = z - base[1] - arm * math.cos(base[2])
    return min(0.9999 * REACH * length, max(NEARLY_STRAIGHT * length, math.sqrt(dx * dx + dz * dz)))


@kernel
def pull_into_reach(
    tables: FilterTables,
    base: FloatArray,
    facings: FloatArray,
    modes: Int32Array,
    grasps: Int32Array,
    reaching: BoolArray,
    base_ends: FloatArray,
    ends: FloatArray,
    q: FloatArray,
) -> None:
    """Move each frame's pelvis so far that limbs which hold or reach are not straighter than they may be."""
    figure = tables.figure
    for row in range(len(q)):
        if abs(facings[row]) < 1.0:
            continue
        for _ in range(6):
            moved = False
            for limb in range(4):
                if grasps[row, limb] < 0 and not reaching[row, limb]:
                    continue
                arm = figure.shoulder if limb < 2 else 0.0
                most = most_stretch(
                    figure, facings[row], base[row], limb, base_ends[row, limb, 0], base_ends[row, limb, 1]
                )
                if limb >= 2 and modes[row] == WALK:
                    most = WALKED_ON * (figure.thigh + figure.shank)
                x, z = ends[row, limb, 0], ends[row, limb, 1]
                dx = x - q[row, 0] - facings[row] * arm * math.sin(q[row, 2])
                dz = z - q[row, 1] - arm * math.cos(q[row, 2])
                away = math.sqrt(dx * dx + dz * dz)
                if away > most and limb >= 2 and dz < 0.0 and abs(dx) < 0.7 * most:
                    # Over a foot: lower, so that the way on is as even as it was.
                    q[row, 1] = z + math.sqrt(most * most - dx * dx)
                    moved = True
                elif away > most:
                    share = (away - most) / away
                    q[row, 0] += share * dx
                    q[row, 1] += share * dz
                    moved = True
            if not moved:
                break


@kernel
def clamp_ends(
    tables: FilterTables,
    base: FloatArray,
    facings: FloatArray,
    reaching: BoolArray,
    base_ends: FloatArray,
    q: FloatArray,
    ends: FloatArray,
) -> None:
    """Bring the ends of limbs on their way so near that they are in reach."""
    for row in range(len(q)):
        for limb in range(4):
            if not reaching[row, limb]:
                continue
            facing = facings[row]
            most = most_stretch(
                tables.figure, facing, base[row], limb, base_ends[row, limb, 0], base_ends[row, limb, 1]
            )
            arm = tables.figure.shoulder if limb < 2 else 0.0
            x, z = q[row, 0] + facing * arm * math.sin(q[row, 2]), q[row, 1] + arm * math.cos(q[row, 2])
            dx, dz = ends[row, limb, 0] - x, ends[row, limb, 1] - z
            away = math.sqrt(dx * dx + dz * dz)
            if away > most:
                ends[row, limb, 0] = x + dx * most / away
                ends[row, limb, 1] = z + dz * most / away


@kernel
def aim_limbs(
    tables: FilterTables,
    facings: FloatArray,
    grasps: Int32Array,
    reaching: BoolArray,
    ends: FloatArray,
    q: FloatArray,
) -> None:
    """Set limbs that hold or reach as well as they can."""
    for row in range(len(q)):
        for limb in range(4):
            if (grasps[row, limb] >= 0 or reaching[row, limb]) and abs(facings[row]) == 1.0:
                stretch_towards(tables.figure, facings[row], q[row], limb, ends[row, limb, 0], ends[row, limb, 1])
