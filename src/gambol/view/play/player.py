"""A recording in the browser's scene: bodies, and marks where one of them rests on the ground."""

from __future__ import annotations

import numpy as np
import viser

from gambol.body.capsules import Cones
from gambol.body.mannequin import cone_meshes
from gambol.pictures.figure import LEFT, RIGHT
from gambol.view.bodies import Bodies
from gambol.view.meshes import color_bytes
from gambol.view.play.measured import Measured
from gambol.view.play.recorded import Recorded

NAME = "/play"  # name of the node that holds all of it
MARK_M = 0.12  # m, > 0: radius of a mark
MARK_FLATNESS = 0.12  # > 0: height of a mark by its width; larger: higher
HAND = (0.45, 0.45, 0.50)  # RGB, 0 to 1: marks of hands
SIDES = 16  # >= 3: corners around a mark; larger: rounder
RINGS = 3  # >= 1: circles on either half of a mark; larger: rounder
NOTHING = 1e-4  # > 0: scale of a mark that is not shown


class Player:
    """Shows all characters of a recording, at any time of it."""

    def __init__(self, scene: viser.SceneApi, recorded: Recorded) -> None:
        self.recorded = recorded
        self.marks_shown = True
        self._scene = scene
        self._bodies = [
            Bodies(scene, f"{NAME}/figures/{number}", figures.body, figures.colors)
            for number, figures in enumerate(recorded.figures)
        ]
        self._measured: Measured | None = None
        self._marks: viser.BatchedMeshHandle | None = None

    def show(self, time_s: float) -> None:
        """Show all characters at a time."""
        for bodies, figures in zip(self._bodies, self.recorded.figures, strict=True):
            bodies.place(*figures.at(time_s))
        self._show_marks(time_s)

    def mark(self, measured: Measured | None) -> None:
        """Mark where one character rests on the ground; None: no marks."""
        if self._marks is not None:
            self._marks.remove()
        self._measured, self._marks = measured, None
        if measured is None or not measured.contacts.points:
            return
        ball = Cones(np.zeros((1, 3)), np.zeros((1, 3)), np.array([MARK_M]), np.array([MARK_M]))
        vertices, triangles, _ = cone_meshes(ball, sides=SIDES, rings=RINGS)
        names = [point.name for point in measured.contacts.points]
        colors = np.array([HAND if "hand" in name else LEFT if name.startswith("left") else RIGHT for name in names])
        self._marks = self._scene.add_batched_meshes_simple(
            f"{NAME}/marks", vertices * (1.0, 1.0, MARK_FLATNESS), triangles.astype(np.uint32),
            batched_wxyzs=np.tile([1.0, 0.0, 0.0, 0.0], (len(names), 1)), batched_positions=np.zeros((len(names), 3)),
            batched_colors=color_bytes(colors), batched_scales=np.full(len(names), NOTHING),
            lod="off", cast_shadow=False,
        )  # fmt: skip

    def remove(self) -> None:
        for bodies in self._bodies:
            bodies.remove()
        self.mark(None)
        self._bodies = []

    def _show_marks(self, time_s: float) -> None:
        measured = self._measured
        if measured is None or self._marks is None:
            return
        frame = measured.frame(time_s)
        places = measured.points[frame].copy()
        places[:, 2] = measured.contacts.ground.heights(places)
        shown = measured.contacts.planted[frame] & (self.marks_shown and measured.is_there(time_s))
        self._marks.batched_positions = places.astype(np.float32)
        self._marks.batched_scales = np.where(shown, 1.0, NOTHING).astype(np.float32)
