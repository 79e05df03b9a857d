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
from gambol.trees.question import Journey, Part, Question
from gambol.trees.roots import trees_for
from gambol.trees.tree import SearchTree, TreeBehavior
from gambol.world.world import Pose

#: >= 1: states expanded where another planner made the plan; larger: longer ways, slower after each move of the hand.
MOST_STATES = 60


@dataclass(frozen=True, eq=False)
class LookedUp:
    """The parts of a trip, one after another."""

    parts: tuple[Part, ...]
    in_vain: Question | None  # the last question, if it had no answer
    reason: str = ""  # why there are no parts

    @property
    def questions(self) -> tuple[Question, ...]:
        """Goals that trees were asked for, with an answer or without."""
        answered = tuple(part.question for part in self.parts if part.question is not None)
        return answered if self.in_vain is None else (*answered, self.in_vain)

    @property
    def roots(self) -> list[tuple[SearchTree, Pose]]:
        """The trees that were gone down, and from where."""
        roots = [(part.look_up.tree, part.start) for part in self.parts if part.look_up is not None]
        return roots if self.in_vain is None else [*roots, (self.in_vain.look_up.tree, self.in_vain.start)]


_KNOWN: WeakKeyDictionary[Plan, LookedUp] = WeakKeyDictionary()
_TREES: dict[tuple[str, tuple[TreeBehavior, ...]], tuple[SearchTree, ...]] = {}  # of the last character


def looked_up(problem: Problem, plan: Plan) -> LookedUp:
    """Return what a plan by look-up is made of or, if another planner made it, what a tree planner's would be."""
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
    return LookedUp(journey.parts, journey.in_vain, reason)


def _trees(character: Character) -> tuple[SearchTree, ...]:
    """Return the trees of a character; they are kept, since other preferences do not change them."""
    key = character.name, tree_behaviors(character)
    if key not in _TREES:
        _TREES.clear()
        _TREES[key] = trees_for(character)
    return _TREES[key]
