"""Ways over coarse maps in the core, against scipy's shortest paths in the graph of sixteen directions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from gambol.characters import load_character
from gambol.core import Struct, lib, struct
from gambol.search import Goal, Problem
from gambol.trees.trip_map import trip_map
from gambol.trees.trip_ways import Ways, room_for_ways, rough_ways
from gambol.world import Footprint, Obstacle, World

CELL_M, BORDER = 0.5, int(lib.GB_MAP_BORDER)
FREE = 5 * lib.GB_MAP_FREE  # what a cell of free ground costs
BUCKET = 16  # by so much cells may be settled out of order, each time
OFF_M = 3.0  # added to straight lines where no way was looked for
FIFTHS = {1: 5, 2: 7, 5: 11}  # of a cell, by the square of the distance
DIRECTIONS = [(r, c) for r in range(-2, 3) for c in range(-2, 3) if math.gcd(r, c) == 1]


class Spread(NamedTuple):
    found: bool
    ways: Ways
    left: np.ndarray  # (rows, columns)
    goal: int
    start: int


def random_map(seed: int) -> Struct:
    """Return a map of random prices, some cells of which are closed."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(size) for size in rng.integers(4, 40, 2) + 2 * BORDER)
    price = np.where(rng.random(shape) < 0.5, 16, rng.integers(1, 12, shape) * 16).astype(np.uint8)
    price[rng.random(shape) < rng.choice([0.0, 0.15, 0.35])] = 0
    crossing = (rng.random(shape) < rng.choice([0.0, 0.03])).astype(np.uint8)
    for edge in (slice(0, BORDER), slice(-BORDER, None)):
        price[edge], price[:, edge], crossing[edge], crossing[:, edge] = 0, 0, 0, 0
    return struct(
        "gb_map", x0=-1.0, y0=2.0, cell_m=CELL_M, rows=shape[0], columns=shape[1], price=price, crossing=crossing,
        has_crossing=bool(crossing.any()), world=None, kinds=None, style=None, notes=None,
    )  # fmt: skip


def middle(drawn: Struct, cell: int) -> tuple[float, float]:
    row, column = divmod(cell, int(drawn.c.columns))
    return drawn.c.x0 + (column + 0.5) * CELL_M, drawn.c.y0 + (row + 0.5) * CELL_M


def spread(drawn: Struct, seed: int, margin_m: float) -> Spread:
    """Spread ways from an open cell to another."""
    goal, start = np.random.default_rng(seed).choice(np.flatnonzero(drawn.kept["price"]), 2).tolist()
    ways = room_for_ways(drawn, 1)
    found = lib.gb_way_spread(ways.array, drawn.c, *middle(drawn, goal), 0.0, *middle(drawn, start), margin_m)
    return Spread(bool(found), ways, ways.left[0], goal, start)


