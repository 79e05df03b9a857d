"""Whether a clip can be played from a pose: its swept shape against what stands and what moves."""

from __future__ import annotations

import math

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel
from gambol.search.kernels.traffic import body_is_free_at, is_quiet
from gambol.world.kernels.lookup import clearance, disc_is_free, ground_slope, ground_steepness

NOTHING = -1
PARTS = 8
# Columns of `Moves.samples` and `Moves.parts`.
OUTER, ARC = 4, 5
RADIUS, LOW, HIGH, REACH = 2, 3, 4, 5
OTHERS_REACH = 2.2  # metres, of whom one meets: a horse's
ALL_HEIGHTS = 1e8  # a body of one fixed radius fills them all


@allocation_free_kernel
def slope_margins(world, x, y, reach, around):
    """Return how much farther aside, lower and higher the parts of a body may get by standing on a slope.

    Measured on delivered motions of all characters on ground of any shape up to a rise of 0.3 a metre: a
    foot is set uphill of where the clip has it, the root sinks where a leg cannot reach.  The ground counts
    as far as `around`.
    """
    steepness = ground_steepness(world, x, y, around)
    return sideways_margin(steepness), steepness * (reach + 0.65), steepness * (reach + 0.1)


@allocation_free_kernel
def sideways_margin(steepness):
    return min(2.0 * steepness, 0.03 + 0.7 * steepness) if steepness > 0.0 else 0.0


@inlined_kernel
def parts_are_free(world, moves, sample, x, y, cosine, sine, ignored, room):
    """Test the cylinders of an instant that reach farther than there is room around its root."""
    aside_by, lower, higher = 0.0, 0.0, 0.0
    if world.ground.has_terrain:
        aside_by, lower, higher = slope_margins(world, x, y, moves.samples[sample, OUTER], moves.samples[sample, OUTER])
    for part in range(PARTS):
        if moves.parts[sample, part, REACH] + aside_by <= room:
            return True  # so are those that follow, which reach less far
        ahead, aside = moves.parts[sample, part, 0], moves.parts[sample, part, 1]
        if not disc_is_free(
            world,
            x + cosine * ahead - sine * aside,
            y + sine * ahead + cosine * aside,
            moves.parts[sample, part, RADIUS] + aside_by,
            moves.parts[sample, part, LOW] - lower,
            moves.parts[sample, part, HIGH] + higher,
            ignored,
        ):
            return False
    return True


@allocation_free_kernel
def instant_is_free(world, moves, sample, x, y, heading, ignored):
    """Test one instant of a clip, its path's pose at (x, y, heading)."""
    room = max(0.0, clearance(world, x, y))
    return parts_are_free(world, moves, sample, x, y, math.cos(heading), math.sin(heading), ignored, room)


@inlined_kernel
def clip_is_free(world, moves, clip, first, last, x, y, heading, ignored, counts):
    """Test a whole clip, begun at a pose, against what stands; counts[0] grows by the instants looked up.

    One look-up settles a clip in the open.  Otherwise clearance at an instant also settles those
    before it that are nearer than there is room.  From the last to the first: the start is known to
    be free, so what is in the way is more likely found at the other end.
    """
    grown = sideways_margin(world.ground.steepest)  # on the steepest slope there is
    cosine, sine = math.cos(heading), math.sin(heading)
    centre_x, centre_y, radius = moves.circle[clip, 0], moves.circle[clip, 1], moves.circle[clip, 2]
    counts[0] += 1
    room = clearance(world, x + cosine * centre_x - sine * centre_y, y + sine * centre_x + cosine * centre_y)
    if room >= radius + grown:
        return True
    sample = last
    while sample >= first:
        along, across = moves.samples[sample, 0], moves.samples[sample, 1]
        px = x + cosine * along - sine * across
        py = y + sine * along + cosine * across
        counts[0] += 1
        room = max(0.0, clearance(world, px, py))
        if room < moves.samples[sample, OUTER] + grown:
            turn_cosine, turn_sine = moves.samples[sample, 2], moves.samples[sample, 3]
            if not parts_are_free(
                world, moves, sample, px, py,
                cosine * turn_cosine - sine * turn_sine, sine * turn_cosine + cosine * turn_sine, ignored, room,
            ):  # fmt: skip
                return False
            sample -= 1
            continue
        ended = moves.samples[sample, ARC]
        sample -= 1
        while sample >= first and ended - moves.samples[sample, ARC] + moves.samples[sample, OUTER] + grown <= room:
            sample -= 1
    return True


