"""The climber: a core finds a path over grasps, filters smooth it and put it in time.

What comes of it is judged.  A motion that the judge would not pass is planned anew, by another stream of chance; of
several that it would not pass, the one with the least against it is delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import active_children, get_context

from gambol.climb.climb import Climb, ClimbMotion, ClimbPath
from gambol.climb.core import Core, FoundPath
from gambol.climb.filters import smooth_and_time, timed
from gambol.climb.filters.tables import filter_tables
from gambol.climb.paper.core import PaperCore
from gambol.climb.problem import ClimbProblem
from gambol.climb.stances.core import StancesCore
from gambol.errors import InvalidInput, UnknownName
from gambol.judges.climbs import judge_climb
from gambol.kernels import jit
from gambol.search.plan import Outcome

#: Ways to search for climbs, by the names that `--core` takes.
CORES: dict[str, Callable[[], Core]] = {"stances": StancesCore, "paper": PaperCore}
#: How often a problem is planned at most, until the judge passes what comes of it.  The paper's core knows no gravity.
ATTEMPTS = {"stances": 8, "paper": 1}
NOTHING = (0, 0.0)  # against a climb
ATTEMPT_STRIDE = 1_000_003  # between the seeds of attempts, so that no seed that people try is another one's attempt


@dataclass(frozen=True)
class Climber:
    """How climbs are found: solve(ClimbProblem) -> Climb.

    seeds: how many seeds, from the problem's on, are tried; the lowest one that succeeds wins, however many
    processes work at them.
    smoothing: without it what the core found is only put in time.
    """

    core: str = "stances"
    seeds: int = 1
    processes: int = 1
    rate_hz: float = 60.0
    smoothing: bool = True

    def __post_init__(self) -> None:
        if self.core not in CORES:
            raise UnknownName("core of the climber", self.core, tuple(CORES))
        if self.seeds < 1 or self.processes < 1:
            raise InvalidInput("seeds and processes are 1 or more")
        if not 1.0 <= self.rate_hz <= 1000.0:
            raise InvalidInput(f"a rate is 1 to 1000 frames a second, not {self.rate_hz:g}")

    def solve(self, problem: ClimbProblem) -> Climb:
        return self.solve_first([replace(problem, seed=problem.seed + number) for number in range(self.seeds)])

    def solve_first(self, problems: Sequence[ClimbProblem]) -> Climb:
        """Return the climb of the first of some problems that is solved; if none is, what became of the first."""
        if not problems:
            raise InvalidInput("a climber needs a problem to solve")
        began = jit.seconds()
        tried, found = self._search(problems)
        climb = self._climb(tried, found, jit.seconds() - began)
        against = _against(climb)
        for attempt in range(1, ATTEMPTS.get(self.core, 1) if self.smoothing else 1):
            used_s = jit.seconds() - began
            if against == NOTHING or (tried.time_limit_s is not None and used_s > tried.time_limit_s):
                break
            found = _search_one(self.core, replace(tried, seed=tried.seed + attempt * ATTEMPT_STRIDE))
            if found.outcome == Outcome.FOUND:
                again = self._climb(tried, found, jit.seconds() - began)
                if (less := _against(again)) < against:
                    climb, against = again, less
        return climb

    def _climb(self, problem: ClimbProblem, found: FoundPath, plan_time_s: float) -> Climb:
        began = jit.seconds()
        motion = None if found.path is None else self._in_time(problem, found.path)
        smooth_time_s = jit.seconds() - began
        return Climb(
            problem, self.core, found.outcome, found.reason, found.path, motion, plan_time_s, smooth_time_s,
            found.statistics,
        )  # fmt: skip

    def _in_time(self, problem: ClimbProblem, path: ClimbPath) -> ClimbMotion:
        if self.smoothing:
            return smooth_and_time(problem, path, self.rate_hz)[1]
        return timed(filter_tables(problem), path, self.rate_hz, problem.figure.scale, fairing=False)

    def _search(self, problems: Sequence[ClimbProblem]) -> tuple[ClimbProblem, FoundPath]:
        first: tuple[ClimbProblem, FoundPath] | None = None
        for tried, found in self._found(problems):
            if found.outcome == Outcome.FOUND:
                return tried, found
            first = first or (tried, found)
        assert first is not None
        return first

    def _found(self, problems: Sequence[ClimbProblem]) -> Iterator[tuple[ClimbProblem, FoundPath]]:
        """Yield what each problem comes to, in their order."""
        search = partial(_search_one, self.core)
        if self.processes == 1 or len(problems) == 1:
            yield from zip(problems, map(search, problems), strict=True)
            return
        others = set(active_children())
        # Forked, a process that has threads may hang.
        pool = ProcessPoolExecutor(min(self.processes, len(problems)), mp_context=get_context("spawn"))
        try:
            yield from zip(problems, pool.map(search, problems), strict=True)
        finally:
            workers = set(active_children()) - others
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:  # nobody waits for what is no longer wanted
                worker.terminate()


def _against(climb: Climb) -> tuple[int, float]:
    """Return what the judge has against a climb that was found, in the order of how bad it is: faults, gravity."""
    if climb.outcome != Outcome.FOUND or climb.motion is None:
        return NOTHING
    report = judge_climb(climb.problem, climb.motion)
    if report.is_clean:
        return NOTHING
    return report.collisions + report.drifting + report.over_limit + len(report.illegal), report.gravity.share


def _search_one(core: str, problem: ClimbProblem) -> FoundPath:
    return CORES[core]().search(problem)
