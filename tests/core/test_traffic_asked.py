"""What moves, in the core: look-ups against going through all records, what is laid out against trajectories."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import numpy as np
import pytest
import shapely
from evidence.soak.planning_problems import random_figure
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.footprints import FOOTPRINTS

from gambol.characters import Character, place_steps
from gambol.characters.action_table import ActionTable, action_table, actions_struct
from gambol.core import lib, pointer, struct
from gambol.geometry import planar
from gambol.search import Traffic
from gambol.world import Footprint, Mover, Trajectory

RATE_HZ, HORIZON, CLOSE = 10.0, 120, 1e-9


@pytest.fixture(scope="module")
def figure() -> Character:
    return random_figure(np.random.default_rng(5))


def random_trajectory(rng: np.random.Generator, *, spread_m: float = 6.0) -> Trajectory:
    """Return one that goes, turns and rises at random, once, to and fro or around."""
    count = int(rng.integers(1, 6))
    repeat = str(rng.choice(["once", "loop", "bounce"])) if count > 1 else "once"
    poses = np.column_stack((rng.uniform(-spread_m, spread_m, (count, 2)), rng.uniform(-4.0, 4.0, count)))
    bottoms = rng.uniform(0.0, 1.0, count)
    steps = rng.uniform(0.01, 1.2, count)
    times = np.cumsum(steps) - rng.choice([steps[0], 2.0, 0.0])
    return Trajectory(times, poses, np.column_stack((bottoms, bottoms + rng.uniform(0.1, 1.0, count))), repeat)


def crowd(rng: np.random.Generator, figure: Character) -> Traffic:
    """Return a traffic of movers, of which one may be larger than all cells, of bodies and of one that stands."""
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    for number in range(4):
        traffic.add_mover(Mover(f"mover {number}", FOOTPRINTS[number], random_trajectory(rng)), stays=number != 2)
    if rng.random() < 0.3:
        path = Trajectory(np.zeros(1), np.array([[50.0, 0.0, 0.0]]), np.array([[1.9, 2.0]]))
        traffic.add_mover(Mover("giant", Footprint.box(300.0, 0.2), path))
    for number in range(3):
        pose = (*(float(value) for value in rng.uniform(-5.0, 5.0, 2)), float(rng.uniform(-3.0, 3.0)))
        names = ["forward"] * int(rng.integers(1, 8))
        steps = place_steps(figure, names, start=pose, frame=int(rng.integers(0, 40)))
        traffic.add_body(figure, steps, name=f"body {number}")
    return traffic


def room(traffic: Traffic, x: float, y: float, radius: float, low: float, high: float, frame: int) -> np.ndarray:
    """Return how much room a cylinder has to each thing at a frame, by going through its records."""
    table = traffic.table
    found = np.full(len(table.things), np.inf)
    for thing, (first, last, first_slot, gone_after) in enumerate(table.things):
        if frame > gone_after:
            continue
        slot = first_slot + min(max(frame, first), last) - first
        for record in range(*table.slots[slot]):
            _, _, _, lowest, highest, origin_x, origin_y, cosine, sine, growth = table.records[record]
            pose = np.array([origin_x, origin_y, np.arctan2(sine, cosine)])
            for prism in range(*table.shape_prisms[table.record_shapes[record]]):
                rounding, bottom, top = table.prisms[prism]
                corners = slice(*table.prism_corners[prism])
                outline = planar.apply(pose, np.column_stack((table.corner_x[corners], table.corner_y[corners])))
                away = shapely.distance(shapely.convex_hull(shapely.MultiPoint(outline)), shapely.Point(x, y))
                if low <= min(top, highest) and high >= max(bottom, lowest):
                    found[thing] = min(found[thing], away - radius - rounding - growth)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_cylinder_meets_what_going_through_all_records_finds(figure: Character, seed: int):
    rng = np.random.default_rng(seed)
    traffic = crowd(rng, figure)
    table, met_count = traffic.struct, 0
    for _ in range(120):
        x, y = rng.uniform(-9.0, 9.0, 2)
        radius, low, frame = rng.uniform(0.05, 4.0), rng.uniform(-0.2, 2.0), int(rng.integers(HORIZON))
        gaps = room(traffic, x, y, radius, low, low + 0.6, frame)
        met = lib.gb_traffic_disc_blocker(table.c, x, y, radius, low, low + 0.6, frame)
        met_count += met >= 0
        if np.abs(gaps).min() > CLOSE:
            assert (met >= 0) == (gaps < 0.0).any()
        if met >= 0:
            assert gaps[met] < CLOSE
        else:
            assert met == lib.GB_NOTHING
    assert 10 < met_count < 110
    beyond = lib.gb_traffic_disc_blocker(table.c, 900.0, 0.0, 0.1, 0.0, 1.0, HORIZON + 1)
    assert beyond == (lib.GB_BEYOND_HORIZON if traffic.is_endless else lib.GB_NOTHING)


def body(actions: ActionTable, sample: int, x: float, y: float, heading: float) -> np.ndarray:
    there = actions.part_high[sample] > actions.part_low[sample]
    at = planar.apply(np.array([x, y, heading]), actions.part_offset[sample][there])
    columns = (actions.part_radius, actions.part_low, actions.part_high)
    return np.column_stack((at, *(column[sample][there] for column in columns)))


@pytest.mark.parametrize("seed", range(4))
def test_a_body_meets_what_its_cylinders_meet_now_and_as_long_as_it_stays(figure: Character, seed: int):
    rng = np.random.default_rng(seed)
    traffic, actions = crowd(rng, figure), action_table(figure)
    table, core, stays_count = traffic.struct, actions_struct(figure), 0
    for _ in range(25):
        sample, frame = int(rng.integers(len(actions.path))), int(rng.integers(HORIZON - 30, HORIZON))
        x, y, heading = rng.uniform(-8.0, 8.0), rng.uniform(-8.0, 8.0), rng.uniform(-3.0, 3.0)
        wider = float(rng.choice([0.0, 0.1]))
        place = core.c, sample, x, y, np.cos(heading), np.sin(heading)
        until = HORIZON if traffic.is_endless else max(traffic.last_change_frame + 1, frame)
        slacks = []
        for at in range(frame, until + 1):
            gaps = np.min(
                [
                    room(traffic, px, py, radius + wider, low - wider, high + wider, at)
                    for px, py, radius, low, high in body(actions, sample, x, y, heading)
                ],
                axis=0,
            )
            met = lib.gb_traffic_body_blocker(table.c, *place, at, wider, wider, wider)
            slacks.append(gaps.min())
            if abs(slacks[-1]) > CLOSE:
                assert (met >= 0) == (slacks[-1] < 0.0)
        stays = lib.gb_traffic_body_stays_free(table.c, *place, frame, wider, wider, wider)
        stays_count += stays
        assert stays == all(slack > 0.0 for slack in slacks) or np.abs(slacks).min() < CLOSE
    assert 0 < stays_count < 25


@pytest.mark.parametrize("seed", range(4))
def test_where_it_is_quiet_nothing_is_met(figure: Character, seed: int):
    rng = np.random.default_rng(seed)
    traffic = crowd(rng, figure)
    table, quiet = traffic.struct, 0
    for _ in range(200):
        x, y = rng.uniform(-20.0, 20.0, 2)
        radius, first = rng.uniform(0.2, 4.0), int(rng.integers(0, HORIZON - 40))
        last = first + int(rng.integers(0, 40))
        if lib.gb_traffic_is_quiet(table.c, x, y, radius, first, last):
            quiet += 1
            for frame in {first, last, (first + last) // 2}:
                assert lib.gb_traffic_disc_blocker(table.c, x, y, radius, -9.0, 9.0, frame) < 0
                assert room(traffic, x, y, radius, -9.0, 9.0, frame).min() > -CLOSE
    assert quiet > 20 or table.c.has_giants


# Laying out


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_a_stretch_holds_all_places_of_its_time(seed: int):
    rng = np.random.default_rng(seed)
    trajectory, reach = random_trajectory(rng), 0.8
    once = Trajectory(trajectory.times_s, trajectory.poses, trajectory.heights_m)
    begin, end = trajectory.times_s[[0, -1]]
    first = rng.uniform(begin - 0.5, end, 5)
    last = rng.uniform(first, end + 0.5)
    middle, placed = 0.5 * (first + last), np.empty((5, 6))
    table = struct(
        "gb_trajectory", count=len(trajectory.times_s), times=trajectory.times_s, poses=trajectory.poses,
        heights=trajectory.heights_m, reach=reach,
    )  # fmt: skip
    asked = (pointer(one, "double") for one in (first, middle, last))
    lib.gb_traffic_place_stretches(table.c, *asked, 5, pointer(placed, "double"))
    for row in range(5):
        poses, heights = once.at(np.linspace(first[row], last[row], 60))
        assert np.allclose(placed[row, :3], once.at(middle[row])[0], rtol=0, atol=1e-9)
        away = np.hypot(*(poses[:, :2] - placed[row, :2]).T)
        turned = np.abs(poses[:, 2] - placed[row, 2])
        assert (away + reach * np.minimum(turned, 2.0) <= placed[row, 5] + 2e-9 + reach * 1e-9).all() or np.allclose(
            away + reach * np.minimum(turned, 2.0), placed[row, 5], atol=1e-6
        )
        assert placed[row, 3] <= heights[:, 0].min() + 1e-9
        assert placed[row, 4] >= heights[:, 1].max() - 1e-9


def random_slots(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return records of circles that wander, and slots of one or two records each."""
    records = np.zeros((2 * count, lib.GB_RECORD_COLUMNS))
    records[:, :2] = np.cumsum(rng.normal(scale=0.5, size=(2 * count, 2)), axis=0) + rng.uniform(-9.0, 9.0, 2)
    records[:, 2] = rng.uniform(0.0, 1.5, 2 * count)
    ends = np.cumsum(rng.integers(1, 3, count))
    return records, np.ascontiguousarray(np.column_stack((np.concatenate(([0], ends[:-1])), ends)), dtype=np.int64)


