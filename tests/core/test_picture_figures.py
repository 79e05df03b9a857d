"""Skins in many poses, against rotation matrices of numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.body.skin import vertex_normals
from gambol.core import lib, pointer, struct
from gambol.geometry import quaternion


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_each_joint_moves_its_share_of_a_vertex_and_its_normal(seed: int):
    rng = np.random.default_rng(seed)
    vertices, rest = rng.normal(size=(20, 3)), rng.normal(size=(5, 3))
    normals = rng.normal(size=(20, 3))
    joints, weights = rng.integers(5, size=(20, 4)).astype(np.int32), rng.dirichlet(np.full(4, 0.5), 20)
    positions = rng.normal(size=(3, 5, 3)).astype(np.float32)
    turns = rng.normal(size=(3, 5, 4))
    turns = (turns / np.linalg.norm(turns, axis=-1, keepdims=True)).astype(np.float32)
    skin = struct("gb_skin", vertices=20, joints=5, influences=4, places=vertices, owners=joints, weights=weights)
    figures = struct(
        "gb_figures", skin=skin, normals=normals, rest=rest, count=3, positions=positions, rotations=turns
    )  # fmt: skip
    room, placed, turned = np.empty((5, 12)), np.empty((3, 20, 3)), np.empty((3, 20, 3))
    lib.gb_figures_pose(
        figures.c, pointer(room, "double"), pointer(placed, "double"), pointer(turned, "double")
    )  # fmt: skip
    for figure in range(3):
        matrices = quaternion.to_matrix(turns[figure].astype(np.float64))
        moved = (
            np.einsum("vkij,vkj->vki", matrices[joints], vertices[:, None] - rest[joints]) + positions[figure, joints]
        )
        assert placed[figure] == pytest.approx(np.einsum("vk,vki->vi", weights, moved), abs=1e-6)
        leaning = np.einsum("vk,vkij,vj->vi", weights, matrices[joints], normals)
        assert turned[figure] == pytest.approx(leaning / np.linalg.norm(leaning, axis=1, keepdims=True), abs=1e-5)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_normals_are_the_mean_of_the_triangles_around_weighted_by_area(seed: int):
    rng = np.random.default_rng(seed)
    vertices, triangles = rng.normal(size=(12, 3)), rng.integers(11, size=(20, 3)).astype(np.int32)
    expected = np.zeros((12, 3))
    for a, b, c in triangles:
        for corner in (a, b, c):
            expected[corner] += np.cross(vertices[b] - vertices[a], vertices[c] - vertices[a])
    lengths = np.linalg.norm(expected, axis=1)
    for found, sum_of_areas, length in zip(vertex_normals(vertices, triangles), expected, lengths, strict=True):
        assert found == pytest.approx(sum_of_areas / length if length > 0.0 else (0.0, 0.0, 1.0))
