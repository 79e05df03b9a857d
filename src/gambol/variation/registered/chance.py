"""Weights that wander slowly and at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
REACH = 3  # knots to either side that a weight takes part of
WIDTH = 0.8  # knots, standard deviation of a knot's share


class Wander:
    """Endless random curves: normal at each phase, with variance 1, and alike over about a knot's distance."""

    def __init__(self, rng: np.random.Generator, count: int, phases_a_knot: float) -> None:
        self._rng, self._count, self._step = rng, count, phases_a_knot
        self._first = 0  # knot number of the first kept
        self._knots = np.zeros((0, count))

    def at(self, phases: FloatArray) -> FloatArray:
        """Return the weights (N, count) at phases that no later call goes back from."""
        places = np.asarray(phases) / self._step
        lowest, highest = int(np.floor(places.min())) - REACH, int(np.ceil(places.max())) + REACH
        if not len(self._knots):
            self._first = lowest
        missing = highest - (self._first + len(self._knots)) + 1
        if missing > 0:
            self._knots = np.vstack((self._knots, self._rng.standard_normal((missing, self._count))))
        drop = max(0, lowest - self._first)
        self._knots, self._first = self._knots[drop:], self._first + drop
        apart = places[:, None] - (self._first + np.arange(len(self._knots)))
        shares = np.exp(-0.5 * (apart / WIDTH) ** 2)
        shares /= np.linalg.norm(shares, axis=1, keepdims=True)
        return shares @ self._knots
