"""What is wanted of the core: a limit for a number that is measured, and whether it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Wanted(NamedTuple):
    """A limit."""

    limit: float
    is_least: bool  # at least so much, or at most
    unit: str  # with a place for the number, such as "{:g} times"

    def says(self, measured: float | None) -> str:
        """Say what is wanted and whether a number keeps it; nothing measured does not."""
        limit = f"{'at least' if self.is_least else 'at most'} {self.unit.format(self.limit)}"
        if measured is None:
            return f"{limit}: not measured"
        is_met = measured >= self.limit if self.is_least else measured <= self.limit
        return f"{limit}: {'met' if is_met else 'not met'} ({self.unit.format(round(measured, 3))})"


def at_least(limit: float, unit: str = "{:g}") -> Wanted:
    return Wanted(limit, True, unit)


def at_most(limit: float, unit: str = "{:g}") -> Wanted:
    return Wanted(limit, False, unit)


#: By the names that parts use.  What is not here is measured and has no limit.
WANTED = {
    "trips, 6%": at_least(10.0, "{:g} times as fast as old A*"),
    "trips, 17%": at_least(7.0, "{:g} times as fast as old A*"),
    "trips in the core, 6%": at_most(0.7, "{:.2f} ms in the core, median"),
    "trips in the core, 17%": at_most(2.0, "{:.2f} ms in the core, median"),
    "trips from Python": at_most(0.1, "{:.2f} ms more from Python, median"),
    "success": at_least(0.99, "{:.3f} of what old A* finds"),
    "cost": at_most(1.12, "{:.3f} times the least cost known"),
    "batches": at_least(2_000, "{:,.0f} trips a second"),
    "new world": at_most(30.0, "{:.1f} ms, median"),
    "look-ups": at_least(1.5, "{:.2f} times as fast as old on average"),
    "one": at_most(5.0, "{:g} µs"),
    "answered, 17%": at_least(60.0, "{:.1f} % of what A* solves"),
    "answered, 25%": at_least(48.0, "{:.1f} % of what A* solves"),
    "A* alone, 17%": at_most(0.6, "{:.2f} of old's time"),
    "A*, new goal, 6%": at_most(0.25, "{:.2f} of old's time"),
    "A*, new goal, 17%": at_most(0.25, "{:.2f} of old's time"),
}


def wanted(name: str, measured: float | None) -> str:
    """Say what is wanted, and whether a number keeps it; nothing where nothing is wanted."""
    return WANTED[name].says(measured) if name in WANTED else ""


def all_wanted(measured: Mapping[str, float | None]) -> str:
    """Say what is wanted of some numbers by their names, and whether they keep it."""
    return "; ".join(filter(None, (wanted(name, value) for name, value in measured.items())))
