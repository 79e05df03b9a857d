"""Smooth tracks and envelopes of them, along the first axis."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray

Edges = Literal["symmetric", "edge", "constant"]  # past the ends: mirrored, the last value, or zero


def gaussian(values: FloatArray, sigma: float, *, reach: int | None = None, edges: Edges = "symmetric") -> FloatArray:
    """Smooth values (F, ...) by a Gaussian of a standard deviation in frames, four of which it reaches by default."""
    count, reach = len(values), int(4.0 * sigma + 0.5) if reach is None else reach
    weights = np.exp(-0.5 / (sigma * sigma) * np.arange(-reach, reach + 1) ** 2)
    weights /= weights.sum()
    padded = _padded(np.asarray(values, dtype=np.float64), reach, edges)
    smoothed = padded[reach : reach + count] * weights[reach]
    for away in range(reach, 0, -1):  # the smallest terms first
        both = padded[reach - away : reach - away + count] + padded[reach + away : reach + away + count]
        smoothed += both * weights[reach + away]
    return smoothed


def highest_near(values: NDArray[Any], reach: int) -> NDArray[Any]:
    """Return the highest value (F, ...) of those up to `reach` frames before and after each."""
    count, wanted = len(values), 2 * reach + 1
    highest, width = _padded(values, reach, "edge"), 1
    while 2 * width <= wanted:  # of `width` frames from each on
        highest, width = np.maximum(highest[:-width], highest[width:]), 2 * width
    return np.maximum(highest[:count], highest[wanted - width : wanted - width + count])


def envelope(values: FloatArray, reach: int) -> FloatArray:
    """Return a smooth curve (F,) that is nowhere below the values and rises `reach` frames before them.

    The smoothing reaches no farther than the maximum, so it rounds off no peak.
    """
    return gaussian(highest_near(values, reach), reach / 3.0, reach=reach, edges="edge")


def _padded(values: NDArray[Any], reach: int, edges: Edges) -> NDArray[Any]:
    return np.pad(values, ((reach, reach), *((0, 0),) * (values.ndim - 1)), mode=edges)
