"""What every planner is."""

from __future__ import annotations

from typing import Protocol

from gambol.search.plan import Plan
from gambol.search.problem import Problem


class Planner(Protocol):
    """Turns problems into plans; a value that holds settings, no state."""

    def solve(self, problem: Problem) -> Plan: ...
