"""Movers frame by frame: placed at an instant, grown by what they move within half a frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.core import lib, pointer, struct
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.world.world import Trajectory

LATE_S = 1e-9  # instants nearer than this to the end of a frame belong to both frames
ROUNDING_M = 1e-9


class MoverLayout(NamedTuple):
    """Placements that together cover a mover from its first frame to its last; it rests before and after.

    A frame has more than one where a trajectory begins anew or turns back.
    """

    frames: Int64Array  # (N,) not decreasing, every one from first to last
    poses: FloatArray  # (N, 3) x, y, heading
    heights: FloatArray  # (N, 2) lowest bottom and highest top within the frame
    growth: FloatArray  # (N,) metres: no point of the mover gets farther from where the pose puts it
    is_endless: bool  # still moving after the last frame


class Stretches(NamedTuple):
    """Pieces of a trajectory's table, in seconds after its first time, each within one frame."""

    frames: Int64Array  # (N,)
    first: FloatArray  # (N,)
    middle: FloatArray  # (N,) nearest to the frame's instant
    last: FloatArray  # (N,)
    is_endless: bool


def lay_out(trajectory: Trajectory, *, reach_m: float, rate_hz: float, horizon: int) -> MoverLayout:
    """Place a mover at every frame at which it moves, up to the horizon if it never comes to rest before.

    reach_m: distance from the own origin to the mover's farthest point.
    """
    stretches = _stretches(trajectory, rate_hz=rate_hz, horizon=horizon)
    start = trajectory.times_s[0]
    table = struct(
        "gb_trajectory",
        count=len(trajectory.times_s),
        times=trajectory.times_s,
        poses=trajectory.poses,
        heights=trajectory.heights_m,
        reach=reach_m,
    )
    first, middle, last = start + stretches.first, start + stretches.middle, start + stretches.last
    placed = np.empty((len(stretches.frames), 6))
    lib.gb_traffic_place_stretches(
        table.c, pointer(first, "double"), pointer(middle, "double"), pointer(last, "double"), len(placed),
        pointer(placed, "double"),
    )  # fmt: skip
    return MoverLayout(
        frames=stretches.frames,
        poses=placed[:, :3],
        heights=placed[:, 3:5] + (-ROUNDING_M, ROUNDING_M),
        growth=placed[:, 5] + ROUNDING_M,
        is_endless=stretches.is_endless,
    )


def _stretches(trajectory: Trajectory, *, rate_hz: float, horizon: int) -> Stretches:
    """Cut a trajectory by frames and into legs: a leg is one run through the table, there or back."""
    length = float(trajectory.times_s[-1] - trajectory.times_s[0])
    repeats = trajectory.repeat != "once"
    if not trajectory.moves or (repeats and length * rate_hz < 1.0):  # at rest, or in many places in one frame
        at = np.array([0.5 * length])
        return Stretches(np.zeros(1, dtype=np.int64), at - 0.5 * length, at, at + 0.5 * length, is_endless=False)
    legs, starts = _legs(trajectory, rate_hz=rate_hz, horizon=horizon)
    begin = _whole(np.floor((starts - LATE_S) * rate_hz + 0.5))
    end = _whole(np.ceil((starts + length + LATE_S) * rate_hz - 0.5))
    is_endless = repeats or end[-1] >= horizon
    if legs[0] == 0:
        begin[0] = min(begin[0] - 1, horizon)  # the frame before it sets out
    if not repeats:
        end[0] = max(end[0] + 1, 0)  # the frame after it has arrived
    begin, end = np.maximum(begin, 0), np.minimum(end, horizon)
    counts = np.maximum(end - begin + 1, 0)
    leg = np.repeat(np.arange(len(legs)), counts)
    frames = begin[leg] + np.arange(len(leg)) - np.repeat(np.cumsum(counts) - counts, counts)
    order = np.argsort(frames, kind="stable")
    leg, frames = leg[order], frames[order]
    first, middle, last = (
        np.clip((frames + half) / rate_hz + late - starts[leg], 0.0, length)
        for half, late in ((-0.5, -LATE_S), (0.0, 0.0), (0.5, LATE_S))
    )
    if trajectory.repeat == "bounce":
        back = legs[leg] % 2 == 1
        first, last = np.where(back, length - last, first), np.where(back, length - first, last)
        middle = np.where(back, length - middle, middle)
    return Stretches(frames, first, middle, last, is_endless)


def _legs(trajectory: Trajectory, *, rate_hz: float, horizon: int) -> tuple[Int64Array, FloatArray]:
    """Return the numbers of the legs from frame 0 to the horizon, at least one, and when each begins."""
    first, length = float(trajectory.times_s[0]), float(trajectory.times_s[-1] - trajectory.times_s[0])
    if trajectory.repeat == "once":
        return np.zeros(1, dtype=np.int64), np.array([first])
    low = max(int(np.floor((-1.0 / rate_hz - first) / length)) - 1, 0)
    high = max(int(np.ceil(((horizon + 1.0) / rate_hz - first) / length)) + 1, low + 1)
    legs = np.arange(low, high, dtype=np.int64)
    return legs, first + length * legs.astype(np.float64)


def _whole(frames: FloatArray) -> Int64Array:
    return np.clip(frames, -(2.0**53), 2.0**53).astype(np.int64)
