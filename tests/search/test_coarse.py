"""Coarse maps: rough ways that are the shortest, keep doorways open, and know what is crossed."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from scipy import ndimage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from gambol.characters import Annotation, Character, load_character
from gambol.search.coarse import COST_M, FAR, MARKED_M, CoarseMap, coarse_map
from gambol.world import Bump, Footprint, Obstacle, Special, World, terrain_from_bumps

CORRIDOR = (0.0, 0.0, 20.0, 6.0)
START, GOAL = (2.0, 3.0), (18.0, 3.0)


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human")


def across_corridor(length_m: float = 6.0, thickness_m: float = 0.2, *, bottom: float = 0.0, top: float = 3.0) -> World:
    """A corridor with something all across its middle."""
    thing = Obstacle("thing", Footprint.box(thickness_m, length_m), (10.0, 3.0, 0.0), bottom, top)
    return World(CORRIDOR, (thing,))


def random_world(seed: int) -> World:
    rng = np.random.default_rng(seed)
    things = [
        Obstacle(
            f"box {n}", Footprint.box(*rng.uniform(0.2, 5.0, 2)), (*rng.uniform(0.0, 20.0, 2), rng.uniform(0, 6)),
            0.0, float(rng.choice([0.3, 3.0])),
        )
        for n in range(25)
    ]  # fmt: skip
    return World((0.0, 0.0, 20.0, 20.0), tuple(things))


def graph(coarse: CoarseMap, costs: np.ndarray) -> csr_array:
    return csr_array((costs, coarse.to, coarse.first_way), shape=(len(coarse), len(coarse)))


@pytest.mark.parametrize("seed", range(8))
def test_ways_are_those_of_an_independent_dijkstra(human: Character, seed: int) -> None:
    coarse = coarse_map(random_world(seed), human)
    rng = np.random.default_rng(seed)
    goal = coarse.point[rng.integers(len(coarse))]
    field = coarse.field(*goal)
    assert field is not None
    source = coarse.place_at(*goal)
    expected = dijkstra(graph(coarse, coarse.cost), indices=source)
    assert np.array_equal(np.where(field.cost == FAR, np.inf, field.cost), expected)
    for place in rng.integers(len(coarse), size=20):
        route = field.route(*coarse.point[place])
        early = coarse.route(tuple(coarse.point[place]), tuple(goal))
        if np.isinf(expected[place]):
            assert route is None
            assert early is None
            continue
        assert route is not None
        assert early is not None
        for found in (route, early):
            steps = zip(found.places[:-1], found.places[1:], strict=True)
            costs = [_cost_between(coarse, int(b), int(a)) for a, b in steps if a != b]
            assert sum(costs) == expected[place]


def _cost_between(coarse: CoarseMap, place: int, neighbour: int) -> int:
    ways = slice(int(coarse.first_way[place]), int(coarse.first_way[place + 1]))
    return int(coarse.cost[ways][coarse.to[ways] == neighbour][0])


@pytest.mark.parametrize("seed", range(8))
def test_places_are_connected_where_their_fine_cells_are(human: Character, seed: int) -> None:
    coarse = coarse_map(random_world(seed), human)
    parts, count = ndimage.label(coarse.place_of >= 0)  # pyright: ignore[reportGeneralTypeIssues]
    number, component = connected_components(graph(coarse, coarse.cost), directed=False)
    assert number == count
    cells = coarse.place_of >= 0
    pairs = np.unique(np.stack((parts[cells], component[coarse.place_of[cells]])), axis=1)
    assert pairs.shape[1] == count


@pytest.mark.parametrize("gap_m", [0.7, 0.9])
@pytest.mark.parametrize("centre", np.linspace(2.0, 4.0, 9))
def test_a_doorway_narrower_than_a_square_stays_open_wherever_it_is(
    human: Character, gap_m: float, centre: float
) -> None:
    low, high = centre - 0.5 * gap_m, centre + 0.5 * gap_m
    walls = [
        Obstacle("south", Footprint.box(0.3, low), (10.0, 0.5 * low, 0.0)),
        Obstacle("north", Footprint.box(0.3, 6.0 - high), (10.0, 0.5 * (6.0 + high), 0.0)),
    ]
    route = coarse_map(World(CORRIDOR, tuple(walls)), human).route(START, GOAL)
    assert route is not None
    near = np.abs(route.points[:, 0] - 10.0) < 0.15
    assert (np.abs(route.points[near, 1] - centre) <= 0.5 * gap_m).all()
    assert not route.is_crossing.any()


def test_there_is_no_way_through_a_wall(human: Character) -> None:
    coarse = coarse_map(across_corridor(), human)
    assert coarse.route(START, GOAL) is None
    field = coarse.field(*GOAL)
    assert field is not None
    assert field.route(*START) is None


@pytest.mark.parametrize(("bottom", "top"), [(0.0, 0.35), (1.25, 3.0), (0.8, 3.0)])
def test_what_only_special_clips_pass_is_a_crossing_with_marks_before_it(
    human: Character, bottom: float, top: float
) -> None:
    route = coarse_map(across_corridor(bottom=bottom, top=top), human).route(START, GOAL)
    assert route is not None
    crossing = np.flatnonzero(route.is_crossing)
    assert len(crossing)
    assert np.abs(route.points[crossing, 0] - 10.0).max() < 0.5
    assert np.allclose(route.across[crossing], (1.0, 0.0))
    before = route.along_m[crossing[0]] - route.along_m
    to_goal = route.length_m - route.along_m
    expected = ((before > 0.0) & (before <= MARKED_M)) | ((to_goal > 0.0) & (to_goal <= MARKED_M))
    assert np.array_equal(route.is_marked, expected & ~route.is_crossing)
    assert not route.is_marked[-1]


def test_who_cannot_jump_does_not_cross_a_hurdle(human: Character) -> None:
    world = across_corridor(top=0.35)
    walker = human.only([one.name for one in human.behaviors if one.kind != "jump"])
    assert coarse_map(world, walker).route(START, GOAL) is None


def test_what_is_low_but_too_thick_to_jump_over_is_gone_around(human: Character) -> None:
    world = across_corridor(length_m=3.0, thickness_m=8.0, top=0.35)
    route = coarse_map(world, human).route(START, GOAL)
    assert route is not None
    assert not route.is_crossing.any()
    assert (np.abs(route.points[np.abs(route.points[:, 0] - 10.0) < 4.0, 1] - 3.0) > 1.5).all()


def test_what_is_higher_than_all_heads_is_no_crossing(human: Character) -> None:
    route = coarse_map(across_corridor(bottom=2.5), human).route(START, GOAL)
    assert route is not None
    assert not route.is_crossing.any()
    assert route.length_m == pytest.approx(16.0, abs=0.8)


def test_an_annotated_obstacle_is_crossed_by_who_is_tagged_for_it_alone(human: Character) -> None:
    thing = replace(across_corridor().obstacles[0], special=Special("leap", 3.0, 0.5))
    world = World(CORRIDOR, (thing,))
    assert coarse_map(world, human).route(START, GOAL) is None
    tagged = tuple(
        replace(one, annotation=Annotation(special="leap")) if one.name == "jump" else one for one in human.behaviors
    )
    route = coarse_map(world, replace(human, behaviors=tagged)).route(START, GOAL)
    assert route is not None
    assert route.is_crossing.any()


def test_a_sub_goal_is_the_point_closest_to_a_distance_and_never_in_a_crossing(human: Character) -> None:
    route = coarse_map(across_corridor(top=0.35), human).route(START, GOAL)
    assert route is not None
    for distance in np.linspace(0.5, 16.0, 40):
        number = route.ahead(distance)
        assert not route.is_crossing[number]
        others = ~route.is_crossing
        others[0] = False
        assert abs(route.along_m[number] - distance) == np.abs(route.along_m[others] - distance).min()


def test_dear_places_are_gone_around(human: Character) -> None:
    coarse = coarse_map(World((0.0, 0.0, 20.0, 20.0)), human)
    extra = np.where(np.hypot(*(coarse.point - 10.0).T) < 3.0, 5.0, 0.0)
    field = coarse.field(17.0, 10.0, extra_m=extra)
    assert field is not None
    route = field.route(3.0, 10.0)
    assert route is not None
    assert np.hypot(*(route.points - 10.0).T).min() >= 3.0
    shorter = coarse.route((3.0, 10.0), (17.0, 10.0))
    assert shorter is not None
    assert shorter.length_m < route.length_m


def test_who_dislikes_climbing_goes_around_a_hill(human: Character) -> None:
    bounds = (0.0, 0.0, 30.0, 30.0)
    hill = terrain_from_bumps(bounds, [Bump((15.0, 15.0), 6.0, 1.0)])
    coarse = coarse_map(World(bounds, terrain=hill), human)
    heights = {}
    for climb in (0.0, 20.0):
        field = coarse.field(27.0, 15.0, climb_cost=climb)
        assert field is not None
        route = field.route(3.0, 15.0)
        assert route is not None
        heights[climb] = hill.height(route.points).max()
    assert heights[20.0] < 0.4 < 0.8 < heights[0.0]


@pytest.mark.parametrize("climb", [1e4, 1e9, 1e300])
def test_however_dear_climbing_is_ways_are_found_and_soon(human: Character, climb: float) -> None:
    bounds = (0.0, 0.0, 30.0, 30.0)
    ridge = terrain_from_bumps(bounds, [Bump((15.0, y), 4.0, 3.0) for y in np.arange(-5.0, 36.0, 2.0)])
    coarse = coarse_map(World(bounds, terrain=ridge), human)
    begun = time.process_time()
    field = coarse.field(27.0, 15.0, climb_cost=climb, descend_cost=climb)
    assert field is not None
    assert time.process_time() - begun < 1.0
    assert (field.cost >= 0).all()
    assert field.cost.max() < FAR
    route = field.route(3.0, 15.0)
    assert route is not None
    later = field.cost[route.places[:-1]]
    assert (np.diff(later) < 0).all()


def test_whoever_stands_in_a_closed_cell_is_where_the_nearest_open_one_is(human: Character) -> None:
    coarse = coarse_map(across_corridor(length_m=2.0), human)
    place = coarse.place_at(10.05, 3.0)
    assert place >= 0
    assert np.hypot(*(coarse.point[place] - (10.05, 3.0))) < 1.5
    assert coarse.place_at(-50.0, 3.0) == -1


def test_the_way_is_somewhat_dearer_where_it_is_tight(human: Character) -> None:
    coarse = coarse_map(World(CORRIDOR), human)
    here = np.repeat(np.arange(len(coarse)), np.diff(coarse.first_way))
    away = np.hypot(*(coarse.point[here] - coarse.point[coarse.to]).T)
    ratio = coarse.cost * COST_M / away
    roomy = (coarse.room_m[here] >= 1.0) & (coarse.room_m[coarse.to] >= 1.0)
    assert np.allclose(ratio[roomy], 1.0, atol=0.02)
    assert (ratio[~roomy] > 1.0 - 0.02).all()
    assert ratio[~roomy].max() > 1.2
