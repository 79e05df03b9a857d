"""What every core of the climber has: one search, from a problem to a path over grasps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from gambol.climb.climb import ClimbPath
from gambol.climb.problem import ClimbProblem
from gambol.search.plan import Outcome


@dataclass(frozen=True, eq=False)
class FoundPath:
    """What a core came to: a path to the goal, or as near as it came, and why not further."""

    outcome: Outcome
    reason: str
    path: ClimbPath | None
    statistics: dict[str, Any] = field(default_factory=dict)


class Core(Protocol):
    """A way to search."""

    def search(self, problem: ClimbProblem) -> FoundPath: ...
