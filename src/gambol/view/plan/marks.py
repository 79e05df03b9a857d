"""Start, heading, way-points and goal of the character that plans: discs to be dragged."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import viser

from gambol.search.problem import Problem
from gambol.view.drag import make_draggable

GOAL_COLOR, START_COLOR, POINT_COLOR = (222, 84, 52), (52, 120, 200), (226, 158, 60)
START_M, LEAST_GOAL_M = 0.35, 0.3  # radii of discs
LIFT_M = 0.02  # from the ground to the middle of a disc
HEIGHT_M = 0.04
NOSE_M, NOSE_RADIUS_M = 0.9, 0.14  # from the start's middle to the ball that turns it, and its size

Dragged = Callable[[str, float, float, bool], None]  # "start", "nose", "goal" or "waypoint 0", where, and if let go


class Marks:
    """One disc each; they stay the same while they are dragged."""

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
        """Put all where they are in a problem."""
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
