"""The look-up [LK06 4.3, L09 algorithm 3]: from the nodes at the goal, cheapest first, back to the root.

The tree is not moved and the world is not copied: a node's place is looked up in the world's own grids
through the start's pose.  A trace looks at two instants of each clip, its middle and its end; what reaches
the root is then tested whole, from the root on.  What a query learns of a node (all up to it is free; it
cannot be reached) is stamped with the query's number, so that no node is looked at twice and nothing need
be reset.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel, kernel, threaded_kernel
from gambol.search.kernels.collision import ALL_HEIGHTS, parts_are_free
from gambol.search.kernels.search import TURN, ground_cost, may_be_played, may_stay
from gambol.search.moves import NO_COST
from gambol.trees.kernels.candidates_at_goal import NO_NODE, cell_along, next_candidate, open_lists
from gambol.trees.kernels.look_up_tables import (
    ACROSS,
    ALONG,
    END_ENOUGH,
    END_NEEDED,
    MIDDLE_ENOUGH,
    MIDDLE_NEEDED,
)
from gambol.world.kernels.lookup import clearance, disc_is_free

STEP_M = 0.02  # of the room around cells
MOST_STEPS = 255
LAST_STAMP = 253
#: What is counted, by its place in the array of counts.
SAMPLES, CANDIDATES, VISITED, VERIFIED_EDGES, REACHED_ROOT = range(5)
COUNT_COUNT = 5
#: What became of a query.
FOUND, NO_PATH, OUT_OF_REACH, SHUT, HEMMED_IN = range(5)
PATIENCE = 16  # candidates that fail before one looks whether anything may be played at the start at all


@kernel
def steps_of_room(clearance):
    """Return clearances in whole steps of STEP_M, from 0 to MOST_STEPS."""
    rows, columns = clearance.shape
    steps = np.empty((rows, columns), np.uint8)
    for row in range(rows):
        for column in range(columns):
            steps[row, column] = np.uint8(min(max(math.floor(clearance[row, column] / STEP_M), 0.0), MOST_STEPS))
    return steps


@inlined_kernel
def room_around(room, x, y):
    """Return how far it is at least, and at most, from a point to the nearest obstacle or bound."""
    u, v = (x - room.x0) / room.cell_m, (y - room.y0) / room.cell_m
    rows, columns = room.steps.shape
    if not (u >= 0.0 and v >= 0.0 and u < columns and v < rows):
        return -math.inf, 0.0
    column, row = int(u), int(v)
    aside, along = u - column - 0.5, v - row - 0.5
    off = room.cell_m * math.sqrt(aside * aside + along * along)
    steps = room.steps[row, column]
    return steps * STEP_M - off, math.inf if steps == MOST_STEPS else (steps + 1) * STEP_M + off


@allocation_free_kernel
def instant_is_free(world, query, moves, behavior, sample, x, y, heading):
    """Test an instant of a clip begun at a pose, by the same numbers as the test of the whole clip."""
    cosine, sine = math.cos(heading), math.sin(heading)
    along, across = moves.samples[sample, 0], moves.samples[sample, 1]
    px = x + cosine * along - sine * across
    py = y + sine * along + cosine * across
    radius = query.radius[behavior]
    if radius > 0.0:
        return disc_is_free(world, px, py, radius, -ALL_HEIGHTS, ALL_HEIGHTS, np.int64(-1))
    turn_cosine, turn_sine = moves.samples[sample, 2], moves.samples[sample, 3]
    return parts_are_free(
        world, moves, sample, px, py,
        cosine * turn_cosine - sine * turn_sine, sine * turn_cosine + cosine * turn_sine, np.int64(-1),
        max(0.0, clearance(world, px, py)),
    )  # fmt: skip


@inlined_kernel
def edge_may_be_free(world, room, query, actions, moves, tree, node, clip, px, py, parent_heading, x, y, counts):
    """Look at the end and the middle of a clip from a parent to a node; none that may be played is turned down.

    Most are settled by a byte each; both places follow from those of the two nodes without turning anything.
    """
    glance = tree.clip[node]
    counts[SAMPLES] += 1
    least, most = room_around(room, x, y)
    if most < tree.glances[glance, END_NEEDED]:
        return False
    if least < tree.glances[glance, END_ENOUGH]:
        last = actions.clip_samples[clip] + actions.duration[clip]
        behavior = actions.clip_behavior[clip]
        if not instant_is_free(world, query, moves, behavior, last, px, py, parent_heading):
            return False
    along, across = tree.glances[glance, ALONG], tree.glances[glance, ACROSS]
    counts[SAMPLES] += 1
    least, most = room_around(
        room, px + along * (x - px) - across * (y - py), py + along * (y - py) + across * (x - px)
    )
    if most < tree.glances[glance, MIDDLE_NEEDED]:
        return False
    if least < tree.glances[glance, MIDDLE_ENOUGH]:
        middle = actions.clip_samples[clip] + actions.duration[clip] // 2
        behavior = actions.clip_behavior[clip]
        return instant_is_free(world, query, moves, behavior, middle, px, py, parent_heading)
    return True


@allocation_free_kernel
def edge_is_free(world, traffic, query, actions, moves, behavior, clip, x, y, heading, frame, counts):
    """Test a whole clip begun at a pose and a frame, against all that stands and moves, as the forward search does."""
    return may_be_played(world, traffic, query, actions, moves, behavior, clip, x, y, heading, frame, counts)


@allocation_free_kernel
def path_cost(world, query, actions, moves, tree, asked, node, sx, sy, sh):
    """Return what the path to a node costs in this world with the character's own weights, in whole units."""
    total = np.int64(0)
    cosine, sine = math.cos(sh), math.sin(sh)
    while node != 0:
        parent = np.int64(tree.parent[node])
        clip = np.int64(tree.clip_of[tree.clip[node]])
        behavior = actions.clip_behavior[clip]
        total += moves.cost[behavior]
        if parent == 0:
            total += asked.first_cost[behavior]
        else:
            before = actions.clip_behavior[tree.clip_of[tree.clip[parent]]]
            for entry in range(actions.behavior_successors[before], actions.behavior_successors[before + 1]):
                if actions.successors[entry] == behavior:
                    total += moves.transition_cost[entry]
                    break
        if world.ground.has_terrain and (query.climb > 0.0 or query.descend > 0.0):
            px, py, ph = np.float64(tree.pose[parent, 0]), np.float64(tree.pose[parent, 1]), tree.pose[parent, 2]
            total += ground_cost(
                world, query, actions, clip, sx + cosine * px - sine * py, sy + sine * px + cosine * py, sh + ph
            )
        node = parent
    return total


