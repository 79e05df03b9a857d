"""Convex hulls in the plane."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.kernels.jit import kernel


@kernel
def convex_hull(points: FloatArray) -> FloatArray:
    """Return the corners (H, 2), counter-clockwise, of the convex hull of points (P, 2) sorted by x, then y.

    Andrew's monotone chain.  Points on one line give their two ends, a single point gives itself.
    """
    count = len(points)
    chain = np.empty(2 * count, dtype=np.int64)
    size = 0
    for turn in range(2):
        base = size
        for step in range(count):
            i = step if turn == 0 else count - 1 - step
            while size >= base + 2 and cross(points, chain[size - 2], chain[size - 1], i) <= 0.0:
                size -= 1
            chain[size] = i
            size += 1
        size -= 1  # the last of one chain is the first of the other
    size = max(size, 1)
    if size == 2 and points[chain[0], 0] == points[chain[1], 0] and points[chain[0], 1] == points[chain[1], 1]:
        size = 1
    hull = np.empty((size, 2))
    for k in range(size):
        hull[k, 0] = points[chain[k], 0]
        hull[k, 1] = points[chain[k], 1]
    return hull


@kernel
def cross(points: FloatArray, a: int, b: int, c: int) -> float:
    """Return twice the area of a triangle of points, positive where it runs counter-clockwise."""
    return (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1]) - (points[b, 1] - points[a, 1]) * (
        points[c, 0] - points[a, 0]
    )


@kernel
def hull_area(points: FloatArray) -> float:
    """Return the area of the convex hull of points sorted by x, then y."""
    hull = convex_hull(points)
    area = 0.0
    for k in range(len(hull)):
        after = (k + 1) % len(hull)
        area += hull[k, 0] * hull[after, 1] - hull[after, 0] * hull[k, 1]
    return 0.5 * area


@kernel
def hull_fits(hull: FloatArray, allowed: BoolArray, first_row: int, first_column: int, cell_m: float) -> bool:
    """Tell whether all cells with middles inside a hull are allowed.

    allowed: (rows, columns); its first cell begins at `cell_m * (first_column, first_row)`.
    """
    for row in range(allowed.shape[0]):
        y = (first_row + row + 0.5) * cell_m
        left = np.inf
        right = -np.inf
        for k in range(len(hull)):  # where the row's middle line crosses the hull
            after = (k + 1) % len(hull)
            y0, y1 = hull[k, 1], hull[after, 1]
            if (y0 <= y) != (y1 <= y):
                x = hull[k, 0] + (y - y0) / (y1 - y0) * (hull[after, 0] - hull[k, 0])
                left = min(left, x)
                right = max(right, x)
        if left > right:
            continue
        for column in range(allowed.shape[1]):
            x = (first_column + column + 0.5) * cell_m
            if left < x < right and not allowed[row, column]:
                return False
    return True
