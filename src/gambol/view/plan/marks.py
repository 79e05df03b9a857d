"""Start, heading, way-points and goal of a character as discs to drag, and what dragging changes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import viser

from gambol.files.toml_lines import Key
from gambol.search.problem import Problem
from gambol.view.drag import make_draggable
from gambol.view.edit.entries import Data
from gambol.view.edit.entry_changes import GRAIN, move
from gambol.view.edit.toml_edit import put
from gambol.view.later import Edit

GOAL_COLOR = (222, 84, 52)  # RGB, 0 to 255
START_COLOR = (52, 120, 200)  # RGB, 0 to 255: the start, and the ball that turns it
POINT_COLOR = (226, 158, 60)  # RGB, 0 to 255: way-points
START_M = 0.35  # m, > 0: radius of the start's disc
LEAST_GOAL_M = 0.3  # m, > 0: radius of a goal's disc at least, though its tolerance is less
LIFT_M = 0.02  # m: height of a disc's middle above the ground
HEIGHT_M = 0.04  # m, > 0: height of a disc
NOSE_M = 0.9  # m, > 0: distance from the start to the ball that turns it; larger: turns finer
NOSE_RADIUS_M = 0.14  # m, > 0: radius of that ball

Dragged = Callable[[str, float, float, bool], None]  # "start", "nose", "goal" or "waypoint 0"; x, y; whether let go


class Marks:
    """One disc for each; the same discs stay while they are dragged."""

    def __init__(self, scene: viser.SceneApi, problem: Problem, dragged: Dragged) -> None:
        self._terrain = problem.world.terrain
        self._nodes: dict[str, viser.SceneNodeHandle] = {
            "goal": _disc(scene, "goal", max(problem.goal.tolerance_m, LEAST_GOAL_M), GOAL_COLOR),
            "start": _disc(scene, "start", START_M, START_COLOR),
            "nose": scene.add_icosphere("/plan/marks/nose", NOSE_RADIUS_M, START_COLOR, subdivisions=2),
        }
        for number, point in enumerate(problem.waypoints):
            name = f"waypoint {number}"
            self._nodes[name] = _disc(scene, name, max(point.tolerance_m, LEAST_GOAL_M), POINT_COLOR)
        for name, node in self._nodes.items():
            make_draggable(node, lambda x, y, done, name=name: dragged(name, x, y, done))
        self.put(problem)

    def put(self, problem: Problem) -> None:
        """Put all discs where a problem has them."""
        x, y, heading = problem.start
        places = {
            "goal": (problem.goal.x, problem.goal.y),
            "start": (x, y),
            "nose": (x + NOSE_M * math.cos(heading), y + NOSE_M * math.sin(heading)),
            **{f"waypoint {number}": (point.x, point.y) for number, point in enumerate(problem.waypoints)},
        }
        for name, place in places.items():
            ground = 0.0 if self._terrain is None else float(self._terrain.height(np.array(place)))
            self._nodes[name].position = (*place, ground + (NOSE_RADIUS_M if name == "nose" else LIFT_M))

    def remove(self) -> None:
        for node in self._nodes.values():
            node.remove()


def _disc(scene: viser.SceneApi, name: str, radius_m: float, color: tuple[int, int, int]) -> viser.CylinderHandle:
    return scene.add_cylinder(f"/plan/marks/{name}", radius_m, HEIGHT_M, color, cast_shadow=False)


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
    """Return the edit that writes a part of a problem into the text of its scene, at the key of its actor."""
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


def _heading_deg(problem: Problem, x: float, y: float) -> float:
    """Return the heading from the start to a place, in whole degrees."""
    return float(round(math.degrees(math.atan2(y - problem.start[1], x - problem.start[0]))))


def _with_heading(text: str, data: Data, actor: Key, heading: float) -> str:
    """Return a text that also states the heading; without one the character would face its first goal."""
    entry = data[str(actor[0])][actor[1]]
    return text if "heading_deg" in entry else put(text, (*actor, "heading_deg"), round(math.degrees(heading), GRAIN))
