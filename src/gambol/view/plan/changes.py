"""Changes of a problem by hand, and the same in the text of its scene."""

from __future__ import annotations

import math
from dataclasses import replace

from gambol.files.toml_lines import Key
from gambol.search.problem import Problem
from gambol.view.edit.entries import Data
from gambol.view.edit.entry_changes import GRAIN, move
from gambol.view.edit.toml_edit import put
from gambol.view.plan.later_edits import Edit
from gambol.world.obstacle import Obstacle
from gambol.world.world import World


def dragged(problem: Problem, what: str, x: float, y: float) -> Problem:
    """Return a problem with its start, heading ("nose"), goal or a way-point dragged to a place."""
    x, y = round(x, GRAIN), round(y, GRAIN)
    if what == "goal":
        return replace(problem, goal=replace(problem.goal, x=x, y=y))
    if what == "start":
        return replace(problem, start=(x, y, problem.start[2]))
    if what == "nose":
        return replace(problem, start=(*problem.start[:2], math.radians(_heading_deg(problem, x, y))))
    points = list(problem.waypoints)
    number = int(what.split()[-1])
    points[number] = replace(points[number], x=x, y=y)
    return replace(problem, waypoints=tuple(points))


def written(problem: Problem, what: str, actor: Key) -> Edit:
    """Return the edit of a scene's text that says of an actor what is so in a problem."""
    x, y, heading = problem.start
    if what == "nose":
        return lambda text, data: put(text, (*actor, "heading_deg"), round(math.degrees(heading), GRAIN))
    if what == "start":
        return lambda text, data: _with_heading(move(text, data, (*actor, "start"), x, y), data, actor, heading)
    goal, part = problem.goal, ("goal",)
    if what != "goal":
        number = int(what.split()[-1])
        goal, part = problem.waypoints[number], ("waypoints", number)
    return lambda text, data: _with_heading(move(text, data, (*actor, *part), goal.x, goal.y), data, actor, heading)


def with_obstacle(world: World, obstacle: Obstacle) -> World:
    """Return a world with an obstacle in place of the one of the same name."""
    things = tuple(obstacle if one.name == obstacle.name else one for one in world.obstacles)
    return World(world.bounds, things, world.movers, world.terrain)


def _heading_deg(problem: Problem, x: float, y: float) -> float:
    """Return which way one faces who looks at a place from the start, in whole degrees."""
    return float(round(math.degrees(math.atan2(y - problem.start[1], x - problem.start[0]))))


def _with_heading(text: str, data: Data, actor: Key, heading: float) -> str:
    """Return a text that also says the heading, which else would be to where one goes first."""
    entry = data[str(actor[0])][actor[1]]
    return text if "heading_deg" in entry else put(text, (*actor, "heading_deg"), round(math.degrees(heading), GRAIN))
