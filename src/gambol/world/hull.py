"""Convex hulls in the plane, by the core."""

from __future__ import annotations

import numpy as np

from gambol.core import lib, pointer
from gambol.geometry.arrays import BoolArray, FloatArray


def convex_hull(points: FloatArray) -> FloatArray:
    """Return the corners (H, 2), counter-clockwise, of the convex hull of points (P, 2) sorted by x, then y.

    Points on one line give their two ends, a single point gives itself.
    """
    points = np.ascontiguousarray(points, np.float64)
    corners = np.empty(2 * len(points), np.int64)
    count = lib.gb_hull(pointer(points, "double"), len(points), pointer(corners, "int64_t"))
    return points[corners[:count]]


def hull_area(points: FloatArray) -> float:
    """Return the area of the convex hull of points sorted by x, then y."""
    hull = convex_hull(points)
    return float(lib.gb_hull_area(pointer(hull, "double"), len(hull)))


def hull_fits(hull: FloatArray, allowed: BoolArray, first_row: int, first_column: int, cell_m: float) -> bool:
    """Tell whether all cells with middles inside a hull are allowed.

    allowed: (rows, columns); its first cell begins at `cell_m * (first_column, first_row)`.
    """
    cells = np.ascontiguousarray(allowed, np.bool_)
    within = lib.gb_hull_is_within(
        pointer(hull, "double"), len(hull), pointer(cells, "uint8_t"), *cells.shape, first_row, first_column, cell_m
    )
    return bool(within)