def graph(price: np.ndarray) -> coo_array:
    """Return what steps between open cells cost that touch no closed one."""
    ones, others, costs = [], [], []
    for row, column in np.argwhere(price > 0).tolist():
        for rows, columns in DIRECTIONS:
            if price[row + rows, column + columns] == 0:
                continue
            # A diagonal passes between two cells, a knight's step through two.
            sign = math.copysign(1, rows), math.copysign(1, columns)
            passed = {1: [], 2: [(rows, 0), (0, columns)], 5: [
                (int(sign[0]) if abs(rows) == 2 else 0, int(sign[1]) if abs(columns) == 2 else 0),
                (int(sign[0]), int(sign[1])),
            ]}[rows * rows + columns * columns]  # fmt: skip
            if any(price[row + down, column + right] == 0 for down, right in passed):
                continue
            ones.append(row * price.shape[1] + column)
            others.append((row + rows) * price.shape[1] + column + columns)
            both = int(price[row, column]) + int(price[row + rows, column + columns])
            costs.append(FIFTHS[rows * rows + columns * columns] * both // 2)
    return coo_array((np.array(costs, float), (ones, others)), shape=(price.size, price.size))


@pytest.mark.parametrize("seed", range(40))
def test_costs_are_those_of_shortest_ways_wherever_they_matter(seed: int) -> None:
    drawn, margin_m = random_map(seed), [0.0, 1.5, 1e4][seed % 3]
    tried = spread(drawn, seed, margin_m)
    best = np.asarray(dijkstra(graph(drawn.kept["price"]).tocsr(), indices=tried.goal)).reshape(tried.left.shape)
    from_start = np.asarray(dijkstra(graph(drawn.kept["price"]).tocsr(), indices=tried.start)).reshape(best.shape)
    least = best.flat[tried.start]
    assert tried.found == np.isfinite(least)
    known = tried.left >= 0
    assert (tried.left[known] >= best[known]).all()  # no cell is cheaper than it can be
    assert known.flat[tried.goal]
    assert tried.left.flat[tried.goal] == 0
    if tried.found:
        assert tried.left.flat[tried.start] <= 1.02 * least + BUCKET
        on_way = best + from_start < least + margin_m / CELL_M * FREE + least / lib.GB_WAY_MARGIN_SHARE - 2 * BUCKET
        on_way &= np.isfinite(best)
        assert known[on_way].all()
        assert (tried.left[on_way] <= 1.02 * best[on_way] + BUCKET).all()
    if margin_m > 1e3 and tried.found:
        assert (known == np.isfinite(best)).all()


@pytest.mark.parametrize("seed", range(8))
def test_a_way_is_as_long_as_between_the_four_cells_around_a_place(seed: int) -> None:
    drawn, rng = random_map(seed), np.random.default_rng(seed)
    tried = spread(drawn, seed, 1e4)
    rows, columns = tried.left.shape
    goal, start = np.array(middle(drawn, tried.goal)), np.array(middle(drawn, tried.start))
    for _ in range(200):
        u, v = rng.uniform(-1.0, columns), rng.uniform(-1.0, rows)
        x, y = drawn.c.x0 + (u + 0.5) * CELL_M, drawn.c.y0 + (v + 0.5) * CELL_M
        length = lib.gb_way_length(tried.ways.array, x, y)
        known_otherwise = tried.ways.array[0].beyond_m - math.hypot(*(start - (x, y)))
        away = max(math.hypot(*(goal - (x, y))) + OFF_M, known_otherwise)
        if not (0.0 <= u < columns - 1 and 0.0 <= v < rows - 1):
            assert length == pytest.approx(away)
            continue
        column, row = int(u), int(v)
        corners = tried.left[row : row + 2, column : column + 2]
        shares = np.outer([1 - (v - row), v - row], [1 - (u - column), u - column])
        if (corners >= 0).all():
            assert length == pytest.approx((shares * corners).sum() / FREE * CELL_M)
        elif (corners >= 0).any():
            assert length == pytest.approx(corners[shares == shares[corners >= 0].max()].max() / FREE * CELL_M)
        else:
            assert length == pytest.approx(away)


@pytest.mark.parametrize("seed", range(12))
def test_where_no_way_was_looked_for_no_more_is_said_to_be_left_than_there_is(seed: int) -> None:
    """But for the straight line and some metres, which is said in any case."""
    drawn = random_map(seed)
    tried = spread(drawn, seed, 1.0)
    best = np.asarray(dijkstra(graph(drawn.kept["price"]).tocsr(), indices=tried.goal)).reshape(tried.left.shape)
    for cell in np.flatnonzero((tried.left < 0) & np.isfinite(best)).tolist() if tried.found else ():
        x, y = middle(drawn, cell)
        straight = math.dist((x, y), middle(drawn, tried.goal)) + OFF_M
        length = lib.gb_way_length(tried.ways.array, x, y)
        # A cell between known ones says what they say; steps from cell to cell are up to 2 % off.
        if tried.left.flat[[cell, cell + 1, cell + tried.left.shape[1], cell + tried.left.shape[1] + 1]].max() >= 0:
            continue
        doubt = 0.03 * math.dist((x, y), middle(drawn, tried.start)) + 2 * BUCKET / FREE * CELL_M
        assert length <= max(straight, best.flat[cell] / FREE * CELL_M + doubt)


def test_in_the_open_a_way_is_at_most_a_few_per_cent_longer_than_the_straight_line() -> None:
    world = World((0.0, 0.0, 40.0, 40.0))
    drawn, rng = trip_map(world, load_character("human")), np.random.default_rng(3)
    ways = room_for_ways(drawn, 1)
    for _ in range(50):
        (x0, y0), (x1, y1) = rng.uniform(3.0, 37.0, (2, 2))
        assert lib.gb_way_spread(ways.array, drawn.c, x1, y1, 0.0, x0, y0, 0.0)
        away_m = math.hypot(x1 - x0, y1 - y0)
        assert away_m * 0.99 - 1.0 < lib.gb_way_length(ways.array, x0, y0) < away_m * 1.03 + 1.0


def test_what_is_closed_is_gone_around_and_its_other_side_is_no_way_if_it_is_shut() -> None:
    human = load_character("human")
    wall = Obstacle("wall", Footprint.box(0.4, 12.0), (10.0, 6.0, 0.0))
    around = World((0.0, 0.0, 20.0, 20.0), (wall,))
    (way,) = rough_ways(Problem(around, human, (5.0, 5.0, 0.0), Goal(15.0, 5.0)))
    assert way.points[:, 1].max() > 12.0
    assert 18.0 < np.hypot(*np.diff(way.points, axis=0).T).sum() < 20.0
    shut = World((0.0, 0.0, 20.0, 12.0), (wall,))
    assert rough_ways(Problem(shut, human, (5.0, 5.0, 0.0), Goal(15.0, 5.0))) == []
    both = rough_ways(Problem(around, human, (5.0, 5.0, 0.0), Goal(5.0, 15.0), waypoints=(Goal(15.0, 5.0),)))
    assert len(both) == 2
    assert np.hypot(*(both[0].points[-1] - both[1].points[0])) < 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_a_way_is_known_to_cross_something_only_near_where_it_does(seed: int) -> None:
    drawn = random_map(seed)
    tried = spread(drawn, seed, 1e4)
    marked = np.argwhere(drawn.kept["crossing"])
    for cell in np.flatnonzero(tried.left >= 0)[::7].tolist():
        row, column = divmod(cell, tried.left.shape[1])
        for within_m in (0.0, 2.0):
            crosses = lib.gb_way_crosses(tried.ways.array, *middle(drawn, cell), within_m)
            steps = np.abs(marked - (row, column)).max(axis=1).min() if len(marked) else np.inf
            if drawn.kept["crossing"][row, column]:
                assert crosses
            if crosses:
                assert steps <= within_m / CELL_M + 1


def test_a_way_through_a_gap_that_is_crossed_says_so_from_within_the_distance_asked_for() -> None:
    human = load_character("human")
    sides = [Obstacle(name, Footprint.box(0.4, 8.0), (10.0, y, 0.0)) for name, y in (("south", 4.0), ("north", 16.0))]
    hurdle = Obstacle("hurdle", Footprint.box(0.3, 4.0), (10.0, 10.0, 0.0), 0.0, 0.3)
    drawn = trip_map(World((0.0, 0.0, 20.0, 20.0), (*sides, hurdle)), human)
    ways = room_for_ways(drawn, 1)
    assert lib.gb_way_spread(ways.array, drawn.c, 17.0, 10.0, 0.0, 3.0, 10.0, 5.0)
    for x, within_m, expected in ((3.0, 4.0, False), (3.0, 9.0, True), (7.0, 4.0, True), (13.0, 9.0, False)):
        assert bool(lib.gb_way_crosses(ways.array, x, 10.0, within_m)) == expected
