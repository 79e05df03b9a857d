"""Whatever the climber returns in whatever environment, found or not, an independent judge finds nothing against it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from tests.support.climb_environments import random_course

from gambol.climb.climb import Climb
from gambol.judges import ClimbReport, judge_climb
from gambol.judges.climb_report import GRAVITY_LIMIT
from gambol.search import Outcome
from gambol.stages import Climber

#: Courses of one piece and of two, for all figures; few changes of grasp are tried, so that some end half-way.
SINGLE, DOUBLE = tuple(range(10)), tuple(range(100, 106))
MOST_STANCES = 150


@cache
def climbed(seed: int) -> Climb:
    problem, _ = random_course(seed, pieces=1 if seed in SINGLE else 2)
    return Climber().solve(replace(problem, max_stances=MOST_STANCES))


@cache
def judged(seed: int) -> ClimbReport | None:
    climb = climbed(seed)
    return None if climb.motion is None else judge_climb(climb.problem, climb.motion)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SINGLE + DOUBLE)
def test_a_climb_keeps_clear_holds_what_it_holds_and_does_only_what_its_mode_allows(seed: int) -> None:
    climb, report = climbed(seed), judged(seed)
    if report is None:
        assert climb.outcome != Outcome.FOUND
        assert climb.reason
        return
    assert replace(report, gravity=replace(report.gravity, share=0.0)).is_clean, "\n".join(report.lines())
    if climb.outcome == Outcome.FOUND:
        assert report.to_goal_m <= climb.problem.goal.tolerance_m + 1e-6


def test_most_climbs_hardly_ever_do_what_gravity_would_not_allow() -> None:
    """Not all: high steps are slow, and feet do not roll over their toes."""
    reports = [report for report in map(judged, SINGLE + DOUBLE) if report is not None]
    within = sum(report.gravity.share <= GRAVITY_LIMIT for report in reports)
    assert within >= 0.9 * len(reports), [report.gravity.share for report in reports]
    assert sum(report.gravity.infeasible for report in reports) <= GRAVITY_LIMIT * sum(one.frames for one in reports)


def test_random_courses_are_mastered_and_some_are_not() -> None:
    """Else the properties above would be about nothing, or about only one outcome."""
    outcomes = [climbed(seed).outcome for seed in SINGLE + DOUBLE]
    assert outcomes.count(Outcome.FOUND) >= len(outcomes) // 2
