"""What the mouse says about a crowd: clicks on people and on the ground, rectangles around people."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import viser

from gambol.view.crowd.picking import Eye, in_rectangle, pick
from gambol.view.crowd.run import CrowdRun
from gambol.view.desk import Job
from gambol.view.drag import on_ground

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer


class CrowdMouse:
    """Listens as long as a crowd is shown, and does what is asked for on the desk."""

    def __init__(
        self,
        viewer: Viewer,
        run: CrowdRun,
        *,
        mode: Callable[[], str],
        adding: Callable[[], tuple[int, int]],
        done: Callable[[], None],
    ) -> None:
        """mode: what a click does; adding: which kind, and how many; done: is called when something may be changed."""
        self._viewer, self._run, self._mode, self._adding, self._done = viewer, run, mode, adding, done
        viewer.scene.on_click()(self._clicked)
        viewer.scene.on_click(modifier="shift")(self._clicked_also)
        viewer.scene.on_rect_select(modifier="shift")(self._framed)

    def remove(self) -> None:
        for clicked in (self._clicked, self._clicked_also):
            self._viewer.scene.remove_click_callback(clicked)
        self._viewer.scene.remove_rect_select_callback(self._framed)

    def _clicked(self, event: viser.SceneClickEvent) -> None:
        mode, eye, way = self._mode(), np.array(event.ray_origin), np.array(event.ray_direction)
        self._leave(lambda: self._do(mode, eye, way))

    def _clicked_also(self, event: viser.SceneClickEvent) -> None:
        eye, way = np.array(event.ray_origin), np.array(event.ray_direction)
        self._leave(lambda: self._choose(eye, way, also=True))

    def _framed(self, event: viser.SceneRectSelectEvent) -> None:
        eye = eye_of(event.client)
        self._leave(lambda: self._frame(eye, event.screen_min, event.screen_max))

    def _leave(self, job: Job) -> None:
        def work() -> None:
            try:
                job()
            finally:
                self._done()

        self._viewer.desk.leave(work)

    def _do(self, mode: str, eye: np.ndarray, way: np.ndarray) -> None:
        run, ground = self._run, on_ground(eye, eye + way)
        if mode == "choose":
            self._choose(eye, way, also=False)
        elif mode == "remove":
            who = self._meant(eye, way)
            if who is None:
                self._viewer.tell("Click on somebody who is to go.", title="Nobody is there")
            else:
                run.remove(who)
        elif ground is None:
            self._viewer.tell("Click on the ground.", title="There is no ground")
        elif mode == "add":
            kind, count = self._adding()
            added = run.add(kind, *ground, count=count)
            if added < count:
                self._viewer.tell(f"{added} of {count} found room there.")
        elif mode == "throw a ball":
            run.throw(eye, ground)
        else:
            run.send_chosen(*ground)

    def _choose(self, eye: np.ndarray, way: np.ndarray, *, also: bool) -> None:
        who = self._meant(eye, way)
        if who is not None or not also:
            self._run.choose([] if who is None else [who], also=also)

    def _meant(self, eye: np.ndarray, way: np.ndarray) -> int | None:
        """Return who is met first by a line of sight."""
        best, nearest = None, np.inf
        for figures in self._run.poses():
            index = pick(eye, way, figures.positions)
            if index is not None:
                away = float(np.linalg.norm(figures.positions[index, 0] - eye))
                if away < nearest:
                    best, nearest = int(figures.ids[index]), away
        return best

    def _frame(self, eye: Eye, corner: tuple[float, float], other: tuple[float, float]) -> None:
        found: list[int] = []
        for figures in self._run.poses():
            found += figures.ids[in_rectangle(eye, figures.positions[:, 0], corner, other)].tolist()
        self._run.choose(found)


def eye_of(client: viser.ClientHandle) -> Eye:
    """Return from where a browser looks."""
    camera = client.camera
    return Eye(
        np.array(camera.position), np.array(camera.look_at), np.array(camera.up_direction), camera.fov, camera.aspect
    )  # fmt: skip