@allocation_free_kernel
def disc_clip_is_free(world, actions, clip, x, y, heading, radius, ignored, counts):
    """Test a clip whose body is one fixed disc of all heights [LK05 3.2]."""
    cosine, sine = math.cos(heading), math.sin(heading)
    first = actions.clip_samples[clip]
    for sample in range(first, first + actions.duration[clip] + 1):
        along, across = actions.path[sample, 0], actions.path[sample, 1]
        px = x + cosine * along - sine * across
        py = y + sine * along + cosine * across
        counts[0] += 1
        if not disc_is_free(world, px, py, radius, -ALL_HEIGHTS, ALL_HEIGHTS, ignored):
            return False
    return True


@allocation_free_kernel
def clip_is_free_in_traffic(world, traffic, actions, moves, clip, x, y, heading, frame, counts):
    """Test a whole clip, begun at a pose and a frame, against what moves."""
    cosine, sine = math.cos(heading), math.sin(heading)
    centre_x, centre_y, radius = moves.circle[clip, 0], moves.circle[clip, 1], moves.circle[clip, 2]
    wide_x, wide_y = x + cosine * centre_x - sine * centre_y, y + sine * centre_x + cosine * centre_y
    duration = actions.duration[clip]
    wide = radius + 2.0 * sideways_margin(world.ground.steepest)
    if is_quiet(traffic, wide_x, wide_y, wide, frame, frame + duration):
        return True
    first = actions.clip_samples[clip]
    for step in range(duration + 1):
        sample = first + step
        along, across = actions.path[sample, 0], actions.path[sample, 1]
        px = x + cosine * along - sine * across
        py = y + sine * along + cosine * across
        turned = heading + actions.path[sample, 2]
        counts[0] += 1
        if not instant_is_free_in_traffic(world, traffic, actions, sample, px, py, turned, frame + step):
            return False
    return True


@allocation_free_kernel
def traffic_margins(world, x, y, reach):
    """Return margins on a slope against what moves: that may be a body which gets aside too, on ground of its own."""
    aside_by, lower, higher = slope_margins(world, x, y, reach, reach + OTHERS_REACH)
    return 2.0 * aside_by, 2.0 * lower, 2.0 * higher


@allocation_free_kernel
def instant_is_free_in_traffic(world, traffic, actions, sample, x, y, heading, frame):
    """Test one instant of a clip at a frame against what moves."""
    aside_by, lower, higher = traffic_margins(world, x, y, actions.outer_radius[sample])
    return body_is_free_at(
        traffic, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high, actions.outer_radius,
        sample, x, y, math.cos(heading), math.sin(heading), frame, aside_by, lower, higher,
    )  # fmt: skip


@allocation_free_kernel
def slopes_allow(world, actions, clip, behavior, x, y, heading):
    """Tell whether the ground along a clip rises and falls no more than its behavior may."""
    least, greatest = actions.slopes[behavior, 0], actions.slopes[behavior, 1]
    cosine, sine = math.cos(heading), math.sin(heading)
    first = actions.clip_samples[clip]
    for sample in range(first, first + actions.duration[clip] + 1):
        along, across = actions.path[sample, 0], actions.path[sample, 1]
        px = x + cosine * along - sine * across
        py = y + sine * along + cosine * across
        slope = ground_slope(world, px, py, heading + actions.path[sample, 2])
        if slope < least or slope > greatest:
            return False
    return True
