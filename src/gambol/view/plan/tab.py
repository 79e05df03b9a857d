"""One character: its whole way is planned again while anything is dragged [LK06 5]."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import numpy as np
import viser

from gambol.animate.playing import play
from gambol.characters.character import DEFAULT_WEIGHTS, Character
from gambol.files.toml_lines import Key
from gambol.planners import DEFAULT_WEIGHT, PLANNERS, planner_named
from gambol.search.astar import Anytime, AStar
from gambol.search.edited import know_edited
from gambol.search.plan import Outcome, Plan
from gambol.search.planner import Planner
from gambol.search.problem import Problem
from gambol.trees.planner import TreePlanner
from gambol.view.drag import make_draggable
from gambol.view.edit import entries
from gambol.view.later import Later, LaterEdits
from gambol.view.plan.holding import Holding, with_obstacle
from gambol.view.plan.marks import Marks, dragged, written
from gambol.view.plan.overlays import LEGENDS, OVERLAYS
from gambol.view.plan.way import ShownPlan, Walker, clip_poses
from gambol.view.tab import Film, Tab
from gambol.view.viewer import Viewer
from gambol.view.words import paragraph
from gambol.world.world import Obstacle

TALK_M = 2.4  # m: height of the words that say why there is no way
QUICK_S = 0.5  # s, > 0: time limit of a search while something is dragged
USUAL_S = 5.0  # s, > 0: time limit of a search at rest, at first
LONGEST_S = 60.0  # s, > 0: time limit of a search at rest, at most
WALK_HZ = 30.0  # Hz, > 0: pictures a second of the character that walks
#: What the panel says while the text has mistakes.
LAST_VALID = "⚠ The scene has mistakes, which *Edit* shows. This is how it was before."


class PlanTab(Tab):
    """Goal, start, its heading and obstacles can be dragged; the way follows."""

    title = "Plan"
    order = 0

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        gui = viewer.gui
        self._note = gui.add_markdown(LAST_VALID, visible=False)
        self._who = gui.add_dropdown("Character", tuple[str, ...](["–"]))
        self._planner = gui.add_dropdown("Planner", PLANNERS, initial_value="weighted")
        self._weight = gui.add_slider("Weight", 1.0, 5.0, 0.1, DEFAULT_WEIGHT)
        self._limit = gui.add_slider(
            "Seconds at most",
            0.5,
            LONGEST_S,
            0.5,
            USUAL_S,
            hint=f"For a search at rest. While something is dragged it has {QUICK_S:g} s.",
        )
        self._numbers = gui.add_html("")
        self._walks = gui.add_checkbox("Walk", False, hint="The character goes along its way, again and again.")
        self._changes = gui.add_button_group("Changes", ("Undo", "Redo"))
        with gui.add_folder("Obstacle", visible=False) as held:
            pass
        with gui.add_folder("Preferences", expand_by_default=False):
            self._costs = {kind: gui.add_slider(kind, 0.2, 10.0, 0.1, cost) for kind, cost in DEFAULT_WEIGHTS.items()}
        with gui.add_folder("Overlays", expand_by_default=False):
            self._overlays = {name: gui.add_checkbox(name, False, hint=_plain(LEGENDS[name])) for name in OVERLAYS}
            self._legend = gui.add_markdown("", visible=False)
            self._names = gui.add_checkbox("Behavior names", True)
        self._problem: Problem | None = None
        self._plain: Character | None = None  # without preferences
        self._shown: Plan | None = None
        self._took_ms: float | None = None  # from the hand's last request until its way was shown
        self._way: ShownPlan | None = None
        self._marks: Marks | None = None
        self._walker = Walker(viewer.scene, "/plan/walker")
        self._keys: dict[str, Key] = {}  # obstacles that can be chosen, by their names
        self._draggable: dict[str, viser.MeshHandle] = {}  # nodes of obstacles that can be dragged already
        self._edits = LaterEdits(viewer)
        self._later = Later(viewer.desk, "plan")  # plans with the chosen planner, when no hand waits
        self._finishing = Later(viewer.desk, "finish")
        self._holding = Holding(viewer, held, self._edits, self._obstacle_changed)
        self._listen()

    def _listen(self) -> None:
        desk = self.viewer.desk
        for control in (self._planner, self._weight, self._limit, *self._overlays.values()):
            control.on_update(lambda _: desk.leave(self._plan, about="plan"))
        self._names.on_update(lambda _: desk.leave(self._plan, about="plan"))
        for control in self._costs.values():
            control.on_update(lambda _: desk.leave(self._weigh, about="plan"))
        self._who.on_update(lambda _: desk.leave(self._begin, about="plan"))
        self._walks.on_update(lambda _: desk.leave(self._walk_or_stand))
        steps = {"Undo": lambda: self.step(True), "Redo": lambda: self.step(False)}
        self._changes.on_click(lambda event: desk.leave(steps[event.target.value]))

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
        self._edits.write()
        self._later.cancel()
        self._finishing.cancel()
        self._holding.let_go()
        if self._marks is not None:
            self._marks.remove()
        if self._way is not None:
            self._way.remove()
        self.viewer.desk.keep_doing(None)
        self._walker.follow(None)
        self.viewer.scene.remove_by_name("/plan/why")
        self._clear_overlays()
        self._way = self._problem = self._marks = self._shown = self._took_ms = None

    def film(self) -> Film | None:
        """Return the way as it is walked."""
        motion = self._walker.motion
        if motion is None:
            return None
        return Film(motion.duration_s, self._walker.now_s, motion.skeleton.joint_count, self._show_at)

    def step(self, back: bool) -> None:
        self._edits.write()
        document = self.viewer.document
        if document is not None and (document.can_undo if back else document.can_redo):
            document.undo() if back else document.redo()
            self.viewer.changed()

    def _begin(self) -> None:
        """Begin with the problem of the chosen character."""
        self.hide()
        viewer, document = self.viewer, self.viewer.document
        if document is None or viewer.tab is not self:
            return
        self._note.visible = not document.is_valid
        self._problem = document.scene.problem(self._who.value)
        self._plain = self._problem.character
        self._way = ShownPlan(viewer.scene, "/plan/way")
        self._marks = Marks(viewer.scene, self._problem, self._drag)
        things = entries.things(document.data) if document.is_valid else []
        self._keys = {thing.name: thing.key for thing in things if thing.key[0] == "obstacles"}
        for name, handle in viewer.stage.obstacles.items():
            if name in self._keys and self._draggable.get(name) is not handle:
                handle.on_click(lambda _, name=name: viewer.desk.leave(lambda: self._take(name), about="take"))
                make_draggable(handle, lambda x, y, done, name=name: self._drag_obstacle(name, x, y, done))
        self._draggable = dict(viewer.stage.obstacles)
        self._weigh()
        self._walk_or_stand()

    def _drag(self, what: str, x: float, y: float, done: bool) -> None:
        """Take a drag of the start, heading, goal or a way-point."""
        asked = time.perf_counter()

        def work() -> None:
            if self._problem is not None and self._marks is not None:
                self._problem = dragged(self._problem, what, x, y)
                self._marks.put(self._problem)
                self._plan(asked)
                edit = written(self._problem, what, self._actor())
                self._edits.note(f"{what} of {self._who.value}", edit, held=not done)

        self.viewer.desk.leave(work, about=what)

    def _drag_obstacle(self, name: str, x: float, y: float, done: bool) -> None:
        asked = time.perf_counter()

        def work() -> None:
            if self._problem is not None:
                self._holding.move(self._keys[name], self._problem.world, x, y, asked, done=done)

        self.viewer.desk.leave(work, about=f"obstacle {name}")

    def _obstacle_changed(self, obstacle: Obstacle, asked: float) -> None:
        problem = self._problem
        if problem is None:
            return
        self.viewer.stage.change_obstacle(obstacle)
        world = with_obstacle(problem.world, obstacle)
        know_edited(problem.world, world, problem.character)
        self._problem = replace(problem, world=world)
        self._plan(asked)
        self.viewer.desk.leave(self._holding.redraw, about="holding")

    def _take(self, name: str) -> None:
        if self._problem is not None:
            self._holding.take(self._keys[name], self._problem.world)

    def _actor(self) -> Key:
        return "cast", list(self._who.options).index(self._who.value)

    def _weigh(self) -> None:
        """Give the character the preferences of the sliders, and plan."""
        if self._problem is not None and self._plain is not None:
            costs = {kind: slider.value for kind, slider in self._costs.items()}
            changed = {kind: cost for kind, cost in costs.items() if cost != DEFAULT_WEIGHTS[kind]}
            character = self._plain.with_weights(changed) if changed else self._plain
            self._problem = replace(self._problem, character=character)
            self._plan()

    def _plan(self, asked: float | None = None) -> None:
        """Plan and show the way at once; bodies and motion follow when nothing else waits.

        asked: when a hand asked for it; it gets a quick plan, and a better one follows when it rests.
        """
        problem = self._problem
        if problem is None or self._way is None:
            return
        self._weight.disabled = self._planner.value not in ("weighted", "truncated")
        planner = self._quick() if asked is not None else self._chosen()
        if isinstance(planner, Anytime) and asked is None:
            for plan in planner.improvements(problem):
                self._present(plan)
                if self.viewer.desk.is_asked:
                    break
        else:
            self._present(planner.solve(problem), asked)
        if asked is not None and planner != self._chosen():
            self._later.ask(self._plan)

    def _quick(self) -> Planner:
        """Return the planner while something is dragged."""
        if self._planner.value == "tree":
            return TreePlanner(fallback=AStar(weight=DEFAULT_WEIGHT, time_limit_s=QUICK_S), trace=self._is_traced)
        return replace(self._chosen(), time_limit_s=QUICK_S)

    def _chosen(self) -> AStar | Anytime | TreePlanner:
        name = self._planner.value
        weight = self._weight.value if name in ("weighted", "truncated") else None
        limit_s = None if name == "tree" else self._limit.value
        return replace(planner_named(name, weight=weight, time_limit_s=limit_s), trace=self._is_traced)

    @property
    def _is_traced(self) -> bool:
        return any(box.value for box in self._overlays.values())

    def _present(self, plan: Plan, asked: float | None = None) -> None:
        """Show a plan: its way at once, its finished motion when nothing else waits."""
        problem = self._problem
        assert problem is not None
        assert self._way is not None
        self._shown = plan
        self._way.show(plan, problem.world.terrain)
        self.viewer.server.flush()
        self._way.write_names(self._names.value)
        if asked is not None:
            self._took_ms = 1000.0 * (time.perf_counter() - asked)
        self._write_numbers(plan)
        self._say_why(plan, problem)
        self._draw_overlays(plan, problem)
        if not plan.steps:
            self._way.hide_bodies()
            self._walker.follow(None)
            return
        self._way.show_bodies(plan, *clip_poses(plan, self._way.body_frames(), problem.world.terrain))
        if asked is None:
            self.viewer.desk.leave(lambda: self._finish(plan), about="finish")
        else:
            self._finishing.ask(lambda: self._finish(plan))

    def _finish(self, plan: Plan) -> None:
        """Make the motion of a plan, and show it in place of the poses from its clips."""
        if self._way is None or self._problem is None or plan is not self._shown:
            return
        motion = play(plan.character, plan.steps, terrain=self._problem.world.terrain)
        frames = self._way.body_frames() * round(motion.rate_hz / plan.character.planning_rate_hz)
        frames = np.minimum(frames, motion.frame_count - 1)
        self._way.show_bodies(plan, motion.world_positions[frames], motion.world_rotations[frames])
        self._walker.follow(motion)

    def _walk_or_stand(self) -> None:
        walks = self._walks.value and self._problem is not None
        self.viewer.desk.keep_doing(self._walk if walks else None, rate_hz=WALK_HZ)
        if not walks:
            self._walker.remove()
            self.viewer.stage.at(0.0)

    def _walk(self) -> None:
        self._show_at(self._walker.now_s)

    def _show_at(self, time_s: float) -> None:
        """Show the world and the character at a time of the plan."""
        self._walker.show(time_s)
        self.viewer.stage.at(time_s)

    def _say_why(self, plan: Plan, problem: Problem) -> None:
        """Write why there is no way, at the place where it ends."""
        self.viewer.scene.remove_by_name("/plan/why")
        if plan.found:
            return
        x, y = (problem.goal.x, problem.goal.y)
        if plan.outcome is Outcome.START_BLOCKED:
            x, y = problem.start[:2]
        elif plan.steps and self._way is not None and self._way.end is not None:
            x, y = self._way.end
        ground = 0.0 if problem.world.terrain is None else float(problem.world.terrain.height(np.array([x, y])))
        words = re.split("[:;]", plan.reason or str(plan.outcome))[0]  # the rest is in the panel
        place = (x, y, ground + TALK_M)
        self.viewer.scene.add_label("/plan/why", f"⚠ {words}", position=place, anchor="bottom-center")

    def _draw_overlays(self, plan: Plan, problem: Problem) -> None:
        wanted = [name for name, box in self._overlays.items() if box.value]
        with self.viewer.server.atomic():  # browsers see all of it, or nothing
            self._clear_overlays()
            for name in wanted:
                OVERLAYS[name](self.viewer.scene, f"/plan/overlays/{name}", problem, plan)
        self._legend.content = "\n\n".join(f"*{name}*: {LEGENDS[name]}" for name in wanted)
        self._legend.visible = bool(wanted)

    def _clear_overlays(self) -> None:
        self.viewer.scene.remove_by_name("/plan/overlays")

    def _write_numbers(self, plan: Plan) -> None:
        lines = [plan.reason] if plan.reason else []
        statistics = plan.statistics
        if plan.steps:
            bound = f"{plan.bound:.2f}" if np.isfinite(plan.bound) else "–"
            lines.append(f"{len(plan.steps)} behaviors, {plan.duration_s:.1f} s, cost {plan.cost:.2f}, bound {bound}")
        searched = f"{statistics.look_ups:,} look-ups" if statistics.look_ups else f"{statistics.nodes:,} nodes"
        lines.append(f"{searched}, {1000.0 * statistics.time_s:.1f} ms of search")
        if self._took_ms is not None:
            lines.append(f"{self._took_ms:.0f} ms from hand to way")
        self._numbers.content = paragraph(*lines, title=str(plan.outcome))


def _plain(markdown: str) -> str:
    return markdown.replace("**", "")
