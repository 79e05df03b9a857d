"""The planner core of the paper [KP00 3.1]."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.climb.core import FoundPath
from gambol.climb.kernels.chance import chance_state
from gambol.climb.kernels.field import distance_at
from gambol.climb.paper.machine import EDGES, Edge, Machine
from gambol.climb.paper.search import PaperSearch
from gambol.climb.paper.start import starting_attempt
from gambol.climb.paper.surroundings import Surroundings
from gambol.climb.paper.tables import Tables
from gambol.climb.problem import ClimbProblem
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.kernels import jit
from gambol.search.plan import Outcome


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

    def search(self, problem: ClimbProblem) -> FoundPath:
        tables = Tables.of(problem, self.usage)
        goal = problem.goal
        if distance_at(tables.field, goal.x, goal.z) < 0.0:
            return FoundPath(
                Outcome.GOAL_BLOCKED, f"the goal ({goal.x:g}, {goal.z:g}) lies inside something solid", None
            )
        state = chance_state(problem.seed)
        began = jit.seconds()
        start = starting_attempt(tables, problem.start, state)
        if isinstance(start, str):
            return FoundPath(Outcome.START_BLOCKED, start, None)
        search = PaperSearch(tables, Machine(Surroundings.of(tables), self.edges), start)
        if not search.has_way:
            return FoundPath(Outcome.UNREACHABLE, "no way through free space leads to the goal", None)
        limits = [limit for limit in (self.time_limit_s, problem.time_limit_s) if limit is not None]
        most_steps = problem.max_stances if self.max_steps is None else self.max_steps
        if search.run(goal, most_steps, began + min(limits) if limits else None):
            return FoundPath(Outcome.FOUND, "", search.path(), search.statistics())
        reason = (
            f"stuck {search.nearest:.2f} m from the goal after {search.steps} steps, {search.walks} random walks and "
            f"{search.backtracks} times going back"
        )
        return FoundPath(Outcome.OUT_OF_BUDGET, reason, search.nearest_path(), search.statistics())
