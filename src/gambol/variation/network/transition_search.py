"""Learn on which numbers of two frames the next frame's numbers depend [L09 5.3.1, algorithm 6].

The score of a network is equation 5.4: every sequence is left out in turn, and the others re-synthesise it from its
first two frames, each frame from the frames already made.  Every number's score then depends on all edges, and to
re-synthesise everything for each of thousands of candidates would take days.  An approximation therefore *proposes*
candidates: it re-synthesises the one number from its own values, while its other parents come from the real sequence.
But it *accepts* none: each edge is tried in a full re-synthesis of all numbers, and is kept only if the exact score of
equation 5.4 rises.

Edges are added or taken away; none can be turned round, as no edge leads into the two frames before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.variation.network.kernels.scores import other_distances, score_node
from gambol.variation.network.network import MOST_PARENTS, self_edges
from gambol.variation.network.regression import (
    MOST_NEIGHBOURS,
    Manner,
    Regression,
    Unroller,
    instances_of,
    log_densities,
    resynthesis,
)
from gambol.variation.network.tables import Instances, Room, Toggles

LEAST_GAIN = 0.05  # log-likelihood a frame that an edge must gain; L09 has none.  Larger: fewer edges, faster
MOST_REFUSALS = 10  # failed trials in a row after which a number proposes no more edges
MOST_THREADS = 2  # threads that learn at once, at most


class Fold(NamedTuple):
    """A sequence that is left out, and the instances of the others."""

    real: FloatArray  # (F, D) scaled
    data: Instances


class Found(NamedTuple):
    """A transition network, and how it came about."""

    parents: BoolArray  # (n, 2n)
    score: float  # log-likelihood of all sequences [L09 5.4], exact
    first_score: float  # the score where each number depends on itself alone
    proposed: int  # number of edges that the approximation proposed
    accepted: int  # number of these that the full re-synthesis confirmed


def folds_of(sequences: Sequence[FloatArray], regression: Regression) -> list[Fold]:
    """Return every scaled sequence with the instances of the others; a lone one with its own."""
    data = instances_of(sequences, regression)
    if len(sequences) == 1:
        return [Fold(sequences[0], data)]
    return [Fold(sequence, data.without(clip)) for clip, sequence in enumerate(sequences)]


def full_score(parents: BoolArray, folds: Sequence[Fold], *, held: BoolArray, regression: Regression) -> float:
    """Return the score of equation 5.4, exactly: all numbers re-synthesised together."""
    return sum(_fold_score(parents, fold, held, regression) for fold in folds)


def _fold_score(parents: BoolArray, fold: Fold, held: BoolArray, regression: Regression) -> float:
    means, sigmas = resynthesis(fold.real, Unroller(parents, held, fold.data, regression, Manner()))
    return float(log_densities(fold.real, means, sigmas)[2:, ~held].sum())


def candidate_scores(
    node: int, own: BoolArray, candidates: Int64Array, folds: Sequence[Fold], regression: Regression
) -> FloatArray:
    """Return a number's score (C,) with each of some edges toggled (-1: none): other parents from the real sequence."""
    scores = np.zeros(len(candidates))
    signs = np.where(own[np.maximum(candidates, 0)] & (candidates >= 0), -1.0, 1.0)
    toggles = Toggles(candidates, signs)
    count = len(own) // 2
    others = own.copy()
    others[[node, count + node]] = False
    listed = np.flatnonzero(others)
    for real, data in folds:
        columns = data.table.shape[1]
        distances = np.empty((len(real), columns))
        other_distances(real, data.table, listed, distances)
        neighbours, room = min(regression.neighbours, columns), Room.of(columns, MOST_NEIGHBOURS)
        score_node(node, real, distances, data, toggles, neighbours, regression.width, scores, room)
    return scores


def search_transition(
    sequences: Sequence[FloatArray], *, held: BoolArray, regression: Regression, progress: Callable[[float], None]
) -> Found:
    """Return the parents of every number of scaled sequences (F, D) that is not held (D,)."""
    with ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1)) as pool:
        return _Search(folds_of(sequences, regression), held, regression, pool).run(progress)


class _Search:
    """Rounds in which every number proposes the edge that raises its score most."""

    def __init__(self, folds: list[Fold], held: BoolArray, regression: Regression, pool: ThreadPoolExecutor) -> None:
        self._folds, self._held, self._regression, self._pool = folds, held, regression, pool
        count = len(held)
        self._parents = self_edges(count) & ~held[:, None]
        self._kept = self._parents.copy()
        # What toggling each edge gains, by the approximation.
        self._gains = np.where(self._parents | held[:, None], -np.inf, np.inf)
        self._refusals = np.zeros(count, np.int64)
        self._least_gain = LEAST_GAIN * sum(len(fold.real) - 2 for fold in folds)

    def run(self, progress: Callable[[float], None]) -> Found:
        changed: list[int] = [int(node) for node in np.flatnonzero(~self._held)]
        score = first_score = self._exact(self._parents)
        proposed = accepted = 0
        while True:
            for node, gains in zip(changed, self._pool.map(self._toggles, changed), strict=True):
                self._gains[node] = gains
                progress(self._share())
            proposals = self._proposals()
            if not proposals:
                return Found(self._parents, score, first_score, proposed, accepted)
            changed = []
            for node, edge in proposals:
                trial = self._parents.copy()
                trial[node, edge] = not trial[node, edge]
                attained = self._exact(trial)
                proposed += 1
                if attained > score + self._least_gain:
                    score, self._parents = attained, trial
                    self._refusals[node] = 0
                    changed.append(node)
                    accepted += 1
                else:
                    self._refusals[node] += 1
                    self._gains[node, edge] = -np.inf
                progress(self._share())

    def _exact(self, parents: BoolArray) -> float:
        return sum(self._pool.map(lambda fold: _fold_score(parents, fold, self._held, self._regression), self._folds))

    def _toggles(self, node: int) -> FloatArray:
        """Return how much each edge, added or taken away, raises a number's score (2n,), by the approximation."""
        own = self._parents[node]
        usable = ~self._kept[node] & (own if own.sum() >= MOST_PARENTS else True)
        candidates = np.flatnonzero(usable)
        scores = candidate_scores(node, own, np.append(candidates, -1), self._folds, self._regression)
        gains = np.full(len(own), -np.inf)
        gains[candidates] = scores[:-1] - scores[-1]
        return gains

    def _proposals(self) -> list[tuple[int, int]]:
        """Return the best edge of each number that may still gain, those that gain most first."""
        edges = self._gains.argmax(axis=1)
        gains = self._gains[np.arange(len(edges)), edges]
        hopeful = (gains > self._least_gain) & (self._refusals < MOST_REFUSALS)
        nodes = sorted(np.flatnonzero(hopeful), key=lambda node: -gains[node])
        return [(int(node), int(edges[node])) for node in nodes]

    def _share(self) -> float:
        """Return roughly what share of the search is done: by the numbers that are done, and the parents of others."""
        finished = self._held | (self._refusals >= MOST_REFUSALS) | ((self._gains <= self._least_gain).all(axis=1))
        return float(np.where(finished, 1.0, self._parents.sum(axis=1) / (MOST_PARENTS + 1.0)).mean())
