"""What a trip is made of: paths of trees and single steps, and the questions that some of them answer."""

from __future__ import annotations

from gambol.search.problem import Problem
from gambol.trees.question import Journey, Part, Question
from gambol.trees.trip_workspace import FOUND, Edge, State, Tripped, may_end
from gambol.trees.trips import Trips


def journey_of(problem: Problem, trips: Trips, tripped: Tripped) -> Journey:
    """Return the parts of a trip; where it led nowhere, also the question that would have ended it."""
    parts: list[Part] = []
    begins = 0
    for edge in tripped.edges:
        steps = tripped.steps[begins : begins + edge.steps]
        look_up = trips.look_ups[edge.tree] if edge.tree >= 0 else None
        parts.append(Part(begins, steps, edge.start.pose, edge.end.pose, look_up, _answered(problem, trips, edge)))
        begins += edge.steps
    in_vain = None if tripped.outcome == FOUND else _in_vain(problem, trips, tripped.end)
    return Journey(tuple(parts), in_vain)


def _answered(problem: Problem, trips: Trips, edge: Edge) -> Question | None:
    return _question(problem, trips, edge.tree, edge.start, edge.goal) if edge.goal >= 0 else None


def _in_vain(problem: Problem, trips: Trips, end: State) -> Question | None:
    """Return what the first tree that goes on from a state is asked for the last goal."""
    usable = (trips.allowed_after(problem, end.behavior) & trips.transitions.roots).any(axis=1)
    return _question(problem, trips, int(usable.argmax()), end, len(problem.waypoints)) if usable.any() else None


def _question(problem: Problem, trips: Trips, tree: int, start: State, number: int) -> Question:
    """Return what a tree is asked from a state for a goal."""
    goals = (*problem.waypoints, problem.goal)
    allowed = trips.allowed_after(problem, start.behavior)
    last = may_end(problem.character, goals, trips.transitions.goes_on)
    after = start.behavior if start.behavior >= 0 else None
    return Question(
        trips.look_ups[tree], start.pose, start.frame, goals[number], allowed, last[number], after,
        stays=number == len(problem.waypoints),
    )  # fmt: skip