def keys_of(records: np.ndarray, slots: np.ndarray, first_frame: int, level) -> list[int]:
    keys = np.empty(100_000, np.int64)
    count = lib.gb_traffic_touched_cells(
        pointer(records, "double"), pointer(slots, "int64_t"), len(slots), first_frame, level.c,
        pointer(keys, "int64_t"), len(keys),
    )  # fmt: skip
    return keys[:count].tolist()


@pytest.mark.parametrize("seed", range(10))
def test_the_cells_of_a_thing_are_those_that_its_grown_circles_meet_block_by_block(seed: int):
    rng = np.random.default_rng(seed)
    records, slots = random_slots(rng, int(rng.integers(1, 40)))
    block, cell_m, growth = int(rng.integers(1, 12)), float(rng.uniform(0.5, 4.0)), float(rng.choice([0.0, 1.0]))
    level = struct("gb_cell_level", block_frames=block, cell_m=cell_m, growth=growth)
    for first_frame in (0, int(rng.integers(0, 50)), -1):
        expected: set[int] = set()
        for slot, (begin, end) in enumerate(slots):
            number = -1 if first_frame < 0 else (first_frame + slot) // block
            for x, y, radius in records[begin:end, :3]:
                reach = radius + growth
                columns, rows = (range(int((v - reach) // cell_m) - 1, int((v + reach) // cell_m) + 2) for v in (x, y))
                for column, row in product(columns, rows):
                    beside = np.maximum([column * cell_m - x, row * cell_m - y], 0.0)
                    beside = np.maximum(beside, [x - (column + 1) * cell_m, y - (row + 1) * cell_m])
                    if np.hypot(*beside) <= reach:
                        expected.add(lib.gb_traffic_cell_key(number, column, row))
        found = keys_of(records, slots, first_frame, level)
        assert len(found) == len(set(found))
        assert set(found) == expected


def test_keys_of_cells_differ_and_are_not_negative():
    some = [*range(-40, 40, 3), -500_000, 500_000]
    keys = [lib.gb_traffic_cell_key(*cell) for cell in product((-1, 0, 7, 10**5), some, some)]
    assert min(keys) >= 0
    assert len(set(keys)) == len(keys)


def hash_table(rows: int, columns: int) -> np.ndarray:
    return np.full((rows, columns), -1, np.int64)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.integers(0, 40), unique=True, max_size=12), max_size=8))
