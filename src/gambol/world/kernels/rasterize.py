"""Lay out placed pieces over the grids of a world."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gambol.geometry.arrays import FloatArray, Int32Array, Int64Array
from gambol.kernels.jit import kernel
from gambol.world.kernels.geometry import Bounds, distance_to_piece, room_inside

if TYPE_CHECKING:
    from gambol.world.table import BinGrid, Pieces

BLOCK = 8  # cells, >= 1: side of a block, whose cells share a shortlist of pieces; larger: longer shortlists
DISTRICT = 8  # blocks, >= 1: side of a district, whose blocks share a shortlist; larger: longer shortlists
ROUNDING_M = 1e-9  # metres: more than the rounding of distances; larger only lengthens lists


@kernel
def shortlist(
    pieces: Pieces,
    candidates: Int64Array,
    count: int,
    x: float,
    y: float,
    reach: float,
    distances: FloatArray,
    chosen: Int64Array,
) -> int:
    """Choose those of the first `count` candidates that may be nearest to a point within reach of (x, y).

    The distance to a piece changes by at most the way from point to point.  So the piece nearest to another point is
    at (x, y) at most twice the reach farther away than the piece nearest to (x, y).
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
def fill_block(
    field: FloatArray,
    pieces: Pieces,
    bounds: Bounds,
    cell_m: float,
    row: int,
    column: int,
    nearby: Int64Array,
    count: int,
) -> None:
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
def clearance_field(pieces: Pieces, bounds: Bounds, cell_m: float, rows: int, columns: int) -> FloatArray:
    """Return the exact distance from each cell's centre to the nearest piece or bound; at most 0 inside one."""
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
def mended_clearance(field: FloatArray, pieces: Pieces, changed: Pieces, bounds: Bounds, cell_m: float) -> FloatArray:
    """Return the clearance field after some pieces have changed, from the field before.

    changed: removed pieces, where they were, and new ones.  A block's field can only change if one of them is as near
    to one of its cells as the nearest piece was.
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
            # Distances differ by at most the way between two places, and the block is at most two reaches across.
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
def bin_range(least: float, greatest: float, start: float, bin_m: float, count: int) -> tuple[int, int]:
    """Return first and last bin that an interval meets along an axis; if last < first, it meets none."""
    first = min(max(math.floor((least - start) / bin_m), 0.0), float(count))
    last = min(max(math.floor((greatest - start) / bin_m), -1.0), count - 1.0)
    return int(first), int(last)


@kernel
def bins_around(pieces: Pieces, piece: int, reach: float, grid: BinGrid) -> tuple[int, int, int, int]:
    """Return the ranges of columns and rows of bins that a piece's box, widened by the reach, meets."""
    if reach < 0.0:
        return 0, -1, 0, -1
    left, right = bin_range(pieces.boxes[piece, 0] - reach, pieces.boxes[piece, 2] + reach, grid[0], grid[2], grid[4])
    low, high = bin_range(pieces.boxes[piece, 1] - reach, pieces.boxes[piece, 3] + reach, grid[1], grid[2], grid[3])
    return left, right, low, high


@kernel
def bins_within(pieces: Pieces, reaches: FloatArray, grid: BinGrid) -> tuple[Int64Array, Int32Array, FloatArray]:
    """Return bin, piece and gap of all pairs at most the piece's reach apart; a negative reach has no pairs.

    grid: x0, y0, size of a bin, rows, columns.
    The gap is a lower bound of the distance from any point of the bin to the piece.
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
                # The centre is at most half a diagonal from any point of the bin, apart from rounding.
                away = distance_to_piece(pieces, piece, x, y) - math.sqrt(0.5) * bin_m - ROUNDING_M
                if away <= reaches[piece]:
                    where[size], which[size], gap[size] = row * columns + column, piece, away
                    size += 1
    return where[:size], which[:size], gap[:size]


@kernel
def sort_into_bins(where: Int64Array, gap: FloatArray, bins: int) -> tuple[Int64Array, Int64Array]:
    """Return the order of entries by bin, then gap, and the first entry of each bin; equals keep their order."""
    ends = np.zeros(bins + 2, np.int64)  # ends[bin + 1] begins as the bin's first place and moves up with its entries
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
