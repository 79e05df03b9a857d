"""Motions laid over each other in time: warps that never go back, and variants that vary as the examples do."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from scipy.linalg import cho_solve
from scipy.stats import multivariate_normal
from tests.support.variation_cases import captured
from tests.support.variation_walks import walk_examples, walks

from gambol.errors import InvalidInput
from gambol.variation.examples import Examples, gather
from gambol.variation.measures.distances import repetition, shape
from gambol.variation.measures.physical import compare
from gambol.variation.model import VariationModel, learn
from gambol.variation.registered.chance import LARGEST, Wander, bounded
from gambol.variation.registered.conditional import Model, condition, log_density
from gambol.variation.registered.curves import closed, fast, smooth
from gambol.variation.registered.registration import Features, events_of, features_of, register
from gambol.variation.registered.sampler import RegisteredSampler, learn_registered
from gambol.variation.registered.warp import frames_of, log_rates_of, phases_at, spline_basis

EVERY = {"walk": [2, 3, 6, 9], "jump": [0, 1, 2, 3], "breast stroke": [0, 1, 2, 3], "jumping jack": [0, 1, 2, 3]}


@pytest.fixture(scope="module")
def model() -> VariationModel:
    return learn(walk_examples())


@pytest.fixture(scope="module")
def sampler(model) -> RegisteredSampler:
    return model.sampler


def examples_of(mocap, kind: str) -> Examples:
    found = captured(mocap, kind)
    return gather([found[index] for index in EVERY[kind]], cyclic=kind != "jump")


def pulses(warp: np.ndarray, count: int) -> Features:
    """A motion of sharp events at known phases, played by a warp (N,)."""
    phases = phases_at(warp, np.arange(round(warp[-1]) + 1, dtype=np.float64)) / (count - 1)
    values = np.stack([np.exp(-0.5 * ((phases - place) / 0.06) ** 2) for place in np.linspace(0.05, 0.95, 8)], axis=1)
    planted = np.stack([(phases > 0.3) & (phases < 0.7), phases > 0.5], axis=1)
    return features_of(values, np.full(8, 0.3), planted)


# Warps


def test_a_warp_and_its_pace_are_each_others_inverse():
    rates = np.random.default_rng(0).normal(0.0, 0.3, 50)
    rates[-1] = rates[-2]
    warp = frames_of(rates)
    np.testing.assert_allclose(log_rates_of(warp), rates, atol=1e-12)
    np.testing.assert_allclose(phases_at(warp, warp), np.arange(50), atol=1e-12)
    assert np.all(np.diff(warp) > 0.0)


def test_known_warps_are_found_again():
    count, basis = 81, spline_basis(81, 6)
    rng = np.random.default_rng(1)
    true = np.stack([frames_of(basis @ rng.normal(0.0, 0.2, 6), frames) for frames in (70.0, 78.0, 84.0, 88.0)])
    motions = [pulses(warp, count) for warp in true]
    found = register(motions)
    assert np.all(np.diff(found, axis=1) > 0.0)
    np.testing.assert_array_equal(found[:, 0], 0.0)
    np.testing.assert_allclose(found[:, -1], [motion.last for motion in motions])
    # The phases that all share are free; which frame of one belongs to which of another is not.
    for one in range(4):
        for other in range(4):
            frames = np.interp(found[one], true[one], true[other])
            assert np.abs(frames - found[other])[6:-6].mean() < 0.6
    linear = np.abs(np.interp(np.linspace(0, 70, 81), true[0], true[3]) - np.linspace(0, 88, 81)).mean()
    assert linear > 1.5  # laid over each other evenly, they would be far off


def test_events_are_where_contacts_begin_and_end_but_for_cuts():
    planted = np.zeros((40, 2), dtype=bool)
    planted[:12, 0] = planted[20:30, 1] = True
    assert [(e.point, e.down, e.frame) for e in events_of(planted)] == [
        (0, False, 11.5),
        (1, True, 19.5),
        (1, False, 29.5),
    ]


@pytest.mark.parametrize("kind", EVERY)
def test_captures_are_laid_over_each_other_without_going_back(mocap, kind):
    examples = examples_of(mocap, kind)
    warps = learn_registered(examples).aligned.warps
    assert np.all(np.diff(warps, axis=1) > 0.25)
    np.testing.assert_allclose(warps[:, -1], [len(values) - 1 for values in examples.values])
    np.testing.assert_allclose(np.mean([log_rates_of(warp) for warp in warps], axis=0).std(), 0.0, atol=0.03)


# Curves and chance


def test_slow_and_fast_together_have_the_power_of_the_whole():
    curves = np.random.default_rng(2).normal(size=(4000, 30))
    power = smooth(curves).var() + fast(curves).var()
    assert power == pytest.approx(curves.var(), rel=0.01)
    np.testing.assert_array_equal(fast(curves)[[0, -1]], 0.0)
    np.testing.assert_allclose(smooth(curves)[[0, -1]], curves[[0, -1]], atol=1e-12)


def test_closed_curves_end_as_they_begin_and_are_the_smooth_ones_elsewhere():
    steps = np.random.default_rng(3).normal(size=(3, 60, 4))
    curves = smooth(np.cumsum(steps, axis=1).reshape(-1, 4), 2.0).reshape(3, 60, 4)
    result = closed(curves)
    np.testing.assert_allclose(result[:, -1], result[:, 0], atol=1e-9)
    around = np.concatenate((result[:, -8:-1], result[:, :8]), axis=1)
    assert np.abs(np.diff(around, n=2, axis=1)).max() < 2.0 * np.abs(np.diff(result, n=2, axis=1)).max()
    inner = slice(28, 32)
    np.testing.assert_allclose(result[:, inner], np.stack([smooth(one) for one in curves])[:, inner], atol=1e-2)


def test_weights_wander_with_variance_one_and_go_on_from_call_to_call():
    phases = np.arange(0.0, 20000.0, 10.0)
    at_once = Wander(np.random.default_rng(4), 3, 40.0).at(phases)
    assert at_once.var() == pytest.approx(1.0, abs=0.1)
    assert bounded(at_once).var() == pytest.approx(1.0, abs=0.1)
    assert np.abs(bounded(at_once)).max() < 1.5 * LARGEST
    by_pieces = Wander(np.random.default_rng(4), 3, 40.0)
    np.testing.assert_allclose(np.vstack([by_pieces.at(part) for part in np.split(phases, 20)]), at_once)


def dense(model: Model) -> np.ndarray:
    """The covariance (N C, N C) of deviations, written out: knots shared by all parts of the body and their own."""
    count, phases, numbers = model.deviations.shape
    columns = []
    for block in range(1 + model.region_count):
        share = np.sqrt(0.5) * ((model.regions == block - 1) if block else np.ones(numbers))
        for knot in range(model.parts.shape[1]):
            for example in range(count):
                one = model.parts[:, knot, None] * model.deviations[example] * share / np.sqrt(count - 1)
                columns.append(one.ravel())
    design = np.array(columns).T
    return design @ design.T + np.diag(np.tile(model.rest, phases))


def test_log_density_is_that_of_the_normal_distribution_written_out():
    rng = np.random.default_rng(5)
    model = Model(rng.normal(size=(3, 9, 4)), rng.uniform(0.5, 1.0, 4), np.array([0, 1, 1, 0]), 2, 8.0)
    seen = rng.normal(size=(9, 4))
    covariance: Any = dense(model)
    slow = multivariate_normal.logpdf(seen.ravel(), np.zeros(36), covariance) / seen.size
    assert log_density(seen, model) == pytest.approx(slow, rel=1e-9)


def test_weights_given_a_part_of_the_numbers_are_those_of_the_normal_distribution():
    rng = np.random.default_rng(6)
    model = Model(rng.normal(size=(3, 9, 4)), rng.uniform(0.5, 1.0, 4), np.array([0, 1, 1, 0]), 2, 8.0)
    columns = np.array([0, 2])
    seen = rng.normal(size=(9, 2))
    posterior = condition(seen, model.of(columns))
    weights = posterior.weights(posterior.mean)[:, model.regions] / np.sqrt(2)
    expected = np.einsum("ncl,lnc->nc", weights, model.deviations)
    from gambol.variation.registered.conditional import REST_PHASES

    covariance = dense(model._replace(rest=model.rest * REST_PHASES)).reshape(9, 4, 9, 4)
    own = covariance[:, columns][..., columns].reshape(18, 18)
    across = covariance[:, :, :, columns].reshape(36, 18).copy()
    rest = np.diag(np.tile(model.rest * REST_PHASES, 9)).reshape(9, 4, 9, 4)[:, :, :, columns].reshape(36, 18)
    slow = (across - rest) @ cho_solve((np.linalg.cholesky(own), True), seen.ravel())
    np.testing.assert_allclose(expected, slow.reshape(9, 4), atol=1e-9)


# Variants


def test_the_same_seed_gives_the_same_motion(sampler):
    one, same, other = (sampler.draw(np.random.default_rng(seed), amount=1.0) for seed in (7, 7, 8))
    np.testing.assert_array_equal(one.values, same.values)
    assert one.values.shape != other.values.shape or not np.allclose(one.values, other.values)


def test_no_amount_is_one_motion_the_mean(sampler):
    drawn = [sampler.draw(np.random.default_rng(seed), amount=0.0) for seed in range(3)]
    for other in drawn[1:]:
        np.testing.assert_array_equal(drawn[0].values, other.values)
    joints = slice(6, None)
    np.testing.assert_allclose(drawn[0].values[:, joints], drawn[0].means[:, joints])
    spread = sampler.examples.encoding.spread
    mean = np.mean([_even(values) for values in sampler.examples.values], axis=0)
    apart = (_even(drawn[0].values) - mean) / spread
    among = np.std([_even(values) for values in sampler.examples.values], axis=0, ddof=1) / spread
    assert np.sqrt(np.mean(apart**2)) < 0.7 * np.sqrt(np.mean(among**2))


def test_many_variants_have_the_mean_and_the_variance_of_the_examples(sampler):
    spread = sampler.examples.encoding.spread
    given = np.array([_even(values) for values in sampler.examples.values]) / spread
    drawn = np.array([_even(sampler.draw(np.random.default_rng(s), amount=1.0).values) for s in range(60)]) / spread
    joints = slice(6, None)
    apart = np.sqrt(np.mean((drawn.mean(axis=0) - given.mean(axis=0))[:, joints] ** 2))
    deviation = np.sqrt(given.var(axis=0, ddof=1)[:, joints].mean())
    assert apart < 0.35 * deviation
    assert np.sqrt(drawn.var(axis=0, ddof=1)[:, joints].mean()) == pytest.approx(deviation, rel=0.25)


@pytest.mark.parametrize("kind", EVERY)
def test_variants_of_captures_are_no_copies_no_sharper_and_as_long(mocap, kind):
    model = learn(examples_of(mocap, kind))
    variants = [model.sample(seed, constrain=False) for seed in range(15)]
    inputs = [item.motion for item in model.examples.items]
    of_variants, of_inputs = (repetition([shape(m) for m in some]) for some in ([v.motion for v in variants], inputs))
    assert of_variants.repeats == 0
    assert of_variants.median_m >= 0.5 * of_inputs.median_m
    lengths = [motion.frame_count for motion in inputs]
    assert all(min(lengths) - 2 <= variant.motion.frame_count <= max(lengths) + 2 for variant in variants)
    assert all(len(variant.contacts.planted) == variant.motion.frame_count for variant in variants)
    peaks = [np.percentile(_accelerations(m), 99.9) for m in inputs]
    new = [np.percentile(_accelerations(variant.motion), 99.9) for variant in variants]
    assert np.median(new) < 1.25 * max(peaks)
    assert np.median(new) > 0.6 * min(peaks)


def test_constrained_feet_slide_as_captured_ones_do_and_no_more(mocap):
    model = learn(examples_of(mocap, "walk"))
    variants = [model.sample(seed) for seed in range(5)]
    compared = compare(
        [(variant.motion, variant.contacts) for variant in variants],
        [(item.motion, item.contacts) for item in model.examples.items],
        model.examples.encoding,
    )
    assert 0.5 * compared.input_slide_m_s < compared.slide_m_s <= compared.input_slide_m_s


def test_contacts_begin_and_end_where_the_examples_do(sampler):
    shares = [planted.mean(axis=0) for planted in sampler.examples.planted]
    drawn = [sampler.draw(np.random.default_rng(seed), amount=1.0).planted.mean(axis=0) for seed in range(10)]
    assert np.all(np.mean(drawn, axis=0) >= np.min(shares, axis=0) - 0.05)
    assert np.all(np.mean(drawn, axis=0) <= np.max(shares, axis=0) + 0.05)


@pytest.mark.parametrize("kind", ["walk", "breast stroke", "jumping jack"])
def test_seams_of_a_stream_are_no_larger_than_steps_within(mocap, kind):
    sampler = learn_registered(examples_of(mocap, kind))
    spread = sampler.examples.encoding.spread
    pieces = list(islice(sampler.stream(np.random.default_rng(9), amount=1.0), 12))
    ends = np.cumsum([len(piece.values) for piece in pieces])[:-1]
    values = np.concatenate([piece.values for piece in pieces]) / spread
    steps = np.linalg.norm(np.diff(values, axis=0), axis=1)
    within = np.concatenate([np.linalg.norm(np.diff(v / spread, axis=0), axis=1) for v in sampler.examples.values])
    assert steps[ends - 1].max() <= within.max()
    lengths = [len(piece.values) for piece in pieces]
    assert len(set(lengths)) > 1
    low, high = (getattr(np.concatenate(sampler.examples.values), name)(axis=0) for name in ("min", "max"))
    room = high - low + spread  # nothing runs away, however long
    assert np.all(values * spread > low - room)
    assert np.all(values * spread < high + room)


def test_a_stream_needs_cycles():
    once = gather(walks(3), cyclic=False)
    with pytest.raises(InvalidInput, match="cyclic"):
        next(learn_registered(once).stream(np.random.default_rng(0), amount=1.0))


def test_a_clip_that_was_not_learned_from_is_itself_at_no_amount_and_varies_otherwise(sampler):
    other = walks(6, seed=1)[-1]
    values = sampler.examples.encoding.encode(other.motion)
    same = sampler.from_clip(other, np.random.default_rng(0), amount=0.0)
    np.testing.assert_allclose(same.values[:, 6:], values[:, 6:], atol=0.01)
    np.testing.assert_array_equal(same.planted, other.contacts.planted)
    varied = sampler.from_clip(other, np.random.default_rng(0), amount=1.0)
    apart = (_even(varied.values) - _even(values))[:, 6:] / sampler.examples.encoding.spread[6:]
    assert np.sqrt(np.mean(apart**2)) > 0.05


def test_held_numbers_stay_and_others_vary_with_them(sampler):
    encoding = sampler.examples.encoding
    held = np.zeros(encoding.count, dtype=bool)
    held[: encoding.count // 2] = True
    fixed = np.array(sampler.examples.values[1])
    drawn = [sampler.given(fixed, held, np.random.default_rng(seed), amount=1.0).values for seed in range(6)]
    for values in drawn:
        np.testing.assert_array_equal(values[:, held], fixed[:, held])
    free = np.array(drawn)[:, :, ~held] / encoding.spread[~held]
    assert free.std(axis=0).mean() > 0.02
    np.testing.assert_array_equal(
        sampler.given(fixed, held, np.random.default_rng(0), amount=1.0).planted, sampler.examples.planted[1]
    )
    with pytest.raises(InvalidInput, match="nothing"):
        sampler.given(fixed, np.zeros_like(held), np.random.default_rng(0), amount=1.0)
    sure = sampler.given(fixed, held, np.random.default_rng(3), amount=0.0).values
    np.testing.assert_array_equal(sure, sampler.given(fixed, held, np.random.default_rng(4), amount=0.0).values)


def test_a_model_that_holds_joints_never_varies_them():
    examples = walk_examples()
    names = [name for name in examples.skeleton.names if name.endswith(("UpLeg", "Leg", "Foot"))]
    model = learn(examples, held=names)
    held = examples.encoding.of_joints(names)
    drawn = model.sampler.draw(np.random.default_rng(2), amount=1.0).values
    assert any(
        values.shape == drawn.shape and np.array_equal(values[:, held], drawn[:, held]) for values in examples.values
    )


def test_what_is_like_the_examples_is_more_likely(sampler):
    own = sampler.log_likelihood(sampler.examples.values[0])
    like = sampler.log_likelihood(sampler.draw(np.random.default_rng(1), amount=1.0).values)
    values = np.array(sampler.examples.values[0])
    values[:, 6:] += 3.0 * sampler.examples.encoding.spread[6:]
    assert min(own, like) > sampler.log_likelihood(values) + 1.0


def test_what_is_saved_and_read_again_draws_the_same(sampler):
    arrays, plain = sampler.as_arrays()
    again = RegisteredSampler.from_arrays(sampler.examples, arrays, plain)
    one, two = (each.draw(np.random.default_rng(3), amount=1.0) for each in (sampler, again))
    np.testing.assert_array_equal(one.values, two.values)


def test_a_few_examples_are_enough():
    for count in (1, 2):
        sampler = learn_registered(walk_examples(count))
        drawn = sampler.draw(np.random.default_rng(0), amount=1.0)
        assert np.all(np.isfinite(drawn.values))
        assert np.isfinite(sampler.log_likelihood(drawn.values))


def _even(values: np.ndarray, count: int = 50) -> np.ndarray:
    at = np.linspace(0.0, len(values) - 1, count)
    return np.stack([np.interp(at, np.arange(len(values)), column) for column in values.T], axis=1)


def _accelerations(motion) -> np.ndarray:
    return np.linalg.norm(np.diff(motion.world_positions, n=2, axis=0), axis=-1)


def test_what_is_held_stays_in_variants_of_another_motion_too():
    items = walks(5)
    examples = gather(items[:4], cyclic=True)
    held = examples.encoding.of_joints(["LeftUpLeg", "RightUpLeg"])
    drawn = learn_registered(examples, held=held).from_clip(items[4], np.random.default_rng(1), amount=1.0)
    given = examples.encoding.encode(items[4].motion)
    np.testing.assert_array_equal(drawn.values[:, held], given[:, held])
    np.testing.assert_array_equal(drawn.planted, items[4].contacts.planted)
    assert not np.allclose(drawn.values[:, ~held], given[:, ~held])


@pytest.mark.parametrize(
    ("name", "change"),
    [("warps", lambda warps: warps[:, :1]), ("warps", lambda warps: warps * 1.1), ("held", lambda held: held[:-1])],
)
def test_what_was_learned_from_others_is_refused(sampler, name, change):
    arrays, values = sampler.as_arrays()
    with pytest.raises(InvalidInput, match=name):
        RegisteredSampler.from_arrays(sampler.examples, {**arrays, name: change(arrays[name])}, values)
