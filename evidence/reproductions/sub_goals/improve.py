"""Cheaper plans from more look-ups: ask again from the states along a plan, and keep what costs less."""

from __future__ import annotations

from evidence.reproductions.sub_goals.guide import Guide, Spent
from evidence.reproductions.sub_goals.trip import Traveller, Trip

#: Distances to sub-goals, by the usual one, and whether to look up after each step: cheap ones first.
ROUNDS = ((1.0, False), (0.75, False), (1.2, False), (1.0, True), (0.6, False), (0.75, True))


def improve(guide: Guide, trip: Trip, spent: Spent, *, sub_goal_m: float) -> Trip:
    """Return a trip that costs no more than another: from each of its states on, in their order, the rest anew.

    From a state farther on a tree is finer around it, and what was kept of a path to a sub-goal gives way to a
    path to a later one.  Where that brings nothing more, sub-goals are nearer or farther, and at last look-ups are
    made after each step that may follow a state.  All that ends when nothing brings anything, or when the look-ups
    are spent.
    """
    best, least = trip, guide.cost(trip.steps)
    tried: set[tuple[float, bool, tuple[int, ...]]] = set()
    improved = True
    while improved and not spent.is_over:
        improved = False
        for share, fan in ROUNDS:
            if share != 1.0 and len(best.joins) <= len(guide.legs):
                continue  # no sub-goals
            count = 0
            while count < len(best.steps) and not spent.is_over:
                candidate = best.up_to(count)
                if _is_to_be_tried(guide, candidate, share, fan, tried):
                    traveller = Traveller(
                        guide, spent, sub_goal_m=share * sub_goal_m, fan=fan, fan_first=fan, setbacks=0
                    )
                    arrives = traveller.go(candidate, fixed=count, ceiling=least)
                    cost = guide.cost(candidate.steps) if arrives else least
                    if cost < least:
                        best, least, improved = candidate, cost, True
                count += 1
    return best


def _is_to_be_tried(
    guide: Guide, prefix: Trip, share: float, fan: bool, tried: set[tuple[float, bool, tuple[int, ...]]]
) -> bool:
    """Tell whether a tree goes on from some steps, and that was not tried before."""
    key = share, fan, tuple(value for step in prefix.steps for value in (step.behavior, step.clip))
    if key in tried or (prefix.steps and not guide.goes_on[prefix.steps[-1].behavior]):
        return False
    tried.add(key)
    return True
