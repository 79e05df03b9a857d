"""Coarse maps: what ways between squares cost, and the shortest of them."""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import kernel
from gambol.search.kernels.coarse import FAR, NOWHERE


@kernel
def way_costs(first, to, point, dearer, unit):
    """Return the costs of ways, whole numbers of a unit in metres: as long as they are, and by how much dearer."""
    cost = np.empty(len(to), np.int32)
    for place in range(len(first) - 1):
        for way in range(first[place], first[place + 1]):
            x, y = point[place, 0] - point[to[way], 0], point[place, 1] - point[to[way], 1]
            times = 1.0 + 0.5 * (dearer[place] + dearer[to[way]])
            cost[way] = max(1, int(np.rint(math.hypot(x, y) * times / unit)))
    return cost


@kernel
def in_order(here, there, count):
    """Return pairs by what is here, then by what is there, each once: where those of each begin, and what is there."""
    first = np.zeros(count + 1, np.int64)
    for entry in range(len(here)):
        first[here[entry] + 1] += 1
    for place in range(count):
        first[place + 1] += first[place]
    filled, to = first[:-1].copy(), np.empty(len(here), np.int32)
    for entry in range(len(here)):  # into the row of its place, moving what is greater up
        at = filled[here[entry]]
        filled[here[entry]] += 1
        while at > first[here[entry]] and to[at - 1] > there[entry]:
            to[at] = to[at - 1]
            at -= 1
        to[at] = there[entry]
    size = 0
    for place in range(count):
        begin, end = first[place], first[place + 1]
        first[place] = size
        for entry in range(begin, end):
            if entry == begin or to[entry] != to[entry - 1]:
                to[size] = to[entry]
                size += 1
    first[count] = size
    return first, to[:size].copy()


@kernel
def roomiest_nearby(point, room, kind, aside):
    """Return for places in a crossing the one of the same obstacle that has most room, of those nearby; the nearest."""
    count = len(kind)
    found = np.empty(count, np.int32)
    crossing = np.flatnonzero(kind >= 0)
    for place in range(count):
        found[place] = place
    for place in crossing:
        most, least_away = -math.inf, math.inf
        for other in crossing:
            if kind[other] != kind[place]:
                continue
            x, y = point[other, 0] - point[place, 0], point[other, 1] - point[place, 1]
            away = math.sqrt(x * x + y * y)
            if away > aside:
                continue
            space = np.rint(100.0 * room[other])  # in centimetres
            if space > most or (space == most and away < least_away):
                most, least_away = space, away
                found[place] = other
    return found


@kernel
def corner_ways(first, to, cell, columns):
    """Return the pairs of places in squares that meet at a corner, connected through both squares between them.

    first (P + 1,), to: neighbours across sides, by place; cell: the square of each place.
    """
    count = len(first) - 1
    here, there = np.empty(8 * count + 8, np.int32), np.empty(8 * count + 8, np.int32)
    seen_by, seen_through = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    size = 0
    for place in range(count):
        at = cell[place]
        for entry in range(first[place], first[place + 1]):
            middle = to[entry]
            for further in range(first[middle], first[middle + 1]):
                corner = to[further]
                down, right = cell[corner] // columns - at // columns, cell[corner] % columns - at % columns
                if abs(down) != 1 or abs(right) != 1:
                    continue
                if seen_by[corner] != place:
                    seen_by[corner], seen_through[corner] = place, cell[middle]
                elif seen_through[corner] >= 0 and seen_through[corner] != cell[middle] and size < len(here):
                    seen_through[corner] = -1
                    here[size], there[size] = place, corner
                    size += 1
    return here[:size].copy(), there[:size].copy()


@kernel
def spread(first, to, cost, extra, source, stop_at, distance, onward):
    """Fill the cost of the way from each place to a source, and the place to go to next; whole numbers, FAR: no way.

    cost: of coming from `to` to the place that the entry belongs to; extra (P,): of leaving a place.  Ends
    when a place to stop at is settled, where one is given.  Places wait in buckets, one for each cost.
    """
    longest = 1
    for entry in range(len(to)):
        longest = max(longest, cost[entry] + extra[to[entry]])
    buckets = np.full(longest + 1, -1, np.int32)
    waiting, after = np.empty(len(to) + 1, np.int32), np.empty(len(to) + 1, np.int32)
    distance[:] = FAR
    onward[:] = NOWHERE
    distance[source] = 0
    waiting[0], after[0], buckets[0] = source, -1, 0
    size, left, level = 1, 1, 0
    while left > 0:
        slot = level % (longest + 1)
        entry = buckets[slot]
        buckets[slot] = -1
        while entry >= 0:
            place = waiting[entry]
            entry = after[entry]
            left -= 1
            if distance[place] != level:
                continue  # a shorter way has come up since
            if place == stop_at:
                return
            for way in range(first[place], first[place + 1]):
                neighbour = to[way]
                reached = level + cost[way] + extra[neighbour]
                if reached < distance[neighbour]:
                    distance[neighbour] = reached
                    onward[neighbour] = place
                    there = reached % (longest + 1)
                    waiting[size], after[size] = neighbour, buckets[there]
                    buckets[there] = size
                    size += 1
                    left += 1
        level += 1
