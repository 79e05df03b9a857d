"""Floors against shapely and brute force: after any edit they are what a new one would be."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from tests.support.floors import random_floor, random_obstacle, random_world

from gambol.crowd.floor import MOST_CELLS, ROOM_CAP_M, lay_floor, note_lanes, own_table, refresh, refreshed_table
from gambol.crowd.kernels.floor import BLOCK, LEAP_ROOM_M
from gambol.errors import InvalidInput
from gambol.world import Footprint, Mover, Obstacle, Trajectory, World, changed_boxes, compile_world
from gambol.world.kernels.lookup import clearance, disc_is_free


def edited(rng: np.random.Generator, world: World, number: int) -> World:
    """One obstacle more, one fewer, or one elsewhere."""
    obstacles = list(world.obstacles)
    which = rng.integers(len(obstacles))
    size_m = world.bounds[2]
    choice = rng.integers(3)
    if choice == 0:
        obstacles.insert(which, random_obstacle(rng, f"new {number}", size_m))
    elif choice == 1 and len(obstacles) > 1:
        del obstacles[which]
    else:
        pose = (*rng.uniform(0.0, size_m, 2), rng.uniform(-np.pi, np.pi))
        obstacles[which] = replace(obstacles[which], pose=pose)
    return replace(world, obstacles=tuple(obstacles))


@pytest.mark.parametrize("seed", range(4))
def test_room_is_the_distance_to_the_nearest_obstacle_or_bound(seed):
    rng = np.random.default_rng(seed)
    world = random_world(rng, 15.0, 5)
    floor = lay_floor(world)
    rows, columns = floor.room.shape
    x, y = np.meshgrid(0.25 * (np.arange(columns) + 0.5), 0.25 * (np.arange(rows) + 0.5))
    regions = shapely.union_all([obstacle.footprint.region(obstacle.pose) for obstacle in world.obstacles])
    room = np.minimum(shapely.distance(regions, shapely.points(x, y)), ROOM_CAP_M)
    room = np.minimum(room, np.minimum(np.minimum(x, 15.0 - x), np.minimum(y, 15.0 - y)))
    assert np.all(floor.room[room == 0.0] <= 0.0)
    # Discs are polygons to shapely, inside of the round ones.
    assert floor.room[room > 0.0] == pytest.approx(room[room > 0.0], abs=2e-3)
    assert np.all(floor.way == -1)
    assert np.all(floor.gate == -1)


def test_movers_are_not_on_the_floor():
    world = World((0.0, 0.0, 9.0, 9.0))
    path = Trajectory(np.array([0.0, 5.0]), np.array([[4.0, 4.0, 0.0], [6.0, 4.0, 0.0]]), np.full((2, 2), (0.0, 1.0)))
    cart = Mover("cart", Footprint.box(1.0, 1.0), path)
    assert np.array_equal(lay_floor(replace(world, movers=(cart,))).room, lay_floor(world).room)


def test_cells_are_larger_where_there_would_be_too_many():
    floor = lay_floor(World((0.0, 0.0, 1000.0, 700.0)))
    assert floor.room.size <= MOST_CELLS
    assert floor.cell_m > 0.4
    with pytest.raises(InvalidInput, match="positive size"):
        lay_floor(World((0.0, 0.0, 1.0, 1.0)), cell_m=0.0)


@pytest.mark.parametrize("seed", range(3))
def test_a_refreshed_floor_is_what_a_new_one_would_be(seed):
    rng = np.random.default_rng(seed)
    world = random_world(rng, 40.0, 8)
    floor = lay_floor(world)
    for number in range(25):
        changed = edited(rng, world, number)
        for box in changed_boxes(world, changed):
            refresh(floor, changed, box)
        world = changed
        fresh = lay_floor(world)
        assert np.array_equal(floor.room, fresh.room)
        assert np.array_equal(floor.leap, fresh.leap)


@pytest.mark.parametrize("seed", range(3))
def test_maps_of_blocks_are_those_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    floor = random_floor(rng, 60.0, 6, 3)
    rows, columns = floor.leap.shape
    blocks = [
        (slice(row * BLOCK, (row + 1) * BLOCK), slice(column * BLOCK, (column + 1) * BLOCK))
        for row in range(rows)
        for column in range(columns)
    ]
    laned = np.array([np.any(floor.way[block] >= 0) for block in blocks]).reshape(rows, columns)
    busy = laned | np.array([np.any(floor.room[block] < LEAP_ROOM_M) for block in blocks]).reshape(rows, columns)
    j, i = np.mgrid[:rows, :columns]
    for row in range(rows):
        for column in range(columns):
            away = np.maximum(np.abs(j - row), np.abs(i - column))
            assert floor.leap[row, column] == away[busy].min()
            assert floor.lanes[row, column] == bool(laned[away <= 1].any())
    floor.way[:] = -1
    note_lanes(floor)
    assert not floor.lanes.any()
    assert (floor.leap > 1).any()


@pytest.mark.parametrize("seed", range(3))
def test_a_refreshed_table_answers_like_a_new_one(seed):
    rng = np.random.default_rng(seed)
    world = random_world(rng, 25.0, 8)
    table = own_table(world)
    for number in range(12):
        changed = edited(rng, world, number)
        table = refreshed_table(table, world, changed)
        world = changed
        fresh = compile_world(world)
        assert np.array_equal(table.clearance, np.minimum(fresh.clearance, ROOM_CAP_M))
        for mended, new in zip(
            (*table.pieces, *table.bins, *table.specials), (*fresh.pieces, *fresh.bins, *fresh.specials), strict=True
        ):
            assert np.array_equal(mended, new)
        free = 0
        for x, y, radius in zip(*rng.uniform(-1.0, 26.0, (2, 200)), rng.uniform(0.05, 4.0, 200), strict=True):
            low, high = np.sort(rng.uniform(0.0, 2.0, 2))
            disc = (float(x), float(y), float(radius), float(low), float(high), np.int64(-1))
            answer = disc_is_free(fresh, *disc)
            assert disc_is_free(table, *disc) == answer
            assert clearance(table, x, y) <= clearance(fresh, x, y)
            free += answer
        assert 10 < free < 190


def test_a_private_table_leaves_the_shared_one_alone():
    world = World((0.0, 0.0, 20.0, 20.0))
    shared = compile_world(world)
    before = shared.clearance.copy()
    wall = Obstacle("wall", Footprint.box(8.0, 0.2), (10.0, 10.0, 0.3))
    table = refreshed_table(own_table(world), world, replace(world, obstacles=(wall,)))
    assert np.array_equal(shared.clearance, before)
    assert table.clearance[100, 100] <= 0.0
    assert math.isclose(table.clearance.max(), ROOM_CAP_M)


def test_a_table_follows_obstacles_but_neither_bounds_nor_terrain():
    world = World((0.0, 0.0, 5.0, 5.0))
    with pytest.raises(InvalidInput, match="only obstacles may change"):
        refreshed_table(own_table(world), world, World((0.0, 0.0, 6.0, 5.0)))
