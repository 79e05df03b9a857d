"""Whether clips obey one-way lanes and gates."""

from __future__ import annotations

import math

import numpy as np

from gambol.crowd.kernels.floor import FORECOURT, KEPT_CLEAR
from gambol.kernels.jit import allocation_free_kernel, inlined_kernel

LEAST_M = 0.2  # a move shorter than this has no direction
COSINE_75 = math.cos(math.radians(75.0))
COSINE_50 = math.cos(math.radians(50.0))
COSINE_35 = math.cos(math.radians(35.0))
GATE_SIDE_M = 0.3  # from the middle line, of who stops before a gate
LANE_SIDE_M = 0.5  # beside the middle of who stops in a lane
SIXTEENTH = math.pi / 8.0


@inlined_kernel
def cell_at(floor, x, y):
    """Return row and column of a point; -1, -1 outside."""
    rows, columns = floor.room.shape
    column, row = math.floor((x - floor.x0) / floor.cell_m), math.floor((y - floor.y0) / floor.cell_m)
    if row < 0 or column < 0 or row >= rows or column >= columns:
        return -1, -1
    return row, column


@inlined_kernel
def against_lane(floor, row, column, dx, dy, length):
    """Tell whether a move makes more than 75 degrees with the direction of a cell."""
    way = floor.way[row, column]
    if way < 0:
        return False
    angle = way * SIXTEENTH
    return dx * math.cos(angle) + dy * math.sin(angle) < COSINE_75 * length


@allocation_free_kernel
def clip_obeys_lanes(floor, gates, clips, clip, x, y, c, s, has_rules, may_enter):
    """Tell whether a clip begun at a pose goes against no lane and through no closed gate.

    Looked at where it begins, twice on its way and where it ends.
    has_rules: whether lanes count.  may_enter: whether open gates may be entered.
    """
    first = clips.first_sample[clip]
    along, across = clips.displacement[clip, 0], clips.displacement[clip, 1]
    dx, dy = c * along - s * across, s * along + c * across
    length = math.sqrt(dx * dx + dy * dy)
    if length < LEAST_M:
        return True
    began_in = np.int64(-1)
    for share in range(4):
        sample = first + (clips.duration[clip] * share) // 3
        px = x + c * clips.samples[sample, 0] - s * clips.samples[sample, 1]
        py = y + s * clips.samples[sample, 0] + c * clips.samples[sample, 1]
        row, column = cell_at(floor, px, py)
        if row < 0:
            return False
        if has_rules and against_lane(floor, row, column, dx, dy, length):
            return False
        gate = np.int64(floor.gate[row, column])
        if gate == KEPT_CLEAR:
            gate = np.int64(-1)
        elif gate >= FORECOURT:
            gate -= FORECOURT
        if share == 0:
            began_in = gate
        elif gate >= 0 and gate != began_in:
            ahead = dx * gates.direction[gate, 0] + dy * gates.direction[gate, 1]
            if not may_enter or gates.open[gate] != (1 if ahead > 0.0 else -1):
                return False
    return True


@allocation_free_kernel
def may_rest_here(floor, gates, x, y, c, s, is_polite):
    """Tell whether one may stop at a pose.

    Beside the mouth of a gate one may not; in it one stays in the middle and faces one of its ends; and beside the
    lanes before a door who is polite does not stop.
    """
    row, column = cell_at(floor, x, y)
    if row < 0:
        return False
    gate = floor.gate[row, column]
    if gate == KEPT_CLEAR:
        return not is_polite
    if gate < 0 or gate >= FORECOURT:
        return gate < 0
    along_x, along_y = gates.direction[gate, 0], gates.direction[gate, 1]
    if abs(c * along_x + s * along_y) < COSINE_35:
        return False
    off_x, off_y = x - gates.middle[gate, 0], y - gates.middle[gate, 1]
    return abs(off_x * along_y - off_y * along_x) < GATE_SIDE_M


@allocation_free_kernel
def rests_well_in_lane(floor, x, y, c, s, is_polite):
    """Tell whether who stops at a pose can go straight on along its lane: it faces that way, with room beside it.

    Who is not polite takes what room there is.
    """
    row, column = cell_at(floor, x, y)
    if row < 0 or floor.way[row, column] < 0:
        return True
    angle = floor.way[row, column] * SIXTEENTH
    along_x, along_y = math.cos(angle), math.sin(angle)
    if c * along_x + s * along_y < COSINE_50:
        return False
    if not is_polite:
        return True
    left_x, left_y = x - LANE_SIDE_M * along_y, y + LANE_SIDE_M * along_x
    row, column = cell_at(floor, left_x, left_y)
    if row >= 0 and against_lane(floor, row, column, along_x, along_y, 1.0):
        return False
    for step in range(1, 4):
        row, column = cell_at(floor, x + step * along_x, y + step * along_y)
        if row < 0 or floor.room[row, column] < LANE_SIDE_M:
            return False
        if floor.way[row, column] < 0:
            break
    return True


@allocation_free_kernel
def gate_at(floor, x, y):
    """Return the gate in or before whose throat a point is, or -1."""
    row, column = cell_at(floor, x, y)
    if row < 0 or floor.gate[row, column] < 0 or floor.gate[row, column] == KEPT_CLEAR:
        return np.int64(-1)
    return np.int64(floor.gate[row, column]) % FORECOURT
