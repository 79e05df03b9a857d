"""Keep going among movers that are not known in advance: expect, plan, commit to a little, look again [LK05 3.2, 5]."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from gambol.characters.character import Character
from gambol.characters.step import Step, clip_of
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.search.astar import Anytime
from gambol.search.meetings import things_met_on_the_way
from gambol.search.moves import may_be_last, rest_label
from gambol.search.plan import Outcome, Plan
from gambol.search.planner import Planner
from gambol.search.problem import Goal, Problem
from gambol.search.query import first_behaviors
from gambol.search.sighting import Sighting, extrapolate
from gambol.search.traffic import Traffic
from gambol.world.world import Pose

Observe = Callable[[float], Sequence[Sighting]]
FOLLOW_PLANNER = Anytime(weights=(3.0, 1.5))
DEFAULT_EXPANSIONS = 10_000
DEFAULT_EXPECT_S = 4.0
STOPPING_M = 10.0  # within which who has no way on looks for a place to come to rest
STANDING_M = 0.05  # a behavior whose root gets no farther than this stands


@dataclass(frozen=True, eq=False)
class FollowResult:
    """What was done in the end, and how it came about."""

    outcome: Outcome  # FOUND: arrived; PARTIAL: the time ran out on the way
    reason: str  # a sentence; empty when arrived
    character: Character
    steps: tuple[Step, ...]  # executed
    replans: int  # searches
    evasions: int  # how often what was seen lay on the way planned before, and another was taken
    stops: int  # how often there was no way on: it came to rest, or went on standing

    @property
    def arrived(self) -> bool:
        return self.outcome is Outcome.FOUND


def follow(
    problem: Problem,
    observe: Observe,
    *,
    planner: Planner = FOLLOW_PLANNER,
    commit_s: float = 0.5,
    think_s: float = 0.1,
    expect_s: float | None = None,
    margin_m: float = 0.15,
    expansions: int = DEFAULT_EXPANSIONS,
) -> FollowResult:
    """Lead a character to its goal among movers of which only the present is seen.

    A round: `observe(time)` says what is seen; each thing is expected to go on as it does, straight or
    around a circle, for `expect_s`; a plan is made from where the steps committed to will end; its first
    steps that last `commit_s` or more are committed to.  The next round's look is taken `think_s`
    before these end, and what has been committed to is played whatever is seen then.

    What moves is forgotten after `expect_s`: by then the guess is worth nothing, and a passer-by
    believed to halt there would close a door for ever.  What stands is expected to go on standing.

    The rest of the last plan is kept where nothing seen lies on it and the new one is no cheaper, so that
    nobody dithers.  Where there is no way the character comes to rest and stands, and goes on when there is
    one; where it cannot come to rest freely it takes the partial plan, and last of all it stops where it can.
    No clip is ever cut short.

    **No collision happens** while every mover is seen at each look and stays within `margin_m` of where it was
    expected then, up to the end of the steps then committed to: at most `think_s`, `commit_s` and the
    longest clip together, about a second for a jogging person.  A mover that accelerates by a leaves its
    expected place by a t² / 2 in t seconds.  There are exceptions:

    - Where something is nearer than `margin_m` already, it is kept clear of without a margin.
    - Who stands with nowhere to go goes on standing, and may be run into: there, before it sets out, and once it
      has arrived.
    - Who is on the move, has no way on and none to come to rest freely stops without regard to what is seen.

    expect_s: at least `think_s`, `commit_s` and the longest clip together; by default that, or 4 s if that is longer.
    problem: traffic and the world's own movers are known as ever; `horizon_s` ends the attempt.
    expansions: most of a single search, where the problem does not allow less.
    """
    for name, value in (("commit_s", commit_s), ("think_s", think_s), ("margin_m", margin_m)):
        if not (math.isfinite(value) and value >= 0.0):
            raise InvalidInput(f"{name} must be finite and not negative, not {value}")
    ahead_s = think_s + commit_s + _longest_clip_s(problem.character)
    if expect_s is None:
        expect_s = max(DEFAULT_EXPECT_S, ahead_s)
    if not (math.isfinite(expect_s) and expect_s >= ahead_s):
        raise InvalidInput(
            f"expect_s must be finite and at least {ahead_s:.4g} s, not {expect_s}: "
            f"think_s, commit_s and the longest clip of {problem.character.name!r} last that long together"
        )
    problem = replace(problem, max_expansions=min(problem.max_expansions, expansions))
    walk = _Walk(problem, planner, commit_s, expect_s, margin_m)
    rate_hz = problem.character.planning_rate_hz
    while walk.outcome is None:
        seen_s = max(0.0, walk.frame / rate_hz - (think_s if walk.steps else 0.0))
        walk.go_on(observe(seen_s), seen_s)
    return FollowResult(
        walk.outcome, walk.reason, problem.character, tuple(walk.steps), walk.replans, walk.evasions, walk.stops
    )  # fmt: skip


class _Walk:
    """Where a character is on its way: steps committed to so far, and what it meant to do next."""

    def __init__(self, problem: Problem, planner: Planner, commit_s: float, expect_s: float, margin_m: float) -> None:
        self.problem, self.planner = problem, planner
        self.commit_s, self.expect_s, self.margin_m = commit_s, expect_s, margin_m
        self.known = problem.traffic or Traffic.of(
            problem.world, rate_hz=problem.character.planning_rate_hz, horizon_s=problem.horizon_s
        )
        self.pose: Pose = problem.start
        self.frame = problem.start_frame
        self.ahead = list(problem.waypoints)
        self.steps: list[Step] = []
        self.rest: tuple[Step, ...] = ()  # of the last plan, if it leads to the goal
        self.outcome: Outcome | None = None
        self.reason = ""
        self.replans = self.evasions = self.stops = 0

    def go_on(self, seen: Sequence[Sighting], seen_s: float) -> None:
        """Commit to a little more, given what is seen."""
        if self.frame >= self.problem.horizon_s * self.problem.character.planning_rate_hz:
            self._end(Outcome.PARTIAL, f"it is still on its way after {self.problem.horizon_s:g} s")
            return
        traffic, things = self._expected(seen, seen_s, self.margin_m)
        kept = self.rest if not self._meets(traffic, self.rest, things) else ()
        self.evasions += len(kept) < len(self.rest)
        plan = self._solve(self._from_here(traffic))
        if plan.outcome is Outcome.START_BLOCKED:  # something is nearer than the margin: take what room there is
            traffic, things = self._expected(seen, seen_s, 0.0)
            plan = self._solve(self._from_here(traffic))
        if kept and not (plan.found and self._cost(plan.steps) < self._cost(kept)):
            self._commit(kept, leads_to_goal=True)
        elif plan.found:
            self._commit(plan.steps, leads_to_goal=True)
        else:
            self.stops += 1
            self._make_do(plan, traffic, things)

    def _expected(self, seen: Sequence[Sighting], seen_s: float, margin_m: float) -> tuple[Traffic, list[int]]:
        """Return the traffic to plan with, and which things in it are guesses."""
        traffic, things = self.known.copy(), []
        for sighting in seen:
            mover = extrapolate(sighting, at_s=seen_s, for_s=self.expect_s, margin_m=margin_m)
            things.append(traffic.add_mover(mover, stays=sighting.is_still))
        return traffic, things

    def _make_do(self, plan: Plan, traffic: Traffic, things: Sequence[int]) -> None:
        """Go on without a way to the goal; plan says why there is none."""
        standing = self._standing_step() if self._is_at_rest() else None
        if standing is not None and not self._meets(traffic, (standing,), things):
            self._commit((standing,))
            return
        aside = self._stop(traffic)
        if aside.found:
            self._commit(aside.steps)
        elif standing is not None:
            self._commit((standing,))
        elif not self.steps and self._is_at_rest():
            self.frame += max(1, round(self.commit_s * self.problem.character.planning_rate_hz))
        elif plan.steps:
            self._commit(plan.steps)
        else:
            stop = self._stop(self.known)
            if stop.found:
                self._commit(stop.steps)
            else:
                self._end(plan.outcome, f"there is no way on, and none to come to rest or to stand: {plan.reason}")

    def _stop(self, traffic: Traffic) -> Plan:
        """Return the cheapest way to come to rest somewhere near."""
        here = Goal(self.pose[0], self.pose[1], tolerance_m=STOPPING_M)
        return self._solve(replace(self._from_here(traffic), goal=here, waypoints=()))

    def _is_at_rest(self) -> bool:
        character, rest = self.problem.character, rest_label(self.problem.character)
        if self.steps:
            label = character.behaviors[self.steps[-1].behavior].ends
        elif self.problem.after is not None:
            label = character.behaviors[character.index(self.problem.after)].ends
        else:
            label = rest if self.problem.begins is None else self.problem.begins
        return rest is not None and label == rest

    def _standing_step(self) -> Step | None:
        """Return the step that stays on the spot, the shortest if there are several."""
        character = self.problem.character
        allowed = [
            int(number)
            for number in first_behaviors(self._from_here(self.known))
            if character.behaviors[number].begins == character.behaviors[number].ends
            and character.behaviors[number].kind == "wait"
            and character.behaviors[number].clips[0].reach_m <= STANDING_M
        ]
        if not allowed:
            return None
        shortest = min(allowed, key=lambda number: (character.behaviors[number].clips[0].duration, number))
        return Step(shortest, 0, self.pose, self.frame)

    def _meets(self, traffic: Traffic, steps: Sequence[Step], things: Sequence[int]) -> bool:
        if not steps or not things:
            return False
        world, character = self.problem.world, self.problem.character
        return bool(things_met_on_the_way(world, traffic, character, steps, things, standing=False))

    def _from_here(self, traffic: Traffic) -> Problem:
        """Return the problem that is left."""
        after = self.problem.character.behaviors[self.steps[-1].behavior].name if self.steps else self.problem.after
        return replace(
            self.problem, start=self.pose, start_frame=self.frame, after=after, waypoints=tuple(self.ahead),
            traffic=traffic,
        )  # fmt: skip

    def _solve(self, problem: Problem) -> Plan:
        self.replans += 1
        return self.planner.solve(problem)

    def _cost(self, steps: Sequence[Step]) -> float:
        """Return what steps cost from here on, but for slopes."""
        character = self.problem.character
        played = [step.behavior for step in (*self.steps[-1:], *steps)]
        behaviors = sum(character.behaviors[step.behavior].cost(character.cost_by) for step in steps)
        return behaviors + float(sum(character.transition_costs[one, two] for one, two in pairwise(played)))

    def _commit(self, steps: Sequence[Step], *, leads_to_goal: bool = False) -> None:
        """Play the first of some steps, as many as it takes to fill the time that is committed to."""
        character = self.problem.character
        frames = self.commit_s * character.planning_rate_hz
        begun, count = self.frame, 0
        while count < len(steps) and (count == 0 or self.frame - begun < frames):
            clip = clip_of(character, steps[count])
            x, y, heading = planar.compose(steps[count].pose, clip.displacement)
            self.pose = (float(x), float(y), float(heading))
            self.frame += clip.duration
            self.steps.append(steps[count])
            while self.ahead and _is_in(self.ahead[0], self.pose, character, steps[count].behavior):
                self.ahead.pop(0)
            count += 1
        self.rest = tuple(steps[count:]) if leads_to_goal else ()
        if leads_to_goal and not self.rest:
            self._end(Outcome.FOUND, "")

    def _end(self, outcome: Outcome, reason: str) -> None:
        self.outcome, self.reason = outcome, reason


def _longest_clip_s(character: Character) -> float:
    frames = max(clip.duration for behavior in character.behaviors for clip in behavior.clips)
    return frames / character.planning_rate_hz


def _is_in(goal: Goal, pose: Pose, character: Character, behavior: int) -> bool:
    """Tell whether a clip that ends at a pose passes a way-point."""
    if goal.behavior is not None and not may_be_last(character, goal.behavior)[behavior]:
        return False
    if math.dist((goal.x, goal.y), pose[:2]) > goal.tolerance_m:
        return False
    if goal.heading_rad is None:
        return True
    return abs(float(planar.wrap_angle(pose[2] - goal.heading_rad))) <= goal.heading_tolerance_rad
