"""Compiled worlds against shapely: what they call free is free, what they call blocked is blocked."""

from __future__ import annotations

import gc
import math
import weakref

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.random_worlds import BOUNDS, random_place, random_terrain, random_world

from gambol.errors import InvalidInput
from gambol.world.kernels.geometry import disc_meets_piece, distance_to_piece
from gambol.world.kernels.lookup import (
    blocking_obstacle,
    clearance,
    disc_is_free,
    first_special_near,
    ground_height,
    ground_slope,
    ground_steepness,
    near_special,
    within_special,
)
from gambol.world.standing import MOST_CELLS, REACH_M, at_resolution, special_kinds
from gambol.world.table import WorldTable, compile_world
from gambol.world.terrain import Terrain
from gambol.world.world import Footprint, Obstacle, Piece, Special, World

CLOSE = 1e-9

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@settings(max_examples=15, deadline=None)
@given(seeds, st.integers(0, 14))
def test_the_clearance_of_a_cell_is_the_distance_from_its_centre(rng: np.random.Generator, count: int) -> None:
    known = random_world(rng, count)
    table = compile_world(known.world)
    rows, columns = table.clearance.shape
    for _ in range(150):
        row, column = int(rng.integers(rows)), int(rng.integers(columns))
        x, y = table.x0 + (column + 0.5) * table.cell_m, table.y0 + (row + 0.5) * table.cell_m
        expected = min(known.room(x, y), *known.gaps(x, y), math.inf)
        assert table.clearance[row, column] == pytest.approx(expected, abs=CLOSE)


@settings(max_examples=15, deadline=None)
@given(seeds, st.integers(0, 14), st.sampled_from([0.1, 0.25, 1.7]))
def test_clearance_never_promises_more_room_than_there_is_and_little_less(
    rng: np.random.Generator, count: int, cell_m: float
) -> None:
    known = random_world(rng, count)
    table = compile_world(at_resolution(known.world, cell_m))
    for _ in range(150):
        x, y = random_place(rng)
        room = min(known.room(x, y), *known.gaps(x, y), math.inf)
        found = clearance(table, x, y)
        if known.room(x, y) < 0.0:
            assert found <= 0.0
        else:
            assert room - math.sqrt(2.0) * cell_m - CLOSE <= found <= room + CLOSE


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(0, 14))
def test_a_cylinder_is_free_exactly_where_it_meets_nothing(rng: np.random.Generator, count: int) -> None:
    known = random_world(rng, count)
    table = compile_world(known.world)
    bottom = np.array([obstacle.bottom_m for obstacle in known.world.obstacles])
    top = np.array([obstacle.top_m for obstacle in known.world.obstacles])
    for _ in range(120):
        x, y = random_place(rng)
        radius = rng.choice([rng.uniform(0.01, 0.4), rng.uniform(0.0, REACH_M), REACH_M, rng.uniform(REACH_M, 6.0)])
        low = rng.uniform(-0.2, 2.0)
        high = low + rng.uniform(0.01, 2.0)
        ignored = int(rng.integers(-1, max(count, 1)))
        counts = (bottom < high) & (low < top) & (np.arange(count) != ignored)
        gaps = np.where(counts, known.gaps(x, y), math.inf) - radius
        slack = min(known.room(x, y) - radius, *gaps, math.inf)
        blocking = blocking_obstacle(table, x, y, radius, low, high, ignored)
        if abs(slack) > CLOSE:
            assert disc_is_free(table, x, y, radius, low, high, ignored) == (slack > 0.0)
            assert (blocking == -1) == (slack > 0.0)
        if blocking == -2:
            assert known.room(x, y) < radius
        elif blocking >= 0:
            assert gaps[blocking] < CLOSE


@pytest.mark.parametrize("radius", [REACH_M + 0.01, 2.1, 3.6, 4.7])
def test_a_cylinder_wider_than_any_part_of_a_body_misses_nothing_inside_it(radius: float) -> None:
    post = Obstacle("post", Footprint.disc(0.005), (10.0, 10.0, 0.0))
    table = compile_world(World((0.0, 0.0, 20.0, 20.0), (post,)))
    rng = np.random.default_rng(7)
    for _ in range(1000):
        x, y = rng.uniform(radius, 20.0 - radius, 2)
        gap = math.hypot(x - 10.0, y - 10.0) - 0.005
        assert disc_is_free(table, x, y, radius, 0.0, 1.0, -1) == (gap >= radius)


