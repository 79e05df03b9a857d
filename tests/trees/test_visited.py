from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.search import new_slots
from gambol.search.kernels.visited import (
    COST,
    NOBODY,
    NODE,
    PLACE,
    REST,
    find_slot,
    move_entries,
    place_key,
    rest_key,
)

places = st.floats(-2000.0, 2000.0)
angles = st.floats(-50.0, 50.0)


@settings(deadline=None, max_examples=300)
@given(places, places, places, places, st.sampled_from([0.2, 0.5, 1e-6]))
def test_places_share_a_key_exactly_if_they_share_a_cell(x: float, y: float, u: float, v: float, unit: float):
    for a, b in ((u, v), (x + 0.3 * unit, y), (x, y - 0.7 * unit)):
        same = (math.floor(x / unit), math.floor(y / unit)) == (math.floor(a / unit), math.floor(b / unit))
        assert (place_key(x, y, unit) == place_key(a, b, unit)) == same


@settings(deadline=None, max_examples=300)
@given(angles, st.integers(-3, 3), st.sampled_from([4, 48, 1 << 21]))
def test_whole_turns_make_no_difference(heading: float, turns: int, count: int):
    middle = round(heading / (2.0 * math.pi) * count) * 2.0 * math.pi / count  # not at the edge of a sector
    one, other = (rest_key(angle, count, 3, 2, 0, 0) for angle in (middle, middle + 2.0 * math.pi * turns))
    assert one == other


def test_headings_either_side_of_zero_are_one_sector():
    assert (
        rest_key(0.01, 48, 0, 0, 0, 0)
        == rest_key(-0.01, 48, 0, 0, 0, 0)
        == rest_key(2.0 * math.pi - 0.01, 48, 0, 0, 0, 0)
    )


def test_sector_state_leg_and_time_do_not_run_into_each_other():
    kinds = [
        (sector, state, leg, frame)
        for sector in (0, 1, (1 << 21) - 1) for state in (0, 1, 16383) for leg in (0, 1001) for frame in (0, 7, 99_999)
    ]  # fmt: skip
    keys = {
        int(rest_key(2.0 * math.pi * sector / (1 << 21), 1 << 21, state, leg, frame, 1))
        for sector, state, leg, frame in kinds
    }
    assert len(keys) == len(kinds)


def test_time_does_not_matter_where_nothing_moves():
    assert rest_key(1.0, 48, 2, 0, 5, 0) == rest_key(1.0, 48, 2, 0, 500, 0)
    assert rest_key(1.0, 48, 2, 0, 5, 8) == rest_key(1.0, 48, 2, 0, 7, 8) != rest_key(1.0, 48, 2, 0, 8, 8)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(-(2**62), 2**62)), max_size=120))
def test_the_table_holds_what_a_dictionary_does_also_after_growing(keys: list[tuple[int, int]]):
    slots, expected = new_slots(4), {}
    for node, (place, rest) in enumerate(keys):
        while 2 * (len(expected) + 1) > len(slots):
            larger = new_slots(2 * len(slots))
            move_entries(slots, larger)
            slots = larger
        at = find_slot(slots, place, rest)
        assert slots[at, NODE] == expected.get((place, rest), NOBODY)
        slots[at, [PLACE, REST, COST, NODE]] = place, rest, 10 * node, node
        expected[place, rest] = node
    for (place, rest), node in expected.items():
        at = find_slot(slots, place, rest)
        assert slots[at, NODE] == node
        assert slots[at, COST] == 10 * node
    assert np.count_nonzero(slots[:, NODE] != NOBODY) == len(expected)
