"""Which motions fit together: the unlike are dropped, one after another, the others stay; and all may go."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from tests.support.variation_cases import captured
from tests.support.variation_unlike import turned, with_arms_raised, with_arms_swung
from tests.support.variation_walks import walks

from gambol.errors import InvalidInput
from gambol.variation.examples import gather
from gambol.variation.screening import WAY, WHOLE, body_parts, rounds_of_pairs, screen, way_log_likelihood


@pytest.mark.parametrize("count", [2, 5, 6, 8, 9])
def test_in_all_rounds_everyone_is_left_out_once_a_round_and_once_with_every_other(count: int):
    rounds = rounds_of_pairs(count)
    for pairs in rounds:
        assert sorted(one for pair in pairs for one in pair) == list(range(count))
    met = Counter(tuple(sorted(pair)) for pairs in rounds for pair in pairs if len(pair) == 2)
    assert met == Counter(combinations(range(count), 2))


def test_a_bodys_parts_are_all_its_numbers_each_in_one_part():
    encoding = gather(walks(2), cyclic=True).encoding
    parts = body_parts(encoding)
    assert list(parts)[:2] == [WHOLE, WAY]
    assert parts.pop(WHOLE).all()
    assert {"left arm", "right arm", "left leg", "right leg", "trunk", "stance"} <= set(parts)
    np.testing.assert_array_equal(np.sum(list(parts.values()), axis=0), 1)
    assert all(encoding.names[column].startswith("Left") for column in np.flatnonzero(parts["left arm"]))


def test_a_way_that_bends_more_is_less_likely():
    straight = walks(5)
    examples = gather([*straight, *(turned(straight[4], degrees) for degrees in (5.0, 15.0, 30.0))], cyclic=True)
    known = replace(examples, items=examples.items[:4], values=examples.values[:4])
    found = [way_log_likelihood(known, values) for values in examples.values[4:]]
    assert all(np.diff(found) < 0.0)


@pytest.mark.slow
def test_the_unlike_of_a_made_set_go_and_the_others_stay():
    known, others, sources = walks(6, seed=1), walks(2, seed=2), walks(2, seed=3)
    new = [*others, with_arms_raised(sources[0], 35.0), turned(sources[1], 30.0)]
    told: list[tuple[str, float]] = []
    found = screen(known, new, rounds=1, cyclic=True, progress=lambda what, share: told.append((what, share)))
    assert found.kept == (0, 1)
    assert sorted(found.order) == [2, 3]
    assert found.judged[2].part.endswith("arm")
    assert found.judged[3].part == WAY
    assert all(one.kept == (one.score >= found.threshold) for one in found.judged)
    assert found.as_dict()["dropped"] == [new[index].name for index in found.order]
    assert len(found.describe().splitlines()) == 3
    assert {what for what, _ in told} == {
        f"judging {whom}" for whom in ("known-good clips", "4 new clips", "3 new clips", "2 new clips")
    }
    # None of the others is like those known to fit: nothing is left, and the last was judged by the known alone.
    none = screen(known, [with_arms_raised(one, 60.0) for one in others], rounds=1, cyclic=True)
    assert none.kept == ()
    assert len(none.order) == 2


def test_too_few_that_are_known_to_fit_are_refused():
    few = walks(3)
    with pytest.raises(InvalidInput, match="at least 4 motions that are known to fit"):
        screen(few, few)
    with pytest.raises(InvalidInput, match="no motion to judge"):
        screen([*few, *few], [])


@pytest.mark.slow
def test_of_captured_walks_the_unlike_go_and_the_others_stay(mocap: Path):
    cycles = {item.name: item for item in captured(mocap, "walk")}
    known = [cycles[name] for name in (
        "35_03 193-328", "35_04 93-227", "35_04 227-361", "35_05 71-211", "35_06 109-245", "35_07 29-161",
        "35_08 108-244", "35_08 244-375",
    )]  # fmt: skip
    others = [cycles[name] for name in ("35_05 211-345", "35_06 245-379", "35_07 161-290")]
    unlike = [with_arms_raised(known[1], 20.0), with_arms_swung(known[6], 2.0), turned(known[4], 20.0)]
    found = screen(known, [*others, *unlike], rounds=1, cyclic=True)
    assert found.kept == (0, 1, 2), found.describe()
