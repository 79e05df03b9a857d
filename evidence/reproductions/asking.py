"""Ways to answer a query, all asked alike: forward searches and trees."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

import numpy as np

from evidence.reproductions.core_clock import core_clock
from evidence.reproductions.gridmaps import RasterizedLookUp
from gambol.characters import Character, Step
from gambol.search import COST_UNIT, Goal, Planner, Problem
from gambol.trees import Found, LookUp, Query, SearchTree, TreePlanner
from gambol.trees.queries import START

BUDGET = 1_000_000  # expansions of a forward search
FAR_M = 1e4  # where no tree leads
FEW = 5  # of the other goals, that trips are asked for before the clock runs
CALLS = 3  # of which the fastest counts
LEAST_S = 1e-7
T = TypeVar("T")
#: Why a tree has no answer.
TREE_CAUSES = {
    Found.NO_PATH: "no path of the tree is free",
    Found.OUT_OF_REACH: "no path of the tree ends there",
    Found.SHUT: "start and goal are apart",
    Found.HEMMED_IN: "no path of the tree can begin",
}


@dataclass(frozen=True)
class Answer:
    """What came of asking once."""

    found: bool
    cost: float = np.nan
    time_s: float = 0.0  # of answering alone: the world is compiled, memory touched
    checks: int = 0  # instants of clips looked up in the world
    cause: str = ""  # where nothing was found
    steps: tuple[Step, ...] = field(default=(), repr=False)


class Method(Protocol):
    """Something that answers queries; what it prepares for a world is not part of the time it takes."""

    @property
    def label(self) -> str: ...

    def ask(self, query: Query, others: np.ndarray) -> Answer:
        """Answer a query; others (Q, 2): goals to ask for before the clock runs."""
        ...


@dataclass(frozen=True, eq=False)
class Forward:
    """A planner that searches when asked."""

    label: str
    planner: Planner
    character: Character
    begins: str | None
    budget: int = BUDGET

    def ask(self, query: Query, others: np.ndarray) -> Answer:
        problem = Problem(
            query.world, self.character, START, query.goal, begins=self.begins, max_expansions=self.budget
        )
        plan = self.planner.solve(problem)
        done = plan.statistics
        if not plan.found:
            return Answer(False, np.nan, done.time_s, done.collision_samples, str(plan.outcome).replace("_", " "))
        return Answer(True, plan.cost, done.time_s, done.collision_samples, "", plan.steps)


@dataclass(frozen=True, eq=False)
class InTrips:
    """Whole trips over paths of trees, to a new goal in a known world: some of the others are asked for first.

    Times are processor times: of `solve()` from Python, or of the one call of the core in it.
    """

    label: str
    planner: TreePlanner
    character: Character
    begins: str | None
    in_core: bool = False

    def ask(self, query: Query, others: np.ndarray) -> Answer:
        problem = Problem(query.world, self.character, START, query.goal, begins=self.begins, max_expansions=BUDGET)
        for x, y in others[:FEW]:
            self.planner.solve(replace(problem, goal=replace(query.goal, x=float(x), y=float(y))))
        with core_clock() as clock:
            begun = time.process_time()
            plan = self.planner.solve(problem)
            seconds = time.process_time() - begun
        done, took_s = plan.statistics, max(LEAST_S, clock.seconds if self.in_core else seconds)
        if not plan.found:
            return Answer(False, np.nan, took_s, done.collision_samples, str(plan.outcome).replace("_", " "))
        return Answer(True, plan.cost, took_s, done.collision_samples, "", plan.steps)


@dataclass(frozen=True, eq=False)
class InTree:
    """A tree, asked once; no fallback, no improvement.

    A call from Python takes longer than many a look-up: what one takes for a goal far outside is taken off.
    """

    label: str
    tree: SearchTree
    character: Character

    def ask(self, query: Query, others: np.ndarray) -> Answer:
        look_up = LookUp(self.tree, self.character, query.world)
        if len(others):
            look_up.many(np.tile(START, (len(others), 1)), others, tolerance_m=query.goal.tolerance_m)
        far = Goal(FAR_M, FAR_M)
        call_s = min(_seconds(lambda: look_up.one(START, far))[0] for _ in range(CALLS))
        seconds, answer = _seconds(lambda: look_up.one(START, query.goal))
        seconds = max(seconds - call_s, LEAST_S)
        checks = answer.counts.collision_samples
        if not answer.found:
            return Answer(False, np.nan, seconds, checks, TREE_CAUSES[answer.outcome])
        return Answer(True, answer.cost, seconds, checks, "", look_up.steps(answer.node, START))


@dataclass(frozen=True, eq=False)
class InRasterizedTree:
    """A tree, asked as the papers do: obstacles rasterised for each query, two points a clip tested; not sound."""

    label: str
    tree: SearchTree
    character: Character
    radius_m: float
    cell_m: float

    def ask(self, query: Query, others: np.ndarray) -> Answer:
        look_up = RasterizedLookUp(self.tree, self.character, query.world, radius_m=self.radius_m, cell_m=self.cell_m)
        goal = (query.goal.x, query.goal.y)
        if len(others):
            look_up.many(np.tile(START, (len(others), 1)), others)
        seconds, node = _seconds(lambda: look_up.one(START, goal))
        checks = int(look_up.measured([START], [goal]).looked_up[0])
        if node < 0:
            return Answer(False, np.nan, seconds, checks, TREE_CAUSES[Found.NO_PATH])
        steps = LookUp(self.tree, self.character, query.world).steps(node, START)
        return Answer(True, float(self.tree.cost[node]) * COST_UNIT, seconds, checks, "", steps)


def _seconds(call: Callable[[], T]) -> tuple[float, T]:
    """Return how long a call took, and what it returned."""
    begun = time.perf_counter()
    returned = call()
    return time.perf_counter() - begun, returned
