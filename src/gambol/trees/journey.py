"""What a trip was looked up by: the questions that its parts answer."""

from __future__ import annotations

from gambol.geometry.arrays import BoolArray
from gambol.search.moves import COST_UNIT, may_be_last
from gambol.search.problem import Goal, Problem
from gambol.trees.question import Journey, Look, Question, Way
from gambol.trees.trip_workspace import FOUND, State, Tripped
from gambol.trees.trips import Trips

END_M = 0.3  # metres, > 0: tolerance of the place that a path led to, where that was not a goal


def journey_of(problem: Problem, trips: Trips, tripped: Tripped) -> Journey:
    """Return the questions behind a trip; where it led nowhere, also the one that would have ended it."""
    looks: list[Look] = []
    begins, found = 0, tripped.outcome == FOUND
    last = may_be_last(problem.character, problem.goal.behavior)
    for number, edge in enumerate(tripped.edges):
        question = None
        if edge.tree >= 0 and found and number == len(tripped.edges) - 1:
            question = _question(problem, trips, edge.tree, edge.start, problem.goal, last, stays=True)
        elif edge.tree >= 0:
            x, y, _ = edge.end.pose
            goal, goes_on = Goal(x, y, END_M), trips.transitions.goes_on
            question = _question(problem, trips, edge.tree, edge.start, goal, goes_on, stays=False)
        looks.append(Look(begins, Way(edge.cost * COST_UNIT, tripped.steps[begins : begins + edge.steps], question)))
        begins += edge.steps
    in_vain: Question | None = None
    if not found:
        allowed = trips.allowed_after(problem, tripped.end.behavior)
        usable = (allowed & trips.transitions.roots).any(axis=1)
        if usable.any():
            tree = int(usable.argmax())
            in_vain = _question(problem, trips, tree, tripped.end, problem.goal, last, stays=True)
    return Journey(tuple(looks), in_vain)


def _question(
    problem: Problem, trips: Trips, tree: int, start: State, goal: Goal, last: BoolArray, *, stays: bool
) -> Question:
    """Return what a tree is asked from a state."""
    allowed = trips.allowed_after(problem, start.behavior)
    after = start.behavior if start.behavior >= 0 else None
    return Question(trips.look_ups[tree], start.pose, start.frame, goal, allowed, last, after, stays)
