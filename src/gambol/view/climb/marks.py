"""Start and goal of the one who climbs: balls to be dragged, in the plane of the climb."""

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

BALL_M = 0.10
LIFTS_M = {"start": BALL_M, "goal": 0.0}  # a start is a place on the ground
BEFORE_M = -0.30  # of the plane: bodies do not hide what is there
SEEN = 0.16  # of the ball in which the goal is reached
NAME = "/climb/marks"
Dragged = Callable[[str, float, float, bool], None]  # "start" or "goal", x, z, and whether it was let go there


class Marks:
    """One ball each, and a pale one around the goal as large as it may be missed by."""

    def __init__(self, scene: viser.SceneApi, actor: ClimbActor, dragged: Dragged) -> None:
        self._nodes = {
            "goal": scene.add_icosphere(f"{NAME}/goal", BALL_M, GOAL_COLOR, subdivisions=2, cast_shadow=False),
            "start": scene.add_icosphere(f"{NAME}/start", BALL_M, START_COLOR, subdivisions=2, cast_shadow=False),
        }
        self._around = scene.add_icosphere(
            f"{NAME}/around",
            actor.tolerance_m,
            GOAL_COLOR,
            opacity=SEEN,
            cast_shadow=False,
            receive_shadow=False,
        )
        for name, node in self._nodes.items():
            make_draggable(
                node, lambda x, z, done, name=name: dragged(name, x, z - LIFTS_M[name], done), axis=UPRIGHT
            )  # fmt: skip
        self.put(actor)

    def put(self, actor: ClimbActor) -> None:
        """Put them where someone starts and is to arrive."""
        start, goal = actor.start, actor.goal
        self._nodes["goal"].position = (goal[0], BEFORE_M, goal[1] + LIFTS_M["goal"])
        self._around.position = (goal[0], 0.0, goal[1])
        self._nodes["start"].position = (start[0], BEFORE_M, start[1] + LIFTS_M["start"])

    def remove(self) -> None:
        for node in (*self._nodes.values(), self._around):
            node.remove()


def dragged(actor: ClimbActor, what: str, x: float, z: float) -> ClimbActor:
    """Return someone with the start or the goal dragged to a place."""
    place = round(x, GRAIN), round(z, GRAIN)
    return replace(actor, goal=place) if what == "goal" else replace(actor, start=place)


def written(text: str, data: Data, actor: Key, what: str, x: float, z: float) -> str:
    """Return a scene's text with the start or goal of an actor at a place."""
    key = (*actor, what)
    return put(text, (*key, "at") if isinstance(get(data, key), dict) else key, [round(x, GRAIN), round(z, GRAIN)])
