"""Angles to rotations and back, and tracks made well-formed, against batched quaternions in numpy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.core import lib, pointer
from gambol.geometry import quaternion

AXES = np.eye(3)
orders = st.permutations(range(3)).map(lambda order: np.array(order, dtype=np.int32))
seeds = st.integers(0, 2**32 - 1)


def composed(angles: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return turns about moving axes: `angles` (..., 3) about `axes` (3,)."""
    one, two, three = (quaternion.from_axis_angle(AXES[axis], angles[..., n]) for n, axis in enumerate(axes))
    return quaternion.multiply(quaternion.multiply(one, two), three)


def split(rotations: np.ndarray, axes: np.ndarray) -> np.ndarray:
    angles = np.empty((*rotations.shape[:2], 3))
    lib.gb_rotation_to_euler(
        pointer(rotations, "double"), *rotations.shape[:2], pointer(axes, "int32_t"), pointer(angles, "double")
    )
    return angles


@given(seeds, orders)
@settings(deadline=None)
def test_angles_compose_in_the_order_of_their_axes(seed: int, axes: np.ndarray) -> None:
    angles, found = np.random.default_rng(seed).uniform(-7.0, 7.0, (20, 3)), np.empty((20, 4))
    lib.gb_rotation_from_euler(pointer(angles, "double"), 20, pointer(axes, "int32_t"), pointer(found, "double"))
    assert np.allclose(found, composed(angles, axes), atol=1e-15)


@given(seeds, orders, st.sampled_from([0.0, np.pi / 2, -np.pi / 2]), st.sampled_from([0.0, 1e-12, 1e-8, 0.1]))
@settings(deadline=None)
def test_angles_give_the_rotation_back_and_are_the_nearest_to_those_before(seed, axes, middle, off) -> None:
    rng = np.random.default_rng(seed)
    walk = np.cumsum(rng.normal(scale=0.4, size=(15, 2, 3)), axis=0)
    walk[:, :, 1] = middle + off * rng.normal(size=(15, 2))
    rotations = composed(walk, axes)
    found = split(rotations, axes)
    assert np.all(quaternion.angle(composed(found, axes), rotations) < 1e-7)
    before = np.concatenate((np.zeros((1, 2, 3)), found[:-1]))
    away = np.abs(found - before).sum(axis=-1)
    other = found * [1, -1, 1] + np.pi  # the other triple of the same rotation
    for one in (found, other):
        for turns in itertools.product((-1, 0, 1), repeat=3):
            assert np.all(away <= np.abs(one + 2.0 * np.pi * np.array(turns) - before).sum(axis=-1) + 1e-9)


@given(seeds)
@settings(deadline=None)
def test_channels_of_a_file_compose_until_their_list_ends(seed: int) -> None:
    rng = np.random.default_rng(seed)
    degrees = rng.uniform(-200.0, 200.0, (6, 9))
    columns, axes = rng.integers(-1, 9, (4, 3)), rng.integers(0, 3, (4, 3))
    found = np.empty((6, 4, 4))
    lib.gb_rotation_from_channels(
        pointer(degrees, "double"), 6, 9, pointer(columns, "int64_t"), pointer(axes, "int64_t"), 4,
        pointer(found, "double"),
    )  # fmt: skip
    expected = quaternion.identity(6, 4)
    for joint in range(4):
        for column, axis in itertools.takewhile(lambda one: one[0] >= 0, zip(columns[joint], axes[joint], strict=True)):
            turn = quaternion.from_axis_angle(AXES[axis], np.radians(degrees[:, column]))
            expected[:, joint] = quaternion.multiply(expected[:, joint], turn)
    assert np.allclose(found, expected, atol=1e-14)


@given(seeds, st.sampled_from([0.0, 1e-15, 1e-9, 1e-4]))
@settings(deadline=None)
def test_tracks_become_unit_and_continuous_and_what_is_so_already_keeps_its_bits(seed: int, noise: float) -> None:
    rng = np.random.default_rng(seed)
    exact = quaternion.normalize(rng.normal(size=(12, 3, 4)))
    given_ = exact * (1.0 + noise * rng.uniform(-1, 1, (12, 3, 1)))
    found = given_.copy()
    assert lib.gb_rotation_settle(pointer(found, "double"), 12, 3, 1e-3) == -1
    assert np.allclose(found, quaternion.continuous(exact), atol=1e-15)
    kept = np.abs(np.linalg.norm(given_, axis=-1) - 1.0) < 1e-13
    assert np.array_equal(np.abs(found[kept]), np.abs(given_[kept]))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1.3])
def test_the_first_frame_with_a_wrong_rotation_is_told(wrong: float) -> None:
    rotations = quaternion.identity(5, 2)
    rotations[3, 1, 0] = wrong
    assert lib.gb_rotation_settle(pointer(rotations, "double"), 5, 2, 1e-3) == 3
