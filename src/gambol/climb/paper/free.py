"""Contact-free motion: a figure that holds nothing goes from one configuration to another [KP00 figures 3, 4 and 6]."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gambol.climb.climb import ClimbPath, Source
from gambol.climb.environment_table import distance_field
from gambol.climb.figure import COORDINATES, FREE, POINTS, Figure
from gambol.climb.kernels.chance import chance_state, uniform
from gambol.climb.kernels.field import DistanceField, clearance
from gambol.climb.kernels.free_steps import descend_freely, free_potential
from gambol.climb.kernels.kinematics import place, within_limits
from gambol.climb.kernels.potential import NO_WAY
from gambol.climb.kernels.steps import motion_is_clear, walk_at_random
from gambol.climb.modes import Mode
from gambol.climb.paper.tables import MARGIN_M, step_widths
from gambol.climb.potential import ControlPotential
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray, Int32Array, frozen_array
from gambol.search.plan import Outcome
from gambol.world.environment import Environment

#: The points whose ways to their places at the goal make the potential.
CONTROL_POINTS = ("pelvis", "head", "left_hand", "right_hand", "left_ankle", "right_ankle")
SAMPLES = 30
LEAST_DECREASE_M = 0.01
DESCENT_ROWS = 50  # between two looks whether the goal is straight ahead
WALK_ROWS = 150
WALK_TRIES = 20
WALKS = 5  # random walks from a local minimum before going back
STRAIGHT_M = 0.35  # of way left for each control point: from there a straight motion to the goal is tried
STRAIGHT_ROW = 0.04  # metres or radians from row to row


@dataclass(frozen=True, eq=False)
class FreeProblem:
    """From where to where, as whom, through what; grasp points count for nothing."""

    environment: Environment
    start: FloatArray  # (12,) a configuration
    goal: FloatArray  # (12,)
    figure: Figure = field(default_factory=Figure)
    facing: int = 1
    control_points: tuple[str, ...] = CONTROL_POINTS
    seed: int = 0
    max_pieces: int = 2000  # descents and random walks

    def __post_init__(self) -> None:
        for name in ("start", "goal"):
            q = frozen_array(getattr(self, name))
            if q.shape != (len(COORDINATES),) or not np.all(np.isfinite(q)):
                raise InvalidInput(f"the {name} must be {len(COORDINATES)} finite numbers, not {q.shape}")
            if not within_limits(self.figure.table, q):
                raise InvalidInput(f"the {name} has joints beyond their limits")
            object.__setattr__(self, name, q)
        if self.facing not in (-1, 1):
            raise InvalidInput(f"a figure faces 1 or -1, not {self.facing}")
        if len(self.control_points) == 0:
            raise InvalidInput("a free figure needs a control point or more")
        for point in self.control_points:
            if point not in POINTS:
                raise UnknownName("control point", point, POINTS)

    @cached_property
    def chosen(self) -> Int32Array:
        return np.array([POINTS.index(point) for point in self.control_points], dtype=np.int32)


class Backtrack(NamedTuple):
    """A time of going back: configurations from where, and to where."""

    dead_end: FloatArray
    restart: FloatArray


@dataclass(frozen=True, eq=False)
class FreePath:
    """What became of it.  The path's mode says nothing, and it holds nothing."""

    outcome: Outcome
    reason: str
    path: ClimbPath | None  # as far as it came
    backtracks: tuple[Backtrack, ...] = ()
    statistics: dict[str, Any] = field(default_factory=dict)


def solve_free(problem: FreeProblem) -> FreePath:
    """Move a free figure by descent, random walks and backtracking; at last straight to its goal."""
    search = _FreeSearch(problem)
    for name in ("start", "goal"):
        if search.clear_of(getattr(problem, name)) < search.margin:
            outcome = Outcome.START_BLOCKED if name == "start" else Outcome.GOAL_BLOCKED
            return FreePath(outcome, f"the figure is in something at the {name}", None)
    if search.potential(problem.start) >= NO_WAY:
        return FreePath(Outcome.UNREACHABLE, "no way through free space leads to the goal", None)
    found = search.run()
    reason = "" if found else f"stuck after {problem.max_pieces} descents and random walks"
    return FreePath(
        outcome=Outcome.FOUND if found else Outcome.OUT_OF_BUDGET,
        reason=reason,
        path=search.path(),
        backtracks=tuple(search.backtracks),
        statistics=search.statistics(),
    )