@inlined_kernel
def is_shut_off(shut, sx, sy, goal_x, goal_y, tolerance):
    """Tell whether no cell near the goal is connected with the start's: then there is no way at all."""
    rows, columns = shut.part.shape
    column, row = cell_along(sx, shut.x0, shut.cell_m), cell_along(sy, shut.y0, shut.cell_m)
    if row < 0 or column < 0 or row >= rows or column >= columns:
        return True
    here = shut.part[row, column]
    if here == 0:
        return True
    top = min(cell_along(goal_y + tolerance, shut.y0, shut.cell_m), rows - 1)
    right = min(cell_along(goal_x + tolerance, shut.x0, shut.cell_m), columns - 1)
    for row in range(max(cell_along(goal_y - tolerance, shut.y0, shut.cell_m), 0), top + 1):
        for column in range(max(cell_along(goal_x - tolerance, shut.x0, shut.cell_m), 0), right + 1):
            if shut.part[row, column] == here:
                return False
    return True


@inlined_kernel
def begin_query(scratch):
    """Return the stamp of the next query; when the bytes have been through all of them, nothing is stamped again."""
    scratch.number[0] += 2
    if scratch.number[0] > LAST_STAMP:
        scratch.stamp[:] = 0
        scratch.number[0] = 1
    return scratch.number[0]


