"""The network's structure: what was planted is found, and scores are what the equations say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.variation_planted import planted

from gambol.errors import InvalidInput
from gambol.variation.network.comparison import fit
from gambol.variation.network.network import MOST_PARENTS, Network, self_edges, topological_order
from gambol.variation.network.prior_search import node_score, search_prior
from gambol.variation.network.regression import LEAST_SIGMA, LEAST_SIGMA_OF_SPEED, Regression, instances_of, pairs_of
from gambol.variation.network.transition_search import candidate_scores, folds_of, full_score, search_transition

REGRESSION = Regression()


def silent(share: float) -> None:
    assert 0.0 <= share <= 1.0


def none_held(count: int) -> np.ndarray:
    return np.zeros(count, np.bool_)


@pytest.mark.slow
def test_a_planted_structure_is_found() -> None:
    hits = found = true = 0
    for seed in range(3):
        sequences, edges = planted(seed)
        count = len(edges)
        result = search_transition(sequences, held=none_held(count), regression=REGRESSION, progress=silent)
        either = (result.parents[:, :count] | result.parents[:, count:]) & ~np.eye(count, dtype=np.bool_)
        hits, found, true = hits + (either & edges).sum(), found + either.sum(), true + edges.sum()
        assert result.parents[self_edges(count)].all()
        assert result.parents.sum(axis=1).max() <= MOST_PARENTS
        assert result.score > result.first_score
        folds = folds_of(sequences, REGRESSION)
        exact = full_score(result.parents, folds, held=none_held(count), regression=REGRESSION)
        assert math.isclose(result.score, exact, rel_tol=1e-12)
    assert 2.0 * hits / (found + true) >= 0.9


def test_first_order_and_linear_models_do_worse_on_what_is_neither() -> None:
    sequences, edges = planted(0, chance=0.02)
    parents = np.tile(edges, 2) | self_edges(len(edges))
    folds = folds_of(sequences, REGRESSION)
    ours, first, linear = (fit(kind, parents, folds, REGRESSION) for kind in ("network", "first order", "linear"))
    assert ours.error < 0.7 * first.error
    assert ours.log_likelihood > linear.log_likelihood


# The same by plain loops, written apart from the kernels.


def plain_regression(
    known: list[list[float]], votes: list[float], at: list[float], speed_of: list[float] | None, speed: float
) -> tuple[float, float]:
    """Return mean and variance of equation 5.6, given parents' values `at`."""
    squares = []
    for index in range(len(votes)):
        total = sum((row[index] - value) ** 2 for row, value in zip(known, at, strict=True))
        squares.append(total + (0.0 if speed_of is None else (speed_of[index] - speed) ** 2))
    nearest = sorted(range(len(votes)), key=lambda index: squares[index])[: REGRESSION.neighbours]
    width = REGRESSION.width * math.sqrt(sum(squares[index] for index in nearest) / len(nearest))
    weights = [math.exp(-squares[index] / width**2) for index in nearest]
    mean = sum(w * votes[index] for w, index in zip(weights, nearest, strict=True)) / sum(weights)
    spread = sum(w * (votes[index] - mean) ** 2 for w, index in zip(weights, nearest, strict=True)) / sum(weights)
    return mean, spread * len(nearest) / (len(nearest) - 1)


def plain_log_density(value: float, mean: float, variance: float, least: float) -> float:
    sigma = max(math.sqrt(variance), least)
    return -0.5 * ((value - mean) / sigma) ** 2 - math.log(sigma * math.sqrt(2.0 * math.pi))


