"""Search a floor for the cheapest way from cell to cell.

Costs are whole hundredths of a cell.  The queue is a ring of buckets, one a cost, each a stack, so that of equal ones
what was found last, usually nearest to the goal, comes first.  A label holds all that is known of a cell in one number,
with the query's epoch on top: epochs count down, so that whatever older queries left is greater than any new label.
"""

from __future__ import annotations

import numpy as np

from gambol.crowd.kernels.floor import BLOCK, KEPT_CLEAR
from gambol.crowd.kernels.pull import pull_route
from gambol.crowd.kernels.sight import JAM_SEEN_M, is_good_way, room_at
from gambol.kernels.jit import allocation_free_kernel, threaded_kernel

FOUND, NO_WAY, OUT_OF_BUDGET = 0, 1, 2

STRAIGHT, DIAGONAL = 100, 141  # what a move to a neighbouring cell costs at least
ROOMY_M = 1.0  # with less room than this a move is dearer,
TIGHT = 1.0  # by up to this share, where there is just the radius
AVOIDING = 4  # times the cost of a move through a jam or a place that is kept clear
NEAREST_M = 2.0  # who is in a closed cell is where the nearest open one is, if not farther off
SPARED_M = 2.0  # no move that ends closer to the goal is dearer: it must be made, and would only spread the search
MARGIN_M = 0.25  # ways keep this much more than the radius from obstacles, where there is room
LEAST_CELLS = 0.51  # of radius: no cell at the bounds is open, so every open cell has eight neighbours

DOWN = np.array([0, 1, 1, 1, 0, -1, -1, -1])  # rows to the neighbour in each direction, counter-clockwise from +x
RIGHT = np.array([1, 1, 0, -1, -1, -1, 0, 1])  # columns
RING = 2048  # buckets: more than one move changes cost and lower bound by
EPOCHS = 2**27 - 1
COST_BIT, EPOCH_BIT = 4, 36  # of a label: 3 bits of direction, one of being done, 32 of cost
DONE = 8
COST_MASK = 2**32 - 1
WEIGHT_ONE = 256
LAST_WEIGHT = 512  # of a second search, where the first has spent its budget: any way is better than none


@allocation_free_kernel
def move_cost(room, base, steep):
    """Return what it costs to enter a cell with so much room, growing by `steep` for each metre that is missing."""
    if room >= ROOMY_M:
        return base
    return int(base * (1.0 + (ROOMY_M - room) * steep))


@allocation_free_kernel
def may_go(way, direction):
    """Tell whether a move in an eighth of a turn obeys a one-way direction in sixteenths: at most 75 degrees apart."""
    if way < 0:
        return True
    apart = (2 * direction - way) & 15
    return apart <= 3 or apart >= 13


@allocation_free_kernel
def open_cell(floor, radius, x, y):
    """Return the number of the cell at a point or, where that is closed, of the open one nearest to it; or -1."""
    if room_at(floor, x, y) >= radius:
        return int((y - floor.y0) / floor.cell_m) * floor.room.shape[1] + int((x - floor.x0) / floor.cell_m)
    rows, columns = floor.room.shape
    u, v, around = (x - floor.x0) / floor.cell_m, (y - floor.y0) / floor.cell_m, NEAREST_M / floor.cell_m
    if not (u > -around and v > -around and u < columns + around and v < rows + around):
        return -1
    nearest, least = -1, around * around
    for row in range(max(int(v - around), 0), min(int(v + around) + 1, rows)):
        for column in range(max(int(u - around), 0), min(int(u + around) + 1, columns)):
            away = (column + 0.5 - u) * (column + 0.5 - u) + (row + 0.5 - v) * (row + 0.5 - v)
            if away <= least and floor.room[row, column] >= radius:
                if nearest < 0 or away < least:
                    nearest, least = row * columns + column, away
    return nearest


@allocation_free_kernel
def new_epoch(scratch):
    """Return the epoch of a new query."""
    if scratch.epoch[0] <= 1:
        scratch.label[:] = np.iinfo(np.int64).max
        scratch.epoch[0] = EPOCHS
    scratch.epoch[0] -= 1
    return scratch.epoch[0]


