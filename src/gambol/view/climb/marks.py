"""Start and goal of a climber: balls to drag in the plane of the climb."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import viser

from gambol.files.toml_lines import Key
from gambol.scenes.climb_actor import ClimbActor
from gambol.view.drag import UPRIGHT, make_draggable
from gambol.view.edit.entries import Data
from gambol.view.edit.entry_changes import GRAIN
from gambol.view.edit.toml_edit import get, put
from gambol.view.plan.marks import GOAL_COLOR, START_COLOR

BALL_M = 0.10  # m, > 0: radius of a ball
LIFTS_M = {"start": BALL_M, "goal": 0.0}  # m: height of a ball's middle above its place; a start is on the ground
BEFORE_M = -0.30  # m, < 0: y of the balls, before the plane; nearer to 0: bodies hide them
SEEN = 0.16  # 0 to 1: opacity of the ball around the goal; larger: hides more
NAME = "/climb/marks"  # name of the node that holds all marks
Dragged = Callable[[str, float, float, bool], None]  # "start" or "goal", x, z, and whether the hand let go there


class Marks:
    """A ball for the start, a ball for the goal, and a pale one around the goal with its tolerance as radius."""

    def __init__(self, scene: viser.SceneApi, actor: ClimbActor, dragged: Dragged) -> None:
        self._nodes = {
            "goal": scene.add_icosphere(f"{NAME}/goal", BALL_M, GOAL_COLOR, subdivisions=2, cast_shadow=False),
            "start": scene.add_icosphere(f"{NAME}/start", BALL_M, START_COLOR, subdivisions=2, cast_shadow=False),
        }
        self._around = scene.add_icosphere(
            f"{NAME}/around", actor.tolerance_m, GOAL_COLOR, opacity=SEEN, cast_shadow=False, receive_shadow=False
        )
        for name, node in self._nodes.items():
            make_draggable(node, lambda x, z, done, name=name: dragged(name, x, z - LIFTS_M[name], done), axis=UPRIGHT)
        self.put(actor)

    def put(self, actor: ClimbActor) -> None:
        """Put them at an actor's start and goal."""
        start, goal = actor.start, actor.goal
        self._nodes["goal"].position = (goal[0], BEFORE_M, goal[1] + LIFTS_M["goal"])
        self._around.position = (goal[0], 0.0, goal[1])
        self._nodes["start"].position = (start[0], BEFORE_M, start[1] + LIFTS_M["start"])

    def remove(self) -> None:
        for node in (*self._nodes.values(), self._around):
            node.remove()


def dragged(actor: ClimbActor, what: str, x: float, z: float) -> ClimbActor:
    """Return an actor with its start or goal dragged to a place."""
    place = round(x, GRAIN), round(z, GRAIN)
    return replace(actor, goal=place) if what == "goal" else replace(actor, start=place)


def written(text: str, data: Data, actor: Key, what: str, x: float, z: float) -> str:
    """Return a scene's text with the start or goal of an actor at a place.  actor: its key."""
    key = (*actor, what)
    return put(text, (*key, "at") if isinstance(get(data, key), dict) else key, [round(x, GRAIN), round(z, GRAIN)])
