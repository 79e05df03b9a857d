"""Distance fields in the core, against shortest ways in a graph of corners, in whatever order they are asked for."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from gambol.core import ffi, lib
from gambol.search.way import ClosedCells, WayField, way_field

FAR = 1e18
ALONG, ACROSS = 29, 41  # 41 / 29 is a little less than the square root of 2
TOO_LONG = math.sqrt(4.0 - 2.0 * math.sqrt(2.0))  # times: eight directions against all, at 22.5 degrees
X0, Y0, CELL_M = -3.0, 1.5, 0.25


def ways_between_corners(closed: np.ndarray) -> coo_array:
    """Return the edges: along the sides of open cells, and across these."""
    rows, columns = closed.shape
    edges: dict[tuple[int, int], float] = {}
    for row, column in np.argwhere(~closed).tolist():
        corners = [(row + down) * (columns + 1) + column + right for down in (0, 1) for right in (0, 1)]
        for (a, one), (b, other) in itertools.permutations(enumerate(corners), 2):
            edges[one, other] = ACROSS if a + b == 3 else ALONG
    ends = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
    size = (rows + 1) * (columns + 1)
    return coo_array((list(edges.values()), ends.T), shape=(size, size))


def whole_field(closed: np.ndarray, goal: tuple[float, float, float]) -> np.ndarray:
    """Return distances of all corners from those of open cells that a disc touches; infinite without a way."""
    rows, columns = closed.shape
    sources: set[int] = set()
    for row, column in np.argwhere(~closed).tolist():
        x0, y0 = X0 + CELL_M * column, Y0 + CELL_M * row
        gap = math.hypot(*(max(0.0, a - p, p - a - CELL_M) for a, p in zip((x0, y0), goal, strict=False)))
        if gap <= goal[2]:
            sources |= {(row + down) * (columns + 1) + column + right for down in (0, 1) for right in (0, 1)}
    if not sources:
        return np.full((rows + 1, columns + 1), np.inf)
    found = dijkstra(ways_between_corners(closed).tocsr(), indices=sorted(sources), min_only=True)
    return found.reshape(rows + 1, columns + 1)


def place(closed: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    rows, columns = closed.shape
    return X0 + CELL_M * float(rng.uniform(-1, columns + 1)), Y0 + CELL_M * float(rng.uniform(-1, rows + 1))


def begun(closed: np.ndarray, rng: np.random.Generator) -> tuple[WayField, tuple[float, float, float]]:
    goal = (*place(closed, rng), CELL_M * float(rng.choice([0.3, 1.0, 6.0])))
    return WayField(ClosedCells(X0, Y0, CELL_M, closed), goal, place(closed, rng)), goal


def random_closed(rng: np.random.Generator, most: int = 40) -> np.ndarray:
    """Return random cells; or those of a maze of walls, with pockets that nothing leads into."""
    closed = rng.random(tuple(rng.integers(1, most, 2))) < rng.choice([0.0, 0.1, 0.3, 0.5, 0.6])
    for _ in range(int(rng.integers(0, 6))):
        row, column = rng.integers(0, closed.shape)
        height, width = rng.integers(1, 12, 2)
        closed[row : row + height, column : column + width] = True
        closed[row + 1 : row + height - 1, column + 1 : column + width - 1] = False
    return closed


@pytest.mark.parametrize("seed", range(60))
def test_a_distance_is_that_of_the_shortest_way_in_whatever_order_corners_are_asked_for(seed: int):
    rng = np.random.default_rng(seed)
    closed = random_closed(rng)
    field, goal = begun(closed, rng)
    expected = whole_field(closed, goal)
    corners = rng.permutation(np.argwhere(np.ones_like(expected)))
    for number, (row, column) in enumerate(corners.tolist()):
        if number % 50 == 49:
            lib.gb_field_aim(field.core.c, *place(closed, rng))
        found = lib.gb_field_distance(field.core.c, row, column)
        assert found == (expected[row, column] if np.isfinite(expected[row, column]) else -1)


@pytest.mark.parametrize("seed", range(6))
def test_it_is_spread_only_around_the_ways_that_are_asked_for(seed: int):
    rng = np.random.default_rng(seed)
    closed = np.zeros((200, 300), dtype=bool)
    closed[rng.integers(0, 200, 40), rng.integers(0, 300, 40)] = True
    closed[100, [20, 280]] = False
    cells = ClosedCells(0.0, 0.0, 1.0, closed)
    field = WayField(cells, (280.5, 100.5, 0.5), (20.5, 100.5))
    assert lib.gb_field_distance(field.core.c, 100, 20) >= 255 * ALONG
    assert np.count_nonzero(field.core.kept["labels"]) < 0.05 * closed.size


def test_a_pocket_is_found_to_be_shut_without_going_everywhere():
    closed = np.zeros((300, 300), dtype=bool)
    closed[50:61, 50:61] = True
    closed[52:59, 52:59] = False
    field = WayField(ClosedCells(0.0, 0.0, 1.0, closed), (250.0, 250.0, 1.0), (20.0, 20.0))
    assert lib.gb_field_distance(field.core.c, 55, 55) == -1
    assert np.count_nonzero(field.core.kept["labels"]) < 0.1 * closed.size
    assert lib.gb_field_distance(field.core.c, 50, 50) > 0


def test_where_much_waits_the_queue_is_sorted_anew(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(3)
    closed = random_closed(rng) & False
    field, goal = begun(closed, rng)
    expected = whole_field(closed, goal)
    corners = (closed.shape[0] + 1) * (closed.shape[1] + 1)
    field.core.c.room = corners + 8  # the least that can do
    for row, column in rng.permutation(np.argwhere(np.isfinite(expected))).tolist():
        assert lib.gb_field_distance(field.core.c, row, column) == expected[row, column]


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-2.0, 12.0), st.floats(-2.0, 9.0))
def test_within_a_cell_the_way_is_that_of_a_corner_less_the_distance_from_it(seed: int, u: float, v: float):
    rng = np.random.default_rng(seed)
    closed = rng.random((7, 10)) < 0.3
    field, goal = begun(closed, rng)
    expected = whole_field(closed, goal)
    found = lib.gb_field_way_left(field.core.c, u, v)
    if not (0.0 <= u < 10.0 and 0.0 <= v < 7.0):
        assert found == FAR
        return
    corners = [(int(v) + down, int(u) + right) for down in (0, 1) for right in (0, 1)]
    if any(math.isinf(expected[corner]) for corner in corners):
        assert found == FAR
        return
    lefts = [max(0.0, expected[corner] / ALONG / TOO_LONG - math.sqrt(2.0)) for corner in corners]
    ways = [left - math.hypot(u - c, v - r) for left, (r, c) in zip(lefts, corners, strict=True)]
    assert found == pytest.approx(max(0.0, *ways), abs=1e-12)


def test_a_field_is_begun_once_for_a_goal():
    cells = ClosedCells(0.0, 0.0, 0.1, np.zeros((20, 20), dtype=bool))
    one = way_field(cells, (1.0, 1.0, 0.2), (0.1, 0.1))
    assert way_field(cells, (1.0, 1.0, 0.2), (1.9, 0.1)) is one
    assert way_field(cells, (1.0, 1.0, 0.3), (0.1, 0.1)) is not one


@pytest.mark.parametrize("seed", range(20))
def test_what_is_known_before_a_field_is_spread_is_never_more_than_it_says_then(seed: int):
    rng = np.random.default_rng(seed)
    closed = random_closed(rng)
    field, _ = begun(closed, rng)
    is_sure = ffi.new("int32_t *")
    for _ in range(300):
        u, v = rng.uniform(-0.5, closed.shape[1] + 0.5), rng.uniform(-0.5, closed.shape[0] + 0.5)
        least = lib.gb_field_way_at_least(field.core.c, u, v, is_sure)
        if is_sure[0] or rng.random() < 0.5:
            assert (lib.gb_field_way_left(field.core.c, u, v) == least) or (is_sure[0] == 0)
            assert least <= lib.gb_field_way_left(field.core.c, u, v)
