"""The paper's steps as the fallback of the search over stances: they go on where no stance is left to try."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from tests.support.climb_cases import box, flat, floor_points, problem_in

from gambol.climb.climb import ClimbPath, Source
from gambol.climb.core import FoundPath
from gambol.climb.figure import FREE
from gambol.climb.filters import smooth_and_time
from gambol.climb.problem import ClimbGoal, ClimbProblem, ClimbStart
from gambol.climb.stances import fallback, search
from gambol.climb.stances.core import StancesCore
from gambol.climb.stances.proposals import Proposal, proposals
from gambol.climb.stances.setting import StanceSetting
from gambol.climb.stances.stance import Stance
from gambol.judges import judge_climb
from gambol.search import Outcome
from gambol.world import Environment

FLAT = problem_in(flat())


def propose_between(monkeypatch: pytest.MonkeyPatch, low_x: float, high_x: float) -> None:
    """Let the machine of stances propose only stances between two x."""

    def some(
        setting: StanceSetting, stance: Stance, q: np.ndarray, centre: tuple[float, float], last: int
    ) -> Iterator[Proposal]:
        for proposal in proposals(setting, stance, q, centre, last):
            if all(low_x <= setting.places[grasp][0] <= high_x for grasp in proposal.stance.grasps if grasp != FREE):
                yield proposal

    monkeypatch.setattr(search, "proposals", some)


def window(height_m: float) -> ClimbProblem:
    """Return a floor with a wall across it that has but a window, so many metres high."""
    environment = Environment(
        (-1.0, -0.5, 5.0, 3.0),
        [box(-1.0, -0.5, 5.0, 0.0), box(2.0, 0.0, 2.1, 1.0), box(2.0, 1.0 + height_m, 2.1, 3.0)],
        floor_points(np.arange(0.9, 3.4, 0.3)),
    )
    return problem_in(environment, start_x=0.9, goal_x=3.3)


def sound(problem: ClimbProblem, found: FoundPath) -> ClimbPath:
    """Check the path that was found, smoothed and in time; the paper's steps know no gravity."""
    assert found.outcome == Outcome.FOUND, found.reason
    assert found.path is not None
    report = judge_climb(problem, smooth_and_time(problem, found.path)[1])
    assert (report.collisions, report.drifting, report.over_limit, report.illegal) == (0, 0, 0, ())
    assert report.to_goal_m <= problem.goal.tolerance_m + 1e-6
    return found.path


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_flat_ground_is_walked_though_no_stance_is_proposed(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    propose_between(monkeypatch, -1.0, -1.0)
    problem = replace(FLAT, seed=seed)
    found = StancesCore().search(problem)
    path = sound(problem, found)
    assert found.statistics["stances"] == 1
    assert 0 < found.statistics["paper_steps"] <= fallback.MOST_STEPS
    assert Source.DESCENT in path.sources
    first, second = (np.append(path.configurations[row], path.grasps[row]) for row in (0, 1))
    assert not np.array_equal(first, second)  # the stance where they meet is there once


def test_steps_go_on_from_the_nearest_stance_and_face_as_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts facing away from the goal turns round by stances; the paper's steps cannot."""
    propose_between(monkeypatch, 1.1, 2.2)
    problem = ClimbProblem(flat(), ClimbStart(1.2, 0.0, facing=-1), ClimbGoal(6.0, 1.0))
    path = sound(problem, StancesCore().search(problem))
    assert (path.facings[0], path.facings[-1]) == (-1.0, 1.0)
    first = int(np.flatnonzero(path.sources == Source.DESCENT)[0])
    assert path.configurations[first, 0] > 1.7
    assert np.all(path.facings[first:] == 1.0)
    assert np.abs(np.diff(path.configurations, axis=0)).max() < 0.5


@pytest.mark.slow
def test_where_the_steps_lead_nowhere_the_stances_say_why() -> None:
    found = StancesCore().search(window(0.2))
    assert found.outcome == Outcome.UNREACHABLE
    assert found.reason.startswith("no grasp points lead on")
    assert found.statistics["paper_steps"] == fallback.MOST_STEPS
    assert found.path is not None
    assert Source.RANDOM_WALK not in found.path.sources


@pytest.mark.slow
def test_no_step_is_made_where_free_space_leads_nowhere() -> None:
    found = StancesCore().search(window(0.0))
    assert found.outcome == Outcome.UNREACHABLE
    assert found.statistics["paper_steps"] == 0


def test_what_is_known_at_once_or_out_of_budget_is_left_at_that(monkeypatch: pytest.MonkeyPatch) -> None:
    propose_between(monkeypatch, 1.1, 2.2)
    for problem in (
        replace(FLAT, goal=ClimbGoal(3.0, -0.3)),
        replace(FLAT, start=ClimbStart(0.0, 2.5)),
        replace(FLAT, start=ClimbStart(1.2, 0.0), max_stances=2),
        replace(FLAT, time_limit_s=0.0),
    ):
        found = StancesCore().search(problem)
        assert found.outcome != Outcome.FOUND
        assert "paper_steps" not in found.statistics


def test_steps_end_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    propose_between(monkeypatch, -1.0, -1.0)
    clock = iter([0.0, 1.0, 1.0])  # begun, after the search over stances, before the first step
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock, 100.0))
    found = StancesCore().search(replace(FLAT, time_limit_s=10.0))
    assert found.outcome == Outcome.UNREACHABLE
    assert 0 < found.statistics["paper_steps"] < 5