def plain_resynthesis(sequences: list[np.ndarray], parents: np.ndarray, *, alone: int | None = None) -> float:
    """Return the score of equation 5.4; `alone`: of one number, the others real."""
    count = parents.shape[0]
    spreads = np.concatenate([np.diff(values, axis=0) for values in sequences]).std(axis=0)
    score = 0.0
    for left, real in enumerate(sequences):
        triples = [
            values[t : t + 3] for clip, values in enumerate(sequences) if clip != left for t in range(len(values) - 2)
        ]
        made = [list(real[0]), list(real[1])]
        for frame in range(2, len(real)):
            row = list(real[frame])
            for node in range(count) if alone is None else [alone]:
                chosen = [int(parent) for parent in np.flatnonzero(parents[node])]
                known = [[float(triple[parent // count, parent % count]) for triple in triples] for parent in chosen]
                at = []
                for parent in chosen:
                    handed_on = alone is None or parent % count == node
                    source = made if handed_on else real
                    at.append(source[frame - 2 + parent // count][parent % count])
                speeds = [(triple[1][node] - triple[0][node]) / spreads[node] for triple in triples]
                speed = (made[frame - 1][node] - made[frame - 2][node]) / spreads[node]
                votes = [triple[2][node] - triple[1][node] for triple in triples]
                delta, variance = plain_regression(known, votes, at, speeds, speed)
                row[node] = made[frame - 1][node] + delta
                least = LEAST_SIGMA_OF_SPEED * spreads[node]
                score += plain_log_density(real[frame][node], row[node], variance, least)
            made.append(row)
    return score


def small() -> tuple[list[np.ndarray], np.ndarray]:
    sequences, edges = planted(3, sequences=4, frames=11)
    chosen = [0, 1, 5, 6]
    edges = edges[np.ix_(chosen, chosen)] | np.array([[0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]], np.bool_)
    return [values[:, chosen] for values in sequences], np.hstack((edges, edges.T)) | self_edges(4)


@pytest.mark.slow
def test_a_networks_score_is_what_plain_loops_find() -> None:
    sequences, parents = small()
    folds = folds_of(sequences, REGRESSION)
    found = full_score(parents, folds, held=none_held(4), regression=REGRESSION)
    assert math.isclose(found, plain_resynthesis(sequences, parents), rel_tol=1e-9)


@pytest.mark.slow
def test_a_candidates_score_is_that_of_its_number_alone_with_the_edge_toggled() -> None:
    sequences, parents = small()
    folds = folds_of(sequences, REGRESSION)
    candidates = np.array([-1, 0, 1, 3, 7])
    for node in (1, 2):
        usable = np.array([candidate for candidate in candidates if candidate < 0 or candidate % 4 != node])
        found = candidate_scores(node, parents[node], usable, folds, REGRESSION)
        for candidate, score in zip(usable, found, strict=True):
            toggled = parents.copy()
            if candidate >= 0:
                toggled[node, candidate] ^= True
            assert math.isclose(score, plain_resynthesis(sequences, toggled, alone=node), rel_tol=1e-7)


@pytest.mark.parametrize("by_change", [False, True])
def test_a_prior_networks_score_is_what_plain_loops_find(by_change: bool) -> None:
    sequences, _ = small()
    pairs = pairs_of(sequences, by_change=by_change)
    found = search_prior(pairs, held=none_held(4), regression=REGRESSION, seed=1, progress=silent)
    total = 0.0
    table = pairs.table.tolist()
    for node in range(8):
        votes = (
            [a - b for a, b in zip(table[node], table[node - 4], strict=True)]
            if by_change and node > 3
            else table[node]
        )
        parents = np.flatnonzero(found.parents[node])
        for pair in range(len(votes)):
            rest = [index for index in range(len(votes)) if index != pair]
            others = [votes[index] for index in rest]
            if len(parents):
                known = [[table[parent][index] for index in rest] for parent in parents]
                mean, variance = plain_regression(known, others, [table[parent][pair] for parent in parents], None, 0.0)
            else:
                mean, variance = float(np.mean(others)), float(np.var(others, ddof=1))
            total += plain_log_density(votes[pair], mean, variance, LEAST_SIGMA)
    assert math.isclose(found.score, total, rel_tol=1e-9)


@pytest.mark.parametrize("by_change", [False, True])
def test_no_edge_of_a_prior_network_can_be_toggled_to_advantage(by_change: bool) -> None:
    sequences, _ = small()
    held = np.array([False, True, False, False])
    pairs = pairs_of(sequences, by_change=by_change)
    found = search_prior(pairs, held=held, regression=REGRESSION, seed=2, progress=silent)
    network = Network(found.parents, self_edges(4) & ~held[:, None], held)  # acyclic, or refused
    assert network.by_change or not by_change
    for node in np.flatnonzero(~np.tile(held, 2)):
        before = node_score(pairs, int(node), np.flatnonzero(found.parents[node]), REGRESSION)
        for parent in range(8):
            trial = found.parents.copy()
            trial[node, parent] ^= True
            if parent == node or (by_change and parent == node - 4):
                continue
            try:
                topological_order(trial)
            except InvalidInput:
                continue
            after = node_score(pairs, int(node), np.flatnonzero(trial[node]), REGRESSION)
            assert after <= before + 1e-6


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.floats(0.0, 1.0))
@settings(max_examples=60, deadline=None)
def test_parents_come_first_in_order_and_cycles_are_refused(seed: int, count: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    place = rng.permutation(count)
    parents = (rng.random((count, count)) < share) & (place[:, None] > place)
    order = topological_order(parents)
    assert sorted(order) == list(range(count))
    rank = np.argsort(order)
    assert all(rank[parent] < rank[child] for child, parent in zip(*np.nonzero(parents), strict=True))
    if parents.any():
        child, parent = (int(index[0]) for index in np.nonzero(parents))
        parents[parent, child] = True
        with pytest.raises(InvalidInput, match="no cycles"):
            topological_order(parents)


def test_networks_that_are_none_are_refused() -> None:
    prior, free = np.zeros((4, 4), np.bool_), none_held(2)
    with pytest.raises(InvalidInput, match="must have itself"):
        Network(prior, np.zeros((2, 4), np.bool_), free)
    with pytest.raises(InvalidInput, match="held must have no parents"):
        Network(prior, self_edges(2), ~free)
    with pytest.raises(InvalidInput, match="networks over 2"):
        Network(prior[:3], self_edges(2), free)
    with pytest.raises(InvalidInput, match="neighbours expected"):
        Regression(neighbours=61)
    with pytest.raises(InvalidInput, match="three frames"):
        instances_of([np.zeros((2, 3))], REGRESSION)
