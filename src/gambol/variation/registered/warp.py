"""A warp of time: which frame of a motion belongs to which phase; smooth, and never backwards."""

from __future__ import annotations

import numpy as np
import scipy

from gambol.geometry.arrays import FloatArray


def spline_basis(count: int, knots: int) -> FloatArray:
    """Return `knots` cubic bumps (count, knots) spread evenly over `count` points; they add up to one everywhere."""
    inner = np.linspace(0.0, 1.0, knots - 2)
    step = inner[1] - inner[0]
    places = np.concatenate((inner[0] - step * np.array([3, 2, 1]), inner, inner[-1] + step * np.array([1, 2, 3])))
    return scipy.interpolate.BSpline.design_matrix(np.linspace(0.0, 1.0, count), places, 3, extrapolate=True).toarray()


def frames_of(log_rates: FloatArray, frames: float | None = None) -> FloatArray:
    """Return the frame at each phase (N,), from 0, given the logarithms (N,) of the frames between phases.

    frames: the last frame, to which all are scaled; None leaves them as they are.
    """
    at = np.concatenate(([0.0], np.cumsum(np.exp(log_rates[:-1]))))
    return at if frames is None else at * (frames / at[-1])


def changes_of(log_rates: FloatArray, basis: FloatArray, frames: float) -> FloatArray:
    """Return how frames, scaled to a last one, change with each of a basis (N, K) of the logarithms: (N, K)."""
    changes = np.cumsum(np.exp(log_rates[:-1, None]) * basis[:-1], axis=0)
    changes = np.vstack((np.zeros((1, basis.shape[1])), changes))
    at = frames_of(log_rates)
    return frames / at[-1] * (changes - (at / at[-1])[:, None] * changes[-1])


def log_rates_of(frames: FloatArray) -> FloatArray:
    """Return the logarithms (N,) of the frames between phases, given the frame at each phase (N,), which always grows.

    The last phase has the logarithm of the one before.
    """
    rates = np.log(np.diff(frames))
    return np.append(rates, rates[-1])


def phases_at(frames: FloatArray, at: FloatArray) -> FloatArray:
    """Return the phase of each frame in `at`: the inverse of a warp (N,)."""
    return np.interp(at, frames, np.arange(len(frames), dtype=np.float64))
