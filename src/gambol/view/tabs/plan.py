"""One character: its whole way planned again while anything is dragged [LK06 5]."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import viser

from gambol.character.behavior import DEFAULT_WEIGHTS
from gambol.character.character import Character
from gambol.geometry import quaternion
from gambol.plan.astar import Anytime, AStar
from gambol.plan.choice import DEFAULT_WEIGHT, PLANNERS, planner_named
from gambol.plan.plan import Outcome, Plan
from gambol.plan.planner import Planner
from gambol.plan.problem import Goal, Problem
from gambol.plan.tree.planner import TreePlanner
from gambol.synthesis.realize import realize
from gambol.view.drag import make_draggable
from gambol.view.plan.overlays import OVERLAYS
from gambol.view.plan.way import Way
from gambol.view.tab import Tab
from gambol.view.viewer import Viewer
from gambol.world.world import World

GOAL_COLOR, START_COLOR = (222, 84, 52), (52, 120, 200)
MARK_M = 0.04  # height of the discs that mark start and goal
NOSE_M = 0.9  # from the start's middle to the knob that turns it
TALK_M = 2.4  # height at which it is said why there is no way
Change = Callable[[Problem], Problem]


class PlanTab(Tab):
    """Goal, start, its heading and obstacles can be dragged; the way follows."""

    title = "Plan"
    order = 0

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        gui, again = viewer.gui, lambda _: viewer.desk.leave(self._plan, about="plan")
        self._who = gui.add_dropdown("Character", tuple[str, ...](["–"]))
        self._planner = gui.add_dropdown("Planner", PLANNERS, initial_value="weighted")
        self._weight = gui.add_slider("Weight", 1.0, 5.0, 0.1, DEFAULT_WEIGHT)
        self._numbers = gui.add_markdown("")
        with gui.add_folder("Preferences", expand_by_default=False):
            self._costs = {kind: gui.add_slider(kind, 0.2, 10.0, 0.1, cost) for kind, cost in DEFAULT_WEIGHTS.items()}
        with gui.add_folder("Overlays", expand_by_default=False):
            self._overlays = {name: gui.add_checkbox(name, False) for name in OVERLAYS}
            self._names = gui.add_checkbox("Behavior names", True)
        self._problem: Problem | None = None
        self._plain: Character | None = None  # before preferences
        self._way: Way | None = None
        self._marks: list[viser.SceneNodeHandle] = []
        for control in (self._planner, self._weight, self._names, *self._overlays.values()):
            control.on_update(again)
        for control in self._costs.values():
            control.on_update(lambda _: viewer.desk.leave(self._weigh, about="plan"))
        self._who.on_update(lambda _: viewer.desk.leave(self._begin, about="plan"))

    def accepts(self) -> bool:
        document = self.viewer.document
        return document is not None and document.scene.kind == "plan" and bool(document.scene.cast)

    def show(self) -> None:
        assert self.viewer.document is not None
        names = tuple(actor.name for actor in self.viewer.document.scene.cast)
        if self._who.options != names:
            self._who.options = names
        self._begin()

    def hide(self) -> None:
        for mark in self._marks:
            mark.remove()
        self._marks = []
        if self._way is not None:
            self._way.remove()
        self._clear_overlays()
        self._way = self._problem = None

    def _begin(self) -> None:
        """Take up the chosen character's problem."""
        self.hide()
        viewer = self.viewer
        assert viewer.document is not None
        self._problem = viewer.document.scene.problem(self._who.value)
        self._plain = self._problem.character
        self._way = Way(viewer.scene, "/plan/way")
        goal = viewer.scene.add_cylinder("/plan/goal", self._problem.goal.tolerance_m, MARK_M, color=GOAL_COLOR)
        start = viewer.scene.add_cylinder("/plan/start", 0.35, MARK_M, color=START_COLOR)
        nose = viewer.scene.add_icosphere("/plan/nose", 0.14, color=START_COLOR)
        self._marks = [goal, start, nose]
        make_draggable(goal, lambda x, y, _: self._ask("goal", lambda one: replace(one, goal=_moved(one, x, y))))
        make_draggable(start, lambda x, y, _: self._ask("start", lambda one: replace(one, start=(x, y, one.start[2]))))
        make_draggable(nose, lambda x, y, _: self._ask("nose", lambda one: replace(one, start=_turned(one, x, y))))
        for name, handle in viewer.stage.obstacles.items():
            make_draggable(handle, lambda x, y, _, name=name: self._drag_obstacle(name, x, y))
        self._put_marks()
        self._plan()

    def _put_marks(self) -> None:
        problem = self._problem
        assert problem is not None
        terrain, (x, y, heading) = problem.world.terrain, problem.start
        nose = (x + NOSE_M * math.cos(heading), y + NOSE_M * math.sin(heading))
        places = ((problem.goal.x, problem.goal.y), (x, y), nose)
        for mark, place in zip(self._marks, places, strict=True):
            ground = 0.0 if terrain is None else float(terrain.height(np.array(place)))
            mark.position = (*place, ground + 0.5 * MARK_M)
        self._marks[1].wxyz = quaternion.from_heading(heading)

    def _drag_obstacle(self, name: str, x: float, y: float) -> None:
        def moved(problem: Problem) -> Problem:
            world = problem.world
            things = [replace(one, pose=(x, y, one.pose[2])) if one.name == name else one for one in world.obstacles]
            return replace(problem, world=World(world.bounds, tuple(things), world.movers, world.terrain))

        self.viewer.stage.obstacles[name].position = (x, y, 0.0)
        self._ask(f"obstacle {name}", moved)

    def _weigh(self) -> None:
        """Let the character prefer what the sliders say."""
        if self._problem is not None and self._plain is not None:
            costs = {kind: slider.value for kind, slider in self._costs.items()}
            changed = {kind: cost for kind, cost in costs.items() if cost != DEFAULT_WEIGHTS[kind]}
            character = self._plain.with_weights(changed) if changed else self._plain
            self._problem = replace(self._problem, character=character)
            self._plan()

    def _ask(self, about: str, change: Change) -> None:
        """Plan again with a change."""
        asked = time.perf_counter()

        def work() -> None:
            if self._problem is not None:
                self._problem = change(self._problem)
                self._put_marks()
                self._plan(asked)

        self.viewer.desk.leave(work, about=about)

    def _plan(self, asked: float | None = None) -> None:
        """Plan, show the way at once, and bodies when nothing else is to be done."""
        problem = self._problem
        if problem is None or self._way is None:
            return
        plan = self._chosen(is_dragged=asked is not None).solve(problem)
        self._way.show(plan, problem.world.terrain, names=self._names.value)
        self.viewer.server.flush()
        took_ms = None if asked is None else 1000.0 * (time.perf_counter() - asked)
        self._write_numbers(plan, took_ms)
        self._say_why(plan)
        self._draw_overlays(plan)
        self.viewer.desk.leave(lambda: self._show_bodies(plan), about="bodies")

    def _chosen(self, *, is_dragged: bool) -> Planner:
        name = self._planner.value
        has_weight = name in ("weighted", "truncated")
        self._weight.disabled = not has_weight
        if name == "tree" and is_dragged:  # the first plan at once
            return TreePlanner(fallback=AStar(weight=DEFAULT_WEIGHT))
        wants_tree = self._overlays["Search tree"].value
        planner = planner_named(name, weight=self._weight.value if has_weight else None)
        return replace(planner, trace=wants_tree) if isinstance(planner, AStar | Anytime) else planner

    def _show_bodies(self, plan: Plan) -> None:
        if self._way is not None and self._problem is not None:
            terrain = self._problem.world.terrain
            self._way.show_bodies(realize(plan.character, plan.steps, terrain=terrain) if plan.steps else None)

    def _say_why(self, plan: Plan) -> None:
        """Write why there is no way where that is."""
        assert self._problem is not None
        self.viewer.scene.remove_by_name("/plan/why")
        if plan.found:
            return
        goal = self._problem.goal
        x, y = self._problem.start[:2] if plan.outcome is Outcome.START_BLOCKED else (goal.x, goal.y)
        self.viewer.scene.add_label("/plan/why", f"{plan.outcome}: {plan.reason}", position=(x, y, TALK_M))

    def _draw_overlays(self, plan: Plan) -> None:
        self._clear_overlays()
        assert self._problem is not None
        for name, box in self._overlays.items():
            if box.value:
                OVERLAYS[name](self.viewer.scene, f"/plan/overlays/{name}", self._problem, plan)

    def _clear_overlays(self) -> None:
        self.viewer.scene.remove_by_name("/plan/overlays")

    def _write_numbers(self, plan: Plan, took_ms: float | None) -> None:
        lines = [f"**{plan.outcome}**" + (f": {plan.reason}" if plan.reason else "")]
        statistics = plan.statistics
        if plan.steps:
            bound = f"{plan.bound:.2f}" if np.isfinite(plan.bound) else "–"
            lines.append(f"{len(plan.steps)} behaviors, {plan.duration_s:.1f} s, cost {plan.cost:.2f}, bound {bound}")
        searched = f"{statistics.look_ups:,} look-ups" if statistics.look_ups else f"{statistics.nodes:,} nodes"
        lines.append(f"{searched}, {1000.0 * statistics.time_s:.1f} ms of search")
        if took_ms is not None:
            lines.append(f"{took_ms:.0f} ms from hand to way")
        self._numbers.content = "  \n".join(lines)


def _moved(problem: Problem, x: float, y: float) -> Goal:
    return replace(problem.goal, x=x, y=y)


def _turned(problem: Problem, x: float, y: float) -> tuple[float, float, float]:
    """Return the start facing a point."""
    own_x, own_y, _ = problem.start
    return own_x, own_y, math.atan2(y - own_y, x - own_x)
