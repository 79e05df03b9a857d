"""Passages, junctions and one-way lanes, found from worlds alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from gambol.crowd.floor import Floor, lay_floor
from gambol.crowd.kernels.floor import FORECOURT
from gambol.crowd.lane_check import cut_off
from gambol.crowd.lane_samples import DOOR_FAN
from gambol.crowd.lanes import Lanes, lay_lanes
from gambol.crowd.middle_lines import BODY_M, connected
from gambol.world import Footprint, Obstacle, World

TURN_DEG = 75.0  # by which a move may differ from a lane's direction


def box(name: str, x0: float, y0: float, x1: float, y1: float) -> Obstacle:
    return Obstacle(name, Footprint.box(x1 - x0, y1 - y0), (0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.0))


def door(width_m: float) -> World:
    return doors(width_m, 15.0)


def doors(width_m: float, *middles_m: float) -> World:
    """A room of 40 by 30 m, split by a wall 0.3 m thick with doors."""
    posts = [0.0, *(y + side * 0.5 * width_m for y in middles_m for side in (-1, 1)), 30.0]
    walls = zip(posts[::2], posts[1::2], strict=True)
    return World((0.0, 0.0, 40.0, 30.0), tuple(box(f"wall {y0}", 19.85, y0, 20.15, y1) for y0, y1 in walls))


def crossing(street_m: float, arm_m: float) -> World:
    side = 2.0 * arm_m + street_m
    far = arm_m + street_m
    corners = product((0.0, far), (0.0, far))
    return World((0.0, 0.0, side, side), tuple(box(f"{x} {y}", x, y, x + arm_m, y + arm_m) for x, y in corners))


def tee(street_m: float) -> World:
    left, right = 22.0 - 0.5 * street_m, 22.0 + 0.5 * street_m
    return World((0.0, 0.0, 44.0, 24.0 + street_m), (box("l", 0.0, 0.0, left, 24.0), box("r", right, 0.0, 44.0, 24.0)))


def bend(width_m: float = 4.0) -> World:
    inner = box("inner", 8.0 + width_m, 0.0, 40.0, 28.0)
    return World(
        (0.0, 0.0, 40.0, 40.0), (inner, box("top", 0.0, 28.0 + width_m, 40.0, 40.0), box("l", 0, 0, 8.0, 32.0))
    )


def plaza() -> World:
    columns = product(range(4), range(3))
    return World(
        (0.0, 0.0, 40.0, 40.0),
        tuple(Obstacle(f"{i} {j}", Footprint.disc(0.5), (12.5 + 5 * i, 12.5 + 5 * j, 0.0)) for i, j in columns),
    )


def clutter(seed: int) -> World:
    rng = np.random.default_rng(seed)
    size = 60.0
    things = [
        Obstacle(str(k), Footprint.box(*rng.uniform(0.5, 4.0, 2)), (*rng.uniform(3, size - 3, 2), rng.uniform(0, 3)))
        for k in range(60)
    ]
    return World((0.0, 0.0, size, size), tuple(things))


def maze(cells: int = 8, corridor_m: float = 4.0, wall_m: float = 0.3, seed: int = 1) -> World:
    """A maze with one way between any two of its cells."""
    rng = np.random.default_rng(seed)
    pitch = corridor_m + wall_m
    seen, path, opened = {(0, 0)}, [(0, 0)], set()
    while path:
        i, j = path[-1]
        ahead = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
        ahead = [at for at in ahead if min(at) >= 0 and max(at) < cells and at not in seen]
        if not ahead:
            path.pop()
            continue
        chosen = ahead[rng.integers(len(ahead))]
        opened.add(frozenset(((i, j), chosen)))
        seen.add(chosen)
        path.append(chosen)
    walls = []
    for i, j in product(range(cells), range(cells)):
        x, y = (i + 1) * pitch, (j + 1) * pitch
        if i + 1 < cells and frozenset(((i, j), (i + 1, j))) not in opened:
            walls.append(box(f"v {i} {j}", x - wall_m, y - pitch - wall_m, x, y))
        if j + 1 < cells and frozenset(((i, j), (i, j + 1))) not in opened:
            walls.append(box(f"h {i} {j}", x - pitch - wall_m, y - wall_m, x, y))
    side = cells * pitch - wall_m
    return World((0.0, 0.0, side, side), tuple(walls))


def office() -> World:
    """Six rooms at a corridor of 3 m: the doors of the two in the middle are 2.4 m wide, the others' 1.2 m."""
    walls = []
    for side, y in (("s", 12.0), ("n", 15.2)):
        for k, half in enumerate((0.6, 1.2, 0.6)):
            x = 16.0 * k
            walls += [
                box(f"{side} {k} a", x, y, x + 8 - half, y + 0.2),
                box(f"{side} {k} b", x + 8 + half, y, x + 16, y + 0.2),
            ]
            if k > 0:
                walls.append(
                    box(f"{side} {k} c", x - 0.1, 0.0 if side == "s" else 15.4, x + 0.1, 12.0 if side == "s" else 27.4)
                )
    return World((0.0, 0.0, 48.0, 27.4), tuple(walls))


