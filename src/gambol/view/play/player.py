"""What is played, in the browser's scene: bodies, and marks where they rest on the ground."""

from __future__ import annotations

import numpy as np
import viser

from gambol.body.cones import Cones
from gambol.body.mannequin import cone_meshes
from gambol.pictures.figure import LEFT, RIGHT
from gambol.view.bodies import Bodies
from gambol.view.play.measured import Measured
from gambol.view.play.recorded import Recorded

NAME = "/play"
MARK_M = 0.12  # radius of a mark
MARK_FLATNESS = 0.12  # height for each width
HAND = (0.45, 0.45, 0.50)
SIDES, RINGS = 16, 3
NOTHING = 1e-4  # the size of a mark that is not shown


class Player:
    """All characters of something recorded, at any time of it."""

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
        """Put everybody where they are at a time."""
        for bodies, figures in zip(self._bodies, self.recorded.figures, strict=True):
            bodies.place(*figures.at(time_s))
        self._show_marks(time_s)

    def mark(self, measured: Measured | None) -> None:
        """Mark where one of them rests on the ground."""
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
            batched_colors=np.rint(255.0 * colors).astype(np.uint8), batched_scales=np.full(len(names), NOTHING),
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
