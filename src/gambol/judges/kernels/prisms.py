"""Find where evenly moving capsules enter evenly moving prisms or leave the bounds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.judges.kernels.bench import (
    CAPSULE,
    DEPTH,
    END,
    FIRST,
    HEIGHTS_FROM,
    HEIGHTS_TO,
    MOMENT,
    PLACE,
    POSE_FROM,
    POSE_TO,
    SECOND,
    START,
    TIME,
    TO,
    begin_row,
    keep_row,
)
from gambol.judges.kernels.distance import (
    Ground,
    Prisms,
    axis_distance,
    between,
    ground_height,
    length_of,
    point_between,
    solid_distance,
)
from gambol.judges.kernels.tracks import (
    DEPTH_PRECISION_M,
    RESOLUTION_M,
    axis_ball,
    point_at,
    push_halves,
    set_axis,
    set_ball,
)
from gambol.kernels.jit import allocation_free_kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray, Int64Array
    from gambol.judges.kernels.bench import Bench
    from gambol.judges.kernels.distance import Point


class Surroundings(NamedTuple):
    """What bodies must stay out of, and the bounds in which they must stay."""

    prisms: Prisms
    ground: Ground
    bounds: np.ndarray  # (4,) least x, y, greatest x, y
    depth_limit: float  # metres, >= 0: a capsule less deep in a thing or beyond the bounds is no finding


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
        start += (case[START + TO + axis] - case[START + axis]) ** 2
        end += (case[END + TO + axis] - case[END + axis]) ** 2
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
    begin = math.sqrt((case[END] - case[START]) ** 2 + (case[END + 1] - case[START + 1]) ** 2)
    finish = math.sqrt((case[END + TO] - case[START + TO]) ** 2 + (case[END + TO + 1] - case[START + TO + 1]) ** 2)
    return math.ceil(math.log2(max(max(begin, finish) / ground.piece_m, 1.0)))


@allocation_free_kernel
def ball_distance(point: Point, case: FloatArray, prisms: Prisms, piece: int, ground: Ground):
    """Return the signed distance from a point to the prism halfway through the case."""
    x, y, z = point
    heading = 0.5 * (case[POSE_FROM + 2] + case[POSE_TO + 2])
    cosine, sine = math.cos(heading), math.sin(heading)
    east = x - 0.5 * (case[POSE_FROM] + case[POSE_TO])
    north = y - 0.5 * (case[POSE_FROM + 1] + case[POSE_TO + 1])
    local = cosine * east + sine * north, cosine * north - sine * east, z - ground_height(x, y, ground)
    bottom = 0.5 * (case[HEIGHTS_FROM] + case[HEIGHTS_TO])
    return solid_distance(local, prisms, piece, (bottom, 0.5 * (case[HEIGHTS_FROM + 1] + case[HEIGHTS_TO + 1])))


@allocation_free_kernel
def local_axis(share: float, case: FloatArray):
    """Return both ends of the axis in the prism's frame, and the prism's heights, at a share of the time."""
    x, y = between(case[POSE_FROM], case[POSE_TO], share), between(case[POSE_FROM + 1], case[POSE_TO + 1], share)
    heading = between(case[POSE_FROM + 2], case[POSE_TO + 2], share)
    cosine, sine = math.cos(heading), math.sin(heading)
    start, end = point_at(case, START, share), point_at(case, END, share)
    sx, sy, ex, ey = start[0] - x, start[1] - y, end[0] - x, end[1] - y
    bottom = between(case[HEIGHTS_FROM], case[HEIGHTS_TO], share)
    return (
        (cosine * sx + sine * sy, cosine * sy - sine * sx, start[2]),
        (cosine * ex + sine * ey, cosine * ey - sine * ex, end[2]),
        (bottom, between(case[HEIGHTS_FROM + 1], case[HEIGHTS_TO + 1], share)),
    )


@allocation_free_kernel
def axis_ground(share: float, along: float, case: FloatArray, ground: Ground):
    """Return the height of the ground below a point of the axis at a share of the case's time."""
    point = point_between(point_at(case, START, share), point_at(case, END, share), along)
    return ground_height(point[0], point[1], ground)


