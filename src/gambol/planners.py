"""Planners by name, and the default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gambol.errors import InvalidInput, UnknownName
from gambol.search.astar import Anytime, AStar
from gambol.search.plan import Plan
from gambol.search.planner import Planner
from gambol.search.problem import Problem

if TYPE_CHECKING:
    from gambol.trees.planner import TreePlanner
    from gambol.trees.tree import SearchTree

PLANNERS = ("improved", "weighted", "astar", "truncated", "anytime", "tree")
DEFAULT_WEIGHT = 1.5
IMPROVE = 60_000  # expansions: some tenths of a second
DEFAULT_KEEP = 5_000
LEAST_STATES = 20  # the same for each
IMPROVE_STATES = 100  # of all characters that plan together: some milliseconds


def solve(problem: Problem, planner: Planner | None = None) -> Plan:
    """Plan for one character, as `gambol plan` does by default: weighted A*, then improved for some tenths of a second.

    >>> from gambol import Goal, Problem, World, load_character, solve
    >>> solve(Problem(World((0, 0, 20, 10)), load_character("human"), (1, 5, 0), Goal(18, 5))).outcome.value
    'found'
    """
    return (planner or planner_named(default_planner(1))).solve(problem)


def default_planner(characters: int) -> str:
    """Return the planner for so many characters: for several a first plan each is enough to wait for."""
    return "improved" if characters == 1 else "weighted"


def planner_named(
    name: str,
    *,
    weight: float | None = None,
    keep: int | None = None,
    time_limit_s: float | None = None,
    trees: Sequence[SearchTree] | None = None,
    fallback: bool | None = None,
    characters: int = 1,
    trace: bool = False,
) -> AStar | Anytime | TreePlanner:
    """Return a planner by its name; a setting that it does not have is an error.

    improved: weighted A*, then 60,000 expansions more for a cheaper plan.
    weighted: A* that counts the cost left `weight` times (1.5).
    astar: the cheapest plan that the table of visited states lets through.
    truncated: A* that keeps the best `keep` open nodes (5,000), of any weight (1).
    anytime: weights that fall from 3 to 1, until the budget ends.
    tree: paths of `trees`, by default grown once for each character and kept, joined by a search over 100 states or
        more; where they have no answer weighted A* plans, unless `fallback` is false.  Draws no search tree.
    """
    if name not in PLANNERS:
        raise UnknownName("planner", name, PLANNERS)
    if weight is not None and name not in ("weighted", "truncated"):
        raise InvalidInput(f"a weight is for the planners 'weighted' and 'truncated', not for {name!r}")
    if keep is not None and name != "truncated":
        raise InvalidInput(f"the number of open nodes to keep is for the planner 'truncated', not for {name!r}")
    if keep is not None and keep < 1:
        raise InvalidInput(f"at least one open node must be kept, not {keep}")
    if name != "tree" and (trees is not None or fallback is not None):
        raise InvalidInput(f"search trees and a fallback are for the planner 'tree', not for {name!r}")
    if name == "tree" and time_limit_s is not None:
        raise InvalidInput("the planner 'tree' counts states, and has no time limit")
    if time_limit_s is not None and not time_limit_s > 0.0:
        raise InvalidInput(f"a time limit must be positive, not {time_limit_s:g} s")
    if name == "tree":
        from gambol.trees.planner import TreePlanner  # slow to load

        search = None if fallback is False else AStar(weight=DEFAULT_WEIGHT)
        return TreePlanner(trees, fallback=search, improve=max(IMPROVE_STATES // max(characters, 1), LEAST_STATES))
    if name == "improved":
        weights = (DEFAULT_WEIGHT, 1.2, 1.0)
        return Anytime(weights, improve=IMPROVE, trace=trace, time_limit_s=time_limit_s)
    if name == "anytime":
        return Anytime(trace=trace, time_limit_s=time_limit_s)
    if weight is None:
        weight = DEFAULT_WEIGHT if name == "weighted" else 1.0
    if name == "truncated" and keep is None:
        keep = DEFAULT_KEEP
    return AStar(weight=weight, keep=0 if keep is None else keep, trace=trace, time_limit_s=time_limit_s)
