"""Find where capsules of two bodies meet; each moves evenly between the frames of its own motion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.judges.kernels.distance import segment_distance
from gambol.judges.kernels.prisms import (
    DEPTH_PRECISION_M,
    RESOLUTION_M,
    STACK_SIZE,
    between,
    grown_rows,
)
from gambol.kernels.jit import allocation_free_kernel, kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray, Int64Array

FRAME_TOLERANCE = 1e-6  # frames, > 0: a time this close to a frame is the frame's
SLIVER_S = 1e-9  # s, > 0: a shorter rest of time, left by rounding, joins the stretch before it
# Columns of a capsule's track in a stretch of time: x, y, z of both ends of its axis, at the beginning (FROM) and at
# the end (TO); then a ball around all of it.
START_FROM, END_FROM, START_TO, END_TO, BALL, BALL_RADIUS = 0, 3, 6, 9, 12, 15
TRACK_SIZE = 16
ROW_SIZE = 10  # slice, first, second, time, depth, x, y, z, capsule of the first, capsule of the second


class Cast(NamedTuple):
    """P bodies with C capsules in all, at frames around some stretch of time."""

    start_s: np.ndarray  # (P,) start of each motion; before it, the body stands in its first pose
    rate_hz: np.ndarray  # (P,)
    frame_count: np.ndarray  # (P,) frames of the whole motion; after the last, the body stands in its last pose
    capsule_first: np.ndarray  # (P + 1,)
    radius: np.ndarray  # (C,) metres
    frame_first: np.ndarray  # (P,) first placed frame
    frame_last: np.ndarray  # (P,) last placed frame
    row_first: np.ndarray  # (P,) row of the first capsule of the first placed frame; capsules, then frames
    starts: np.ndarray  # (R, 3) metres
    ends: np.ndarray  # (R, 3) metres


@kernel
def frame_box(cast: Cast, body: int, frame: int, boxes: FloatArray, slot: int):
    """Widen a box (least x, y, z, greatest x, y, z) until it contains a body at a frame."""
    first, last = cast.capsule_first[body], cast.capsule_first[body + 1]
    row = cast.row_first[body] + (frame - cast.frame_first[body]) * (last - first)
    for capsule in range(first, last):
        radius = cast.radius[capsule]
        for axis in range(3):
            one, two = cast.starts[row, axis], cast.ends[row, axis]
            boxes[slot, axis] = min(boxes[slot, axis], min(one, two) - radius)
            boxes[slot, 3 + axis] = max(boxes[slot, 3 + axis], max(one, two) + radius)
        row += 1


@kernel
def set_boxes(cast: Cast, time_from: float, time_to: float, boxes: FloatArray):
    """Fill boxes (P, 6) around the space that each body fills during a stretch of time."""
    for body in range(len(cast.start_s)):
        for axis in range(3):
            boxes[body, axis], boxes[body, 3 + axis] = math.inf, -math.inf
        low = math.floor((time_from - cast.start_s[body]) * cast.rate_hz[body] - FRAME_TOLERANCE)
        high = math.ceil((time_to - cast.start_s[body]) * cast.rate_hz[body] + FRAME_TOLERANCE)
        low = min(max(low, cast.frame_first[body]), cast.frame_last[body])
        high = min(max(high, cast.frame_first[body]), cast.frame_last[body])
        for frame in range(low, high + 1):
            frame_box(cast, body, frame, boxes, body)


@kernel
def next_frame_time(cast: Cast, body: int, time: float):
    """Return the time of the next frame after a time; infinite if there is none."""
    passed = (time - cast.start_s[body]) * cast.rate_hz[body]
    following = max(math.floor(passed + FRAME_TOLERANCE) + 1, 0)
    if following >= cast.frame_count[body]:
        return math.inf
    return cast.start_s[body] + following / cast.rate_hz[body]


@kernel
def set_tracks(cast: Cast, body: int, time_from: float, time_to: float, tracks: FloatArray):
    """Fill the tracks of all capsules of a body from one time to another without a frame in between."""
    last_frame = cast.frame_count[body] - 1
    passed_from = (time_from - cast.start_s[body]) * cast.rate_hz[body]
    passed_to = (time_to - cast.start_s[body]) * cast.rate_hz[body]
    frame = min(max(math.floor(0.5 * (passed_from + passed_to)), 0), last_frame)
    following = min(frame + 1, last_frame)
    share_from = min(max(passed_from - frame, 0.0), 1.0)
    share_to = min(max(passed_to - frame, 0.0), 1.0)
    first, last = cast.capsule_first[body], cast.capsule_first[body + 1]
    row = cast.row_first[body] + (frame - cast.frame_first[body]) * (last - first)
    next_row = cast.row_first[body] + (following - cast.frame_first[body]) * (last - first)
    for capsule in range(last - first):
        track = tracks[capsule]
        for axis in range(3):
            one, two = cast.starts[row + capsule, axis], cast.starts[next_row + capsule, axis]
            track[START_FROM + axis], track[START_TO + axis] = (
                between(one, two, share_from),
                between(one, two, share_to),
            )
            one, two = cast.ends[row + capsule, axis], cast.ends[next_row + capsule, axis]
            track[END_FROM + axis], track[END_TO + axis] = between(one, two, share_from), between(one, two, share_to)
            track[BALL + axis] = 0.25 * (
                track[START_FROM + axis] + track[END_FROM + axis] + track[START_TO + axis] + track[END_TO + axis]
            )
        square = 0.0
        for point in range(START_FROM, BALL, 3):
            away = 0.0
            for axis in range(3):
                away += (track[point + axis] - track[BALL + axis]) ** 2
            square = max(square, away)
        track[BALL_RADIUS] = math.sqrt(square) + cast.radius[first + capsule]


@allocation_free_kernel
def inside_box(track: FloatArray, boxes: FloatArray, body: int):
    """Return whether a capsule's ball reaches into a body's box."""
    for axis in range(3):
        if track[BALL + axis] + track[BALL_RADIUS] < boxes[body, axis]:
            return False
        if track[BALL + axis] - track[BALL_RADIUS] > boxes[body, 3 + axis]:
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
    for mine in (START_FROM, END_FROM):
        for other in (START_FROM, END_FROM):
            away = 0.0
            for axis in range(3):
                moved = one[mine + START_TO + axis] - one[mine + axis]
                away += (moved - two[other + START_TO + axis] + two[other + axis]) ** 2
            square = max(square, away)
    return math.sqrt(square)


@allocation_free_kernel
def axes_at(share: float, one: FloatArray, two: FloatArray):
    """Return the distance between two axes at a share of the time, and where on each it is."""
    return segment_distance(
        between(one[START_FROM], one[START_TO], share),
        between(one[START_FROM + 1], one[START_TO + 1], share),
        between(one[START_FROM + 2], one[START_TO + 2], share),
        between(one[END_FROM], one[END_TO], share),
        between(one[END_FROM + 1], one[END_TO + 1], share),
        between(one[END_FROM + 2], one[END_TO + 2], share),
        between(two[START_FROM], two[START_TO], share),
        between(two[START_FROM + 1], two[START_TO + 1], share),
        between(two[START_FROM + 2], two[START_TO + 2], share),
        between(two[END_FROM], two[END_TO], share),
        between(two[END_FROM + 1], two[END_TO + 1], share),
        between(two[END_FROM + 2], two[END_TO + 2], share),
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
        first, second = (0, 1) if at_low > at_high else (1, 0)  # the nearer half is looked at first
        stack[size + first, 0], stack[size + first, 1] = low, middle
        stack[size + first, 2], stack[size + first, 3] = at_low, distance
        stack[size + second, 0], stack[size + second, 1] = middle, high
        stack[size + second, 2], stack[size + second, 3] = distance, at_high
        size += 2
    return found, when, best


@allocation_free_kernel
def touch_in_stretch(
    my_radius: FloatArray,
    other_radius: FloatArray,
    boxes: FloatArray,
    first: int,
    second: int,
    mine: FloatArray,
    others: FloatArray,
    near: Int64Array,
    stack: FloatArray,
    row: FloatArray,
):
    """Look for the deepest touch of two bodies whose tracks are filled; a deeper one replaces the row.

    first, second: the bodies' numbers in `boxes`.  Returns the share of the time at which the touch is, or -1 if the
    row does not change.
    """
    count = 0
    for other in range(len(other_radius)):
        if inside_box(others[other], boxes, first):
            near[count] = other
            count += 1
    share = -1.0
    for capsule in range(len(my_radius)):
        if not inside_box(mine[capsule], boxes, second):
            continue
        for number in range(count):
            other = near[number]
            one, two = mine[capsule], others[other]
            if not balls_meet(one, two):
                continue
            radii = my_radius[capsule] + other_radius[other]
            level = min(radii, radii - row[4] - DEPTH_PRECISION_M)
            found, when, distance = closest_moment(one, two, level, stack)
            if found and radii - distance > row[4]:
                share = when
                _, on_one, on_two = axes_at(when, one, two)
                row[4], row[8], row[9] = radii - distance, capsule, other
                for axis in range(3):
                    start = between(one[START_FROM + axis], one[START_TO + axis], when)
                    point = between(start, between(one[END_FROM + axis], one[END_TO + axis], when), on_one)
                    start = between(two[START_FROM + axis], two[START_TO + axis], when)
                    opposite = between(start, between(two[END_FROM + axis], two[END_TO + axis], when), on_two)
                    row[5 + axis] = 0.5 * (point + opposite)
    return share


@kernel
def find_touches(cast: Cast, edges: FloatArray):
    """Return the deepest touch as a row for every slice of time and every pair of bodies that meet in it.

    edges: (N + 1,) the times between which the slices lie; rows: (R, 10) slice, first, second, time, depth, x, y, z,
    capsule of the first, capsule of the second.
    """
    bodies = len(cast.start_s)
    rows = np.empty((16, ROW_SIZE))
    count = 0
    boxes, stack = np.empty((bodies, 6)), np.empty((STACK_SIZE, 4))
    most = 0
    for body in range(bodies):
        most = max(most, cast.capsule_first[body + 1] - cast.capsule_first[body])
    mine, others, near = np.empty((most, TRACK_SIZE)), np.empty((most, TRACK_SIZE)), np.empty(most, dtype=np.int64)
    for number in range(len(edges) - 1):
        set_boxes(cast, edges[number], edges[number + 1], boxes)
        order = np.argsort(boxes[:, 0])
        for place in range(bodies):
            for later in range(place + 1, bodies):
                if boxes[order[later], 0] > boxes[order[place], 3]:
                    break
                first, second = min(order[place], order[later]), max(order[place], order[later])
                if boxes[first, 1] > boxes[second, 4] or boxes[second, 1] > boxes[first, 4]:
                    continue
                if boxes[first, 2] > boxes[second, 5] or boxes[second, 2] > boxes[first, 5]:
                    continue
                rows = grown_rows(rows, count)
                row = rows[count]
                row[0], row[1], row[2], row[4] = number, first, second, -math.inf
                my_radius = cast.radius[cast.capsule_first[first] : cast.capsule_first[first + 1]]
                other_radius = cast.radius[cast.capsule_first[second] : cast.capsule_first[second + 1]]
                time = edges[number]
                while True:
                    following = min(next_frame_time(cast, first, time), next_frame_time(cast, second, time))
                    if following > edges[number + 1] - SLIVER_S:
                        following = edges[number + 1]
                    set_tracks(cast, first, time, following, mine)
                    set_tracks(cast, second, time, following, others)
                    share = touch_in_stretch(
                        my_radius, other_radius, boxes, first, second, mine, others, near, stack, row
                    )
                    if share >= 0.0:
                        row[3] = between(time, following, share)
                    if following >= edges[number + 1]:
                        break
                    time = following
                if row[4] > -math.inf:
                    count += 1
    return rows[:count]
