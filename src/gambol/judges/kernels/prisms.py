"""Find where evenly moving capsules enter evenly moving prisms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gambol.judges.kernels.distance import axis_distance, ground_height, solid_distance
from gambol.kernels.jit import allocation_free_kernel, kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray, Int64Array
    from gambol.judges.kernels.distance import Ground, Prisms

RESOLUTION_M = 1e-5  # m, > 0: a contact this close to the limit counts; smaller is slower
DEPTH_PRECISION_M = 1e-4  # m, > 0: the deepest moment is found this exactly; smaller is slower
STACK_SIZE = 128  # rows of the stack for halvings: half for times, half for pieces of axes
# Columns of a case: x, y, z of both ends of the axis, pose and heights of the prism, each at the beginning of the
# case's time (FROM) and at its end (TO).
START_FROM, END_FROM, START_TO, END_TO = 0, 3, 6, 9
POSE_FROM, POSE_TO, HEIGHTS_FROM, HEIGHTS_TO = 12, 15, 18, 20
CASE_SIZE = 22
ROW_SIZE = 8  # interval, thing, time, depth, x, y, z, capsule
DEPTH = 1  # column of the depth in a row, counted from the column of the time


@allocation_free_kernel
def between(one: float, two: float, share: float):
    return one + share * (two - one)


@kernel
def grown_rows(rows: FloatArray, count: int):
    """Return the rows with room for at least one more."""
    if count < rows.shape[0]:
        return rows
    larger = np.empty((2 * count, rows.shape[1]))
    larger[:count] = rows
    return larger


@allocation_free_kernel
def set_axis(
    case: FloatArray,
    starts: FloatArray,
    ends: FloatArray,
    frame_from: int,
    frame_to: int,
    capsule: int,
    share_from: float,
    share_to: float,
):
    """Set a case's axis to a capsule's during a part of the time between two frames."""
    for axis in range(3):
        one, two = starts[frame_from, capsule, axis], starts[frame_to, capsule, axis]
        case[START_FROM + axis] = between(one, two, share_from)
        case[START_TO + axis] = between(one, two, share_to)
        one, two = ends[frame_from, capsule, axis], ends[frame_to, capsule, axis]
        case[END_FROM + axis] = between(one, two, share_from)
        case[END_TO + axis] = between(one, two, share_to)


@allocation_free_kernel
def set_prism(case: FloatArray, prisms: Prisms, span: int, time_from: float, time_to: float):
    """Set a case's prism to a thing's place during a part of a span's time."""
    length = prisms.span_to[span] - prisms.span_from[span]
    share_from = (time_from - prisms.span_from[span]) / length
    share_to = (time_to - prisms.span_from[span]) / length
    for axis in range(3):
        one, two = prisms.pose_from[span, axis], prisms.pose_to[span, axis]
        case[POSE_FROM + axis] = between(one, two, share_from)
        case[POSE_TO + axis] = between(one, two, share_to)
    for side in range(2):
        one, two = prisms.heights_from[span, side], prisms.heights_to[span, side]
        case[HEIGHTS_FROM + side] = between(one, two, share_from)
        case[HEIGHTS_TO + side] = between(one, two, share_to)


@allocation_free_kernel
def axis_travel(case: FloatArray):
    """Return the farthest that any point of the axis travels: inner points travel no farther than the ends."""
    start = end = 0.0
    for axis in range(3):
        start += (case[START_TO + axis] - case[START_FROM + axis]) ** 2
        end += (case[END_TO + axis] - case[END_FROM + axis]) ** 2
    return math.sqrt(max(start, end))


@allocation_free_kernel
def prism_travel(case: FloatArray, reach: float):
    """Return a bound of the travel of any point of the prism, from its translation, rotation and lift."""
    carried = math.sqrt((case[POSE_TO] - case[POSE_FROM]) ** 2 + (case[POSE_TO + 1] - case[POSE_FROM + 1]) ** 2)
    turned = reach * abs(case[POSE_TO + 2] - case[POSE_FROM + 2])
    lifted = max(
        abs(case[HEIGHTS_TO] - case[HEIGHTS_FROM]), abs(case[HEIGHTS_TO + 1] - case[HEIGHTS_FROM + 1])
    )  # fmt: skip
    return math.sqrt((carried + turned) ** 2 + lifted**2)


@allocation_free_kernel
def axis_halvings(case: FloatArray, ground: Ground):
    """Return the number of halvings of an axis until its pieces are also straight above the ground."""
    if ground.flat:
        return 0
    begin = math.sqrt((case[END_FROM] - case[START_FROM]) ** 2 + (case[END_FROM + 1] - case[START_FROM + 1]) ** 2)
    finish = math.sqrt((case[END_TO] - case[START_TO]) ** 2 + (case[END_TO + 1] - case[START_TO + 1]) ** 2)
    return math.ceil(math.log2(max(max(begin, finish) / ground.piece_m, 1.0)))


