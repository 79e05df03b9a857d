"""Plans by look-up in search trees that were grown before anything was known of the world [LK06, L09 4]."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.search.moves import COST_UNIT
from gambol.search.plan import Outcome, Plan, SearchStatistics
from gambol.search.planner import Planner
from gambol.search.problem import Problem
from gambol.search.query import costs_after
from gambol.search.reasons import blocked_goal, blocked_start
from gambol.trees.fit import fit
from gambol.trees.journey import journey_of
from gambol.trees.roots import trees_for
from gambol.trees.tree import SearchTree
from gambol.trees.trip_workspace import FOUND, NO_WAY, Tripped
from gambol.trees.trips import Trips, trips_for

MOST_EXPANSIONS = 600  # states: a tenth of a second where no trip is found
IMPROVE = 16  # states: 0.4 ms at 6 % occupied, 0.8 ms at 17 %


@dataclass(frozen=True)
class TreePlanner:
    """Searches over states whose edges are paths of trees; looks the goal up wherever it is near.

    A state is expanded by the trees' paths that promise most, by a coarse map; where trees know no way on, by single
    steps.  Every clip of a plan was tested whole.  Where one path ends and another begins a tree must be rooted: have
    one at each label that plans begin at or go on from.

    The trees decide which of a behavior's clips are played; for single steps the problem's seed does.

    Of a plan's statistics `expansions` and `nodes` count states, `generated` nodes of trees, `look_ups` how often a
    tree was asked; those of the fallback are added.
    """

    trees: Sequence[SearchTree] | None = None  # of one or more characters; None: grown for each who plans, and kept
    fallback: Planner | None = None  # plans where the trees have no answer
    improve: int = IMPROVE  # states expanded for a cheaper plan after the first, >= 0
    most_expansions: int = MOST_EXPANSIONS  # states expanded for a first plan, >= 1
    trace: bool = False  # whether plans keep what they were looked up by, for looking at

    def __post_init__(self) -> None:
        if self.trees is not None:
            object.__setattr__(self, "trees", _checked_trees(self.trees))
        if self.fallback is not None and not callable(getattr(self.fallback, "solve", None)):
            raise InvalidInput(f"a fallback must be a planner, such as AStar(), not {self.fallback!r}")
        if self.improve < 0 or self.most_expansions < 1:
            raise InvalidInput(
                "states are counted from 1, those to improve with from 0, not "
                f"{self.most_expansions} and {self.improve}"
            )

    def solve(self, problem: Problem) -> Plan:
        begun = time.perf_counter()
        trips = trips_for(problem, self._trees_for(problem.character))
        set_up_s = time.perf_counter() - begun
        return self._solve(problem, trips, set_up_s)

    def solve_many(self, problems: Sequence[Problem], *, threads: int = 1) -> tuple[Plan, ...]:
        """Plan for many, in several threads; the plans are the same whatever their number."""
        if threads < 1:
            raise InvalidInput(f"at least one thread is needed, not {threads}")
        if threads == 1 or len(problems) < 2:
            return tuple(self.solve(problem) for problem in problems)
        for problem in problems:
            trips_for(problem, self._trees_for(problem.character)).prepare()
        with ThreadPoolExecutor(threads) as pool:
            return tuple(pool.map(self.solve, problems))

    def prepare(self, character: Character) -> None:
        """Grow or open the trees of a character, which else happens when it first plans."""
        self._trees_for(character)

    def _trees_for(self, character: Character) -> tuple[SearchTree, ...]:
        """Return those of the trees that fit a character."""
        if self.trees is None:
            return trees_for(character)
        why: InvalidInput | None = None
        fitting: list[SearchTree] = []
        for tree in self.trees:
            try:
                fit(tree, character)
                fitting.append(tree)
            except InvalidInput as error:
                why = error
        if not fitting and why is not None:
            raise why
        return tuple(fitting)

    def _solve(self, problem: Problem, trips: Trips, set_up_s: float) -> Plan:
        begun = time.perf_counter()
        waits = trips.setting.is_dynamic and problem.start_frame > 0 and problem.after is None
        blocked = _blocked(problem, trips) if waits else None
        if blocked is not None:
            return replace(blocked, problem=problem)
        tripped = trips.solve(problem, most_expansions=self.most_expansions, improve=self.improve, trace=self.trace)
        statistics = SearchStatistics(
            expansions=tripped.expansions, nodes=tripped.nodes, generated=tripped.tests,
            collision_samples=tripped.samples, setup_time_s=set_up_s, look_ups=tripped.look_ups,
        )  # fmt: skip
        if tripped.outcome == FOUND:
            cost = tripped.cost * COST_UNIT
            least = _least_cost(problem, trips) * COST_UNIT
            bound = max(1.0, cost / least) if least > 0.0 else math.inf
            plan = Plan(Outcome.FOUND, "", problem.character, tripped.steps, cost, bound, statistics)
        else:
            plan = _blocked(problem, trips) or self._fall_back(problem, trips, tripped)
            plan = replace(plan, statistics=_added(statistics, plan.statistics))
        took_s = time.perf_counter() - begun
        return replace(
            plan, statistics=replace(plan.statistics, time_s=took_s), problem=problem,
            journey=journey_of(problem, trips, tripped) if self.trace else None,
        )  # fmt: skip

    def _fall_back(self, problem: Problem, trips: Trips, tripped: Tripped) -> Plan:
        if self.fallback is None:
            return _failed(problem, trips, tripped)
        plan = self.fallback.solve(problem)
        return replace(plan, statistics=replace(plan.statistics, fell_back=True))


def _blocked(problem: Problem, trips: Trips) -> Plan | None:
    """Return a plan that says why, where it is certain that there is no way: a search would find none either."""
    setting = trips.setting_of(problem)
    for outcome, look in ((Outcome.START_BLOCKED, blocked_start), (Outcome.GOAL_BLOCKED, blocked_goal)):
        reason = look(setting)
        if reason is not None:
            return Plan(outcome, reason, problem.character)
    if trips.is_shut_off(problem):
        reason = "obstacles that nobody crosses separate start and goal"
        return Plan(Outcome.UNREACHABLE, reason, problem.character)
    return None


def _checked_trees(given: Sequence[SearchTree]) -> tuple[SearchTree, ...]:
    listed = isinstance(given, list | tuple)
    wrong = next((one for one in given if not isinstance(one, SearchTree)), None) if listed else given
    if wrong is not None:
        raise InvalidInput(
            f"trees must be a tuple or list of SearchTree values, not {type(wrong).__name__}; "
            "files are opened with read_tree"
        )
    if not given:
        raise InvalidInput("a tree planner needs at least one search tree, or None to grow some")
    return tuple(given)


def _failed(problem: Problem, trips: Trips, tripped: Tripped) -> Plan:
    """Return the steps that led nearest: that trees lead no farther proves nothing."""
    character, goal = problem.character, problem.goal
    x, y, _ = tripped.end.pose
    where = f"on from ({x:.2f}, {y:.2f}), {math.hypot(goal.x - x, goal.y - y):.1f} m from the goal"
    if not trips.may_begin(problem):
        label = problem.after or problem.begins or "its start"
        reason = f"no tree is rooted where {character.name!r} goes on from {label!r}"
    elif tripped.outcome == NO_WAY:
        reason = f"the coarse map shows no way {where}; a search may find one"
    else:
        reason = (
            f"after {tripped.expansions:,} states no path of the trees leads {where}; "
            "a larger tree or a search may find one"
        )
    return Plan(Outcome.OUT_OF_BUDGET, reason, character, tripped.steps, tripped.cost * COST_UNIT)


def _least_cost(problem: Problem, trips: Trips) -> int:
    """Return a cost, in whole units, that no plan undercuts: along straight lines."""
    moves = trips.setting.moves
    legs = (*problem.waypoints, problem.goal)
    first = math.hypot(legs[0].x - problem.start[0], legs[0].y - problem.start[1]) - legs[0].tolerance_m
    return int(max(0.0, first) * moves.cost_per_chord) + int(costs_after(legs, moves)[0])


def _added(one: SearchStatistics, other: SearchStatistics) -> SearchStatistics:
    return replace(
        other,
        expansions=one.expansions + other.expansions,
        nodes=one.nodes + other.nodes,
        generated=one.generated + other.generated,
        collision_samples=one.collision_samples + other.collision_samples,
        look_ups=one.look_ups,
        setup_time_s=one.setup_time_s,
    )
