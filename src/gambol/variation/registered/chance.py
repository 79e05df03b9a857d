"""Weights that wander slowly and at random."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import FloatArray

REACH = 3  # number of knots to either side that affect a weight
WIDTH = 0.8  # knots: standard deviation of a knot's share; larger: weights wander more smoothly
LARGEST = 1.5  # standard deviations: largest weight, as larger ones leave the data


class Wander:
    """Endless random curves: normal at each phase, of variance 1, and alike over about a knot's distance."""

    def __init__(self, rng: np.random.Generator, count: int, phases_a_knot: float) -> None:
        self._rng, self._count, self._step = rng, count, phases_a_knot
        self._first = -REACH  # number of the first knot kept
        self._knots = np.zeros((0, count))

    def at(self, phases: FloatArray) -> FloatArray:
        """Return the weights (N, count) at phases from 0; no later call may go back."""
        lowest, highest = knots_of(phases, self._step)
        missing = highest - (self._first + len(self._knots)) + 1
        if missing > 0:
            self._knots = np.vstack((self._knots, self._rng.standard_normal((missing, self._count))))
        drop = max(0, lowest - self._first)
        self._knots, self._first = self._knots[drop:], self._first + drop
        return shares(phases, self._step, self._first, len(self._knots)) @ self._knots


def knots_of(phases: FloatArray, phases_a_knot: float) -> tuple[int, int]:
    """Return the first and last knot that matter at these phases."""
    first = int(np.floor(np.min(phases) / phases_a_knot)) - REACH
    return first, int(np.ceil(np.max(phases) / phases_a_knot)) + REACH


def shares(phases: FloatArray, phases_a_knot: float, first: int, count: int) -> FloatArray:
    """Return the share of each of `count` knots in the weight at each phase (N, count): rows of unit length."""
    apart = np.asarray(phases)[:, None] / phases_a_knot - (first + np.arange(count))
    parts = np.where(np.abs(apart) <= REACH, np.exp(-0.5 * (apart / WIDTH) ** 2), 0.0)
    return parts / np.linalg.norm(parts, axis=1, keepdims=True)


def bounded(weights: FloatArray) -> FloatArray:
    """Return normal weights, bent so that none is much larger than LARGEST and the variance stays."""
    return _KEEPING * LARGEST * np.tanh(weights / LARGEST)


def _keeping() -> float:
    """Return the factor that restores the standard deviation of normal numbers after bending."""
    points, parts = np.polynomial.hermite_e.hermegauss(60)
    return float(1.0 / np.sqrt(np.sum(parts * (LARGEST * np.tanh(points / LARGEST)) ** 2) / parts.sum()))


_KEEPING = _keeping()