WORLDS: dict[str, Callable[[], World]] = {
    "door of 4 m": lambda: door(4.0),
    "door of 2.5 m": lambda: door(2.5),
    "door of 1.2 m": lambda: door(1.2),
    "two doors far apart": lambda: doors(2.5, 5.0, 25.0),
    "crossing": lambda: crossing(8.0, 25.0),
    "narrow crossing": lambda: crossing(4.0, 15.0),
    "tee": lambda: tee(4.0),
    "wide tee": lambda: tee(8.0),
    "bend": bend,
    "clutter": lambda: clutter(0),
    "maze": maze,
    "office": office,
}
_laid: dict[str, tuple[Floor, Lanes]] = {}


def laid(name: str) -> tuple[Floor, Lanes]:
    if name not in _laid:
        floor = lay_floor(WORLDS[name]())
        _laid[name] = (floor, lay_lanes(floor))
    return _laid[name]


def centers(floor: Floor) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = floor.way.shape
    x = floor.x0 + (np.arange(columns) + 0.5) * floor.cell_m
    y = floor.y0 + (np.arange(rows) + 0.5) * floor.cell_m
    return np.broadcast_to(x, (rows, columns)), np.broadcast_to(y[:, None], (rows, columns))


def directions(floor: Floor) -> tuple[np.ndarray, np.ndarray]:
    return np.cos(floor.way * np.pi / 8.0), np.sin(floor.way * np.pi / 8.0)


def moves(way: np.ndarray, walkable: np.ndarray) -> coo_array:
    """All moves that the rules allow between neighbouring cells, said in angles."""
    rows, columns = way.shape
    number = np.arange(rows * columns).reshape(rows, columns)
    starts, ends = [], []
    for dr, dc in product((-1, 0, 1), repeat=2):
        if dr == 0 and dc == 0:
            continue
        here = np.s_[max(0, -dr) : rows - max(0, dr), max(0, -dc) : columns - max(0, dc)]
        there = np.s_[max(0, dr) : rows - max(0, -dr), max(0, dc) : columns - max(0, -dc)]
        aside = np.s_[here[0], there[1]], np.s_[there[0], here[1]]
        allowed = walkable[here] & walkable[there] & walkable[aside[0]] & walkable[aside[1]]
        for cell in (here, there):
            turn = np.degrees(np.arctan2(dr, dc)) - way[cell] * 22.5
            turn = np.abs((turn + 180.0) % 360.0 - 180.0)
            allowed &= (way[cell] < 0) | (turn <= TURN_DEG)
        starts.append(number[here][allowed])
        ends.append(number[there][allowed])
    start, end = np.concatenate(starts), np.concatenate(ends)
    return coo_array((np.ones(len(start)), (start, end)), shape=(number.size, number.size))


@pytest.mark.parametrize("width_m", [4.0, 2.5, 1.2])
def test_a_door_is_one_passage_with_its_place_width_and_direction(width_m: float) -> None:
    _, lanes = laid(f"door of {width_m:g} m")
    (passage,) = lanes.passages
    assert passage.middle == pytest.approx((20.0, 15.0), abs=0.3)
    assert abs(passage.direction[0]) > 0.99
    assert passage.width_m == pytest.approx(width_m, abs=0.1)
    assert passage.two_way == (width_m > 2.1)
    assert len(lanes.gates) == (width_m < 2.1)


