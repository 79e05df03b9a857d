"""Coarse maps in the core: cells, places, ways, and the shortest of these, against a few plain lines each."""

from __future__ import annotations

import heapq
import itertools

import numpy as np
import pytest
from scipy import ndimage
from tests.support.coarse_cells import BLOCK, cells_of

from gambol.core import Struct, ffi, lib, pointer, struct
from gambol.search.coarse_cells import CLOSED, OPEN


def gathered(kind: np.ndarray, room: np.ndarray) -> Struct:
    """Return cells and their places, all looked at."""
    cells = cells_of(kind, room)
    is_new, scratch = np.ones(len(cells.kept["first_of"]) - 1, bool), np.empty(BLOCK * BLOCK, np.int32)
    lib.gb_coarse_gather_places(cells.c, pointer(is_new, "uint8_t"), ffi.NULL, pointer(scratch, "int32_t"))
    return cells


def random_cells(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return kinds and room of cells, whole squares of one kind among them."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(4, 40, 2))
    kind = rng.choice(np.array([OPEN, CLOSED, 3], np.int32), shape, p=[0.6, 0.3, 0.1])
    kind[rng.random(shape) < rng.random()] = OPEN
    kind[: rng.integers(0, shape[0]), : rng.integers(0, shape[1])] = OPEN
    return kind.astype(np.int32), np.round(rng.random(shape), 1)


@pytest.mark.parametrize("seed", range(20))
def test_places_are_the_connected_parts_of_one_kind_of_each_square(seed: int) -> None:
    kind, room = random_cells(seed)
    cells = gathered(kind, room)
    place_of, first_of = cells.kept["place_of"], cells.kept["first_of"]
    count = 0
    squares = itertools.product(range(0, kind.shape[0], BLOCK), range(0, kind.shape[1], BLOCK))
    for number, (row, column) in enumerate(squares):
        assert first_of[number] == count
        inside = slice(row, row + BLOCK), slice(column, column + BLOCK)
        for sort in (OPEN, 3):
            parts, found = ndimage.label(kind[inside] == sort)  # pyright: ignore[reportGeneralTypeIssues]
            for part in range(1, found + 1):
                place = np.unique(place_of[inside][parts == part])
                assert len(place) == 1
                assert (place_of == place[0]).sum() == (parts == part).sum()
                best = cells.kept["row"][place[0]], cells.kept["column"][place[0]]
                assert place_of[best] == place[0]
                assert room[best] == room[inside][parts == part].max()
            count += found
    assert cells.c.places == count
    assert ((place_of < 0) == (kind == CLOSED)).all()


@pytest.mark.parametrize("seed", range(10))
def test_places_of_squares_that_are_kept_are_those_looked_at(seed: int) -> None:
    kind, room = random_cells(seed)
    before = gathered(kind, room)
    kind, room = kind.copy(), room.copy()
    rows = slice(BLOCK, 2 * BLOCK)
    kind[rows], room[rows] = CLOSED, 0.0
    is_new = np.zeros((-(-kind.shape[0] // BLOCK), -(-kind.shape[1] // BLOCK)), bool)
    is_new[1:2] = True
    mended, scratch = cells_of(kind, room), np.empty(BLOCK * BLOCK, np.int32)
    lib.gb_coarse_gather_places(mended.c, pointer(is_new, "uint8_t"), before.c, pointer(scratch, "int32_t"))
    anew = gathered(kind, room)
    assert mended.c.places == anew.c.places
    for name in ("place_of", "first_of"):
        np.testing.assert_array_equal(mended.kept[name], anew.kept[name])
    for name in ("row", "column"):
        np.testing.assert_array_equal(mended.kept[name][: anew.c.places], anew.kept[name][: anew.c.places])


@pytest.mark.parametrize("seed", range(10))
def test_side_ways_join_the_places_of_cells_with_a_side_in_common(seed: int) -> None:
    cells = gathered(*random_cells(seed))
    place_of = cells.kept["place_of"]
    beside = np.stack((place_of[:, :-1].ravel(), place_of[:, 1:].ravel()))
    above = np.stack((place_of[:-1].ravel(), place_of[1:].ravel()))
    one, other = np.concatenate((beside, above), axis=1)
    joined = (one >= 0) & (other >= 0) & (one != other)
    expected = set(zip(one[joined], other[joined], strict=True)) | set(zip(other[joined], one[joined], strict=True))
    count = lib.gb_coarse_side_ways(cells.c, ffi.NULL, ffi.NULL, 0)
    here, there = np.empty(count, np.int32), np.empty(count, np.int32)
    assert lib.gb_coarse_side_ways(cells.c, pointer(here, "int32_t"), pointer(there, "int32_t"), count) == count
    assert set(zip(here, there, strict=True)) == expected


def ordered(here: np.ndarray, there: np.ndarray, places: int) -> tuple[np.ndarray, np.ndarray]:
    first, to, filled = np.empty(places + 1, np.int64), np.empty(len(here), np.int32), np.empty(places, np.int64)
    count = lib.gb_coarse_order_ways(
        pointer(here, "int32_t"), pointer(there, "int32_t"), len(here), places, pointer(first, "int64_t"),
        pointer(to, "int32_t"), pointer(filled, "int64_t"),
    )  # fmt: skip
    return first, to[:count]


def random_graph(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return neighbours both ways: where those of each place begin, and all."""
    rng = np.random.default_rng(seed)
    places = int(rng.integers(1, 60))
    pairs = rng.integers(places, size=(2, 2 * places)).astype(np.int32)
    return ordered(np.concatenate((pairs[0], pairs[1])), np.concatenate((pairs[1], pairs[0])), places)


@pytest.mark.parametrize("seed", range(10))
def test_ordered_ways_are_the_set_of_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    here, there = rng.integers(12, size=(2, 80)).astype(np.int32)
    first, to = ordered(here, there, 12)
    found = list(zip(np.repeat(np.arange(12), np.diff(first)), to, strict=True))
    assert found == sorted(set(zip(here, there, strict=True)))


@pytest.mark.parametrize("seed", range(10))
def test_corner_ways_go_through_both_squares_between(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns, square = 4, rng.integers(16, size=40).astype(np.int32)
    one, other = rng.integers(40, size=(2, 400)).astype(np.int32)
    beside = np.abs(square[one] // 4 - square[other] // 4) + np.abs(square[one] % 4 - square[other] % 4) == 1
    one, other = one[beside], other[beside]
    first, to = ordered(np.concatenate((one, other)), np.concatenate((other, one)), 40)
    neighbours = [set(to[first[place] : first[place + 1]]) for place in range(40)]
    expected = set()
    for place, corner in itertools.permutations(range(40), 2):
        down, right = (
            abs(int(a) - int(b)) for a, b in zip(divmod(square[place], 4), divmod(square[corner], 4), strict=True)
        )
        through = {square[middle] for middle in neighbours[place] & neighbours[corner]}
        if down == right == 1 and len(through) == 2:
            expected.add((place, corner))
    here, there, seen = np.empty(320, np.int32), np.empty(320, np.int32), np.empty(80, np.int64)
    count = lib.gb_coarse_corner_ways(
        pointer(first, "int64_t"), pointer(to, "int32_t"), pointer(square, "int32_t"), 40, columns,
        pointer(here, "int32_t"), pointer(there, "int32_t"), pointer(seen, "int64_t"),
    )  # fmt: skip
    found = list(zip(here[:count], there[:count], strict=True))
    assert len(found) == len(set(found))
    if count < 320:
        assert set(found) == expected
    else:
        assert set(found) <= expected


def test_ways_cost_their_length_and_by_how_much_dearer_their_ends_are() -> None:
    first, to = random_graph(3)
    rng = np.random.default_rng(3)
    places = len(first) - 1
    point, dearer, cost = rng.uniform(0.0, 9.0, (places, 2)), rng.uniform(0.0, 3.0, places), np.empty(len(to), np.int32)
    lib.gb_coarse_way_costs(
        pointer(first, "int64_t"), pointer(to, "int32_t"), places, pointer(point, "double"), pointer(dearer, "double"),
        0.01, pointer(cost, "int32_t"),
    )  # fmt: skip
    here = np.repeat(np.arange(places), np.diff(first))
    length = np.hypot(*(point[here] - point[to]).T)
    np.testing.assert_array_equal(cost, np.maximum(1, np.rint(length * (1 + (dearer[here] + dearer[to]) / 2) / 0.01)))


def test_the_roomiest_place_of_the_same_crossing_nearby_is_crossed_at() -> None:
    rng = np.random.default_rng(1)
    point, room, kind = rng.uniform(0, 6, (80, 2)), rng.random(80), rng.integers(-1, 3, 80).astype(np.int32)
    found = np.empty(80, np.int32)
    lib.gb_coarse_roomiest_nearby(
        pointer(point, "double"), pointer(room, "double"), pointer(kind, "int32_t"), 80, 2.0, pointer(found, "int32_t")
    )
    for place in range(80):
        away = np.hypot(*(point - point[place]).T)
        others = np.flatnonzero((kind == kind[place]) & (away <= 2.0)) if kind[place] >= 0 else [place]
        assert found[place] == min(others, key=lambda other: (-np.rint(100 * room[other]), away[other]))


def graph_map(first: np.ndarray, to: np.ndarray) -> Struct:
    """Return a map of which only the ways are of interest."""
    one, numbers = np.zeros(2), np.zeros(1, np.int32)
    return struct(
        "gb_coarse", x0=0.0, y0=0.0, fine_m=0.1, square_m=0.7, rows=1, columns=1, places=len(first) - 1,
        place_of=numbers, point=one, height=one, room=one, crossing=numbers, roomiest=numbers, across=one,
        first_way=first, to=to, cost=np.ones(len(to), np.int32),
    )  # fmt: skip


def ways_of(cost: np.ndarray, extra: np.ndarray, places: int) -> Struct:
    distance, onward = np.empty(places, np.int32), np.empty(places, np.int32)
    return struct(
        "gb_coarse_ways", cost=cost, extra=extra, distance=distance, onward=onward, bucket_count=256,
        buckets=np.empty(256, np.int32), waiting=np.empty(len(cost) + 1, np.int32),
        after=np.empty(len(cost) + 1, np.int32), level=0, entries=0, left=0,
    )  # fmt: skip


def plain_dijkstra(first: np.ndarray, to: np.ndarray, cost: np.ndarray, extra: np.ndarray, source: int) -> list[int]:
    distance = [int(lib.GB_COARSE_FAR)] * (len(first) - 1)
    heap = [(0, source)]
    while heap:
        reached, place = heapq.heappop(heap)
        if reached < distance[place]:
            distance[place] = reached
            for way in range(first[place], first[place + 1]):
                heapq.heappush(heap, (reached + int(cost[way] + extra[to[way]]), int(to[way])))
    return distance


@pytest.mark.parametrize("seed", range(20))
def test_ways_are_the_shortest_and_can_go_on_after_a_stop(seed: int) -> None:
    first, to = random_graph(seed)
    rng, places = np.random.default_rng(seed), len(first) - 1
    cost, extra = rng.integers(1, 120, len(to)).astype(np.int32), rng.integers(0, 120, places).astype(np.int32)
    source, coarse = int(rng.integers(places)), graph_map(first, to)
    expected = plain_dijkstra(first, to, cost, extra, source)
    ways = ways_of(cost, extra, places)
    distance, onward = ways.kept["distance"], ways.kept["onward"]
    lib.gb_coarse_ways_begin(coarse.c, ways.c, source)
    for place in (*rng.integers(places, size=3), -1):
        lib.gb_coarse_ways_spread(coarse.c, ways.c, place)
        if place >= 0:
            assert distance[place] == expected[place]
    assert distance.tolist() == expected
    for place in range(places):
        if 0 < distance[place] < lib.GB_COARSE_FAR:
            way = next(w for w in range(first[onward[place]], first[onward[place] + 1]) if to[w] == place)
            assert distance[place] == distance[onward[place]] + cost[way] + extra[place]


@pytest.mark.parametrize("seed", range(5))
def test_a_point_is_in_the_nearest_place(seed: int) -> None:
    rng = np.random.default_rng(seed)
    place_of = np.where(rng.random((30, 20)) < 0.02, rng.integers(9, size=(30, 20)), -1).astype(np.int32)
    coarse = graph_map(np.zeros(10, np.int64), np.empty(0, np.int32))
    coarse.set("place_of", place_of)
    coarse.c.rows, coarse.c.columns = place_of.shape
    cells = np.argwhere(place_of >= 0)
    for x, y in rng.uniform(-1.0, 4.0, (100, 2)):
        row, column = np.floor(y / 0.1), np.floor(x / 0.1)
        away = cells - (row, column)
        near = cells[np.abs(away).max(axis=1) <= 7]
        squares = ((near - (row, column)) ** 2).sum(axis=1)
        found = lib.gb_coarse_place_at(coarse.c, x, y, 0.7)
        if len(near) == 0:
            assert found == -1
        else:
            assert found in {place_of[tuple(cell)] for cell in near[squares == squares.min()]}
    assert lib.gb_coarse_place_at(coarse.c, np.nan, 0.0, 0.7) == -1
    assert lib.gb_coarse_place_at(coarse.c, 1e300, 0.0, 0.7) == -1