@allocation_free_kernel
def distance_at(
    share: float, case: FloatArray, prisms: Prisms, piece: int, ground: Ground, halvings: int, stack: FloatArray
):
    """Return the signed distance from axis to prism at a share of the case's time, and where on the axis it is.

    Heights count from the local ground.  Relative to the ground an axis is bent.  A piece is halved if it may be
    nearer than the best distance found, until it counts as straight.
    """
    a, b, heights = local_axis(share, case)
    if ground.flat:
        return axis_distance(a, b, prisms, piece, heights)
    longest = ground.stretch * length_of(a, b)
    start, end = a[2] - axis_ground(share, 0.0, case, ground), b[2] - axis_ground(share, 1.0, case, ground)
    begin = solid_distance((a[0], a[1], start), prisms, piece, heights)
    finish = solid_distance((b[0], b[1], end), prisms, piece, heights)
    best, where = (begin, 0.0) if begin <= finish else (finish, 1.0)
    finest = 0.5**halvings
    rows = stack[stack.shape[0] // 2 :]  # times use the lower half of the stack
    rows[0, 0], rows[0, 1], rows[0, 2], rows[0, 3], rows[0, 4], rows[0, 5] = 0.0, 1.0, begin, finish, start, end
    size = 1
    while size > 0:
        size -= 1
        low, high, at_low, at_high = rows[size, 0], rows[size, 1], rows[size, 2], rows[size, 3]
        low_height, high_height = rows[size, 4], rows[size, 5]
        if 0.5 * (at_low + at_high - longest * (high - low)) >= best:
            continue
        if high - low <= finest:
            x, y, _ = point_between(a, b, low)
            far_x, far_y, _ = point_between(a, b, high)
            distance, along = axis_distance((x, y, low_height), (far_x, far_y, high_height), prisms, piece, heights)
            if distance < best:
                best, where = distance, between(low, high, along)
            continue
        middle = 0.5 * (low + high)
        x, y, z = point_between(a, b, middle)
        height = z - axis_ground(share, middle, case, ground)
        distance = solid_distance((x, y, height), prisms, piece, heights)
        if distance < best:
            best, where = distance, middle
        lower = push_halves(rows, size, low, high, at_low, distance, at_high)
        upper = 2 * size + 1 - lower
        rows[lower, 4], rows[lower, 5], rows[upper, 4], rows[upper, 5] = low_height, height, height, high_height
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
        push_halves(stack, size, low, high, at_low, distance, at_high)
        size += 2
    return found, when, best, where


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
    bench: Bench, radius: FloatArray, things: Surroundings, part: Int64Array, time_from: float, time_to: float
):
    """Look for the deepest entry of the body on the bench into a part of a thing; a deeper one replaces the row.

    part: (3,) the thing, its first piece to look at, and the one after the last.
    """
    prisms, ground, case, row, thing = things.prisms, things.ground, bench.case, bench.row, part[0]
    body_x, body_y, body_z, body_radius, widest = (
        bench.ball[0],
        bench.ball[1],
        bench.ball[2],
        bench.ball[3],
        bench.ball[4],
    )
    duration, reach = time_to - time_from, float(prisms.reach[thing])
    for span in range(first_span(prisms, thing, time_from), prisms.thing_span[thing + 1]):
        low, high = max(time_from, prisms.span_from[span]), min(time_to, prisms.span_to[span])
        if high < low or (high == low and duration > 0.0):
            break
        east, north = prisms.span_disc[span, 0] - body_x, prisms.span_disc[span, 1] - body_y
        if east * east + north * north > (prisms.span_disc[span, 2] + body_radius + widest) ** 2:
            continue
        set_prism(case, prisms, span, low, high)
        slack = 0.5 * prism_travel(case, reach)
        east = 0.5 * (case[POSE_FROM] + case[POSE_TO]) - body_x
        north = 0.5 * (case[POSE_FROM + 1] + case[POSE_TO + 1]) - body_y
        if math.sqrt(east * east + north * north) > reach + slack + body_radius + widest:
            continue
        share_from, share_to = 0.0, 1.0
        if duration > 0.0:
            share_from, share_to = (low - time_from) / duration, (high - time_from) / duration
        for piece in range(part[1], part[2]):
            away = ball_distance((body_x, body_y, body_z), case, prisms, piece, ground)
            if away > ground.stretch * body_radius + slack + widest:
                continue
            for capsule in range(len(radius)):
                # An axis that is inside counts however thin the capsule.
                level = max(radius[capsule] - things.depth_limit, 0.0)
                level = min(level, radius[capsule] - row[DEPTH] - DEPTH_PRECISION_M)
                set_axis(case, bench, capsule, share_from, share_to)
                middle, around = axis_ball(case)
                away = ball_distance(middle, case, prisms, piece, ground)
                if away - ground.stretch * around - slack > level + RESOLUTION_M:
                    continue
                found, when, distance, where = nearest_moment(case, prisms, piece, ground, reach, level, bench.stack)
                if found and radius[capsule] - distance > row[DEPTH]:
                    row[TIME], row[DEPTH] = between(low, high, when), radius[capsule] - distance
                    place = point_between(point_at(case, START, when), point_at(case, END, when), where)
                    row[PLACE], row[PLACE + 1], row[PLACE + 2] = place
                    row[CAPSULE] = capsule


@allocation_free_kernel
def collide(
    bench: Bench, radius: FloatArray, things: Surroundings, parts: Int64Array, time_from: float, time_to: float,
    rows: FloatArray, count: int,
):  # fmt: skip
    """Write a row for every thing that the body on the bench enters between its frames; return the number of rows.

    parts: (K, 3) parts of things, see `enter_thing`, those of one thing side by side.
    """
    row = bench.row
    set_ball(bench, radius)
    for number in range(len(parts)):
        if row[SECOND] != parts[number, 0]:
            count = keep_row(row, rows, count)
            begin_row(row, row[FIRST], parts[number, 0], row[MOMENT])
        enter_thing(bench, radius, things, parts[number], time_from, time_to)
    return keep_row(row, rows, count)


@allocation_free_kernel
def depart(bench: Bench, radius: FloatArray, things: Surroundings, time: float, rows: FloatArray, count: int):
    """Write a row if the body is out of bounds at the first frame on the bench; return the number of rows.

    Between frames the ends of axes move straight, so they are never farther out than at a frame.
    """
    bounds, row = things.bounds, bench.row
    for capsule in range(len(radius)):
        for points in (bench.starts, bench.ends):
            x, y = points[0, capsule, 0], points[0, capsule, 1]
            out = max(max(bounds[0] - x, x - bounds[2]), max(bounds[1] - y, y - bounds[3])) + radius[capsule]
            if out > row[DEPTH]:
                row[DEPTH], row[CAPSULE] = out, capsule
                row[PLACE], row[PLACE + 1], row[PLACE + 2] = x, y, points[0, capsule, 2]
    row[TIME] = time
    return keep_row(row, rows, count) if row[DEPTH] > things.depth_limit else count
