"""The mouse over a crowd: clicks on characters and on the ground, and rectangles around characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import viser
from numpy.typing import ArrayLike, NDArray

from gambol.geometry.arrays import FloatArray
from gambol.view.crowd.run import CrowdRun
from gambol.view.desk import Job
from gambol.view.drag import on_ground

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer

NEAR_M = 0.28  # m, > 0: a line of sight this near to a joint meets its body; larger: easier to click
NEAR_RAD = 0.012  # rad, > 0: a click this near to a small body means it, if it meets no other; larger: easier to click
LEAST_AHEAD_M = 0.05  # m, > 0: a point that is less far ahead of the eye is not seen


class CrowdMouse:
    """Listens while a crowd is shown, and leaves its work on the desk."""

    def __init__(
        self,
        viewer: Viewer,
        run: CrowdRun,
        *,
        mode: Callable[[], str],
        adding: Callable[[], tuple[int, int]],
        done: Callable[[], None],
    ) -> None:
        """mode: what a click does; adding: the kind and number to add; done: is called after each change."""
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
                self._viewer.tell("Click on a character to remove it.", title="There is no character")
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
        """Return the id of the character that a line of sight meets first; None: it meets none."""
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
    """Return the eye of a browser."""
    camera = client.camera
    position, look_at, up = map(np.array, (camera.position, camera.look_at, camera.up_direction))
    return Eye(position, look_at, up, camera.fov, camera.aspect)


class Eye(NamedTuple):
    """The place of a camera, and how it looks."""

    position: FloatArray  # (3,)
    look_at: FloatArray  # (3,)
    up: FloatArray  # (3,)
    fov_rad: float  # from the lower to the upper edge
    aspect: float  # width divided by height


def pick(origin: ArrayLike, direction: ArrayLike, positions: NDArray[np.floating]) -> int | None:
    """Return which of N bodies (N, J, 3) a line of sight meets first, or else nearly meets; None: none."""
    if not len(positions):
        return None
    eye, way = np.asarray(origin, dtype=float), np.asarray(direction, dtype=float)
    way = way / np.linalg.norm(way)
    to_joints = positions.astype(np.float64) - eye
    along = to_joints @ way
    away = np.linalg.norm(to_joints - along[..., None] * way, axis=-1)
    ahead = along > LEAST_AHEAD_M
    first = np.where(ahead & (away < NEAR_M), along, np.inf).min(axis=1)
    if np.isfinite(first).any():
        return int(np.argmin(first))
    aside = np.where(ahead, away / np.maximum(along, LEAST_AHEAD_M), np.inf).min(axis=1)
    nearest = int(np.argmin(aside))
    return nearest if aside[nearest] < NEAR_RAD else None


def on_screen(eye: Eye, points: ArrayLike) -> FloatArray:
    """Return places (N, 2) of points (N, 3) in the picture: (0, 0) is its upper left, (1, 1) its lower right corner.

    A point behind the eye has nan.
    """
    ahead = eye.look_at - eye.position
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(ahead, eye.up)
    right = right / np.linalg.norm(right)
    above = np.cross(right, ahead)
    ways = np.asarray(points, dtype=float) - eye.position
    depth = ways @ ahead
    scale = 0.5 / np.tan(0.5 * eye.fov_rad)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = scale * (ways @ right) / depth / eye.aspect, scale * (ways @ above) / depth
    seen = np.stack((0.5 + x, 0.5 - y), axis=-1)
    seen[depth < LEAST_AHEAD_M] = np.nan
    return seen


def in_rectangle(eye: Eye, points: ArrayLike, corner: ArrayLike, other: ArrayLike) -> NDArray[np.int64]:
    """Return the numbers of the points (N, 3) inside a rectangle of the screen."""
    seen = on_screen(eye, points)
    low, high = np.minimum(corner, other), np.maximum(corner, other)
    return np.flatnonzero(((seen >= low) & (seen <= high)).all(axis=1))
