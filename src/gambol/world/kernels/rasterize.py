"""Lay out placed pieces over the grids of a world."""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import kernel
from gambol.world.kernels.geometry import distance_to_piece, room_inside

BLOCK = 8  # cells along the side of a block, whose cells share a shortlist
DISTRICT = 8  # blocks along the side of a district, whose blocks share one
ROUNDING_M = 1e-9  # more than what floating point does to distances


@kernel
def shortlist(pieces, candidates, count, x, y, reach, distances, chosen):
    """Choose those of the first `count` candidates that may be nearest to some point within reach of (x, y).

    The distance to a piece changes by at most the way gone.  So what is nearest there is here at most
    twice the reach further off than what is nearest here.
    """
    nearest = math.inf
    for index in range(count):
        distances[index] = distance_to_piece(pieces, candidates[index], x, y)
        nearest = min(nearest, distances[index])
    size = 0
    for index in range(count):
        if distances[index] <= nearest + 2.0 * reach + ROUNDING_M:
            chosen[size] = candidates[index]
            size += 1
    return size


@kernel
def fill_block(field, pieces, bounds, cell_m, row, column, nearby, count):
    """Set the cells of the block that begins at a row and column, looking at `count` pieces nearby."""
    for j in range(row, min(row + BLOCK, field.shape[0])):
        y = bounds[1] + (j + 0.5) * cell_m
        for i in range(column, min(column + BLOCK, field.shape[1])):
            x = bounds[0] + (i + 0.5) * cell_m
            nearest = room_inside(bounds, x, y)
            for index in range(count):
                nearest = min(nearest, distance_to_piece(pieces, nearby[index], x, y))
            field[j, i] = nearest


@kernel
def clearance_field(pieces, bounds, cell_m, rows, columns):
    """Return the distance from each cell's centre to the nearest piece or bound: exactly, and not above 0 in one."""
    field = np.empty((rows, columns))
    total = pieces.radius.size
    everything = np.arange(total)
    distances, in_district, in_block = np.empty(total), np.empty(total, np.int64), np.empty(total, np.int64)
    block_reach = 0.5 * math.sqrt(2.0) * BLOCK * cell_m
    stride = BLOCK * DISTRICT
    for row in range(0, rows, stride):
        for column in range(0, columns, stride):
            x, y = bounds[0] + (column + 0.5 * stride) * cell_m, bounds[1] + (row + 0.5 * stride) * cell_m
            many = shortlist(pieces, everything, total, x, y, DISTRICT * block_reach, distances, in_district)
            for j in range(row, min(row + stride, rows), BLOCK):
                for i in range(column, min(column + stride, columns), BLOCK):
                    x, y = bounds[0] + (i + 0.5 * BLOCK) * cell_m, bounds[1] + (j + 0.5 * BLOCK) * cell_m
                    few = shortlist(pieces, in_district, many, x, y, block_reach, distances, in_block)
                    fill_block(field, pieces, bounds, cell_m, j, i, in_block, few)
    return field


@kernel
def mended_clearance(field, pieces, changed, bounds, cell_m):
    """Return a clearance field where some pieces have changed, from the one before.

    changed: those that have gone, where they were, and those that have come.  The field of a block can
    only be another if one of them is as near to some of its cells as what was nearest there.
    """
    new = field.copy()
    rows, columns = field.shape
    total = pieces.radius.size
    everything = np.arange(total)
    distances, in_block = np.empty(total), np.empty(total, np.int64)
    reach = 0.5 * math.sqrt(2.0) * BLOCK * cell_m
    for row in range(0, rows, BLOCK):
        for column in range(0, columns, BLOCK):
            x, y = bounds[0] + (column + 0.5 * BLOCK) * cell_m, bounds[1] + (row + 0.5 * BLOCK) * cell_m
            # Distances differ by no more than the way between two places, and all of the block is within two reaches.
            farthest = field[row, column] + 2.0 * reach + ROUNDING_M
            is_touched = False
            for piece in range(changed.radius.size):
                if distance_to_piece(changed, piece, x, y) <= farthest + reach:
                    is_touched = True
            if is_touched:
                count = shortlist(pieces, everything, total, x, y, reach, distances, in_block)
                fill_block(new, pieces, bounds, cell_m, row, column, in_block, count)
    return new


@kernel
def bin_range(least, greatest, start, bin_m, count):
    """Return first and last bin along an axis that an interval meets; none if the last is before the first."""
    first = min(max(math.floor((least - start) / bin_m), 0.0), float(count))
    last = min(max(math.floor((greatest - start) / bin_m), -1.0), count - 1.0)
    return int(first), int(last)


@kernel
def bins_around(pieces, piece, reach, grid):
    """Return the ranges of columns and rows of bins that a piece's box, widened by the reach, meets."""
    if reach < 0.0:
        return 0, -1, 0, -1
    left, right = bin_range(pieces.boxes[piece, 0] - reach, pieces.boxes[piece, 2] + reach, grid[0], grid[2], grid[4])
    low, high = bin_range(pieces.boxes[piece, 1] - reach, pieces.boxes[piece, 3] + reach, grid[1], grid[2], grid[3])
    return left, right, low, high


@kernel
def bins_within(pieces, reaches, grid):
    """Return bin, piece and gap of all pairs not further apart than the piece's reach; negative reaches have none.

    The grid is x0, y0, size of a bin, rows and columns.  The gap is a lower bound of the distance from
    any point of the bin to the piece.
    """
    x0, y0, bin_m, _, columns = grid
    capacity = 0
    for piece in range(reaches.size):
        left, right, low, high = bins_around(pieces, piece, reaches[piece], grid)
        capacity += max(right - left + 1, 0) * max(high - low + 1, 0)
    where, which, gap = np.empty(capacity, np.int64), np.empty(capacity, np.int32), np.empty(capacity)
    size = 0
    for piece in range(reaches.size):
        left, right, low, high = bins_around(pieces, piece, reaches[piece], grid)
        for row in range(low, high + 1):
            for column in range(left, right + 1):
                x, y = x0 + (column + 0.5) * bin_m, y0 + (row + 0.5) * bin_m
                # The centre is at most half a diagonal away from any point of the bin, but for rounding.
                away = distance_to_piece(pieces, piece, x, y) - math.sqrt(0.5) * bin_m - ROUNDING_M
                if away <= reaches[piece]:
                    where[size], which[size], gap[size] = row * columns + column, piece, away
                    size += 1
    return where[:size], which[:size], gap[:size]


@kernel
def sort_into_bins(where, gap, bins):
    """Return the order of entries by bin, those of a bin by gap, and where each bin begins; equals keep their order."""
    ends = np.zeros(bins + 2, np.int64)  # of the bins before: moved up by one as entries come in
    for entry in range(where.size):
        ends[where[entry] + 2] += 1
    for there in range(2, bins + 2):
        ends[there] += ends[there - 1]
    order = np.empty(where.size, np.int64)
    for entry in range(where.size):
        order[ends[where[entry] + 1]] = entry
        ends[where[entry] + 1] += 1
    for index in range(1, where.size):
        entry, place = order[index], index
        while place > 0 and where[order[place - 1]] == where[entry] and gap[order[place - 1]] > gap[entry]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = entry
    return order, ends[:-1]
