"""Jams: where there are many, and ways around them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gambol.crowd.arrays import NO_DOOR, empty_flock
from gambol.crowd.floor import Floor, lay_floor
from gambol.crowd.kernels.floor import BLOCK
from gambol.crowd.kernels.jams import JAM_BEGINS, JAM_ENDS, STANDING, STANDING_FRAMES, note_jams
from gambol.crowd.kernels.routes import FOUND
from gambol.crowd.kernels.sight import JAM_SEEN_M, crosses_jam
from gambol.crowd.routes import find_routes
from gambol.world import World

BLOCK_M = 4.0
NOW = 1000


def open_floor() -> Floor:
    return lay_floor(World((0.0, 0.0, 40.0, 40.0)))


def people_at(places: np.ndarray, standing: np.ndarray):
    flock = empty_flock(max(len(places), 1))
    count = len(places)
    flock.taken[:count] = True
    flock.end[:count, :2] = places
    flock.anchor_frame[:count] = np.where(standing, NOW - STANDING_FRAMES - 1, NOW)
    return flock


def noted(floor: Floor, flock, count: int) -> np.ndarray:
    note_jams(flock, count, np.int64(NOW), floor, np.zeros(floor.jam.shape, np.int32))
    return floor.jam.copy()


@pytest.mark.parametrize("seed", range(5))
def test_jams_are_where_there_are_many_on_a_square_metre(seed: int) -> None:
    rng = np.random.default_rng(seed)
    floor = open_floor()
    assert floor.cell_m * BLOCK == BLOCK_M
    floor.jam[:] = rng.random(floor.jam.shape) < 0.5
    floor.lanes[:] = rng.random(floor.jam.shape) < 0.1
    places = rng.uniform(0.0, 40.0, (400, 2))
    standing = rng.random(400) < 0.3
    flock = people_at(places, standing)
    flock.taken[::7] = False
    flock.door[::11] = 1
    expected = np.zeros(floor.jam.shape, dtype=bool)
    for row, column in np.ndindex(expected.shape):
        inside = (places // BLOCK_M == (column, row)).all(axis=1) & flock.taken & (flock.door == NO_DOOR)
        density = np.where(standing, STANDING, 1)[inside].sum() / BLOCK_M**2
        expected[row, column] = density >= (JAM_ENDS if floor.jam[row, column] else JAM_BEGINS)
    expected &= ~floor.lanes
    assert expected.any()
    assert not expected.all()
    assert np.array_equal(noted(floor, flock, 400), expected)


def test_who_has_gone_leaves_no_jam() -> None:
    floor = open_floor()
    flock = people_at(np.full((6, 2), 10.0), np.ones(6, dtype=bool))
    assert noted(floor, flock, 6).sum() == 1
    flock.taken[:] = False
    assert not noted(floor, flock, 6).any()


def leads_through(floor: Floor, points: np.ndarray) -> bool:
    """Tell whether a polyline has more than a corner of a block in a jam, by looking at many points."""
    shares = np.linspace(0.0, 1.0, 400)[:, None]
    dense = np.concatenate([a + shares * (b - a) for a, b in pairwise(points)])
    blocks = (dense // BLOCK_M).astype(int)
    return bool(floor.jam[blocks[:, 1], blocks[:, 0]].mean() > 0.05)


def test_ways_lead_around_a_jam_and_into_it_where_the_goal_is_there() -> None:
    floor = open_floor()
    floor.jam[4:6, 4:6] = True  # from 16 to 24 m
    starts = np.column_stack((np.full(9, 4.0), np.linspace(14.0, 26.0, 9)))
    goals = np.column_stack((np.full(9, 36.0), np.linspace(26.0, 14.0, 9)))
    routes = find_routes(floor, 0.35, starts, goals)
    straight = np.array([leads_through(floor, np.vstack(pair)) for pair in zip(starts, goals, strict=True)])
    assert straight.any()
    assert np.all(routes.outcome == FOUND)
    for query, start in enumerate(starts):
        assert not leads_through(floor, np.vstack((start, routes.points[query, : routes.count[query]])))
    into = find_routes(floor, 0.35, starts[:1], [(20.0, 20.0)])
    assert into.outcome[0] == FOUND
    assert np.allclose(into.points[0, into.count[0] - 1], (20.0, 20.0))


def test_lines_that_begin_or_end_in_a_jam_do_not_cross_one() -> None:
    floor = open_floor()
    floor.jam[4, 4] = True
    eye = (2.0, 18.0)
    assert crosses_jam(floor, *eye, 2.0, 18.0, 38.0, 18.0)
    assert not crosses_jam(floor, *eye, 2.0, 18.0, 18.0, 18.0)
    assert not crosses_jam(floor, *eye, 18.0, 18.0, 38.0, 18.0)
    assert not crosses_jam(floor, *eye, 2.0, 10.0, 38.0, 10.0)


def test_jams_far_off_are_not_seen() -> None:
    floor = open_floor()
    floor.jam[4, 4] = True  # from 16 to 20 m
    line = (-20.0, 18.0, 38.0, 18.0)
    assert crosses_jam(floor, 20.0 - JAM_SEEN_M + 0.1, 18.0, *line)
    assert not crosses_jam(floor, 16.0 - JAM_SEEN_M - 0.1, 18.0, *line)
