"""Distances to a goal through free space: the wave front, and look-ups between the middles of cells [KP00 3.2]."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel

NO_WAY = 1e9


class PotentialTable(NamedTuple):
    """Manhattan distances to a goal, in metres, at the middles of square cells."""

    low_x: float  # the middle of the first cell
    low_z: float
    cell: float
    distance: NDArray[np.float32]  # (columns, rows); NO_WAY where no way leads to the goal


class ControlTable(NamedTuple):
    """One such table for each control point."""

    low_x: float
    low_z: float
    cell: float
    distance: NDArray[np.float32]  # (points, columns, rows)


@kernel
def spread_wave(free: NDArray[np.bool_], column: int, row: int, cell: float, distance: NDArray[np.float32]) -> None:
    """Write the length of the shortest way over free cells, side by side, from a cell to every other."""
    columns, rows = free.shape
    queue = np.empty((columns * rows, 2), dtype=np.int32)
    steps = np.full((columns, rows), -1, dtype=np.int32)
    distance[:, :] = NO_WAY
    queue[0, 0], queue[0, 1] = column, row
    steps[column, row] = 0
    head, tail = 0, 1
    while head < tail:
        i, j = queue[head, 0], queue[head, 1]
        head += 1
        distance[i, j] = steps[i, j] * cell
        for side in range(4):
            k = i + (side == 0) - (side == 1)
            m = j + (side == 2) - (side == 3)
            if 0 <= k < columns and 0 <= m < rows and free[k, m] and steps[k, m] < 0:
                steps[k, m] = steps[i, j] + 1
                queue[tail, 0], queue[tail, 1] = k, m
                tail += 1


@kernel
def between_cells(low_x: float, low_z: float, cell: float, distance: NDArray[np.float32], x: float, z: float) -> float:
    """Return the distance at a point from the four cells whose middles surround it.

    Bilinear where a way leads from all four; else the least over those from which one does, with the distance
    to their middles; NO_WAY if none.
    """
    columns, rows = distance.shape
    across, up = (x - low_x) / cell, (z - low_z) / cell
    if not (across > -1.0 and up > -1.0 and across < columns and up < rows):
        return NO_WAY
    i, j = math.floor(across), math.floor(up)
    s, t = across - i, up - j
    total = 0.0
    least = NO_WAY
    whole = True
    for a in range(2):
        for b in range(2):
            inside = 0 <= i + a < columns and 0 <= j + b < rows
            value = float(distance[i + a, j + b]) if inside else NO_WAY
            if value >= NO_WAY:
                whole = False
                continue
            total += value * (s if a == 1 else 1.0 - s) * (t if b == 1 else 1.0 - t)
            least = min(least, value + cell * math.hypot(s - a, t - b))
    return total if whole else least


@kernel
def potential_at(table: PotentialTable, x: float, z: float) -> float:
    """Return how far it is from a point to the goal, in metres; NO_WAY where no way leads there."""
    return between_cells(table.low_x, table.low_z, table.cell, table.distance, x, z)


@kernel
def control_potential(table: ControlTable, points: FloatArray) -> float:
    """Return the sum of the distances of control points (P, 2) to their goals; NO_WAY where one has no way."""
    total = 0.0
    for point in range(len(table.distance)):
        value = between_cells(
            table.low_x, table.low_z, table.cell, table.distance[point], points[point, 0], points[point, 1]
        )
        if value >= NO_WAY:
            return NO_WAY
        total += value
    return total
