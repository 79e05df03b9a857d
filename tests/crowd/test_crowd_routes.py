"""Routes against Dijkstra's algorithm, lines against all the cells they cross."""

from __future__ import annotations

import heapq
import math
from itertools import pairwise

import numpy as np
import pytest
from tests.support.floors import random_floor

from gambol.crowd.floor import Floor, lay_floor, note_lanes
from gambol.crowd.kernels.routes import FOUND, NO_WAY, OUT_OF_BUDGET, search_cells, trace_path
from gambol.crowd.kernels.sight import room_at, visible
from gambol.crowd.routes import Routes, find_routes, make_scratch
from gambol.errors import InvalidInput
from gambol.world import Footprint, Obstacle, World

RADIUS_M = 0.35
MOST = np.int64(10**6)
NEIGHBOURS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]  # columns, rows


def obeys(way: int, along_x: float, along_y: float) -> bool:
    """Whether a direction is within 75 degrees of a one-way rule."""
    angle = math.atan2(along_y, along_x) - way * math.tau / 16.0
    return way < 0 or math.cos(angle) >= math.cos(math.radians(75.0)) - 1e-12


def least_costs(
    floor: Floor, radius: float, start: tuple[int, int], goal: tuple[int, int]
) -> dict[tuple[int, int], int]:
    """Dijkstra's algorithm from a cell, for a goal near which room costs nothing."""
    is_open = floor.room >= radius
    costs, heap = {start: 0}, [(0, start)]
    while heap:
        cost, (row, column) = heapq.heappop(heap)
        if cost > costs[row, column]:
            continue
        for right, up in NEIGHBOURS:
            to = (row + up, column + right)
            if not (is_open[to] and is_open[row, to[1]] and is_open[to[0], column]):
                continue
            if not (obeys(floor.way[row, column], right, up) and obeys(floor.way[to], right, up)):
                continue
            step = 141 if right and up else 100
            if max(abs(to[0] - goal[0]), abs(to[1] - goal[1])) > 8 and floor.room[to] < 1.0:
                step = int(step * (1.0 + (1.0 - float(floor.room[to])) * (1.0 / (1.0 - radius))))
            if cost + step < costs.get(to, 10**9):
                costs[to] = cost + step
                heapq.heappush(heap, (cost + step, to))
    return costs


