"""Who queues for which door."""

from __future__ import annotations

import math

from gambol.crowd.arrays import NO_DOOR, ON_THE_WAY
from gambol.kernels.jit import allocation_free_kernel

ASIDE_M = 0.3  # a way leads through a mouth that passes beside its middle at half its width and so much more
LEAVING = 1.5  # who is so many times as far away as where queues end has left


@allocation_free_kernel
def hold_tickets(flock, count, doors, wants):
    """Write for everyone (N,) the door, counted from 1, that its route leads through next, if that is near.

    Tickets of those who went through or away, or want another door, are taken back; who does not want its door just
    now keeps its ticket.
    """
    for who in range(count):
        wants[who] = NO_DOOR
        if not flock.taken[who]:
            flock.door[who] = NO_DOOR
            continue
        x, y = flock.pose[who, 0, 0], flock.pose[who, 0, 1]
        if flock.condition[who] == ON_THE_WAY and flock.way_count[who] > 0:
            least = math.inf
            for door in range(len(doors.place)):
                if is_before(doors, door, x, y, doors.reach_m):
                    way = way_to_door(flock, who, doors, door)
                    if way < least:
                        wants[who], least = door + 1, way
        held = flock.door[who]
        if held == NO_DOOR:
            continue
        if wants[who] != held and (
            wants[who] != NO_DOOR or not is_before(doors, held - 1, x, y, LEAVING * doors.reach_m)
        ):
            flock.door[who] = NO_DOOR


@allocation_free_kernel
def is_before(doors, door, x, y, reach_m):
    """Tell whether a place is at the outer side of a door and not farther from it than a distance."""
    dx, dy = x - doors.place[door, 0], y - doors.place[door, 1]
    return dx * dx + dy * dy <= reach_m * reach_m and dx * doors.out[door, 0] + dy * doors.out[door, 1] > 0.0


@allocation_free_kernel
def way_to_door(flock, who, doors, door):
    """Return the metres of someone's route until it leads into a door; infinite if it does not."""
    x, y = flock.pose[who, 0, 0], flock.pose[who, 0, 1]
    out_x, out_y = doors.out[door, 0], doors.out[door, 1]
    before = (x - doors.place[door, 0]) * out_x + (y - doors.place[door, 1]) * out_y
    way = 0.0
    for at in range(flock.way_at[who], flock.way_count[who]):
        to_x, to_y = flock.way[who, at, 0], flock.way[who, at, 1]
        after = (to_x - doors.place[door, 0]) * out_x + (to_y - doors.place[door, 1]) * out_y
        length = math.hypot(to_x - x, to_y - y)
        if before > 0.0 and after <= 0.0:
            share = before / (before - after)
            cross_x, cross_y = x + share * (to_x - x), y + share * (to_y - y)
            aside = abs((cross_y - doors.place[door, 1]) * out_x - (cross_x - doors.place[door, 0]) * out_y)
            if aside <= doors.half_m[door] + ASIDE_M:
                return way + share * length
        way += length
        x, y, before = to_x, to_y, after
    return math.inf
