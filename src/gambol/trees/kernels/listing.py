"""List nodes by the overlapped cells that they are in."""

from __future__ import annotations

import math

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel


@inlined_kernel
def listed_in(value, start, cell, overlap, count):
    """Return the first and the last of the cells along one axis in whose overlapped square a coordinate is."""
    beyond = 0.5 * (overlap - cell)
    first = math.ceil((value - start - beyond) / cell) - 1
    last = math.floor((value - start + beyond) / cell)
    return max(first, 0), min(last, count - 1)


@allocation_free_kernel
def count_listed(pose, group, nodes, x0, y0, cell, overlap, rows, columns, groups, sizes):
    """Count the entries of each list, one place further on: the sum up to a place is where its list begins."""
    for node in nodes:
        left, right = listed_in(pose[node, 0], x0, cell, overlap, columns)
        bottom, top = listed_in(pose[node, 1], y0, cell, overlap, rows)
        for row in range(bottom, top + 1):
            for column in range(left, right + 1):
                sizes[(row * columns + column) * groups + group[node] + 1] += 1


@allocation_free_kernel
def list_nodes(pose, group, nodes, x0, y0, cell, overlap, rows, columns, groups, place, entries):
    """Fill the lists in the order of the nodes given; place: where the next entry of each list goes."""
    for node in nodes:
        left, right = listed_in(pose[node, 0], x0, cell, overlap, columns)
        bottom, top = listed_in(pose[node, 1], y0, cell, overlap, rows)
        for row in range(bottom, top + 1):
            for column in range(left, right + 1):
                list_number = (row * columns + column) * groups + group[node]
                entries[place[list_number]] = node
                place[list_number] += 1
