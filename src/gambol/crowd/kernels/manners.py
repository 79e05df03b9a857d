"""How one behaves where others wait: keep one's turn before a door, and one's distance."""

from __future__ import annotations

import math

from gambol.crowd.kernels.floor import BLOCK
from gambol.crowd.kernels.lanes_obeyed import cell_at
from gambol.kernels.jit import allocation_free_kernel

POLITE_FRAMES = 600  # after which one also stops where one stands in others' way
QUEUEING_S = 40.0  # after which one does not wait for one's turn any longer
DESPERATE_FRAMES = 240  # after which one also turns where one cannot leave, and crosses lanes
QUEUEING_FRAMES = 450  # for which one stands in a queue before one minds
IN_LANE_FRAMES = 1200  # for so long who queues in a lane makes way for nobody: all want the same there
STILL_M = 0.1
SPACE_M = 1.4  # that those who queue keep from each other


@allocation_free_kernel
def is_near_lanes(floor, x, y):
    """Tell whether lanes are a few metres away: there one queues."""
    row, column = math.floor((y - floor.y0) / floor.cell_m), math.floor((x - floor.x0) / floor.cell_m)
    rows, columns = floor.room.shape
    return 0 <= row < rows and 0 <= column < columns and floor.lanes[row // BLOCK, column // BLOCK]


@allocation_free_kernel
def is_in_lane(floor, x, y):
    """Tell whether a place is in a one-way lane."""
    row, column = cell_at(floor, x, y)
    return row >= 0 and floor.way[row, column] >= 0


@allocation_free_kernel
def idle_since(floor, best_frame, anchor_frame, x, y):
    """Return the frame since which someone gets no nearer to its goal, or nowhere else; a while of queueing apart."""
    return min(best_frame, anchor_frame + (QUEUEING_FRAMES if is_near_lanes(floor, x, y) else 0))


@allocation_free_kernel
def jumps_queue(flock, clips, fans, who, node, x, y, px, py, pc, ps):
    """Tell whether who stops after a node reached at a pose would be nearer to its door than it may be."""
    ex, ey = px, py
    if not fans.is_rest[fans.state[node]]:
        stop = fans.stop[fans.first_stop[fans.following[node]]]
        ex += pc * clips.displacement[stop, 0] - ps * clips.displacement[stop, 1]
        ey += ps * clips.displacement[stop, 0] + pc * clips.displacement[stop, 1]
    return comes_nearer(flock, who, x, y, ex, ey)


@allocation_free_kernel
def comes_nearer(flock, who, x, y, to_x, to_y):
    """Tell whether someone would come nearer to its door than it may be."""
    after = math.hypot(to_x - flock.keeps_from[who, 0], to_y - flock.keeps_from[who, 1])
    if after >= flock.keeps_m[who]:
        return False
    return after < math.hypot(x - flock.keeps_from[who, 0], y - flock.keeps_from[who, 1]) - STILL_M


@allocation_free_kernel
def crowds_others(flock, who, x, y, to_x, to_y, near, others):
    """Tell whether who stops at a place would be too near to someone that stands, and nearer than it is now."""
    for i in range(near):
        other = others[i]
        dx, dy = to_x - flock.end[other, 0], to_y - flock.end[other, 1]
        after = dx * dx + dy * dy
        if after < SPACE_M * SPACE_M:
            dx, dy = x - flock.end[other, 0], y - flock.end[other, 1]
            if after < dx * dx + dy * dy:
                return True
    return False
