from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gambol.errors import InvalidInput
from gambol.geometry import quaternion

seeds = st.integers(0, 2**32 - 1)


def random_rotations(seed: int, count: int = 50) -> np.ndarray:
    return quaternion.normalize(np.random.default_rng(seed).normal(size=(count, 4)))


def same_rotation(a: np.ndarray, b: np.ndarray, tolerance: float = 1e-7) -> bool:
    return bool(np.all(quaternion.angle(a, b) < tolerance))


@given(seeds)
@settings(deadline=None)
def test_products_rotations_and_matrices_agree_with_scipy(seed):
    a, b = random_rotations(seed), random_rotations(seed + 1)
    v = np.random.default_rng(seed).normal(size=(50, 3))
    scipy_a, scipy_b = (Rotation.from_quat(q, scalar_first=True) for q in (a, b))
    assert np.allclose(quaternion.rotate(a, v), scipy_a.apply(v))
    assert same_rotation(quaternion.multiply(a, b), (scipy_a * scipy_b).as_quat(scalar_first=True))
    assert np.allclose(quaternion.to_matrix(a), scipy_a.as_matrix())
    assert same_rotation(quaternion.from_matrix(scipy_a.as_matrix()), a)
    assert np.allclose(quaternion.log(a), scipy_a.as_rotvec())
    assert same_rotation(quaternion.exp(quaternion.log(a)), a)


@pytest.mark.parametrize("order", quaternion.EULER_ORDERS)
def test_euler_angles_agree_with_scipy_and_come_back_at_gimbal_lock(order):
    angles = np.random.default_rng(7).uniform(-np.pi, np.pi, (600, 3))
    angles[:100, 1], angles[100:200, 1] = np.pi / 2, -np.pi / 2
    angles[200:300, 1] = np.pi / 2 - 1e-8
    rotations = quaternion.from_euler(angles, order)
    assert same_rotation(rotations, Rotation.from_euler(order, angles).as_quat(scalar_first=True))
    assert same_rotation(quaternion.from_euler(quaternion.to_euler(rotations, order), order), rotations, 1e-10)


def test_euler_angles_of_a_smooth_spin_do_not_jump():
    spin = np.linspace(0.0, 6.0 * np.pi, 400)
    rotations = quaternion.from_euler(np.column_stack((spin, 0.3 * np.sin(spin), 0.2 * spin)), "ZYX")
    angles = quaternion.to_euler(rotations, "ZYX")
    assert np.abs(np.diff(angles, axis=0)).max() < 0.1
    assert angles[-1, 0] == pytest.approx(6.0 * np.pi)


def test_an_unknown_euler_order_is_an_error_that_lists_the_known_ones():
    with pytest.raises(InvalidInput, match="expected one of XYZ"):
        quaternion.from_euler(np.zeros((1, 3)), "XYX")


@given(seeds)
@settings(deadline=None)
def test_the_smallest_turn_between_two_directions_brings_one_onto_the_other(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 20, 3))
    b[:3] = -a[:3]
    turned = quaternion.rotate(quaternion.between(a, b), a)
    assert np.allclose(
        turned / np.linalg.norm(turned, axis=1, keepdims=True), b / np.linalg.norm(b, axis=1, keepdims=True), atol=1e-7
    )


@given(seeds, st.floats(0.0, 1.0))
@settings(deadline=None)
def test_slerp_turns_at_a_constant_rate(seed, t):
    a, b = random_rotations(seed), random_rotations(seed + 1)
    middle = quaternion.slerp(a, b, t)
    assert np.allclose(quaternion.angle(a, middle), t * quaternion.angle(a, b), atol=1e-6)


def test_heading_is_the_turn_about_the_vertical_and_survives_tilt():
    headings = np.linspace(-3.0, 3.0, 13)
    tilt = quaternion.from_axis_angle([0.0, 1.0, 0.0], 0.4)
    assert np.allclose(quaternion.heading(quaternion.multiply(quaternion.from_heading(headings), tilt)), headings)


def test_continuous_tracks_never_flip_their_sign():
    angles = np.linspace(0.0, 4.0 * np.pi, 100)
    flipped = quaternion.from_heading(angles) * np.where(np.arange(100) % 3 == 0, -1.0, 1.0)[:, None]
    track = quaternion.continuous(flipped)
    assert np.all(np.sum(track[1:] * track[:-1], axis=1) > 0.9)
    assert same_rotation(track, flipped)
