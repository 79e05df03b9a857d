"""A plan in the browser: its way in the colors of what is done, names along it, and bodies now and then."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.geometry.arrays import FloatArray
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.world_colors import character_color
from gambol.search.plan import Plan
from gambol.search.runs import Run, path_of, runs_of
from gambol.view.bodies import Bodies
from gambol.view.stage import bytes_of
from gambol.world.terrain import Terrain

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
        self._labels: list[viser.LabelHandle] = []  # some of which may be hidden
        self._bodies: Bodies | None = None
        self._path = np.empty((0, 3))  # (K, 3) the root's places at every planning frame, on the ground
        self._runs: Sequence[Run] = ()

    @property
    def end(self) -> tuple[float, float] | None:
        """Where the way that is shown ends."""
        return (float(self._path[-1, 0]), float(self._path[-1, 1])) if len(self._path) else None

    def show(self, plan: Plan, terrain: Terrain | None) -> None:
        """Show the way of a plan at once, as a line; `write_names` and `show_bodies` add to it."""
        self._path, self._runs = np.empty((0, 3)), ()
        if not plan.steps:
            self._remove_line()
            return
        path, self._runs = path_of(plan), runs_of(plan)
        self._path = np.column_stack((path[:, :2], _heights(path, terrain) + PAINT_M))
        colors = np.zeros((len(self._path) - 1, 3), dtype=np.uint8)
        for run in self._runs:
            colors[run.first : run.last] = bytes_of(KIND_COLORS[run.kind])
        segments = np.stack((self._path[:-1], self._path[1:]), axis=1).astype(np.float32)
        self._line = self._scene.add_line_segments(
            f"{self._name}/line",
            segments,
            np.repeat(colors[:, None], 2, axis=1),
            thickness=WAY_PX,
            thickness_units="screen",
        )

    def write_names(self, wanted: bool = True) -> None:
        """Write what is done along the way, rare things first, as far as words do not crowd each other."""
        places: list[FloatArray] = []
        for run in sorted(self._runs if wanted else (), key=lambda run: (run.kind in COMMON, run.first)):
            place = self._path[(run.first + run.last) // 2] + (0.0, 0.0, LABEL_M)
            if all(np.linalg.norm(place - other) >= LABELS_APART_M for other in places):
                self._write(len(places), run.words, place)
                places.append(place)
        for label in self._labels[len(places) :]:
            if label.visible:
                label.visible = False

    def body_frames(self) -> NDArray[np.int64]:
        """Return planning frames, first and last among them, at which bodies are as far apart as they should be."""
        gone = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(self._path[:, :2], axis=0), axis=1))))
        count = int(np.clip(gone[-1] / APART_M + 1, 2, MOST_BODIES))
        return np.searchsorted(gone, np.linspace(0.0, gone[-1], count)).clip(0, len(self._path) - 1)

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

    def _write(self, number: int, words: str, place: FloatArray) -> None:
        """Write into the label of a number; labels that are there already are used again."""
        if number == len(self._labels):
            self._labels.append(self._scene.add_label(f"{self._name}/names/{number}", words, position=place))
            return
        label = self._labels[number]
        label.text, label.position = words, place
        if not label.visible:
            label.visible = True

    def _clear_labels(self) -> None:
        for label in self._labels:
            label.remove()
        self._labels = []

    def _remove_line(self) -> None:
        if self._line is not None:
            self._line.remove()
        self._line = None


def _heights(path: FloatArray, terrain: Terrain | None) -> FloatArray:
    return np.zeros(len(path)) if terrain is None else terrain.height(path[:, :2])
