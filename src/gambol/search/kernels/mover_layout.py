"""Where a mover is over short stretches of time, and how far from there it gets."""

from __future__ import annotations

import math

from gambol.kernels.jit import kernel


@kernel
def place_stretches(times, poses, heights, firsts, middles, lasts, reach, placed):
    """Place a mover for stretches of its table's time: where it is in the middle, and how far it gets from there.

    placed: (N, 6) written: x, y, heading, bottom, top, growth.  Between keyframes all changes are
    linear and the distance from the middle is convex, so that the farthest is at a keyframe or an end.
    """
    for number in range(firsts.shape[0]):
        first, last = firsts[number], lasts[number]
        x, y, heading, bottom, top = pose_at(times, poses, heights, middles[number])
        away, turned = 0.0, 0.0
        key = key_after(times, first)
        time = first
        while True:
            other_x, other_y, other_heading, other_bottom, other_top = pose_at(times, poses, heights, time)
            away = max(away, math.hypot(other_x - x, other_y - y))
            turned = max(turned, abs(other_heading - heading))
            bottom, top = min(bottom, other_bottom), max(top, other_top)
            if time >= last:
                break
            time = last
            if key < times.shape[0] and times[key] < last:
                time = times[key]
                key += 1
        placed[number, 0], placed[number, 1], placed[number, 2] = x, y, heading
        placed[number, 3], placed[number, 4] = bottom, top
        placed[number, 5] = away + reach * min(turned, 2.0)


@kernel
def pose_at(times, poses, heights, time):
    """Return x, y, heading, bottom and top at a time of a trajectory's table."""
    high = min(key_after(times, time), times.shape[0] - 1)
    low = max(high - 1, 0)
    span = times[high] - times[low]
    share = min(max((time - times[low]) / span, 0.0), 1.0) if span > 0.0 else 0.0
    rest = 1.0 - share
    return (
        rest * poses[low, 0] + share * poses[high, 0],
        rest * poses[low, 1] + share * poses[high, 1],
        rest * poses[low, 2] + share * poses[high, 2],
        rest * heights[low, 0] + share * heights[high, 0],
        rest * heights[low, 1] + share * heights[high, 1],
    )


@kernel
def key_after(times, time):
    """Return the first keyframe later than a time, or the number of keyframes."""
    low, high = 0, times.shape[0]
    while low < high:
        middle = (low + high) // 2
        if times[middle] <= time:
            low = middle + 1
        else:
            high = middle
    return low
