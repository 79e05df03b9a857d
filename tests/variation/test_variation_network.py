"""New motions from a network: what is chance and what is not, what is held, how they begin and end."""

from __future__ import annotations

import math
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tests.support.variation_cases import captured
from tests.support.variation_walks import walk_examples, walks
from tests.variation.test_variation_network_search import plain_log_density, plain_regression

from gambol.errors import InvalidInput, UnknownName
from gambol.variation.examples import Examples, gather
from gambol.variation.model import learn
from gambol.variation.network.network import Network, self_edges
from gambol.variation.network.regression import LEAST_SIGMA, LEAST_SIGMA_OF_SPEED, Regression
from gambol.variation.network.sampler import NetworkSampler, learn_network
from gambol.variation.network.unroll import LONGEST

PRESETS = ("paper", "stable")
LEGS = ("LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot")


@cache
def examples() -> Examples:
    return walk_examples(4)


def network(encoded: Examples, *, held: tuple[str, ...] = (), preset: str = "paper") -> Network:
    """A network whose numbers go by themselves, by the number before and by a hip: learning would take too long."""
    count = encoded.encoding.count
    mask = encoded.encoding.of_joints(held)
    transition = self_edges(count)
    transition[np.arange(1, count), count + np.arange(count - 1)] = True
    transition[:, count + encoded.encoding.names.index("LeftUpLeg y")] = True
    transition[mask] = False
    prior = np.zeros((2 * count, 2 * count), np.bool_)
    for node in range(1, 2 * count):
        prior[node, node - 1] = True
        prior[node, node - count] |= node >= count
    prior[np.tile(mask, 2)] = False
    return Network(prior, transition, mask)


@cache
def sampler(preset: str, held: tuple[str, ...] = ()) -> NetworkSampler:
    return NetworkSampler(examples(), preset, network(examples(), held=held), Regression(), (0.0, 0.0))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_draws_the_same_motion_and_another_one_another(preset: str) -> None:
    one, same, other = (sampler(preset).draw(np.random.default_rng(seed), amount=1.0) for seed in (3, 3, 4))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    frames = min(len(one.values), len(other.values))
    assert not np.allclose(one.values[:frames], other.values[:frames])


@pytest.mark.parametrize("preset", PRESETS)
def test_without_variation_there_is_no_chance_and_all_is_mean(preset: str) -> None:
    one, other = (sampler(preset).draw(np.random.default_rng(seed), amount=0.0) for seed in (1, 2))
    assert np.array_equal(one.values, other.values)
    assert np.array_equal(one.values, one.means)


def test_the_mean_motion_lies_among_the_examples() -> None:
    mean = sampler("stable").draw(np.random.default_rng(0), amount=0.0)
    spread = examples().encoding.spread
    poses = np.concatenate(examples().values) / spread
    for pose in mean.values / spread:
        assert np.sqrt(((poses - pose) ** 2).mean(axis=1)).min() < 0.6
    lengths = [len(values) for values in examples().values]
    assert 0.85 * min(lengths) <= len(mean.values) <= 1.15 * max(lengths)


@pytest.mark.parametrize("preset", PRESETS)
def test_motions_end_and_say_which_feet_rest(preset: str) -> None:
    most = math.ceil(LONGEST * max(len(values) for values in examples().values))
    for seed in range(3):
        drawn = sampler(preset).draw(np.random.default_rng(seed), amount=1.0)
        assert 10 < len(drawn.values) <= most
        assert np.isfinite(drawn.values).all()
        assert drawn.planted.shape == (len(drawn.values), examples().planted[0].shape[1])
        assert drawn.planted.any()


def test_stable_motions_stay_in_the_data_and_vary() -> None:
    spread = examples().encoding.spread
    poses = np.concatenate(examples().values) / spread
    drawn = [sampler("stable").draw(np.random.default_rng(seed), amount=1.0).values / spread for seed in range(4)]
    for values in drawn:
        away = [np.sqrt(((poses - pose) ** 2).mean(axis=1)).min() for pose in values]
        assert max(away) < 1.0
        assert min(away) > 1e-3  # no pose is an example's


