"""Turn key times into frames at a fixed rate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray

DEFAULT_RATE_HZ = 30.0  # frames a second where key times give no rate, and where they fall on its frames anyway
LOWEST_RATE_HZ = 23.0  # frames a second, just below film's 23.976: sparser keys are poses to interpolate, not frames
HIGHEST_RATE_HZ = 1000.0  # frames a second: the highest rate recognised
OFF_GRID = 0.02  # share of a period by which a key may miss its frame
MAX_SUBDIVISION = 12  # the most parts of the smallest gap between keys, in search of a common grid


@dataclass(frozen=True)
class Frames:
    """The times at which a motion is sampled."""

    count: int
    start_s: float
    rate_hz: float
    even: bool  # all keys fall on frames

    def times(self, first: int, last: int, keys: FloatArray) -> FloatArray:
        """Return the times of the frames in [first, last), each exactly at its key where it has one.

        Keys are 32-bit: ten minutes into a file they are up to 0.03 ms off, and a fast joint sampled beside its key
        is visibly wrong.
        """
        times = self.start_s + np.arange(first, last) / self.rate_hz
        after = np.clip(np.searchsorted(keys, times), 1, max(len(keys) - 1, 1))
        before, after = keys[after - 1], keys[np.minimum(after, len(keys) - 1)]
        nearest = np.where(times - before < after - times, before, after)
        near = rounding_s(keys) + (OFF_GRID / self.rate_hz if self.even else 0.0)
        return np.where(np.abs(nearest - times) <= near, nearest, times)


def rounding_s(keys: FloatArray) -> float:
    """Return the largest rounding error of 32-bit key times, in seconds."""
    return 2.0 * float(np.spacing(np.float32(np.abs(keys).max())))


def choose_frames(keys_of_channels: Sequence[FloatArray], *, rate_hz: float | None, hint_hz: float | None) -> Frames:
    """Choose when to sample: at the given rate, else at the hinted one if it fits, else at the recognised one."""
    if rate_hz is not None and not (math.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"the rate must be a positive number of frames a second, not {rate_hz}")
    keys = merge(keys_of_channels)
    if rate_hz is None and hint_hz is not None and _on_grid(keys, 1.0 / hint_hz):
        rate_hz = hint_hz
    if rate_hz is None:
        rate_hz = recognise_rate(keys_of_channels)
    # A last key that is a little early by rounding is still a frame.
    span = float(keys[-1] - keys[0]) * rate_hz + 0.01 + min(rounding_s(keys) * rate_hz, 0.5)
    # The caller refuses absurd counts before it allocates.
    return Frames(math.floor(min(span, 1e15)) + 1, float(keys[0]), rate_hz, _on_grid(keys, 1.0 / rate_hz))


def recognise_rate(keys_of_channels: Sequence[FloatArray]) -> float:
    """Return a rate at which all keys are frames or, where that would be needlessly high, the densest channel's.

    Channels at 24 and 30 Hz have keys on the frames of 120 Hz, which is not what their author meant.
    """
    keys = merge(keys_of_channels)
    if len(keys) == 1:
        return DEFAULT_RATE_HZ
    several = [own for own in map(_merge_rounding, keys_of_channels) if len(own) > 1] or [keys]
    densest = max(several, key=lambda own: len(own) / float(own[-1] - own[0]))
    common, own = even_rate(keys), even_rate(densest)
    if common is not None and (own is None or own < LOWEST_RATE_HZ or common <= 2.0 * own):
        return _raise_to_frames(common)
    if own is not None:
        return _raise_to_frames(own)
    rate_hz = 1.0 / float(np.median(np.diff(densest)))
    if abs(round(rate_hz) - rate_hz) < 0.02 * rate_hz:
        rate_hz = float(round(rate_hz))
    return min(max(rate_hz, LOWEST_RATE_HZ), HIGHEST_RATE_HZ)


def merge(keys_of_channels: Sequence[FloatArray]) -> FloatArray:
    """Return all different key times in order."""
    return _merge_rounding(np.unique(np.concatenate(keys_of_channels)))


def _merge_rounding(keys: FloatArray) -> FloatArray:
    """Drop keys that differ from the key before by rounding alone."""
    return keys[np.concatenate(([True], np.diff(keys) > rounding_s(keys)))]


def even_rate(keys: FloatArray) -> float | None:
    """Return a rate at which all of at least two key times are frames, or None where there is none."""
    gaps = np.diff(keys)
    smallest = float(gaps.min())
    period = float(np.median(gaps[gaps < 1.5 * smallest]))
    for parts in range(1, MAX_SUBDIVISION + 1):
        steps = np.maximum(np.rint(gaps * parts / period), 1.0)
        fitted = float(keys[-1] - keys[0]) / float(steps.sum())  # averages the rounding away
        if 1.0 / fitted > HIGHEST_RATE_HZ:
            break
        if _on_grid(keys, fitted):
            return _tidy(1.0 / fitted, keys)
    return None


def _tidy(rate_hz: float, keys: FloatArray) -> float:
    """Return the whole or NTSC rate (such as 30000/1001) that a measured rate equals apart from rounding."""
    for candidate in (round(rate_hz), round(rate_hz * 1.001) / 1.001):
        if abs(candidate - rate_hz) <= 1e-5 * rate_hz and _on_grid(keys, 1.0 / candidate):
            return float(candidate)
    return rate_hz


def _raise_to_frames(rate_hz: float) -> float:
    """Return a multiple of a low rate that is high enough for frames, so that keys stay on frames."""
    if rate_hz >= LOWEST_RATE_HZ:
        return rate_hz
    if math.isclose(DEFAULT_RATE_HZ / rate_hz, round(DEFAULT_RATE_HZ / rate_hz), rel_tol=1e-5):
        return DEFAULT_RATE_HZ
    return rate_hz * math.ceil(LOWEST_RATE_HZ / rate_hz)


def _on_grid(keys: FloatArray, period: float) -> bool:
    """Return whether all keys are whole periods after the first, within OFF_GRID."""
    frames = (keys - keys[0]) / period
    off = np.abs(frames - np.rint(frames)) * period
    return bool(np.all(off <= OFF_GRID * period + rounding_s(keys))) and period > 4.0 * rounding_s(keys)
