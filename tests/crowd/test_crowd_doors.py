"""Doors: which mouths of passages are some, and the places before them that are kept clear."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse.csgraph import dijkstra
from test_crowd_core import human
from test_crowd_lanes import box, centers, doors, laid, moves
from test_crowd_routes import cells_crossed
from tests.support.floors import random_floor

from gambol.crowd.crowd import Crowd
from gambol.crowd.doors import DOOR_M, REACH_M, STANDING_ROOM_M, Door, find_doors
from gambol.crowd.errand import Errand
from gambol.crowd.floor import Floor, lay_floor, note_lanes
from gambol.crowd.kernels.floor import BLOCK, KEPT_CLEAR
from gambol.crowd.kernels.routes import AVOIDING, FOUND, NO_WAY, search_cells
from gambol.crowd.kernels.sight import visible
from gambol.crowd.lanes import lay_lanes
from gambol.crowd.routes import find_routes, make_scratch
from gambol.world import World

RADIUS_M = 0.35


# --- which mouths are doors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width_m", [4.0, 2.5, 1.2])
def test_a_door_between_two_rooms_is_queued_for_at_both_its_sides(width_m: float) -> None:
    _, lanes = laid(f"door of {width_m:g} m")
    west, east = sorted(lanes.doors, key=lambda door: door.place[0])
    assert west.end != east.end
    for door, side in ((west, -1.0), (east, 1.0)):
        assert door.passage == lanes.passages[0].number
        assert door.out == pytest.approx((side, 0.0), abs=0.05)
        assert door.place == pytest.approx((20.0, 15.0), abs=0.6)
        assert door.half_m == pytest.approx(0.5 * width_m, abs=0.1)


def test_each_of_two_doors_has_queues_of_its_own() -> None:
    _, lanes = laid("two doors far apart")
    found = sorted((float(np.sign(door.out[0])), round(float(door.place[1]))) for door in lanes.doors)
    assert found == [(-1.0, 5), (-1.0, 25), (1.0, 5), (1.0, 25)]


def into_corridors(name: str) -> list[Door]:
    """The doors of a world that open into its corridors: everywhere, or in the office into the one in its middle."""
    return [door for door in laid(name)[1].doors if name != "office" or (door.place[1] - 13.7) * door.out[1] < 0.0]


@pytest.mark.parametrize("name", ["maze", "office", "crossing", "narrow crossing", "tee", "wide tee", "bend"])
def test_corridors_and_streets_have_mouths_but_no_doors(name: str) -> None:
    assert len(laid(name)[1].passages) > 0
    assert into_corridors(name) == []


def test_a_mouth_at_a_junction_is_no_door() -> None:
    floor, lanes = laid("door of 2.5 m")
    passages = list(lanes.passages)
    for arms in ({(0, False)}, {(0, True)}, {(0, False), (0, True)}):
        found = find_doors(floor, passages, arms)
        assert {(door.passage, door.end) for door in found} == {(0, False), (0, True)} - arms


def test_there_is_a_door_only_to_where_there_is_room_for_a_queue() -> None:
    """Rooms of 20 m and of 5 m: half of the half disc of 16 m before the door is open in the one, not in the other."""
    walls = (box("below", 19.85, 0.0, 20.15, 13.75), box("above", 19.85, 16.25, 20.15, 30.0))
    lanes = lay_lanes(lay_floor(World((0.0, 0.0, 25.15, 30.0), walls)))
    (door,) = lanes.doors
    assert door.out[0] < 0.0


@pytest.mark.parametrize("wall_m", [0.3, 0.1])
def test_what_is_behind_a_wall_is_not_before_a_door(wall_m: float) -> None:
    walls = (
        *(box("left", 0.0, 19.85, 12.0, 20.15), box("right", 14.5, 19.85, 52.0, 20.15)),
        box("side", 26.0 - 0.5 * wall_m, 20.15, 26.0 + 0.5 * wall_m, 40.0),
    )
    floor = lay_floor(World((0.0, 0.0, 52.0, 40.0), walls))
    (door,) = (door for door in lay_lanes(floor).doors if door.out[1] > 0.0)
    x, _ = centers(floor)
    seen = door.surroundings(floor)
    assert np.count_nonzero(seen & (x > 25.0)) > 10
    assert not np.any(seen & (x > 26.0))


@pytest.mark.parametrize("name", ["door of 4 m", "door of 2.5 m", "two doors far apart"])
def test_in_a_room_without_corners_all_that_is_near_a_door_is_before_it(name: str) -> None:
    floor, lanes = laid(name)
    x, y = centers(floor)
    for door in lanes.doors:
        out_m = (x - door.place[0]) * door.out[0] + (y - door.place[1]) * door.out[1]
        near = (out_m > 0.5) & (np.hypot(x - door.place[0], y - door.place[1]) < REACH_M)
        differs = door.surroundings(floor) != (near & (floor.room > STANDING_ROOM_M))
        assert np.count_nonzero(differs) < 0.05 * np.count_nonzero(near)


def test_a_wide_opening_is_no_door() -> None:
    floor, lanes = laid("door of 4 m")
    for width_m, count in ((DOOR_M - 0.1, 2), (DOOR_M + 0.1, 0)):
        assert len(find_doors(floor, [replace(lanes.passages[0], width_m=width_m)], set())) == count


def test_right_before_a_door_all_but_the_lanes_is_kept_clear() -> None:
    floor, _ = laid("door of 2.5 m")
    x, y = centers(floor)
    away_m = np.hypot(np.abs(x - 20.0) - 0.15, y - 15.0)
    is_open, is_clear = floor.room > 0.0, floor.gate == KEPT_CLEAR
    assert np.all((is_clear | (floor.way >= 0))[is_open & (away_m < 4.5) & (np.abs(x - 20.0) > 0.5)])
    assert not np.any(is_clear & ((floor.way >= 0) | ~is_open | (away_m > 5.5)))
    assert np.count_nonzero(is_clear & (x < 20.0)) > 50
    assert np.count_nonzero(is_clear & (x > 20.0)) > 50


# --- places kept clear ----------------------------------------------------------------------------------------------


def with_clear_places(rng: np.random.Generator, size_m: float, obstacles: int, lanes: int, places: int) -> Floor:
    floor = random_floor(rng, size_m, obstacles, lanes)
    rows, columns = floor.room.shape
    for _ in range(places):
        row, column = rng.integers(rows), rng.integers(columns)
        floor.gate[row : row + rng.integers(4, 16), column : column + rng.integers(4, 16)] = KEPT_CLEAR
    note_lanes(floor)
    return floor


def is_clear_at(floor: Floor, x: float, y: float) -> bool:
    return floor.gate[int(y / floor.cell_m), int(x / floor.cell_m)] == KEPT_CLEAR


@pytest.mark.parametrize("seed", range(4))
def test_a_line_goes_through_a_place_kept_clear_only_where_it_begins_or_ends_in_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    floor = with_clear_places(rng, 20.0, 4, 2, 5)
    lifted = floor._replace(gate=np.full_like(floor.gate, -1))
    barred = allowed = 0
    for number in range(500):
        x0, y0 = rng.uniform(0.4, 19.6, 2)
        x1, y1 = rng.uniform(0.4, 19.6, 2) if number % 3 else (x0, y0) + rng.normal(0.0, 1.0, 2)
        if not (0.0 < x1 < 20.0 and 0.0 < y1 < 20.0) or math.hypot(x1 - x0, y1 - y0) < 0.5:
            continue
        line = (float(x0), float(y0), float(x1), float(y1))
        seen, seen_if_lifted = visible(floor, 0.3, *line), visible(lifted, 0.3, *line)
        within = is_clear_at(floor, x0, y0) or is_clear_at(floor, x1, y1)
        if within:
            assert seen == seen_if_lifted
            allowed += seen
            continue
        surely = np.any(floor.gate[cells_crossed(floor, *line, -1e-5)] == KEPT_CLEAR)
        perhaps = np.any(floor.gate[cells_crossed(floor, *line, 1e-5)] == KEPT_CLEAR)
        assert not (seen and surely)
        assert seen == seen_if_lifted or perhaps
        barred += seen_if_lifted and not seen
    assert min(barred, allowed) > 20


def least_costs(floor: Floor, start: int, goal: int) -> float:
    """The cost of the cheapest way, all moves written out: those into jams and places kept clear cost more."""
    columns = floor.room.shape[1]
    graph = moves(floor.way, floor.room >= RADIUS_M)
    begin, end = (np.stack(divmod(cells, columns)) for cells in graph.coords)
    base = np.where(np.abs(end - begin).sum(axis=0) == 2, 141, 100)
    room, avoided = floor.room[*end].astype(float), (floor.gate[*end] == KEPT_CLEAR) | floor.jam[*(end // BLOCK)]
    cost = np.floor(base * (1.0 + np.maximum(1.0 - room, 0.0) * (1.0 / (1.0 - RADIUS_M))))
    cost *= np.where(avoided, AVOIDING, 1)
    near_goal = np.abs(end - np.array(divmod(goal, columns))[:, None]).max(axis=0) <= 8
    graph.data = np.where(near_goal, base, cost).astype(float)
    return float(dijkstra(graph.tocsr(), indices=start)[goal])


@pytest.mark.parametrize("seed", range(4))
def test_the_cheapest_way_counts_moves_through_jams_and_places_kept_clear_more_often(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    floor = with_clear_places(rng, 10.0, 5, 2, 3)
    floor.jam[:] = rng.random(floor.jam.shape) < 0.3
    lifted = floor._replace(gate=np.full_like(floor.gate, -1), jam=np.zeros_like(floor.jam))
    scratch = make_scratch(floor)
    cells = np.flatnonzero(floor.room >= RADIUS_M)
    dearer = 0
    for start, goal in rng.choice(cells, (15, 2)):
        least = least_costs(floor, start, goal)
        outcome, cost, _ = search_cells(floor, RADIUS_M, start, goal, np.int64(256), np.int64(10**6), scratch)
        assert (outcome == NO_WAY) == math.isinf(least)
        if outcome == FOUND:
            assert cost == least
            dearer += cost > least_costs(lifted, start, goal)
    assert dearer > 2


def kept_clear(x0: float, y0: float, x1: float, y1: float) -> Floor:
    """An open floor of 20 by 20 m with one rectangle that is kept clear."""
    floor = lay_floor(World((0.0, 0.0, 20.0, 20.0)))
    floor.gate[int(4 * y0) : int(4 * y1), int(4 * x0) : int(4 * x1)] = KEPT_CLEAR
    note_lanes(floor)
    return floor


def crosses(floor: Floor, route: np.ndarray) -> bool:
    """Whether a way goes through a place kept clear."""
    met = [floor.gate[cells_crossed(floor, *map(float, (*a, *b)), -1e-5)] for a, b in pairwise(route)]
    return bool(np.any(np.concatenate(met) == KEPT_CLEAR))


def test_a_way_along_the_wall_leads_around_what_is_kept_clear_before_a_door() -> None:
    floor, _ = laid("door of 2.5 m")
    x = np.arange(15.5, 19.6, 0.5)
    starts, goals = np.column_stack((x, np.full_like(x, 5.0))), np.column_stack((x[::-1], np.full_like(x, 25.0)))
    for begin, end in ((starts, goals), (goals, starts)):
        routes = find_routes(floor, RADIUS_M, begin, end)
        assert np.all(routes.outcome == FOUND)
        for query, start in enumerate(begin):
            assert not crosses(floor, np.vstack((start, routes.points[query, : routes.count[query]])))


def test_ways_lead_around_places_kept_clear_that_are_far_from_all_obstacles() -> None:
    floor = kept_clear(8.0, 6.0, 12.0, 14.0)
    y = np.arange(5.0, 16.0)
    starts, goals = np.column_stack((np.full_like(y, 2.0), y)), np.column_stack((np.full_like(y, 18.0), 20.0 - y))
    routes = find_routes(floor, RADIUS_M, starts, goals)
    assert np.all(routes.outcome == FOUND)
    for query, start in enumerate(starts):
        assert not crosses(floor, np.vstack((start, routes.points[query, : routes.count[query]])))
    assert np.all(routes.count > 1)


def test_a_way_leads_through_a_place_kept_clear_where_there_is_none_around_it() -> None:
    floor = kept_clear(8.0, 0.0, 12.0, 20.0)
    routes = find_routes(floor, RADIUS_M, [(2.0, 10.0)], [(18.0, 10.0)])
    assert routes.outcome[0] == FOUND
    assert routes.points[0, routes.count[0] - 1].tolist() == [18.0, 10.0]
    length_m = routes.left[0, 0] + math.dist((2.0, 10.0), routes.points[0, 0])
    assert length_m == pytest.approx(16.0, rel=0.1)


def test_who_stands_in_a_place_kept_clear_or_has_its_goal_there_finds_its_way() -> None:
    floor = kept_clear(8.0, 6.0, 12.0, 14.0)
    outside, inside = (2.0, 10.0), (10.0, 10.0)
    routes = find_routes(floor, RADIUS_M, [outside, inside], [inside, outside])
    assert np.all(routes.outcome == FOUND)
    for query, goal in enumerate((inside, outside)):
        assert routes.points[query, routes.count[query] - 1].tolist() == list(goal)


def test_a_goal_right_beside_the_lanes_before_a_door_is_reached() -> None:
    crowd = Crowd(doors(2.5, 15.0), (human(),), seed=1)
    row, column = np.argwhere((crowd.floor.gate == KEPT_CLEAR) & (crowd.floor.room > 1.0))[0]
    goal = ((column + 0.5) * crowd.floor.cell_m, (row + 0.5) * crowd.floor.cell_m)
    crowd.add(0, (5.0, 15.0, 0.0), Errand.to(*goal))
    crowd.run(20.0)
    assert crowd.statistics.arrivals == 1
    assert math.dist(crowd._flock.end[0, :2], goal) <= 0.5
