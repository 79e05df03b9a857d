"""What planning reads of an edited world, mended, is what it would be made anew."""

from __future__ import annotations

import itertools
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.characters import load_character
from gambol.search.coarse import coarse_map
from gambol.search.edited import know_edited
from gambol.search.way import closed_cells
from gambol.world import Footprint, Obstacle, World

BOUNDS = (-3.0, 2.0, 17.0, 15.0)
places = st.tuples(st.floats(-5.0, 19.0), st.floats(0.0, 17.0), st.floats(-3.1, 3.1))
spans = st.sampled_from([(0.0, 2.5), (0.0, 0.4), (1.3, 2.5), (0.0, 0.05)])
footprints = st.one_of(
    st.builds(Footprint.box, st.floats(0.1, 6.0), st.floats(0.1, 2.0)), st.builds(Footprint.disc, st.floats(0.1, 1.5))
)


@st.composite
def obstacles(draw: st.DrawFn, name: str) -> Obstacle:
    bottom, top = draw(spans)
    return Obstacle(name, draw(footprints), draw(places), bottom_m=bottom, top_m=top)


@st.composite
def edits(draw: st.DrawFn) -> list[World]:
    """Return a world, and what becomes of it by replacing obstacles one after another."""
    things = [draw(obstacles(f"thing {number}")) for number in range(draw(st.integers(1, 6)))]
    worlds = [World(BOUNDS, tuple(things))]
    for _ in range(draw(st.integers(1, 4))):
        number = draw(st.integers(0, len(things) - 1))
        things[number] = draw(obstacles(f"thing {number}"))
        worlds.append(World(BOUNDS, tuple(things)))
    return worlds


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(edits())
def test_what_is_mended_is_what_is_made_anew(worlds: list[World]) -> None:
    character = load_character("human")
    for old, new in itertools.pairwise(worlds):
        know_edited(old, new, character)
        fresh = replace(new)
        np.testing.assert_array_equal(closed_cells(new, character).closed, closed_cells(fresh, character).closed)
        mended_map, made_map = coarse_map(new, character), coarse_map(fresh, character)
        for field in fields(made_map):
            np.testing.assert_array_equal(getattr(mended_map, field.name), getattr(made_map, field.name), field.name)


def test_a_world_with_more_obstacles_or_other_bounds_is_made_anew() -> None:
    character, thing = (
        load_character("human"),
        Obstacle("thing", Footprint.box(2.0, 1.0), (5.0, 5.0, 0.0), top_m=2.0),
    )
    old = World(BOUNDS, (thing,))
    for new in (
        World(BOUNDS, (thing, replace(thing, name="other", pose=(9.0, 9.0, 0.5)))),
        World((0, 0, 9, 9), (thing,)),
    ):
        know_edited(old, new, character)
        fresh = replace(new)
        np.testing.assert_array_equal(coarse_map(new, character).place_of, coarse_map(fresh, character).place_of)
