"""Variants inside the range of the data, no sharper than it, and measured against it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.variation.test_variation_constraints import walker, walks

from gambol.errors import InvalidInput
from gambol.motion import Contacts, Motion
from gambol.variation.constraints.limits import MOST_BEYOND, ROOM, Limits, limits_of
from gambol.variation.constraints.peaks import MOST_SHARPER, accelerations, peaks_of
from gambol.variation.encoding import ROOT_COUNT
from gambol.variation.measures import physical


def test_what_stays_in_range_is_not_touched():
    limits = limits_of(walks())
    for values in walks().values:
        assert np.array_equal(limits.brought_back(values), values)
        assert limits.check(values) == ()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.floats(0.0, 3.0))
def test_what_leaves_the_range_is_brought_back_whatever_it_is(seed, size):
    limits = limits_of(walks())
    rng = np.random.default_rng(seed)
    values = walks().values[0]
    strayed = values + size * rng.normal(0.0, 1.0, values.shape[1]) * walks().encoding.spread
    back = limits.brought_back(strayed)
    assert limits.beyond(back)[:, ROOT_COUNT:].max() <= ROOM + 1e-9
    assert np.array_equal(back[:, :ROOT_COUNT], strayed[:, :ROOT_COUNT])
    assert limits.check(back) == ()
    inside = limits.beyond(strayed).max(axis=0) <= ROOM
    assert np.array_equal(back[:, inside], strayed[:, inside])


def test_fine_structure_survives_being_brought_back():
    limits = limits_of(walks())
    values = np.array(walks().values[0])
    column = ROOT_COUNT + int(np.argmax(limits.width[ROOT_COUNT:]))
    values[:, column] += 0.3 * limits.width[column]
    back = limits.brought_back(values)
    trembling = 0.01 * limits.width[column] * np.sin(np.arange(len(values)) * 2.5)
    high = np.argsort(values[:, column])[-5:]
    values[:, column] += trembling
    again = limits.brought_back(values)
    kept = np.diff(again[:, column] - back[:, column], n=2)
    assert np.corrcoef(kept, np.diff(trembling, n=2))[0, 1] > 0.9
    assert np.all(again[high, column] <= limits.high[column] + ROOM * limits.width[column] + 1e-12)


def test_a_check_names_what_leaves_its_range_and_where():
    limits = limits_of(walks())
    values = np.array(walks().values[0])
    column = ROOT_COUNT + 2
    values[17, column] = limits.high[column] + 0.5 * limits.width[column]
    (found,) = limits.check(values)
    assert found.name == walks().encoding.names[column]
    assert found.frame == 17
    assert found.share == pytest.approx(0.5)
    with pytest.raises(InvalidInput, match="lowest and a highest"):
        Limits(walks().encoding, limits.high, limits.low - 1.0)


def test_a_jerk_is_calmed_and_nothing_else():
    peaks, encoding = peaks_of(walks()), walks().encoding
    values = walks().values[0]
    assert np.array_equal(peaks.calmed(values), values)
    jerked = np.array(values)
    column = encoding.names.index("LeftLeg y")
    jerked[40, column] += 0.3
    assert peaks.sharper(encoding.decode(jerked)).max() > 2.0 * MOST_SHARPER
    calm = peaks.calmed(jerked)
    assert peaks.sharper(encoding.decode(calm)).max() <= MOST_SHARPER
    others = np.array(["Left" not in name for name in encoding.names])
    assert np.array_equal(calm[:, others], jerked[:, others])
    assert np.abs(calm - jerked)[80:].max() < 1e-3


def inputs() -> list[tuple[Motion, Contacts]]:
    return [(item.motion, item.contacts) for item in walks().items]


def test_inputs_agree_with_themselves():
    report = physical.compare(inputs(), inputs(), walks().encoding)
    assert report.passes
    assert report.slide_m_s == report.input_slide_m_s
    assert not report.beyond.any()
    assert report.sharper.max() == 1.0
    assert report.fastest_slide_m_s == report.input_fastest_slide_m_s


def test_each_measure_fails_by_itself():
    encoding = walks().encoding
    slides = walker(0.3)
    report = physical.compare([(slides.motion, slides.contacts)], inputs(), encoding)
    assert not report.slides_no_more
    assert report.slide_m_s == pytest.approx(0.3, rel=0.05)
    values = np.array(walks().values[0])
    column = ROOT_COUNT + 4
    values[:, column] += (MOST_BEYOND + 0.05) * np.ptp(np.concatenate(walks().values)[:, column])
    report = physical.compare([(encoding.decode(values), slides.contacts)], inputs(), encoding)
    assert not report.stays_in_range
    assert report.names[int(report.beyond.argmax())] == encoding.names[column]
    jerked = np.array(walks().values[0])
    jerked[30, encoding.names.index("LeftLeg y")] += 0.2
    motion = encoding.decode(jerked)
    report = physical.compare([(motion, slides.contacts)], inputs(), encoding)
    assert not report.no_sharper
    foot = encoding.skeleton.index("LeftFoot")
    highest = max(accelerations(item.motion)[:, foot].max() for item in walks().items)
    assert report.sharper[foot] == pytest.approx(accelerations(motion)[:, foot].max() / highest)
    assert "FAILS" in report.describe()
    assert report.as_dict()["no_sharper"] is False


def test_bodies_of_which_nothing_but_the_root_moves_are_compared_too():
    encoding = walks().encoding
    stiff = replace(encoding, columns=encoding.columns[:0], spread=encoding.spread[:ROOT_COUNT])
    report = physical.compare(inputs(), inputs(), stiff)
    assert report.passes
    assert report.as_dict()["farthest_beyond_range"] == 0.0
    assert "0 % at most (none)" in report.describe()


def test_a_comparison_needs_both_sides():
    with pytest.raises(InvalidInput, match="at least one variant"):
        physical.compare([], inputs(), walks().encoding)
