"""Look-up as printed in the papers: obstacles rasterised into the tree's frame, then a search from goal to root."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel

NO_NODE = -1
UNOCCUPIED, OCCUPIED = 0, 1
FIRST_KIND = 2  # this plus a kind's number marks the valid region of annotated obstacles
NEVER = -1  # a special motion whose kind of obstacle the world has not
# Columns of what is counted for each query.
VISITED, LOOKED_UP, MARKED = 0, 1, 2


class RasterTree(NamedTuple):
    """N nodes of a tree, each with its cells in a grid over it, and the goal grid with one list a cell."""

    x0: float  # where cell 0 begins
    y0: float
    cell_m: float
    rows: int
    columns: int
    parent: np.ndarray  # (N,) int32, -1 at the root
    clip: np.ndarray  # (N,) uint16
    node_cell: np.ndarray  # (N,) int32, row * columns + column
    mid_cell: np.ndarray  # (N,) int32: half-way in time through the clip, or at its event if it is a special motion
    goal_x0: float
    goal_y0: float
    goal_cell_m: float
    goal_rows: int
    goal_columns: int
    first_entry: np.ndarray  # (goal_rows * goal_columns + 1,) int64
    entries: np.ndarray  # (E,) int32, nodes from the cheapest on


class RasterWorld(NamedTuple):
    """O obstacles as points inside them, in the world's frame, the character's radius added."""

    circle: np.ndarray  # (O, 3) centre and radius around all points
    mark: np.ndarray  # (O,) int16
    first_point: np.ndarray  # (O + 1,) int64
    points: np.ndarray  # (S, 2)
    clip_mark: np.ndarray  # (C,) int16: what a clip's mid-time cell must be; UNOCCUPIED but for special motions


class RasterScratch(NamedTuple):
    """What a query fills and leaves as it was."""

    environment: np.ndarray  # (rows * columns,) int16, all UNOCCUPIED
    blocked: np.ndarray  # (N,) bool, all False
    marked: np.ndarray  # (rows * columns,) int32: cells to be reset


@allocation_free_kernel
def rasterize(tree, world, scratch, x, y, heading):
    """Mark the obstacles' cells, seen from a start, and return how many are to be reset."""
    cosine, sine = math.cos(heading), math.sin(heading)
    width, depth = tree.columns * tree.cell_m, tree.rows * tree.cell_m
    environment, count = scratch.environment, 0
    for obstacle in range(len(world.mark)):
        ahead, aside = seen_from(x, y, cosine, sine, world.circle[obstacle, 0], world.circle[obstacle, 1])
        reach = world.circle[obstacle, 2]
        from_left, from_bottom = ahead - tree.x0, aside - tree.y0
        if from_left < -reach or from_left > width + reach or from_bottom < -reach or from_bottom > depth + reach:
            continue
        mark = world.mark[obstacle]
        for point in range(world.first_point[obstacle], world.first_point[obstacle + 1]):
            ahead, aside = seen_from(x, y, cosine, sine, world.points[point, 0], world.points[point, 1])
            column = math.floor((ahead - tree.x0) / tree.cell_m)
            row = math.floor((aside - tree.y0) / tree.cell_m)
            if column < 0 or column >= tree.columns or row < 0 or row >= tree.rows:
                continue
            cell = row * tree.columns + column
            if environment[cell] == UNOCCUPIED:
                environment[cell] = mark
                scratch.marked[count] = cell
                count += 1
            elif mark == OCCUPIED:
                environment[cell] = OCCUPIED  # a wall is stronger than a valid region
    return count


@allocation_free_kernel
def reset_environment(scratch, count):
    for index in range(count):
        scratch.environment[scratch.marked[index]] = UNOCCUPIED


@inlined_kernel
def seen_from(x, y, cosine, sine, point_x, point_y):
    dx, dy = point_x - x, point_y - y
    return cosine * dx + sine * dy, cosine * dy - sine * dx


@allocation_free_kernel
def goal_list(tree, x, y, heading, goal_x, goal_y):
    """Return where the list of the goal's cell begins and ends; both 0 outside of the grid."""
    ahead, aside = seen_from(x, y, math.cos(heading), math.sin(heading), goal_x, goal_y)
    column = math.floor((ahead - tree.goal_x0) / tree.goal_cell_m)
    row = math.floor((aside - tree.goal_y0) / tree.goal_cell_m)
    if column < 0 or column >= tree.goal_columns or row < 0 or row >= tree.goal_rows:
        return np.int64(0), np.int64(0)
    where = row * tree.goal_columns + column
    return tree.first_entry[where], tree.first_entry[where + 1]


@allocation_free_kernel
def find_path(tree, world, scratch, first, last, counts):
    """Run the papers' path finding [LK06 algorithm 1, L09 algorithm 3] over a goal cell's list, then unblock its nodes.

    Comments name the printed lines.  Where they ask for OCCUPIED (3, 5) we ask for anything but UNOCCUPIED: as
    printed, a trace that stops in the valid region of an annotated obstacle would count as one that reached the
    root.  counts grows by the nodes visited and by the cells looked up.
    """
    environment, blocked = scratch.environment, scratch.blocked
    found, entry = np.int64(NO_NODE), first
    while entry < last and found == NO_NODE:
        node = np.int64(tree.entries[entry])
        entry += 1
        is_shut = False
        while not blocked[node] and environment[tree.node_cell[node]] == UNOCCUPIED and node != 0:
            blocked[node] = True  # 1
            counts[VISITED] += 1
            counts[LOOKED_UP] += 2
            if environment[tree.mid_cell[node]] != world.clip_mark[tree.clip[node]]:  # 2, 3
                is_shut = True
                break
            node = np.int64(tree.parent[node])
        if is_shut:
            continue
        counts[VISITED] += 1
        if blocked[node]:  # 4
            continue
        counts[LOOKED_UP] += 1
        if environment[tree.node_cell[node]] != UNOCCUPIED:  # 5
            blocked[node] = True  # 6
            continue
        found = np.int64(tree.entries[entry - 1])  # 7
    for seen in range(first, entry):
        node = np.int64(tree.entries[seen])
        while node >= 0 and blocked[node]:
            blocked[node] = False
            node = np.int64(tree.parent[node])
    return found


@allocation_free_kernel
def answer_all(tree, world, scratch, starts, goals, nodes, counts):
    """Answer queries one after the other: nodes (Q,), counts (Q, 3)."""
    for query in range(len(starts)):
        x, y, heading = starts[query, 0], starts[query, 1], starts[query, 2]
        marked = rasterize(tree, world, scratch, x, y, heading)
        first, last = goal_list(tree, x, y, heading, goals[query, 0], goals[query, 1])
        nodes[query] = find_path(tree, world, scratch, first, last, counts[query])
        counts[query, MARKED] = marked
        reset_environment(scratch, marked)


@allocation_free_kernel
def rasterize_all(tree, world, scratch, starts):
    """Do the first half of all queries alone, to be timed; return how many cells were marked."""
    count = 0
    for query in range(len(starts)):
        marked = rasterize(tree, world, scratch, starts[query, 0], starts[query, 1], starts[query, 2])
        reset_environment(scratch, marked)
        count += marked
    return count
