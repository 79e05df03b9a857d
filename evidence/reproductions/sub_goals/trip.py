"""From sub-goal to sub-goal along a rough way, keeping of each path looked up what LK06 keeps [LK06 4.3, L09 4.5]."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.sub_goals.guide import Guide, Spent, State
from evidence.reproductions.sub_goals.way import Look, Way
from gambol.characters import Step
from gambol.search import COST_UNIT, Goal
from gambol.search.coarse import CoarseField, Route
from gambol.trees.question import Question

KEPT_AT_MARK = 2  # states of a path to a marked sub-goal [LK06 4.3]
NEARER = (1.0, 0.75, 0.5, 0.33)  # shares of the distance to sub-goals, tried one after another
TOLERANCE = 0.045  # of sub-goals, by their distance: 0.5 m at 11 m
LEAST_AHEAD_M = 1.0
ROUGH = 0.85  # of a rough way's length, that there is to go at least
FACING_RAD = math.radians(50.0)  # at first sub-goals are to be reached facing onward, but for this
STRAIGHT_RAD = math.radians(20.0)  # the same before a crossing
BEHIND_M, BEFORE_M = 3.2, (4.0, 6.0)  # sub-goals behind and before a crossing, straight over or under it
BEHIND_TOLERANCE = 0.2  # where one comes down is not up to oneself
ROUNDABOUT, TURNING_M = 2.0, 5.0  # a path that costs more than so many times the rough way, and this, is a last resort
MOST_SETBACKS = 8
VARIED = (1.0, 0.8, 1.15, 0.65, 0.9, 0.5)  # of the distance to sub-goals, after each setback
DETOUR_M, DETOUR_AHEAD_M = 3.0, 4.0  # what a rough way counts for more where it led nowhere, and how far ahead


@dataclass
class Trip:
    """Steps from a problem's start, and after how many of them each of its goals was reached."""

    steps: list[Step]
    ends: list[int] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)  # that the steps are from, one after another

    @property
    def joins(self) -> list[int]:
        """After how many steps each look-up began."""
        return [look.begins for look in self.looks]

    def up_to(self, count: int) -> Trip:
        """Return the first steps alone."""
        ends, looks = [end for end in self.ends if end <= count], [look for look in self.looks if look.begins < count]
        return Trip(self.steps[:count], ends, looks)


