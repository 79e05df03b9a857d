"""See along straight lines over a floor."""

from __future__ import annotations

import math

import numpy as np

from gambol.crowd.kernels.floor import BLOCK, KEPT_CLEAR, LEAP_ROOM_M
from gambol.kernels.jit import allocation_free_kernel

WAYS = 16  # one-way directions, counter-clockwise from +x
WAY_COS = np.cos(np.arange(WAYS) * (2.0 * np.pi / WAYS))
WAY_SIN = np.sin(np.arange(WAYS) * (2.0 * np.pi / WAYS))
LEAST_COS = math.cos(math.radians(75.0))  # between a move and the one-way direction where it goes
SHORT_M = 0.2  # moves not longer than this obey no one-way rule
JAM_SEEN_M = 30.0  # jams farther off are none any more when one comes there
JAM_STEP_M = 0.75  # between the points of a line that are looked at
BEYOND = 1e-6  # cells: how far past the side of a cell the next look is


@allocation_free_kernel
def room_at(floor, x, y):
    """Return the room of the cell at a point; -1 off the floor."""
    u, v = (x - floor.x0) / floor.cell_m, (y - floor.y0) / floor.cell_m
    rows, columns = floor.room.shape
    if not (u >= 0.0 and v >= 0.0 and u < columns and v < rows):
        return -1.0
    return float(floor.room[int(v), int(u)])


@allocation_free_kernel
def is_kept_clear(floor, x, y):
    """Tell whether a point of the floor is in a place that is kept clear."""
    return floor.gate[int((y - floor.y0) / floor.cell_m), int((x - floor.x0) / floor.cell_m)] == KEPT_CLEAR


@allocation_free_kernel
def visible(floor, radius, x0, y0, x1, y1):
    """Tell whether one may go straight from a point to another.

    Every cell on the line has at least `radius` room; and the line makes at most 75 degrees with the direction of
    each one-way cell on it and goes through no place kept clear that it neither begins nor ends in, unless it is
    shorter than 0.2 m or stays in one cell.  Looks at single cells only near obstacles and lanes.
    """
    rows, columns = floor.room.shape
    scale = 1.0 / floor.cell_m
    u0, v0, u1, v1 = (x0 - floor.x0) * scale, (y0 - floor.y0) * scale, (x1 - floor.x0) * scale, (y1 - floor.y0) * scale
    if not (u0 >= 0.0 and v0 >= 0.0 and u0 < columns and v0 < rows):
        return False
    if not (u1 >= 0.0 and v1 >= 0.0 and u1 < columns and v1 < rows):
        return False
    row, column = int(v0), int(u0)
    if row == int(v1) and column == int(u1):
        return floor.room[row, column] >= radius
    if floor.room[int(v1), int(u1)] < radius:
        return False
    along_u, along_v = u1 - u0, v1 - v0
    length = math.sqrt(along_u * along_u + along_v * along_v)
    along_u, along_v = along_u / length, along_v / length
    per_u = 1.0 / along_u if along_u != 0.0 else math.inf
    per_v = 1.0 / along_v if along_v != 0.0 else math.inf
    next_u, next_v = 1.0 if along_u > 0.0 else 0.0, 1.0 if along_v > 0.0 else 0.0
    is_ruled = length * floor.cell_m > SHORT_M
    avoids = floor.gate[row, column] != KEPT_CLEAR and floor.gate[int(v1), int(u1)] != KEPT_CLEAR
    leaps = radius <= LEAP_ROOM_M
    done = 0.0
    while True:
        u, v = u0 + done * along_u, v0 + done * along_v
        row, column = min(int(v), rows - 1), min(int(u), columns - 1)
        blocks = floor.leap[row // BLOCK, column // BLOCK] if leaps else 0
        if blocks > 1:
            step = float((blocks - 1) * BLOCK)
        else:
            room = floor.room[row, column]
            if room < radius:
                return False
            step = 0.0
            if is_ruled and floor.lanes[row // BLOCK, column // BLOCK]:
                way = floor.way[row, column]
                if way >= 0 and along_u * WAY_COS[way] + along_v * WAY_SIN[way] < LEAST_COS:
                    return False
                if avoids and floor.gate[row, column] == KEPT_CLEAR:
                    return False
            else:
                # From here to a cell's centre and from another centre to there: half a diagonal each.
                step = (room - radius) * scale - math.sqrt(2.0)
            if step < 1.0:
                out_u = (column + next_u - u) * per_u if along_u != 0.0 else math.inf
                out_v = (row + next_v - v) * per_v if along_v != 0.0 else math.inf
                step = max(step, min(out_u, out_v) + BEYOND)
        if done >= length:
            return True
        done = min(done + step, length)


@allocation_free_kernel
def sees_jam(floor, eye_x, eye_y, x, y):
    """Tell whether a point of the floor is in a jam that is seen from another point."""
    if max(abs(x - eye_x), abs(y - eye_y)) > JAM_SEEN_M:
        return False
    block_m = floor.cell_m * BLOCK
    row, column = int((y - floor.y0) / block_m), int((x - floor.x0) / block_m)
    return 0 <= row < floor.jam.shape[0] and 0 <= column < floor.jam.shape[1] and floor.jam[row, column]


@allocation_free_kernel
def crosses_jam(floor, eye_x, eye_y, x0, y0, x1, y1):
    """Tell whether a line leads through a jam that is seen from a point and that neither end of the line is in."""
    if sees_jam(floor, eye_x, eye_y, x0, y0) or sees_jam(floor, eye_x, eye_y, x1, y1):
        return False
    length = math.hypot(x1 - x0, y1 - y0)
    steps = int(length / JAM_STEP_M) + 1
    for step in range(1, steps):
        if sees_jam(floor, eye_x, eye_y, x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps):
            return True
    return False


@allocation_free_kernel
def is_good_way(floor, eye_x, eye_y, radius, x0, y0, x1, y1):
    """Tell whether one may go straight from a point to another, and through no jam seen from a third one."""
    return visible(floor, radius, x0, y0, x1, y1) and not crosses_jam(floor, eye_x, eye_y, x0, y0, x1, y1)
