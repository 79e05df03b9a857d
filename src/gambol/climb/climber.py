"""The climber: a core finds a path over grasps, filters smooth it and put it in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

from gambol.climb.climb import Climb
from gambol.climb.core import Core, Found
from gambol.climb.filters import smooth_and_time
from gambol.climb.paper.core import PaperCore
from gambol.climb.problem import ClimbProblem
from gambol.climb.stances.core import StancesCore
from gambol.errors import InvalidInput, UnknownName
from gambol.plan.plan import Outcome

CORES: dict[str, Callable[[], Core]] = {"stances": StancesCore, "paper": PaperCore}


@dataclass(frozen=True)
class Climber:
    """How climbs are found: solve(ClimbProblem) -> Climb.

    seeds: how many seeds, from the problem's on, are tried; the lowest one that succeeds wins, however many
    processes work at them.
    """

    core: str = "stances"
    seeds: int = 1
    processes: int = 1
    rate_hz: float = 60.0

    def __post_init__(self) -> None:
        if self.core not in CORES:
            raise UnknownName("core of the climber", self.core, tuple(CORES))
        if self.seeds < 1 or self.processes < 1:
            raise InvalidInput("seeds and processes are 1 or more")
        if not 1.0 <= self.rate_hz <= 1000.0:
            raise InvalidInput(f"a rate is 1 to 1000 frames a second, not {self.rate_hz:g}")

    def solve(self, problem: ClimbProblem) -> Climb:
        began = time.perf_counter()
        tried, found = self._search(problem)
        planned = time.perf_counter()
        motion = None
        if found.path is not None:
            _, motion = smooth_and_time(tried, found.path, self.rate_hz)
        return Climb(
            problem=tried,
            core=self.core,
            outcome=found.outcome,
            reason=found.reason,
            planned=found.path,
            motion=motion,
            plan_time_s=planned - began,
            smooth_time_s=time.perf_counter() - planned,
            statistics=found.statistics,
        )

    def _search(self, problem: ClimbProblem) -> tuple[ClimbProblem, Found]:
        """Return the problem with the lowest seed that succeeds, and what was found; if none does, the first."""
        problems = [replace(problem, seed=problem.seed + number) for number in range(self.seeds)]
        first: tuple[ClimbProblem, Found] | None = None
        for tried, found in self._found(problems):
            if found.outcome == Outcome.FOUND:
                return tried, found
            first = first or (tried, found)
        assert first is not None
        return first

    def _found(self, problems: list[ClimbProblem]) -> Iterator[tuple[ClimbProblem, Found]]:
        """Yield what each problem comes to, in their order."""
        if self.processes == 1 or len(problems) == 1:
            for problem in problems:
                yield problem, CORES[self.core]().search(problem)
            return
        pool = ProcessPoolExecutor(self.processes)
        try:
            jobs = [pool.submit(_search_one, self.core, problem) for problem in problems]
            for problem, job in zip(problems, jobs, strict=True):
                yield problem, job.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _search_one(core: str, problem: ClimbProblem) -> Found:
    return CORES[core]().search(problem)
