"""Find collisions and touches of bodies that move at their own rates, from frames that are placed in the world."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.judges.kernels.bench import LEAVES, TIME, begin_row, keep_row
from gambol.judges.kernels.distance import between
from gambol.judges.kernels.prisms import collide, depart
from gambol.judges.kernels.touches import touch_in_stretch
from gambol.judges.kernels.tracks import set_tracks
from gambol.kernels.jit import allocation_free_kernel, threaded_kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray, Int64Array
    from gambol.judges.kernels.bench import Bench
    from gambol.judges.kernels.prisms import Surroundings

FRAME_TOLERANCE = 1e-6  # frames, > 0: a time this close to a frame is the frame's
SLIVER_S = 1e-9  # s, > 0: a shorter rest of time, left by rounding, joins the stretch before it


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


@allocation_free_kernel
def frames_around(cast: Cast, body: int, time_from: float, time_to: float, tolerance: float):
    """Return the first and last of a body's placed frames that enclose a stretch of time, give or take a tolerance."""
    low = math.floor((time_from - cast.start_s[body]) * cast.rate_hz[body] + tolerance)
    high = math.ceil((time_to - cast.start_s[body]) * cast.rate_hz[body] - tolerance)
    first, last = cast.frame_first[body], cast.frame_last[body]
    return min(max(low, first), last), min(max(high, first), last)


@allocation_free_kernel
def show_frame(cast: Cast, body: int, frame: int, bench: Bench, slot: int):
    """Put the axes of a body at a frame on the bench."""
    first, last = cast.capsule_first[body], cast.capsule_first[body + 1]
    row = cast.row_first[body] + (frame - cast.frame_first[body]) * (last - first)
    for capsule in range(last - first):
        for axis in range(3):
            bench.starts[slot, capsule, axis] = cast.starts[row + capsule, axis]
            bench.ends[slot, capsule, axis] = cast.ends[row + capsule, axis]


@threaded_kernel
def find_collisions(
    cast: Cast,
    time_from: float,
    time_to: float,
    things: Surroundings,
    parts: Int64Array,
    bench: Bench,
    rows: FloatArray,
):
    """Fill rows with collisions and departures of bodies, of each between two frames and of each frame.

    parts: (T, 3) all things with their pieces.  Returns the number of rows, which may be more than there is room for.
    """
    count = 0
    for body in range(len(cast.start_s)):
        radius = cast.radius[cast.capsule_first[body] : cast.capsule_first[body + 1]]
        start_s, rate_hz = cast.start_s[body], cast.rate_hz[body]
        first, last = frames_around(cast, body, time_from, time_to, FRAME_TOLERANCE)
        alone = cast.frame_count[body] == 1 and time_from <= start_s <= time_to
        for frame in range(first, last + 1):
            show_frame(cast, body, frame, bench, 0)
            begin_row(bench.row, body, LEAVES, frame)
            count = depart(bench, radius, things, start_s + frame / rate_hz, rows, count)
            if frame < last or alone:
                following = min(frame + 1, last)
                show_frame(cast, body, following, bench, 1)
                begin_row(bench.row, body, LEAVES, frame)
                until_s = start_s + following / rate_hz
                count = collide(bench, radius, things, parts, start_s + frame / rate_hz, until_s, rows, count)
    return count


@allocation_free_kernel
def set_box(cast: Cast, body: int, time_from: float, time_to: float, box: FloatArray):
    """Fill a box (least x, y, z, greatest x, y, z) around the space that a body fills during a stretch of time."""
    box[:3] = math.inf
    box[3:] = -math.inf
    first, last = cast.capsule_first[body], cast.capsule_first[body + 1]
    low, high = frames_around(cast, body, time_from, time_to, -FRAME_TOLERANCE)
    row = cast.row_first[body] + (low - cast.frame_first[body]) * (last - first)
    for number in range((high - low + 1) * (last - first)):
        radius = cast.radius[first + number % (last - first)]
        for axis in range(3):
            one, two = cast.starts[row + number, axis], cast.ends[row + number, axis]
            box[axis], box[3 + axis] = (
                min(box[axis], min(one, two) - radius),
                max(box[3 + axis], max(one, two) + radius),
            )