def test_an_endless_motion_is_one_motion() -> None:
    pieces = list(islice(sampler("stable").stream(np.random.default_rng(5), amount=1.0), 4))
    lengths = [len(values) for values in examples().values]
    assert all(0.6 * min(lengths) < len(piece.values) < LONGEST * max(lengths) + 1 for piece in pieces)
    values = np.concatenate([piece.values for piece in pieces]) / examples().encoding.spread
    steps = np.abs(np.diff(values, axis=0)).max(axis=1)
    seams = np.cumsum([len(piece.values) for piece in pieces])[:-1] - 1
    assert steps[seams].max() <= 1.2 * np.delete(steps, seams).max()
    own = np.concatenate(
        [np.abs(np.diff(v / examples().encoding.spread, axis=0)).max(axis=1) for v in examples().values]
    )
    assert steps.max() < 2.0 * own.max()


def test_only_cyclic_motions_are_endless() -> None:
    once = gather(walks(3))
    with pytest.raises(InvalidInput, match="cyclic"):
        NetworkSampler(once, "paper", network(once), Regression(), (0.0, 0.0)).stream(
            np.random.default_rng(0), amount=1.0
        )


@pytest.mark.parametrize("preset", PRESETS)
def test_held_numbers_never_change_and_others_go_by_them(preset: str) -> None:
    model = sampler(preset, LEGS)
    held = model.network.held
    assert 0 < held.sum() < len(held)
    drawn = model.draw(np.random.default_rng(1), amount=1.0)
    alike = [
        len(v) == len(drawn.values) and np.array_equal(v[:, held], drawn.values[:, held]) for v in examples().values
    ]
    assert sum(alike) == 1
    fixed = examples().values[alike.index(True)]
    assert not np.allclose(fixed[:, ~held], drawn.values[:, ~held])
    bent = fixed + 0.3 * held * examples().encoding.spread
    one, other = (model.given(values, held, np.random.default_rng(2), amount=0.5) for values in (fixed, bent))
    assert np.array_equal(one.values[:, held], fixed[:, held])
    assert np.array_equal(other.values[:, held], bent[:, held])
    assert not np.allclose(one.values[:, ~held], other.values[:, ~held])
    later = model.given(fixed[15:], held, np.random.default_rng(2), amount=0.5)  # it may begin anywhere
    assert (later.planted == examples().planted[alike.index(True)][15:]).mean() > 0.85
    with pytest.raises(InvalidInput, match="must be given"):
        model.given(fixed, np.zeros_like(held), np.random.default_rng(2), amount=1.0)


@pytest.mark.parametrize("preset", PRESETS)
def test_one_clip_is_varied_by_a_structure_learned_elsewhere(preset: str) -> None:
    clip = walks(6, seed=9)[5]
    drawn = sampler(preset).from_clip(clip, np.random.default_rng(0), amount=1.0)
    spread = examples().encoding.spread
    own = examples().encoding.encode(clip.motion) / spread
    away = [np.sqrt(((own - pose) ** 2).mean(axis=1)).min() for pose in drawn.values / spread]
    assert np.median(away) < (1.0 if preset == "paper" else 0.5)
    assert max(away) > 0.0