@allocation_free_kernel
def ball_distance(x: float, y: float, z: float, case: FloatArray, prisms: Prisms, piece: int, ground: Ground):
    """Return the signed distance from a point to the prism halfway through the case."""
    heading = 0.5 * (case[POSE_FROM + 2] + case[POSE_TO + 2])
    cosine, sine = math.cos(heading), math.sin(heading)
    east = x - 0.5 * (case[POSE_FROM] + case[POSE_TO])
    north = y - 0.5 * (case[POSE_FROM + 1] + case[POSE_TO + 1])
    return solid_distance(
        cosine * east + sine * north, cosine * north - sine * east, z - ground_height(x, y, ground), prisms, piece,
        0.5 * (case[HEIGHTS_FROM] + case[HEIGHTS_TO]), 0.5 * (case[HEIGHTS_FROM + 1] + case[HEIGHTS_TO + 1]),
    )  # fmt: skip


@allocation_free_kernel
def straight_distance(share: float, case: FloatArray, prisms: Prisms, piece: int):
    """Return the signed distance from axis to prism at a share of the case's time, and where on the axis it is."""
    ax, ay, az, bx, by, bz, bottom, top = local_axis(share, case)
    return axis_distance(ax, ay, az, bx, by, bz, prisms, piece, bottom, top)


@allocation_free_kernel
def local_axis(share: float, case: FloatArray):
    """Return both ends of the axis in the prism's frame, and the prism's heights, at a share of the time."""
    x, y = between(case[POSE_FROM], case[POSE_TO], share), between(case[POSE_FROM + 1], case[POSE_TO + 1], share)
    heading = between(case[POSE_FROM + 2], case[POSE_TO + 2], share)
    cosine, sine = math.cos(heading), math.sin(heading)
    sx = between(case[START_FROM], case[START_TO], share) - x
    sy = between(case[START_FROM + 1], case[START_TO + 1], share) - y
    ex = between(case[END_FROM], case[END_TO], share) - x
    ey = between(case[END_FROM + 1], case[END_TO + 1], share) - y
    return (
        cosine * sx + sine * sy, cosine * sy - sine * sx, between(case[START_FROM + 2], case[START_TO + 2], share),
        cosine * ex + sine * ey, cosine * ey - sine * ex, between(case[END_FROM + 2], case[END_TO + 2], share),
        between(case[HEIGHTS_FROM], case[HEIGHTS_TO], share),
        between(case[HEIGHTS_FROM + 1], case[HEIGHTS_TO + 1], share),
    )  # fmt: skip


@allocation_free_kernel
def axis_ground(share: float, along: float, case: FloatArray, ground: Ground):
    """Return the height of the ground below a point of the axis at a share of the case's time."""
    start = between(case[START_FROM], case[START_TO], share)
    x = between(start, between(case[END_FROM], case[END_TO], share), along)
    start = between(case[START_FROM + 1], case[START_TO + 1], share)
    y = between(start, between(case[END_FROM + 1], case[END_TO + 1], share), along)
    return ground_height(x, y, ground)


@allocation_free_kernel
def distance_at(
    share: float, case: FloatArray, prisms: Prisms, piece: int, ground: Ground, halvings: int, stack: FloatArray
):
    """Return the same as `straight_distance`, with heights above the local ground.

    Relative to the ground an axis is bent.  A piece is halved if it may be nearer than the best distance
    found, until it counts as straight.
    """
    if ground.flat:
        return straight_distance(share, case, prisms, piece)
    ax, ay, az, bx, by, bz, bottom, top = local_axis(share, case)
    longest = ground.stretch * math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
    start_height, end_height = az - axis_ground(share, 0.0, case, ground), bz - axis_ground(share, 1.0, case, ground)
    begin = solid_distance(ax, ay, start_height, prisms, piece, bottom, top)
    finish = solid_distance(bx, by, end_height, prisms, piece, bottom, top)
    best, where = (begin, 0.0) if begin <= finish else (finish, 1.0)
    finest = 0.5**halvings
    first = stack.shape[0] // 2  # times use the lower half of the stack
    stack[first, 0], stack[first, 1], stack[first, 2], stack[first, 3] = 0.0, 1.0, begin, finish
    stack[first, 4], stack[first, 5] = start_height, end_height
    size = 1
    while size > 0:
        size -= 1
        top_row = stack[first + size]
        low, high, at_low, at_high = top_row[0], top_row[1], top_row[2], top_row[3]
        low_height, high_height = top_row[4], top_row[5]
        if 0.5 * (at_low + at_high - longest * (high - low)) >= best:
            continue
        if high - low <= finest:
            distance, along = axis_distance(
                between(ax, bx, low), between(ay, by, low), low_height,
                between(ax, bx, high), between(ay, by, high), high_height, prisms, piece, bottom, top,
            )  # fmt: skip
            if distance < best:
                best, where = distance, between(low, high, along)
            continue
        middle = 0.5 * (low + high)
        height = between(az, bz, middle) - axis_ground(share, middle, case, ground)
        distance = solid_distance(between(ax, bx, middle), between(ay, by, middle), height, prisms, piece, bottom, top)
        if distance < best:
            best, where = distance, middle
        near, far = (0, 1) if at_low > at_high else (1, 0)  # the nearer half is looked at first
        row = stack[first + size + near]
        row[0], row[1], row[2], row[3], row[4], row[5] = low, middle, at_low, distance, low_height, height
        row = stack[first + size + far]
        row[0], row[1], row[2], row[3], row[4], row[5] = middle, high, distance, at_high, height, high_height
        size += 2
    return best, where