@pytest.mark.parametrize("width_m", [4.0, 2.5, 1.2])
def test_one_walks_on_the_right_through_a_door_and_six_metres_before_and_behind(width_m: float) -> None:
    floor, _ = laid(f"door of {width_m:g} m")
    x, y = centers(floor)
    east, _ = directions(floor)
    ruled = floor.way >= 0
    # Beside the lanes, in the forecourt of a gate, one may go along the wall as well; beside those that lead to a wider
    # door, nobody may come in.
    least = np.where(floor.gate < FORECOURT, 0.5, -1e-9)
    beside_m = np.abs(y - 15.0) - 0.5 * width_m - DOOR_FAN * np.maximum(np.abs(x - 20.0) - 0.15, 0.0)
    leads_in = (width_m > 2.1) & np.where(y < 15.0, x < 20.0, x > 20.0)
    lane = ~leads_in | (beside_m < -0.3)
    assert np.all((east > least)[ruled & lane & (y < 14.9)])
    assert np.all((-east > least)[ruled & lane & (y > 15.1)])
    flank = ruled & leads_in & (beside_m > 0.3)
    assert np.count_nonzero(flank) > 20 or width_m < 2.1
    assert np.all(np.where(y < 15.0, -east, east)[flank] > 0.5)  # away from the door
    # The lanes are there: a metre to either side of the middle line, most of six metres on both sides of the wall.
    from_m = 1.0 if width_m > 2.1 else 2.0
    lane = (np.abs(np.abs(y - 15.0) - 0.5) < 0.4) & (np.abs(x - 20.0) > from_m) & (np.abs(x - 20.0) < 5.5)
    assert np.all(ruled[lane])
    assert not np.any(ruled & (np.abs(x - 20.0) > 7.5))
    throat = (np.abs(x - 20.0) < 0.4) & (np.abs(y - 15.0) < 0.5 * width_m - 0.3)
    assert np.all(ruled[throat]) if width_m > 2.1 else not np.any(ruled[throat])


def test_the_throat_of_a_narrow_door_bears_the_number_of_its_gate() -> None:
    floor, lanes = laid("door of 1.2 m")
    x, y = centers(floor)
    (gate,) = lanes.gates
    throat = floor.gate == gate.number
    assert np.all(throat[(np.abs(x - 20.0) < 0.5) & (np.abs(y - 15.0) < 0.4)])
    assert not np.any(throat & ((np.abs(x - 20.0) > 2.5) | (np.abs(y - 15.0) > 0.8)))
    assert np.array_equal(np.argwhere(throat), gate.cells)
    assert not np.any(throat & (floor.way >= 0))


def test_only_doors_without_a_short_way_around_have_lanes() -> None:
    assert lay_lanes(lay_floor(doors(2.5, 11.0, 19.0))).passages == ()
    assert len(laid("two doors far apart")[1].passages) == 2


def test_columns_on_a_plaza_make_no_lanes() -> None:
    floor = lay_floor(plaza())
    lanes = lay_lanes(floor)
    assert lanes.passages == lanes.junctions == lanes.gates == ()
    assert np.all(floor.way == -1)
    assert np.all(floor.gate == -1)


def test_a_niche_makes_no_lanes() -> None:
    world = World((0.0, 0.0, 30.0, 20.0), (box("left", 0.0, 15.0, 13.0, 20.0), box("right", 16.0, 15.0, 30.0, 20.0)))
    assert lay_lanes(lay_floor(world)).passages == ()


def test_a_bay_that_ends_right_behind_its_opening_has_no_lanes() -> None:
    world = World((0.0, 0.0, 30.0, 20.0), (box("left", 0.0, 13.0, 11.0, 20.0), box("right", 18.0, 13.0, 30.0, 20.0)))
    floor = lay_floor(world)
    lay_lanes(floor)
    assert np.all(floor.way == -1)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_random_clutter_has_few_lanes(seed: int) -> None:
    floor = lay_floor(clutter(seed))
    lay_lanes(floor)
    assert np.count_nonzero(floor.way >= 0) < 0.12 * np.count_nonzero(floor.room > 0.0)


@pytest.mark.parametrize(("name", "arms"), [("crossing", 4), ("narrow crossing", 4), ("tee", 3), ("wide tee", 3)])
def test_streets_meet_in_a_roundabout(name: str, arms: int) -> None:
    floor, lanes = laid(name)
    assert len(lanes.passages) == arms
    (junction,) = lanes.junctions
    assert len(junction.arms) == arms
    x, y = centers(floor)
    x, y = x - junction.center[0], y - junction.center[1]
    away = np.hypot(x, y)
    east, north = directions(floor)
    ring = (floor.way >= 0) & (away > junction.island_m) & (away < 0.5 * junction.radius_m)
    assert np.count_nonzero(ring) > 8
    assert np.all((x * north - y * east)[ring] > 0.7 * away[ring])  # counter-clockwise
    island = away < 0.5 * junction.island_m
    assert np.all(floor.way[island] >= 0)
    assert np.all((x * east + y * north)[island] > 0.5 * away[island])  # outward


def test_a_crossing_lies_where_its_streets_cross() -> None:
    (junction,) = laid("crossing")[1].junctions
    assert junction.center == pytest.approx((29.0, 29.0), abs=0.2)
    assert junction.radius_m == pytest.approx(4.0 * np.sqrt(2.0), abs=0.3)


