"""Distances to convex polygons, given as ranges of corners: for kernels of crowds, others ask the core."""

from __future__ import annotations

import math

from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel


@kernel
def point_to_segment_squared(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> float:
    """Return the square of the distance from (x, y) to the segment from a to b, which may be a point."""
    along_x, along_y = bx - ax, by - ay
    away_x, away_y = x - ax, y - ay
    length_squared = along_x * along_x + along_y * along_y
    if length_squared > 0.0:
        share = (away_x * along_x + away_y * along_y) / length_squared
        share = min(max(share, 0.0), 1.0)
        away_x -= share * along_x
        away_y -= share * along_y
    return away_x * away_x + away_y * away_y


@kernel
def point_to_convex(xs: FloatArray, ys: FloatArray, first: int, last: int, x: float, y: float) -> float:
    """Return the distance from (x, y) to the convex polygon with corners first .. last - 1; 0 inside.

    The corners (N,) run counter-clockwise.  One corner is a point, two are a segment; corners that repeat or lie on
    one line do no harm.
    """
    nearest = math.inf
    is_left_of_some = False
    is_right_of_some = False
    before = last - 1
    for corner in range(first, last):
        ax, ay, bx, by = xs[before], ys[before], xs[corner], ys[corner]
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if side > 0.0:
            is_left_of_some = True
        elif side < 0.0:
            is_right_of_some = True
        nearest = min(nearest, point_to_segment_squared(ax, ay, bx, by, x, y))
        before = corner
    if is_left_of_some and not is_right_of_some:
        return 0.0
    return math.sqrt(nearest)
