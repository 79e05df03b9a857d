"""Several planners, one for each: who has the same way to go as a neighbour need not go it in the same steps."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.errors import InvalidInput
from gambol.search.plan import Plan
from gambol.search.planner import Planner
from gambol.search.problem import Problem


@dataclass(frozen=True)
class SharedOut:
    """Hands each problem to one of several planners, by its seed.

    A search tree draws a clip for each of its nodes, so that all who look up the same path in it play the same clips.
    Trees of other seeds have drawn others.

    >>> SharedOut([TreePlanner(trees=[grow_diverse(character, seed=seed)]) for seed in range(4)])
    """

    planners: tuple[Planner, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "planners", tuple(self.planners))
        if not self.planners:
            raise InvalidInput("at least one planner is needed to share out")

    def solve(self, problem: Problem) -> Plan:
        return self.planners[problem.seed % len(self.planners)].solve(problem)
