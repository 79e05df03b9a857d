"""Joints in the world, limbs that reach, skins: the core against a few lines of numpy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.poses_in_numpy import placed_joints, random_turns

from gambol.core import lib, pointer, struct
from gambol.geometry import quaternion
from gambol.motion.motion import world_poses

seeds = st.integers(0, 2**32 - 1)
SOFT_FROM = 0.97


@given(seeds, st.integers(1, 9), st.booleans())
@settings(deadline=None)
def test_joints_follow_their_parents(seed: int, joints: int, rigid: bool) -> None:
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(rng.integers(0, joint) for joint in range(1, joints))], dtype=np.int32)
    offsets = rng.normal(size=(1 if rigid else 6, joints, 3))
    roots, rotations = rng.normal(size=(6, 3)), random_turns(rng, 6, joints)
    expected = placed_joints(parents, offsets, roots, rotations)
    for found, wanted in zip(world_poses(parents, offsets, roots, rotations), expected, strict=True):
        assert np.allclose(found, wanted, atol=1e-12)


def reach(joints: np.ndarray, targets: np.ndarray, hinges: np.ndarray, limit: float):
    count = len(joints)
    turns, reached = np.empty((count, 2, 4)), np.empty((count, 3))
    lib.gb_limb_reach(
        pointer(joints, "double"), pointer(targets, "double"), pointer(hinges, "double"), count, limit,
        pointer(turns, "double"), pointer(reached, "double"),
    )  # fmt: skip
    return turns, reached


def softened(wanted: float, present: float, bones: tuple[float, float], limit: float) -> float:
    """Return the distance that a limb spans for a wanted one."""
    folded = np.sqrt(bones[0] ** 2 + bones[1] ** 2 + 2 * bones[0] * bones[1] * np.cos(np.radians(160.0)))
    start = max(present, SOFT_FROM * sum(bones))
    room = limit * sum(bones) - start
    if wanted <= start:
        return max(wanted, min(present, folded))
    return start + (room * (1.0 - np.exp((start - wanted) / room)) if room >= 1e-6 * sum(bones) else 0.0)


@given(seeds, st.sampled_from([0.98, 0.996, 1.0]))
@settings(deadline=None)
def test_a_limb_ends_on_the_line_to_its_target_as_far_as_it_reaches_and_bends_forward(seed: int, limit: float) -> None:
    rng = np.random.default_rng(seed)
    joints, targets = rng.normal(size=(30, 3, 3)), 2.0 * rng.normal(size=(30, 3))
    hinges = rng.normal(size=(30, 3))
    hinges /= np.linalg.norm(hinges, axis=1, keepdims=True)
    root, upper, lower = joints[:, 0], joints[:, 1] - joints[:, 0], joints[:, 2] - joints[:, 1]
    turns, reached = reach(joints, targets, hinges, limit)
    new_upper, new_lower = quaternion.rotate(turns[:, 0], upper), quaternion.rotate(turns[:, 1], lower)
    assert np.allclose(root + new_upper + new_lower, reached, atol=1e-9)
    for n in range(30):
        line = targets[n] - root[n]
        wanted, present = np.linalg.norm(line), np.linalg.norm(joints[n, 2] - root[n])
        bones = (np.linalg.norm(upper[n]), np.linalg.norm(lower[n]))
        span = softened(wanted, present, bones, limit)
        # Two bones of different lengths do not fold to less than their difference: the end then misses the distance.
        if span > abs(bones[0] - bones[1]) + 1e-9:
            assert np.allclose(reached[n], root[n] + span * line / wanted, atol=1e-9)
    # The limb's plane turns with its line, and the bend stays on the hinge's side.
    normal = np.cross(upper, lower)
    normal *= np.sign(np.sum(normal * hinges, axis=1))[:, None]
    turned = quaternion.rotate(quaternion.between(joints[:, 2] - root, targets - root), normal)
    assert np.all(np.sum(np.cross(new_upper, new_lower) * turned, axis=1) > -1e-9)


def test_a_limb_without_a_bone_stays_as_it_is() -> None:
    joints = np.array([[[0.0, 0, 1], [0, 0, 1], [0, 0, 0]], [[0, 0, 1], [0, 0, 0], [0, 0, 0]]])
    turns, reached = reach(joints, np.ones((2, 3)), np.tile([0.0, 1.0, 0.0], (2, 1)), 0.996)
    assert np.array_equal(turns, quaternion.identity(2, 2))
    assert np.array_equal(reached, joints[:, 2])


@pytest.mark.parametrize("target", [[0.3, 0.0, 0.2], [0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 5.0]])
def test_a_straight_limb_bends_about_its_hinge(target: list[float]) -> None:
    joints = np.array([[[0.0, 0, 1], [0, 0, 0.5], [0, 0, 0]]])
    turns, _ = reach(joints, np.array([target]), np.array([[0.0, 1.0, 0.0]]), 0.996)
    upper, lower = quaternion.rotate(turns[0], [0.0, 0.0, -0.5])
    assert np.cross(upper, lower)[1] >= -1e-9
    assert abs(upper[1]) < 1e-9
    assert abs(lower[1]) < 1e-9


@given(seeds)
@settings(deadline=None)
def test_a_vertex_is_the_weighted_mean_of_where_its_joints_take_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places, owners = rng.normal(size=(11, 3)), rng.integers(0, 5, (11, 4)).astype(np.int32)
    weights = rng.uniform(size=(11, 4)) * (rng.uniform(size=(11, 4)) < 0.7)
    turns, shifts, found = rng.normal(size=(3, 5, 3, 3)), rng.normal(size=(3, 5, 3)), np.empty((3, 11, 3))
    skin = struct("gb_skin", vertices=11, joints=5, influences=4, places=places, owners=owners, weights=weights)
    lib.gb_skin_place(skin.c, pointer(turns, "double"), pointer(shifts, "double"), 3, pointer(found, "double"))
    moved = np.einsum("nviab,vb->nvia", turns[:, owners], places) + shifts[:, owners]
    assert np.allclose(found, np.einsum("vi,nvia->nva", weights, moved))


@given(seeds, st.integers(1, 4))
@settings(deadline=None)
def test_a_vertex_becomes_the_mean_of_its_neighbours(seed: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    counts, values = rng.integers(1, 6, 9), rng.normal(size=(9, columns))
    first = np.concatenate(([0], np.cumsum(counts)))
    near, found = rng.integers(0, 9, first[-1]).astype(np.int32), np.empty((9, columns))
    lib.gb_skin_average(
        pointer(first, "int64_t"), pointer(near, "int32_t"), 9, pointer(values, "double"), columns,
        pointer(found, "double"),
    )  # fmt: skip
    expected = [values[near[begin:end]].mean(axis=0) for begin, end in itertools.pairwise(first)]
    assert np.allclose(found, expected)
