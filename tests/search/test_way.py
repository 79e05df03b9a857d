from __future__ import annotations

import heapq
import math
from itertools import combinations, pairwise

import numpy as np
import pytest
import shapely
from evidence.soak.brute_force import BruteForce
from evidence.soak.planning_problems import random_problem
from numpy.typing import NDArray

from gambol.characters import Character, load_character
from gambol.core import lib
from gambol.search.way import ClosedCells, WayField, closed_cells, way_field
from gambol.world import Footprint, Obstacle, Special, World

FAR = 1e18
TOO_LONG = math.sqrt(4.0 - 2.0 * math.sqrt(2.0))  # times: the octile distance at 22.5 degrees
Closed = NDArray[np.bool_]
Corner = tuple[int, int]  # column, row


def random_cells(rng: np.random.Generator, rows: int, columns: int, share: float) -> Closed:
    return rng.random((rows, columns)) < share


def checkerboard(rows: int, columns: int) -> Closed:
    return np.indices((rows, columns)).sum(axis=0) % 2 == 1


def diagonal_gap(size: int) -> Closed:
    """A wall along the diagonal, its cells touching at their corners alone, and nothing else closed."""
    return np.eye(size, dtype=bool)


def staircase(size: int) -> Closed:
    """Two thick walls with a channel one cell wide between them, that runs up in steps."""
    row, column = np.indices((size, size))
    return ~((row == column) | (row == column + 1))


GRIDS: dict[str, Closed] = {
    **{f"random {n}": random_cells(np.random.default_rng(n), 7, 8, 0.1 + 0.05 * n) for n in range(8)},
    "empty": np.zeros((6, 7), dtype=bool),
    "checkerboard": checkerboard(6, 7),
    "diagonal": diagonal_gap(7),
    "mirrored diagonal": diagonal_gap(7)[::-1],
    "staircase": staircase(7),
    "one row": random_cells(np.random.default_rng(9), 1, 9, 0.3),
}


def way_left(field: WayField, u: float, v: float) -> float:
    """Return the way left from a place in cells."""
    return lib.gb_field_way_left(field.core.c, u, v)


def is_open(closed: Closed, row: int, column: int) -> bool:
    rows, columns = closed.shape
    return 0 <= row < rows and 0 <= column < columns and not closed[row, column]


