"""Whether a clip can be played from a pose: its swept shape against what stands and what moves."""

from __future__ import annotations

import math

from gambol.jit import kernel
from gambol.plan.kernels.traffic import body_is_free_at, is_quiet
from gambol.world.kernels.lookup import clearance, disc_is_free, ground_slope, ground_steepness

NOTHING = -1
PARTS = 8
ALL_HEIGHTS = 1e8  # a body of one fixed radius fills them all


@kernel
def slope_margin(world, x, y, reach):
    """Return how much higher or lower above the local ground a body may get by standing on a slope."""
    return ground_steepness(world, x, y) * reach


@kernel
def parts_are_free(world, actions, sample, x, y, cosine, sine, ignored, margin):
    """Test the eight cylinders of an instant against what stands."""
    for part in range(PARTS):
        ahead, aside = actions.part_offset[sample, part, 0], actions.part_offset[sample, part, 1]
        px = x + cosine * ahead - sine * aside
        py = y + sine * ahead + cosine * aside
        low, high = actions.part_low[sample, part], actions.part_high[sample, part]
        if high <= low:
            continue  # a figure without this part
        low, high = low - margin, high + margin
        if not disc_is_free(world, px, py, actions.part_radius[sample, part], low, high, ignored):
            return False
    return True


@kernel
def instant_is_free(world, actions, sample, x, y, heading, ignored):
    """Test one instant of a clip, its path's pose at (x, y, heading)."""
    reach = actions.outer_radius[sample]
    if clearance(world, x, y) >= reach:
        return True
    margin = slope_margin(world, x, y, reach)
    return parts_are_free(world, actions, sample, x, y, math.cos(heading), math.sin(heading), ignored, margin)


@kernel
def clip_is_free(world, actions, moves, clip, x, y, heading, ignored, counts):
    """Test a whole clip, begun at a pose, against what stands; counts[0] grows by the instants looked up.

    One look-up settles a clip in the open.  Otherwise clearance at an instant also settles those
    that follow it more closely than there is room.
    """
    cosine, sine = math.cos(heading), math.sin(heading)
    centre_x, centre_y, radius = moves.circle[clip, 0], moves.circle[clip, 1], moves.circle[clip, 2]
    counts[0] += 1
    room = clearance(world, x + cosine * centre_x - sine * centre_y, y + sine * centre_x + cosine * centre_y)
    if room >= radius:
        return True
    first = actions.clip_samples[clip]
    last = first + actions.duration[clip]
    sample = first
    while sample <= last:
        along, across = actions.path[sample, 0], actions.path[sample, 1]
        px = x + cosine * along - sine * across
        py = y + sine * along + cosine * across
        counts[0] += 1
        room = clearance(world, px, py)
        reach = actions.outer_radius[sample]
        if room < reach:
            turned = heading + actions.path[sample, 2]
            margin = slope_margin(world, px, py, reach)
            if not parts_are_free(world, actions, sample, px, py, math.cos(turned), math.sin(turned), ignored, margin):
                return False
            sample += 1
            continue
        begun = moves.arc[sample]
        sample += 1
        while sample <= last and moves.arc[sample] - begun + actions.outer_radius[sample] <= room:
            sample += 1
    return True


@kernel
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


@kernel
def clip_is_free_in_traffic(world, traffic, actions, moves, clip, x, y, heading, frame, counts):
    """Test a whole clip, begun at a pose and a frame, against what moves."""
    cosine, sine = math.cos(heading), math.sin(heading)
    centre_x, centre_y, radius = moves.circle[clip, 0], moves.circle[clip, 1], moves.circle[clip, 2]
    wide_x, wide_y = x + cosine * centre_x - sine * centre_y, y + sine * centre_x + cosine * centre_y
    duration = actions.duration[clip]
    if is_quiet(traffic, wide_x, wide_y, radius, frame, frame + duration):
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


@kernel
def instant_is_free_in_traffic(world, traffic, actions, sample, x, y, heading, frame):
    """Test one instant of a clip at a frame against what moves."""
    margin = slope_margin(world, x, y, actions.outer_radius[sample])
    return body_is_free_at(
        traffic, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high, actions.outer_radius,
        sample, x, y, math.cos(heading), math.sin(heading), frame, margin, margin,
    )  # fmt: skip


@kernel
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