class Traveller:
    """Who makes trips: one problem's, with one distance to sub-goals and one budget."""

    def __init__(
        self,
        guide: Guide,
        spent: Spent,
        *,
        sub_goal_m: float,
        fan: bool = True,
        fan_first: bool = False,
        setbacks: int = MOST_SETBACKS,
    ) -> None:
        """Take settings.

        fan: look up after each step there may be where a look-up has no answer; fan_first: in any case at first.
        setbacks: how often to step back; who never does only looks for good ways on, too.
        """
        self.guide, self.spent = guide, spent
        self._sub_goal_m, self._fan, self._fan_first, self._setbacks = sub_goal_m, fan, fan_first, setbacks
        self._ahead_m = sub_goal_m
        self._extra_m: NDArray[np.float64] | None = None
        self._fields: dict[int, CoarseField | None] = {}
        self._seen: set[tuple[object, ...]] = set()
        self.nearest: Trip | None = None  # as near to the last goal as any trip came
        self.least_left = np.inf

    def go(self, trip: Trip, *, fixed: int = 0, ceiling: int | None = None) -> bool:
        """Extend a trip to the last goal; return whether it gets there.

        Its first `fixed` steps are never dropped.  It is given up where it can hardly cost less than a ceiling.
        """
        setbacks = 0
        while len(trip.ends) < len(self.guide.legs):
            leg = len(trip.ends)
            state = self.guide.state_after(trip.steps)
            route = self._route(leg, state)
            self._note(trip, leg, route)
            if ceiling is not None and self.guide.cost(trip.steps) + self._left(leg, state, route) >= ceiling:
                return False
            if self._arrives(trip, leg, state, route) or self._advances(trip, leg, state, route):
                continue
            setbacks += 1
            if setbacks > self._setbacks or self.spent.is_over:
                return False
            self._step_back(trip, state, route, 2 * setbacks, fixed)
            self._ahead_m = VARIED[setbacks % len(VARIED)] * self._sub_goal_m
            if self.guide.is_dynamic and setbacks % 2 == 0:
                self._wait(trip, setbacks // 2)
        return True

    def next_question(self, trip: Trip) -> Question | None:
        """Return what a tree is asked first to extend a trip; None where no tree or no rough way goes on."""
        leg, state = len(trip.ends), self.guide.state_after(trip.steps)
        route = None if leg == len(self.guide.legs) else self._route(leg, state)
        if route is None:
            return None
        goal, last = self.guide.legs[leg], self.guide.may_end(leg)
        targets = sub_goals(route, self._sub_goal_m) if self._to_go_m(leg, route) > self.guide.reach_m else []
        if targets:
            goal, last = targets[0].goal(facing=True), self.guide.goes_on & ~self.guide.comes_to_rest
        return next(self.guide.questions(state, goal, last), None)

    def _route(self, leg: int, state: State) -> Route | None:
        if leg not in self._fields:
            self._fields[leg] = self.guide.field(leg, self._extra_m)
        found = self._fields[leg]
        return None if found is None else found.route(*state.pose[:2])

    def _left(self, leg: int, state: State, route: Route | None) -> int:
        """Return about what is left at least, in whole units: a rough way is somewhat longer than it need be."""
        rough = 0.0 if route is None else ROUGH * self._to_go_m(leg, route) * self.guide.setting.moves.cost_per_chord
        return max(self.guide.least_cost(state, leg), int(rough) + int(self.guide.setting.query.later[leg]))

    def _to_go_m(self, leg: int, route: Route) -> float:
        """Return how long a rough way to the goal of a leg is: one gets there at its edge, not in its middle."""
        return max(0.0, route.length_m - self.guide.legs[leg].tolerance_m)

    def _note(self, trip: Trip, leg: int, route: Route | None) -> None:
        """Remember the trip that has come nearest."""
        left = (len(self.guide.legs) - leg) * 1e6 + (1e5 if route is None else route.length_m)
        if left < self.least_left:
            self.least_left, self.nearest = left, trip.up_to(len(trip.steps))

    def _arrives(self, trip: Trip, leg: int, state: State, route: Route | None) -> bool:
        """Look the goal itself up, if the rough way to where it begins is not longer than trees reach."""
        if route is not None and self._to_go_m(leg, route) > self.guide.reach_m:
            return False
        is_last = leg == len(self.guide.legs) - 1
        found = self._ask(state, self.guide.legs[leg], self.guide.may_end(leg), stays=is_last)
        if found is None:
            return False
        trip.looks.append(Look(len(trip.steps), found))
        trip.steps += found.steps
        trip.ends.append(len(trip.steps))
        return True

    def _advances(self, trip: Trip, leg: int, state: State, route: Route | None) -> bool:
        """Look up sub-goals, the nearer the later, and keep a part of the first path found; rest only if need be."""
        if route is None:
            return False
        moving = self.guide.goes_on & ~self.guide.comes_to_rest
        ways = ((moving, True), (moving, False), (self.guide.goes_on, False))
        for last, facing in ways if self._setbacks > 0 else ways[:1]:
            for target in sub_goals(route, self._ahead_m):
                if self.spent.is_over or not last.any():
                    break
                found = self._ask(state, target.goal(facing=facing), last)
                if found is None or (facing and self._is_roundabout(found, target)):
                    continue
                if self._keep(trip, leg, found, target.is_marked):
                    return True
        return False

    def _is_roundabout(self, found: Way, target: SubGoal) -> bool:
        return self.guide.cost(found.steps) * COST_UNIT > ROUNDABOUT * target.along_m + TURNING_M

    def _ask(self, state: State, goal: Goal, last: NDArray[np.bool_], *, stays: bool = False) -> Way | None:
        found = None if self._fan_first else self.guide.ask(state, goal, last, self.spent, stays=stays)
        if found is None and self._fan:
            found = self.guide.ask_fanned(state, goal, last, self.spent, stays=stays)
        self._fan_first = self._fan_first and found is None
        return found

    def _keep(self, trip: Trip, leg: int, found: Way, is_marked: bool) -> bool:
        """Add what is to be kept of a path; return whether that leads to where no trip was before."""
        behaviors = np.array([step.behavior for step in found.steps])
        count = len(found.steps)
        if is_marked:
            special = np.flatnonzero(self.guide.is_special[behaviors])
            count = max(KEPT_AT_MARK, int(special[-1]) + 1 if len(special) else 0)
        count = joined(self.guide.goes_on[behaviors], count)
        end = self.guide.state_after(found.steps[:count])
        place = (leg, *(round(value, 3) for value in end.pose), end.behavior, end.frame if self.guide.is_dynamic else 0)
        if place in self._seen:
            return False
        self._seen.add(place)
        trip.looks.append(Look(len(trip.steps), found))
        trip.steps += found.steps[:count]
        return True

    def _step_back(self, trip: Trip, state: State, route: Route | None, count: int, fixed: int) -> None:
        """Leave out steps, to where a tree goes on, and make the rough way dearer where it led nowhere."""
        if route is not None:
            if self._extra_m is None:
                self._extra_m = np.zeros(len(self.guide.coarse))
            self._extra_m[route.places[route.along_m <= DETOUR_AHEAD_M]] += DETOUR_M
            self._fields.clear()
        left = max(fixed, len(trip.steps) - count)
        while left > fixed and not self.guide.goes_on[trip.steps[left - 1].behavior]:
            left -= 1
        shorter = trip.up_to(left)
        trip.steps, trip.ends, trip.looks = shorter.steps, shorter.ends, shorter.looks

    def _wait(self, trip: Trip, times: int) -> None:
        """Let time pass where something moves, if that can be done here."""
        for _ in range(times):
            step = self.guide.wait(self.guide.state_after(trip.steps), self.spent)
            if step is None:
                return
            trip.looks.append(Look(len(trip.steps), None))
            trip.steps.append(step)


class SubGoal(NamedTuple):
    """A point of a route to get to."""

    x: float
    y: float
    tolerance_m: float
    onward_rad: float  # direction of the route from there on
    along_m: float  # how far the rough way to it is
    is_marked: bool
    turn_rad: float = FACING_RAD  # how much that one may be turned who gets there in a good way

    def goal(self, *, facing: bool) -> Goal:
        """Return it as a goal, faced onward or any way."""
        if not facing:
            return Goal(self.x, self.y, self.tolerance_m)
        return Goal(self.x, self.y, self.tolerance_m, self.onward_rad, self.turn_rad)


def sub_goals(route: Route, distance_m: float) -> list[SubGoal]:
    """Return sub-goals to try one after another: at the distance, at the next crossing if that is nearer, nearer.

    At a crossing they lie straight behind it, then straight before it.  The goal itself is none.
    """
    found: dict[int, SubGoal] = {}
    for number in [route.ahead(share * distance_m) for share in NEARER]:
        if number < len(route.points) - 1 and route.along_m[number] >= LEAST_AHEAD_M:
            x, y = (float(value) for value in route.points[number])
            marked = bool(route.is_marked[number])
            along_m = float(route.along_m[number])
            target = SubGoal(x, y, TOLERANCE * distance_m, route.onward(number), along_m, marked)
            found.setdefault(number, target)
    ordered = list(found.values())
    return ordered[:1] + _at_crossing(route, distance_m) + ordered[1:]


def _at_crossing(route: Route, distance_m: float) -> list[SubGoal]:
    crossings = np.flatnonzero(route.is_crossing)
    if not len(crossings) or route.along_m[crossings[0]] > distance_m:
        return []
    first = int(crossings[0])
    behind = first + int(np.argmin(route.is_crossing[first:]))
    middle = (first + behind - 1) // 2
    across = route.across[middle]
    if not across.any():
        across = np.array([math.cos(route.onward(first - 1)), math.sin(route.onward(first - 1))])
    onward = math.atan2(across[1], across[0])
    x, y = route.over[behind - 1] + BEHIND_M * across
    along_m = float(route.along_m[first])
    behind_m = float(route.along_m[behind - 1]) + BEHIND_M
    found = [SubGoal(float(x), float(y), BEHIND_TOLERANCE * distance_m, onward, behind_m, False)]
    for away_m in BEFORE_M:
        if along_m - away_m >= LEAST_AHEAD_M:
            x, y = route.over[first] - away_m * across
            tolerance_m = TOLERANCE * distance_m
            found.append(SubGoal(float(x), float(y), tolerance_m, onward, along_m - away_m, False, STRAIGHT_RAD))
    return found


def joined(goes_on: NDArray[np.bool_], count: int) -> int:
    """Return how many states of a path to keep: `count`, or more, or else fewer, so that a tree goes on from the last.

    goes_on: of each state of the path; of one at least.
    """
    count = min(count, len(goes_on))
    later = np.flatnonzero(goes_on[count - 1 :])
    if len(later):
        return count + int(later[0])
    return int(np.flatnonzero(goes_on[:count])[-1]) + 1
