"""Hash tables over cells of space and time."""

from __future__ import annotations

import math

from gambol.characters.kernels.clip_choice import WORD, scramble
from gambol.kernels.jit import allocation_free_kernel, kernel
from gambol.search.traffic_table import CIRCLE_RADIUS, CIRCLE_X, CIRCLE_Y, HEAD, KEY, NEXT, THING

COORDINATE_BITS = 20
PLACE_BITS = (1 << (2 * COORDINATE_BITS)) - 1  # those of a key that say where, not when
FARTHEST = (1 << (COORDINATE_BITS - 1)) - 2  # cells from the origin; what is farther counts as there
EVERYWHERE = -FARTHEST - 1  # the cell, both ways, that lists what is too large for single cells
RESTING = -1  # the block of frames that lists what rests
MOST_CELLS = 4096  # what covers more in one block is everywhere
FREE = -1  # key of a free row


@allocation_free_kernel
def cell_of(place, cell_m):
    """Return which cell a coordinate lies in."""
    return math.floor(min(max(place / cell_m, -FARTHEST), FARTHEST))


@allocation_free_kernel
def pack(block, column, row):
    """Return the key of a cell; never negative."""
    bias = FARTHEST + 1
    return ((block + 1) << (2 * COORDINATE_BITS)) | ((column + bias) << COORDINATE_BITS) | (row + bias)


@allocation_free_kernel
def find_row(table, key):
    """Return the row of a hash table that holds a key, or the free row where it belongs.

    The table's length is a power of two, and there is always a free row.
    """
    mask = table.shape[0] - 1
    row = scramble((key ^ (key >> 32)) & WORD) & mask
    while table[row, KEY] != key and table[row, KEY] != FREE:
        row = (row + 1) & mask
    return row


@kernel
def rehash(table, larger):
    """Enter all rows of a hash table into a larger one."""
    for row in range(table.shape[0]):
        if table[row, KEY] != FREE:
            larger[find_row(larger, table[row, KEY])] = table[row]


@kernel
def touched_cells(records, slots, first_frame, block_frames, cell_m, growth, keys):
    """Write the keys of the cells that a thing's slots come near, each once a block, and return their number.

    first_frame: of the first slot, or RESTING to have all in the block of what rests.  If there are
    more keys than there is room for, those beyond it are only counted.
    """
    count = 0
    slot = 0
    while slot < slots.shape[0]:
        block = RESTING
        end = slots.shape[0]
        if first_frame != RESTING:
            block = (first_frame + slot) // block_frames
            end = min((block + 1) * block_frames - first_frame, end)
        first, last = slots[slot, 0], slots[end - 1, 1]
        low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
        for record in range(first, last):
            reach = records[record, CIRCLE_RADIUS] + growth
            low_x = min(low_x, records[record, CIRCLE_X] - reach)
            low_y = min(low_y, records[record, CIRCLE_Y] - reach)
            high_x = max(high_x, records[record, CIRCLE_X] + reach)
            high_y = max(high_y, records[record, CIRCLE_Y] + reach)
        left, right = cell_of(low_x, cell_m), cell_of(high_x, cell_m)
        bottom, top = cell_of(low_y, cell_m), cell_of(high_y, cell_m)
        if (right - left + 1) * (top - bottom + 1) > MOST_CELLS:
            if count < keys.shape[0]:
                keys[count] = pack(block, EVERYWHERE, EVERYWHERE)
            count += 1
        else:
            for column in range(left, right + 1):
                for row in range(bottom, top + 1):
                    if comes_near(records, first, last, column, row, cell_m, growth):
                        if count < keys.shape[0]:
                            keys[count] = pack(block, column, row)
                        count += 1
        slot = end
    return count


@kernel
def comes_near(records, first, last, column, row, cell_m, growth):
    """Return whether the grown circle of any record from first to last - 1 meets a cell; the outermost have no end."""
    for record in range(first, last):
        x, y = records[record, CIRCLE_X], records[record, CIRCLE_Y]
        reach = records[record, CIRCLE_RADIUS] + growth
        beside_x = max(column * cell_m - x, x - (column + 1) * cell_m, 0.0)
        beside_y = max(row * cell_m - y, y - (row + 1) * cell_m, 0.0)
        is_outermost = abs(column) >= FARTHEST - 1 or abs(row) >= FARTHEST - 1
        if is_outermost or beside_x * beside_x + beside_y * beside_y <= reach * reach * (1.0 + 1e-12):
            return True
    return False


@kernel
def enter_thing(cells, entries, first_entry, keys, thing):
    """Put a thing in front of the lists of some cells; its entries are those from `first_entry` on."""
    for number in range(keys.shape[0]):
        row = find_row(cells, keys[number])
        entry = first_entry + number
        entries[entry, THING] = thing
        entries[entry, NEXT] = cells[row, HEAD] if cells[row, KEY] != FREE else -1
        cells[row, KEY] = keys[number]
        cells[row, HEAD] = entry


@kernel
def enter_marks(marks, keys, rests_after, rests_before):
    """Mark cells; what rests there does so after and before certain frames."""
    for number in range(keys.shape[0]):
        row = find_row(marks, keys[number])
        if marks[row, KEY] == FREE:
            marks[row, KEY] = keys[number]
            marks[row, 1] = rests_after
            marks[row, 2] = rests_before
        else:
            marks[row, 1] = min(marks[row, 1], rests_after)
            marks[row, 2] = max(marks[row, 2], rests_before)
