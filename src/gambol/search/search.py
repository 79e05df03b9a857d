"""Set up, run and read one search: the seam between problems and the search's kernel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.characters.step import SEED_BITS, Step
from gambol.errors import InvalidInput
from gambol.kernels import clock
from gambol.search.kernels import open_list
from gambol.search.kernels import search as kernels
from gambol.search.kernels.visited import FRAME_BITS, NOBODY, NODE, STATE_BITS, move_entries
from gambol.search.moves import COST_UNIT, Moves, label_successors, may_be_last, moves_of, rest_label
from gambol.search.plan import SearchStatistics, SearchTrace
from gambol.search.problem import Goal, Problem
from gambol.search.traffic import Traffic
from gambol.search.way import ClosedCells, closed_cells, way_field
from gambol.world.table import WorldTable, compile_world, special_kinds

SLICE = 20_000  # expansions between two looks at the clock
USUAL_COST = 64  # times the least that is possible: plans are no dearer, or their order does not matter
NEVER = int(kernels.NEVER)


@dataclass(frozen=True)
class StateTable:
    """How fine the table of visited states is [LK05 3.3]: a cheaper way into the same entry replaces the other."""

    place_m: float = 0.3
    heading_rad: float = math.radians(10.0)
    time_s: float = 0.25  # only where something moves

    def __post_init__(self) -> None:
        if not (1e-3 <= self.place_m <= 100.0 and 1e-3 <= self.heading_rad <= math.pi):
            raise InvalidInput(
                f"a state's place must lie between 1 mm and 100 m, its heading between 0.001 and pi, "
                f"not {self.place_m} and {self.heading_rad}"
            )
        if not 0.0 <= self.time_s <= 1e3:
            raise InvalidInput(f"a state's time must lie between 0 and 1,000 s, not {self.time_s}")

    def finer(self) -> StateTable:
        """Return a table of twice the resolution."""
        return StateTable(0.5 * self.place_m, 0.5 * self.heading_rad, 0.5 * self.time_s)


@dataclass(frozen=True, eq=False)
class Setting:
    """Everything a search of one problem reads, compiled."""

    problem: Problem
    world: WorldTable
    actions: ActionTable
    moves: Moves
    traffic: Traffic
    cells: ClosedCells
    query: kernels.Query
    setup_time_s: float

    @property
    def is_dynamic(self) -> bool:
        return self.query.has_traffic


def set_up(problem: Problem, *, around: bool = True) -> Setting:
    """Compile a problem.  around: bound from below by ways around obstacles, not by straight lines alone."""
    begun = clock.seconds()
    character, world = problem.character, compile_world(problem.world)
    traffic = problem.traffic or Traffic.of(
        problem.world, rate_hz=character.planning_rate_hz, horizon_s=problem.horizon_s
    )
    if abs(traffic.rate_hz - character.planning_rate_hz) > 1e-9:
        raise InvalidInput(
            f"traffic laid out at {traffic.rate_hz:g} frames a second is not for {character.name!r}, "
            f"which plans at {character.planning_rate_hz:g}"
        )
    cells = closed_cells(problem.world, character)
    query = _query(problem, cells, traffic, around)
    return Setting(
        problem, world, action_table(character), moves_of(character), traffic, cells, query,
        clock.seconds() - begun,
    )  # fmt: skip


class Search:
    """A search that runs in slices, so that it can be looked at and stopped in between."""

    def __init__(
        self,
        setting: Setting,
        *,
        weight: float = 1.0,
        exact: bool = False,
        keep: int = 0,
        ceiling: int = NEVER,
        table: StateTable | None = None,
    ) -> None:
        self.setting = setting
        table = table or StateTable()
        rate = setting.problem.character.planning_rate_hz
        frame_unit = 0 if not setting.is_dynamic else 1 if exact else max(1, round(table.time_s * rate))
        self.settings = kernels.Settings(
            weight=float(weight),
            exact=exact,
            place_unit=1e-6 if exact else table.place_m,
            heading_count=1 << 21 if exact else max(4, round(2.0 * math.pi / table.heading_rad)),
            frame_unit=frame_unit,
            keep=keep,
            ceiling=ceiling,
            shift=0,
        )
        _check_keys(setting, self.settings)
        self.time_s = 0.0
        self._tree = new_tree(1024)
        self._frontier = kernels.Frontier(np.empty(1024, np.int64), new_slots(4096))
        self.counts = np.zeros(kernels.COUNT_COUNT, np.int64)
        self._widest = max(len(setting.query.first), int(np.diff(setting.actions.behavior_successors).max()))
        self._begin()

    @property
    def status(self) -> int:
        return int(self.counts[kernels.STATUS])

    @property
    def expansions(self) -> int:
        return int(self.counts[kernels.EXPANSIONS])

    @property
    def is_truncated(self) -> bool:
        return bool(self.counts[kernels.DROPPED] > 0)

    @property
    def has_merged(self) -> bool:
        """Whether the table of visited states let one state stand for another: then a way may have been missed."""
        return bool(self.counts[kernels.LEAST_LOST] < NEVER)

    @property
    def was_late(self) -> bool:
        """Whether the horizon cut anything off."""
        return bool(self.counts[kernels.LATE] > 0)

    def _begin(self) -> None:
        """Enter the start as the only node."""
        tree, query, counts = self._tree, self.setting.query, self.counts
        counts[kernels.LEAST_LOST], counts[kernels.GOAL_NODE], counts[kernels.NODES] = NEVER, -1, 1
        tree.x[0], tree.y[0], tree.heading[0], tree.frame[0] = query.x, query.y, query.heading, query.frame
        tree.cost[0], tree.parent[0], tree.behavior[0], tree.clip[0], tree.leg[0] = 0, -1, -1, -1, 0
        tree.left[0] = left = kernels.cost_left(query, 0, query.x, query.y)
        # Where costs are very large their last digits do not count, so that the order of what is open is kept.
        usual = int(min(left, 2**55) * self.settings.weight) * USUAL_COST
        self.settings = self.settings._replace(
            shift=max(0, usual.bit_length() - open_list.LARGEST_ESTIMATE.bit_length())
        )
        if left < NEVER:
            self._frontier.entries[0] = open_list.entry_of(0, 0)
            counts[kernels.OPEN] = 1

    def run(self, most_expansions: int, *, go_on: Callable[[], bool] | None = None) -> int:
        """Search until it ends, or so many expansions are made in all, or `go_on` says no; return the status."""
        setting = self.setting
        while True:
            begun = clock.seconds()
            self._make_room()
            kernels.expand_while_room(
                setting.world, setting.traffic.table, setting.actions, setting.moves, setting.query, self.settings,
                self._tree, self._frontier, self.counts, min(most_expansions, self.expansions + SLICE), self._widest,
            )  # fmt: skip
            self.time_s += clock.seconds() - begun
            if self.status in (kernels.FOUND, kernels.EXHAUSTED) or self.expansions >= most_expansions:
                return self.status
            if go_on is not None and not go_on():
                self.counts[kernels.STATUS] = kernels.STOPPED
                return self.status

    def _make_room(self) -> None:
        """Grow what is too small for the next expansion, and truncate the open list where that is asked for."""
        nodes, count, widest = int(self.counts[kernels.NODES]), int(self.counts[kernels.OPEN]), self._widest
        if nodes + widest > open_list.LAST_NODE:
            raise InvalidInput(f"a search holds at most {open_list.LAST_NODE:,} nodes; allow fewer expansions")
        while nodes + widest > len(self._tree.x):
            larger = new_tree(2 * len(self._tree.x))
            for new, old in zip(larger, self._tree, strict=True):
                new[:nodes] = old[:nodes]
            self._tree = larger
        while 2 * (nodes + widest) > len(self._frontier.slots):
            slots = new_slots(2 * len(self._frontier.slots))
            move_entries(self._frontier.slots, slots)
            self._frontier = self._frontier._replace(slots=slots)
        while count + widest > len(self._frontier.entries):
            entries = np.concatenate((self._frontier.entries, np.empty_like(self._frontier.entries)))
            self._frontier = self._frontier._replace(entries=entries)
        if self.settings.keep > 0 and count > 2 * self.settings.keep:
            self._drop_worst(count)

    def _drop_worst(self, count: int) -> None:
        """Truncate the open list [LK05 3.3], and remember the best of what is lost."""
        entries, keep, counts = self._frontier.entries, self.settings.keep, self.counts
        entries[:count].sort()  # what is sorted is a heap
        lost = open_list.LAST_NODE - (entries[keep:count] & open_list.LAST_NODE)
        least = int((self._tree.cost[lost] + self._tree.left[lost]).min())
        counts[kernels.LEAST_LOST] = min(int(counts[kernels.LEAST_LOST]), least)
        counts[kernels.DROPPED] += count - keep
        counts[kernels.OPEN] = keep

    def lower_bound(self) -> int:
        """Return a cost, in whole units, that no plan undercuts."""
        least = min(
            int(
                kernels.least_open(
                    self.setting.query, self.setting.moves, self.settings, self._tree, self._frontier, self.counts
                )
            ),
            self.settings.ceiling,
        )
        goal = int(self.counts[kernels.GOAL_NODE])
        if goal >= 0:
            least = min(least, int(self._tree.cost[goal]))
        least = min(least, int(self.counts[kernels.LEAST_LOST]))
        return max(least, int(self._tree.left[0]))

    def goal_cost(self) -> int:
        return int(self._tree.cost[self.counts[kernels.GOAL_NODE]])

    def steps(self, *, nearest: bool = False) -> tuple[Step, ...]:
        """Return the steps to the goal found, or to the expanded node with the least cost left."""
        tree = self._tree
        node = int(self.counts[kernels.NEAREST if nearest else kernels.GOAL_NODE])
        steps: list[Step] = []
        while node > 0:
            parent = int(tree.parent[node])
            behavior = int(tree.behavior[node])
            pose = (float(tree.x[parent]), float(tree.y[parent]), float(tree.heading[parent]))
            clip = int(tree.clip[node] - self.setting.actions.behavior_clips[behavior])
            steps.append(Step(behavior, clip, pose, int(tree.frame[parent])))
            node = parent
        return tuple(reversed(steps))

    def cost_at_nearest(self) -> int:
        return int(self._tree.cost[self.counts[kernels.NEAREST]])

    def statistics(self) -> SearchStatistics:
        counts = self.counts
        arrays = (*self._tree, *self._frontier)
        return SearchStatistics(
            expansions=self.expansions,
            nodes=int(counts[kernels.NODES]),
            generated=int(counts[kernels.GENERATED]),
            collision_samples=int(counts[kernels.SAMPLES]),
            time_s=self.time_s,
            setup_time_s=self.setting.setup_time_s,
            bytes_used=sum(array.nbytes for array in arrays),
        )

    def trace(self) -> SearchTrace:
        """Return a copy of the tree."""
        tree, count = self._tree, int(self.counts[kernels.NODES])
        return SearchTrace(
            poses=np.stack((tree.x[:count], tree.y[:count], tree.heading[:count]), axis=1),
            parents=tree.parent[:count].copy(),
            costs=tree.cost[:count] * COST_UNIT,
            behaviors=tree.behavior[:count].copy(),
            frames=tree.frame[:count].copy(),
            expanded=tree.closed[:count].copy(),
        )


def _check_keys(setting: Setting, settings: kernels.Settings) -> None:
    """Refuse what the keys of states have no room for."""
    least_x, least_y, greatest_x, greatest_y = setting.problem.world.bounds
    widest = max(abs(value) for value in (least_x, least_y, greatest_x, greatest_y)) / settings.place_unit
    states = len(setting.moves.state)
    frames = setting.query.horizon // settings.frame_unit if settings.frame_unit > 0 else 0
    if widest >= 2**31 or states >= 1 << STATE_BITS or frames >= 1 << FRAME_BITS:
        raise InvalidInput(
            f"a search cannot tell apart {states:,} behaviors, {frames:,} times and places {widest:,.0f} units from "
            "the origin; use a coarser table, a shorter horizon or a smaller world"
        )


def new_tree(capacity: int) -> kernels.Tree:
    kinds = [np.float64] * 3 + [np.int32] + [np.int64] * 2 + [np.int32] * 4 + [np.bool_]
    return kernels.Tree(*(np.zeros(capacity, kind) for kind in kinds))


def new_slots(count: int) -> np.ndarray:
    """Return an empty table of visited states: a power of two of slots, of which at most half are to be filled."""
    slots = np.empty((count, 4), dtype=np.int64)
    slots[:, NODE] = NOBODY
    return slots


def first_behaviors(problem: Problem) -> np.ndarray:
    """Return the behaviors that may come first: after a behavior or from a label stated, else from rest, else all."""
    if problem.after is not None:
        allowed = np.isfinite(problem.character.transition_costs[problem.character.index(problem.after)])
        return np.flatnonzero(allowed).astype(np.int32)
    label = problem.begins if problem.begins is not None else rest_label(problem.character)
    if label is None:
        return np.arange(len(problem.character.behaviors), dtype=np.int32)
    return label_successors(problem.character, label)


def _query(problem: Problem, cells: ClosedCells, traffic: Traffic, around: bool) -> kernels.Query:
    character, legs = problem.character, (*problem.waypoints, problem.goal)
    moves = moves_of(character)
    around = around and bool(cells.closed.any())  # where nothing is closed the straight line is the way
    fields = [way_field(cells, goal.x, goal.y, goal.tolerance_m) for goal in legs] if around else []
    shape = (len(legs), cells.closed.shape[0] + 1, cells.closed.shape[1] + 1)
    return kernels.Query(
        x=problem.start[0],
        y=problem.start[1],
        heading=problem.start[2],
        frame=problem.start_frame,
        first=first_behaviors(problem),
        goals=np.array([_goal_row(goal) for goal in legs]),
        may_end=np.array(
            [*(_may_pass(problem, goal) for goal in problem.waypoints), may_be_last(character, problem.goal.behavior)]
        ),
        fields=np.stack(fields) if around else np.empty((shape[0], 0, 0)),
        field_x0=cells.x0,
        field_y0=cells.y0,
        field_cell=cells.cell_m,
        closed=cells.closed,
        later=_costs_after(legs, moves),
        cost_per_way=moves.cost_per_way,
        cost_per_chord=moves.cost_per_chord,
        special=_special_numbers(character, problem),
        radius=np.array([behavior.annotation.radius_m or -1.0 for behavior in character.behaviors]),
        climb=problem.climb_cost / COST_UNIT,
        descend=problem.descend_cost / COST_UNIT,
        seed=problem.seed & SEED_BITS,
        has_traffic=not traffic.is_empty,
        horizon=math.floor(problem.horizon_s * character.planning_rate_hz),
    )


def _goal_row(goal: Goal) -> tuple[float, float, float, float, float]:
    if goal.heading_rad is None:
        return goal.x, goal.y, goal.tolerance_m, 0.0, 4.0
    return goal.x, goal.y, goal.tolerance_m, goal.heading_rad, goal.heading_tolerance_rad


def _may_pass(problem: Problem, waypoint: Goal) -> np.ndarray:
    if waypoint.behavior is not None:
        return may_be_last(problem.character, waypoint.behavior)
    return np.ones(len(problem.character.behaviors), dtype=bool)


def _costs_after(legs: tuple[Goal, ...], moves: Moves) -> np.ndarray:
    """Return the least cost of all legs after each, by straight lines from disc to disc."""
    costs = np.zeros(len(legs), dtype=np.int64)
    for leg in range(len(legs) - 2, -1, -1):
        here, there = legs[leg], legs[leg + 1]
        gap = math.hypot(here.x - there.x, here.y - there.y) - here.tolerance_m - there.tolerance_m
        costs[leg] = costs[leg + 1] + int(max(0.0, gap) * moves.cost_per_chord)
    return costs


def _special_numbers(character: Character, problem: Problem) -> np.ndarray:
    """Return the kind that each behavior is for, by its number in the world's table; -2: none is there, -1: no kind."""
    kinds: dict[str, int] = {kind: number for number, kind in enumerate(special_kinds(problem.world))}
    named: list[Any] = [behavior.annotation.special for behavior in character.behaviors]
    return np.array([-1 if kind is None else kinds.get(kind, -2) for kind in named], dtype=np.int32)
