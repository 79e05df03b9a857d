"""Pull a way from cell to cell straight: few way-points, each visible from the one before."""

from __future__ import annotations

import math

from gambol.crowd.kernels.sight import is_good_way, is_kept_clear, room_at, sees_jam
from gambol.kernels.jit import allocation_free_kernel

TIGHTENINGS = 2  # how often all way-points are moved towards the line between their neighbours
HALVINGS = 5  # how exactly


@allocation_free_kernel
def distance(x0, y0, x1, y1):
    """Return how far two points are apart."""
    return math.sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0))


@allocation_free_kernel
def path_point(floor, index, size, sx, sy, gx, gy, scratch):
    """Return point `index` of a path: the start, the centres of its cells, the goal."""
    if index == 0:
        return sx, sy
    if index == size + 1:
        return gx, gy
    columns, cell = floor.room.shape[1], scratch.path[index - 1]
    return floor.x0 + (cell % columns + 0.5) * floor.cell_m, floor.y0 + (cell // columns + 0.5) * floor.cell_m


@allocation_free_kernel
def least_room(floor, first, last, size, most, scratch):
    """Return the least room in the cells of a stretch of points, or `most` where there is more."""
    columns = floor.room.shape[1]
    for index in range(max(first, 1), min(last, size) + 1):
        cell = scratch.path[index - 1]
        most = min(most, floor.room[cell // columns, cell % columns])
    return most


@allocation_free_kernel
def farthest_in_sight(floor, most, anchor, size, sx, sy, gx, gy, scratch):
    """Return a far point of the path that is visible from point `anchor`, and the room that the line there keeps.

    A line keeps as much room as the path between its ends, if that is less than `most`: ways through narrow places
    stay in their middle.
    """
    x, y = path_point(floor, anchor, size, sx, sy, gx, gy, scratch)
    seen, seen_room = anchor + 1, least_room(floor, anchor, anchor + 1, size, most, scratch)
    stride, last = 2, size + 1
    hidden = last + 1
    while hidden > last and seen < last:
        probe = min(anchor + stride, last)
        room = least_room(floor, seen, probe, size, seen_room, scratch)
        px, py = path_point(floor, probe, size, sx, sy, gx, gy, scratch)
        if is_good_way(floor, sx, sy, room, x, y, px, py):
            seen, seen_room = probe, room
            stride *= 2
        else:
            hidden = probe
    while hidden <= last and hidden - seen > 1:
        probe = (seen + hidden) // 2
        room = least_room(floor, seen, probe, size, seen_room, scratch)
        px, py = path_point(floor, probe, size, sx, sy, gx, gy, scratch)
        if is_good_way(floor, sx, sy, room, x, y, px, py):
            seen, seen_room = probe, room
        else:
            hidden = probe
    return seen, seen_room


@allocation_free_kernel
def turn_earlier(floor, most, sx, sy, gx, gy, size, scratch, points, number):
    """Move way-point `number` back along the path to where the next one comes in sight, if that is shorter.

    As far as one sees is often past the turn.
    """
    at, needs = scratch.at, scratch.needs
    before, here, after = at[number - 1] if number > 0 else 0, at[number], at[number + 1]
    bx, by = points[number + 1, 0], points[number + 1, 1]
    hidden, seen = before, here
    while seen - hidden > 1:
        probe = (seen + hidden) // 2
        px, py = path_point(floor, probe, size, sx, sy, gx, gy, scratch)
        if is_good_way(floor, sx, sy, least_room(floor, probe, after, size, most, scratch), px, py, bx, by):
            seen = probe
        else:
            hidden = probe
    if seen == here:
        return
    ax, ay = (points[number - 1, 0], points[number - 1, 1]) if number > 0 else (sx, sy)
    x, y = points[number, 0], points[number, 1]
    px, py = path_point(floor, seen, size, sx, sy, gx, gy, scratch)
    need = least_room(floor, before, seen, size, most, scratch)
    is_shorter = distance(ax, ay, px, py) + distance(px, py, bx, by) < distance(ax, ay, x, y) + distance(x, y, bx, by)
    if is_shorter and is_good_way(floor, sx, sy, need, ax, ay, px, py):
        points[number, 0], points[number, 1], at[number], needs[number] = px, py, seen, need
        needs[number + 1] = least_room(floor, seen, after, size, most, scratch)


@allocation_free_kernel
def tighten(floor, most, sx, sy, points, needs, number):
    """Move way-point `number` towards the line between its neighbours, as far as both legs keep their room.

    One with less than `most` room stays in the middle of its cell, and none comes to have less, into a jam or into a
    place that is kept clear.
    """
    ax, ay = (points[number - 1, 0], points[number - 1, 1]) if number > 0 else (sx, sy)
    bx, by = points[number + 1, 0], points[number + 1, 1]
    x, y = points[number, 0], points[number, 1]
    along_x, along_y = bx - ax, by - ay
    length_squared = along_x * along_x + along_y * along_y
    if length_squared == 0.0 or room_at(floor, x, y) < most:
        return
    share = min(max(((x - ax) * along_x + (y - ay) * along_y) / length_squared, 0.0), 1.0)
    tx, ty = ax + share * along_x, ay + share * along_y
    good, step = 0.0, 1.0
    for _ in range(HALVINGS):
        part = good + step
        step *= 0.5
        if part <= 1.0:
            px, py = x + part * (tx - x), y + part * (ty - y)
            if (
                room_at(floor, px, py) >= most
                and (is_kept_clear(floor, x, y) or not is_kept_clear(floor, px, py))
                and (sees_jam(floor, sx, sy, x, y) or not sees_jam(floor, sx, sy, px, py))
                and is_good_way(floor, sx, sy, needs[number], ax, ay, px, py)
                and is_good_way(floor, sx, sy, needs[number + 1], px, py, bx, by)
            ):
                good = part
    points[number, 0], points[number, 1] = x + good * (tx - x), y + good * (ty - y)


@allocation_free_kernel
def drop_needless(floor, sx, sy, points, needs, first, count):
    """Drop way-points, from number `first` on, whose neighbours see each other; return how many are left."""
    kept = first
    for number in range(first, count):
        if number < count - 1:
            ax, ay = (points[kept - 1, 0], points[kept - 1, 1]) if kept > 0 else (sx, sy)
            need = min(needs[number], needs[number + 1])
            if is_good_way(floor, sx, sy, need, ax, ay, points[number + 1, 0], points[number + 1, 1]):
                needs[number + 1] = need
                continue
        points[kept, 0], points[kept, 1], needs[kept] = points[number, 0], points[number, 1], needs[number]
        kept += 1
    return kept


@allocation_free_kernel
def pull_route(floor, most, sx, sy, gx, gy, is_open, size, scratch, points, left):
    """Turn the path of `size` cells in `scratch.path` into way-points; return how many.

    Legs keep up to `most` room where there is some.  `is_open` tells whether the start itself is in an open cell;
    else the first leg goes to the path's first cell, through whatever is there.
    """
    capacity = points.shape[0]
    count, anchor, beyond = 0, 0, 0.0
    px, py = sx, sy
    while anchor < size + 1:
        if anchor == 0 and not is_open:
            reached, need = 1, 0.0
        else:
            reached, need = farthest_in_sight(floor, most, anchor, size, sx, sy, gx, gy, scratch)
        anchor = reached
        x, y = path_point(floor, anchor, size, sx, sy, gx, gy, scratch)
        if count < capacity:
            points[count, 0], points[count, 1], scratch.needs[count] = x, y, need
            scratch.at[count] = anchor
            count += 1
        else:
            beyond += distance(px, py, x, y)
        px, py = x, y
    first = 0 if is_open else 1
    for number in range(count - 2, first - 1, -1):
        turn_earlier(floor, most, sx, sy, gx, gy, size, scratch, points, number)
    for _ in range(TIGHTENINGS):
        count = drop_needless(floor, sx, sy, points, scratch.needs, first, count)
        for number in range(first, count - 1):
            tighten(floor, most, sx, sy, points, scratch.needs, number)
    left[count - 1] = beyond
    for number in range(count - 2, -1, -1):
        length = distance(points[number, 0], points[number, 1], points[number + 1, 0], points[number + 1, 1])
        left[number] = left[number + 1] + length
    return count
