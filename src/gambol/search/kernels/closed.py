"""Where no body can be: cells in which every instant of every clip of a character meets an obstacle."""

from __future__ import annotations

import math

from gambol.geometry.kernels.convex import point_to_convex, point_to_segment_squared
from gambol.kernels.jit import allocation_free_kernel


@allocation_free_kernel
def depth_in_piece(pieces, piece, x, y):
    """Return how deep a point is inside a piece; negative outside."""
    first, last = pieces.first_corner[piece], pieces.first_corner[piece + 1]
    outside = point_to_convex(pieces.corner_x, pieces.corner_y, first, last, x, y)
    if outside > 0.0 or last - first < 3:
        return pieces.radius[piece] - outside
    nearest = math.inf
    before = last - 1
    for corner in range(first, last):
        squared = point_to_segment_squared(
            pieces.corner_x[before], pieces.corner_y[before], pieces.corner_x[corner], pieces.corner_y[corner], x, y
        )
        nearest = min(nearest, squared)
        before = corner
    return pieces.radius[piece] + math.sqrt(nearest)


@allocation_free_kernel
def close_cells(pieces, cores, slack, x0, y0, cell, window, closed):
    """Close the cells all of which, and all within `slack` of them, is nearer to a piece than its core says.

    cores (P,): no root can be this near to a piece; not above 0 where a body can get over or under it.
    window: the first row and column to look at, and those after the last.
    """
    needed = cell * math.sqrt(0.5) + slack
    for piece in range(cores.shape[0]):
        core = cores[piece]
        if core <= 0.0:
            continue
        least_x, least_y = pieces.boxes[piece, 0] - core, pieces.boxes[piece, 1] - core
        greatest_x, greatest_y = pieces.boxes[piece, 2] + core, pieces.boxes[piece, 3] + core
        left, right = max(window[1], int((least_x - x0) / cell)), min(window[3], int((greatest_x - x0) / cell) + 1)
        for row in range(max(window[0], int((least_y - y0) / cell)), min(window[2], int((greatest_y - y0) / cell) + 1)):
            y = y0 + (row + 0.5) * cell
            for column in range(left, right):
                if closed[row, column]:
                    continue
                x = x0 + (column + 0.5) * cell
                if depth_in_piece(pieces, piece, x, y) + core >= needed:
                    closed[row, column] = True


@allocation_free_kernel
def core_radius(part_offset, part_radius, part_low, part_high, bottom, top):
    """Return how near a root may at least come to something that fills the heights from bottom to top.

    Not above 0 if some instant has no part around the root at these heights: it may be crossed.
    """
    least = math.inf
    for sample in range(part_radius.shape[0]):
        widest = 0.0
        for part in range(part_radius.shape[1]):
            low, high = part_low[sample, part], part_high[sample, part]
            if low < top and bottom < high and low < high:
                ahead, aside = part_offset[sample, part, 0], part_offset[sample, part, 1]
                widest = max(widest, part_radius[sample, part] - math.sqrt(ahead * ahead + aside * aside))
        if widest <= 0.0:
            return 0.0
        least = min(least, widest)
    return least
