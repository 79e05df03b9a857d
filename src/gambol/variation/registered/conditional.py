"""What is known of the weights of a motion from a part of its numbers: linear and Gaussian, exactly.

A motion's deviation from the mean is that of the examples, each times a weight that wanders, plus a rest that no
example explains.  How large the rest is was learned by leaving each example out once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from gambol.variation.registered.chance import knots_of, shares

FloatArray = NDArray[np.float64]
REST_PHASES = 8.0  # neighbouring phases tell the same of a rest this smooth


class Posterior(NamedTuple):
    """Weights' knots (K L,) given what was seen: normal."""

    mean: FloatArray  # (K L,)
    root: FloatArray  # (K L, K L) of the precision, lower
    parts: FloatArray  # (N, K) of the knots at each phase

    def weights(self, knots: FloatArray) -> FloatArray:
        """Return weights (N, L) of knots (K L,)."""
        return self.parts @ knots.reshape(self.parts.shape[1], -1)

    def drawn(self, rng: np.random.Generator, amount: float) -> FloatArray:
        """Return knots (K L,); amount: of chance."""
        noise = rng.standard_normal(len(self.mean))
        return self.mean + amount * solve_triangular(self.root, noise, lower=True, trans="T")


def condition(seen: FloatArray, deviations: FloatArray, rest: FloatArray, phases_a_knot: float) -> Posterior:
    """Return what deviations (N, C) from the mean tell of the weights of the examples' own (L, N, C).

    rest: variance (C,) of what is left unexplained.
    """
    precision, shift, parts = _normal_equations(seen, deviations, rest * REST_PHASES, phases_a_knot)
    root = np.linalg.cholesky(precision)
    return Posterior(cho_solve((root, True), shift), root, parts)


def log_density(seen: FloatArray, deviations: FloatArray, rest: FloatArray, phases_a_knot: float) -> float:
    """Return the logarithm of the density of deviations (N, C), a phase and number."""
    precision, shift, _ = _normal_equations(seen, deviations, rest, phases_a_knot)
    factor = cho_factor(precision, lower=True)
    explained = shift @ cho_solve(factor, shift)
    squared = float(np.sum(seen**2 / rest)) - float(explained)
    volume = 2.0 * float(np.sum(np.log(np.diag(factor[0])))) + len(seen) * float(np.sum(np.log(rest)))
    return -0.5 * (squared + volume + seen.size * np.log(2.0 * np.pi)) / seen.size


def _normal_equations(
    seen: FloatArray, deviations: FloatArray, rest: FloatArray, phases_a_knot: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return precision and shift of the knots, whose prior is standard normal, and the knots' parts (N, K)."""
    count, phases = deviations.shape[:2]
    at = np.arange(phases, dtype=np.float64)
    first, last = knots_of(at, phases_a_knot)
    parts = shares(at, phases_a_knot, first, last - first + 1)
    scaled = deviations / np.sqrt(max(1, count - 1))
    products = np.einsum("lnc,mnc->nlm", scaled / rest, scaled)
    projected = np.einsum("lnc,nc->nl", scaled / rest, seen)
    size = parts.shape[1] * count
    precision = np.einsum("nk,nj,nlm->kljm", parts, parts, products, optimize=True).reshape(size, size)
    shift = np.einsum("nk,nl->kl", parts, projected).reshape(size)
    return precision + np.eye(size), shift, parts


def rest_of(curves: FloatArray, phases_a_knot: float, least: FloatArray) -> FloatArray:
    """Return the variance (C,) of what the other examples' deviations do not explain of each of (L, N, C).

    least: variance that every number has at least.
    """
    count = len(curves)
    if count < 3:
        return np.maximum(least, curves.var(axis=(0, 1)) / 4.0)
    left = np.zeros((count, curves.shape[2]))
    for index in range(count):
        others = np.delete(curves, index, axis=0)
        mean = others.mean(axis=0)
        seen, deviations = curves[index] - mean, others - mean
        start = np.maximum(least, np.mean(seen**2, axis=0))
        posterior = condition(seen, deviations, start, phases_a_knot)
        explained = np.einsum("nl,lnc->nc", posterior.weights(posterior.mean), deviations) / np.sqrt(count - 2)
        left[index] = np.mean((seen - explained) ** 2, axis=0)
    return np.maximum(least, left.mean(axis=0) * (count - 1) / count)
