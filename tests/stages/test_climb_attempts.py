"""A climb that the judge would not pass is planned anew; of several, the one with the least against it is delivered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.support.climb_cases import flat, problem_in

from gambol.climb import ClimbMotion, ClimbProblem, FoundPath, StancesCore
from gambol.judges import ClimbReport, judge_climb
from gambol.search import Outcome
from gambol.stages import Climber, climber
from gambol.stages.climber import ATTEMPTS

FLAT = problem_in(flat())


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the seeds that are searched with, as they are searched with."""
    seeds: list[int] = []

    def search(core: str, problem: ClimbProblem) -> FoundPath:
        seeds.append(problem.seed)
        return StancesCore().search(replace(problem, time_limit_s=None))

    monkeypatch.setattr(climber, "_search_one", search)
    return seeds


def judge_by(monkeypatch: pytest.MonkeyPatch, shares: list[float], illegal: list[bool] | None = None) -> None:
    """Let the judge say of one climb after another that gravity forbids such a share of it."""
    said: Iterator[tuple[float, bool]] = iter(zip(shares, illegal or [False] * len(shares), strict=True))

    def judged(problem: ClimbProblem, motion: ClimbMotion) -> ClimbReport:
        share, is_illegal = next(said)
        report = judge_climb(problem, motion)
        gravity = replace(report.gravity, share=share)
        return replace(report, gravity=gravity, drifting=int(is_illegal), drift_mm=replace(
            report.drift_mm, value=5.0 if is_illegal else 0.0
        ))  # fmt: skip

    monkeypatch.setattr(climber, "judge_climb", judged)


def test_what_the_judge_passes_is_planned_once(searched: list[int]) -> None:
    Climber().solve(FLAT)
    assert len(searched) == 1


def test_the_first_that_passes_is_delivered(monkeypatch: pytest.MonkeyPatch, searched: list[int]) -> None:
    judge_by(monkeypatch, [0.05, 0.02, 0.004])
    climb = Climber().solve(FLAT)
    assert len(searched) == len(set(searched)) == 3
    third = StancesCore().search(replace(FLAT, seed=searched[2])).path
    assert climb.planned is not None
    assert third is not None
    assert climb.planned.configurations.tobytes() == third.configurations.tobytes()
    assert climb.problem.seed == FLAT.seed  # the same problem gives the same climb again


@pytest.mark.slow
def test_if_none_passes_the_one_with_the_least_against_it_is_delivered(
    monkeypatch: pytest.MonkeyPatch, searched: list[int]
) -> None:
    shares = [0.05, 0.02, 0.03, 0.012, *[0.04] * (ATTEMPTS["stances"] - 4)]
    judge_by(monkeypatch, shares, [False, False, False, True, *[False] * (ATTEMPTS["stances"] - 4)])
    climb = Climber().solve(FLAT)
    assert len(searched) == ATTEMPTS["stances"]
    second = StancesCore().search(replace(FLAT, seed=searched[1])).path  # the fourth does what is worse
    assert climb.planned is not None
    assert second is not None
    assert climb.planned.configurations.tobytes() == second.configurations.tobytes()


def test_there_is_no_other_try_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch, searched: list[int]) -> None:
    judge_by(monkeypatch, [0.05] * ATTEMPTS["stances"])
    monkeypatch.setattr(climber.jit, "seconds", iter(range(0, 10_000, 20)).__next__)
    climb = Climber().solve(replace(FLAT, time_limit_s=50.0))
    assert climb.outcome == Outcome.FOUND
    assert 1 <= len(searched) < ATTEMPTS["stances"]


def test_without_smoothing_and_by_the_papers_core_nothing_is_planned_anew(
    monkeypatch: pytest.MonkeyPatch, searched: list[int]
) -> None:
    judge_by(monkeypatch, [0.05] * 4)
    Climber(smoothing=False).solve(FLAT)
    Climber(core="paper").solve(FLAT)
    assert len(searched) == 2
