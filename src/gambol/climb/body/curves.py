"""Curves through values that are held, and rounded in between."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from gambol.climb.body.kernels import pitch
from gambol.geometry.arrays import FloatArray


def rounded(values: ArrayLike, weights: ArrayLike, *, frames: float) -> FloatArray:
    """Return a curve (F,) near the values, the nearer where they weigh more; it turns within about so many frames.

    It is the least of weighted squared distances and of squared second differences (a discrete smoothing spline).
    """
    wanted, weight = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    count = len(wanted)
    if count < 3:
        return np.array(wanted)
    stiffness = max(frames, 1e-3) ** 4
    bands = np.zeros((3, count))  # upper form: row 2 is the diagonal
    inner = count - 2
    bands[2, :inner] += stiffness
    bands[2, 1 : inner + 1] += 4.0 * stiffness
    bands[2, 2:] += stiffness
    bands[1, 1 : inner + 1] += -2.0 * stiffness
    bands[1, 2:] += -2.0 * stiffness
    bands[0, 2:] += stiffness
    bands[2] += weight
    return np.asarray(scipy.linalg.solveh_banded(bands, weight * wanted, check_finite=False))


def eased(t: ArrayLike) -> FloatArray:
    """Return a curve from 0 to 1 that is at rest at both ends; beyond them it stays."""
    t = np.clip(np.asarray(t, dtype=np.float64), 0.0, 1.0)
    return t**3 * (10.0 - 15.0 * t + 6.0 * t**2)


def least_way(price: FloatArray, places: FloatArray, *, pace: float) -> NDArray[np.int64]:
    """Choose one of K places (K, D) at every frame (F,): prices (F, K) and squared moves add up to the least.

    pace: going so far in a frame costs one.
    """
    apart = np.sum((places[:, None] - places[None]) ** 2, axis=-1)
    chosen = np.empty(len(price), dtype=np.int64)
    pitch.least_path(price, apart / pace**2, chosen)
    return chosen
