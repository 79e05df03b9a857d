"""What all kernels share that choose paths from the exhaustive tree: cells passed, and room in the budget."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel


class PathCells(NamedTuple):
    """Square cells over all paths, and for each node those that its clip is the first on its path to pass.

    So what a path passes is the sum along it, each cell counted once.
    """

    x0: float  # where cell 0 begins
    y0: float
    cell_m: float
    rows: int
    columns: int
    first: np.ndarray  # (N + 1,) int64
    cell: np.ndarray  # (E,) int32, row * columns + column


@allocation_free_kernel
def list_new_cells(parent, clip, pose, traces, x0, y0, cell_m, columns, first, cell):
    """Fill first (N + 1,) and cell: the root has the one that it is in."""
    cell[0] = math.floor(-y0 / cell_m) * columns + math.floor(-x0 / cell_m)
    first[0], first[1] = 0, 1
    count = 1
    for node in range(1, len(parent)):
        before, played = parent[node], clip[node]
        x, y = np.float64(pose[before, 0]), np.float64(pose[before, 1])
        cosine, sine = math.cos(np.float64(pose[before, 2])), math.sin(np.float64(pose[before, 2]))
        for point in range(traces.first[played], traces.last[played]):
            along, across = traces.x[point], traces.y[point]
            column = math.floor((x + cosine * along - sine * across - x0) / cell_m)
            row = math.floor((y + sine * along + cosine * across - y0) / cell_m)
            passed = row * columns + column
            if not is_listed(cell, first[node], count, passed) and not is_passed_before(
                parent, first, cell, before, passed
            ):
                cell[count] = passed
                count += 1
        first[node + 1] = count


@inlined_kernel
def is_listed(cell, start, end, wanted):
    for entry in range(start, end):
        if cell[entry] == wanted:
            return True
    return False


@allocation_free_kernel
def is_passed_before(parent, first, cell, node, wanted):
    """Tell whether the path to a node passes a cell."""
    while node >= 0:
        if is_listed(cell, first[node], first[node + 1], wanted):
            return True
        node = parent[node]
    return False


@allocation_free_kernel
def missing_nodes(parent, is_in, node):
    """Return how many nodes of a path are not in the tree; the root is."""
    count = 0
    while not is_in[node]:
        count += 1
        node = parent[node]
    return count


@allocation_free_kernel
def add_path(parent, is_in, node):
    """Put a path's nodes into the tree and return how many were not there."""
    count = 0
    while not is_in[node]:
        is_in[node] = True
        count += 1
        node = parent[node]
    return count
