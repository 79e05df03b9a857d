"""One character: its whole way planned again while anything is dragged [LK06 5]."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import viser

from gambol.errors import GambolError
from gambol.motion.body import Body
from gambol.pictures.world_colors import character_color
from gambol.plan.choice import PLANNERS, planner_named
from gambol.plan.plan import Plan
from gambol.plan.problem import Problem
from gambol.synthesis.realize import realize
from gambol.view.bodies import Bodies
from gambol.view.drag import make_draggable
from gambol.view.tab import Tab
from gambol.view.viewer import Viewer
from gambol.world.world import World

POSES_EVERY_M = 1.5  # along the way
MOST_POSES = 60
GOAL = (230, 92, 60)
START = (60, 130, 210)
WAY_PX = 4.0
PAINT_M = 0.02  # lines are drawn this far above the ground


class PlanTab(Tab):
    """Goal, start and obstacles can be dragged; the way follows."""

    title = "Plan"
    order = 0

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        gui = viewer.gui
        self._who = gui.add_dropdown("Character", ("–",))
        self._planner = gui.add_dropdown("Planner", PLANNERS, initial_value="weighted")
        self._weight = gui.add_slider("Weight", 1.0, 5.0, 0.1, 1.5)
        self._numbers = gui.add_markdown("")
        self._problem: Problem | None = None
        self._bodies: Bodies | None = None
        self._things: list[viser.SceneNodeHandle] = []
        for control in (self._planner, self._weight):
            control.on_update(lambda _: viewer.desk.leave(self._plan, about="plan"))
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
        for thing in self._things:
            thing.remove()
        self._things = []
        if self._bodies is not None:
            self._bodies.remove()
        self._bodies = self._problem = None

    def _begin(self) -> None:
        """Take up the chosen character's problem."""
        self.hide()
        viewer = self.viewer
        assert viewer.document is not None
        self._problem = viewer.document.scene.problem(self._who.value)
        goal = viewer.scene.add_cylinder("/plan/goal", 0.45, 0.06, color=GOAL, position=(*self._goal_at(), 0.03))
        start = viewer.scene.add_cylinder(
            "/plan/start", 0.35, 0.05, color=START, position=(*self._problem.start[:2], 0.025)
        )
        make_draggable(goal, self._goal_dragged)
        make_draggable(start, self._start_dragged)
        self._things += [goal, start]
        for name, handle in viewer.stage.obstacles.items():
            make_draggable(handle, lambda x, y, done, name=name: self._obstacle_dragged(name, x, y, done))
        self._plan()

    def _goal_at(self) -> tuple[float, float]:
        assert self._problem is not None
        return self._problem.goal.x, self._problem.goal.y

    def _goal_dragged(self, x: float, y: float, done: bool) -> None:
        self._ask("goal", lambda problem: replace(problem, goal=replace(problem.goal, x=x, y=y)))

    def _start_dragged(self, x: float, y: float, done: bool) -> None:
        self._ask("start", lambda problem: replace(problem, start=(x, y, problem.start[2])))

    def _obstacle_dragged(self, name: str, x: float, y: float, done: bool) -> None:
        def moved(problem: Problem) -> Problem:
            obstacles = tuple(
                replace(one, pose=(x, y, one.pose[2])) if one.name == name else one for one in problem.world.obstacles
            )
            world = problem.world
            return replace(problem, world=World(world.bounds, obstacles, world.movers, world.terrain))

        self.viewer.stage.obstacles[name].position = (x, y, 0.0)
        self._ask(f"obstacle {name}", moved)

    def _ask(self, about: str, change) -> None:
        """Plan again with a change."""
        asked = time.perf_counter()

        def work() -> None:
            if self._problem is not None:
                self._problem = change(self._problem)
                self._things[0].position = (*self._goal_at(), 0.03)
                self._things[1].position = (*self._problem.start[:2], 0.025)
                self._plan(asked)

        self.viewer.desk.leave(work, about=about)

    def _plan(self, asked: float | None = None) -> None:
        """Plan, and show the way."""
        if self._problem is None:
            return
        name = self._planner.value
        weight = self._weight.value if name in ("weighted", "truncated") else None
        self._weight.disabled = weight is None
        try:
            plan = planner_named(name, weight=weight).solve(self._problem)
        except GambolError as error:
            self.viewer.tell(error)
            return
        self._show_way(plan)
        took = 1000.0 * (time.perf_counter() - asked) if asked is not None else None
        self._write_numbers(plan, took)

    def _show_way(self, plan: Plan) -> None:
        scene, problem = self.viewer.scene, self._problem
        assert problem is not None
        if not plan.steps:
            scene.remove_by_name("/plan/way")
            if self._bodies is not None:
                self._bodies.show(False)
            return
        motion = realize(problem.character, plan.steps, terrain=problem.world.terrain)
        root = motion.world_positions[:, 0].copy()
        ground = 0.0 if problem.world.terrain is None else problem.world.terrain.height(root[:, :2])
        root[:, 2] = ground + PAINT_M
        scene.add_line_segments(
            "/plan/way", np.stack((root[:-1], root[1:]), axis=1).astype(np.float32), GOAL, line_width=WAY_PX
        )
        gone = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(root[:, :2], axis=0), axis=1))))
        count = int(min(max(gone[-1] / POSES_EVERY_M, 2), MOST_POSES))
        frames = np.searchsorted(gone, np.linspace(0.0, gone[-1], count)).clip(0, len(root) - 1)
        if self._bodies is None or self._bodies.count != MOST_POSES:
            body = Body.from_skeleton(motion.skeleton)
            color = np.array([character_color(0)] * MOST_POSES)
            self._bodies = Bodies(scene, "/plan/poses", body, color)
        self._bodies.show(True)
        frames = np.concatenate((frames, np.full(MOST_POSES - count, frames[-1])))
        self._bodies.place(motion.world_positions[frames], motion.world_rotations[frames])

    def _write_numbers(self, plan: Plan, took_ms: float | None) -> None:
        lines = [f"**{plan.outcome}**" + (f": {plan.reason}" if plan.reason else "")]
        statistics = plan.statistics
        if plan.steps:
            bound = f"{plan.bound:.2f}" if np.isfinite(plan.bound) else "–"
            lines.append(f"{len(plan.steps)} behaviors, {plan.duration_s:.1f} s, cost {plan.cost:.2f}, bound {bound}")
        lines.append(f"{statistics.nodes:,} nodes, {1000.0 * statistics.time_s:.1f} ms of search")
        if took_ms is not None:
            lines.append(f"{took_ms:.0f} ms from hand to way")
        self._numbers.content = "  \n".join(lines)