def test_log_likelihoods_are_what_plain_loops_find() -> None:
    model, count = sampler("paper"), examples().encoding.count
    spread = examples().encoding.spread
    scaled = [values / spread for values in examples().values]
    values = scaled[0][20:26] + 0.05
    speed_spread = np.concatenate([np.diff(clip, axis=0) for clip in scaled]).std(axis=0)
    pairs = [np.concatenate(clip[t : t + 2]) for clip in scaled for t in range(10)]
    triples = [clip[t : t + 3] for clip in scaled for t in range(len(clip) - 2)]
    total = 0.0
    first = values[:2].reshape(-1)
    for node in range(2 * count):
        parents = np.flatnonzero(model.network.prior[node])
        change = model.network.by_change and node >= count
        votes = [float(pair[node] - (pair[node - count] if change else 0.0)) for pair in pairs]
        if len(parents):
            known = [[float(pair[parent]) for pair in pairs] for parent in parents]
            mean, variance = plain_regression(known, votes, [float(first[parent]) for parent in parents], None, 0.0)
        else:
            mean, variance = float(np.mean(votes)), float(np.var(votes, ddof=1))
        target = float(first[node] - (first[node - count] if change else 0.0))
        total += plain_log_density(target, mean, variance, LEAST_SIGMA)
    for frame in range(2, len(values)):
        both = values[frame - 2 : frame].reshape(-1)
        for node in range(count):
            parents = np.flatnonzero(model.network.transition[node])
            known = [[float(triple[parent // count, parent % count]) for triple in triples] for parent in parents]
            speeds = [float(triple[1, node] - triple[0, node]) / speed_spread[node] for triple in triples]
            speed = float(values[frame - 1, node] - values[frame - 2, node]) / speed_spread[node]
            votes = [float(triple[2, node] - triple[1, node]) for triple in triples]
            mean, variance = plain_regression(known, votes, [float(both[parent]) for parent in parents], speeds, speed)
            target = float(values[frame, node] - values[frame - 1, node])
            total += plain_log_density(target, mean, variance, LEAST_SIGMA_OF_SPEED * speed_spread[node])
    assert math.isclose(model.log_likelihood(values * spread), total / (len(values) * count), rel_tol=1e-6)


def test_what_is_saved_draws_the_same() -> None:
    model = sampler("stable", LEGS)
    again = NetworkSampler.from_arrays(examples(), *model.as_arrays())
    one, other = (one.draw(np.random.default_rng(7), amount=1.0) for one in (model, again))
    assert np.array_equal(one.values, other.values)


class Stopped(Exception):
    """What a person's interruption raises."""


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.05, 0.31])
def test_learning_can_be_interrupted(share: float) -> None:
    told = []

    def stop(what: str, done: float) -> None:
        told.append((what, done))
        if done >= share:
            raise Stopped

    with pytest.raises(Stopped):
        learn(
            examples(),
            preset="paper",
            held=[name for name in examples().skeleton.names if name not in LEGS[:2]],
            progress=stop,
        )
    assert told[-1][0] == ("transition network" if share > 0.3 else "prior network")
    assert all(done < share for _, done in told[:-1])


def test_joints_that_are_held_have_to_exist() -> None:
    with pytest.raises(UnknownName, match="LeftUpLeg"):
        learn(examples(), preset="paper", held=["LeftUpLeggg"])
    with pytest.raises(InvalidInput, match="at least one"):
        learn_network(examples(), held=np.ones(examples().encoding.count, np.bool_))


@pytest.mark.slow
def test_a_network_learned_from_captured_walks_keeps_walking(mocap: Path) -> None:
    items = captured(mocap, "walk")
    walked = gather(items[6:14:2], cyclic=True)
    held = [name for name in walked.skeleton.names if not name.endswith("UpLeg")]
    model = learn_network(walked, preset="stable", held=walked.encoding.of_joints(held))
    assert model.network.transition.any(axis=1).sum() == (~model.network.held).sum()
    assert (model.network.transition.sum(axis=1) > 2).any()
    drawn = model.draw(np.random.default_rng(0), amount=1.0)
    real = np.concatenate(walked.values)[:, ~model.network.held]
    reach = real.max(axis=0) - real.min(axis=0)
    assert (drawn.values[:, ~model.network.held] < real.max(axis=0) + 0.5 * reach).all()
    assert (drawn.values[:, ~model.network.held] > real.min(axis=0) - 0.5 * reach).all()
