from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.meshes import assert_closed, volume

from gambol.body.capsules import Cones, cone_distance
from gambol.body.mannequin import cone_meshes, visible_area
from gambol.body.surface_nets import chains, fill_ambiguous, grid_around, smooth_union, surface_nets


def cones(*rows: tuple[tuple[float, float, float], tuple[float, float, float], float, float]) -> Cones:
    start, end, start_radius, end_radius = (np.array(column) for column in zip(*rows, strict=True))
    return Cones(start, end, start_radius, end_radius)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.floats(0.05, 0.95))
def test_surface_nets_close_even_around_noise(seed: int, filled: float):
    field = np.random.default_rng(seed).random((6, 7, 5)) - filled
    vertices, triangles = surface_nets(field)
    if len(triangles):
        assert_closed(triangles)
        assert volume(vertices, triangles) > 0.0


def test_surface_nets_of_a_ball_are_a_ball():
    grid = np.stack(np.meshgrid(*[np.arange(24.0)] * 3, indexing="ij"), axis=-1)
    vertices, triangles = surface_nets(np.linalg.norm(grid - 11.3, axis=-1) - 8.0)
    assert_closed(triangles)
    assert np.linalg.norm(vertices - 11.3, axis=1) == pytest.approx(8.0, abs=0.15)
    assert volume(vertices, triangles) == pytest.approx(4.0 / 3.0 * np.pi * 8.0**3, rel=0.03)


def test_filling_leaves_simple_shapes_alone():
    inside = np.zeros((6, 6, 6), dtype=bool)
    inside[2:4, 2:5, 1:4] = True
    assert np.array_equal(fill_ambiguous(inside), inside)


def test_pieces_of_a_mannequin_lie_on_their_cones():
    rng = np.random.default_rng(3)
    start, end = rng.normal(size=(2, 20, 3))
    end[0] = start[0]
    cones = Cones(start, end, rng.uniform(0.05, 0.9, 20), rng.uniform(0.05, 0.9, 20))
    vertices, triangles, owners = cone_meshes(cones, sides=12, rings=4)
    assert_closed(triangles)
    for cone in range(20):
        distance, _ = cone_distance(vertices[owners == cone], cones, cone)
        assert np.abs(distance).max() < 1e-9


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_the_distance_from_a_cone_is_that_from_the_nearest_of_its_balls(seed: int):
    rng = np.random.default_rng(seed)
    start, end = rng.normal(size=(2, 1, 3))
    cones = Cones(start, end, rng.uniform(0.01, 1.5, 1), rng.uniform(0.01, 1.5, 1))
    points = rng.normal(scale=2.0, size=(50, 3))
    share = np.linspace(0.0, 1.0, 4001)[:, None]
    centres = start + share * (end - start)
    radii = cones.start_radius + share[:, 0] * (cones.end_radius - cones.start_radius)
    balls = np.min(np.linalg.norm(points[:, None] - centres, axis=2) - radii, axis=1)
    distance, outward = cone_distance(points, cones, 0)
    assert np.allclose(distance, balls, atol=1e-3)
    stepped, _ = cone_distance(points + 1e-6 * outward, cones, 0)
    assert np.allclose((stepped - distance) / 1e-6, 1.0, atol=1e-3)


def test_cones_in_a_row_are_one_chain_and_a_fork_is_three():
    row = cones(((0, 0, 0), (1, 0, 0), 0.2, 0.2), ((1, 0, 0), (2, 0, 0), 0.2, 0.1))
    assert chains(row) == [[0, 1]]
    fork = cones(((0, 0, 0), (1, 0, 0), 0.2, 0.2), ((1, 0, 0), (2, 1, 0), 0.2, 0.1), ((1, 0, 0), (2, -1, 0), 0.2, 0.1))
    assert chains(fork) == [[0], [1], [2]]
    ring = cones(((0, 0, 0), (1, 0, 0), 0.2, 0.2), ((1, 0, 0), (0, 0, 0), 0.2, 0.2))
    assert chains(ring) == [[0, 1]]


def test_a_cone_that_continues_another_leaves_no_bulge():
    whole = cones(((0, 0, 0), (1, 0, 0), 0.2, 0.1))
    halves = cones(((0, 0, 0), (0.5, 0, 0), 0.2, 0.15), ((0.5, 0, 0), (1, 0, 0), 0.15, 0.1))
    grid = grid_around(whole, 0.03)
    one, two = smooth_union(whole, grid), smooth_union(halves, grid)
    near = np.abs(one) < 0.05
    assert np.allclose(one[near], two[near], atol=1e-3)


def test_surfaces_that_face_each_other_are_not_drawn_together():
    apart = 0.02
    pair = cones(
        ((0, 0.1 + apart, 0), (1, 0.1 + apart, 0), 0.1, 0.1), ((0, -0.1 - apart, 0), (1, -0.1 - apart, 0), 0.1, 0.1)
    )
    grid = grid_around(pair, 0.02)
    samples, triangles = surface_nets(smooth_union(pair, grid) / grid.cell)
    assert len(samples) - len(triangles) // 2 == 4  # two closed surfaces


def test_a_crease_is_filled_and_a_flank_is_not():
    cross = cones(((-1, 0, 0), (1, 0, 0), 0.2, 0.2), ((0, -1, 0), (0, 1, 0), 0.2, 0.2))
    grid = grid_around(cross, 0.03)
    field = smooth_union(cross, grid)
    points = grid.origin + grid.cell * np.stack(np.meshgrid(*map(np.arange, grid.shape), indexing="ij"), axis=-1)
    nearest = np.min([cone_distance(points.reshape(-1, 3), cross, i)[0].reshape(grid.shape) for i in (0, 1)], axis=0)
    crease = np.linalg.norm(points - (0.2, 0.2, 0.0), axis=-1) < 0.03
    flank = np.linalg.norm(points - (0.8, 0.2, 0.0), axis=-1) < 0.03
    assert np.all(field[crease] < nearest[crease] - 0.003)
    assert np.allclose(field[flank], nearest[flank], atol=1e-4)


def test_the_visible_area_leaves_out_what_is_inside():
    ball = cones(((0, 0, 0), (0, 0, 0), 1.0, 1.0))
    hidden = cones(((0, 0, 0), (0, 0, 0), 1.0, 1.0), ((0.1, 0, 0), (0.3, 0, 0), 0.3, 0.3))
    assert visible_area(hidden) == visible_area(ball) == pytest.approx(4.0 * np.pi, rel=0.3)


def test_a_grid_is_never_larger_than_its_limits():
    far = cones(((0, 0, 0), (0, 0, 0), 0.001, 0.001), ((1e4, 1e4, 1e4), (1e4, 1e4, 1e4), 0.001, 0.001))
    assert np.prod(grid_around(far, 1e-4).shape) <= 2_000_000