@allocation_free_kernel
def nearest_moment(
    case: FloatArray, prisms: Prisms, piece: int, ground: Ground, reach: float, level: float, stack: FloatArray
):
    """Find the moment at which axis and prism are nearest, if they are ever nearer than `level`.

    In a stretch of time the distance changes at most by both travels.  If this cannot reach the level, the
    stretch is done; otherwise it is halved.  Returns whether there is such a moment, its share of the case's
    time, the signed distance then, and where on the axis it is.
    """
    halvings = axis_halvings(case, ground)
    travel = ground.stretch * axis_travel(case) + prism_travel(case, reach)
    begin, where = distance_at(0.0, case, prisms, piece, ground, halvings, stack)
    finish, along = distance_at(1.0, case, prisms, piece, ground, halvings, stack)
    best, when = begin, 0.0
    if finish < best:
        best, when, where = finish, 1.0, along
    found = best < level
    goal = min(level, best - DEPTH_PRECISION_M) if found else level
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0.0, 1.0, begin, finish
    size = 1
    while size > 0:
        size -= 1
        low, high, at_low, at_high = stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3]
        change = travel * (high - low)
        if 0.5 * (at_low + at_high - change) >= goal:
            continue
        if change <= RESOLUTION_M:
            found = True
            goal = min(goal, best - DEPTH_PRECISION_M)
            continue
        middle = 0.5 * (low + high)
        distance, along = distance_at(middle, case, prisms, piece, ground, halvings, stack)
        if distance < best:
            best, when, where = distance, middle, along
        if best < level:
            found = True
            goal = min(goal, best - DEPTH_PRECISION_M)
        first, second = (0, 1) if at_low > at_high else (1, 0)  # the nearer half is looked at first
        stack[size + first, 0], stack[size + first, 1] = low, middle
        stack[size + first, 2], stack[size + first, 3] = at_low, distance
        stack[size + second, 0], stack[size + second, 1] = middle, high
        stack[size + second, 2], stack[size + second, 3] = distance, at_high
        size += 2
    return found, when, best, where


@allocation_free_kernel
def body_ball(starts: FloatArray, ends: FloatArray, frame_from: int, frame_to: int):
    """Return the middle and the radius of a ball around all axes at two frames and between them."""
    low_x = low_y = low_z = math.inf
    high_x = high_y = high_z = -math.inf
    for frame in (frame_from, frame_to):
        for capsule in range(starts.shape[1]):
            for points in (starts, ends):
                x, y, z = points[frame, capsule, 0], points[frame, capsule, 1], points[frame, capsule, 2]
                low_x, low_y, low_z = min(low_x, x), min(low_y, y), min(low_z, z)
                high_x, high_y, high_z = max(high_x, x), max(high_y, y), max(high_z, z)
    x, y, z = 0.5 * (low_x + high_x), 0.5 * (low_y + high_y), 0.5 * (low_z + high_z)
    return x, y, z, math.sqrt((high_x - x) ** 2 + (high_y - y) ** 2 + (high_z - z) ** 2)


@allocation_free_kernel
def axis_ball(case: FloatArray):
    """Return the middle and the radius of a ball around an axis during a case."""
    x = 0.25 * (case[START_FROM] + case[END_FROM] + case[START_TO] + case[END_TO])
    y = 0.25 * (case[START_FROM + 1] + case[END_FROM + 1] + case[START_TO + 1] + case[END_TO + 1])
    z = 0.25 * (case[START_FROM + 2] + case[END_FROM + 2] + case[START_TO + 2] + case[END_TO + 2])
    square = 0.0
    for point in range(START_FROM, POSE_FROM, 3):
        square = max(square, (case[point] - x) ** 2 + (case[point + 1] - y) ** 2 + (case[point + 2] - z) ** 2)
    return x, y, z, math.sqrt(square)