def sees(closed: Closed, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Tell whether the straight line between two places, in cells, stays in open cells, their edges included."""
    length = math.dist(a, b)
    cuts = {0.0, 1.0}
    for p, q in zip(a, b, strict=True):
        if p != q:
            cuts |= {(line - p) / (q - p) for line in range(math.ceil(min(p, q)), math.floor(max(p, q)) + 1)}
    ordered = sorted(cut for cut in cuts if 0.0 <= cut <= 1.0)
    for first, last in pairwise(ordered):
        if (last - first) * length < 1e-9:
            continue
        x, y = (p + 0.5 * (first + last) * (q - p) for p, q in zip(a, b, strict=True))
        columns = {math.floor(x)} if x != round(x) or a[0] != b[0] else {round(x) - 1, round(x)}
        rows = {math.floor(y)} if y != round(y) or a[1] != b[1] else {round(y) - 1, round(y)}
        if not any(is_open(closed, row, column) for row in rows for column in columns):
            return False
    return True


def shortest_ways(closed: Closed, targets: list[tuple[float, float]]) -> dict[Corner, float]:
    """Return the exact length of the way from each corner to the nearest of some places: a visibility graph."""
    rows, columns = closed.shape
    corners = [(column, row) for row in range(rows + 1) for column in range(columns + 1)]
    edges: dict[Corner, list[tuple[Corner, float]]] = {corner: [] for corner in corners}
    for a, b in combinations(corners, 2):
        if sees(closed, a, b):
            edges[a].append((b, math.dist(a, b)))
            edges[b].append((a, math.dist(a, b)))
    ways = dict.fromkeys(corners, math.inf)
    waiting = [(math.dist(c, t), c) for c in corners for t in targets if sees(closed, c, t)]
    heapq.heapify(waiting)
    while waiting:
        way, corner = heapq.heappop(waiting)
        if way < ways[corner]:
            ways[corner] = way
            for other, length in edges[corner]:
                if way + length < ways[other]:
                    heapq.heappush(waiting, (way + length, other))
    return ways


def open_places(rng: np.random.Generator, closed: Closed, count: int) -> list[tuple[float, float]]:
    cells = np.argwhere(~closed)
    chosen = cells[rng.integers(0, len(cells), count)]
    return [(float(x), float(y)) for x, y in chosen[:, ::-1] + rng.random((count, 2))]


@pytest.mark.parametrize("name", GRIDS)
def test_the_field_is_never_longer_than_the_shortest_way_through_open_cells(name: str):
    closed, rng = GRIDS[name], np.random.default_rng(len(name))
    cell_m = 0.25
    cells = ClosedCells(10.0, -3.0, cell_m, closed)
    for _ in range(2):
        (goal,) = open_places(rng, closed, 1)
        tolerance = float(rng.uniform(0.05, 1.5))  # in cells
        inside = [goal, *(p for p in open_places(rng, closed, 200) if math.dist(p, goal) <= tolerance)]
        field = way_field(cells, (10.0 + cell_m * goal[0], -3.0 + cell_m * goal[1], cell_m * tolerance), (10.5, -2.5))
        ways = shortest_ways(closed, inside)
        for place in open_places(rng, closed, 60):
            seen = [ways[c] + math.dist(c, place) for c in ways if sees(closed, place, c)]
            direct = [math.dist(place, t) for t in inside if sees(closed, place, t)]
            true = min((*seen, *direct), default=math.inf)
            assert math.isinf(true) or way_left(field, *place) <= true + 1e-9


@pytest.mark.parametrize("name", GRIDS)
def test_steps_counted_are_those_of_a_textbook_search(name: str):
    closed = GRIDS[name]
    rows, columns = closed.shape
    goal = (0.5, rows - 0.5, 0.1)
    field = way_field(ClosedCells(0.0, 0.0, 1.0, closed), goal, (columns, 0.0))
    expected = np.full((rows + 1, columns + 1), np.inf)
    waiting = [(0, (right, rows - down)) for down in (0, 1) for right in (0, 1) if is_open(closed, rows - 1, 0)]
    while waiting:
        way, (column, row) = heapq.heappop(waiting)
        if way >= expected[row, column]:
            continue
        expected[row, column] = way
        for right in (-1, 0, 1):
            for down in (-1, 0, 1):
                there = (column + right, row + down)
                is_inside = 0 <= there[0] <= columns and 0 <= there[1] <= rows
                if (right or down) and is_inside and sees(closed, (column, row), there):
                    heapq.heappush(waiting, (way + (41 if right and down else 29), there))
    for (row, column), way in np.ndenumerate(expected):
        found = lib.gb_field_distance(field.core.c, row, column)
        assert found == (-1 if np.isinf(way) else way)


def test_eight_directions_are_never_longer_than_stated():
    angles = np.radians(np.arange(0.0, 45.01, 0.5))
    for across in (math.sqrt(2.0), 41 / 29):
        ways = np.cos(angles) - np.sin(angles) + across * np.sin(angles)
        assert ways.max() == pytest.approx(TOO_LONG, rel=2e-4)
        assert ways.max() <= TOO_LONG + 1e-12


def test_the_field_leads_around_and_is_worth_more_than_a_straight_line():
    closed = np.zeros((40, 40), dtype=bool)
    closed[5:40, 20] = True
    field = way_field(ClosedCells(0.0, 0.0, 0.1, closed), (3.5, 3.5, 0.1), (0.5, 3.5))
    assert way_left(field, 5.0, 35.0) > 1.5 * 30.0


def test_where_no_way_leads_to_the_goal_the_field_says_so():
    closed = np.zeros((20, 20), dtype=bool)
    closed[5:15, [5, 14]] = closed[[5, 14], 5:15] = True
    field = way_field(ClosedCells(0.0, 0.0, 0.1, closed), (1.0, 1.0, 0.2), (0.2, 0.2))
    assert way_left(field, 2.0, 2.0) >= 0.5 * FAR
    assert way_left(field, 7.5, 12.5) < 10.0
    assert way_left(field, -1.0, 2.0) >= 0.5 * FAR  # outside


# Closed cells


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("lk05")


def random_world(rng: np.random.Generator) -> World:
    footprints = (
        Footprint.box(float(rng.uniform(0.2, 3.0)), float(rng.uniform(0.1, 1.0))),
        Footprint.disc(float(rng.uniform(0.1, 1.0))),
        Footprint.polygon([(0, 0), (2, 0), (2, 0.4), (0.5, 0.4), (0.5, 2), (0, 2)]),
    )
    heights = ((0.0, 3.0), (0.0, 0.2), (0.5, 2.0), (1.5, 3.0), (0.0, 1.0))
    obstacles = [
        Obstacle(
            f"thing {number}",
            footprints[rng.integers(3)],
            (float(rng.uniform(0, 6)), float(rng.uniform(0, 6)), float(rng.uniform(0, 7))),
            *heights[rng.integers(5)],
            special=Special("jump", 1.0) if rng.random() < 0.1 else None,
        )
        for number in range(8)
    ]
    return World((0.0, 0.0, 6.0, 6.0), tuple(obstacles))


@pytest.mark.parametrize("seed", range(6))
def test_no_free_instant_of_any_clip_has_its_root_in_a_closed_cell(seed: int, human: Character):
    rng = np.random.default_rng(seed)
    world = random_world(rng)
    cells = closed_cells(world, human)
    assert cells.closed.any()
    assert not cells.closed.all()
    solid = [
        (obstacle.footprint.region(obstacle.pose), obstacle.bottom_m, obstacle.top_m)
        if obstacle.special is None else (obstacle.footprint.region(obstacle.pose), -np.inf, np.inf)
        for obstacle in world.obstacles
    ]  # fmt: skip
    clips = [clip for behavior in human.behaviors for clip in behavior.clips]
    closed = np.argwhere(cells.closed)
    for row, column in closed[rng.integers(0, len(closed), 250)]:
        x, y = cells.x0 + cells.cell_m * (column + rng.random()), cells.y0 + cells.cell_m * (row + rng.random())
        clip = clips[rng.integers(len(clips))]
        shape, instant = clip.shape, int(rng.integers(clip.duration + 1))
        cosine, sine = math.cos(heading := float(rng.uniform(0, 7))), math.sin(heading)
        axes = shape.offset[instant] @ np.array([[cosine, sine], [-sine, cosine]]) + (x, y)
        discs = shapely.buffer(shapely.points(axes), shape.radius[instant], quad_segs=32)
        assert any(
            ((shape.low[instant] < top) & (shape.high[instant] > bottom) & shapely.intersects(discs, region)).any()
            for region, bottom, top in solid
        ), f"a free body in a closed cell at ({x:.3f}, {y:.3f})"


@pytest.mark.parametrize("seed", range(12))
def test_no_clip_that_may_be_played_leads_through_a_closed_cell(seed: int):
    problem = random_problem(seed, kind="plain" if seed % 2 else "sealed")
    cells, brute = closed_cells(problem.world, problem.character), BruteForce(problem)
    rng = np.random.default_rng(seed)
    width, depth = problem.world.bounds[2:]
    free = 0
    for _ in range(150):
        start = np.array([rng.uniform(0, width), rng.uniform(0, depth), rng.uniform(0, 7)])
        behavior = problem.character.behaviors[rng.integers(len(problem.character.behaviors))]
        places = behavior.clips[0].place(start)
        if brute.is_playable(behavior, behavior.clips[0], places, 0):
            free += 1
            way = np.concatenate([np.linspace(a, b, 20) for a, b in zip(places[:-1, :2], places[1:, :2], strict=True)])
            column, row = ((way - (cells.x0, cells.y0)) / cells.cell_m).astype(int).T
            assert not cells.closed[row, column].any()
    assert free > 0


def test_what_some_clip_gets_over_or_under_is_not_closed(human: Character):
    def closed(bottom_m: float, top_m: float) -> bool:
        thing = Obstacle("thing", Footprint.box(1.0, 4.0), (3.0, 3.0, 0.0), bottom_m, top_m)
        return bool(closed_cells(World((0.0, 0.0, 6.0, 6.0), (thing,)), human).closed.any())

    assert closed(0.0, 3.0)
    assert not closed(0.0, 0.1)
    assert not closed(2.5, 3.0)
    assert not closed(1.2, 3.0)  # a crawl gets below


def test_annotated_obstacles_are_closed_only_to_who_has_no_behavior_for_them(human: Character):
    thing = Obstacle("thing", Footprint.box(1.0, 4.0), (3.0, 3.0, 0.0), 0.0, 0.1, Special("vault", 1.0))
    world = World((0.0, 0.0, 6.0, 6.0), (thing,))
    assert closed_cells(world, human).closed.any()
