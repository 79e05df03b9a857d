"""What one thread writes into while it searches for trips, and what it reads off afterwards."""

from __future__ import annotations

import struct as binary
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gambol.characters.character import Character
from gambol.characters.step import SEED_BITS, Step
from gambol.core import Struct, ffi, lib, struct
from gambol.geometry.arrays import BoolArray
from gambol.search.moves import may_be_last, rest_label
from gambol.search.problem import Goal, Problem
from gambol.search.query import costs_after, first_behaviors, goal_row, struct_of_query
from gambol.trees.core_tables import Scratch
from gambol.trees.trip_tables import branches_struct, end_groups
from gambol.trees.trip_ways import room_for_ways
from gambol.world.world import Pose

if TYPE_CHECKING:
    from gambol.trees.trips import Trips

FOUND, NO_WAY = lib.GB_TRIP_FOUND, lib.GB_TRIP_NO_WAY
NODES = 16_384  # states that one trip may come to, > 0: a power of two
WISHES = 1 << 16  # nodes of a tree that may wait at a time, > 0
STEPS = 4096  # steps of a plan, > 0
COUNTS = (
    "nodes", "open", "expansions", "look_ups", "tests", "samples", "goal_node", "nearest", "ceiling", "haste"
)  # fmt: skip
STEP = binary.Struct("=dddqii")  # of `gb_trip_step`
REACH_M = 16.0  # metres: the reach of trees that the lengths below are for
#: How to search: see `gb_trip_settings` in the core's header.
SETTINGS = {
    "weight": 1.2, "haste": 2.0, "calm": 1.1, "reach_m": 18.0, "near_m": 14.0, "sure_m": 4.0, "end_m": 5.0,
    "least_m": 3.0, "apart_m": 1.0, "ahead_m": 1.5, "crossing_m": 6.0, "margin_m": 3.0, "ends": 4,
    "tests": 50, "most_more": 2.0, "hopeful": 60,
}  # fmt: skip


class State(NamedTuple):
    """Where a character is after some steps."""

    pose: Pose
    frame: int
    behavior: int  # played last; -1: none


class Edge(NamedTuple):
    """A path of a tree, or a single step, that is a part of a trip."""

    tree: int  # number of the tree; -1: a single step
    start: State
    end: State
    cost: int  # whole units
    steps: int  # number of them
    goal: int  # number of the goal that was looked up; -1: none, a path that leads on


class Tripped(NamedTuple):
    """What became of a search for a trip."""

    outcome: int  # of `gb_trip_outcome`
    steps: tuple[Step, ...]  # to the goal, or to the state with the least left
    cost: int  # whole units
    end: State  # that they lead to
    expansions: int
    nodes: int
    look_ups: int  # times that a tree was asked
    tests: int  # nodes of trees tried
    samples: int  # instants of clips looked up in the world
    edges: tuple[Edge, ...]  # what the steps are made of; only where that is asked for