@allocation_free_kernel
def first_span(prisms: Prisms, thing: int, time: float):
    """Return the first span of a thing that ends after a time."""
    low, high = prisms.thing_span[thing], prisms.thing_span[thing + 1]
    while low < high:
        middle = (low + high) // 2
        if prisms.span_to[middle] <= time:
            low = middle + 1
        else:
            high = middle
    return low


@allocation_free_kernel
def enter_thing(
    starts, ends, radius, widest, frame_from, frame_to, time_from, time_to, ball, prisms, thing, piece_from, piece_to,
    ground, depth_limit, case, stack, row,
):  # fmt: skip
    """Look for the deepest entry of a body into some pieces of a thing between two frames; see `find_collisions`.

    widest: greatest radius; ball: middle and radius of a ball around all axes; row: time, depth, x, y, z, capsule,
    replaced by deeper entries.
    """
    body_x, body_y, body_z, body_radius = ball
    duration = time_to - time_from
    for span in range(first_span(prisms, thing, time_from), prisms.thing_span[thing + 1]):
        low, high = max(time_from, prisms.span_from[span]), min(time_to, prisms.span_to[span])
        if high < low or (high == low and duration > 0.0):
            break
        east, north = prisms.span_disc[span, 0] - body_x, prisms.span_disc[span, 1] - body_y
        if east * east + north * north > (prisms.span_disc[span, 2] + body_radius + widest) ** 2:
            continue
        set_prism(case, prisms, span, low, high)
        slack = 0.5 * prism_travel(case, prisms.reach[thing])
        east = 0.5 * (case[POSE_FROM] + case[POSE_TO]) - body_x
        north = 0.5 * (case[POSE_FROM + 1] + case[POSE_TO + 1]) - body_y
        if math.sqrt(east * east + north * north) > prisms.reach[thing] + slack + body_radius + widest:
            continue
        share_from, share_to = 0.0, 1.0
        if duration > 0.0:
            share_from, share_to = (low - time_from) / duration, (high - time_from) / duration
        for piece in range(piece_from, piece_to):
            away = ball_distance(body_x, body_y, body_z, case, prisms, piece, ground)
            if away > ground.stretch * body_radius + slack + widest:
                continue
            for capsule in range(len(radius)):
                # An axis that is inside counts however thin the capsule.
                level = max(radius[capsule] - depth_limit, 0.0)
                level = min(level, radius[capsule] - row[DEPTH] - DEPTH_PRECISION_M)
                set_axis(case, starts, ends, frame_from, frame_to, capsule, share_from, share_to)
                x, y, z, axis_radius = axis_ball(case)
                away = ball_distance(x, y, z, case, prisms, piece, ground)
                if away - ground.stretch * axis_radius - slack > level + RESOLUTION_M:
                    continue
                found, when, distance, where = nearest_moment(
                    case, prisms, piece, ground, prisms.reach[thing], level, stack
                )
                if found and radius[capsule] - distance > row[DEPTH]:
                    row[0], row[DEPTH] = between(low, high, when), radius[capsule] - distance
                    for axis in range(3):
                        start = between(case[START_FROM + axis], case[START_TO + axis], when)
                        end = between(case[END_FROM + axis], case[END_TO + axis], when)
                        row[2 + axis] = between(start, end, where)
                    row[5] = capsule


@kernel
def find_collisions(
    starts: FloatArray,
    ends: FloatArray,
    radius: FloatArray,
    frames: Int64Array,
    times: FloatArray,
    prisms: Prisms,
    ground: Ground,
    depth_limit: float,
):
    """Return the deepest entry as a row for every interval and thing that a capsule enters by more than the limit.

    starts, ends: (F, C, 3) axes at frames; frames: (N, 2) the frames between which each interval lies;
    times: (N, 2) seconds; rows: (R, 8) interval, thing, time, depth, x, y, z, capsule.
    """
    rows = np.empty((16, ROW_SIZE))
    count = 0
    case, stack = np.empty(CASE_SIZE), np.empty((STACK_SIZE, 6))
    widest = radius.max()
    for interval in range(frames.shape[0]):
        frame_from, frame_to = frames[interval, 0], frames[interval, 1]
        ball = body_ball(starts, ends, frame_from, frame_to)
        for thing in range(len(prisms.reach)):
            rows = grown_rows(rows, count)
            entry = rows[count, 2:]
            entry[DEPTH] = -math.inf
            enter_thing(
                starts, ends, radius, widest, frame_from, frame_to, times[interval, 0], times[interval, 1], ball,
                prisms, thing, prisms.thing_piece[thing], prisms.thing_piece[thing + 1], ground, depth_limit, case,
                stack, entry,
            )  # fmt: skip
            if entry[DEPTH] > -math.inf:
                rows[count, 0], rows[count, 1] = interval, thing
                count += 1
    return rows[:count]
