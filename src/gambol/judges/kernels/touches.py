"""Find where capsules of two bodies meet; each moves evenly for a stretch of time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gambol.judges.kernels.bench import BALL, BALL_RADIUS, CAPSULE, DEPTH, END, OTHER_CAPSULE, PLACE, START, TO
from gambol.judges.kernels.distance import point_between, segment_distance
from gambol.judges.kernels.tracks import DEPTH_PRECISION_M, RESOLUTION_M, point_at, push_halves
from gambol.kernels.jit import allocation_free_kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray
    from gambol.judges.kernels.bench import Bench


@allocation_free_kernel
def inside_box(track: FloatArray, box: FloatArray):
    """Return whether a capsule's ball reaches into a body's box."""
    for axis in range(3):
        if (
            track[BALL + axis] + track[BALL_RADIUS] < box[axis]
            or track[BALL + axis] - track[BALL_RADIUS] > box[3 + axis]
        ):
            return False
    return True


@allocation_free_kernel
def balls_meet(one: FloatArray, two: FloatArray):
    away = (one[BALL] - two[BALL]) ** 2 + (one[BALL + 1] - two[BALL + 1]) ** 2 + (one[BALL + 2] - two[BALL + 2]) ** 2
    return away <= (one[BALL_RADIUS] + two[BALL_RADIUS]) ** 2


@allocation_free_kernel
def relative_travel(one: FloatArray, two: FloatArray):
    """Return the farthest that any point of one axis travels, seen from any point of the other."""
    square = 0.0
    for mine in (START, END):
        for other in (START, END):
            away = 0.0
            for axis in range(3):
                moved = one[mine + TO + axis] - one[mine + axis]
                away += (moved - two[other + TO + axis] + two[other + axis]) ** 2
            square = max(square, away)
    return math.sqrt(square)


@allocation_free_kernel
def axes_at(share: float, one: FloatArray, two: FloatArray):
    """Return the distance between two axes at a share of the time, and where on each it is."""
    return segment_distance(
        point_at(one, START, share), point_at(one, END, share), point_at(two, START, share), point_at(two, END, share)
    )


@allocation_free_kernel
def closest_moment(one: FloatArray, two: FloatArray, level: float, stack: FloatArray):
    """Find the moment at which two axes are closest, if they are ever as close as `level`; see `nearest_moment`.

    Returns whether there is such a moment, its share of the time and the distance then.
    """
    travel = relative_travel(one, two)
    begin, _, _ = axes_at(0.0, one, two)
    finish, _, _ = axes_at(1.0, one, two)
    best, when = (begin, 0.0) if begin <= finish else (finish, 1.0)
    found = best <= level
    goal = min(level, best - DEPTH_PRECISION_M) if found else level
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0.0, 1.0, begin, finish
    size = 1
    while size > 0:
        size -= 1
        low, high, at_low, at_high = stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3]
        change = travel * (high - low)
        if 0.5 * (at_low + at_high - change) > goal:
            continue
        if change <= RESOLUTION_M:
            found = True
            goal = min(goal, best - DEPTH_PRECISION_M)
            continue
        middle = 0.5 * (low + high)
        distance, _, _ = axes_at(middle, one, two)
        if distance < best:
            best, when = distance, middle
        if best <= level:
            found = True
            goal = min(goal, best - DEPTH_PRECISION_M)
        push_halves(stack, size, low, high, at_low, distance, at_high)
        size += 2
    return found, when, best


@allocation_free_kernel
def touch_in_stretch(bench: Bench, my_radius: FloatArray, other_radius: FloatArray):
    """Look for the deepest touch of the two bodies whose tracks are on the bench; a deeper one replaces the row.

    Returns the share of the time at which the touch is, or -1 if the row does not change.
    """
    count, row = 0, bench.row
    for other in range(len(other_radius)):
        if inside_box(bench.others[other], bench.boxes[0]):
            bench.near[count] = other
            count += 1
    share = -1.0
    for capsule in range(len(my_radius)):
        if not inside_box(bench.mine[capsule], bench.boxes[1]):
            continue
        for number in range(count):
            other = bench.near[number]
            one, two = bench.mine[capsule], bench.others[other]
            if not balls_meet(one, two):
                continue
            radii = my_radius[capsule] + other_radius[other]
            level = min(radii, radii - row[DEPTH] - DEPTH_PRECISION_M)
            found, when, distance = closest_moment(one, two, level, bench.stack)
            if found and radii - distance > row[DEPTH]:
                share = when
                _, on_one, on_two = axes_at(when, one, two)
                row[DEPTH], row[CAPSULE], row[OTHER_CAPSULE] = radii - distance, capsule, other
                mine = point_between(point_at(one, START, when), point_at(one, END, when), on_one)
                theirs = point_between(point_at(two, START, when), point_at(two, END, when), on_two)
                for axis in range(3):
                    row[PLACE + axis] = 0.5 * (mine[axis] + theirs[axis])
    return share