@inlined_kernel
def reaches_root(
    world, traffic, actions, moves, query, tree, room, asked, scratch, node, stamp, sx, sy, sh, cosine, sine, frame
):  # fmt: skip
    """Trace a node back to the root and test what gets there; stamp every node on the way with what became of it."""
    blocked, verified = stamp, stamp + 1
    counts, path = scratch.counts, scratch.path
    length = np.int64(0)
    at = node
    px, py = np.float64(tree.pose[at, 0]), np.float64(tree.pose[at, 1])
    x, y = sx + cosine * px - sine * py, sy + sine * px + cosine * py
    is_free = True
    while at != 0:
        seen = scratch.stamp[at]
        if seen == verified:
            break
        path[length] = at
        length += 1
        if seen == blocked:
            is_free = False
            break
        counts[VISITED] += 1
        clip = np.int64(tree.clip_of[tree.clip[at]])
        parent = np.int64(tree.parent[at])
        if clip < 0 or (parent == 0 and not asked.first[actions.clip_behavior[clip]]):
            is_free = False
            break
        px, py = np.float64(tree.pose[parent, 0]), np.float64(tree.pose[parent, 1])
        before_x, before_y = sx + cosine * px - sine * py, sy + sine * px + cosine * py
        if not edge_may_be_free(
            world, room, query, actions, moves, tree, at, clip, before_x, before_y,
            sh + np.float64(tree.pose[parent, 2]), x, y, counts,
        ):  # fmt: skip
            is_free = False
            break
        at, x, y = parent, before_x, before_y
    if is_free:
        counts[REACHED_ROOT] += 1
        while length > 0:
            at = path[length - 1]
            parent = np.int64(tree.parent[at])
            clip = np.int64(tree.clip_of[tree.clip[at]])
            px, py = np.float64(tree.pose[parent, 0]), np.float64(tree.pose[parent, 1])
            x, y = sx + cosine * px - sine * py, sy + sine * px + cosine * py
            heading = sh + np.float64(tree.pose[parent, 2])
            behavior = actions.clip_behavior[clip]
            begins = frame + np.int64(tree.frame[parent])
            counts[VERIFIED_EDGES] += 1
            if query.has_traffic and begins + actions.duration[clip] > query.horizon:
                is_free = False
                break
            if not edge_is_free(
                world, traffic, query, actions, moves, behavior, clip, x, y, heading, begins, counts
            ):  # fmt: skip
                is_free = False
                break
            scratch.stamp[at] = verified
            length -= 1
    for number in range(length):
        scratch.stamp[path[number]] = blocked
    return is_free


@allocation_free_kernel
def is_hemmed_in(world, traffic, actions, moves, query, tree, asked, scratch, stamp, sx, sy, sh, frame):
    """Tell whether nothing may be played at the start; what is learnt of the root's children is stamped."""
    for node in tree.first_nodes:
        if scratch.stamp[node] == stamp + 1:
            return False
        if scratch.stamp[node] == stamp:
            continue
        clip = np.int64(tree.clip_of[tree.clip[node]])
        if clip < 0 or not asked.first[actions.clip_behavior[clip]]:
            continue
        scratch.counts[VERIFIED_EDGES] += 1
        if (not query.has_traffic or frame + actions.duration[clip] <= query.horizon) and edge_is_free(
            world, traffic, query, actions, moves, actions.clip_behavior[clip], clip, sx, sy, sh, frame, scratch.counts
        ):
            scratch.stamp[node] = stamp + 1
            return False
        scratch.stamp[node] = stamp
    return True


@inlined_kernel
def ends_at_goal(actions, tree, asked, node, x, y, heading, goal_x, goal_y, tolerance, goal_heading, turn):
    """Tell whether a node, at a pose in the world, is where and as the goal says."""
    away_x, away_y = goal_x - x, goal_y - y
    if away_x * away_x + away_y * away_y > tolerance * tolerance:
        return False
    clip = tree.clip_of[tree.clip[node]]
    if clip < 0 or not asked.last[actions.clip_behavior[clip]]:
        return False
    turned = heading - goal_heading
    turned -= TURN * math.floor(turned / TURN + 0.5)
    return abs(turned) <= turn


