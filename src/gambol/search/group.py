"""Many characters in one world, planned one after another [LK05 3.4]."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from gambol.characters.character import Character
from gambol.characters.step import Step
from gambol.errors import InvalidInput
from gambol.search.astar import AStar
from gambol.search.meetings import things_met_on_the_way, things_met_standing
from gambol.search.plan import Outcome, Plan
from gambol.search.planner import Planner
from gambol.search.problem import Problem
from gambol.search.query import first_behaviors
from gambol.search.reasons import blocked_start
from gambol.search.search import set_up
from gambol.search.traffic import Traffic

GROUP_PLANNER = AStar(weight=1.5)
DEFAULT_RETRIES = 4
DEFAULT_HOLD_S = 1.0
LATER_S = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)  # by which who cannot set out when it should may do so
DEFAULT_EXPANSIONS = 100_000
NAMED = 3  # who are in the way, in a reason


@dataclass(frozen=True, eq=False)
class GroupPlan:
    """Plans for all of a group, in the order given.  No two bodies meet, those who found no plan included.

    Who found none has no steps: it stands at its start for ever, as in the first instant of its stance.
    That also goes for those whose start is blocked by an obstacle or a mover: the others keep clear of
    their starts, although whoever delivers the motions can only leave them out.
    """

    names: tuple[str, ...]
    plans: tuple[Plan, ...]
    stances: tuple[Step, ...]  # its first instant is how one stands who waits
    order: tuple[int, ...]  # of the first round
    rounds: int  # how often those without a plan were gone through, the first time included
    attempts: tuple[int, ...]  # searches for each
    traffic: Traffic  # what moves, with all bodies
    time_s: float  # wall clock; not part of "the same output"

    @property
    def arrived(self) -> int:
        """How many reach their goals."""
        return sum(plan.found for plan in self.plans)

    @property
    def reasons(self) -> dict[str, str]:
        """Why, for all those who have no plan."""
        return {name: plan.reason for name, plan in zip(self.names, self.plans, strict=True) if not plan.found}


def plan_group(
    problems: Mapping[str, Problem],
    planner: Planner = GROUP_PLANNER,
    *,
    retries: int = DEFAULT_RETRIES,
    hold_s: float = DEFAULT_HOLD_S,
    expansions: int = DEFAULT_EXPANSIONS,
    progress: Callable[[int, int], None] | None = None,
) -> GroupPlan:
    """Plan for all of a group in one world: each is a mover for those planned after it, also once it has arrived.

    *Order.*  Those who have the shortest way first, in a straight line over their way-points; at
    equal distance as given.  On crossings this took about half the expansions of the longest way first
    and gave ways some 1 % cheaper; it is not clearly better than a shuffled order.

    *Starts.*  Who is not planned yet stands at its start, and for `hold_s` seconds after it may set
    out nobody else comes there.  Later ones may, and it has to be gone by then.

    *Retries.*  Who finds no plan is tried again after the others.  If that fails it goes ahead: it is
    planned as if only those were there who went ahead as often before, and those who may not set out
    yet; whom it then meets make way and are planned anew.  This is done for all who wait, at most
    `retries` times.  Who cannot arrive even alone is not tried again.

    *Later.*  Who still waits may set out up to 16 s later, standing at its start until then: its
    first step says when.

    *Standing.*  Who has no plan in the end stands at its start for ever.  Those who would run into it
    are planned anew, and stand too if there is no way around it.

    expansions: most of a single search, where a problem does not allow less.
    progress: called with the number of those who have a plan, and of all.
    """
    if retries < 0:
        raise InvalidInput(f"retries must not be negative, not {retries}")
    if not (math.isfinite(hold_s) and hold_s >= 0.0):
        raise InvalidInput(f"starts are held for a finite time that is not negative, not for {hold_s} s")
    _check(problems)
    begun = time.perf_counter()
    group = _Group(problems, planner, hold_s, expansions, progress)
    group.first_round()
    while group.waiting() and group.rounds <= retries:
        group.retry()
    group.set_out_later()
    group.settle()
    return GroupPlan(
        names=tuple(problems),
        plans=tuple(group.result(number) for number in range(len(problems))),
        stances=tuple(group.stances),
        order=tuple(group.order),
        rounds=group.rounds,
        attempts=tuple(group.attempts),
        traffic=group.traffic,
        time_s=time.perf_counter() - begun,
    )


def _check(problems: Mapping[str, Problem]) -> None:
    first = next(iter(problems.values()), None)
    if first is None:
        raise InvalidInput("a group needs at least one problem")
    for name, problem in problems.items():
        if problem.world is not first.world:
            raise InvalidInput(f"{name!r}: all of a group must be in the same world")
        if problem.traffic is not first.traffic:
            raise InvalidInput(f"{name!r}: all of a group must be in the same traffic")
        if abs(problem.character.planning_rate_hz - first.character.planning_rate_hz) > 1e-6:
            raise InvalidInput(
                f"{name!r}: a character of {first.character.planning_rate_hz:g} planning frames a second expected, "
                f"as the others are, not of {problem.character.planning_rate_hz:g}"
            )


class _Group:
    """The state of planning a group: whose body is in the traffic, and who is only held a place at its start."""

    def __init__(
        self,
        problems: Mapping[str, Problem],
        planner: Planner,
        hold_s: float,
        expansions: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.names = list(problems)
        self.problems = [
            replace(problem, max_expansions=min(problem.max_expansions, expansions)) for problem in problems.values()
        ]
        # Who finds no way is tried again in another order: that is worth more than a closer look.
        self.planner = replace(planner, look_closer=False) if isinstance(planner, AStar) else planner
        self.progress = progress
        count, first = len(self.names), self.problems[0]
        self.world, rate_hz = first.world, first.character.planning_rate_hz
        horizon_s = max(problem.horizon_s for problem in self.problems)
        self.known = first.traffic or Traffic.of(self.world, rate_hz=rate_hz, horizon_s=horizon_s)
        self.traffic = self.known.copy()
        self.stances = [standing_step(problem) for problem in self.problems]
        self.held_until = [problem.start_frame + round(hold_s * rate_hz) for problem in self.problems]
        self.order = sorted(range(count), key=lambda number: (_distance(self.problems[number]), number))
        self.plans: list[Plan | None] = [None] * count
        self.attempts, self.failures, self.rounds = [0] * count, [0] * count, 0
        self.hopeless: set[int] = set()
        self.in_the_way: dict[int, list[str]] = {}
        self._bodies: dict[int, int] = {}  # things in the traffic, by character
        self._holds: dict[int, int] = {}
        for number in range(count):
            self._refuse_overlap(number)
            self._hold(number)

    def _refuse_overlap(self, number: int) -> None:
        problem = self.problems[number]
        things = list(self._holds.values())
        met = things_met_standing(self.world, self.traffic, problem.character, self.stances[number], things)
        if met:
            other = self.traffic.names[met[0]]
            raise InvalidInput(f"{self.names[number]!r} would stand in {other!r}, who starts there too")

    # One round after another

    def first_round(self) -> None:
        self.rounds = 1
        for number in self.order:
            self._try(number)

    def waiting(self) -> list[int]:
        """Return those who have no plan and may get one."""
        return [number for number in self.order if not self._arrives(number) and number not in self.hopeless]

    def retry(self) -> None:
        """Let all who wait go ahead of those who have failed less often, and plan those anew who make way."""
        self.rounds += 1
        displaced: list[int] = []
        for number in self.waiting():
            if number not in displaced and not self._try(number):
                displaced += self._go_ahead(number)
        for number in sorted(set(displaced), key=self.order.index):
            if not self._arrives(number):
                self._try(number)

    def set_out_later(self) -> None:
        """Have those who wait stand at their starts until they find a way."""
        for number in self.waiting():
            problem = self.problems[number]
            self.traffic.remove(self._holds.pop(number))
            for later_s in LATER_S:
                frame = problem.start_frame + round(later_s * problem.character.planning_rate_hz)
                plan = self._free(number, self._solve(number, self.traffic, start_frame=frame))
                if plan.found:
                    self._enter(number, plan)
                    break
            else:
                self._hold(number)

    def settle(self) -> None:
        """Have those without a plan stand for ever, and keep all others away from them."""
        standing: set[int] = set()
        while True:
            new = [n for n in self.order if not self._arrives(n) and n not in standing]
            if not new:
                return
            standing.update(new)
            displaced: set[int] = set()
            for number in new:
                self.traffic.remove(self._holds.pop(number))
                problem, step = self.problems[number], self.stances[number]
                met = things_met_standing(
                    self.world, self.traffic, problem.character, step, list(self._bodies.values())
                )
                displaced.update(self._owners(met))
                self.traffic.add_standing(problem.character, step, name=self.names[number])
            for number in displaced:
                self._give_up(number)
            for number in sorted(displaced, key=self.order.index):
                self._try(number)

    def result(self, number: int) -> Plan:
        plan = self.plans[number]
        assert plan is not None
        if plan.found:
            return plan
        # Where it came is nowhere to stand for the others: its steps are left out, and what was said of them.
        reason, outcome = plan.reason.partition("; the steps lead")[0], plan.outcome
        if outcome is Outcome.START_BLOCKED:
            if blocked_start(set_up(replace(self.problems[number], traffic=self.known))) is not None:
                return replace(plan, reason=f"{reason}; it is left out, and the others keep clear of its start")
            outcome = Outcome.UNREACHABLE  # others were in the way, and it can stand there
        if number in self.in_the_way:
            named = self.in_the_way[number]
            more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
            reason += f"; in the way are {', '.join(map(repr, named[:NAMED]))}{more}"
        return replace(plan, outcome=outcome, steps=(), cost=0.0, reason=f"{reason}; it stays at its start")

    # Single characters

    def _arrives(self, number: int) -> bool:
        return number in self._bodies

    def _try(self, number: int) -> bool:
        """Plan for one who has no plan, among all that is in the traffic; return whether there is one."""
        self.traffic.remove(self._holds.pop(number))
        plan = self.plans[number] = self._free(number, self._solve(number, self.traffic))
        if plan.found:
            self._enter(number, plan)
        else:
            self._hold(number)
        return plan.found

    def _free(self, number: int, plan: Plan) -> Plan:
        """Return a plan, as none if it meets anything in the traffic: also while it waits, and once it has arrived."""
        met = self._met(number, plan, range(len(self.traffic.names))) if plan.found else []
        if not met:
            return plan
        return replace(
            plan, outcome=Outcome.UNREACHABLE, steps=(), cost=0.0,
            reason=f"{self.traffic.names[met[0]]!r} runs into it while it waits, on its way or once it has arrived",
        )  # fmt: skip

    def _go_ahead(self, number: int) -> list[int]:
        """Plan for one as if only those were there who have failed more often or cannot leave; return who makes way."""
        self.failures[number] += 1
        firm = [other for other in self._bodies if self.failures[other] >= self.failures[number]]
        late = [n for n in range(len(self.names)) if self.problems[n].start_frame > 0 and n not in (number, *firm)]
        plan = self._solve(number, self._traffic_of(firm, late))
        if not plan.found:
            if not firm and not late:
                self.hopeless.add(number)
                self.plans[number] = plan
            return []
        met = self._owners(self._met(number, plan, list(self._bodies.values())))
        self.in_the_way[number] = [self.names[other] for other in met]
        for other in met:
            self._give_up(other)
        self.traffic.remove(self._holds.pop(number))
        self._enter(number, plan)
        return met

    def _solve(self, number: int, traffic: Traffic, *, start_frame: int | None = None) -> Plan:
        self.attempts[number] += 1
        problem = self.problems[number]
        begins = problem.start_frame if start_frame is None else start_frame
        return self.planner.solve(replace(problem, traffic=traffic, start_frame=begins))

    def _met(self, number: int, plan: Plan, things: Sequence[int]) -> list[int]:
        """Return those of some things in the traffic that a plan meets."""
        return things_met_on_the_way(self.world, self.traffic, self.problems[number].character, plan.steps, things)

    def _enter(self, number: int, plan: Plan) -> None:
        self.plans[number] = plan
        self._bodies[number] = self.traffic.add_body(plan.character, plan.steps, name=self.names[number])
        if self.progress is not None:
            self.progress(len(self._bodies), len(self.names))

    def _give_up(self, number: int) -> None:
        """Take a body out of the traffic and hold its start."""
        self.traffic.remove(self._bodies.pop(number))
        self._hold(number)

    def _hold(self, number: int) -> None:
        self._holds[number] = self.traffic.add_standing(
            self.problems[number].character, self.stances[number],
            name=self.names[number], until_frame=self.held_until[number],
        )  # fmt: skip

    def _traffic_of(self, firm: Sequence[int], late: Sequence[int]) -> Traffic:
        """Return the known traffic with the bodies of some, and of others as long as they cannot but stand."""
        traffic = self.known.copy()
        for number in firm:
            plan = self.plans[number]
            assert plan is not None
            traffic.add_body(plan.character, plan.steps, name=self.names[number])
        for number in late:
            problem = self.problems[number]
            traffic.add_standing(
                problem.character, self.stances[number], name=self.names[number], until_frame=problem.start_frame
            )
        return traffic

    def _owners(self, things: Sequence[int]) -> list[int]:
        met = set(things)
        return [number for number, thing in self._bodies.items() if thing in met]


def standing_step(problem: Problem) -> Step:
    """Return a step whose first instant is how a character stands at its start: the slimmest that it may begin with."""
    behaviors = problem.character.behaviors
    first = [int(index) for index in first_behaviors(problem)] or range(len(behaviors))
    slimmest = min(first, key=lambda index: (_first_radius(problem.character, index), index))
    return Step(slimmest, 0, problem.start, problem.start_frame)


def _first_radius(character: Character, behavior: int) -> float:
    return float(character.behaviors[behavior].clips[0].shape.outer_radius[0])


def _distance(problem: Problem) -> float:
    """Return how far it is at least from the start over all way-points to the goal."""
    places = [problem.start[:2], *((goal.x, goal.y) for goal in (*problem.waypoints, problem.goal))]
    return sum(math.dist(here, there) for here, there in pairwise(places))
