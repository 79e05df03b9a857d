"""The distribution of a motion's weights, given a part of its numbers: linear and Gaussian, exactly.

A motion's deviation from the mean is that of the examples, each times a weight that wanders, plus a rest that no
example explains.  The size of the rest comes from leaving each example out once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.variation.registered.chance import knots_of, shares
from gambol.variation.registered.regions import SHARED, localised

REST_PHASES = 8.0  # phases over which the rest is alike; larger: the given numbers determine the weights less


class Model(NamedTuple):
    """How examples deviate."""

    deviations: FloatArray  # (L, N, C)
    rest: FloatArray  # (C,) variance that the examples do not explain
    regions: Int64Array  # (C,) part of the body of each number
    region_count: int  # R
    phases_a_knot: float

    @property
    def parts(self) -> FloatArray:
        """Return the knots' shares in the weight at each phase (N, K)."""
        at = np.arange(self.deviations.shape[1], dtype=np.float64)
        first, last = knots_of(at, self.phases_a_knot)
        return shares(at, self.phases_a_knot, first, last - first + 1)

    def of(self, columns: NDArray[np.intp]) -> Model:
        """Return the model of some of the numbers."""
        return self._replace(
            deviations=self.deviations[..., columns], rest=self.rest[columns], regions=self.regions[columns]
        )


class Posterior(NamedTuple):
    """The normal distribution of the weights' knots ((1 + R) K L,), given the numbers seen."""

    mean: FloatArray
    root: FloatArray  # lower Cholesky factor of the precision
    model: Model

    def weights(self, knots: FloatArray) -> FloatArray:
        """Return the weights (N, R, L) that knots give."""
        parts = self.model.parts
        blocks = knots.reshape(1 + self.model.region_count, parts.shape[1], -1)
        return localised(np.einsum("nk,rkl->nrl", parts, blocks).reshape(len(parts), -1), self.model.region_count)

    def drawn(self, rng: np.random.Generator, amount: float) -> FloatArray:
        """Return random knots; amount: of chance, where 0 is the mean."""
        noise = rng.standard_normal(len(self.mean))
        return self.mean + amount * scipy.linalg.solve_triangular(self.root, noise, lower=True, trans=1)


def condition(seen: FloatArray, model: Model) -> Posterior:
    """Return the distribution of the weights, given deviations (N, C) from the mean."""
    precision, shift = _normal_equations(seen, model._replace(rest=model.rest * REST_PHASES))
    root = np.linalg.cholesky(precision).astype(np.float64)
    return Posterior(scipy.linalg.cho_solve((root, True), shift), root, model)


def log_density(seen: FloatArray, model: Model) -> float:
    """Return the logarithm of the density of deviations (N, C), per phase and number."""
    precision, shift = _normal_equations(seen, model)
    root = np.linalg.cholesky(precision)
    squared = float(np.sum(seen**2 / model.rest) - shift @ scipy.linalg.cho_solve((root, True), shift))
    volume = 2.0 * float(np.sum(np.log(np.diag(root)))) + len(seen) * float(np.sum(np.log(model.rest)))
    return float(-0.5 * (squared + volume + seen.size * np.log(2.0 * np.pi)) / seen.size)


def _normal_equations(seen: FloatArray, model: Model) -> tuple[FloatArray, FloatArray]:
    """Return precision and shift of the knots, whose prior is standard normal."""
    parts, count = model.parts, len(model.deviations)
    scaled = model.deviations / np.sqrt(max(1, count - 1))
    size = parts.shape[1] * count
    precision = np.eye((1 + model.region_count) * size)
    shift = np.zeros(len(precision))
    shared, own = np.sqrt(SHARED), np.sqrt(1.0 - SHARED)
    for region in range(model.region_count):
        columns = model.regions == region
        weighted = scaled[..., columns] / model.rest[columns]
        products = np.einsum("lnc,mnc->nlm", weighted, scaled[..., columns], optimize=True)
        block = np.einsum("nk,nj,nlm->kljm", parts, parts, products, optimize=True).reshape(size, size)
        seen_block = np.einsum("nk,lnc,nc->kl", parts, weighted, seen[:, columns], optimize=True).ravel()
        at = slice((1 + region) * size, (2 + region) * size)
        precision[:size, :size] += shared**2 * block
        precision[at, at] += own**2 * block
        precision[:size, at] += shared * own * block
        precision[at, :size] += shared * own * block
        shift[:size] += shared * seen_block
        shift[at] += own * seen_block
    return precision, shift


def rest_of(curves: FloatArray, model: Model) -> FloatArray:
    """Return the variance (C,) of examples' curves (L, N, C) that the deviations of the others do not explain.

    model: its rest is the least that every number gets.
    """
    count, least = len(curves), model.rest
    if count < 3:
        return np.maximum(least, curves.var(axis=(0, 1)) / 4.0)
    left = np.zeros((count, curves.shape[2]))
    for index in range(count):
        others = np.delete(curves, index, axis=0)
        seen, deviations = curves[index] - others.mean(axis=0), others - others.mean(axis=0)
        start = np.maximum(least, np.mean(seen**2, axis=0))
        posterior = condition(seen, model._replace(deviations=deviations, rest=start))
        weights = posterior.weights(posterior.mean)[:, model.regions] / np.sqrt(count - 2)
        left[index] = np.mean((seen - np.einsum("ncl,lnc->nc", weights, deviations)) ** 2, axis=0)
    return np.maximum(least, left.mean(axis=0) * (count - 1) / count)
