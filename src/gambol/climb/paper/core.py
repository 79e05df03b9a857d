"""The planner core of the paper [KP00 3.1]: who makes the next piece of the way, and when to go back."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import Source
from gambol.climb.core import Found
from gambol.climb.kernels.chance import chance_state, uniform
from gambol.climb.kernels.field import distance_at
from gambol.climb.kernels.potential import NO_WAY
from gambol.climb.paper.attempt import Attempt, Trail
from gambol.climb.paper.machine import EDGES, Edge, Machine
from gambol.climb.paper.start import starting_attempt
from gambol.climb.paper.surroundings import Surroundings
from gambol.climb.paper.tables import Tables
from gambol.climb.problem import ClimbGoal, ClimbProblem
from gambol.errors import InvalidInput
from gambol.plan.plan import Outcome

FloatArray = NDArray[np.float64]

WALKS = 5  # random walks from a local minimum before going back
LOWER_M = 0.03  # of a local minimum's potential, to be a new one


@dataclass
class Minimum:
    """A local minimum that random walks try to get out of."""

    rows: int
    potential: float
    walks: int = 0


@dataclass(frozen=True, eq=False)
class PaperCore:
    """Search as the paper does: the state machine is asked first, then descent, then a random walk.

    max_steps counts pieces of the way, of whatever source; by default as many as the problem allows stances.
    usage: how much each comfort heuristic counts in each mode (9, 4).
    """

    time_limit_s: float | None = None
    max_steps: int | None = None
    edges: tuple[Edge, ...] = EDGES
    usage: FloatArray | None = None

    def __post_init__(self) -> None:
        if self.max_steps is not None and self.max_steps < 1:
            raise InvalidInput(f"the paper's core needs one step or more, not {self.max_steps}")

    def search(self, problem: ClimbProblem) -> Found:
        tables = Tables.of(problem, self.usage)
        goal = problem.goal
        if distance_at(tables.field, goal.x, goal.z) < 0.0:
            return Found(Outcome.GOAL_BLOCKED, f"the goal ({goal.x:g}, {goal.z:g}) lies inside something solid", None)
        state = chance_state(problem.seed)
        begun = time.monotonic()
        start = starting_attempt(tables, problem.start, state)
        if isinstance(start, str):
            return Found(Outcome.START_BLOCKED, start, None)
        if tables.potential_of(start.q) >= NO_WAY:
            return Found(Outcome.UNREACHABLE, "no way through free space leads to the goal", None)
        search = _Search(tables, Machine(Surroundings.of(tables), self.edges), start)
        limits = [limit for limit in (self.time_limit_s, problem.time_limit_s) if limit is not None]
        deadline = begun + min(limits) if limits else math.inf
        for _ in range(problem.max_stances if self.max_steps is None else self.max_steps):
            if search.has_arrived(goal):
                return Found(Outcome.FOUND, "", search.trail.path(tables.facing), search.statistics())
            if time.monotonic() > deadline:
                break
            search.advance()
        nearest = Trail()
        nearest.rows = search.nearest_rows
        reason = (
            f"stuck {search.nearest:.2f} m from the goal after {search.steps} steps, {search.walks} random walks and "
            f"{search.backtracks} times going back"
        )
        return Found(Outcome.OUT_OF_BUDGET, reason, nearest.path(tables.facing), search.statistics())


class _Search:
    """One run of the loop."""

    def __init__(self, tables: Tables, machine: Machine, start: Attempt) -> None:
        self.tables, self.machine, self.state = tables, machine, start.state
        self.here = start
        self.trail = Trail()
        self.trail.add(start.q, start.mode, start.grasps, Source.COMFORT)
        self.minimum: Minimum | None = None
        self.steps = self.walks = self.backtracks = self.minima = 0
        self.made = dict.fromkeys(Source, 0)
        self.nearest = tables.potential_of(start.q)
        self.nearest_rows = list(self.trail.rows)

    def has_arrived(self, goal: ClimbGoal) -> bool:
        x, z = self.here.centre
        is_right = goal.mode is None or goal.mode == self.here.mode
        return is_right and math.hypot(x - goal.x, z - goal.z) <= goal.tolerance_m

    def advance(self) -> None:
        """Add one piece to the way, or go back."""
        self.steps += 1
        came_from = self._came_from()
        proposed = self.machine.propose(self.here, came_from, stuck=False)
        if proposed is None:
            trial = self.here.copy()
            proposed = trial if trial.descend() else self.machine.propose(self.here, came_from, stuck=True)
        if proposed is not None:
            self._keep(proposed)
        else:
            self._leave_minimum()

    def _leave_minimum(self) -> None:
        """Walk at random from a local minimum; from the same one several times; then from somewhere before it."""
        self.minima += 1
        potential = self.tables.potential_of(self.here.q)
        if self.minimum is None or potential < self.minimum.potential - LOWER_M:
            self.minimum = Minimum(len(self.trail), potential)
        else:
            self._return_to(self.minimum.rows)
            self.minimum.walks += 1
            if self.minimum.walks >= WALKS:
                self._go_back()
        walking = self.here.copy()
        if walking.walk_at_random():
            self._keep(walking)
        self.walks += 1

    def _go_back(self) -> None:
        """Return to a configuration by chance: one of a random walk, or any if there was none [KP00 3.3]."""
        random = [index for index, row in enumerate(self.trail.rows) if row[3] == Source.RANDOM_WALK]
        domain = random or list(range(len(self.trail)))
        self._return_to(domain[int(len(domain) * uniform(self.state))] + 1)
        self.minimum = None
        self.backtracks += 1

    def _return_to(self, rows: int) -> None:
        del self.trail.rows[rows:]
        q, mode, grasps, _ = self.trail.rows[-1]
        self.here = Attempt(self.tables, self.state, q, mode, grasps)

    def _keep(self, attempt: Attempt) -> None:
        for row in attempt.trail.rows:
            self.made[Source(row[3])] += 1
        self.trail.rows.extend(attempt.trail.rows)
        self.here = attempt.copy()
        potential = self.tables.potential_of(self.here.q)
        if potential < self.nearest - 0.1:
            self.nearest, self.nearest_rows = potential, list(self.trail.rows)

    def _came_from(self) -> tuple[int, float] | None:
        """Return the mode before this one and the potential at which this one was entered."""
        mode = self.here.mode
        for q, other, _, _ in reversed(self.trail.rows):
            if other != mode:
                return other, self.tables.potential_of(q)
        return None

    def statistics(self) -> dict[str, Any]:
        return {
            "steps": self.steps,
            "rows": {source.name.lower(): int(count) for source, count in self.made.items()},
            "rows_kept": {source.name.lower(): self.trail.count(source) for source in Source},
            "regrasps": {name: count for name, count in self.machine.taken.items() if count > 0},
            "local_minima": self.minima,
            "random_walks": self.walks,
            "backtracks": self.backtracks,
            "nearest_m": float(np.round(self.nearest, 3)),
        }
