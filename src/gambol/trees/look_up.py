"""Ask a tree: the cheapest of its paths from a start to a goal that may be played in a world."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import IntEnum
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.characters.character import Character
from gambol.characters.step import Step
from gambol.errors import InvalidInput, UnknownName
from gambol.search.moves import COST_UNIT
from gambol.search.problem import DEFAULT_TOLERANCE_M, Goal, Problem
from gambol.search.search import Setting, set_up
from gambol.search.traffic import Traffic
from gambol.search.way import ClosedCells
from gambol.trees.file import ensure_verified
from gambol.trees.fit import edge_costs, fit
from gambol.trees.glances import Seen, glances, seen_of
from gambol.trees.kernels import look_up as kernels
from gambol.trees.kernels.look_up_tables import Asked, Room, Scratch, Shut, Tables, TreeTable
from gambol.trees.kernels.parts import number_parts
from gambol.trees.tree import SearchTree
from gambol.world.table import WorldTable
from gambol.world.world import Pose, World

ANY_HEADING_RAD = 4.0
LAST_FRAME = 2**40
MOST_TABLES = 100  # kept for the next query
NO_NODE = kernels.NO_NODE


class Found(IntEnum):
    """What became of a query."""

    FOUND = kernels.FOUND
    NO_PATH = kernels.NO_PATH  # paths of the tree end at the goal, but none of them may be played
    OUT_OF_REACH = kernels.OUT_OF_REACH  # no path of the tree ends at the goal
    SHUT = kernels.SHUT  # start or goal is where nobody can be, or nobody gets from the one to the other
    HEMMED_IN = kernels.HEMMED_IN  # no path of the tree may even begin


@dataclass(frozen=True)
class Counts:
    """What queries did."""

    candidates: int  # nodes at the goals that were looked at
    visited: int  # nodes that were traced
    reached_root: int  # traces that got there, and were tested whole
    verified_edges: int  # clips that were tested whole
    collision_samples: int  # instants of clips looked up in the world


@dataclass(frozen=True)
class Answer:
    """What a tree knows of one query."""

    node: int  # NO_NODE where there is none
    cost: float  # infinite where there is none
    outcome: Found
    counts: Counts

    @property
    def found(self) -> bool:
        return self.outcome is Found.FOUND


@dataclass(frozen=True, eq=False)
class Answers:
    """What a tree knows of Q queries."""

    nodes: NDArray[np.int64]  # (Q,) NO_NODE where there is none
    costs: NDArray[np.float64]  # (Q,) infinite where there is none
    outcomes: NDArray[np.int64]  # (Q,) of `Found`
    counts: Counts

    @property
    def found(self) -> NDArray[np.bool_]:
        return self.nodes >= 0


class LookUp:
    """A tree, a character and a world, compiled for asking; not to be shared by threads, but asks in several itself.

    The character may have more behaviors than the tree, fewer, or other weights: what it cannot do is not
    done, and costs are its own.  Where costs are not those the tree was grown with, the search goes on until
    no path that is left can be cheaper.
    """

    def __init__(
        self,
        tree: SearchTree,
        character: Character,
        world: World,
        *,
        traffic: Traffic | None = None,
        climb_cost: float = 0.0,
        descend_cost: float = 0.0,
        horizon_s: float = 120.0,
    ) -> None:
        ensure_verified(tree)
        self.tree, self.character, self.world = tree, character, world
        self._fit = fit(tree, character)
        least_x, least_y, _, _ = world.bounds
        problem = Problem(
            world, character, (least_x, least_y, 0.0), Goal(least_x, least_y), traffic=traffic,
            climb_cost=climb_cost, descend_cost=descend_cost, horizon_s=horizon_s,
        )  # fmt: skip
        self._setting = set_up(problem, around=False)
        self._costs_as_grown = self._fit.is_as_grown and not (
            self._setting.world.ground.has_terrain and (climb_cost > 0.0 or descend_cost > 0.0)
        )
        self._room = _room(world, self._setting.world)
        self._shut = _connected_parts(self._setting.cells)
        self._glances = _glances(tree, self._setting)
        self._scratch: list[Scratch] = []
        self._tables: dict[tuple[bytes | None, bytes | None, int | None, bool], Tables] = {}

    def one(
        self,
        start: Pose,
        goal: Goal,
        *,
        frame: int = 0,
        first: NDArray[np.bool_] | None = None,
        last: NDArray[np.bool_] | None = None,
        after: int | None = None,
        stays: bool = False,
    ) -> Answer:
        """Return the cheapest path to a goal.

        first, last (B,): which of the character's behaviors may come first and last; all by default, a goal's own
            behavior apart.
        after: behavior that is played before: what may follow it comes first, at what the transition costs.
        stays: who arrives must be able to stay there, whatever passes.
        """
        if goal.behavior is not None:
            known = {name for one in self.character.behaviors for name in (one.name, one.label)}
            if goal.behavior not in known:
                raise UnknownName("behavior", goal.behavior, tuple(known))
            named = np.array([goal.behavior in (one.name, one.label) for one in self.character.behaviors])
            last = named if last is None else last & named
        turn = ANY_HEADING_RAD if goal.heading_rad is None else goal.heading_tolerance_rad
        goals = np.array([[goal.x, goal.y, goal.tolerance_m, goal.heading_rad or 0.0, turn]])
        starts, frames = np.array([start], dtype=np.float64), np.array([frame], dtype=np.int64)
        _check_starts(starts, frames)
        answers = self._ask(starts, frames, goals, self.kernel_tables(first, last, after, stays), 1)
        return Answer(int(answers.nodes[0]), float(answers.costs[0]), Found(int(answers.outcomes[0])), answers.counts)

    def many(
        self,
        starts: ArrayLike,
        goals: ArrayLike,
        *,
        frames: ArrayLike | None = None,
        tolerance_m: float = DEFAULT_TOLERANCE_M,
        first: NDArray[np.bool_] | None = None,
        last: NDArray[np.bool_] | None = None,
        after: int | None = None,
        stays: bool = False,
        threads: int = 1,
    ) -> Answers:
        """Answer many queries at once; the answers are the same whatever the threads.

        starts (Q, 3); goals (Q, 2) x, y, or (Q, 4) with a heading and its tolerance; frames (Q,).
        """
        starts = np.ascontiguousarray(starts, dtype=np.float64)
        given = np.ascontiguousarray(goals, dtype=np.float64)
        at = np.zeros(len(starts), np.int64) if frames is None else np.ascontiguousarray(frames, dtype=np.int64)
        _check_starts(starts, at)
        if given.ndim != 2 or len(given) != len(starts) or given.shape[1] not in (2, 4):
            raise InvalidInput(
                f"goals must be an array of x, y for each of {len(starts)} starts, not of shape {given.shape}"
            )
        if not np.isfinite(given).all():
            raise InvalidInput("goals must be finite")
        if not (math.isfinite(tolerance_m) and tolerance_m > 0.0):
            raise InvalidInput(f"a goal's tolerance must be positive, not {tolerance_m}")
        if threads < 1:
            raise InvalidInput(f"at least one thread is needed, not {threads}")
        rows = np.empty((len(starts), 5))
        rows[:, :2], rows[:, 2], rows[:, 3], rows[:, 4] = given[:, :2], tolerance_m, 0.0, ANY_HEADING_RAD
        if given.shape[1] == 4:
            rows[:, 3:] = given[:, 2:]
        return self._ask(starts, at, rows, self.kernel_tables(first, last, after, stays), threads)

    def steps(self, node: int, start: Pose, *, frame: int = 0) -> tuple[Step, ...]:
        """Return the steps of the path to a node, begun at a pose and a frame."""
        if not 0 <= node < len(self.tree):
            raise InvalidInput(f"a tree of {len(self.tree):,} nodes has no node {node}")
        tree, first_clip = self.tree, self._setting.actions.behavior_clips
        cosine, sine = math.cos(start[2]), math.sin(start[2])
        steps: list[Step] = []
        for one in tree.path_to(node):
            parent = int(tree.parent[one])
            x, y, heading = (float(value) for value in tree.pose[parent])
            pose = (start[0] + cosine * x - sine * y, start[1] + sine * x + cosine * y, start[2] + heading)
            clip = int(self._fit.clip[tree.clip[one]])
            behavior = int(self._setting.actions.clip_behavior[clip])
            steps.append(Step(behavior, clip - int(first_clip[behavior]), pose, frame + int(tree.frame[parent])))
        return tuple(steps)

    def _asked(
        self,
        first: NDArray[np.bool_] | None,
        last: NDArray[np.bool_] | None,
        after: int | None,
        stays: bool,
    ) -> Asked:
        count = len(self.character.behaviors)
        may_begin = np.ones(count, dtype=np.bool_) if first is None else np.ascontiguousarray(first, dtype=np.bool_)
        may_end = np.ones(count, dtype=np.bool_) if last is None else np.ascontiguousarray(last, dtype=np.bool_)
        if may_begin.shape != (count,) or may_end.shape != (count,):
            raise InvalidInput(f"what may come first and last must be said of each of {count} behaviors")
        extra = np.zeros(count, dtype=np.int64)
        if after is not None:
            if not 0 <= after < count:
                raise InvalidInput(f"there is no behavior {after} that could be played before")
            costs = edge_costs(self.character)[after]
            may_begin = may_begin & (costs >= 0)
            extra = np.where(costs >= 0, costs - self._setting.moves.cost, 0)
        known = self._fit.behavior >= 0
        wanted = np.zeros(self.tree.grid.groups, dtype=np.bool_)
        wanted[self.tree.behavior_group[known][may_end[self._fit.behavior[known]]]] = True
        return Asked(may_begin, may_end, wanted, extra, stays)

    def _ask(self, starts: np.ndarray, frames: np.ndarray, goals: np.ndarray, tables: Tables, threads: int) -> Answers:
        count = len(starts)
        threads = max(1, min(threads, count))
        scratches = self._scratch_for(threads, float(goals[:, 2].max()) if count else 0.0)
        nodes, costs = np.full(count, NO_NODE, np.int64), np.zeros(count, np.int64)
        outcomes = np.zeros(count, np.int64)
        shares = [(count * number // threads, count * (number + 1) // threads) for number in range(threads)]

        def answer(number: int) -> None:
            begin, end = shares[number]
            kernels.look_up_many(tables, scratches[number], starts, frames, goals, begin, end, nodes, costs, outcomes)

        if threads == 1:
            answer(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(answer, range(threads)))
        paid = np.where(nodes >= 0, costs * COST_UNIT, np.inf)
        return Answers(nodes, paid, outcomes, _counts([one.counts for one in scratches]))

    def kernel_tables(
        self,
        first: NDArray[np.bool_] | None = None,
        last: NDArray[np.bool_] | None = None,
        after: int | None = None,
        stays: bool = False,
    ) -> Tables:
        """Return what the kernels read, for those who call them in a loop of their own too; kept for the next query."""
        key = None if first is None else bytes(first), None if last is None else bytes(last), after, stays
        known = self._tables.get(key)
        if known is not None:
            return known if self._setting.traffic.is_empty else known._replace(traffic=self._setting.traffic.table)
        setting, asked = self._setting, self._asked(first, last, after, stays)
        table = self._table(bool((asked.first_cost == 0).all()))
        if len(self._tables) >= MOST_TABLES:
            self._tables.clear()
        self._tables[key] = Tables(
            setting.world, setting.traffic.table, setting.actions, setting.moves, setting.query, table, self._room,
            asked, self._shut,
        )  # fmt: skip
        return self._tables[key]

    def scratch(self, tolerance_m: float = DEFAULT_TOLERANCE_M) -> Scratch:
        """Return what the kernels write into, for one thread."""
        return self._scratch_for(1, tolerance_m)[0]

    def _table(self, no_first_costs: bool) -> TreeTable:
        tree, grid = self.tree, self.tree.grid
        return TreeTable(
            tree.pose, tree.parent, tree.cost, tree.clip, tree.frame, grid.first_entry, grid.entries, grid.x0, grid.y0,
            grid.cell_m, grid.overlap_m, grid.rows, grid.columns, grid.groups, tree.first_nodes, self._fit.clip,
            self._glances, self._fit.least_ratio, self._costs_as_grown and no_first_costs,
        )  # fmt: skip

    def _scratch_for(self, threads: int, tolerance_m: float) -> list[Scratch]:
        grid = self.tree.grid
        reach = max(0.5 * (grid.overlap_m - grid.cell_m), 0.5 * grid.cell_m)
        squares = min(math.ceil(min(tolerance_m / reach, 1e6)) + 2, max(grid.rows, grid.columns) + 1)
        lists = squares**2 * grid.groups
        while len(self._scratch) < threads:
            self._scratch.append(
                Scratch(
                    np.zeros(len(self.tree), np.uint8), np.zeros(1, np.int64),
                    np.zeros(self.tree.last_frame + 1, np.int64), np.zeros(lists, np.int64),
                    np.zeros(lists, np.int64), np.zeros(kernels.COUNT_COUNT, np.int64),
                )
            )  # fmt: skip
        for number in range(threads):
            scratch = self._scratch[number]
            scratch.counts[:] = 0
            if len(scratch.cursor) < lists:
                self._scratch[number] = scratch._replace(
                    cursor=np.zeros(lists, np.int64), end=np.zeros(lists, np.int64)
                )
        return self._scratch[:threads]


def _check_starts(starts: np.ndarray, frames: np.ndarray) -> None:
    if starts.ndim != 2 or starts.shape[1] != 3:
        raise InvalidInput(f"starts must be an array of x, y, heading, not of shape {starts.shape}")
    if not np.isfinite(starts).all():
        raise InvalidInput("starts must be finite")
    if frames.shape != (len(starts),) or (frames < 0).any() or (frames > LAST_FRAME).any():
        raise InvalidInput(f"frames must be {len(starts)} whole numbers from 0 to {LAST_FRAME:,}")


def _counts(all_counts: Sequence[np.ndarray]) -> Counts:
    total = np.sum(all_counts, axis=0)
    return Counts(
        candidates=int(total[kernels.CANDIDATES]),
        visited=int(total[kernels.VISITED]),
        reached_root=int(total[kernels.REACHED_ROOT]),
        verified_edges=int(total[kernels.VERIFIED_EDGES]),
        collision_samples=int(total[kernels.SAMPLES]),
    )


_ROOMS: WeakKeyDictionary[World, tuple[WorldTable, Room]] = WeakKeyDictionary()
_PARTS: WeakKeyDictionary[ClosedCells, Shut] = WeakKeyDictionary()
_GLANCES: WeakKeyDictionary[Character, WeakKeyDictionary[SearchTree, dict[Seen, NDArray[np.float64]]]] = (
    WeakKeyDictionary()
)
MOST_GLANCES = 16  # that are kept for each tree


def _room(world: World, table: WorldTable) -> Room:
    """Return the world's clearance in bytes, worked out once: small enough to stay near the processor."""
    known = _ROOMS.get(world)
    if known is None or known[0] is not table:
        steps = kernels.steps_of_room(table.clearance)
        known = _ROOMS[world] = table, Room(table.x0, table.y0, table.cell_m, steps)
    return known[1]


def _connected_parts(cells: ClosedCells) -> Shut:
    """Number the parts of a world that are not connected with each other, once."""
    if cells not in _PARTS:
        parts = number_parts(cells.closed)
        _PARTS[cells] = Shut(cells.x0, cells.y0, cells.cell_m, parts)
    return _PARTS[cells]


def _glances(tree: SearchTree, setting: Setting) -> NDArray[np.float64]:
    """Return what glances tell of a tree's clips, worked out once for all worlds that look the same at a glance."""
    character = setting.problem.character
    known = _GLANCES.setdefault(character, WeakKeyDictionary()).setdefault(tree, {})
    seen = seen_of(setting)
    if seen not in known:
        if len(known) >= MOST_GLANCES:
            known.clear()
        known[seen] = glances(tree, fit(tree, character), setting)
    return known[seen]
