"""Look-ups in worlds by the core, against shapely and against terrain's own heights."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_worlds import BOUNDS, Known, random_place, random_terrain, random_world

from gambol.core import lib
from gambol.world import World, compile_world
from gambol.world.kernels import lookup
from gambol.world.standing import prepare, special_kinds, world_struct

CLOSE = 1e-9  # metres: nearer to touching than this, either answer is right
REACH_M = 1.2  # how far bins look

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def random_cylinder(rng: np.random.Generator, count: int) -> tuple[float, float, float, int]:
    """Return a radius, heights and an obstacle to be ignored, or -1."""
    radius = rng.choice([rng.uniform(0.01, 0.4), rng.uniform(0.0, REACH_M), REACH_M, rng.uniform(REACH_M, 6.0)])
    low = rng.uniform(-0.2, 2.0)
    return float(radius), float(low), float(low + rng.uniform(0.01, 2.0)), int(rng.integers(-1, max(count, 1)))


def slack(known: Known, x: float, y: float, radius: float, low: float, high: float, ignored: int) -> np.ndarray:
    """Return how much room a cylinder has to the bounds and to each obstacle."""
    gaps = known.gaps(x, y) - radius
    for number, obstacle in enumerate(known.world.obstacles):
        stands = obstacle.special is not None or (obstacle.bottom_m < high and low < obstacle.top_m)
        if number == ignored or not stands:
            gaps[number] = math.inf
    return np.concatenate(([known.room(x, y) - radius], gaps))


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(0, 14))
def test_a_cylinder_is_free_exactly_where_it_meets_nothing(rng: np.random.Generator, count: int) -> None:
    known = random_world(rng, count, annotated=0.2)
    world = world_struct(known.world).c
    for _ in range(80):
        asked = *random_place(rng), *random_cylinder(rng, count)
        room = slack(known, *asked)
        met = lib.gb_world_blocking_obstacle(world, *asked)
        if abs(room.min()) > CLOSE:
            assert lib.gb_world_disc_is_free(world, *asked) == (room.min() > 0.0)
            assert (met == lib.GB_NOTHING) == (room.min() > 0.0)
        if met == lib.GB_BOUNDS:
            assert room[0] < CLOSE
        elif met >= 0:
            assert room[1 + met] < CLOSE


@settings(max_examples=15, deadline=None)
@given(seeds, st.integers(0, 14))
def test_clearance_never_promises_more_room_than_there_is_and_little_less(rng: np.random.Generator, count: int) -> None:
    known = random_world(rng, count)
    world = world_struct(known.world).c
    for _ in range(150):
        x, y = random_place(rng)
        found, room = lib.gb_world_clearance(world, x, y), min(known.room(x, y), *known.gaps(x, y), math.inf)
        if known.room(x, y) < 0.0:
            assert found <= 0.0
        else:
            assert (
                min(room, 3.175) - math.sqrt(2.0) * world.room.cell_m - 0.0125 - CLOSE
                <= found
                <= max(room, 0.0) + CLOSE
            )


@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(0, 12))
def test_near_and_within_are_distances_from_footprints(rng: np.random.Generator, count: int) -> None:
    known = random_world(rng, count, annotated=0.6)
    world, kinds = world_struct(known.world).c, special_kinds(known.world)
    for _ in range(40):
        x, y = random_place(rng, beyond_m=0.0)
        gaps = known.gaps(x, y)
        for number, obstacle in enumerate(known.world.obstacles):
            away = lib.gb_world_distance_to_obstacle(world, number, x, y)
            assert max(away, 0.0) == pytest.approx(max(gaps[number], 0.0), abs=CLOSE)
            special = obstacle.special
            near, within = (-1.0, -1.0) if special is None else (special.near_m, special.within_m)
            assert lib.gb_world_near_special(world, number, x, y) == (away <= near and special is not None)
            assert lib.gb_world_within_special(world, number, x, y) == (away <= within and special is not None)
        for kind, name in enumerate(kinds):
            expected = [
                number
                for number, one in enumerate(known.world.obstacles)
                if one.special is not None and one.special.kind == name and gaps[number] <= one.special.near_m
            ]
            found, one = [], -1
            while (one := lib.gb_world_first_special_near(world, kind, x, y, one)) >= 0:
                found.append(one)
            assert found == expected or np.abs(gaps - near_of(known.world)).min() < CLOSE


def near_of(world: World) -> np.ndarray:
    return np.array([math.nan if one.special is None else one.special.near_m for one in world.obstacles])


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_the_ground_is_the_terrain(rng: np.random.Generator) -> None:
    terrain = random_terrain(rng)
    laid_out = world_struct(World(BOUNDS, terrain=terrain))  # kept as long as it is asked
    world = laid_out.c
    for _ in range(10):
        x, y = random_place(rng)
        heading = rng.uniform(-4.0, 4.0)
        assert lib.gb_world_ground_height(world, x, y) == pytest.approx(float(terrain.height((x, y))), abs=1e-12)
        slope = lib.gb_world_ground_slope(world, x, y, heading)
        along = float(terrain.gradient((x, y)) @ (math.cos(heading), math.sin(heading)))
        inside = shapely.box(*outline(terrain)).contains(shapely.Point(x, y))
        assert not inside or slope == pytest.approx(along, abs=1e-9)
        angle, away = rng.uniform(0.0, 2.0 * math.pi, 200), np.sqrt(rng.random(200))
        around = np.stack((x + away * np.cos(angle), y + away * np.sin(angle)), axis=1)
        steepest = np.linalg.norm(terrain.gradient(around), axis=1).max()
        assert lib.gb_world_ground_steepness(world, x, y, 1.0) >= steepest - 1e-12


def outline(terrain) -> tuple[float, float, float, float]:
    rows, columns = terrain.heights_m.shape
    x, y = terrain.origin
    return x, y, x + (columns - 1) * terrain.cell_m, y + (rows - 1) * terrain.cell_m


@settings(max_examples=10, deadline=None)
@given(seeds, st.booleans())
def test_the_kernels_that_crowds_and_climbs_call_answer_the_same(rng: np.random.Generator, hilly: bool) -> None:
    known = random_world(rng, 12, annotated=0.3, hilly=hilly)
    world, table = world_struct(known.world).c, compile_world(known.world)
    prepare(known.world, BOUNDS)  # which of several is met may differ where nothing is laid out
    for _ in range(100):
        x, y = random_place(rng)
        asked = x, y, *random_cylinder(rng, 12)
        exact, found = lookup.clearance(table, x, y), lib.gb_world_clearance(world, x, y)
        assert found <= max(exact, 0.0) + CLOSE
        assert exact <= 0.0 or min(exact, 3.0) - 0.0125 - CLOSE <= found
        assert lib.gb_world_disc_is_free(world, *asked) == lookup.disc_is_free(table, *asked)
        assert lib.gb_world_blocking_obstacle(world, *asked) == lookup.blocking_obstacle(table, *asked)
        assert lib.gb_world_ground_height(world, x, y) == lookup.ground_height(table, x, y)
        assert lib.gb_world_ground_steepness(world, x, y, 2.0) == lookup.ground_steepness(table, x, y, 2.0)