def test_cells_list_the_things_entered_the_last_one_first_also_in_a_larger_table(things: list[list[int]]):
    cells, entries, expected = hash_table(128, 2), np.zeros((100, 2), np.int64), defaultdict(list)
    first = 0
    for thing, numbers in enumerate(things):
        keys = np.array([lib.gb_traffic_cell_key(n % 3, n, -n) for n in numbers], np.int64)
        lib.gb_traffic_enter_thing(
            pointer(cells, "int64_t"), 128, pointer(entries, "int64_t"), first, pointer(keys, "int64_t"), len(keys),
            thing,
        )  # fmt: skip
        first += len(keys)
        for key in keys.tolist():
            expected[key].insert(0, thing)
    larger = hash_table(512, 2)
    lib.gb_traffic_rehash(pointer(cells, "int64_t"), 128, 2, pointer(larger, "int64_t"), 512)
    for table in (cells, larger):
        found = {}
        for key, entry in table[table[:, 0] >= 0].tolist():
            found[key] = []
            while entry >= 0:
                thing, entry = entries[entry].tolist()
                found[key].append(thing)
        assert found == expected


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 15), st.integers(0, 100), st.integers(-1, 100)), max_size=30))
def test_marks_know_since_when_and_until_when_anything_rests(entered: list[tuple[int, int, int]]):
    marks, expected = hash_table(64, 3), {}
    for number, after, before in entered:
        key = np.array([lib.gb_traffic_cell_key(-1, number, 2)], np.int64)
        lib.gb_traffic_enter_marks(pointer(marks, "int64_t"), 64, pointer(key, "int64_t"), 1, after, before)
        known = expected.get(int(key[0]), (after, before))
        expected[int(key[0])] = (min(known[0], after), max(known[1], before))
    assert {key: (after, before) for key, after, before in marks[marks[:, 0] >= 0].tolist()} == expected