@allocation_free_kernel
def search_cells(floor, radius, start, goal, weight, limit, scratch):
    """Search from a cell to another; return outcome, cost and expansions.  Labels then lead from the goal back.

    The cost is at most `weight` / 256 times the least there is.
    """
    columns = floor.room.shape[1]
    room, ways = floor.room, floor.way
    label, heads = scratch.label, scratch.heads
    goal_row, goal_column = goal // columns, goal % columns
    steep = TIGHT / (ROOMY_M - radius) if radius < ROOMY_M else 0.0
    spared, seen = int(SPARED_M / floor.cell_m), int(JAM_SEEN_M / floor.cell_m)
    start_row, start_column = start // columns, start % columns
    epoch = new_epoch(scratch)
    heads[:] = -1
    made, unused, waiting, expanded = 0, -1, 0, 0

    aside, along = abs(start_column - goal_column), abs(start_row - goal_row)
    bound = (STRAIGHT * max(aside, along) + (DIAGONAL - STRAIGHT) * min(aside, along)) * weight // WEIGHT_ONE
    label[start] = epoch << EPOCH_BIT
    scratch.cell[made], scratch.cost[made], scratch.next[made] = start, 0, -1
    heads[bound % RING] = made
    made, waiting = 1, 1
    while waiting > 0:
        entry = heads[bound % RING]
        while entry < 0:
            bound += 1
            entry = heads[bound % RING]
        heads[bound % RING] = scratch.next[entry]
        scratch.next[entry] = unused
        unused = entry
        waiting -= 1
        cell, cost = np.int64(scratch.cell[entry]), np.int64(scratch.cost[entry])
        known = label[cell]
        if known & DONE or (known >> COST_BIT) & COST_MASK != cost:
            continue  # a better way to the cell has been found since
        if cell == goal:
            return FOUND, cost, expanded
        if expanded >= limit:
            return OUT_OF_BUDGET, cost, expanded
        expanded += 1
        label[cell] = known | DONE
        row, column = cell // columns, cell % columns
        is_ruled = floor.lanes[row // BLOCK, column // BLOCK]
        east, north = room[row, column + 1] >= radius, room[row + 1, column] >= radius
        west, south = room[row, column - 1] >= radius, room[row - 1, column] >= radius
        for direction in range(8):
            if direction == 0:
                is_open = east
            elif direction == 1:
                is_open = east and north
            elif direction == 2:
                is_open = north
            elif direction == 3:
                is_open = north and west
            elif direction == 4:
                is_open = west
            elif direction == 5:
                is_open = west and south
            elif direction == 6:
                is_open = south
            else:
                is_open = south and east
            if not is_open:
                continue
            j, i = row + DOWN[direction], column + RIGHT[direction]
            there = room[j, i]
            if there < radius:
                continue
            if is_ruled and not (may_go(ways[row, column], direction) and may_go(ways[j, i], direction)):
                continue
            to = j * columns + i
            base = DIAGONAL if direction & 1 else STRAIGHT
            aside, along = abs(i - goal_column), abs(j - goal_row)
            if max(aside, along) <= spared:
                total = cost + base
            elif (is_ruled and floor.gate[j, i] == KEPT_CLEAR) or (
                floor.jam[j // BLOCK, i // BLOCK] and max(abs(j - start_row), abs(i - start_column)) <= seen
            ):
                total = cost + AVOIDING * move_cost(there, base, steep)
            else:
                total = cost + move_cost(there, base, steep)
            fresh = (epoch << EPOCH_BIT) | (total << COST_BIT) | direction
            known = label[to]
            if fresh >> COST_BIT >= known >> COST_BIT or (known >> EPOCH_BIT == epoch and known & DONE):
                continue
            least = STRAIGHT * max(aside, along) + (DIAGONAL - STRAIGHT) * min(aside, along)
            rank = max(bound, total + least * weight // WEIGHT_ONE) % RING
            if unused >= 0:
                entry = unused
                unused = scratch.next[entry]
            elif made < scratch.cell.size:
                entry = made
                made += 1
            else:
                return OUT_OF_BUDGET, cost, expanded
            label[to] = fresh
            scratch.cell[entry], scratch.cost[entry], scratch.next[entry] = to, total, heads[rank]
            heads[rank] = entry
            waiting += 1
    return NO_WAY, 0, expanded


@allocation_free_kernel
def is_cut_off(floor, radius, start, goal, limit, scratch):
    """Tell whether a cell is seen to be out of reach, by going back from it to at most `limit` others."""
    columns = floor.room.shape[1]
    room, ways, label, stack = floor.room, floor.way, scratch.label, scratch.cell
    seen = new_epoch(scratch) << EPOCH_BIT
    label[goal] = seen
    stack[0] = goal
    size, count = 1, 1
    while size > 0:
        size -= 1
        cell = np.int64(stack[size])
        row, column = cell // columns, cell % columns
        for direction in range(8):
            j, i = row - DOWN[direction], column - RIGHT[direction]
            other = j * columns + i
            if label[other] == seen or room[j, i] < radius or room[row, i] < radius or room[j, column] < radius:
                continue
            if not (may_go(ways[row, column], direction) and may_go(ways[j, i], direction)):
                continue
            if other == start or count >= limit or size >= stack.size:
                return False
            label[other] = seen
            stack[size] = other
            size += 1
            count += 1
    return True


@allocation_free_kernel
def trace_path(columns, start, goal, scratch):
    """Write the cells of the way just found to `scratch.path`, both ends included; return how many; 0: too many."""
    size, cell = 1, goal
    while cell != start:
        direction = scratch.label[cell] & 7
        cell -= DOWN[direction] * columns + RIGHT[direction]
        size += 1
    if size > scratch.path.size:
        return 0
    cell = goal
    for index in range(size - 1, -1, -1):
        scratch.path[index] = cell
        direction = scratch.label[cell] & 7
        cell -= DOWN[direction] * columns + RIGHT[direction]
    return size


@allocation_free_kernel
def find_route(floor, radius, sx, sy, gx, gy, weight, limit, scratch, points, left):
    """Find a way from (sx, sy) to (gx, gy) for a disc; return outcome, number of way-points, expansions.

    `points` (K, 2) receives the way-points after the start, each visible from the one before, the goal last; `left`
    (K,) the metres from each to the end of the way.  Where a way takes more than K, these are the first ones, and
    `left` of the last is above 0.  Who is in a closed cell is taken to be in the nearest open one within 2 m: the
    first leg then leads there, or the last way-point is there in place of the goal.
    """
    radius = max(radius, LEAST_CELLS * floor.cell_m)
    columns = floor.room.shape[1]
    start, goal = open_cell(floor, radius, sx, sy), open_cell(floor, radius, gx, gy)
    if start < 0 or goal < 0:
        return NO_WAY, 0, 0
    at_start, at_goal = room_at(floor, sx, sy), room_at(floor, gx, gy)
    if at_goal < radius:
        gx, gy = floor.x0 + (goal % columns + 0.5) * floor.cell_m, floor.y0 + (goal // columns + 0.5) * floor.cell_m
        at_goal = floor.room[goal // columns, goal % columns]
    # Where there is room, a straight way keeps the margin too; where it does not, a bent one might be better.
    if at_start >= radius and is_good_way(floor, sx, sy, min(radius + MARGIN_M, at_start, at_goal), sx, sy, gx, gy):
        points[0, 0], points[0, 1], left[0] = gx, gy, 0.0
        return FOUND, 1, 0
    outcome, _, expanded = search_cells(floor, radius, start, goal, weight, limit, scratch)
    if outcome == OUT_OF_BUDGET:
        if is_cut_off(floor, radius, start, goal, limit, scratch):
            return NO_WAY, 0, expanded  # a sealed room is soon searched from inside
        outcome, _, more = search_cells(floor, radius, start, goal, LAST_WEIGHT, limit, scratch)
        expanded += more
    if outcome != FOUND:
        return outcome, 0, expanded
    size = trace_path(columns, start, goal, scratch)
    if size == 0:
        return OUT_OF_BUDGET, 0, expanded
    count = pull_route(floor, radius + MARGIN_M, sx, sy, gx, gy, at_start >= radius, size, scratch, points, left)
    return FOUND, count, expanded


@threaded_kernel
def find_some(floor, radius, starts, goals, first, last, weight, limit, scratch, routes):
    """Find the ways of the queries in a range."""
    for query in range(first, last):
        sx, sy, gx, gy = starts[query, 0], starts[query, 1], goals[query, 0], goals[query, 1]
        points, left = routes.points[query], routes.left[query]
        outcome, count, expanded = find_route(floor, radius, sx, sy, gx, gy, weight, limit, scratch, points, left)
        routes.outcome[query], routes.count[query], routes.expansions[query] = outcome, count, expanded