class Workspace:
    """What one thread writes into."""

    def __init__(self, trips: Trips) -> None:
        self.trips = trips
        self.scratch = [Scratch(tree) for tree in trips.trees]
        self.fan = _fan(len(trips.character.behaviors))
        self.nodes, self.steps = ffi.new("gb_trip_node[]", NODES), ffi.new("gb_trip_step[]", STEPS)
        self.entries, self.slots = np.empty(2 * NODES, np.int64), np.full((4 * NODES, 4), -1, np.int64)
        wishes = struct("gb_wishes", count=0, room=WISHES, estimate=np.empty(WISHES), entry=np.empty(WISHES, np.int32))
        self.query: Struct | None = None
        self.asked: tuple[str | None, ...] | None = None  # what the query was laid out for
        self.goals = np.empty((0, 5))
        counts = dict.fromkeys(COUNTS, 0)
        scale = trips.reach_m / REACH_M
        scaled = {name: value * (scale if name.endswith("_m") else 1) for name, value in SETTINGS.items()}
        self.trip = struct(
            "gb_trip",
            tables=None,
            settings=struct("gb_trip_settings", **scaled, most_expansions=0, improve=0),
            after=-1,
            ways=None,
            fan=self.fan,
            scratch=[one.core for one in self.scratch],
            node_room=NODES,
            nodes=None,
            entries=self.entries,
            slot_count=len(self.slots),
            slots=self.slots,
            wishes=wishes,
            counts=struct("gb_trip_counts", **counts),
        )
        self.trip.c.nodes = self.nodes

    def solve(self, problem: Problem, most_expansions: int, improve: int, trace: bool) -> Tripped:
        """Search for a trip."""
        self._ask(problem)
        trip = self.trip.c
        trip.settings.most_expansions, trip.settings.improve = most_expansions, improve
        outcome = lib.gb_trip_solve(trip)
        counts = trip.counts
        if outcome == NO_WAY:
            return Tripped(outcome, (), 0, State(problem.start, problem.start_frame, -1), 0, 0, 0, 0, 0, ())
        node = counts.goal_node if outcome == FOUND else counts.nearest
        samples = counts.samples + sum(int(one.core.c.counts.samples) for one in self.scratch)
        edges, at = self._edges(node) if trace else (), self.nodes[node]
        return Tripped(
            outcome, self._steps(node), at.cost, _state(at), counts.expansions, counts.nodes, counts.look_ups,
            counts.tests, samples, edges,
        )  # fmt: skip

    def _ask(self, problem: Problem) -> None:
        """Put a problem into the query."""
        goals = (*problem.waypoints, problem.goal)
        asked = (problem.begins, problem.after, *(goal.behavior for goal in goals))
        if asked != self.asked:
            self._lay_out(problem, goals)
            self.asked = asked
        assert self.query is not None
        query = self.query.c
        query.x, query.y, query.heading = problem.start
        query.frame, query.seed = problem.start_frame, problem.seed & SEED_BITS
        for number, goal in enumerate(goals):
            self.goals[number] = goal_row(goal)
        if len(goals) > 1:
            self.later[:] = costs_after(goals, self.trips.setting.moves)
        tolerance_m = max(goal.tolerance_m for goal in goals)
        for one in self.scratch:
            one.make_room(tolerance_m)
            one.core.c.counts.samples = 0

    def _lay_out(self, problem: Problem, goals: Sequence[Goal]) -> None:
        """Lay out all that depends on what may come first and what may end legs."""
        trips = self.trips
        character, setting = trips.character, trips.setting
        begun = trips.transitions.begun(first_behaviors(problem), at_rest=is_at_rest(problem))
        ends = may_end(character, goals, begun.goes_on)
        self.goals, self.later = np.array([goal_row(goal) for goal in goals]), np.zeros(len(goals), np.int64)
        asked = setting.query._replace(
            first=first_behaviors(problem), goals=self.goals, may_end=ends, later=self.later,
            fields=(),
        )  # fmt: skip
        self.query = struct_of_query(asked)
        core = setting.core
        tables = struct(
            "gb_trip_tables",
            world=core.world,
            traffic=core.traffic,
            actions=core.actions,
            moves=core.moves,
            query=self.query,
            map=trips.map,
            trees=len(trips.trees),
            tree=trips.tables,
            branches=[branches_struct(tree, character) for tree in trips.trees],
            end_groups=[end_groups(tree, character, ends) for tree in trips.trees],
            may_use=begun.may_use,
            allowed=begun.allowed,
            extra=begun.extra,
            has_extra=begun.extra.any(axis=1),
            overhead=begun.overhead,
            rests=begun.rests,
            goes_on=begun.goes_on,
            crosses=begun.crosses,
            ground_costs=setting.world.ground.has_terrain
            and (setting.query.climb > 0.0 or setting.query.descend > 0.0),
        )
        self.trip.set("tables", tables)
        self.ways = room_for_ways(trips.map, len(goals))
        self.trip.c.ways = self.ways.array

    def _steps(self, node: int) -> tuple[Step, ...]:
        count = lib.gb_trip_steps(self.trip.c, node, self.steps, STEPS)
        if count > STEPS:
            self.steps = ffi.new("gb_trip_step[]", count)
            lib.gb_trip_steps(self.trip.c, node, self.steps, count)
        first = self.trips.setting.actions.behavior_clips
        rows = STEP.iter_unpack(ffi.buffer(self.steps, count * STEP.size))
        return tuple(
            [Step(behavior, clip - int(first[behavior]), (x, y, heading), frame)
             for x, y, heading, frame, behavior, clip in rows]
        )  # fmt: skip

    def _edges(self, node: int) -> tuple[Edge, ...]:
        """Return what led to a node, from the start on."""
        edges: list[Edge] = []
        while node > 0:
            at = self.nodes[node]
            before = self.nodes[at.parent]
            count = lib.gb_trip_steps(self.trip.c, node, self.steps, 0)
            count -= lib.gb_trip_steps(self.trip.c, at.parent, self.steps, 0)
            is_goal = at.tree >= 0 and (at.arrived or at.leg > before.leg)
            goal = before.leg if is_goal else -1
            edges.append(Edge(at.tree, _state(before), _state(at), at.cost - before.cost, count, goal))
            node = at.parent
        return tuple(reversed(edges))


def _state(node: Any) -> State:
    """Return the state of a `gb_trip_node`."""
    return State((node.x, node.y, node.heading), node.frame, node.behavior)


def _fan(count: int) -> Struct:
    return struct(
        "gb_fan", count=0, behavior=np.empty(count, np.int32), clip=np.empty(count, np.int64),
        pose=np.empty((count, 3)), frame=np.empty(count, np.int64), cost=np.empty(count, np.int64),
    )  # fmt: skip


def may_end(character: Character, goals: Sequence[Goal], goes_on: BoolArray) -> BoolArray:
    """Return which behaviors may end each leg (L, B); what ends at a way-point must be able to go on."""
    rows = [may_be_last(character, goals[-1].behavior)]
    for goal in reversed(goals[:-1]):
        rows.append(goes_on if goal.behavior is None else goes_on & may_be_last(character, goal.behavior))
    return np.array(rows[::-1], np.bool_)


def is_at_rest(problem: Problem) -> bool:
    """Tell whether the character is at rest at the start."""
    rest = rest_label(problem.character)
    if rest is None:
        return False
    if problem.after is not None:
        return problem.character.behaviors[problem.character.index(problem.after)].ends == rest
    return problem.begins in (None, rest)