@inlined_kernel
def look_up(
    world, traffic, actions, moves, query, tree, room, asked, shut, scratch,
    sx, sy, sh, frame, goal_x, goal_y, tolerance, goal_heading, turn,
):  # fmt: skip
    """Return the node of the cheapest path that ends at a goal and may be played, its cost and what became of it."""
    if shut.part.shape[0] > 0 and is_shut_off(shut, sx, sy, goal_x, goal_y, tolerance):
        return np.int64(NO_NODE), np.int64(0), np.int64(SHUT)
    stamp = begin_query(scratch)
    cosine, sine = math.cos(sh), math.sin(sh)
    away_x, away_y = goal_x - sx, goal_y - sy
    lists = open_lists(
        tree, asked, cosine * away_x + sine * away_y, cosine * away_y - sine * away_x, tolerance, scratch
    )
    best, least = np.int64(NO_NODE), NO_COST
    failed = 0
    counts = scratch.counts
    while True:
        node = next_candidate(tree, scratch, lists)
        if node < 0 or tree.cost[node] * tree.least_ratio >= least:
            break
        if scratch.stamp[node] == stamp:
            continue
        px, py = np.float64(tree.pose[node, 0]), np.float64(tree.pose[node, 1])
        x, y = sx + cosine * px - sine * py, sy + sine * px + cosine * py
        heading = sh + np.float64(tree.pose[node, 2])
        if not ends_at_goal(
            actions, tree, asked, node, x, y, heading, goal_x, goal_y, tolerance, goal_heading, turn
        ):  # fmt: skip
            continue
        counts[CANDIDATES] += 1
        if not reaches_root(
            world, traffic, actions, moves, query, tree, room, asked, scratch, node, stamp, sx, sy, sh, cosine, sine,
            frame,
        ):  # fmt: skip
            failed += 1
            if failed == PATIENCE and is_hemmed_in(
                world, traffic, actions, moves, query, tree, asked, scratch, stamp, sx, sy, sh, frame
            ):  # fmt: skip
                return np.int64(NO_NODE), np.int64(0), np.int64(HEMMED_IN)
            continue
        if asked.stays and query.has_traffic:
            clip = np.int64(tree.clip_of[tree.clip[node]])
            if not may_stay(world, traffic, actions, clip, x, y, heading, frame + np.int64(tree.frame[node])):
                failed += 1
                continue
        if tree.costs_as_grown:
            return node, np.int64(tree.cost[node]), np.int64(FOUND)
        cost = path_cost(world, query, actions, moves, tree, asked, node, sx, sy, sh)
        if cost < least:
            best, least = node, cost
    if best >= 0:
        return best, least, np.int64(FOUND)
    outcome = NO_PATH if failed > 0 else OUT_OF_REACH
    if 0 < failed < PATIENCE and is_hemmed_in(
        world, traffic, actions, moves, query, tree, asked, scratch, stamp, sx, sy, sh, frame
    ):  # fmt: skip
        outcome = HEMMED_IN
    return np.int64(NO_NODE), np.int64(0), np.int64(outcome)


@threaded_kernel
def look_up_many(tables, scratch, starts, frames, goals, begin, end, nodes, costs, outcomes):
    """Answer the queries from one number to another.

    starts (Q, 3); frames (Q,); goals (Q, 5) x, y, tolerance, heading, its tolerance (not below pi: any heading).
    """
    for number in range(begin, end):
        nodes[number], costs[number], outcomes[number] = look_up(
            tables.world, tables.traffic, tables.actions, tables.moves, tables.query, tables.tree, tables.room,
            tables.asked, tables.shut, scratch,
            starts[number, 0], starts[number, 1], starts[number, 2], frames[number],
            goals[number, 0], goals[number, 1], goals[number, 2], goals[number, 3], goals[number, 4],
        )  # fmt: skip
