"""A crowd that runs while it is edited [LK06 5]."""

from __future__ import annotations

import math

import numpy as np
import viser

from gambol.view.crowd.bodies import CrowdBodies, Palette
from gambol.view.crowd.goal_hand import GoalHand
from gambol.view.crowd.mouse import CrowdMouse, Eye, eye_of
from gambol.view.crowd.numbers import chosen_html, counters_html, histogram_html
from gambol.view.crowd.overlays import CrowdOverlays
from gambol.view.crowd.panel import AGAIN, STEP, CrowdPanel
from gambol.view.crowd.run import CrowdRun
from gambol.view.crowd.shapes import CrowdShapes
from gambol.view.crowd.starts import Starts
from gambol.view.drag import make_draggable, on_ground
from gambol.view.tab import Film, Tab
from gambol.view.viewer import Viewer

RATE_HZ = 30.0  # Hz, > 0: ticks a second; larger: smoother, slower
DRAW_TICKS = 10  # ticks, >= 1: from one drawing of overlays to the next; larger: later
WRITE_TICKS = 15  # ticks, >= 1: from one writing of numbers to the next; larger: later
LOOK_TICKS = 15  # ticks, >= 1: from one look for touches, and for cameras that moved, to the next; larger: later
EYE_M = 1.0  # m: height of the point that a camera looks at when it follows a character
AHEAD_M = 4.0  # m, >= 0: the characters nearest to the point this far ahead of an eye are shown best
MOVED_M = 0.5  # m, > 0: an eye that has moved by less keeps its nearest characters
PREPARING = (
    '<div style="font-size:0.9em;padding:0.3em 0.9em">Preparing the crowd: compiling, which takes minutes the first '
    "time and a moment later on …</div>"
)


