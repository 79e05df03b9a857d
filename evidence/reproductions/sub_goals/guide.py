"""Everything that asking trees on the way to a problem's goals needs, compiled, and what the asking has cost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.sub_goals.fan import Fan, fan_out
from evidence.reproductions.sub_goals.way import Way
from gambol.characters import Step, clip_of
from gambol.core import lib
from gambol.geometry import planar
from gambol.search import Goal, Problem, Traffic, coarse_map, may_be_last, rest_label
from gambol.search.coarse import CoarseField
from gambol.search.crossing import SPECIAL_KINDS
from gambol.search.query import first_behaviors
from gambol.search.search import set_up
from gambol.trees import Found, LookUp, SearchTree
from gambol.trees.fit import edge_costs, fit
from gambol.trees.look_up import ANY_HEADING_RAD, Counts
from gambol.trees.question import Question
from gambol.world import Pose

REACH_SHARE = 0.98  # of a tree's nodes are within its reach


class State(NamedTuple):
    """Where a character is after some steps."""

    pose: Pose
    frame: int
    behavior: int | None  # played last; None: none yet, or what a plan goes on after, which is paid for


@dataclass
class Spent:
    """What look-ups cost, and how many there may be."""

    most_look_ups: int
    look_ups: int = 0
    visited: int = 0  # nodes traced
    collision_samples: int = 0

    @property
    def is_over(self) -> bool:
        return self.look_ups >= self.most_look_ups

    def add(self, look_ups: int, counts: Counts) -> None:
        self.look_ups += look_ups
        self.visited += counts.visited
        self.collision_samples += counts.collision_samples


class Guide:
    """A problem, compiled for look-ups in some trees."""

    def __init__(self, problem: Problem, trees: Sequence[SearchTree]) -> None:
        character, world = problem.character, problem.world
        if problem.traffic is None:
            problem = problem.with_traffic(
                Traffic.of(world, rate_hz=character.planning_rate_hz, horizon_s=problem.horizon_s)
            )
        self.problem = problem
        self.setting = set_up(problem, around=False)
        self.legs: tuple[Goal, ...] = (*problem.waypoints, problem.goal)
        self.coarse = coarse_map(world, character)
        self._fields: dict[int, CoarseField | None] = {}
        self._look_ups = [
            LookUp(
                tree, character, world, traffic=problem.traffic, climb_cost=problem.climb_cost,
                descend_cost=problem.descend_cost, horizon_s=problem.horizon_s,
            )
            for tree in trees
        ]  # fmt: skip
        self._roots = np.array([_may_come_first(tree, problem) for tree in trees])  # (trees, B)
        self._edges = edge_costs(character)
        self._first = np.zeros(len(character.behaviors), bool)
        self._first[first_behaviors(problem)] = True
        self.reach_m = max(_reach_m(tree) for tree in trees)
        follows = self._edges >= 0
        #: Behaviors after which some tree goes on: where one look-up may end and another begin.
        self.goes_on = np.array([(row & self._roots).any() for row in follows])
        rest = rest_label(character)
        self.comes_to_rest = np.array([rest is not None and one.ends == rest for one in character.behaviors])
        self._waits = np.array([one.kind == "wait" for one in character.behaviors])
        self.is_special = np.array(
            [one.kind in SPECIAL_KINDS or one.annotation.special is not None for one in character.behaviors]
        )

    @property
    def is_dynamic(self) -> bool:
        return self.setting.is_dynamic

    def may_end(self, leg: int) -> NDArray[np.bool_]:
        """Return which behaviors may end a leg; what ends at a way-point must be able to go on."""
        if leg == len(self.legs) - 1:
            return may_be_last(self.problem.character, self.legs[leg].behavior)
        named = self.legs[leg].behavior
        return self.goes_on if named is None else self.goes_on & may_be_last(self.problem.character, named)

    def field(self, leg: int, extra_m: NDArray[np.float64] | None = None) -> CoarseField | None:
        """Return the rough ways to the goal of a leg; those without anything extra are worked out once."""
        if extra_m is None and leg in self._fields:
            return self._fields[leg]
        goal, problem = self.legs[leg], self.problem
        field = self.coarse.field(
            goal.x, goal.y, climb_cost=problem.climb_cost, descend_cost=problem.descend_cost, extra_m=extra_m
        )
        if extra_m is None:
            self._fields[leg] = field
        return field

    def state_after(self, steps: Sequence[Step]) -> State:
        """Return where one is after some steps, the start's if there are none."""
        problem = self.problem
        if not steps:
            return State(problem.start, problem.start_frame, None)
        clip = clip_of(problem.character, steps[-1])
        x, y, heading = planar.compose(np.array(steps[-1].pose), clip.displacement)
        return State((float(x), float(y), float(heading)), steps[-1].frame + clip.duration, steps[-1].behavior)

    def ask(
        self, state: State, goal: Goal, last: NDArray[np.bool_], spent: Spent, *, stays: bool = False
    ) -> Way | None:
        """Return the cheapest path of any tree that may be played from a state, or None.

        A tree is asked where something it begins with may follow: the join is a legal transition.  Who is at rest also
        sets off in every way there is and then asks: a tree rooted where one moves knows more ways on.
        """
        best = Way(math.inf, ())
        for question in self.questions(state, goal, last, stays=stays):
            if spent.is_over:
                break
            answer = question.ask()
            spent.add(1, answer.counts)
            if answer.outcome is Found.FOUND and answer.cost < best.cost:
                best = Way(answer.cost, question.steps(answer.node), question)
        if self._is_at_rest(state):
            other = self._after_a_step(state, ~self.comes_to_rest, goal, last, spent, stays)
            best = other if other.cost < best.cost else best
        return best if best.steps else None

    def questions(
        self, state: State, goal: Goal, last: NDArray[np.bool_], *, stays: bool = False
    ) -> Iterator[Question]:
        """Return what the trees that may go on from a state are asked."""
        allowed = self._allowed(state)
        for look_up, roots in zip(self._look_ups, self._roots, strict=True):
            if (allowed & roots).any():
                yield Question(look_up, state.pose, state.frame, goal, allowed, last, state.behavior, stays)

    def ask_fanned(
        self, state: State, goal: Goal, last: NDArray[np.bool_], spent: Spent, *, stays: bool = False
    ) -> Way | None:
        """Return the cheapest of one step and then a path of any tree, or None: a look-up after each step there may be.

        A tree's root has few children where its paths are spread evenly; this gives it all that a search would try.
        """
        every = np.ones(len(self.goes_on), bool)
        best = self._after_a_step(state, every, goal, last, spent, stays)
        return best if best.steps else None

    def _after_a_step(
        self, state: State, steps: NDArray[np.bool_], goal: Goal, last: NDArray[np.bool_], spent: Spent, stays: bool
    ) -> Way:
        """Return the cheapest way of one of some steps (B,) and then a path of any tree; one without steps: none."""
        fan = self._fan(state, steps)
        spent.collision_samples += fan.collision_samples
        following = self.setting.moves.state[fan.behaviors]
        best = Way(math.inf, ())
        for look_up, roots in zip(self._look_ups, self._roots, strict=True):
            for alike in np.unique(following):
                chosen = np.flatnonzero(following == alike)[: max(0, spent.most_look_ups - spent.look_ups)]
                if not len(chosen) or not (self._edges[step := int(fan.behaviors[chosen[0]])] >= 0)[roots].any():
                    continue
                answers = look_up.many(
                    fan.poses[chosen], np.tile(_goal_row(goal), (len(chosen), 1)), frames=fan.frames[chosen],
                    tolerance_m=goal.tolerance_m, last=last & _named(self.problem, goal), after=step, stays=stays,
                )  # fmt: skip
                spent.add(len(chosen), answers.counts)
                total = np.where(answers.found, answers.costs + fan.costs[chosen], math.inf)
                least = int(np.argmin(total))
                if total[least] < best.cost:
                    number = chosen[least]
                    x, y, heading = (float(value) for value in fan.poses[number])
                    asked = Question(
                        look_up, (x, y, heading), int(fan.frames[number]), goal, None, last, step, stays
                    )  # fmt: skip
                    begun = Step(int(fan.behaviors[number]), int(fan.clips[number]), state.pose, state.frame)
                    best = Way(float(total[least]), (begun, *asked.steps(int(answers.nodes[least]))), asked)
        return best

    def _is_at_rest(self, state: State) -> bool:
        rest = rest_label(self.problem.character)
        if rest is None:
            return False
        if state.behavior is not None:
            return bool(self.comes_to_rest[state.behavior])
        if self.problem.after is not None:
            return bool(self.comes_to_rest[self.problem.character.index(self.problem.after)])
        return self.problem.begins in (None, rest)

    def wait(self, state: State, spent: Spent) -> Step | None:
        """Return the cheapest step in which time passes and little else, if one may be played from a state."""
        fan = self._fan(state, self._waits)
        spent.collision_samples += fan.collision_samples
        if not len(fan.behaviors):
            return None
        least = int(np.argmin(fan.costs))
        return Step(int(fan.behaviors[least]), int(fan.clips[least]), state.pose, state.frame)

    def _fan(self, state: State, steps: NDArray[np.bool_]) -> Fan:
        setting, before = self.setting, state.behavior
        behaviors = np.flatnonzero(self._allowed(state) & self.goes_on & steps).astype(np.int32)
        extra = None if before is None else self._edges[before] - setting.moves.cost
        return fan_out(setting, behaviors, state.pose, state.frame, extra)

    def _allowed(self, state: State) -> NDArray[np.bool_]:
        return self._first if state.behavior is None else self._edges[state.behavior] >= 0

    def can_begin(self) -> bool:
        """Tell whether some tree goes on from the start."""
        allowed = self._allowed(self.state_after(()))
        return bool((allowed & self._roots).any() or (allowed & self.goes_on).any())

    def is_shut_off(self) -> bool:
        """Tell whether what nobody crosses lies between the start and one of the goals, which is a proof."""
        nothing = np.zeros(len(self.goes_on), bool)  # what is asked for is not a path
        start, _, _ = self.state_after(())
        places = [Goal(goal.x, goal.y, goal.tolerance_m) for goal in self.legs]
        return any(self._look_ups[0].one(start, place, last=nothing).outcome is Found.SHUT for place in places)

    def cost(self, steps: Sequence[Step]) -> int:
        """Return what steps from the start on cost, in whole units, as the forward search counts it."""
        setting, moves, core, total, before = self.setting, self.setting.moves, self.setting.core, 0, None
        for step in steps:
            total += int(moves.cost[step.behavior] if before is None else self._edges[before, step.behavior])
            if setting.world.ground.has_terrain:
                clip = int(setting.actions.behavior_clips[step.behavior]) + step.clip
                total += int(
                    lib.gb_clip_ground_cost(core.world.c, core.query.c, core.actions.c, moves.same[clip], *step.pose)
                )
            before = step.behavior
        return total

    def least_cost(self, state: State, leg: int) -> int:
        """Return a cost, in whole units, that no way from a state in a leg to the last goal undercuts."""
        return int(lib.gb_query_cost_left(self.setting.core.query.c, leg, state.pose[0], state.pose[1]))


