"""Cheaper plans from more look-ups: ask again from the states along a plan, and keep what costs less."""

from __future__ import annotations

from gambol.plan.tree.guide import Guide, Spent
from gambol.plan.tree.trip import Traveller, Trip


def improve(guide: Guide, trip: Trip, spent: Spent, *, sub_goal_m: float) -> Trip:
    """Return a trip that costs no more than another: from each of its states on, in their order, the rest anew.

    From a state farther on a tree is finer around it, and what was kept of a path to a sub-goal gives way to a
    path to a later one.  Where that brings nothing more, look-ups are made after each step that may follow a state.
    Rounds end when one brings nothing, or when the look-ups are spent.
    """
    best, least = trip, guide.cost(trip.steps)
    tried: set[tuple[bool, tuple[int, ...]]] = set()
    fan = False
    while not spent.is_over:
        improved = False
        count = 0
        while count < len(best.steps) and not spent.is_over:
            candidate = best.up_to(count)
            if _may_pay(guide, candidate, least, fan, tried):
                traveller = Traveller(guide, spent, sub_goal_m=sub_goal_m, fan=fan, fan_first=fan, setbacks=0)
                cost = guide.cost(candidate.steps) if traveller.go(candidate, fixed=count) else least
                if cost < least:
                    best, least, improved = candidate, cost, True
            count += 1
        if not improved and fan:
            break
        fan = not improved
    return best


def _may_pay(guide: Guide, prefix: Trip, least: int, fan: bool, tried: set[tuple[bool, tuple[int, ...]]]) -> bool:
    """Tell whether going on from some steps was not tried before and may be cheaper than the least cost known."""
    key = fan, tuple(value for step in prefix.steps for value in (step.behavior, step.clip))
    if key in tried or (prefix.steps and not guide.goes_on[prefix.steps[-1].behavior]):
        return False
    tried.add(key)
    state = guide.state_after(prefix.steps)
    return guide.cost(prefix.steps) + guide.least_cost(state, len(prefix.ends)) < least
