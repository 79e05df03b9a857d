"""A* over behaviors, and its variants [LK05 3.3 and 4]."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from gambol.errors import InvalidInput
from gambol.search.moves import COST_UNIT
from gambol.search.plan import Outcome, Plan, SearchStatistics
from gambol.search.problem import Problem
from gambol.search.reasons import blocked_goal, blocked_start, unreachable_reason
from gambol.search.search import EXHAUSTED, FOUND, NEVER, STOPPED, Search, Setting, StateTable, set_up

DEFAULT_TABLE = StateTable()
CLOSER_FACTOR, CLOSER_LEAST = 4, 20_000  # expansions of a closer look, by those of the one before and at least
FINEST_M = 0.05  # a table finer than this merges nothing


@dataclass(frozen=True)
class AStar:
    """One search.  `weight` 1 is A*, 2 is the papers' inflated A*; `keep` makes it truncated A*.

    The plan's cost is at most `bound` times the best possible, whatever the settings: the bound is
    computed from what the search left open or passed over.
    """

    weight: float = 1.0  # of the cost left, >= 1
    keep: int = 0  # open nodes kept when there are twice as many; 0: all
    exact: bool = False  # merge identical states only: optimal at weight 1, and slow
    around: bool = True  # bound the cost left by ways around obstacles, not by straight lines alone
    trace: bool = False  # keep the search tree
    table: StateTable = DEFAULT_TABLE
    look_closer: bool = True  # where no state is left but some were merged, look again with finer tables
    time_limit_s: float | None = None  # an outer interrupt: then the outcome depends on the machine

    def __post_init__(self) -> None:
        if not (np.isfinite(self.weight) and self.weight >= 1.0):
            raise InvalidInput(f"a weight must be at least 1, not {self.weight}")
        if self.keep < 0:
            raise InvalidInput(f"the number of open nodes kept must not be negative, not {self.keep}")
        _check_time_limit(self.time_limit_s)

    def solve(self, problem: Problem) -> Plan:
        setting = set_up(problem, around=self.around)
        failed = _fails_at_once(setting)
        if failed is not None:
            return failed
        go_on = _clock(self.time_limit_s)
        search = Search(setting, weight=self.weight, exact=self.exact, keep=self.keep, table=self.table)
        search.run(problem.max_expansions, go_on=go_on)
        spent = SearchStatistics(setup_time_s=setting.setup_time_s)
        if self.look_closer:
            search, spent = _look_closer(search, self.table, go_on)
        return replace(_plan(search, trace=self.trace), statistics=_added(spent, search.statistics()))


@dataclass(frozen=True)
class Anytime:
    """A first plan fast, better ones until the budget ends: searches with falling weights.

    `improvements` yields every better plan, with a bound that holds then; stop listening at any time.
    """

    weights: tuple[float, ...] = (3.0, 2.0, 1.5, 1.2, 1.0)
    improve: int | None = None  # expansions after the first plan; None: as many as the problem allows
    exact: bool = False
    around: bool = True
    trace: bool = False
    table: StateTable = DEFAULT_TABLE
    time_limit_s: float | None = None

    def __post_init__(self) -> None:
        if not self.weights or any(not (np.isfinite(w) and w >= 1.0) for w in self.weights):
            raise InvalidInput(f"weights must be at least 1, not {self.weights}")
        if list(self.weights) != sorted(set(self.weights), reverse=True):
            raise InvalidInput(f"weights must fall, not {self.weights}")
        _check_time_limit(self.time_limit_s)

    def solve(self, problem: Problem) -> Plan:
        """Return the best plan that the budget allows; interrupted (Ctrl-C), the best so far or a partial one."""
        *_, best = self.improvements(problem)
        return best

    def improvements(self, problem: Problem) -> Iterator[Plan]:
        """Yield better and better plans, or the same with a better bound; a single one that says why if there is none.

        The statistics of each are those of all searches up to it.
        """
        setting = set_up(problem, around=self.around)
        failed = _fails_at_once(setting)
        if failed is not None:
            yield failed
            return
        go_on = _clock(self.time_limit_s)
        best: Plan | None = None
        spent = SearchStatistics(setup_time_s=setting.setup_time_s)
        lower, ceiling, improving = 0, NEVER, 0
        for weight in self.weights:
            search = Search(setting, weight=weight, exact=self.exact, ceiling=ceiling, table=self.table)
            budget = problem.max_expansions - spent.expansions
            if best is not None and self.improve is not None:
                rest = self.improve - improving
                budget = min(budget, rest if weight == self.weights[-1] else rest // 2)
            interrupted = _run(search, budget, go_on)
            if best is None:
                search, closer = _look_closer(search, self.table, go_on)
                spent = _added(spent, closer)
            plan = _plan(search, trace=self.trace)
            spent = _added(spent, plan.statistics)
            improving += search.expansions if best is not None else 0
            lower = max(lower, search.lower_bound())
            if plan.found:
                ceiling = search.goal_cost()
                best = replace(plan, statistics=spent, bound=_ratio(ceiling, lower))
            elif best is not None:
                best = replace(best, statistics=spent, bound=_ratio(ceiling, lower))
            else:
                yield replace(plan, statistics=spent)
                return
            yield best
            over = spent.expansions >= problem.max_expansions or (
                self.improve is not None and improving >= self.improve
            )
            if best.bound <= 1.0 or over or interrupted or not go_on():
                return


def _look_closer(search: Search, table: StateTable, go_on: Callable[[], bool]) -> tuple[Search, SearchStatistics]:
    """Where a search ended for want of states, some of which were merged, look again with finer and finer tables.

    The finest merges nothing but identical states: what it does not reach cannot be reached.
    Each look may take some times as many expansions as the one before; one that takes more does not
    count.  Return the search that counts, and what was spent on others.
    """
    spent = SearchStatistics(setup_time_s=search.setting.setup_time_s)
    while search.status == EXHAUSTED and search.has_merged and not (search.settings.exact or search.is_truncated):
        table = table.finer()
        exact = table.place_m < FINEST_M
        closer = Search(search.setting, weight=search.settings.weight, exact=exact, table=table)
        left = search.setting.problem.max_expansions - search.expansions - spent.expansions
        interrupted = _run(closer, min(left, CLOSER_FACTOR * search.expansions + CLOSER_LEAST), go_on)
        if interrupted or closer.status == STOPPED:
            return search, _added(spent, closer.statistics())
        search, spent = closer, _added(spent, search.statistics())
    return search, spent


def _run(search: Search, most_expansions: int, go_on: Callable[[], bool]) -> bool:
    """Run a search; return whether it was interrupted, which leaves it as it stands."""
    try:
        search.run(most_expansions, go_on=go_on)
    except KeyboardInterrupt:
        search.stop()
        return True
    return False


def _plan(search: Search, *, trace: bool) -> Plan:
    problem = search.setting.problem
    statistics, tree = search.statistics(), search.trace() if trace else None
    if search.status == FOUND:
        cost = search.goal_cost()
        bound = _ratio(cost, search.lower_bound())
        return Plan(
            Outcome.FOUND,
            "",
            problem.character,
            search.steps(),
            cost * COST_UNIT,
            bound,
            statistics,
            tree,
            problem=problem,
        )
    if search.status == EXHAUSTED:
        outcome, reason = unreachable_reason(search)
        return Plan(outcome, reason, problem.character, statistics=statistics, trace=tree, problem=problem)
    steps = search.steps(nearest=True)
    over = search.expansions >= problem.max_expansions
    why = (
        f"{search.expansions:,} expansions"
        if over
        else f"the time limit or an interrupt, after {search.expansions:,} expansions,"
    )
    return Plan(
        Outcome.OUT_OF_BUDGET if over else Outcome.PARTIAL,
        f"{why} ended the search; the steps lead as near to the goal as it came",
        problem.character,
        steps,
        search.cost_at_nearest() * COST_UNIT,
        np.inf,
        statistics,
        tree,
        problem=problem,
    )


def _fails_at_once(setting: Setting) -> Plan | None:
    """Return a plan that says why, where no search is needed to know that there is none."""
    statistics = SearchStatistics(setup_time_s=setting.setup_time_s)
    problem = setting.problem
    for outcome, look in ((Outcome.START_BLOCKED, blocked_start), (Outcome.GOAL_BLOCKED, blocked_goal)):
        reason = look(setting)
        if reason is not None:
            return Plan(outcome, reason, problem.character, statistics=statistics, problem=problem)
    return None


def _check_time_limit(limit_s: float | None) -> None:
    if limit_s is not None and not limit_s >= 0.0:
        raise InvalidInput(f"a time limit must not be negative, not {limit_s} s")


def _clock(limit_s: float | None) -> Callable[[], bool]:
    end = None if limit_s is None else time.perf_counter() + limit_s
    return lambda: end is None or time.perf_counter() < end


def _ratio(cost: int, lower: int) -> float:
    return 1.0 if cost <= lower else cost / lower if lower > 0 else float("inf")


def _added(one: SearchStatistics, two: SearchStatistics) -> SearchStatistics:
    return SearchStatistics(
        expansions=one.expansions + two.expansions,
        nodes=two.nodes,
        generated=one.generated + two.generated,
        collision_samples=one.collision_samples + two.collision_samples,
        time_s=one.time_s + two.time_s,
        setup_time_s=one.setup_time_s,
        bytes_used=max(one.bytes_used, two.bytes_used),
    )
