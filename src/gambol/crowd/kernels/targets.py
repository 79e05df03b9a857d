"""Where to make for: the farthest way-point of a route that is in sight."""

from __future__ import annotations

import math

import numpy as np

from gambol.crowd.kernels.sight import is_good_way, room_at, visible
from gambol.kernels.jit import allocation_free_kernel, merged_kernel

NEAR_CORNER_M = 6.0  # from here on one looks around a corner of the route
LOOK_AHEAD_M = 25.0  # way-points that are farther off are not looked for before one comes near the one before
REACHED_M = 0.5
LEAST_ROOM_M = 0.05
AT_HAND_M = 4.0  # so near to its goal one need not obey lanes any more


@merged_kernel
def target_on_route(setting, who, x, y):
    """Return the farthest way-point that is seen from a place; ask for a new route where none is."""
    flock, floor = setting.flock, setting.floor
    # Parts of a body fit where a circle around it does not: who stands at a wall sees along it.
    radius = min(setting.radius[flock.kind[who]], max(room_at(floor, x, y) - 0.02, LEAST_ROOM_M))
    count = flock.way_count[who]
    at = min(flock.way_at[who], count - 1)
    if flock.way_ends[who] and is_at_hand(floor, radius, x, y, flock.goal[who, 0], flock.goal[who, 1]):
        flock.way_at[who] = count - 1
        return count - 1
    if not visible(floor, radius, x, y, flock.way[who, at, 0], flock.way[who, at, 1]):
        seen = at - 1
        while seen >= 0 and not visible(floor, radius, x, y, flock.way[who, seen, 0], flock.way[who, seen, 1]):
            seen -= 1
        if seen < 0:
            flock.way_wanted[who] = True
            return at
        at = seen
    while at + 1 < count:
        if abs(flock.way[who, at, 0] - x) + abs(flock.way[who, at, 1] - y) < REACHED_M:
            at += 1  # it is there: what comes next must do, in sight or not
            continue
        next_x, next_y = flock.way[who, at + 1, 0], flock.way[who, at + 1, 1]
        is_far = abs(flock.way[who, at, 0] - x) + abs(flock.way[who, at, 1] - y) > NEAR_CORNER_M
        if is_far and abs(next_x - x) + abs(next_y - y) > LOOK_AHEAD_M:
            break
        if not is_good_way(floor, x, y, radius, x, y, next_x, next_y):
            break
        at += 1
    if at == count - 1 and not flock.way_ends[who]:
        flock.way_wanted[who] = True  # the route goes on
    if at != flock.way_at[who]:
        flock.way_at[who], flock.way_frame[who] = at, setting.now
    return at


@allocation_free_kernel
def is_at_hand(floor, radius, x, y, to_x, to_y):
    """Tell whether a goal is a few metres away and in sight, lanes or no lanes."""
    dx, dy = to_x - x, to_y - y
    away = math.sqrt(dx * dx + dy * dy)
    if away > AT_HAND_M:
        return False
    steps = np.int64(away / floor.cell_m) + 1
    for step in range(steps + 1):
        if room_at(floor, x + dx * step / steps, y + dy * step / steps) < radius:
            return False
    return True


@allocation_free_kernel
def sees_way(floor, flock, who, x, y):
    """Tell whether the way-point that someone makes for, or the next, is in sight of a place."""
    at = flock.way_at[who]
    if visible(floor, LEAST_ROOM_M, x, y, flock.way[who, at, 0], flock.way[who, at, 1]):
        return True
    return at + 1 < flock.way_count[who] and visible(
        floor, LEAST_ROOM_M, x, y, flock.way[who, at + 1, 0], flock.way[who, at + 1, 1]
    )