def cells_crossed(
    floor: Floor, x0: float, y0: float, x1: float, y1: float, grown: float
) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of all cells, widened by a share of their size, that a segment meets."""
    rows, columns = floor.room.shape
    enter, leave = np.zeros((rows, columns)), np.ones((rows, columns))
    starts, ends = (x0 / floor.cell_m, y0 / floor.cell_m), (x1 / floor.cell_m, y1 / floor.cell_m)
    for start, end, index in zip(starts, ends, (np.arange(columns)[None, :], np.arange(rows)[:, None]), strict=True):
        low, high = index - grown, index + 1.0 + grown
        if start == end:
            leave = np.where((low <= start) & (start <= high), leave, -1.0)
        else:
            sides = np.stack(((low - start) / (end - start), (high - start) / (end - start)))
            enter, leave = np.maximum(enter, sides.min(axis=0)), np.minimum(leave, sides.max(axis=0))
    return np.nonzero(enter <= leave)


def may_pass(floor: Floor, radius: float, x0: float, y0: float, x1: float, y1: float, grown: float) -> bool:
    cells = cells_crossed(floor, x0, y0, x1, y1, grown)
    if np.any(floor.room[cells] < radius):
        return False
    if math.hypot(x1 - x0, y1 - y0) <= 0.2 or (int(x0 / 0.25), int(y0 / 0.25)) == (int(x1 / 0.25), int(y1 / 0.25)):
        return True
    return all(obeys(way, x1 - x0, y1 - y0) for way in np.unique(floor.way[cells]))


def open_points(rng: np.random.Generator, floor: Floor, count: int) -> np.ndarray:
    rows, columns = np.nonzero(floor.room >= RADIUS_M)
    chosen = rng.integers(len(rows), size=count)
    return (np.stack((columns[chosen], rows[chosen]), axis=1) + rng.uniform(0.01, 0.99, (count, 2))) * floor.cell_m


def legs(start: np.ndarray, routes: Routes, query: int) -> list[tuple[float, float, float, float]]:
    points = [start, *routes.points[query, : routes.count[query]]]
    return [(*map(float, a), *map(float, b)) for a, b in pairwise(points)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("lanes", [0, 6])
def test_lines_are_free_where_all_the_cells_they_cross_are(seed, lanes):
    rng = np.random.default_rng([seed, lanes])
    floor = random_floor(rng, 16.0 if seed % 2 else 50.0, 7, lanes)
    size_m, seen = floor.room.shape[0] * floor.cell_m, 0
    for number in range(300):
        x0, y0 = rng.uniform(0.4, size_m - 0.4, 2)
        x1, y1 = rng.uniform(0.4, size_m - 0.4, 2) if number % 2 else (x0, y0) + rng.normal(0.0, 1.0, 2)
        radius = float(rng.choice([0.2, 0.35, 0.8, 1.8]))
        line = (floor, radius, float(x0), float(y0), float(x1), float(y1))
        answer = visible(*line)
        seen += answer
        if answer:
            assert may_pass(*line, -1e-5)
        else:
            assert not may_pass(*line, 1e-5) or room_at(floor, x1, y1) < 0.0
    assert 30 < seen < 290


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("lanes", [0, 4])
def test_the_way_from_cell_to_cell_is_the_cheapest_and_none_is_said_to_be_where_there_is_none(seed, lanes):
    rng = np.random.default_rng([seed, lanes])
    floor = random_floor(rng, 10.0, 9, lanes)
    scratch = make_scratch(floor)
    columns = floor.room.shape[1]
    cells = np.argwhere(floor.room >= RADIUS_M)
    missing = 0
    for _ in range(12):
        start, goal = (tuple(int(value) for value in cells[rng.integers(len(cells))]) for _ in range(2))
        least = least_costs(floor, RADIUS_M, start, goal).get(goal)
        ends = [np.int64(row * columns + column) for row, column in (start, goal)]
        outcome, cost, _ = search_cells(floor, RADIUS_M, *ends, np.int64(256), MOST, scratch)
        missing += least is None
        assert (outcome == NO_WAY) == (least is None)
        if least is not None:
            assert cost == least
            for weight in (269, 333, 512):
                outcome, cost, _ = search_cells(floor, RADIUS_M, *ends, np.int64(weight), MOST, scratch)
                assert outcome == FOUND
                assert cost <= least * weight / 256
    assert missing < 12


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("lanes", [0, 8])
def test_legs_are_free_and_a_pulled_way_is_no_longer_than_its_cells(seed, lanes):
    rng = np.random.default_rng([seed, lanes, 1])
    floor = random_floor(rng, 14.0, 12, lanes)
    scratch = make_scratch(floor)
    columns = floor.room.shape[1]
    starts, goals = open_points(rng, floor, 60), open_points(rng, floor, 60)
    routes = find_routes(floor, RADIUS_M, starts, goals)
    bent = 0
    for query in np.flatnonzero(routes.outcome == FOUND):
        way = legs(starts[query], routes, int(query))
        lengths = [math.hypot(x1 - x0, y1 - y0) for x0, y0, x1, y1 in way]
        assert np.array_equal(routes.points[query, routes.count[query] - 1], goals[query])
        for number, leg in enumerate(way):
            assert may_pass(floor, RADIUS_M, *leg, -1e-5)
            assert routes.left[query, number] == pytest.approx(sum(lengths[number + 1 :]))
        if len(way) > 1:
            bent += 1
            ends = [np.int64(int(y / 0.25) * columns + int(x / 0.25)) for x, y in (starts[query], goals[query])]
            search_cells(floor, RADIUS_M, *ends, np.int64(268), MOST, scratch)
            cells = scratch.path[: trace_path(np.int64(columns), *ends, scratch)]
            centres = (np.stack((cells % columns, cells // columns), axis=1) + 0.5) * floor.cell_m
            path = np.vstack((starts[query], centres, goals[query]))
            assert sum(lengths) <= np.linalg.norm(np.diff(path, axis=0), axis=1).sum() + 1e-9
    assert bent > 10


def test_answers_are_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(5)
    floor = random_floor(rng, 30.0, 40, 5)
    starts, goals = open_points(rng, floor, 101), open_points(rng, floor, 101)
    one = find_routes(floor, RADIUS_M, starts, goals)
    assert {FOUND, NO_WAY} == set(one.outcome)
    kept = [make_scratch(floor) for _ in range(3)]
    for threads, scratches in ((2, ()), (3, kept), (1, kept), (2, kept)):
        again = find_routes(floor, RADIUS_M, starts, goals, threads=threads, scratches=scratches)
        for first, second in zip(one, again, strict=True):
            assert np.array_equal(first, second, equal_nan=first.dtype.kind == "f")


def rooms() -> World:
    """A wall with a door of 1.2 m, and one with a door of 0.9 m."""
    return World(
        (0.0, 0.0, 20.0, 10.0),
        (
            Obstacle("west, below", Footprint.box(0.2, 6.4), (6.0, 3.2, 0.0)),
            Obstacle("west, above", Footprint.box(0.2, 2.4), (6.0, 8.8, 0.0)),
            Obstacle("east, below", Footprint.box(0.2, 1.0), (13.0, 0.5, 0.0)),
            Obstacle("east, above", Footprint.box(0.2, 8.1), (13.0, 5.95, 0.0)),
        ),
    )


def test_ways_through_doors_keep_away_from_their_posts():
    floor = lay_floor(rooms())
    starts = [(x, y) for x in (0.8, 3.0, 5.0) for y in (0.6, 5.0, 9.4)]
    routes = find_routes(floor, 0.3, starts, [(19.0, 9.0)] * len(starts))
    assert np.all(routes.outcome == FOUND)
    for query, start in enumerate(starts):
        for x0, y0, x1, y1 in legs(np.array(start), routes, query):
            for wall, low, high in ((6.0, 6.4, 7.6), (13.0, 1.0, 1.9)):
                if x0 < wall < x1:
                    across = y0 + (wall - x0) / (x1 - x0) * (y1 - y0)
                    assert low + 0.35 < across < high - 0.35


def test_who_is_too_broad_for_a_door_finds_no_way():
    floor = lay_floor(rooms())
    routes = find_routes(floor, 0.4, [(2.0, 2.0), (2.0, 2.0)], [(10.0, 5.0), (19.0, 9.0)])
    assert list(routes.outcome) == [FOUND, NO_WAY]


def test_lanes_lead_the_other_way_around():
    """A wall with two doors, each of them open in one direction only."""
    walls = [(2.0, 2.0), (8.0, 8.0), (14.0, 2.0)]
    world = World(
        (0.0, 0.0, 10.0, 16.0),
        tuple(Obstacle(f"{y}", Footprint.box(0.4, 4.0), (5.0, y, 0.0)) for y, _ in walls),
    )
    floor = lay_floor(world)
    floor.way[16:24, 16:24], floor.way[40:48, 16:24] = 0, 8
    note_lanes(floor)
    there, back = (2.0, 5.0), (8.0, 11.0)
    routes = find_routes(floor, 0.3, [there, back, back], [back, there, (9.0, 5.0)])
    assert np.all(routes.outcome == FOUND)
    assert min(abs(routes.points[0, : routes.count[0], 1] - 5.0)) < 1.0
    assert np.any(routes.points[1, : routes.count[1], 1] > 10.0)
    for query, start in enumerate((there, back, back)):
        for x0, y0, x1, y1 in legs(np.array(start), routes, query):
            if (x0 - 5.0) * (x1 - 5.0) < 0.0:
                across = y0 + (5.0 - x0) / (x1 - x0) * (y1 - y0)
                assert (across < 8.0) == (x1 > x0)


def test_who_stands_in_an_obstacle_sets_out_from_the_nearest_open_place():
    floor = lay_floor(rooms())
    routes = find_routes(floor, 0.3, [(6.0, 3.0), (2.0, 2.0), (2.0, 2.0)], [(10.0, 3.0), (6.02, 3.0), (40.0, 3.0)])
    assert list(routes.outcome) == [FOUND, FOUND, NO_WAY]
    assert room_at(floor, *routes.points[0, 0]) >= 0.3
    assert abs(routes.points[0, 0, 0] - 6.0) < 0.7
    end = routes.points[1, routes.count[1] - 1]
    assert room_at(floor, *end) >= 0.3
    assert np.hypot(*(end - (6.02, 3.0))) < 0.7


def comb(teeth: int) -> World:
    """A meander of walls: the way through it bends at each."""
    return World(
        (0.0, 0.0, 2.0 * teeth + 2.0, 8.0),
        tuple(
            Obstacle(f"{number}", Footprint.box(0.2, 6.0), (2.0 * number + 2.0, 3.0 if number % 2 else 5.0, 0.0))
            for number in range(teeth)
        ),
    )


def test_a_long_way_is_cut_to_its_first_way_points_and_says_how_far_it_goes_on():
    floor = lay_floor(comb(20))
    start, goal = (1.0, 4.0), (41.0, 4.0)
    whole = find_routes(floor, 0.3, [start], [goal], most_points=128)
    short = find_routes(floor, 0.3, [start], [goal], most_points=6)
    assert whole.count[0] > 16
    assert whole.left[0, whole.count[0] - 1] == 0.0
    assert short.count[0] == 6
    assert short.points[0, :5] == pytest.approx(whole.points[0, :5], abs=0.5)
    assert short.left[0, 5] == pytest.approx(whole.left[0, 5], rel=0.1)


def test_a_search_ends_when_its_budget_is_spent():
    floor = lay_floor(comb(20))
    routes = find_routes(floor, 0.3, [(1.0, 4.0)], [(41.0, 4.0)], most_expansions=500)
    assert list(routes.outcome) == [OUT_OF_BUDGET]
    assert 500 < routes.expansions[0] <= 1000  # searched twice, the second time in more of a hurry


def test_a_sealed_room_is_known_for_one_however_large_the_world_around_it():
    walls = [((10.0, 8.0), 4.2, 0.2), ((10.0, 12.0), 4.2, 0.2), ((8.0, 10.0), 0.2, 4.2), ((12.0, 10.0), 0.2, 4.2)]
    obstacles = tuple(
        Obstacle(f"{number}", Footprint.box(length, width), (*centre, 0.0))
        for number, (centre, length, width) in enumerate(walls)
    )
    bounds, start, goal = (0.0, 0.0, 60.0, 60.0), (50.0, 50.0), (10.0, 10.0)
    sealed, ajar = lay_floor(World(bounds, obstacles)), lay_floor(World(bounds, obstacles[:3]))
    assert find_routes(sealed, 0.3, [start], [goal], most_expansions=1000).outcome[0] == NO_WAY
    assert find_routes(ajar, 0.3, [(0.5, 10.0)], [goal], most_expansions=30).outcome[0] == OUT_OF_BUDGET
    ajar.way[32:48, 46:50] = 0  # out only
    note_lanes(ajar)
    assert find_routes(ajar, 0.3, [start], [goal], most_expansions=1000).outcome[0] == NO_WAY
    assert find_routes(ajar, 0.3, [goal], [start]).outcome[0] == FOUND


def test_labels_of_older_queries_do_not_matter_even_when_epochs_begin_anew():
    floor = random_floor(np.random.default_rng(3), 10.0, 8, 4)
    columns = floor.room.shape[1]
    cells = np.argwhere(floor.room >= RADIUS_M)
    ends = [np.int64(row * columns + column) for row, column in (cells[0], cells[-1])]
    first = make_scratch(floor)
    expected = search_cells(floor, RADIUS_M, *ends, np.int64(256), MOST, first)
    used = make_scratch(floor)
    used.epoch[0] = 4
    for _ in range(8):
        assert search_cells(floor, RADIUS_M, *ends, np.int64(256), MOST, used) == expected
    assert used.epoch[0] > 4


def test_queries_must_make_sense():
    floor = lay_floor(rooms())
    with pytest.raises(InvalidInput, match="as many goals as starts"):
        find_routes(floor, 0.3, [(1.0, 1.0)], [(2.0, 2.0), (3.0, 3.0)])
    with pytest.raises(InvalidInput, match="finite"):
        find_routes(floor, 0.3, [(1.0, math.nan)], [(2.0, 2.0)])
    with pytest.raises(InvalidInput, match="each thread needs working memory"):
        find_routes(floor, 0.3, [(1.0, 1.0)], [(2.0, 2.0)], threads=2, scratches=[make_scratch(floor)])
    with pytest.raises(InvalidInput, match="between 1 and 2"):
        find_routes(floor, 0.3, [(1.0, 1.0)], [(2.0, 2.0)], weight=3.0)
