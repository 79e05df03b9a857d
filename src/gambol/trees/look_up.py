"""Ask a tree: the cheapest of its paths from a start to a goal that may be played in a world."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from itertools import pairwise
from struct import Struct as Layout
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.characters.character import Character
from gambol.characters.step import Step
from gambol.core import Struct, ffi, lib, pointer
from gambol.errors import InvalidInput, UnknownName
from gambol.search.moves import COST_UNIT
from gambol.search.problem import DEFAULT_TOLERANCE_M, Goal, Problem
from gambol.search.search import set_up
from gambol.search.traffic import Traffic
from gambol.trees.core_tables import Scratch, asked_struct, tables_struct
from gambol.trees.file import ensure_verified
from gambol.trees.fit import edge_costs, fit
from gambol.trees.tree import SearchTree
from gambol.world.world import Pose, World

ANY_HEADING_RAD = 4.0
LAST_FRAME = 2**40
MOST_ASKED = 100  # kinds of questions that are kept for the next one
NO_NODE = int(lib.GB_NOTHING)
QUESTION = Layout("3dq5d")  # of `gb_tree_question`
ANSWER = Layout("3q")  # of `gb_tree_answer`
COUNTS = Layout("5q")  # of `gb_tree_counts`
NO_COUNTS = bytes(COUNTS.size)


class Found(IntEnum):
    """What became of a query."""

    FOUND = lib.GB_TREE_FOUND
    NO_PATH = lib.GB_TREE_NO_PATH  # paths of the tree end at the goal, but none of them may be played
    OUT_OF_REACH = lib.GB_TREE_OUT_OF_REACH  # no path of the tree ends at the goal
    SHUT = lib.GB_TREE_SHUT  # start or goal is where nobody can be, or nobody gets from the one to the other
    HEMMED_IN = lib.GB_TREE_HEMMED_IN  # no path of the tree may even begin


OUTCOMES = tuple(Found)


class Counts(NamedTuple):
    """What queries did."""

    collision_samples: int  # instants of clips looked up in the world
    candidates: int  # nodes at the goals that were looked at
    visited: int  # nodes that were traced
    verified_edges: int  # clips that were tested whole
    reached_root: int  # traces that got there, and were tested whole


class Answer(NamedTuple):
    """What a tree knows of one query."""

    node: int  # NO_NODE where there is none
    cost: float  # infinite where there is none
    outcome: Found
    counts: Counts

    @property
    def found(self) -> bool:
        return self.outcome is Found.FOUND


class Answers(NamedTuple):
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
        self.setting = set_up(problem, around=False)
        self._tables = tables_struct(tree, self.setting)
        stands = self._tables.kept["world"]
        self._world, self._lock, self._reach_m = stands.c, stands.kept["lock"], _reach_m(self._tables.kept["tree"])
        self._scratches = [Scratch(tree)]
        self._asked: dict[tuple[bytes | None, bytes | None, int | None, bool, str | None], Struct] = {}
        self._question, self._answer = ffi.new("gb_tree_question *"), ffi.new("gb_tree_answer *")
        self._question_bytes, self._answer_bytes = ffi.buffer(self._question), ffi.buffer(self._answer)

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
        x, y, heading = start
        turn = ANY_HEADING_RAD if goal.heading_rad is None else goal.heading_tolerance_rad
        if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(heading)):
            raise InvalidInput("starts must be finite")
        if not 0 <= frame <= LAST_FRAME:
            raise InvalidInput(f"a frame must be a whole number from 0 to {LAST_FRAME:,}")
        asked, scratch = self._asked_as(first, last, after, stays, goal.behavior), self._scratches[0]
        scratch.make_room(goal.tolerance_m)
        scratch.counts[:] = NO_COUNTS
        QUESTION.pack_into(
            self._question_bytes, 0, x, y, heading, frame, goal.x, goal.y, goal.tolerance_m, goal.heading_rad or 0.0,
            turn,
        )  # fmt: skip
        reach = self._reach_m
        with self._lock:
            lib.gb_world_prepare(self._world, x - reach, y - reach, x + reach, y + reach)
        if math.hypot(goal.x - x, goal.y - y) <= reach + goal.tolerance_m:  # else no path is looked at
            self.setting.traffic.lay_out(frame, frame + self.tree.last_frame)
        lib.gb_tree_look_up(self.tables.c, asked.c, scratch.core.c, self._question, self._answer)
        node, cost, outcome = ANSWER.unpack(self._answer_bytes)
        counts = Counts(*COUNTS.unpack(scratch.counts))
        return Answer(node, cost * COST_UNIT if node >= 0 else math.inf, OUTCOMES[outcome], counts)

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
        return self._ask(starts, at, rows, self._asked_as(first, last, after, stays, None), threads)

    def steps(self, node: int, start: Pose, *, frame: int = 0) -> tuple[Step, ...]:
        """Return the steps of the path to a node, begun at a pose and a frame."""
        if not 0 <= node < len(self.tree):
            raise InvalidInput(f"a tree of {len(self.tree):,} nodes has no node {node}")
        tree, first_clip = self.tree, self.setting.actions.behavior_clips
        cosine, sine = math.cos(start[2]), math.sin(start[2])
        steps: list[Step] = []
        for one in tree.path_to(node):
            parent = int(tree.parent[one])
            x, y, heading = (float(value) for value in tree.pose[parent])
            pose = (start[0] + cosine * x - sine * y, start[1] + sine * x + cosine * y, start[2] + heading)
            clip = int(self._fit.clip[tree.clip[one]])
            behavior = int(self.setting.actions.clip_behavior[clip])
            steps.append(Step(behavior, clip - int(first_clip[behavior]), pose, frame + int(tree.frame[parent])))
        return tuple(steps)

    @property
    def scratch(self) -> Scratch:
        """What the last single question learnt of each node."""
        return self._scratches[0]

    @property
    def tables(self) -> Struct:
        """All that look-ups read, as the core does, with what has joined the traffic since."""
        traffic = self.setting.traffic.struct
        if traffic is not self._tables.kept["traffic"]:
            self._tables.set("traffic", traffic)
        return self._tables

    def _asked_as(
        self,
        first: NDArray[np.bool_] | None,
        last: NDArray[np.bool_] | None,
        after: int | None,
        stays: bool,
        behavior: str | None,
    ) -> Struct:
        """Return what is asked beside places, laid out once.  behavior: what a goal asks for, by name or label."""
        key = None if first is None else bytes(first), None if last is None else bytes(last), after, stays, behavior
        known = self._asked.get(key)
        if known is None:
            if len(self._asked) >= MOST_ASKED:
                self._asked.clear()
            known = self._asked[key] = self._ask_for(first, last, after, stays, behavior)
        return known

    def _ask_for(
        self,
        first: NDArray[np.bool_] | None,
        last: NDArray[np.bool_] | None,
        after: int | None,
        stays: bool,
        behavior: str | None,
    ) -> Struct:
        count = len(self.character.behaviors)
        may_begin = np.ones(count, dtype=np.bool_) if first is None else np.array(first, dtype=np.bool_)
        may_end = np.ones(count, dtype=np.bool_) if last is None else np.array(last, dtype=np.bool_)
        if may_begin.shape != (count,) or may_end.shape != (count,):
            raise InvalidInput(f"what may come first and last must be said of each of {count} behaviors")
        if behavior is not None:
            names = [(one.name, one.label) for one in self.character.behaviors]
            may_end &= [behavior in both for both in names]
            if not any(behavior in both for both in names):
                raise UnknownName("behavior", behavior, tuple({name for both in names for name in both}))
        first_cost = np.zeros(count, dtype=np.int64)
        if after is not None:
            if not 0 <= after < count:
                raise InvalidInput(f"there is no behavior {after} that could be played before")
            costs = edge_costs(self.character)[after]
            may_begin &= costs >= 0
            first_cost = np.where(costs >= 0, costs - self.setting.moves.cost, 0)
        return asked_struct(self.tree, self._fit, may_begin, may_end, first_cost, stays=stays)

    def _ask(self, starts: np.ndarray, frames: np.ndarray, goals: np.ndarray, asked: Struct, threads: int) -> Answers:
        count, tables = len(starts), self.tables
        with self._lock:
            lib.gb_world_prepare_around(self._world, pointer(starts, "double"), count, self._reach_m)
        if count:
            self.setting.traffic.lay_out(int(frames.min()), int(frames.max()) + self.tree.last_frame)
        threads = max(1, min(threads, count))
        self._scratches += [Scratch(self.tree) for _ in range(threads - len(self._scratches))]
        nodes, costs, outcomes = (np.empty(count, np.int64) for _ in range(3))
        shares = [slice(*ends) for ends in pairwise(count * number // threads for number in range(threads + 1))]

        def answer(number: int) -> Counts:
            share, scratch = shares[number], self._scratches[number]
            scratch.make_room(float(goals[:, 2].max(initial=0.0)))
            scratch.counts[:] = NO_COUNTS
            lib.gb_tree_look_up_many(
                tables.c, asked.c, scratch.core.c, share.stop - share.start, pointer(starts[share], "double"),
                pointer(frames[share], "int64_t"), pointer(goals[share], "double"), pointer(nodes[share], "int64_t"),
                pointer(costs[share], "int64_t"), pointer(outcomes[share], "int64_t"),
            )  # fmt: skip
            return Counts(*COUNTS.unpack(scratch.counts))

        if threads == 1:
            counts = answer(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                counts = Counts(*map(sum, zip(*pool.map(answer, range(threads)), strict=True)))
        return Answers(nodes, np.where(nodes >= 0, costs * COST_UNIT, np.inf), outcomes, counts)


def _check_starts(starts: np.ndarray, frames: np.ndarray) -> None:
    if starts.ndim != 2 or starts.shape[1] != 3:
        raise InvalidInput(f"starts must be an array of x, y, heading, not of shape {starts.shape}")
    if not np.isfinite(starts).all():
        raise InvalidInput("starts must be finite")
    if frames.shape != (len(starts),) or (frames < 0).any() or (frames > LAST_FRAME).any():
        raise InvalidInput(f"frames must be {len(starts)} whole numbers from 0 to {LAST_FRAME:,}")


def _reach_m(tree: Struct) -> float:
    """Return how far from its root a tree has cells."""
    core = tree.c.grid
    ahead = max(-core.x0, core.x0 + core.columns * core.cell_m)
    return math.hypot(ahead, max(-core.y0, core.y0 + core.rows * core.cell_m))