def test_a_cylinder_that_touches_is_free() -> None:
    beam = Obstacle("beam", Footprint.box(2.0, 2.0), (5.0, 5.0, 0.0), 1.5, 2.0)
    table = compile_world(World((0.0, 0.0, 10.0, 10.0), (beam,)))
    assert disc_is_free(table, 5.0, 5.0, 0.5, 0.0, 1.5, -1)  # under it
    assert disc_is_free(table, 5.0, 5.0, 0.5, 2.0, 3.0, -1)  # on it
    assert disc_is_free(table, 3.5, 5.0, 0.5, 0.0, 3.0, -1)  # beside it
    assert disc_is_free(table, 0.5, 9.5, 0.5, 0.0, 3.0, -1)  # in a corner of the bounds
    assert not disc_is_free(table, 5.0, 5.0, 0.5, 0.0, 1.501, -1)
    assert not disc_is_free(table, 3.501, 5.0, 0.5, 0.0, 3.0, -1)
    assert not disc_is_free(table, 0.499, 9.5, 0.5, 0.0, 3.0, -1)


def test_what_cannot_be_is_not_free() -> None:
    table = compile_world(World((0.0, 0.0, 10.0, 10.0)))
    for x, y, radius in ((math.nan, 1.0, 0.1), (1.0, math.nan, 0.1), (5.0, 5.0, math.nan), (math.inf, 1.0, 0.1)):
        assert not disc_is_free(table, x, y, radius, 0.0, 1.0, -1)


def test_an_annotated_obstacle_is_a_wall_at_all_heights() -> None:
    hurdle = Obstacle("hurdle", Footprint.box(0.2, 2.0), (5.0, 5.0, 0.0), 0.0, 0.3, Special("jump", 1.0))
    table = compile_world(World((0.0, 0.0, 10.0, 10.0), (hurdle,)))
    assert blocking_obstacle(table, 5.0, 5.0, 0.2, 5.0, 6.0, -1) == 0
    assert disc_is_free(table, 5.0, 5.0, 0.2, 5.0, 6.0, 0)


@settings(max_examples=200, deadline=None)
@given(seeds)
def test_a_disc_meets_a_piece_exactly_if_it_is_nearer_than_its_radius(rng: np.random.Generator) -> None:
    """Also thin and sharp pieces, whose corners have wide surroundings of their own."""
    count = int(rng.integers(1, 6))
    scale = rng.choice([1.0, 1e-3], 2)
    hull = shapely.MultiPoint(rng.normal(size=(count, 2)) * scale).convex_hull
    corners = shapely.get_coordinates(shapely.orient_polygons(hull) if hull.geom_type == "Polygon" else hull)
    footprint = Footprint((Piece(corners[:-1] if hull.geom_type == "Polygon" else corners, rng.choice([0.0, 0.3])),))
    pieces = compile_world(World((-9.0, -9.0, 9.0, 9.0), (Obstacle("piece", footprint, (0.0, 0.0, 0.0)),))).pieces
    for _ in range(40):
        x, y = rng.normal(size=2) * rng.choice([0.3, 2.0])
        gap = hull.distance(shapely.Point(x, y)) - footprint.pieces[0].radius_m
        assert distance_to_piece(pieces, 0, x, y) == pytest.approx(gap, abs=CLOSE)
        for radius in (max(gap, 0.0) + 1e-8, max(gap, 0.0) + rng.uniform(0.0, 2.0)):
            assert disc_meets_piece(pieces, 0, x, y, radius)
        if gap > 1e-8:
            assert not disc_meets_piece(pieces, 0, x, y, gap - 1e-8)


def test_the_cells_of_a_large_world_grow_and_its_answers_stay_right() -> None:
    rng = np.random.default_rng(5)
    boxes = tuple(
        Obstacle(f"box {n}", Footprint.box(9.0, 3.0), (*rng.uniform(0.0, 3000.0, 2), rng.uniform(0.0, 6.0)))
        for n in range(200)
    )
    world = World((0.0, 0.0, 3000.0, 2000.0), boxes)
    table = compile_world(world)
    assert table.clearance.size <= MOST_CELLS
    assert table.cell_m > 1.0
    regions = np.array([box.footprint.region(box.pose) for box in boxes], dtype=object)
    for box in boxes:
        x, y = box.pose[0] + rng.normal(scale=4.0), box.pose[1] + rng.normal(scale=4.0)
        room = min(x, y, 3000.0 - x, 2000.0 - y)
        gap = float(shapely.distance(regions, shapely.Point(x, y)).min())
        assert clearance(table, x, y) <= max(min(gap, room), 0.0) + CLOSE
        assert disc_is_free(table, x, y, 0.4, 0.0, 1.8, -1) == (min(gap, room) >= 0.4)


def test_a_world_as_long_as_a_road_has_few_enough_cells() -> None:
    table = compile_world(World((0.0, 0.0, 1e7, 0.5)))
    assert table.clearance.size <= MOST_CELLS
    assert disc_is_free(table, 5e6, 0.25, 0.2, 0.0, 1.0, -1)