@allocation_free_kernel
def boxes_meet(one: FloatArray, two: FloatArray):
    return (
        one[0] <= two[3] and two[0] <= one[3]
        and one[1] <= two[4] and two[1] <= one[4]
        and one[2] <= two[5] and two[2] <= one[5]
    )  # fmt: skip


@allocation_free_kernel
def next_frame_time(cast: Cast, body: int, time: float):
    """Return the time of the next frame after a time; infinite if there is none."""
    passed = (time - cast.start_s[body]) * cast.rate_hz[body]
    following = max(math.floor(passed + FRAME_TOLERANCE) + 1, 0)
    if following >= cast.frame_count[body]:
        return math.inf
    return cast.start_s[body] + following / cast.rate_hz[body]


@allocation_free_kernel
def set_body_tracks(
    cast: Cast, body: int, time_from: float, time_to: float, bench: Bench, tracks: FloatArray, box: FloatArray
):
    """Fill the tracks of all capsules of a body from one time to another without a frame in between."""
    last_frame = cast.frame_count[body] - 1
    passed_from = (time_from - cast.start_s[body]) * cast.rate_hz[body]
    passed_to = (time_to - cast.start_s[body]) * cast.rate_hz[body]
    frame = min(max(math.floor(0.5 * (passed_from + passed_to)), 0), last_frame)
    share_from, share_to = min(max(passed_from - frame, 0.0), 1.0), min(max(passed_to - frame, 0.0), 1.0)
    show_frame(cast, body, frame, bench, 0)
    show_frame(cast, body, min(frame + 1, last_frame), bench, 1)
    radius = cast.radius[cast.capsule_first[body] : cast.capsule_first[body + 1]]
    set_tracks(bench, radius, share_from, share_to, tracks, box)


@allocation_free_kernel
def touch_in_slice(cast: Cast, first: int, second: int, time_from: float, time_to: float, bench: Bench):
    """Look for the deepest touch of two bodies in a slice of time, from frame to frame of either."""
    my_radius = cast.radius[cast.capsule_first[first] : cast.capsule_first[first + 1]]
    other_radius = cast.radius[cast.capsule_first[second] : cast.capsule_first[second + 1]]
    time = time_from
    while True:
        following = min(next_frame_time(cast, first, time), next_frame_time(cast, second, time))
        if following > time_to - SLIVER_S:
            following = time_to
        set_body_tracks(cast, first, time, following, bench, bench.mine, bench.boxes[0])
        set_body_tracks(cast, second, time, following, bench, bench.others, bench.boxes[1])
        share = touch_in_stretch(bench, my_radius, other_radius)
        if share >= 0.0:
            bench.row[TIME] = between(time, following, share)
        if following >= time_to:
            return
        time = following


@threaded_kernel
def find_touches(cast: Cast, edges: FloatArray, boxes: FloatArray, bench: Bench, first_slice: int, rows: FloatArray):
    """Fill rows with the deepest touch for every slice of time and every pair of bodies that meet in it.

    edges: (N + 1,) the times between which the slices lie; boxes: (P, 6) room.  Returns the number of rows, which may
    be more than there is room for.
    """
    count = 0
    for number in range(len(edges) - 1):
        for body in range(len(boxes)):
            set_box(cast, body, edges[number], edges[number + 1], boxes[body])
        for first in range(len(boxes)):
            for second in range(first + 1, len(boxes)):
                if boxes_meet(boxes[first], boxes[second]):
                    begin_row(bench.row, first, second, first_slice + number)
                    touch_in_slice(cast, first, second, edges[number], edges[number + 1], bench)
                    count = keep_row(bench.row, rows, count)
    return count
