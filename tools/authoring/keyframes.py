"""Curves through keys, as an animator sets them: smooth up to their curvature, at rest at both ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import BPoly, PchipInterpolator

from gambol.geometry.arrays import FloatArray


def keyed(keys: Sequence[tuple[float, ArrayLike]], times: ArrayLike) -> FloatArray:
    """Return the curve through keys (when, value) at some times (F,); it rests before the first and after the last.

    Values may be arrays of one shape.  The curve does not overshoot where keys rise or fall steadily.
    """
    whens = np.array([when for when, _ in keys], dtype=np.float64)
    values = np.array([value for _, value in keys], dtype=np.float64)
    at = np.asarray(times, dtype=np.float64)
    if len(whens) == 1:
        return np.broadcast_to(values[0], (*at.shape, *values.shape[1:])).copy()
    slopes = PchipInterpolator(whens, values).derivative()(whens)
    slopes[[0, -1]] = 0.0
    curve = BPoly.from_derivatives(whens, np.stack((values, slopes, np.zeros_like(values)), axis=1))
    return curve(np.clip(at, whens[0], whens[-1]))


def periodic(keys: Sequence[tuple[float, float]], phases: ArrayLike) -> FloatArray:
    """Return the curve through keys (phase, value) that repeats with every whole phase."""
    whens = np.array([phase + turn for turn in (-1.0, 0.0, 1.0) for phase, _ in keys])
    values = np.tile(np.array([value for _, value in keys]), 3)
    slopes = PchipInterpolator(whens, values).derivative()(whens)
    curve = BPoly.from_derivatives(whens, np.stack((values, slopes, np.zeros_like(values)), axis=1))
    return curve(np.mod(np.asarray(phases, dtype=np.float64), 1.0))


def ease(times: ArrayLike, start: float, end: float) -> FloatArray:
    """Rise from 0 at the start to 1 at the end, without a jolt at either."""
    t = np.clip((np.asarray(times, dtype=np.float64) - start) / (end - start), 0.0, 1.0)
    return t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)


def bridge(before: ArrayLike, after: ArrayLike, times: ArrayLike, start: float, end: float) -> FloatArray:
    """Lead from a state at the start to another one at the end; states (3, ...) are value, rate and change of rate."""
    first, last = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    curve = BPoly.from_derivatives([start, end], [list(first), list(last)])
    return curve(np.asarray(times, dtype=np.float64))
