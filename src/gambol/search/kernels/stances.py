"""Whether a body finds room somewhere: instants of clips at places and headings."""

from __future__ import annotations

import math

from gambol.kernels.jit import allocation_free_kernel
from gambol.search.kernels.collision import instant_is_free, slope_margins, traffic_margins
from gambol.search.kernels.traffic import body_blocking_thing
from gambol.world.kernels.lookup import BOUNDS, NOTHING, blocking_obstacle

PARTS = 8


@allocation_free_kernel
def has_room(world, moves, samples, goal_x, goal_y, tolerance, rings, headings, heading, heading_tolerance):
    """Tell whether some instant fits at some of the places and headings tried around a goal."""
    for ring in range(rings):
        radius = tolerance * ring / max(rings - 1, 1)
        around = 1 if ring == 0 else 6 * ring
        for place in range(around):
            angle = 2.0 * math.pi * place / around
            x, y = goal_x + radius * math.cos(angle), goal_y + radius * math.sin(angle)
            for turn in range(headings):
                facing = heading + (2.0 * turn / headings - 1.0) * min(heading_tolerance, math.pi)
                for sample in samples:
                    if instant_is_free(world, moves, sample, x, y, facing, -1):
                        return True
    return False


@allocation_free_kernel
def what_blocks(world, actions, sample, x, y, heading):
    """Return the obstacle that an instant meets, NOTHING or BOUNDS."""
    cosine, sine = math.cos(heading), math.sin(heading)
    reach = actions.outer_radius[sample]
    aside_by, lower, higher = slope_margins(world, x, y, reach, reach)
    found = NOTHING
    for part in range(PARTS):
        low, high = actions.part_low[sample, part], actions.part_high[sample, part]
        if high <= low:
            continue
        ahead, aside = actions.part_offset[sample, part, 0], actions.part_offset[sample, part, 1]
        blocking = blocking_obstacle(
            world, x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside,
            actions.part_radius[sample, part] + aside_by, low - lower, high + higher, -1,
        )  # fmt: skip
        if blocking >= 0:
            return blocking
        if blocking == BOUNDS:
            found = BOUNDS
    return found


@allocation_free_kernel
def what_moves_in(world, traffic, actions, sample, x, y, heading, frame):
    """Return the thing that an instant meets at a frame, or a negative number."""
    aside_by, lower, higher = traffic_margins(world, x, y, actions.outer_radius[sample])
    return body_blocking_thing(
        traffic, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high, actions.outer_radius,
        sample, x, y, math.cos(heading), math.sin(heading), frame, aside_by, lower, higher,
    )  # fmt: skip


@allocation_free_kernel
def when_met(world, traffic, actions, sample, x, y, heading, end_frame):
    """Return the first frame before another at which a thing meets who holds an instant from frame 0 on, or -1."""
    for frame in range(end_frame):
        if what_moves_in(world, traffic, actions, sample, x, y, heading, frame) >= 0:
            return frame
    return -1
