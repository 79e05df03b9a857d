"""Keys of glTF animations: how they are stored, interpolated and turned into frames."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline
from tests.support.gltf_files import SWING, TIMES, ours, slerp, three_bones, two_bones, world_matrices
from tests.support.strategies import RATES

from gambol.errors import InvalidInput
from gambol.files.gltf import parse_gltf
from gambol.files.gltf.timing import choose_frames, recognise_rate


def test_linear_rotations_follow_the_shorter_arc_between_keys() -> None:
    file = three_bones()
    keys = SWING[::5].copy()
    keys[2] *= -1.0
    file.animate(1, "rotation", TIMES[::5], keys)
    file.animate(0, "translation", TIMES, np.zeros((31, 3)))
    motion = parse_gltf(file.glb()).motion
    expected = [
        world_matrices(file, {(1, "rotation"): turn, (0, "translation"): np.zeros(3)})[2, :3, 3]
        for turn in slerp(TIMES[::5], SWING[::5], TIMES)
    ]
    np.testing.assert_allclose(motion.world_positions[:, 2], ours(np.array(expected)), atol=1e-6)


def test_stepped_keys_hold_until_the_next() -> None:
    file = two_bones()
    file.animate(0, "translation", TIMES[::10], [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], how="STEP")
    file.animate(1, "rotation", TIMES, SWING)
    sideways = parse_gltf(file.glb()).motion.root_positions[:, 1]
    np.testing.assert_array_equal(sideways, np.repeat([0, 1, 2, 3], 10)[:31])


def test_cubic_keys_follow_the_hermite_spline() -> None:
    file = two_bones()
    rng = np.random.default_rng(4)
    value, slope = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    triples = np.stack((slope, value, slope), axis=1).reshape(-1, 3)
    file.animate(0, "translation", TIMES[::10], triples, how="CUBICSPLINE")
    file.animate(1, "rotation", TIMES, SWING)
    expected = CubicHermiteSpline(TIMES[::10], value, slope)(TIMES)
    np.testing.assert_allclose(parse_gltf(file.glb()).motion.root_positions, ours(expected), atol=1e-6)


def test_cubic_rotations_pass_through_their_keys() -> None:
    file = three_bones()
    triples = np.stack((0.1 * SWING, SWING, 0.1 * SWING), axis=1).reshape(-1, 4)
    file.animate(1, "rotation", TIMES, triples, how="CUBICSPLINE")
    file.animate(0, "translation", TIMES[[0, -1]], np.zeros((2, 3)))
    motion = parse_gltf(file.glb()).motion
    expected = [world_matrices(file, {(1, "rotation"): turn})[2, :3, 3] - [0, 1, 0] for turn in SWING]
    np.testing.assert_allclose(motion.world_positions[:, 2], ours(np.array(expected)), atol=1e-6)


@pytest.mark.parametrize(("kind", "top", "tolerance"), [("i2", 32767, 1e-4), ("i1", 127, 0.02)])
def test_normalised_integers_are_rotations(kind: str, top: int, tolerance: float) -> None:
    plain, packed = three_bones(), three_bones()
    plain.animate(1, "rotation", TIMES, SWING)
    keys = packed.accessor(np.rint(SWING * top), kind, normalized=True)
    packed.channel(1, "rotation", packed.accessor(TIMES), keys)
    expected, found = (parse_gltf(file.glb()).motion.world_positions for file in (plain, packed))
    np.testing.assert_allclose(found, expected, atol=tolerance)


def test_sparse_and_interleaved_accessors_are_unfolded() -> None:
    plain, odd = two_bones(), two_bones()
    values = np.zeros((31, 3))
    values[[3, 7]] = [[1, 2, 3], [4, 5, 6]]
    plain.animate(0, "translation", TIMES, values)
    plain.animate(1, "rotation", TIMES, SWING)

    rows = np.concatenate((TIMES[:, None], SWING), axis=1).astype("<f4")  # time and rotation side by side
    view = odd.view(rows.tobytes(), byteStride=20)
    odd.json["accessors"] += [
        {"bufferView": view, "componentType": 5126, "count": 31, "type": "SCALAR"},
        {"bufferView": view, "byteOffset": 4, "componentType": 5126, "count": 31, "type": "VEC4"},
        {
            "componentType": 5126, "count": 31, "type": "VEC3",
            "sparse": {
                "count": 2,
                "indices": {"bufferView": odd.view(bytes([3, 7])), "componentType": 5121},
                "values": {"bufferView": odd.view(values[[3, 7]].astype("<f4").tobytes())},
            },
        },
    ]  # fmt: skip
    odd.channel(0, "translation", 0, 2)
    odd.channel(1, "rotation", 0, 1)
    expected, found = (parse_gltf(file.glb()).motion for file in (plain, odd))
    np.testing.assert_array_equal(found.world_positions, expected.world_positions)


def test_channels_of_different_times_are_sampled_at_the_densest_rate() -> None:
    file = two_bones()
    file.animate(0, "translation", TIMES[::10], [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]])
    file.animate(1, "rotation", TIMES, SWING)
    motion = parse_gltf(file.glb()).motion
    assert (motion.rate_hz, motion.frame_count) == (30.0, 31)
    np.testing.assert_allclose(motion.root_positions[:, 1], TIMES * 3.0, atol=1e-6)


def test_a_rate_asked_for_is_the_rate_of_the_motion() -> None:
    file = two_bones()
    file.animate(0, "translation", [0.0, 1.0], [[0, 0, 0], [0, 0, 2.0]])
    motion = parse_gltf(file.glb(), rate_hz=12.5).motion
    assert (motion.rate_hz, motion.frame_count) == (12.5, 13)
    np.testing.assert_allclose(motion.root_positions[:, 0], np.arange(13) / 12.5 * 2.0, atol=1e-6)
    for rate in (0.0, -1.0, np.nan, np.inf, 1e300):
        with pytest.raises(InvalidInput):
            parse_gltf(file.glb(), rate_hz=rate)


def test_uneven_keys_are_resampled_and_the_notes_say_so() -> None:
    file = two_bones()
    file.animate(0, "translation", [0.0, 0.31, 0.5, 0.777, 1.0], np.arange(15).reshape(5, 3))
    reading = parse_gltf(file.glb())
    assert reading.motion.rate_hz >= 23.0
    assert any("uneven" in note for note in reading.notes)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(RATES), st.integers(2, 400), st.floats(0.0, 100.0), st.integers(0, 2**32 - 1))
def test_the_rate_is_recognised_wherever_keys_begin_and_though_some_were_left_out(
    rate_hz: float, count: int, start_s: float, seed: int
) -> None:
    keys = (start_s + np.arange(count) / rate_hz).astype(np.float32).astype(np.float64)
    kept = np.random.default_rng(seed).random(count) < 0.7
    kept[[0, 1, -1]] = True  # the smallest gap has to be there
    frames = choose_frames([keys[kept], keys[[0, -1]]], rate_hz=None, hint_hz=None)
    tolerance = 2.0 * np.spacing(np.float32(keys[-1])) / (keys[-1] - keys[0]) + 2e-5
    assert frames.rate_hz == pytest.approx(rate_hz, rel=tolerance)
    assert frames.count == count
    np.testing.assert_array_equal(frames.times(0, frames.count, keys), keys)


def test_a_few_poses_become_frames_that_keep_the_poses() -> None:
    assert recognise_rate([np.array([0.0, 1.0, 2.0])]) == 30.0
    assert recognise_rate([np.array([0.0, 10.0, 25.0, 40.0]) / 24.0]) == pytest.approx(24.0)
    assert recognise_rate([np.array([0.0, 0.08, 0.16])]) == pytest.approx(25.0)


def test_channels_at_24_and_30_hz_do_not_make_120() -> None:
    assert recognise_rate([np.arange(49) / 24.0, np.arange(61) / 30.0]) == pytest.approx(30.0)
