"""All trajectories of a crowd, body by body, and whether any two of them meet: plainly, frame after frame.

This looks at everything and skips nothing, and shares no code with reservations, which it is there to doubt.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, kernel

PARTS = 8
POSITION_TOLERANCE_M = 1e-9
NONE = -1


@allocation_free_kernel
def broken_trajectory(actions, flock, count, now):
    """Return who does not hold a trajectory from now on whose clips follow each other; -1 if all do."""
    for who in range(count):
        if not flock.taken[who]:
            continue
        frame, x, y, heading = flock.frame[who, 0], flock.pose[who, 0, 0], flock.pose[who, 0, 1], flock.pose[who, 0, 2]
        if flock.count[who] < 1 or frame > now:
            return who
        for segment in range(flock.count[who] + 1):
            ends = segment == flock.count[who]
            begins = flock.end_frame[who] if ends else flock.frame[who, segment]
            px = flock.end[who, 0] if ends else flock.pose[who, segment, 0]
            py = flock.end[who, 1] if ends else flock.pose[who, segment, 1]
            cosine = flock.end[who, 3] if ends else flock.pose[who, segment, 3]
            sine = flock.end[who, 4] if ends else flock.pose[who, segment, 4]
            away = abs(px - x) + abs(py - y) + abs(cosine - math.cos(heading)) + abs(sine - math.sin(heading))
            if begins != frame or not away <= POSITION_TOLERANCE_M or (segment == 1 and begins <= now):
                return who
            if not ends:
                clip = flock.clip[who, segment]
                dx, dy = actions.displacement[clip, 0], actions.displacement[clip, 1]
                x, y = x + cosine * dx - sine * dy, y + sine * dx + cosine * dy
                heading += actions.displacement[clip, 2]
                frame += actions.duration[clip]
    return NONE


@kernel
def lay_bodies(actions, rest_samples, rest_parts, flock, count, now):
    """Lay out the bodies of all from now on.

    rest_samples (K,): rows of `rest_parts` (S, 8, 6) in which one of a kind stands.

    Returns
    -------
    first (N + 1,): where the bodies of each begin; the last of each is how it stands for ever.
    frame (M,): at which each body is there; where two clips meet there are two, and the last is there from then on.
    cylinders (M, 8, 5): x, y, radius, low, high.
    circles (M, 3): x, y, radius around all of a body.
    """
    first = np.zeros(count + 1, np.int64)
    for who in range(count):
        bodies = 0
        if flock.taken[who]:
            bodies = 1
            for segment in range(flock.count[who]):
                bodies += actions.duration[flock.clip[who, segment]] + 1
        first[who + 1] = first[who] + bodies
    frame = np.full(first[count], -1, np.int64)
    cylinders = np.zeros((first[count], PARTS, 5))
    circles = np.zeros((first[count], 3))
    for who in range(count):
        if not flock.taken[who]:
            continue
        row = first[who]
        for segment in range(flock.count[who]):
            clip = flock.clip[who, segment]
            x, y, heading = flock.pose[who, segment, 0], flock.pose[who, segment, 1], flock.pose[who, segment, 2]
            c, s = math.cos(heading), math.sin(heading)
            for passed in range(actions.duration[clip] + 1):
                sample = actions.clip_samples[clip] + passed
                along, across, turned = actions.path[sample, 0], actions.path[sample, 1], actions.path[sample, 2]
                frame[row] = flock.frame[who, segment] + passed
                circles[row, 0], circles[row, 1] = x + c * along - s * across, y + s * along + c * across
                for part in range(PARTS):
                    set_cylinder(
                        circles, cylinders, row, part, heading + turned, actions.part_offset[sample, part, 0],
                        actions.part_offset[sample, part, 1], actions.part_radius[sample, part],
                        actions.part_low[sample, part], actions.part_high[sample, part],
                    )  # fmt: skip
                row += 1
        frame[row] = flock.end_frame[who]
        circles[row, 0], circles[row, 1] = flock.end[who, 0], flock.end[who, 1]
        rest = rest_samples[flock.kind[who]]
        for part in range(PARTS):
            set_cylinder(
                circles, cylinders, row, part, flock.end[who, 2], rest_parts[rest, part, 0], rest_parts[rest, part, 1],
                rest_parts[rest, part, 2], rest_parts[rest, part, 3], rest_parts[rest, part, 4],
            )  # fmt: skip
    return first, frame, cylinders, circles


@allocation_free_kernel
def set_cylinder(circles, cylinders, row, part, heading, ahead, aside, radius, low, high):
    """Place one part of a body whose root is the middle of its circle; the circle grows to hold it."""
    c, s = math.cos(heading), math.sin(heading)
    cylinders[row, part, 0] = circles[row, 0] + c * ahead - s * aside
    cylinders[row, part, 1] = circles[row, 1] + s * ahead + c * aside
    cylinders[row, part, 2], cylinders[row, part, 3], cylinders[row, part, 4] = radius, low, high
    if high > low:
        circles[row, 2] = max(circles[row, 2], math.hypot(ahead, aside) + radius)


@allocation_free_kernel
def distance_between(cylinders, one, other):
    """Return the least distance of two bodies in the plane where their heights meet: negative by how deep they meet."""
    least = math.inf
    for i in range(PARTS):
        for j in range(PARTS):
            low = max(cylinders[one, i, 3], cylinders[other, j, 3])
            high = min(cylinders[one, i, 4], cylinders[other, j, 4])
            is_part = cylinders[one, i, 4] > cylinders[one, i, 3] and cylinders[other, j, 4] > cylinders[other, j, 3]
            if is_part and low <= high:
                dx, dy = cylinders[one, i, 0] - cylinders[other, j, 0], cylinders[one, i, 1] - cylinders[other, j, 1]
                least = min(least, math.hypot(dx, dy) - cylinders[one, i, 2] - cylinders[other, j, 2])
    return least


@allocation_free_kernel
def find_meeting(first, frame, cylinders, circles, now, tolerance):
    """Return two who meet, at which frame from now on and their distance there; -1, -1 if none do."""
    for one in range(len(first) - 1):
        for other in range(one + 1, len(first) - 1):
            if first[one] == first[one + 1] or first[other] == first[other + 1]:
                continue
            a, b = first[one], first[other]
            one_rests, other_rests = first[one + 1] - 1, first[other + 1] - 1
            for at in range(now, max(frame[one_rests], frame[other_rests]) + 1):
                while a < one_rests and frame[a] < at:
                    a += 1
                while b < other_rests and frame[b] < at:
                    b += 1
                i = a
                while i <= one_rests and frame[i] <= at:
                    j = b
                    while j <= other_rests and frame[j] <= at:
                        away = math.hypot(circles[i, 0] - circles[j, 0], circles[i, 1] - circles[j, 1])
                        if away <= circles[i, 2] + circles[j, 2]:
                            distance = distance_between(cylinders, i, j)
                            if distance <= -tolerance:
                                return one, other, at, distance
                        j += 1
                    i += 1
    return NONE, NONE, now, math.inf
