"""The search [LK05 algorithm 1]: F picks clips, T places them, G looks whether they may be played."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.characters.kernels.clip_choice import choose_clip, scramble
from gambol.kernels.jit import allocation_free_kernel, inlined_kernel
from gambol.search.kernels import open_list
from gambol.search.kernels.collision import (
    clip_is_free,
    clip_is_free_in_traffic,
    disc_clip_is_free,
    slopes_allow,
    traffic_margins,
)
from gambol.search.kernels.distance_field import FAR, way_left
from gambol.search.kernels.traffic import body_stays_free
from gambol.search.kernels.visited import (
    COST,
    NOBODY,
    NODE,
    PLACE,
    REST,
    find_slot,
    place_key,
    rest_key,
)
from gambol.world.kernels.lookup import first_special_near, ground_height, within_special

RUNNING, FOUND, EXHAUSTED, STOPPED = 0, 1, 2, 3
#: What is counted, by its place in the array of counts.
SAMPLES, NODES, OPEN, EXPANSIONS, GENERATED, STATUS, GOAL_NODE, NEAREST, LATE, DROPPED, LEAST_LOST = range(11)
COUNT_COUNT = 11
NEVER = np.int64(2**62)
TURN = 2.0 * math.pi


class Settings(NamedTuple):
    """How to search."""

    weight: float  # of what is left
    exact: bool  # merge identical states only, and open closed ones again where a cheaper way is found
    place_unit: float  # metres of a state's place
    heading_count: int  # sectors of a full turn
    frame_unit: int  # frames of a state's time; 0: time does not matter
    keep: int  # open nodes kept when there are twice as many; 0: all
    ceiling: int  # only plans cheaper than this are of interest
    shift: int  # last bits of estimates that do not count in the order of the open list


class Tree(NamedTuple):
    """N nodes."""

    x: np.ndarray
    y: np.ndarray
    heading: np.ndarray
    frame: np.ndarray
    cost: np.ndarray  # whole units from the start
    left: np.ndarray  # lower bound of what is left, in units
    parent: np.ndarray
    behavior: np.ndarray
    clip: np.ndarray
    leg: np.ndarray
    closed: np.ndarray


class Frontier(NamedTuple):
    """The open list and the table of visited states."""

    entries: np.ndarray
    slots: np.ndarray


@inlined_kernel
def cost_left(query, leg, x, y):
    """Return a lower bound of the cost from a place in a leg to the last goal; NEVER if there is no way."""
    away_x, away_y = query.goals[leg, 0] - x, query.goals[leg, 1] - y
    straight = math.sqrt(away_x * away_x + away_y * away_y) - query.goals[leg, 2]
    left = max(0.0, straight) * query.cost_per_chord
    if query.fields.shape[1] > 0:
        way = way_left(
            query.fields, leg, (x - query.field_x0) / query.field_cell, (y - query.field_y0) / query.field_cell
        )
        if way >= FAR * 0.5:
            return NEVER
        left = max(left, way * query.field_cell * query.cost_per_way)
    return np.int64(left) + query.later[leg]


@inlined_kernel
def is_goal(query, leg, x, y, heading, behavior):
    """Tell whether a clip that ends at a pose reaches the goal of a leg."""
    if behavior < 0 or not query.may_end[leg, behavior]:
        return False
    away_x, away_y = query.goals[leg, 0] - x, query.goals[leg, 1] - y
    if away_x * away_x + away_y * away_y > query.goals[leg, 2] * query.goals[leg, 2]:
        return False
    turned = heading - query.goals[leg, 3]
    turned -= TURN * math.floor(turned / TURN + 0.5)
    return abs(turned) <= query.goals[leg, 4]


@inlined_kernel
def is_in_closed_cell(query, x, y):
    rows, columns = query.closed.shape
    u, v = (x - query.field_x0) / query.field_cell, (y - query.field_y0) / query.field_cell
    if not (u >= 0.0 and v >= 0.0 and u < columns and v < rows):
        return True
    return query.closed[int(v), int(u)]


@allocation_free_kernel
def state_word(x, y, heading, frame):
    """Return a word made of a state alone, to draw clips with."""
    word = scramble(np.int64(math.floor(x * 1000.0 + 0.5)) & 0xFFFFFFFF)
    word = scramble(word ^ (np.int64(math.floor(y * 1000.0 + 0.5)) & 0xFFFFFFFF))
    turns = heading / TURN
    word = scramble(word ^ (np.int64(math.floor((turns - math.floor(turns)) * 3600.0 + 0.5)) % 3600))
    return scramble(word ^ (np.int64(frame) & 0xFFFFFFFF))


@allocation_free_kernel
def ground_cost(world, query, actions, clip, x, y, heading):
    """Return what climbing and descending along a clip cost, in whole units."""
    cosine, sine = math.cos(heading), math.sin(heading)
    first = actions.clip_samples[clip]
    before = ground_height(world, x, y)
    rise, fall = 0.0, 0.0
    for sample in range(first + 1, first + actions.duration[clip] + 1):
        along, across = actions.path[sample, 0], actions.path[sample, 1]
        height = ground_height(world, x + cosine * along - sine * across, y + sine * along + cosine * across)
        rise += max(0.0, height - before)
        fall += max(0.0, before - height)
        before = height
    return np.int64(rise * query.climb + fall * query.descend + 0.5)


@inlined_kernel
def may_be_played(world, traffic, query, actions, moves, behavior, clip, x, y, heading, frame, counts):
    """Tell whether a clip may be played from a pose and a frame: the function G of the paper but for visited states."""
    if world.ground.has_terrain and not slopes_allow(world, actions, clip, behavior, x, y, heading):
        return False
    kind = query.special[behavior]
    if kind == -1:
        none = np.int64(-1)  # a variable: a literal would be another type, and everything compiled twice
        if not is_clear_of_obstacles(world, query, actions, moves, behavior, clip, x, y, heading, none, counts):
            return False
    elif not is_special_allowed(world, query, actions, moves, behavior, clip, x, y, heading, kind, counts):
        return False
    if query.has_traffic:
        return clip_is_free_in_traffic(world, traffic, actions, moves, clip, x, y, heading, frame, counts)
    return True


@inlined_kernel
def is_clear_of_obstacles(world, query, actions, moves, behavior, clip, x, y, heading, ignored, counts):
    if query.radius[behavior] > 0.0:
        return disc_clip_is_free(world, actions, clip, x, y, heading, query.radius[behavior], ignored, counts)
    first = actions.clip_samples[clip]
    last = first + actions.duration[clip]
    return clip_is_free(world, moves, clip, first, last, x, y, heading, ignored, counts)


@allocation_free_kernel
def is_special_allowed(world, query, actions, moves, behavior, clip, x, y, heading, kind, counts):
    """Tell whether a special behavior begins near an obstacle of its kind and has its event within it."""
    sample = actions.clip_samples[clip] + actions.event[clip]
    along, across = actions.path[sample, 0], actions.path[sample, 1]
    event_x = x + math.cos(heading) * along - math.sin(heading) * across
    event_y = y + math.sin(heading) * along + math.cos(heading) * across
    if kind < 0:
        return False  # no obstacle of this world is of its kind
    obstacle = first_special_near(world, kind, x, y, np.int64(-1))
    while obstacle >= 0:
        if within_special(world, obstacle, event_x, event_y) and is_clear_of_obstacles(
            world, query, actions, moves, behavior, clip, x, y, heading, obstacle, counts
        ):
            return True
        obstacle = first_special_near(world, kind, x, y, obstacle)
    return False


@allocation_free_kernel
def may_stay(world, traffic, actions, clip, x, y, heading, frame):
    """Tell whether who arrives with a clip can stay in its last instant until all has passed."""
    sample = actions.clip_samples[clip] + actions.duration[clip]
    aside_by, lower, higher = traffic_margins(world, x, y, actions.outer_radius[sample])
    return body_stays_free(
        traffic, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high, actions.outer_radius,
        sample, x, y, math.cos(heading), math.sin(heading), frame, aside_by, lower, higher,
    )  # fmt: skip


@inlined_kernel
def rest_of_state(query, moves, settings, leg, x, y, heading, frame, behavior):
    """Return the key of a state but for its place.

    What may end a plan is a state of its own: it must not be shadowed by what may not, though the same can follow.
    """
    state = moves.state[behavior]
    if leg == query.goals.shape[0] - 1 and is_goal(query, leg, x, y, heading, behavior):
        state = behavior
        leg = leg + 1
    return rest_key(heading, settings.heading_count, state, leg, frame, settings.frame_unit)


@allocation_free_kernel
def is_current(query, moves, settings, tree, frontier, node):
    """Tell whether a node is the best one known for its state; the start is a state of its own."""
    if node == 0:
        return True
    place = place_key(tree.x[node], tree.y[node], settings.place_unit)
    rest = rest_of_state(
        query, moves, settings, tree.leg[node], tree.x[node], tree.y[node], tree.heading[node], tree.frame[node],
        tree.behavior[node],
    )  # fmt: skip
    return frontier.slots[find_slot(frontier.slots, place, rest), NODE] == node


@allocation_free_kernel
def expand_while_room(world, traffic, actions, moves, query, settings, tree, frontier, counts, most_expansions, widest):
    """Expand nodes until the search ends or an array must grow: then the status is still RUNNING."""
    counts[STATUS] = RUNNING
    while counts[EXPANSIONS] < most_expansions:
        if counts[OPEN] == 0:
            counts[STATUS] = EXHAUSTED
            return
        if (
            counts[NODES] + widest > tree.x.shape[0]
            or 2 * (counts[NODES] + widest) > frontier.slots.shape[0]
            or counts[OPEN] + widest > frontier.entries.shape[0]
            or (settings.keep > 0 and counts[OPEN] > 2 * settings.keep)
        ):
            return
        node = open_list.node_of(open_list.pop(frontier.entries, counts[OPEN]))
        counts[OPEN] -= 1
        if tree.closed[node] or tree.cost[node] + tree.left[node] >= settings.ceiling:
            continue
        if not is_current(query, moves, settings, tree, frontier, node):
            continue  # a cheaper way to the same state has come up since
        x, y, heading, frame = tree.x[node], tree.y[node], tree.heading[node], tree.frame[node]
        behavior, leg = tree.behavior[node], tree.leg[node]
        if leg == query.goals.shape[0] - 1 and is_goal(query, leg, x, y, heading, behavior):
            if not query.has_traffic or may_stay(world, traffic, actions, tree.clip[node], x, y, heading, frame):
                counts[STATUS], counts[GOAL_NODE] = FOUND, node
                return
        tree.closed[node] = True
        if tree.left[node] < tree.left[counts[NEAREST]] or counts[EXPANSIONS] == 0:
            counts[NEAREST] = node
        counts[EXPANSIONS] += 1
        expand(world, traffic, actions, moves, query, settings, tree, frontier, counts, node)
    counts[STATUS] = STOPPED


@inlined_kernel
def expand(world, traffic, actions, moves, query, settings, tree, frontier, counts, node):
    """Try all behaviors that may follow a node; there is room for them."""
    x, y, heading, frame = tree.x[node], tree.y[node], tree.heading[node], tree.frame[node]
    behavior, leg = tree.behavior[node], tree.leg[node]
    if behavior < 0:
        first, last = np.int64(0), np.int64(query.first.shape[0])
    else:
        first, last = actions.behavior_successors[behavior], actions.behavior_successors[behavior + 1]
    word = np.int64(-1)
    cosine, sine = math.cos(heading), math.sin(heading)
    for entry in range(first, last):
        next_behavior = query.first[entry] if behavior < 0 else actions.successors[entry]
        counts[GENERATED] += 1
        clip = actions.behavior_clips[next_behavior]
        clips = actions.behavior_clips[next_behavior + 1] - clip
        if clips > 1:
            if word < 0:
                word = state_word(x, y, heading, frame if query.has_traffic else 0)
            clip += choose_clip(query.seed, word, np.int64(next_behavior), clips)
        chosen, clip = clip, np.int64(moves.same[clip])
        next_frame = frame + actions.duration[clip]
        if query.has_traffic and next_frame > query.horizon:
            counts[LATE] += 1
            continue
        ahead, aside = actions.displacement[clip, 0], actions.displacement[clip, 1]
        next_x = x + cosine * ahead - sine * aside
        next_y = y + sine * ahead + cosine * aside
        if is_in_closed_cell(query, next_x, next_y):
            continue
        next_heading = heading + actions.displacement[clip, 2]
        cost = tree.cost[node] + moves.cost[next_behavior]
        if behavior >= 0:
            cost += moves.transition_cost[entry]
        if world.ground.has_terrain:
            cost += ground_cost(world, query, actions, clip, x, y, heading)
        next_leg = leg
        while next_leg < query.goals.shape[0] - 1 and is_goal(
            query, next_leg, next_x, next_y, next_heading, next_behavior
        ):
            next_leg += 1
        left = cost_left(query, next_leg, next_x, next_y)
        if left >= NEVER or cost + left >= settings.ceiling:
            continue
        place = place_key(next_x, next_y, settings.place_unit)
        rest = rest_of_state(query, moves, settings, next_leg, next_x, next_y, next_heading, next_frame, next_behavior)
        slot = find_slot(frontier.slots, place, rest)
        known = frontier.slots[slot, NODE]
        if known != NOBODY:
            if frontier.slots[slot, COST] <= cost:
                if not settings.exact:
                    counts[LEAST_LOST] = min(counts[LEAST_LOST], cost + left)
                continue
            if tree.closed[known] and not settings.exact:
                counts[LEAST_LOST] = min(counts[LEAST_LOST], cost + left)
                continue
        if not may_be_played(world, traffic, query, actions, moves, next_behavior, clip, x, y, heading, frame, counts):
            continue
        if known != NOBODY and not settings.exact:
            counts[LEAST_LOST] = min(counts[LEAST_LOST], tree.cost[known] + tree.left[known])
        new = counts[NODES]
        counts[NODES] += 1
        tree.x[new], tree.y[new], tree.heading[new], tree.frame[new] = next_x, next_y, next_heading, next_frame
        tree.cost[new], tree.left[new], tree.parent[new], tree.behavior[new] = cost, left, node, next_behavior
        tree.clip[new], tree.leg[new], tree.closed[new] = chosen, next_leg, False
        frontier.slots[slot, PLACE], frontier.slots[slot, REST] = place, rest
        frontier.slots[slot, COST], frontier.slots[slot, NODE] = cost, new
        estimate = min((cost + np.int64(left * settings.weight)) >> settings.shift, open_list.LARGEST_ESTIMATE)
        open_list.push(frontier.entries, counts[OPEN], open_list.entry_of(estimate, new))
        counts[OPEN] += 1


@allocation_free_kernel
def least_open(query, moves, settings, tree, frontier, counts):
    """Return the least cost plus what is left of any open node that still counts; NEVER if there is none."""
    least = NEVER
    for at in range(counts[OPEN]):
        node = open_list.node_of(frontier.entries[at])
        if tree.closed[node]:
            continue
        if not is_current(query, moves, settings, tree, frontier, node):
            continue
        least = min(least, tree.cost[node] + tree.left[node])
    return least