def test_a_corridor_with_a_bend_is_one_passage_with_lanes_around_it() -> None:
    floor, lanes = laid("bend")
    (passage,) = lanes.passages
    assert passage.depth_m > 50.0
    x, y = centers(floor)
    east, north = directions(floor)
    up = (np.abs(y - 15.0) < 5.0) & (x > 8.0) & (x < 12.0) & (floor.room > 0.35)
    assert np.array_equal(north[up] > 0.9, x[up] > 10.0)
    across = (np.abs(x - 25.0) < 5.0) & (y > 28.0) & (y < 32.0) & (floor.room > 0.35)
    assert np.array_equal(east[across] > 0.9, y[across] < 30.0)


def test_a_maze_has_lanes_along_most_of_its_corridors() -> None:
    floor, lanes = laid("maze")
    assert len(lanes.junctions) >= 2
    assert lanes.gates == ()
    assert np.count_nonzero(floor.way >= 0) > 0.7 * np.count_nonzero(floor.room > 0.0)


def test_a_corridor_has_no_rule_before_a_door_at_its_side() -> None:
    floor, lanes = laid("office")
    x, y = centers(floor)
    assert len(lanes.gates) == 4
    corridor = (np.abs(y - 13.7) < 1.0) & (x > 3.0) & (x < 13.0)
    before = np.abs(x - 8.0) < 0.7
    assert not np.any(floor.way[corridor & before] >= 0)
    assert np.all(floor.way[corridor & (np.abs(x - 8.0) > 2.0)] >= 0)


@pytest.mark.parametrize("name", WORLDS)
def test_from_everywhere_one_gets_to_everywhere_but_on_islands(name: str) -> None:
    floor, lanes = laid(name)
    walkable = floor.room >= BODY_M
    _, before = connected_components(moves(np.full_like(floor.way, -1), walkable), connection="strong")
    graph = moves(floor.way, walkable).tocsr()
    _, after = connected_components(graph, connection="strong")
    x, y = centers(floor)
    island = np.zeros_like(walkable)
    for junction in lanes.junctions:
        island |= np.hypot(x - junction.center[0], y - junction.center[1]) <= junction.island_m
    places = np.flatnonzero(walkable & ~island)
    pairs = np.unique(np.column_stack((before[places], after[places])), axis=0)
    assert len(pairs) == len(np.unique(pairs[:, 0]))
    for cell in np.flatnonzero(walkable & island):
        assert not island.ravel()[breadth_first_order(graph, cell, return_predecessors=False)].all()


@pytest.mark.parametrize("name", WORLDS)
def test_rules_are_in_open_cells_only(name: str) -> None:
    floor, lanes = laid(name)
    assert np.all(floor.room[floor.way >= 0] > 0.0)
    assert np.all(floor.room[floor.gate >= 0] > 0.0)
    assert floor.way.max() <= 15
    assert lanes.ruled_cells == np.count_nonzero(floor.way >= 0)
    assert lanes.given_up == ()
    assert lanes.taken_back_cells < 0.06 * lanes.ruled_cells


@pytest.mark.parametrize("name", ["door of 4 m", "door of 1.2 m", "crossing", "narrow crossing"])
def test_a_world_that_is_the_same_turned_by_half_has_lanes_that_are(name: str) -> None:
    floor, _ = laid(name)
    turned = floor.way[::-1, ::-1]
    turned = np.where(turned >= 0, (turned + 8) % 16, -1)
    either = (floor.way >= 0) | (turned >= 0)
    alike = np.abs((floor.way - turned + 8) % 16 - 8) <= 1
    assert np.mean((alike & (floor.way >= 0) & (turned >= 0))[either]) > 0.9


def test_the_same_world_has_the_same_lanes_and_old_ones_do_not_matter() -> None:
    floor, _ = laid("office")
    again = lay_floor(office())
    lay_lanes(again)
    first = again.way.copy()
    lay_lanes(again)
    assert np.array_equal(floor.way, first)
    assert np.array_equal(floor.way, again.way)
    assert np.array_equal(floor.gate, again.gate)


def test_what_is_cut_off_is_what_all_moves_said_one_by_one_do_not_connect() -> None:
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(60):
        shape = tuple(rng.integers(4, 14, 2))
        walkable = rng.random(shape) < 0.85
        way = np.where(rng.random(shape) < 0.6, rng.integers(0, 16, shape), -1).astype(np.int8)
        whole = connected(walkable)
        wrong = cut_off(way, walkable, whole)
        _, strong = connected_components(moves(way, walkable), connection="strong")
        strong = strong.reshape(shape)
        for part in range(1, whole.max() + 1):
            inside = whole == part
            sizes = np.bincount(strong[inside])
            kept = np.unique(strong[inside & ~wrong])
            assert len(kept) == 1
            assert sizes[kept[0]] == sizes.max()
            assert not np.any(strong[inside & wrong] == kept[0])
        found += int(wrong.sum())
    assert found > 100
