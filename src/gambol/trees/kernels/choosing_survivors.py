"""Choose the path that survives in the most worlds in which too few of those chosen do."""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel, kernel
from gambol.trees.kernels.choosing import add_path, missing_nodes

WORD_BITS = 64


@allocation_free_kernel
def shut_cells(cells, boxes, box_world, radius, shut):
    """Set in shut (cells, words) the bit of a box's world for each cell whose middle is at most a radius from the box.

    boxes (B, 5): centre, angle, half length, half width.  A box that shuts the root's cell is left out.
    """
    x0, y0, cell_m = cells.x0, cells.y0, cells.cell_m
    for box in range(len(boxes)):
        x, y, half_length, half_width = boxes[box, 0], boxes[box, 1], boxes[box, 3], boxes[box, 4]
        cosine, sine = math.cos(boxes[box, 2]), math.sin(boxes[box, 2])
        root = cells.cell[0]
        root_x, root_y = x0 + (root % cells.columns + 0.5) * cell_m, y0 + (root // cells.columns + 0.5) * cell_m
        if is_near_box(root_x - x, root_y - y, cosine, sine, half_length, half_width, radius):
            continue
        word, bit = box_world[box] // WORD_BITS, np.uint64(1) << np.uint64(box_world[box] % WORD_BITS)
        reach_x = abs(cosine) * half_length + abs(sine) * half_width + radius
        reach_y = abs(sine) * half_length + abs(cosine) * half_width + radius
        left, right = max(0, math.floor((x - reach_x - x0) / cell_m)), math.floor((x + reach_x - x0) / cell_m)
        bottom, top = max(0, math.floor((y - reach_y - y0) / cell_m)), math.floor((y + reach_y - y0) / cell_m)
        for row in range(bottom, min(top, cells.rows - 1) + 1):
            for column in range(left, min(right, cells.columns - 1) + 1):
                dx, dy = x0 + (column + 0.5) * cell_m - x, y0 + (row + 0.5) * cell_m - y
                if is_near_box(dx, dy, cosine, sine, half_length, half_width, radius):
                    shut[row * cells.columns + column, word] |= bit


@inlined_kernel
def is_near_box(dx, dy, cosine, sine, half_length, half_width, radius):
    along = max(0.0, abs(cosine * dx + sine * dy) - half_length)
    across = max(0.0, abs(cosine * dy - sine * dx) - half_width)
    return along * along + across * across <= radius * radius


@allocation_free_kernel
def surviving(parent, cells, shut, survives):
    """Fill survives (N, words): a bit for each world in which none of a path's cells is shut; row 0 is given."""
    for node in range(1, len(parent)):
        for word in range(survives.shape[1]):
            bits = survives[parent[node], word]
            for entry in range(cells.first[node], cells.first[node + 1]):
                bits &= ~shut[cells.cell[entry], word]
            survives[node, word] = bits


@allocation_free_kernel
def reach_cells(cells, survives, reached):
    """Set in reached (cells, words) the bits of the worlds in which some path that passes a cell survives."""
    for node in range(len(survives)):
        for entry in range(cells.first[node], cells.first[node + 1]):
            for word in range(survives.shape[1]):
                reached[cells.cell[entry], word] |= survives[node, word]


@kernel
def choose_survivors(parent, leaves, survives, deepest, budget, picked, rounds):
    """Fill picked with the nodes chosen, in order, and rounds with the round of each; return how many.

    survives (P, words), by leaf.  In round r a world is open in which fewer than r of those chosen survive; the
    path that survives in the most open worlds is next.  Within a round open worlds only become fewer: what a
    path gained when last counted is a bound on what it gains now.
    """
    words = survives.shape[1]
    is_in = np.zeros(len(parent), dtype=np.bool_)
    is_in[0] = True
    survivors = np.zeros(words * WORD_BITS, dtype=np.int64)  # of those chosen, by world
    is_open = np.zeros(words, dtype=np.uint64)
    gain = np.empty(len(leaves), dtype=np.int64)
    count, turn = 0, 0
    is_new_round = True
    while True:
        if is_new_round:
            turn += 1
            open_worlds(survivors, turn, is_open)
            for index in range(len(leaves)):
                gain[index] = gained(survives, index, is_open)
        best, best_gain = -1, -1
        for index in range(len(leaves)):
            if gain[index] <= best_gain or is_in[leaves[index]]:
                continue
            if deepest > budget and missing_nodes(parent, is_in, leaves[index]) > budget:
                continue
            gain[index] = gained(survives, index, is_open)
            if gain[index] > best_gain:
                best, best_gain = index, gain[index]
        if best < 0:
            return count
        # Once all worlds are open, what gains nothing survives nowhere.
        is_new_round = best_gain == 0 and turn <= survivors.max()
        if is_new_round:
            continue
        picked[count], rounds[count] = leaves[best], turn
        count += 1
        budget -= add_path(parent, is_in, leaves[best])
        for word in range(words):
            for bit in range(WORD_BITS):
                if (survives[best, word] >> np.uint64(bit)) & np.uint64(1):
                    survivors[word * WORD_BITS + bit] += 1
        open_worlds(survivors, turn, is_open)


@allocation_free_kernel
def open_worlds(survivors, turn, is_open):
    for word in range(len(is_open)):
        bits = np.uint64(0)
        for bit in range(WORD_BITS):
            if survivors[word * WORD_BITS + bit] < turn:
                bits |= np.uint64(1) << np.uint64(bit)
        is_open[word] = bits


@inlined_kernel
def gained(survives, index, is_open):
    count = np.int64(0)
    for word in range(len(is_open)):
        count += ones(survives[index, word] & is_open[word])
    return count


@inlined_kernel
def ones(word):
    """Count the bits set in a word of 64."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))
