"""The length of the way to a goal around what nobody can cross: a lower bound that is never too long.

Distances stand on the corners of a grid of square cells, some of which are closed, and count steps
along and across open cells.  A shortest way through open cells is a chain of straight pieces between
corners; the steps just below a straight piece stay in the cells it passes, and are at most TOO_LONG
times as long [the octile distance at 22.5 degrees].  So divided by that the count is a lower bound at
the corners; inside a cell it is one less the distance from a corner, for every corner.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, kernel

FAR = 1e18
DIAGONAL = math.sqrt(2.0)
TOO_LONG = math.sqrt(4.0 - 2.0 * DIAGONAL)  # how much longer a way in eight directions can be than the straight one


@allocation_free_kernel
def is_edge_open(closed, row, column, down, right):
    """Return whether one can go from a corner to the neighbour `down` rows and `right` columns on."""
    rows, columns = closed.shape
    if down != 0 and right != 0:
        return not closed[row + min(down, 0), column + min(right, 0)]
    if down == 0:
        at = column + min(right, 0)
        return (row > 0 and not closed[row - 1, at]) or (row < rows and not closed[row, at])
    at = row + min(down, 0)
    return (column > 0 and not closed[at, column - 1]) or (column < columns and not closed[at, column])


@kernel
def count_cells(closed, field):
    """Spread distances from the corners that are set (others are FAR) over open cells, in cells, in eight directions.

    Corners wait in rings one cell wide; as no step is longer than two, three rings are ever in use.
    """
    rows, columns = field.shape
    capacity = 8 * rows * columns + 8
    rings = np.empty((3, capacity), dtype=np.int32)
    counts = np.zeros(3, dtype=np.int64)
    for corner in range(rows * columns):
        if field[corner // columns, corner % columns] < FAR:
            rings[0, counts[0]] = corner
            counts[0] += 1
    ring, empty = 0, 0
    level = 0.0
    while empty < 3:
        at = 0
        now = ring % 3
        while at < counts[now]:  # the ring may grow while it is gone through
            corner = rings[now, at]
            at += 1
            row, column = corner // columns, corner % columns
            value = field[row, column]
            if value < level:
                continue  # settled in an earlier ring
            for down in range(-1, 2):
                for right in range(-1, 2):
                    r, c = row + down, column + right
                    if (down == 0 and right == 0) or r < 0 or c < 0 or r >= rows or c >= columns:
                        continue
                    reached = value + (DIAGONAL if down != 0 and right != 0 else 1.0)
                    if reached < field[r, c] - 1e-12 and is_edge_open(closed, row, column, down, right):
                        field[r, c] = reached
                        later = min(2, int(reached - level))
                        into = (ring + later) % 3
                        if counts[into] < capacity:
                            rings[into, counts[into]] = r * columns + c
                            counts[into] += 1
        empty = empty + 1 if counts[now] == 0 else 0
        counts[now] = 0
        ring += 1
        level += 1.0


@allocation_free_kernel
def way_left(fields, leg, u, v):
    """Return a lower bound, in cells, of the way left from column u and row v; FAR if there is none.

    fields: (L, rows, columns) counted cells, already divided by TOO_LONG.
    """
    _, rows, columns = fields.shape
    column, row = math.floor(u), math.floor(v)
    if column < 0 or row < 0 or column >= columns - 1 or row >= rows - 1:
        return FAR
    u -= column
    v -= row
    left = 0.0
    for down in range(2):
        for right in range(2):
            value = fields[leg, row + down, column + right]
            left = max(left, value - math.sqrt((u - right) ** 2 + (v - down) ** 2))
    return left
