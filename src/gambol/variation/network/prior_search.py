"""Learn which numbers of the first two frames depend on which [L09 5.3.1, algorithm 5].

Greedy: of all edges that can be added, taken away or turned round without closing a cycle, take the one that raises the
cross-validated log-likelihood most, until none does; then begin again from random edges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.variation.network.kernels.scores import score_prior
from gambol.variation.network.network import MOST_PARENTS, ancestors_of
from gambol.variation.network.regression import LEAST_SIGMA, MOST_NEIGHBOURS, Regression
from gambol.variation.network.tables import Pairs, Room, Toggles

RESTARTS = 2  # searches that begin from random edges, besides the one from none; larger: slower, and better scores
RANDOM_PARENTS = 1.0  # mean number of random edges of a node at the start of a search
LEAST_GAIN = 1e-6  # log-likelihood: a smaller gain is rounding, and ends the search


class Found(NamedTuple):
    """A prior network, and its score."""

    parents: BoolArray  # (2n, 2n)
    score: float  # log-likelihood of all pairs [L09 5.3]


def search_prior(
    pairs: Pairs, *, held: BoolArray, regression: Regression, seed: int, progress: Callable[[float], None]
) -> Found:
    """Return the best network of several searches; a node of a held number (D,) has no parents.

    Where the second frame is the first plus a change, a number there always has itself in the first as a parent.
    """
    rng = np.random.default_rng(seed)
    nodes = 2 * pairs.degrees
    kept = np.zeros((nodes, nodes), np.bool_)
    if pairs.by_change:
        numbers = np.flatnonzero(~held)
        kept[pairs.degrees + numbers, numbers] = True
    allowed = ~np.eye(nodes, dtype=np.bool_) & ~np.tile(held, 2)[:, None]
    best: Found | None = None
    for run in range(RESTARTS + 1):
        begin = kept | (_at_random(nodes, rng) & allowed if run else False)
        found = _Search(pairs, kept, allowed, regression).run(
            begin, lambda share, run=run: progress((run + share) / (RESTARTS + 1))
        )
        if best is None or found.score > best.score:
            best = found
    assert best is not None
    return best


def node_score(pairs: Pairs, node: int, parents: Int64Array, regression: Regression) -> float:
    """Return a node's share of the score: how well all other pairs predict its value in each pair."""
    return float(_scores(pairs, node, parents, Toggles(np.array([-1]), np.ones(1)), regression)[0])


def _scores(pairs: Pairs, node: int, parents: Int64Array, toggles: Toggles, regression: Regression) -> FloatArray:
    columns = pairs.table.shape[1]
    scores, others = np.empty(len(toggles.edges)), np.empty((columns, columns))
    neighbours, room = min(regression.neighbours, columns - 1), Room.of(columns, MOST_NEIGHBOURS)
    targets, width = pairs.targets(node), regression.width
    score_prior(targets, pairs.table, parents, toggles, neighbours, width, LEAST_SIGMA, scores, others, room)
    return scores


def _at_random(nodes: int, rng: np.random.Generator) -> BoolArray:
    """Return random edges that fit one order of the nodes, the first frame's before the second's: no cycle closes."""
    place = np.concatenate((rng.permutation(nodes // 2), nodes // 2 + rng.permutation(nodes // 2)))
    chosen = rng.random((nodes, nodes)) < 2.0 * RANDOM_PARENTS / nodes
    return chosen & (place[:, None] > place[None])


class _Search:
    """One greedy search; it keeps the scores of a node with each of its edges toggled until the node changes."""

    def __init__(self, pairs: Pairs, kept: BoolArray, allowed: BoolArray, regression: Regression) -> None:
        self._pairs, self._kept, self._allowed, self._regression = pairs, kept, allowed, regression
        self._nodes = len(kept)
        self._scores = np.zeros(self._nodes)
        self._toggled = np.full((self._nodes, self._nodes), -np.inf)

    def run(self, begin: BoolArray, progress: Callable[[float], None]) -> Found:
        parents = begin.copy()
        for node in range(self._nodes):
            self._measure(parents, node)
            progress(0.5 * node / self._nodes)
        while True:
            update = self._best(parents)
            if update is None:
                return Found(parents, float(self._scores.sum()))
            child, parent, reversed_ = update
            parents[child, parent] = not parents[child, parent]
            self._measure(parents, child)
            if reversed_:
                parents[parent, child] = True
                self._measure(parents, parent)
            progress(0.5 + 0.5 * min(1.0, parents.sum() / (4.0 * self._nodes)))

    def _measure(self, parents: BoolArray, node: int) -> None:
        """Score a node as it is and with each of its edges toggled."""
        own = parents[node]
        usable = self._allowed[node] & ~self._kept[node]
        if own.sum() >= MOST_PARENTS:
            usable = usable & own
        candidates = np.flatnonzero(usable)
        signs = np.where(own[candidates], -1.0, 1.0)
        toggles = Toggles(np.append(candidates, -1), np.append(signs, 1.0))
        scores = _scores(self._pairs, node, np.flatnonzero(own), toggles, self._regression)
        self._scores[node] = scores[-1]
        self._toggled[node] = -np.inf
        self._toggled[node, candidates] = scores[:-1]

    def _best(self, parents: BoolArray) -> tuple[int, int, bool] | None:
        """Return the child and the parent of the best edge to toggle, and whether to turn it round."""
        gains = self._toggled - self._scores[:, None]
        ancestors = ancestors_of(parents)
        single = np.where(~parents & ancestors.T, -np.inf, gains)  # an edge from a descendant would close a cycle
        turned = np.where(parents, gains + gains.T, -np.inf)
        while True:
            best = np.unravel_index(single.argmax(), single.shape)
            best_turned = np.unravel_index(turned.argmax(), turned.shape)
            if max(single[best], turned[best_turned]) <= LEAST_GAIN:
                return None
            if single[best] >= turned[best_turned]:
                return int(best[0]), int(best[1]), False
            child, parent = int(best_turned[0]), int(best_turned[1])
            between = np.flatnonzero(parents[child] & ancestors[:, parent])
            if not len(between):  # no other way from the parent to the child
                return child, parent, True
            turned[best_turned] = -np.inf