class CrowdTab(Tab):
    """The desk moves everything thirty times a second."""

    title = "Crowd"
    order = 0

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        leave = viewer.desk.leave
        self._panel = CrowdPanel(
            viewer.gui,
            time_asked=lambda what: leave(lambda: self._time_asked(what)),
            changed=lambda: leave(self._changed, about="crowd settings"),
            thrown=self._thrown,
            pushed=lambda ahead, turn: leave(lambda: self._push(ahead, turn), about=f"push {ahead} {turn}"),
            cart_taken=lambda: leave(self._take_cart),
        )
        self._run: CrowdRun | None = None
        self._ticks = 0
        self._is_stale = False  # all has to be placed again, though no time has passed
        self._ahead = np.zeros((0, 3))  # a point ahead of each camera
        self._is_compiled = False  # whether a crowd has run in this process

    def accepts(self) -> bool:
        document = self.viewer.document
        return document is not None and document.scene.kind == "crowd" and bool(document.scene.cast)

    def show(self) -> None:
        viewer = self.viewer
        assert viewer.document is not None
        scene = viewer.document.scene
        palette = Palette([actor.name for actor in scene.cast])
        if self._is_compiled:
            return self._begin(CrowdRun(scene), palette)
        self._panel.counters.content = PREPARING
        starts = Starts(viewer.scene, "/crowd/starts", scene.cast, palette)
        try:
            self._begin(CrowdRun(scene), palette)
        finally:
            starts.remove()

    def _begin(self, run: CrowdRun, palette: Palette) -> None:
        """Show a crowd and let it run; until its first numbers are written, the panel says that it is prepared."""
        viewer, self._run = self.viewer, run
        self._bodies = CrowdBodies(
            viewer.scene, "/crowd/bodies", run.bodies, lambda who: palette.color(who, run.crowd.names[who])
        )
        self._goal_hand = GoalHand(run)
        self._overlays = CrowdOverlays(viewer.scene, run, self._goal_dragged)
        self._shapes = CrowdShapes(viewer.scene, viewer.stage, run)
        self._mouse = CrowdMouse(
            viewer, run, mode=lambda: self._panel.mode.value, adding=self._adding, done=self._refresh
        )
        for name, handle in viewer.stage.obstacles.items():
            make_draggable(handle, lambda x, y, done, name=name: self._obstacle_dragged(name, x, y))
        self._panel.offer(tuple(kind.name for kind in run.crowd.kinds), len(run.scene.cast))
        self._panel.add_keys()
        self._place(run, self._eyes())
        self._changed()
        viewer.desk.keep_doing(self._tick, rate_hz=RATE_HZ)

    def hide(self) -> None:
        if self._run is None:
            return
        self._run = None
        self.viewer.desk.keep_doing(None)
        self._panel.remove_keys()
        for one in (self._mouse, self._bodies, self._overlays, self._shapes):
            one.remove()
        for handle in self.viewer.stage.obstacles.values():
            handle.remove_drag_callback()

    def film(self) -> Film | None:
        """Return what comes next: the crowd goes on while it is filmed, and stays there."""
        run = self._run
        if run is None:
            return None
        joints = sum(one.positions.shape[0] * one.positions.shape[1] for one in run.poses())
        return Film(math.inf, run.crowd.time_s, joints, self._go_on_to, is_live=True)

    def _go_on_to(self, time_s: float) -> None:
        run = self._run
        if run is None:
            return
        while run.crowd.time_s < time_s - 0.5 / run.crowd.rate_hz:
            run.step()
        with self.viewer.server.atomic():
            self._place(run, self._eyes())
            self._draw(run)

    # --- thirty times a second ----------------------------------------------------------------------------------

    def _tick(self) -> None:
        run = self._run
        if run is None:
            return
        try:
            passed = run.tick()
            eyes = self._eyes()
            with self.viewer.server.atomic():
                if self._ticks % LOOK_TICKS == 0 and not run.is_running and self._have_moved(eyes):
                    self._is_stale = True
                    self._bodies.look_again()
                if (run.is_running or self._is_stale) and eyes:
                    self._place(run, eyes)
                    self._is_stale = False
                if self._ticks % DRAW_TICKS == 0:
                    self._draw(run)
                if self._ticks % WRITE_TICKS == 0:
                    self._write(run)
            if self._ticks % LOOK_TICKS == 0 and passed:
                run.look()
            self._ticks += 1
        except Exception:
            self.viewer.desk.keep_doing(None)  # show the error once, not at every tick
            raise

    def _place(self, run: CrowdRun, eyes: dict[int, Eye]) -> None:
        ids = run.crowd.ids
        self._ahead = _points_ahead(eyes)
        self._bodies.place(run.poses, ids, self._ahead)
        self._shapes.place()
        roots = [one.positions[:, 0] for one in run.poses(np.array(run.chosen, dtype=np.int64))] if run.chosen else []
        places = np.concatenate(roots)[:, :2].astype(np.float64) if roots else np.zeros((0, 2))
        self._overlays.mark(places)
        if self._panel.follow.value and run.chosen:
            (figures,) = (one for one in run.poses(np.array(run.chosen[:1], dtype=np.int64)) if len(one.ids))
            self._go_along(figures.positions[0, 0].astype(np.float64), eyes)

    def _go_along(self, root: np.ndarray, eyes: dict[int, Eye]) -> None:
        """Point all cameras at a character that walks, each from its own side."""
        target = np.array([root[0], root[1], EYE_M])
        for number, client in self.viewer.server.get_clients().items():
            if number in eyes:
                away = eyes[number].position - eyes[number].look_at
                with client.atomic():
                    client.camera.position, client.camera.look_at = target + away, target

    def _eyes(self) -> dict[int, Eye]:
        """Return the eyes of all browsers, by their numbers."""
        eyes = {}
        for number, client in self.viewer.server.get_clients().items():
            try:
                eyes[number] = eye_of(client)
            except AssertionError:  # its camera is not known yet
                continue
        return eyes

    def _have_moved(self, eyes: dict[int, Eye]) -> bool:
        ahead = _points_ahead(eyes)
        return ahead.shape != self._ahead.shape or bool((np.abs(ahead - self._ahead) > MOVED_M).any())

    def _draw(self, run: CrowdRun) -> None:
        panel = self._panel
        goals, ways, lanes = panel.goals.value, panel.ways.value, panel.lanes.value
        self._overlays.draw(with_goals=goals, with_ways=ways, with_lanes=lanes)

    def _write(self, run: CrowdRun) -> None:
        self._is_compiled = True
        panel = self._panel
        panel.write_time(run.is_running)
        panel.counters.content = counters_html(run)
        panel.chosen.content = chosen_html(run)
        panel.histogram.content = histogram_html(run.plan_us)

    # --- what is asked for --------------------------------------------------------------------------------------

    def _changed(self) -> None:
        run = self._run
        if run is not None:
            run.speed = float(self._panel.speed.value)
            run.crowd.budget = int(self._panel.budget.value)
            self._refresh()

    def _refresh(self) -> None:
        """Place, draw and write all at the next tick, even while no time passes."""
        self._is_stale = True
        self._ticks = 0

    def _time_asked(self, what: str) -> None:
        run = self._run
        if run is None:
            return
        if what == AGAIN:
            self.hide()
            self.show()
        elif what == STEP:
            run.is_running = False
            run.step()
        else:
            run.is_running = not run.is_running
        self._refresh()

    def _adding(self) -> tuple[int, int]:
        kinds = self._panel.kind.options
        return kinds.index(self._panel.kind.value), int(self._panel.count.value)

    def _goal_dragged(self, who: int, x: float, y: float, done: bool) -> None:
        def send() -> None:
            if self._run is not None:
                try:
                    self._goal_hand.drag(who, x, y, done=done)
                finally:
                    self._refresh()

        self.viewer.desk.leave(send, about="" if done else f"goal {who}")

    def _obstacle_dragged(self, name: str, x: float, y: float) -> None:
        def drag() -> None:
            if self._run is not None:
                self._run.drag(name, x, y)
                self._refresh()

        self.viewer.desk.leave(drag, about=f"obstacle {name}")

    def _thrown(self, client: viser.ClientHandle | None) -> None:
        if client is None:
            return
        eye = eye_of(client)

        def throw() -> None:
            aim = on_ground(eye.position, eye.look_at)
            if self._run is None:
                return
            if aim is None:
                self.viewer.tell("Look down at the ground to throw a ball there.", title="There is no ground")
            else:
                self._run.throw(eye.position, aim)

        self.viewer.desk.leave(throw)

    def _push(self, ahead: float, turn: float) -> None:
        if self._run is not None:
            self._run.push(ahead, turn)

    def _take_cart(self) -> None:
        if self._run is not None:
            self._run.take_cart()


def _points_ahead(eyes: dict[int, Eye]) -> np.ndarray:
    """Return a point (E, 3) ahead of each eye."""
    ways = [eye.look_at - eye.position for eye in eyes.values()]
    places = [eye.position + AHEAD_M * way / np.linalg.norm(way) for eye, way in zip(eyes.values(), ways, strict=True)]
    return np.array(places).reshape(-1, 3)
