"""Plans by look-up in search trees, sub-goal after sub-goal [LK06 4.3, L09 4.5]."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidence.reproductions.sub_goals.guide import Guide, Spent
from evidence.reproductions.sub_goals.improve import improve
from evidence.reproductions.sub_goals.trip import LEAST_AHEAD_M, Traveller, Trip
from gambol.characters import Character
from gambol.errors import InvalidInput
from gambol.search import COST_UNIT, Outcome, Plan, Planner, Problem, SearchStatistics
from gambol.search.reasons import blocked_goal, blocked_start
from gambol.trees import SearchTree, trees_for
from gambol.trees.fit import fit
from gambol.trees.question import Journey, Part, Question

SUB_GOAL_SHARE = 11.0 / 16.0  # of the trees' reach [LK06 4.3: 10 to 12 m, of 16]
ATTEMPTS = (1.0, 0.75, 1.2)  # distances to sub-goals, by the usual one, of trips from the start on
MOST_LOOK_UPS = 10_000  # about a second


@dataclass(frozen=True)
class SubGoalPlanner:
    """Looks a goal within the trees' reach up; leads to one farther off along a rough way, sub-goal after sub-goal.

    Of each look-up's path is kept what LK06 keeps: all of it, unless the sub-goal lies just before a crossing or the
    goal, then its first two states, and always all up to and including a jump or the like.  Where one look-up ends and
    another begins a tree must be rooted: have one at each label that plans begin at or go on from.

    The trees decide which of a behavior's clips are played, not the problem's seed.

    Of a plan's statistics `generated` counts the nodes of trees that were traced, too; expansions, stored nodes and
    their bytes are those of the fallback alone.
    """

    trees: Sequence[SearchTree] | None = None  # of one or more characters; None: grown for each who plans, and kept
    fallback: Planner | None = None  # searches on from the state reached, where the trees have no answer
    improve: int = 0  # look-ups, after the first plan, for a cheaper one
    sub_goal_m: float | None = None  # how far ahead, 1 m at least; None: 11 m, or by the trees' reach if not 16 m
    most_look_ups: int = MOST_LOOK_UPS  # for a first plan
    trace: bool = False  # whether plans keep what they were looked up by, for looking at

    def __post_init__(self) -> None:
        if self.trees is not None:
            object.__setattr__(self, "trees", _checked_trees(self.trees))
        if self.fallback is not None and not callable(getattr(self.fallback, "solve", None)):
            raise InvalidInput(f"a fallback must be a planner, such as AStar(), not {self.fallback!r}")
        if self.sub_goal_m is not None and not (math.isfinite(self.sub_goal_m) and self.sub_goal_m > 0.0):
            raise InvalidInput(f"sub-goals must lie a positive distance ahead, not {self.sub_goal_m} m")
        if self.improve < 0 or self.most_look_ups < 1:
            raise InvalidInput(
                f"look-ups are counted from 1, those to improve from 0, not {self.most_look_ups} and {self.improve}"
            )

    def solve(self, problem: Problem) -> Plan:
        begun = time.perf_counter()
        guide = Guide(problem, self._trees_for(problem.character))
        set_up_s = time.perf_counter() - begun
        plan = self._blocked(guide) if guide.is_dynamic else None
        spent = Spent(self.most_look_ups)
        if plan is None:
            plan = self._look_up(guide, spent)
        took = plan.statistics
        statistics = replace(
            took,
            look_ups=spent.look_ups,
            generated=took.generated + spent.visited,
            collision_samples=took.collision_samples + spent.collision_samples,
            time_s=time.perf_counter() - begun - set_up_s,
            setup_time_s=set_up_s,
        )
        return replace(plan, statistics=statistics, problem=problem)

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

    def _look_up(self, guide: Guide, spent: Spent) -> Plan:
        ahead_m = SUB_GOAL_SHARE * guide.reach_m if self.sub_goal_m is None else self.sub_goal_m
        ahead_m = max(LEAST_AHEAD_M, ahead_m)
        nearest, least_left = Trip([]), math.inf
        for share in ATTEMPTS if guide.can_begin() else ():
            trip, traveller = Trip([]), Traveller(guide, spent, sub_goal_m=share * ahead_m)
            if traveller.go(trip):
                if self.improve > 0:
                    spent.most_look_ups = spent.look_ups + self.improve
                    trip = improve(guide, trip, spent, sub_goal_m=ahead_m)
                return self._traced(guide, _found(guide, trip), trip)
            if traveller.nearest is not None and traveller.least_left < least_left:
                nearest, least_left = traveller.nearest, traveller.least_left
            if spent.is_over or self._blocked(guide) is not None:
                break
        blocked = self._blocked(guide)
        if blocked is not None:
            return blocked
        in_vain = Traveller(guide, spent, sub_goal_m=ahead_m).next_question(nearest) if self.trace else None
        if self.fallback is not None:
            return self._traced(guide, _fallen_back(guide, nearest, self.fallback), nearest, in_vain)
        return self._traced(guide, _failed(guide, nearest, spent), nearest, in_vain)

    def _traced(self, guide: Guide, plan: Plan, trip: Trip, in_vain: Question | None = None) -> Plan:
        return replace(plan, journey=_journey(guide, trip, in_vain)) if self.trace else plan

    @staticmethod
    def _blocked(guide: Guide) -> Plan | None:
        """Return a plan that says why, where it is certain that there is no way: a search would find none either."""
        for outcome, look in ((Outcome.START_BLOCKED, blocked_start), (Outcome.GOAL_BLOCKED, blocked_goal)):
            reason = look(guide.setting)
            if reason is not None:
                return Plan(outcome, reason, guide.problem.character)
        if guide.is_shut_off():
            reason = "obstacles that nobody crosses separate start and goal"
            return Plan(Outcome.UNREACHABLE, reason, guide.problem.character)
        return None


def _journey(guide: Guide, trip: Trip, in_vain: Question | None) -> Journey:
    """Return the parts of a trip and the questions that they, or paths that they begin, answer."""
    parts: list[Part] = []
    ends = [*(look.begins for look in trip.looks[1:]), len(trip.steps)]
    for look, ends_at in zip(trip.looks, ends, strict=True):
        start, end = (guide.state_after(trip.steps[:count]).pose for count in (look.begins, ends_at))
        question = None if look.way is None else look.way.question
        look_up = None if question is None else question.look_up
        parts.append(Part(look.begins, tuple(trip.steps[look.begins : ends_at]), start, end, look_up, question))
    return Journey(tuple(parts), in_vain)


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


def _found(guide: Guide, trip: Trip) -> Plan:
    cost = guide.cost(trip.steps)
    least = guide.least_cost(guide.state_after(()), 0)
    bound = max(1.0, cost / least) if least > 0 else math.inf
    return Plan(Outcome.FOUND, "", guide.problem.character, tuple(trip.steps), cost * COST_UNIT, bound)


def _failed(guide: Guide, nearest: Trip, spent: Spent) -> Plan:
    """Return the steps that led nearest: that trees lead no farther proves nothing."""
    character, goal = guide.problem.character, guide.problem.goal
    x, y, _ = guide.state_after(nearest.steps).pose
    where = f"on from ({x:.2f}, {y:.2f}), {math.hypot(goal.x - x, goal.y - y):.1f} m from the goal"
    field = guide.field(len(nearest.ends))
    if not guide.can_begin():
        label = guide.problem.after or guide.problem.begins or "its start"
        reason = f"no tree is rooted where {character.name!r} goes on from {label!r}"
    elif spent.is_over:
        reason = f"{spent.look_ups} look-ups ended the way; the steps lead as near as they came"
    elif field is None or field.route(x, y) is None:
        reason = f"the coarse map shows no way {where}; a search may find one"
    else:
        reason = (
            f"after {spent.look_ups} look-ups no path of the trees leads {where}; "
            "a larger tree or a search may find one"
        )
    cost = guide.cost(nearest.steps) * COST_UNIT
    return Plan(Outcome.OUT_OF_BUDGET, reason, character, tuple(nearest.steps), cost)


def _fallen_back(guide: Guide, nearest: Trip, fallback: Planner) -> Plan:
    """Search on from the state reached; if there is no way from there, from the start."""
    problem = guide.problem
    spent = SearchStatistics()
    if nearest.steps:
        state = guide.state_after(nearest.steps)
        assert state.behavior is not None
        rest = fallback.solve(
            replace(
                problem,
                start=state.pose,
                start_frame=state.frame,
                after=problem.character.behaviors[state.behavior].name,
                waypoints=problem.waypoints[len(nearest.ends) :],
            )
        )
        if rest.found:
            plan = _found(guide, Trip([*nearest.steps, *rest.steps]))
            return replace(plan, statistics=replace(rest.statistics, fell_back=True))
        spent = rest.statistics
    plan = fallback.solve(problem)
    took = replace(
        plan.statistics,
        expansions=plan.statistics.expansions + spent.expansions,
        nodes=plan.statistics.nodes + spent.nodes,
        generated=plan.statistics.generated + spent.generated,
        collision_samples=plan.statistics.collision_samples + spent.collision_samples,
        fell_back=True,
    )
    return replace(plan, statistics=took)
