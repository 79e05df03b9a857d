"""A plan in the browser: its way in the colors of what is done, names along it, and bodies now and then."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.motion.body import Body
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.shown import Run, path_of, runs_of
from gambol.pictures.world_colors import character_color
from gambol.plan.plan import Plan
from gambol.view.bodies import Bodies
from gambol.view.stage import bytes_of
from gambol.world.terrain import Terrain

FloatArray = NDArray[np.float64]
WAY_PX = 5.0
PAINT_M = 0.03  # lines are drawn this far above the ground
LABEL_M = 2.0  # words are written this high
LABELS_APART_M = 3.5
COMMON = ("forward", "turn")  # kinds of behaviors of which names matter less
APART_M = 1.6  # at least between two bodies along a way
MOST_BODIES = 48
HIDDEN_M = -1000.0  # bodies that are not needed are this high


class Way:
    """What is shown of one plan, again and again."""

    def __init__(self, scene: viser.SceneApi, name: str) -> None:
        self._scene, self._name = scene, name
        self._line: viser.LineSegmentsHandle | None = None
        self._labels: list[viser.LabelHandle] = []
        self._bodies: Bodies | None = None
        self.end: tuple[float, float] | None = None  # of the way that is shown

    def show(self, plan: Plan, terrain: Terrain | None, *, names: bool = True) -> None:
        """Show the way of a plan at once; bodies follow with `show_bodies`."""
        self._clear_labels()
        self.end = None
        if not plan.steps:
            self._remove_line()
            return
        path, runs = path_of(plan), runs_of(plan)
        self.end = (float(path[-1, 0]), float(path[-1, 1]))
        points = np.column_stack((path[:, :2], _heights(path, terrain) + PAINT_M))
        colors = np.zeros((len(points) - 1, 3), dtype=np.uint8)
        for run in runs:
            colors[run.first : run.last] = bytes_of(KIND_COLORS[run.kind])
        segments = np.stack((points[:-1], points[1:]), axis=1).astype(np.float32)
        self._line = self._scene.add_line_segments(
            f"{self._name}/line",
            segments,
            np.repeat(colors[:, None], 2, axis=1),
            thickness=WAY_PX,
            thickness_units="screen",
        )
        if names:
            self._write(runs, points)

    def show_bodies(self, plan: Plan, positions: FloatArray, rotations: FloatArray) -> None:
        """Show bodies where their joints are, (N, J, 3) and (N, J, 4), N as of `body_frames`."""
        if self._bodies is None:
            color = np.tile(character_color(0), (MOST_BODIES, 1))
            body = Body.from_skeleton(plan.character.skeleton)
            self._bodies = Bodies(self._scene, f"{self._name}/bodies", body, color, detail="round")
        count, joints = positions.shape[:2]
        spare = MOST_BODIES - count
        unturned = np.broadcast_to((1.0, 0.0, 0.0, 0.0), (spare, joints, 4))
        self._bodies.place(
            np.concatenate((positions, np.full((spare, joints, 3), HIDDEN_M))), np.concatenate((rotations, unturned))
        )
        self._bodies.show(True)

    def hide_bodies(self) -> None:
        if self._bodies is not None:
            self._bodies.show(False)

    def remove(self) -> None:
        self._remove_line()
        self._clear_labels()
        if self._bodies is not None:
            self._bodies.remove()
        self._bodies = None

    def _write(self, runs: Sequence[Run], points: FloatArray) -> None:
        """Write what is done along the way, rare things first, as far as words do not crowd each other."""
        places: list[FloatArray] = []
        for run in sorted(runs, key=lambda run: (run.kind in COMMON, run.first)):
            place = points[(run.first + run.last) // 2] + (0.0, 0.0, LABEL_M)
            if all(np.linalg.norm(place - other) >= LABELS_APART_M for other in places):
                name = f"{self._name}/names/{len(places)}"
                self._labels.append(self._scene.add_label(name, run.words, position=tuple(place)))
                places.append(place)

    def _clear_labels(self) -> None:
        for label in self._labels:
            label.remove()
        self._labels = []

    def _remove_line(self) -> None:
        if self._line is not None:
            self._line.remove()
        self._line = None


def body_frames(plan: Plan) -> NDArray[np.int64]:
    """Return planning frames of a plan, first and last among them, that are as far apart as bodies should be."""
    points = path_of(plan)[:, :2]
    gone = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))))
    count = int(np.clip(gone[-1] / APART_M + 1, 2, MOST_BODIES))
    return np.searchsorted(gone, np.linspace(0.0, gone[-1], count)).clip(0, len(points) - 1)


def _heights(path: FloatArray, terrain: Terrain | None) -> FloatArray:
    return np.zeros(len(path)) if terrain is None else terrain.height(path[:, :2])
