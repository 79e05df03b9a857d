"""Noise that changes as much as asked for and nothing else; cycles that repeat; distances that tell."""

import numpy as np
import pytest
from evidence.noise import (
    NOISES,
    PARTS,
    adjusted_noise,
    cycle_animation,
    part_of,
    perlin,
    smoothed,
    with_noise,
)
from tests.support.variation_walks import walk_examples, walks

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import quaternion
from gambol.motion import arms, edits, legs
from gambol.variation import Change, Examples, change, change_of, distances, gather, is_varied, repetition, shape


@pytest.fixture(scope="module")
def examples() -> Examples:
    return walk_examples()


@pytest.fixture(scope="module")
def wanted(examples: Examples) -> Change:
    return change_of(examples, [other.motion for other in walks(15, seed=9)])


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("part", PARTS)
def test_adjusted_noise_changes_its_input_as_variants_change_the_inputs(kind, part, examples, wanted):
    for seed in range(5):
        drawn = adjusted_noise(examples, kind, part, np.random.default_rng(seed), wanted=wanted)
        source = [at for at, values in enumerate(examples.values) if np.array_equal(drawn.means, values)]
        made, given = (shape(examples.encoding.decode(values)) for values in (drawn.values, drawn.means))
        assert len(source) == 1
        assert wanted.includes(change(made, given))
        assert not np.array_equal(drawn.values, drawn.means)


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("part", PARTS)
def test_noise_touches_its_part_alone_and_never_the_root(kind, part, examples):
    drawn = with_noise(examples, kind, part, np.random.default_rng(3))
    touched = np.any(drawn.values != drawn.means, axis=0)
    np.testing.assert_array_equal(touched, part_of(examples.encoding, part))
    assert not touched[:6].any()


def test_parts_are_the_thesiss_shoulder_and_elbow_hip_and_knee(examples):
    skeleton = examples.skeleton
    arm = next(limb for limb in arms(skeleton) if limb.side == "left")
    leg = next(limb for limb in legs(skeleton) if limb.side == "right")
    for part, limb in (("left arm", arm), ("right leg", leg)):
        joints = set(examples.encoding.joints[part_of(examples.encoding, part)])
        assert joints == {limb.root, limb.middle}


def test_the_same_seed_gives_the_same_noise_and_another_seed_another(examples):
    one, again, other = (
        with_noise(examples, "perlin", "all joints", np.random.default_rng(s)).values for s in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, again)
    assert one.shape != other.shape or not np.allclose(one, other)


@pytest.mark.parametrize("band_hz", [1.0, 3.0])
def test_perlin_noise_stays_in_its_band_and_is_zero_on_its_lattice(band_hz):
    rate_hz, seconds = 120.0, 64.0
    times = np.arange(int(rate_hz * seconds)) / rate_hz
    noise = perlin(np.random.default_rng(0), times, 40, band_hz=band_hz)
    power = np.mean(np.abs(np.fft.rfft(noise * np.hanning(len(noise))[:, None], axis=0)) ** 2, axis=1)
    hz = np.fft.rfftfreq(len(noise), 1.0 / rate_hz)
    share = power / power.sum()
    assert share[hz > 3.0 * band_hz].sum() < 0.01
    assert share[hz < 0.1 * band_hz].sum() < 0.02
    np.testing.assert_allclose(noise[:: round(rate_hz / band_hz)], 0.0, atol=1e-12)


def test_smoothed_noise_has_a_deviation_of_one_and_no_fast_parts():
    noise = smoothed(np.random.default_rng(0), 600, 50, 6.0)
    assert noise.std() == pytest.approx(1.0, abs=0.05)
    power = np.mean(np.abs(np.fft.rfft(noise, axis=0)) ** 2, axis=1)
    assert power[60:].sum() < 0.001 * power.sum()  # periods below ten frames


def test_naive_noise_is_larger_where_inputs_differ_more(examples):
    """All that inputs share gets none: with twice the same input there is nothing to take statistics of."""
    same = gather([examples.items[0], examples.items[0]], cyclic=True)
    drawn = with_noise(same, "naive", "all joints", np.random.default_rng(0))
    np.testing.assert_allclose(drawn.values, drawn.means, atol=1e-12)


def test_what_cannot_be_done_is_refused(examples):
    rng = np.random.default_rng(0)
    with pytest.raises(UnknownName, match="left ear"):
        with_noise(examples, "perlin", "left ear", rng)
    with pytest.raises(UnknownName, match="pink"):
        with_noise(examples, "pink", "left arm", rng)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="at least two"):
        with_noise(gather([examples.items[0]], cyclic=True), "naive", "all joints", rng)
    with pytest.raises(InvalidInput, match="cannot change a motion as much"):
        adjusted_noise(examples, "perlin", "left arm", rng, wanted=Change(100.0, 1.0))


def test_cycle_animation_repeats_exactly_and_never_jumps(examples):
    sequence = cycle_animation(examples, np.random.default_rng(2), count=15)
    cycles = sequence.cycles()
    between = distances([shape(cycle) for cycle in cycles])
    for one, source in enumerate(sequence.sources):
        for other, its in enumerate(sequence.sources):
            assert (between[one, other] < 1e-6) == (source == its)
    found = repetition([shape(cycle) for cycle in cycles])
    assert found.repeats >= 15 - examples.count
    assert not is_varied(found, repetition([shape(item.motion) for item in examples.items]))
    turns = quaternion.angle(sequence.motion.rotations[:-1], sequence.motion.rotations[1:]).max(axis=1)
    joins = np.array(sequence.firsts[1:-1])
    assert max(turns[joins].max(), turns[joins - 1].max()) <= 1.2 * turns.max(
        initial=0.0, where=~np.isin(np.arange(len(turns)), joins)
    )
    steps = np.linalg.norm(np.diff(sequence.motion.root_positions, axis=0), axis=1)
    assert steps[joins].max() < 1.5 * np.median(steps)


def test_other_cycles_of_the_same_kind_are_varied(examples):
    inputs = repetition([shape(item.motion) for item in examples.items])
    assert is_varied(repetition([shape(other.motion) for other in walks(15, seed=4)]), inputs)
    with pytest.raises(InvalidInput, match="at least two"):
        repetition([shape(examples.items[0].motion)])


def test_distances_see_how_a_body_bends_not_where_it_is_or_how_long_it_takes(examples):
    motion = examples.items[0].motion
    moved = edits.move(motion, np.array([3.0, -1.0, 2.0]))
    assert change(shape(motion), shape(moved)) < 1e-18
    slower = edits.sample(motion, np.linspace(0.0, motion.frame_count - 1, 2 * motion.frame_count - 1))
    assert change(shape(motion), shape(slower)) < 1e-8
    assert change(shape(motion), shape(examples.items[1].motion)) > 1e-4
