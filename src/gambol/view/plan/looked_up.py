"""What a tree planner looks up for a problem, even if another planner made the plan that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from gambol.characters.character import Character
from gambol.errors import GambolError
from gambol.search.plan import Plan
from gambol.search.problem import Problem
from gambol.trees.fit import tree_behaviors
from gambol.trees.planner import TreePlanner
from gambol.trees.question import Journey, Question
from gambol.trees.roots import trees_for
from gambol.trees.tree import SearchTree, TreeBehavior

#: >= 1: look-ups to compare with another planner's plan; larger: longer ways, slower after each move of the hand.
MOST_STATES = 60  # expanded to show what trees are asked


@dataclass(frozen=True, eq=False)
class LookedUp:
    """The questions on the way to the goal, one after another."""

    questions: tuple[Question, ...]
    in_vain: Question | None  # the last question, if it had no answer
    reason: str = ""  # why there are no questions


_KNOWN: WeakKeyDictionary[Plan, LookedUp] = WeakKeyDictionary()
_TREES: dict[tuple[str, tuple[TreeBehavior, ...]], tuple[SearchTree, ...]] = {}  # of the last character


def looked_up(problem: Problem, plan: Plan) -> LookedUp:
    """Return the look-ups of a plan or, if another planner made it, those that a tree planner would make."""
    if plan not in _KNOWN:
        _KNOWN[plan] = _of(plan.journey, "") if plan.journey is not None else _asked(problem)
    return _KNOWN[plan]


def _asked(problem: Problem) -> LookedUp:
    try:
        planner = TreePlanner(_trees(problem.character), most_expansions=MOST_STATES, trace=True)
        plan = planner.solve(problem)
    except GambolError as error:
        return LookedUp((), None, f"{problem.character.name} has no search tree: {error}")
    return LookedUp((), None, plan.reason) if plan.journey is None else _of(plan.journey, plan.reason)


def _of(journey: Journey, reason: str) -> LookedUp:
    ways = [look.way for look in journey.looks if look.way is not None]
    return LookedUp(tuple(way.question for way in ways if way.question is not None), journey.in_vain, reason)


def _trees(character: Character) -> tuple[SearchTree, ...]:
    """Return the trees of a character; they are kept, since other preferences do not change them."""
    key = character.name, tree_behaviors(character)
    if key not in _TREES:
        _TREES.clear()
        _TREES[key] = trees_for(character)
    return _TREES[key]
