"""Models that L09 calls worse, to measure beside the network: first order [5.6], and linear conditionals [5.3.2].

All re-synthesise a sequence that they did not learn from, from its first two frames, with the same parents.  First
order has parents in the later of two frames only, and no speed; linear conditionals are least squares over the parents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.variation.network.regression import Manner, Regression, Unroller, log_densities, resynthesis
from gambol.variation.network.tables import Instances
from gambol.variation.network.transition_search import Fold

Kind = Literal["network", "first order", "linear"]
KINDS: tuple[Kind, ...] = ("network", "first order", "linear")
RIDGE = 1e-6  # share of the parents' variance added to its diagonal: keeps least squares solvable
FARTHEST = 20.0  # spreads: a motion that runs away is clipped this far from its start


class Fit(NamedTuple):
    """How well a model re-synthesises the sequences that were left out."""

    error: float  # root mean square, in spreads
    log_likelihood: float  # per frame and number [L09 5.4]


def fit(kind: Kind, parents: BoolArray, folds: Sequence[Fold], regression: Regression) -> Fit:
    """Return how well a kind of model with these parents (n, 2n) re-synthesises every fold's sequence."""
    squares, logarithms = [], []
    for fold in folds:
        means, sigmas = re_synthesised(kind, parents, fold, regression)
        squares.append((means - fold.real)[2:] ** 2)
        logarithms.append(log_densities(fold.real, means, sigmas)[2:])
    return Fit(float(np.sqrt(np.concatenate(squares).mean())), float(np.concatenate(logarithms).mean()))


def re_synthesised(kind: Kind, parents: BoolArray, fold: Fold, regression: Regression) -> tuple[FloatArray, FloatArray]:
    """Return means and standard deviations (F, D) of a fold's sequence."""
    if kind == "linear":
        return _linearly(parents, fold)
    if kind == "first order":
        parents, regression = first_order(parents), replace(regression, speed_weight=0.0)
        data = fold.data
        fold = fold._replace(data=data._replace(speeds=0.0 * data.speeds, speed_scale=0.0 * data.speed_scale))
    held = np.zeros(fold.real.shape[1], np.bool_)
    return resynthesis(fold.real, Unroller(parents, held, fold.data, regression, Manner()))


def first_order(parents: BoolArray) -> BoolArray:
    """Return the same parents in the later of two frames only."""
    count = len(parents)
    later = np.zeros_like(parents)
    later[:, count:] = parents[:, :count] | parents[:, count:]
    return later


def _linearly(parents: BoolArray, fold: Fold) -> tuple[FloatArray, FloatArray]:
    frames = len(fold.real)
    weights, sigma = linear_conditionals(parents, fold.data)
    means = fold.real.copy()
    for frame in range(2, frames):
        before = np.concatenate((means[frame - 2], means[frame - 1], [1.0]))
        means[frame] = np.clip(means[frame - 1] + weights @ before, fold.real[0] - FARTHEST, fold.real[0] + FARTHEST)
    return means, np.tile(sigma, (frames, 1))


def linear_conditionals(parents: BoolArray, data: Instances) -> tuple[FloatArray, FloatArray]:
    """Return the weights (n, 2n + 1) of parents and of the constant 1 in each number's change, and deviations (n,)."""
    count, instances = data.deltas.shape
    weights, sigma = np.zeros((count, 2 * count + 1)), np.empty(count)
    for node in range(count):
        chosen = np.flatnonzero(parents[node])
        known = np.vstack((data.table[chosen], np.ones(instances)))
        middle = known[:-1].mean(axis=1, keepdims=True)
        square = known @ known.T
        square[:-1, :-1] += RIDGE * np.diag(((known[:-1] - middle) ** 2).sum(axis=1))
        solved = np.linalg.solve(square, known @ data.deltas[node])
        weights[node, np.append(chosen, 2 * count)] = solved
        left = data.deltas[node] - solved @ known
        sigma[node] = max(np.sqrt((left**2).sum() / max(instances - len(solved), 1)), data.least_sigma[node])
    return weights, sigma
