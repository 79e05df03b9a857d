"""Ways over the coarse map that trips are led by: memory for them, and what they look like."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.core import Struct, ffi, lib, pointer
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.search.problem import Problem
from gambol.trees.trip_map import trip_map

#: Steps from cell to cell: rows, columns, and how far it is in fifths of a cell, as the core counts.
STEPS = [
    (rows, columns, {1: 5, 2: 7, 5: 11}[rows * rows + columns * columns])
    for rows in range(-2, 3)
    for columns in range(-2, 3)
    if math.gcd(rows, columns) == 1
]
NEAR_M = 2.0  # metres, > 0: a start in a closed cell is where the nearest open one within this is


class Ways(NamedTuple):
    """Memory for the ways to L goals."""

    array: Any  # gb_way[]
    left: list[NDArray[np.int32]]  # (rows, columns) each: cost to the goal; -1: not looked for
    kept: tuple[NDArray[np.int32], ...]


class RoughWay(NamedTuple):
    """The way over the map from a start to a goal."""

    points: FloatArray  # (N, 2)
    is_crossing: BoolArray  # (N,) whether something is crossed there


def room_for_ways(drawn: Struct, legs: int) -> Ways:
    """Return memory for ways over a map."""
    shape = (int(drawn.c.rows), int(drawn.c.columns))
    array, lefts = ffi.new("gb_way[]", legs), []
    buckets, queue = np.empty(lib.GB_WAY_BUCKETS, np.int32), np.empty((16 * shape[0] * shape[1], 2), np.int32)
    for leg in range(legs):
        left = np.empty(shape, np.int32)
        array[leg].left, array[leg].buckets = pointer(left, "int32_t"), pointer(buckets, "int32_t")
        array[leg].queue, array[leg].queue_room = pointer(queue, "int32_t"), len(queue)
        lefts.append(left)
    return Ways(array, lefts, (buckets, queue))


def rough_ways(problem: Problem) -> list[RoughWay]:
    """Return the ways from goal to goal that a trip is led by, without those that the map does not show."""
    drawn = trip_map(problem.world, problem.character)
    ways, found = room_for_ways(drawn, 1), []
    x, y, _ = problem.start
    for goal in (*problem.waypoints, problem.goal):
        with drawn.kept["world"].kept["lock"]:
            is_found = lib.gb_way_spread(ways.array, drawn.c, goal.x, goal.y, goal.tolerance_m, x, y, 0.0)
        if is_found:
            found.append(_followed(drawn, ways.left[0], lib.gb_map_open_cell(drawn.c, x, y, NEAR_M)))
        x, y = goal.x, goal.y
    return found


def _followed(drawn: Struct, left: NDArray[np.int32], start: int) -> RoughWay:
    """Return the way down from a cell, from each to the one over which the goal is cheapest."""
    price = drawn.kept["price"].astype(np.int64)
    cells = [divmod(start, left.shape[1])]
    while left[cells[-1]] > 0:
        cell = cells[-1]
        costs: dict[tuple[int, int], int] = {}
        for rows, columns, fifths in STEPS:
            following = cell[0] + rows, cell[1] + columns
            if left[following] >= 0:
                costs[following] = int(left[following] + fifths * (price[cell] + price[following]) // 2)
        best = min(costs, key=costs.__getitem__, default=cell)
        if left[best] >= left[cell]:
            break
        cells.append(best)
    numbers, corner = np.array(cells), np.array((drawn.c.x0, drawn.c.y0))
    is_crossing = drawn.kept["crossing"][tuple(numbers.T)].astype(np.bool_)
    return RoughWay(corner + drawn.c.cell_m * (numbers[:, ::-1] + 0.5), is_crossing)
