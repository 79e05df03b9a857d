"""Planners by name, for command lines and the like."""

from __future__ import annotations

from gambol.errors import InvalidInput, UnknownName
from gambol.plan.astar import Anytime, AStar

PLANNERS = ("weighted", "astar", "truncated", "anytime")
DEFAULT_WEIGHT = 1.5  # tens to thousands of times fewer expansions than A*, for plans about a tenth dearer
DEFAULT_KEEP = 5_000


def planner_named(
    name: str = "weighted",
    *,
    weight: float | None = None,
    keep: int | None = None,
    time_limit_s: float | None = None,
    trace: bool = False,
) -> AStar | Anytime:
    """Return a planner by its name; a setting that it does not have is an error.

    weighted: A* that counts the cost left `weight` times (1.5).
    astar: the cheapest plan that the table of visited states lets through.
    truncated: A* that keeps the best `keep` open nodes (5,000), of any weight (1).
    anytime: weights that fall from 3 to 1, until the budget ends.
    """
    if name not in PLANNERS:
        raise UnknownName("planner", name, PLANNERS)
    if weight is not None and name in ("astar", "anytime"):
        raise InvalidInput(f"a weight is for the planners 'weighted' and 'truncated', not for {name!r}")
    if keep is not None and name != "truncated":
        raise InvalidInput(f"the number of open nodes to keep is for the planner 'truncated', not for {name!r}")
    if keep is not None and keep < 1:
        raise InvalidInput(f"at least one open node must be kept, not {keep}")
    if time_limit_s is not None and not time_limit_s > 0.0:
        raise InvalidInput(f"a time limit must be positive, not {time_limit_s:g} s")
    if name == "anytime":
        return Anytime(trace=trace, time_limit_s=time_limit_s)
    if weight is None:
        weight = DEFAULT_WEIGHT if name == "weighted" else 1.0
    if name == "truncated" and keep is None:
        keep = DEFAULT_KEEP
    return AStar(weight=weight, keep=0 if keep is None else keep, trace=trace, time_limit_s=time_limit_s)
