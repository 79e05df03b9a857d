"""Capsules that move evenly for a stretch of time: as tracks, and around a whole body."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gambol.judges.kernels.bench import BALL, BALL_RADIUS, END, START, TO
from gambol.judges.kernels.distance import between
from gambol.kernels.jit import allocation_free_kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray
    from gambol.judges.kernels.bench import Bench

RESOLUTION_M = 1e-5  # m, > 0: a contact this close to the limit counts; smaller is slower
DEPTH_PRECISION_M = 1e-4  # m, > 0: the deepest moment is found this exactly; smaller is slower


@allocation_free_kernel
def point_at(track: FloatArray, column: int, share: float):
    """Return an end of an axis, by its column, at a share of the time."""
    return (
        between(track[column], track[column + TO], share),
        between(track[column + 1], track[column + TO + 1], share),
        between(track[column + 2], track[column + TO + 2], share),
    )


@allocation_free_kernel
def set_axis(track: FloatArray, bench: Bench, capsule: int, share_from: float, share_to: float):
    """Set an axis to a capsule's during a part of the time between the two frames on the bench."""
    for axis in range(3):
        one, two = bench.starts[0, capsule, axis], bench.starts[1, capsule, axis]
        track[START + axis], track[START + TO + axis] = between(one, two, share_from), between(one, two, share_to)
        one, two = bench.ends[0, capsule, axis], bench.ends[1, capsule, axis]
        track[END + axis], track[END + TO + axis] = between(one, two, share_from), between(one, two, share_to)


@allocation_free_kernel
def axis_ball(track: FloatArray):
    """Return the middle and the radius of a ball around an axis during all of the time."""
    x = 0.25 * (track[START] + track[END] + track[START + TO] + track[END + TO])
    y = 0.25 * (track[START + 1] + track[END + 1] + track[START + TO + 1] + track[END + TO + 1])
    z = 0.25 * (track[START + 2] + track[END + 2] + track[START + TO + 2] + track[END + TO + 2])
    square = 0.0
    for point in range(START, BALL, 3):
        square = max(square, (track[point] - x) ** 2 + (track[point + 1] - y) ** 2 + (track[point + 2] - z) ** 2)
    return (x, y, z), math.sqrt(square)


@allocation_free_kernel
def set_tracks(
    bench: Bench, radius: FloatArray, share_from: float, share_to: float, tracks: FloatArray, box: FloatArray
):
    """Fill the tracks of all capsules during a part of the time between the bench's frames, and a box around them."""
    box[:3] = math.inf
    box[3:] = -math.inf
    for capsule in range(len(radius)):
        track = tracks[capsule]
        set_axis(track, bench, capsule, share_from, share_to)
        middle, around = axis_ball(track)
        track[BALL_RADIUS] = around + radius[capsule]
        for axis in range(3):
            track[BALL + axis] = middle[axis]
            for point in range(START + axis, BALL, 3):
                box[axis] = min(box[axis], track[point] - radius[capsule])
                box[3 + axis] = max(box[3 + axis], track[point] + radius[capsule])


@allocation_free_kernel
def set_ball(bench: Bench, radius: FloatArray):
    """Put a ball around all axes at the bench's frames and between them, and set the greatest radius."""
    ball, square, bench.ball[4] = bench.ball, 0.0, 0.0
    for axis in range(3):
        low, high = math.inf, -math.inf
        for frame in range(2):
            for capsule in range(len(radius)):
                one, two = bench.starts[frame, capsule, axis], bench.ends[frame, capsule, axis]
                low, high = min(low, min(one, two)), max(high, max(one, two))
        ball[axis] = 0.5 * (low + high)
        square += (high - ball[axis]) ** 2
    ball[3] = math.sqrt(square)
    for capsule in range(len(radius)):
        ball[4] = max(ball[4], radius[capsule])


@allocation_free_kernel
def push_halves(stack: FloatArray, size: int, low: float, high: float, at_low: float, at_middle: float, at_high: float):
    """Put the halves of a stretch on a stack, the nearer one to be looked at first; return the row of the low one."""
    first, second = (size, size + 1) if at_low > at_high else (size + 1, size)
    middle = 0.5 * (low + high)
    stack[first, 0], stack[first, 1], stack[first, 2], stack[first, 3] = low, middle, at_low, at_middle
    stack[second, 0], stack[second, 1], stack[second, 2], stack[second, 3] = middle, high, at_middle, at_high
    return first
