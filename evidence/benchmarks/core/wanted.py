"""What is wanted of the core: a limit for a number that is measured, and whether it is kept."""

from __future__ import annotations

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
    "trips, 17%": at_least(7.0, "{:g} times as fast as old A*"),
    "batches": at_least(2_000, "{:,.0f} trips a second"),
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
