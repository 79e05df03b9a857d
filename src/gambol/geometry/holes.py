"""Holes in sets of cells."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import BoolArray


def without_holes(filled: BoolArray) -> BoolArray:
    """Return filled cells (..., any number of axes) and those from which no way over open ones leads to the border."""
    open_cells = ~filled
    outside = np.zeros_like(filled)
    for axis in range(filled.ndim):
        for side in (0, -1):
            np.moveaxis(outside, axis, 0)[side] = np.moveaxis(open_cells, axis, 0)[side]
    before = -1
    while before != (before := np.count_nonzero(outside)):
        for axis in range(filled.ndim):
            reached, free = np.moveaxis(outside, axis, 0), np.moveaxis(open_cells, axis, 0)
            for order in (range(1, len(reached)), range(len(reached) - 2, -1, -1)):
                for row in order:
                    reached[row] |= reached[row - order.step] & free[row]
    return ~outside
