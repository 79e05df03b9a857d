"""Coarse maps in the core: prices of cells, against shapely's distances; and the nearest open cell."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely

from gambol.characters import load_character
from gambol.core import Struct, lib, struct
from gambol.search.crossing import passable, slimmest_radius
from gambol.trees.trip_map import trip_map
from gambol.world import Footprint, Obstacle, Terrain, World
from gambol.world.standing import standing, world_struct
from gambol.world.steepness import NEARBY_M

BOUNDS, CELL_M, BORDER, CLOSED = (0.0, 0.0, 9.0, 7.0), 0.3, int(lib.GB_MAP_BORDER), 0
STYLE = {"slim_m": 0.5, "roomy_m": 1.1, "tight": 3.0, "narrow": 0.4, "crossing": 2.5, "steep": 2.0, "slope": 0.3}
STEP_M = STYLE["roomy_m"] / 200  # by which distances are noted


def random_world(seed: int, terrain: Terrain | None = None) -> World:
    rng = np.random.default_rng(seed)
    shapes = [
        Footprint.disc(rng.uniform(0.1, 0.8)) if rng.random() < 0.3 else Footprint.box(*rng.uniform(0.1, 2.5, 2))
        for _ in range(rng.integers(0, 9))
    ]
    things = [Obstacle(str(number), shape, (*rng.uniform((0, 0), (9, 7)), rng.uniform(0, 6)))
              for number, shape in enumerate(shapes)]  # fmt: skip
    return World(BOUNDS, tuple(things), terrain=terrain)


def drawn(world: World, kinds: np.ndarray, *, draws: bool = True, **changes: float) -> Struct:
    """Return the map of a world whose pieces are of some kinds."""
    x0, y0, x1, y1 = world.bounds
    rows, columns = (math.ceil(size / CELL_M) + 2 * BORDER for size in (y1 - y0, x1 - x0))
    price, notes = np.empty((rows, columns), np.uint8), np.empty((rows, columns), np.uint16)
    found = struct(
        "gb_map", x0=x0 - BORDER * CELL_M, y0=y0 - BORDER * CELL_M, cell_m=CELL_M, rows=rows, columns=columns,
        price=price, crossing=np.empty((rows, columns), np.uint8), has_crossing=False, world=world_struct(world),
        kinds=kinds.astype(np.uint8), style=struct("gb_map_style", **{**STYLE, **changes}), notes=notes,
    )  # fmt: skip
    lib.gb_map_begin(found.c)
    if draws:
        lib.gb_map_draw(found.c)
    return found


def middles(drawn: Struct) -> np.ndarray:
    """Return the middles of all cells (rows, columns, 2)."""
    row, column = np.indices(drawn.kept["price"].shape)
    return np.stack((drawn.c.x0 + (column + 0.5) * drawn.c.cell_m, drawn.c.y0 + (row + 0.5) * drawn.c.cell_m), axis=-1)


def distances(obstacle: Obstacle, places: np.ndarray) -> np.ndarray:
    """Return how far places are from an obstacle; 0 inside."""
    x, y, _ = obstacle.pose
    piece = obstacle.footprint.pieces[0]
    if piece.radius_m > 0.0:
        return np.maximum(np.hypot(*np.moveaxis(places - (x, y), -1, 0)) - piece.radius_m, 0.0)
    return np.asarray(shapely.distance(shapely.points(places), obstacle.footprint.region(obstacle.pose)))


def price(room: float, *, is_crossed: bool, is_steep: bool) -> int:
    """Return what a metre costs, in sixteenths, where the nearest that is closed is so far."""
    if room < STYLE["slim_m"] - CELL_M / 2:
        return CLOSED
    times = 1.0
    if room < STYLE["slim_m"] + CELL_M / 8:
        times = STYLE["tight"]
    elif room < STYLE["roomy_m"]:
        times = 1.0 + STYLE["narrow"] * (STYLE["roomy_m"] - room) / STYLE["roomy_m"]
    times *= STYLE["crossing"] if is_crossed else 1.0
    times *= STYLE["steep"] if is_steep else 1.0
    return int(min(lib.GB_MAP_FREE * times + 0.5, 255))


@pytest.mark.parametrize("seed", range(12))
def test_prices_are_by_the_distance_to_what_is_closed_and_by_what_is_crossed(seed: int) -> None:
    world = random_world(seed)
    kinds = np.random.default_rng(seed).integers(0, 3, len(world.obstacles))
    found = drawn(world, kinds)
    places, prices, crossing = middles(found), found.kept["price"], found.kept["crossing"]
    far = np.full(prices.shape, np.inf)
    closed, crossed = far.copy(), far.copy()
    for obstacle, kind in zip(world.obstacles, kinds.tolist(), strict=True):
        nearest = {lib.GB_PIECE_FREE: far.copy(), lib.GB_PIECE_CROSSED: crossed, lib.GB_PIECE_CLOSED: closed}[kind]
        np.minimum(nearest, distances(obstacle, places), out=nearest)
    for row, column in np.ndindex(prices.shape):
        (x, y), inside = places[row, column], BORDER <= row < len(prices) - BORDER
        if not (inside and BORDER <= column < prices.shape[1] - BORDER):
            assert prices[row, column] == CLOSED
            assert not crossing[row, column]
            continue
        edge = min(x - BOUNDS[0], y - BOUNDS[1], BOUNDS[2] - x, BOUNDS[3] - y)
        is_crossed = bool(crossed[row, column] < STYLE["slim_m"])
        if abs(crossed[row, column] - STYLE["slim_m"]) > 1e-9:
            assert crossing[row, column] == is_crossed
        noted = [STEP_M * np.floor((closed[row, column] + off) / STEP_M) for off in (-1e-9, 1e-9)]
        rooms = [min(max(float(one), 0.0), STYLE["roomy_m"], edge) for one in noted]
        expected = {price(room, is_crossed=bool(crossing[row, column]), is_steep=False) for room in rooms}
        assert prices[row, column] in expected
    assert found.c.has_crossing == crossing.any()


def test_ground_that_rises_more_than_a_character_climbs_is_dearer() -> None:
    x = np.meshgrid(np.linspace(0.0, 9.0, 46), np.linspace(0.0, 7.0, 36))[0]
    world = World(BOUNDS, terrain=Terrain((0.0, 0.0), 0.2, np.where(x > 4.5, x - 4.5, 0.0)))
    found = drawn(world, np.zeros(0))
    roomy = np.abs(middles(found) - (4.5, 3.5)).max(axis=-1) < 2.3  # what lies nearby counts too
    x, prices = middles(found)[..., 0], found.kept["price"]
    assert (prices[roomy & (x < 4.5 - NEARBY_M - CELL_M)] == lib.GB_MAP_FREE).all()
    assert (prices[roomy & (x > 4.5 + CELL_M)] == price(9.0, is_crossed=False, is_steep=True)).all()
    assert (drawn(world, np.zeros(0), slope=1.2).kept["price"][roomy] == lib.GB_MAP_FREE).all()


@pytest.mark.parametrize("seed", range(6))
def test_the_open_cell_at_a_place_is_its_own_or_the_nearest_within_reach(seed: int) -> None:
    world = random_world(seed + 100)
    found, rng = drawn(world, np.full(len(world.obstacles), lib.GB_PIECE_CLOSED)), np.random.default_rng(seed)
    places, columns = middles(found).reshape(-1, 2), int(found.c.columns)
    is_open = found.kept["price"].ravel() != CLOSED
    for _ in range(100):
        x, y, within_m = rng.uniform(-1.0, 10.0), rng.uniform(-1.0, 8.0), rng.uniform(0.0, 2.0)
        u, v = math.floor((x - found.c.x0) / CELL_M), math.floor((y - found.c.y0) / CELL_M)
        is_inside = 0 <= u < columns and 0 <= v < found.c.rows
        cell = lib.gb_map_cell(found.c, x, y)
        assert cell == (v * columns + u if is_inside else lib.GB_NOTHING)
        chosen = lib.gb_map_open_cell(found.c, x, y, within_m)
        away = np.where(is_open, np.hypot(*(places - (x, y)).T), np.inf)
        if is_inside and is_open[cell]:
            assert chosen == cell
        elif not is_inside or away.min() >= within_m:
            assert chosen == lib.GB_NOTHING
        else:
            assert away[chosen] == pytest.approx(away.min(), abs=1e-12)


@pytest.mark.parametrize("changes", [{}, {"roomy_m": 2.9}, {"roomy_m": 5.0}])
@pytest.mark.parametrize("seed", range(4))
def test_a_map_is_the_same_in_whatever_order_it_is_drawn(seed: int, changes: dict[str, float]) -> None:
    rng, bounds = np.random.default_rng(seed), (-3.0, 5.0, 37.0, 30.0)
    things = [Obstacle(str(number), Footprint.box(*rng.uniform(0.1, 4.0, 2)), (*rng.uniform((-4, 4), (38, 31)), 1.0))
              for number in range(60)]  # fmt: skip
    world, kinds = World(bounds, tuple(things)), rng.integers(0, 3, 60)
    asked, whole = (drawn(world, kinds, draws=draws, **changes) for draws in (False, True))
    assert asked.c.has_crossing == whole.c.has_crossing
    unknown = asked.kept["price"] == lib.GB_MAP_UNKNOWN
    assert unknown[BORDER:-BORDER, BORDER:-BORDER].all()
    for x, y in rng.uniform(bounds[:2], bounds[2:], (6, 2)):
        within_m = rng.uniform(0.1, 5.0)
        assert lib.gb_map_open_cell(asked.c, x, y, within_m) == lib.gb_map_open_cell(whole.c, x, y, within_m)
    known = asked.kept["price"] != lib.GB_MAP_UNKNOWN
    assert 0 < known[unknown].sum() < unknown.sum()
    assert (asked.kept["price"] == whole.kept["price"])[known].all()
    lib.gb_map_draw(asked.c)
    assert (asked.kept["price"] == whole.kept["price"]).all()
    assert (asked.kept["crossing"] == whole.kept["crossing"]).all()


def test_a_characters_map_closes_what_nobody_crosses_and_marks_what_is_crossed() -> None:
    human = load_character("human")
    hurdle = Obstacle("hurdle", Footprint.box(0.2, 3.0), (6.0, 5.0, 0.0), 0.0, 0.3)
    wall = replace(hurdle, name="wall", pose=(14.0, 5.0, 0.0), top_m=3.0)
    world = World((0.0, 0.0, 20.0, 10.0), (hurdle, wall))
    free, crossed = passable(world, human, standing(world))
    assert [*free, *crossed] == [False, False, True, False]
    found = trip_map(world, human)
    assert trip_map(world, human) is found
    lib.gb_map_draw(found.c)
    at = {x: lib.gb_map_cell(found.c, x, 5.0) for x in (2.0, 6.0, 10.0, 14.0)}
    prices = {x: found.kept["price"].ravel()[cell] for x, cell in at.items()}
    assert prices[14.0] == CLOSED
    assert prices[6.0] > prices[2.0] == prices[10.0] == lib.GB_MAP_FREE
    assert [bool(found.kept["crossing"].ravel()[cell]) for cell in at.values()] == [False, True, False, False]
    beside = 14.0 + 0.1 + slimmest_radius(human)
    assert found.kept["price"].ravel()[lib.gb_map_cell(found.c, beside - 0.2, 5.0)] == CLOSED


def test_the_largest_worlds_have_larger_cells() -> None:
    found = trip_map(World((0.0, 0.0, 2_000.0, 1_000.0)), load_character("human"))
    assert 3_500_000 < found.c.rows * found.c.columns < 4_100_000
    assert found.c.cell_m > 0.6
