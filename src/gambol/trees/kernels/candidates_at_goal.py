"""The nodes of a tree at a goal, cheapest first: lists of cells, merged as they are asked for."""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel
from gambol.search.moves import NO_COST

NO_NODE = -1
FAR_CELLS = 1e12  # cells: an index beyond this is no cell


@inlined_kernel
def cell_along(value, start, cell):
    """Return the cell of a coordinate along an axis; of one that is very far off, some cell far off."""
    return np.int64(math.floor(min(max((value - start) / cell, -FAR_CELLS), FAR_CELLS)))


@inlined_kernel
def last_cell_from(low, start, cell, beyond):
    """Return the last cell along an axis whose overlapped square begins at a coordinate or before it."""
    return cell_along(low + beyond, start, cell)


@allocation_free_kernel
def open_lists(tree, asked, gx, gy, tolerance, scratch):
    """Set cursors to the lists that hold every node within the tolerance of a goal; return how many there are.

    As few overlapped squares as cover the goal's own: one, where the tolerance is not above half of what they exceed
    their cells by.
    """
    cell, beyond = tree.cell_m, 0.5 * (tree.overlap_m - tree.cell_m)
    count = np.int64(0)
    if tolerance <= beyond:
        row, column = cell_along(gy, tree.y0, cell), cell_along(gx, tree.x0, cell)
        if 0 <= row < tree.rows and 0 <= column < tree.columns:
            count = open_cell(tree, asked, row * tree.columns + column, scratch, count)
        return count
    # No node lies outside the grid.
    top, right = min(gy + tolerance, tree.y0 + tree.rows * cell), min(gx + tolerance, tree.x0 + tree.columns * cell)
    bottom, left = max(gy - tolerance, tree.y0), max(gx - tolerance, tree.x0)
    row = last_cell_from(bottom, tree.y0, cell, beyond)
    covered_y = bottom
    while covered_y < top:
        column = last_cell_from(left, tree.x0, cell, beyond)
        covered_x = left
        while covered_x < right:
            if row < tree.rows and column < tree.columns:
                count = open_cell(tree, asked, row * tree.columns + column, scratch, count)
            covered_x = tree.x0 + (column + 1) * cell + beyond
            column = max(column + 1, last_cell_from(covered_x, tree.x0, cell, beyond))
        covered_y = tree.y0 + (row + 1) * cell + beyond
        row = max(row + 1, last_cell_from(covered_y, tree.y0, cell, beyond))
    return count


@inlined_kernel
def open_cell(tree, asked, cell, scratch, count):
    """Set cursors to the lists of one cell; return how many lists are open then."""
    for group in range(tree.groups):
        number = cell * tree.groups + group
        if asked.group[group] and tree.first_entry[number] < tree.first_entry[number + 1]:
            scratch.cursor[count], scratch.end[count] = tree.first_entry[number], tree.first_entry[number + 1]
            count += 1
    return count


@inlined_kernel
def next_candidate(tree, scratch, lists):
    """Take the cheapest node off the lists, or NO_NODE."""
    if lists == 1:
        if scratch.cursor[0] == scratch.end[0]:
            return np.int64(NO_NODE)
        scratch.cursor[0] += 1
        return np.int64(tree.entries[scratch.cursor[0] - 1])
    best, least = -1, NO_COST
    for number in range(lists):
        if scratch.cursor[number] < scratch.end[number]:
            cost = np.int64(tree.cost[tree.entries[scratch.cursor[number]]])
            if cost < least:
                best, least = number, cost
    if best < 0:
        return np.int64(NO_NODE)
    node = np.int64(tree.entries[scratch.cursor[best]])
    scratch.cursor[best] += 1
    return node
