"""The loop of the paper [KP00 3.1 to 3.3]: who makes the next piece of the way, and when to go back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.climb.climb import ClimbPath, Source
from gambol.climb.kernels.chance import uniform
from gambol.climb.kernels.potential import NO_WAY
from gambol.climb.paper.attempt import Attempt, Trail
from gambol.climb.paper.machine import Machine
from gambol.climb.paper.tables import Tables
from gambol.climb.problem import ClimbGoal
from gambol.kernels import jit

WALKS = 5  # random walks from a local minimum before going back
LOWER_M = 0.03  # of a local minimum's potential, to be a new one


@dataclass
class Minimum:
    """A local minimum that random walks try to get out of."""

    rows: int
    potential: float
    walks: int = 0


class PaperSearch:
    """One run of the loop, from a figure in some state."""

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

    @property
    def has_way(self) -> bool:
        """Whether free space leads from here to the goal."""
        return self.tables.potential_of(self.here.q) < NO_WAY

    def run(self, goal: ClimbGoal, most_steps: int, deadline: float | None) -> bool:
        """Go on until the goal; False once steps or time (of `jit.seconds`) are used up."""
        while not self.has_arrived(goal):
            if self.steps >= most_steps or (deadline is not None and jit.seconds() > deadline):
                return False
            self.advance()
        return True

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

    def path(self) -> ClimbPath:
        return self.trail.path(self.tables.facing)

    def nearest_path(self) -> ClimbPath:
        """Return the way to where it came nearest to the goal."""
        trail = Trail()
        trail.rows = self.nearest_rows
        return trail.path(self.tables.facing)

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