class _FreeSearch:
    """One run."""

    def __init__(self, problem: FreeProblem) -> None:
        self.problem, self.margin = problem, MARGIN_M
        self.figure, self.facing = problem.figure.table, float(problem.facing)
        self.field: DistanceField = distance_field(problem.environment)
        self.chosen = problem.chosen
        self.control = ControlPotential.of(problem.environment, self._placed(problem.goal)[self.chosen]).table
        self.widths = step_widths(problem.figure)
        self.state = chance_state(problem.seed)
        self.rows: list[FloatArray] = [problem.start]
        self.sources: list[Source] = [Source.DESCENT]
        self.made = dict.fromkeys(Source, 0)
        self.backtracks: list[Backtrack] = []
        self.walks = 0
        self._nothing = np.full(4, FREE, dtype=np.int32)
        self._targets = np.zeros((4, 2))

    def _placed(self, q: FloatArray) -> FloatArray:
        points = np.empty((12, 2))
        place(self.figure, self.facing, q, points)
        return points

    def clear_of(self, q: FloatArray) -> float:
        return clearance(self.figure, self.field, self._placed(q), self.margin)

    def potential(self, q: FloatArray) -> float:
        points, places = np.empty((12, 2)), np.empty((len(self.chosen), 2))
        return free_potential(self.figure, self.control, self.chosen, self.facing, q, points, places)

    def run(self) -> bool:
        minimum, least, walks = 0, np.inf, 0
        for _ in range(self.problem.max_pieces):
            if self._ends():
                return True
            if self._descends():
                continue
            left = self.potential(self.rows[-1])
            if left < least - LEAST_DECREASE_M:
                minimum, least, walks = len(self.rows), left, 0
            else:
                self._return_to(minimum)
                walks += 1
                if walks >= WALKS:
                    self._goes_back()
                    minimum, least, walks = 0, np.inf, 0
            self._walks()
        return False

    def _ends(self) -> bool:
        """Go straight to the goal, if it is near and nothing is in the way."""
        here, goal = self.rows[-1], self.problem.goal
        if self.potential(here) > STRAIGHT_M * len(self.chosen):
            return False
        count = max(1, int(np.ceil(np.abs(goal - here).max() / STRAIGHT_ROW)))
        rows = np.linspace(here, goal, count + 1)
        for before, after in pairwise(rows):
            if not motion_is_clear(
                self.figure, self.field, self.facing, before, after, self._nothing, self._targets, self.margin
            ):
                return False
        self._add(rows[1:], Source.DESCENT)
        return True

    def _descends(self) -> bool:
        rows = np.empty((DESCENT_ROWS, 12))
        count = descend_freely(
            self.figure, self.field, self.control, self.chosen, self.facing, self.rows[-1], self._nothing,
            self._targets, self.widths, SAMPLES, self.margin, LEAST_DECREASE_M, self.state, rows,
        )  # fmt: skip
        self._add(rows[:count], Source.DESCENT)
        return count > 0

    def _walks(self) -> None:
        rows = np.empty((WALK_ROWS, 12))
        count = walk_at_random(
            self.figure, self.field, self.facing, self.rows[-1], self._nothing, self._targets, self.widths,
            WALK_TRIES, self.margin, self.state, rows,
        )  # fmt: skip
        self._add(rows[:count], Source.RANDOM_WALK)
        self.walks += 1

    def _goes_back(self) -> None:
        random = [index for index, source in enumerate(self.sources) if source == Source.RANDOM_WALK]
        domain = random or list(range(len(self.rows)))
        to = domain[int(len(domain) * uniform(self.state))]
        self.backtracks.append(Backtrack(frozen_array(self.rows[-1]), frozen_array(self.rows[to])))
        self._return_to(to + 1)

    def _return_to(self, rows: int) -> None:
        del self.rows[rows:], self.sources[rows:]

    def _add(self, rows: FloatArray, source: Source) -> None:
        self.rows.extend(row.copy() for row in rows)
        self.sources.extend([source] * len(rows))
        self.made[source] += len(rows)

    def path(self) -> ClimbPath:
        count = len(self.rows)
        return ClimbPath(
            np.array(self.rows), np.full(count, self.facing), np.full(count, int(Mode.WALK)),
            np.full((count, 4), FREE), np.array(self.sources),
        )  # fmt: skip

    def statistics(self) -> dict[str, Any]:
        return {
            "rows": {source.name.lower(): count for source, count in self.made.items() if count > 0},
            "random_walks": self.walks,
            "backtracks": len(self.backtracks),
        }