def test_a_table_is_made_once_and_goes_with_its_world() -> None:
    world = World((0.0, 0.0, 5.0, 5.0))
    assert compile_world(world).clearance is compile_world(world).clearance
    assert compile_world(at_resolution(world, 0.5)).clearance.shape == (10, 10)
    gone = weakref.ref(world)
    del world
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("cell_m", [0.0, -1.0, math.nan, math.inf])
def test_a_cell_of_no_size_is_refused(cell_m: float) -> None:
    with pytest.raises(InvalidInput, match="positive"):
        at_resolution(World((0.0, 0.0, 5.0, 5.0)), cell_m)


def hills(rng: np.random.Generator) -> tuple[Terrain, WorldTable]:
    terrain = random_terrain(rng)
    return terrain, compile_world(World(BOUNDS, terrain=terrain))


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_ground_height_is_the_terrain_s(rng: np.random.Generator) -> None:
    terrain, table = hills(rng)
    for _ in range(20):
        x, y = random_place(rng)
        assert ground_height(table, x, y) == pytest.approx(float(terrain.height((x, y))), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_the_slope_is_the_rise_along_a_short_way(rng: np.random.Generator) -> None:
    terrain, table = hills(rng)
    rows, columns = terrain.heights_m.shape
    for _ in range(20):
        # Well inside a cell: across its edges the slope jumps.
        cell = (rng.integers(columns - 1) + rng.uniform(0.01, 0.99), rng.integers(rows - 1) + rng.uniform(0.01, 0.99))
        x, y = np.asarray(terrain.origin) + terrain.cell_m * np.array(cell)
        heading = rng.uniform(-4.0, 4.0)
        step = 1e-4 * terrain.cell_m * np.array([math.cos(heading), math.sin(heading)])
        rise = float(terrain.height((x, y) + step) - terrain.height((x, y) - step)) / (2e-4 * terrain.cell_m)
        assert ground_slope(table, x, y, heading) == pytest.approx(rise, abs=1e-7)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_nowhere_within_a_metre_is_the_ground_steeper_than_its_steepness(rng: np.random.Generator) -> None:
    terrain, table = hills(rng)
    for _ in range(5):
        x, y = random_place(rng, beyond_m=2.0)
        angle, away = rng.uniform(0.0, 2.0 * math.pi, 400), np.sqrt(rng.random(400))
        around = np.stack((x + away * np.cos(angle), y + away * np.sin(angle)), axis=1)
        steepest = np.linalg.norm(terrain.gradient(around), axis=1).max()
        assert ground_steepness(table, x, y, 1.0) >= steepest - 1e-12


def test_steepness_knows_one_steep_cell_up_to_a_metre_away_and_no_farther() -> None:
    heights = np.zeros((81, 81))
    heights[40, 40] = 0.05  # in four cells around (4, 4), each 0.1 m wide
    table = compile_world(World((0.0, 0.0, 8.0, 8.0), terrain=Terrain((0.0, 0.0), 0.1, heights)))
    for angle in np.linspace(0.0, 2.0 * math.pi, 40):
        direction = np.array([math.cos(angle), math.sin(angle)])
        assert ground_steepness(table, *((4.0, 4.0) + 1.0 * direction), 1.0) >= 0.5
        assert ground_steepness(table, *((4.0, 4.0) + 1.3 * direction), 1.0) == 0.0
        assert ground_steepness(table, *((4.0, 4.0) + 1.3 * direction), 2.0) >= 0.5
        assert ground_steepness(table, *((4.0, 4.0) + 3.6 * direction), 3.0) == 0.0
        assert ground_steepness(table, *((4.0, 4.0) + 3.6 * direction), 4.0) >= 0.5


def test_without_a_terrain_the_ground_is_flat() -> None:
    table = compile_world(World(BOUNDS))
    assert ground_height(table, 1.0, 5.0) == 0.0
    assert ground_steepness(table, 1.0, 5.0, 1.0) == 0.0
    assert ground_slope(table, 1.0, 5.0, 0.3) == 0.0


@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(0, 12))
def test_near_and_within_regions_are_those_around_the_footprint(rng: np.random.Generator, count: int) -> None:
    known = random_world(rng, count, annotated=0.6)
    table = compile_world(known.world)
    kinds = special_kinds(known.world)
    for _ in range(60):
        x, y = random_place(rng, beyond_m=0.0)
        gaps = known.gaps(x, y)
        near: dict[str, list[int]] = {kind: [] for kind in kinds}
        for number, obstacle in enumerate(known.world.obstacles):
            if obstacle.special is None:
                assert not near_special(table, number, x, y)
                assert not within_special(table, number, x, y)
                continue
            assert near_special(table, number, x, y) == (gaps[number] <= obstacle.special.near_m)
            assert within_special(table, number, x, y) == (gaps[number] <= obstacle.special.within_m)
            if gaps[number] <= obstacle.special.near_m:
                near[obstacle.special.kind].append(number)
        for kind, expected in near.items():
            found, after = [], -1
            while (after := first_special_near(table, kinds.index(kind), x, y, after)) >= 0:
                found.append(after)
            assert found == expected
