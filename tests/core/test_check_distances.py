"""Distances of the core's judge, against shapely and many points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.judged import axis_distance, random_piece, segment_distance, signed_distances

from gambol.judges.tables import tabulate_things
from gambol.world import Footprint, Obstacle, World

WIDE = (-100.0, -100.0, 100.0, 100.0)
RANDOM = settings(deadline=None, max_examples=200)
seeds = st.integers(0, 2**32 - 1)


@RANDOM
@given(seed=seeds)
def test_the_distance_from_an_axis_to_a_prism_is_what_shapely_measures(seed: int):
    rng = np.random.default_rng(seed)
    piece = random_piece(rng)
    obstacle = Obstacle("rock", Footprint((piece,)), (0.0, 0.0, 0.0), 0.3, 1.1)
    prisms = tabulate_things(World(WIDE, (obstacle,)), 0.0, 1.0)
    start, end = rng.normal(size=(2, 3)) * (1.5, 1.5, 1.0)
    found, where = axis_distance((start, end), prisms, 0, (0.3, 1.1))
    axis = start + np.linspace(0.0, 1.0, 4001)[:, None] * (end - start)
    expected = signed_distances(axis, piece, 0.3, 1.1).min()
    spacing = float(np.linalg.norm(end - start)) / 4000
    assert expected - spacing <= found <= expected + 1e-6
    at = signed_distances((start + where * (end - start))[None], piece, 0.3, 1.1)[0]
    assert found == pytest.approx(at, abs=1e-9)


@RANDOM
@given(seed=seeds, alike=st.sampled_from((0.0, 1e-9, 1e-4, 1.0)))
def test_the_distance_between_two_axes_is_that_of_many_points_on_them(seed: int, alike: float):
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=(3, 3))
    d = c + (b - a) * rng.uniform(-1.0, 2.0) + alike * rng.normal(size=3)  # parallel, nearly so, or not at all
    found, first, second = segment_distance((a, b), (c, d))
    shares = np.linspace(0.0, 1.0, 401)[:, None]
    one, two = a + shares * (b - a), c + shares * (d - c)
    expected = np.linalg.norm(one[:, None] - two, axis=-1).min()
    spacing = float(np.linalg.norm(b - a) + np.linalg.norm(d - c)) / 400
    assert expected - spacing <= found <= expected + 1e-9
    apart = np.linalg.norm(a + first * (b - a) - c - second * (d - c))
    assert found == pytest.approx(apart, abs=1e-9)
