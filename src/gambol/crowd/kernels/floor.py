"""Stamp obstacles onto grids, and survey where a floor is open."""

from __future__ import annotations

from gambol.kernels.jit import allocation_free_kernel
from gambol.world.kernels.geometry import distance_to_piece, room_inside

BLOCK = 16  # cells along the side of a block
FORECOURT = 64  # and more: before a gate
KEPT_CLEAR = 127
LEAP_ROOM_M = 1.5  # an open block has this much room everywhere


@allocation_free_kernel
def cells_between(least, greatest, start, cell_m, count):
    """Return the first cell along an axis that may have its centre in an interval, and the one after the last."""
    first = min(max((least - start) / cell_m - 0.5, 0.0), float(count))
    last = min(max((greatest - start) / cell_m + 1.5, 0.0), float(count))
    return int(first), int(last)


@allocation_free_kernel
def stamp_distances(field, bounds, cell_m, cap_m, pieces, box):
    """Set the cells in a box to the distance from their centre to the nearest piece or bound, at most `cap_m`.

    Exact, and not above 0 inside a piece.  All pieces closer than the cap to the box must be among those given.
    """
    rows, columns = field.shape
    left, right = cells_between(box[0], box[2], bounds[0], cell_m, columns)
    low, high = cells_between(box[1], box[3], bounds[1], cell_m, rows)
    for row in range(low, high):
        y = bounds[1] + (row + 0.5) * cell_m
        for column in range(left, right):
            x = bounds[0] + (column + 0.5) * cell_m
            field[row, column] = min(cap_m, room_inside(bounds, x, y))
    for piece in range(pieces.radius.size):
        x0, y0 = pieces.boxes[piece, 0] - cap_m, pieces.boxes[piece, 1] - cap_m
        x1, y1 = pieces.boxes[piece, 2] + cap_m, pieces.boxes[piece, 3] + cap_m
        first_column, end_column = cells_between(x0, x1, bounds[0], cell_m, columns)
        first_row, end_row = cells_between(y0, y1, bounds[1], cell_m, rows)
        for row in range(max(low, first_row), min(high, end_row)):
            y = bounds[1] + (row + 0.5) * cell_m
            column, end = max(left, first_column), min(right, end_column)
            while column < end:
                x = bounds[0] + (column + 0.5) * cell_m
                away = distance_to_piece(pieces, piece, x, y)
                if away < field[row, column]:
                    field[row, column] = away
                # A distance shrinks by no more than the way gone: skip what is beyond the cap for certain.
                column += max(1, int((away - cap_m) / cell_m))


@allocation_free_kernel
def is_busy(floor, block_row, block_column):
    """Tell whether some cell of a block has little room or a one-way rule, or is kept clear."""
    rows, columns = floor.room.shape
    for row in range(block_row * BLOCK, min((block_row + 1) * BLOCK, rows)):
        for column in range(block_column * BLOCK, min((block_column + 1) * BLOCK, columns)):
            if floor.room[row, column] < LEAP_ROOM_M or floor.way[row, column] >= 0:
                return True
            if floor.gate[row, column] == KEPT_CLEAR:
                return True
    return False


@allocation_free_kernel
def has_lane(floor, block_row, block_column):
    """Tell whether some cell of a block has a one-way rule or is kept clear."""
    rows, columns = floor.room.shape
    for row in range(block_row * BLOCK, min((block_row + 1) * BLOCK, rows)):
        for column in range(block_column * BLOCK, min((block_column + 1) * BLOCK, columns)):
            if floor.way[row, column] >= 0 or floor.gate[row, column] == KEPT_CLEAR:
                return True
    return False


@allocation_free_kernel
def survey_blocks(floor, low, high, left, right):
    """Look again at the blocks in a range of block rows and columns, and count how far all are from busy ones."""
    rows, columns = floor.leap.shape
    for row in range(rows):
        for column in range(columns):
            if low <= row < high and left <= column < right:
                is_open = not is_busy(floor, row, column)
            else:
                is_open = floor.leap[row, column] > 0
            floor.leap[row, column] = rows + columns if is_open else 0
    for row in range(rows):
        for column in range(columns):
            least = floor.leap[row, column]
            if least > 0 and column > 0:
                least = min(least, floor.leap[row, column - 1] + 1)
            if least > 0 and row > 0:
                for i in range(max(column - 1, 0), min(column + 2, columns)):
                    least = min(least, floor.leap[row - 1, i] + 1)
            floor.leap[row, column] = least
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            least = floor.leap[row, column]
            if least > 0 and column < columns - 1:
                least = min(least, floor.leap[row, column + 1] + 1)
            if least > 0 and row < rows - 1:
                for i in range(max(column - 1, 0), min(column + 2, columns)):
                    least = min(least, floor.leap[row + 1, i] + 1)
            floor.leap[row, column] = least


@allocation_free_kernel
def survey_lanes(floor):
    """Mark all blocks that have a lane, and those next to them."""
    rows, columns = floor.lanes.shape
    floor.lanes[:] = False
    for row in range(rows):
        for column in range(columns):
            if has_lane(floor, row, column):
                for j in range(max(row - 1, 0), min(row + 2, rows)):
                    for i in range(max(column - 1, 0), min(column + 2, columns)):
                        floor.lanes[j, i] = True
