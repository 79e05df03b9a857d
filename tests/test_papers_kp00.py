"""KP00 measured again: what every item shows, and what must be true of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.quick_items import check_item, quick

from gambol.papers import kp00_figure_1, kp00_figure_13, kp00_figures_10_11, kp00_times
from gambol.papers.climb_runs import PAPER, STANCES, median
from gambol.papers.report import Report

NAMES = ("kp00-times", "kp00-figure-1", "kp00-figure-13", "kp00-figures-10-11")


@pytest.mark.parametrize("name", NAMES)
def test_an_item_shows_all_its_claims_and_explains_what_is_worse(name: str, tmp_path: Path):
    check_item(name, tmp_path)


def number(report: Report, table: str, label: str, column: str) -> float:
    value = report.table(table).entry(label, column).ours
    assert isinstance(value, (int, float))
    return value


def test_the_course_is_computed_in_less_than_the_papers_minutes():
    report = quick("kp00-times").report
    assert 0.0 < number(report, kp00_times.WHOLE, kp00_times.COURSE, kp00_times.MINUTES) < 10.0
    assert number(report, kp00_times.WHOLE, kp00_times.COURSE, kp00_times.FRAMES) > 1000


def test_both_cores_solve_what_is_easy_and_only_stances_the_course():
    report = quick("kp00-times").report
    for name in (STANCES, PAPER):
        assert number(report, kp00_times.CORES, "climb-flat", f"{name}: {kp00_times.FOUND}") == 1
    found = {name: number(report, kp00_times.CORES, kp00_times.COURSE, f"{name}: {kp00_times.FOUND}")
             for name in (STANCES, PAPER)}  # fmt: skip
    assert found == {STANCES: 1, PAPER: 0}
    assert any("worse" in sentence for sentence in report.differences)


def test_the_middle_of_some_numbers():
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([4.0, 1.0]) == 2.5


def test_the_course_is_solved_with_all_modes_and_is_clean():
    report = quick("kp00-figure-1").report
    assert number(report, kp00_figure_1.SETTING, kp00_figure_1.USED, "ours") == 4
    judged = report.table(kp00_figure_1.JUDGED)
    assert judged.rows
    for one in judged.rows:
        assert number(report, kp00_figure_1.JUDGED, one.label, kp00_figure_1.CLEAN) == 1
        assert number(report, kp00_figure_1.JUDGED, one.label, kp00_figure_1.COLLISIONS) == 0
    shares = [number(report, kp00_figure_1.MODES, one.label, kp00_figure_1.SHARE)
              for one in report.table(kp00_figure_1.MODES).rows]  # fmt: skip
    assert sum(shares) == pytest.approx(100.0)
    assert min(shares) > 0.0


def test_the_change_from_climbing_to_walking_breaks_nothing():
    report = quick("kp00-figure-13").report
    assert len(report.table(kp00_figure_13.CHANGE).rows) == kp00_figure_13.QUICK_SEEDS
    assert number(report, "constraints", kp00_figure_13.CONSTRAINTS, "ours") == 0
    for kind in (kp00_figure_13.WITHIN, kp00_figure_13.BETWEEN):
        assert 0.0 < number(report, kp00_figure_13.EDGES, kind, kp00_figure_13.SHARE) <= 100.0


def test_smoothing_shortens_what_joints_turn_and_keeps_grasps():
    report = quick("kp00-figures-10-11").report
    for one in report.table(kp00_figures_10_11.TRAVEL).rows:
        of = [number(report, kp00_figures_10_11.TRAVEL, one.label, column)
              for column in (kp00_figures_10_11.PLANNED, kp00_figures_10_11.SMOOTHED)]  # fmt: skip
        assert of[1] < of[0]
        assert number(report, kp00_figures_10_11.TRAVEL, one.label, kp00_figures_10_11.SAME) == 1
        assert number(report, kp00_figures_10_11.TRAVEL, one.label, kp00_figures_10_11.DRIFT) < 1.0