def _may_come_first(tree: SearchTree, problem: Problem) -> NDArray[np.bool_]:
    """Return which of the character's behaviors a tree begins with (B,)."""
    behavior = fit(tree, problem.character).behavior
    roots = np.zeros(len(problem.character.behaviors), bool)
    roots[behavior[(behavior >= 0) & (tree.first_cost >= 0)]] = True
    return roots


def _goal_row(goal: Goal) -> tuple[float, float, float, float]:
    if goal.heading_rad is None:
        return goal.x, goal.y, 0.0, ANY_HEADING_RAD
    return goal.x, goal.y, goal.heading_rad, goal.heading_tolerance_rad


def _named(problem: Problem, goal: Goal) -> NDArray[np.bool_]:
    """Return which behaviors are those that a goal asks for (B,): all, if it asks for none."""
    behaviors = problem.character.behaviors
    return np.array([goal.behavior is None or goal.behavior in (one.name, one.label) for one in behaviors])


_KNOWN_REACH: WeakKeyDictionary[SearchTree, float] = WeakKeyDictionary()


def _reach_m(tree: SearchTree) -> float:
    """Return within what distance of the root nearly all of a tree's nodes are, worked out once."""
    if tree not in _KNOWN_REACH:
        _KNOWN_REACH[tree] = float(np.quantile(np.hypot(tree.pose[:, 0], tree.pose[:, 1]), REACH_SHARE))
    return _KNOWN_REACH[tree]
