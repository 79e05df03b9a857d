"""The climber in the browser's scene: a body in the color of its mode, and marks on the holds."""

from __future__ import annotations

import numpy as np
import viser

from gambol.body.capsules import Body
from gambol.climb.figure import FREE, LIMBS
from gambol.climb.modes import Mode
from gambol.pictures.climb_environment import HELD
from gambol.pictures.climb_figure import MODE_COLORS, WHITE
from gambol.pictures.figure import faded
from gambol.view.bodies import Bodies
from gambol.view.climb.diorama import places_of, sizes_of
from gambol.view.climb.played import Played
from gambol.view.meshes import add_rods, color_bytes

PALE = 0.30  # 0 to 1: share of white in the body's color; larger: whiter
GREY = (0.62, 0.63, 0.66)  # RGB, 0 to 1: the body on its way over the ground
THICKER = 1.5  # > 1: thickness of a mark by that of its grasp point
LONGER = 1.002  # > 1: length of a mark by that of its grasp point; 1: both ends flicker
NOTHING = 1e-4  # m, > 0: size of a mark that is not shown
NAME = "/climb/figure"  # name of the node that holds all of it


class ClimbingFigure:
    """One climb at a time, at any instant of it."""

    def __init__(self, scene: viser.SceneApi) -> None:
        self._scene = scene
        self._played: Played | None = None
        self._bodies: Bodies | None = None
        self._held: viser.BatchedMeshHandle | None = None
        self._shown: tuple[Mode | None, tuple[int, ...]] | None = None

    @property
    def joints(self) -> int:
        motion = None if self._played is None else self._played.motion
        return 0 if motion is None else motion.skeleton.joint_count

    def follow(self, played: Played) -> None:
        """Show another climb in place of the one before."""
        self.remove()
        if played.motion is None:
            return
        self._played = played
        body = Body.from_skeleton(played.motion.skeleton)
        self._bodies = Bodies(self._scene, f"{NAME}/body", body, np.array([GREY]), detail="round")
        places, colors = np.zeros((len(LIMBS), 3)), color_bytes(np.tile(HELD, (len(LIMBS), 1)))
        self._held = add_rods(self._scene, f"{NAME}/held", places, np.full_like(places, NOTHING), colors)

    def show(self, time_s: float) -> None:
        """Show the climber at a time."""
        played = self._played
        if played is None or played.motion is None or self._bodies is None:
            return
        frame = played.frame(time_s)
        rows = slice(frame, frame + 1)
        self._bodies.place(played.motion.world_positions[rows], played.motion.world_rotations[rows])
        now = played.mode(time_s), played.holds(time_s)
        if self._shown is None or now[0] != self._shown[0]:
            self._bodies.paint(np.array([GREY if now[0] is None else faded(MODE_COLORS[now[0]], WHITE, PALE)]))
        if self._shown is None or now[1] != self._shown[1]:
            self._mark_held(played, now[1])
        self._shown = now

    def remove(self) -> None:
        if self._bodies is not None:
            self._bodies.remove()
        if self._held is not None:
            self._held.remove()
        self._played = self._bodies = self._held = self._shown = None

    def _mark_held(self, played: Played, holds: tuple[int, ...]) -> None:
        if self._held is None:
            return
        points = played.climbed.climb.problem.environment.grasp_points
        places, sizes = np.zeros((len(holds), 3)), np.full((len(holds), 3), NOTHING)
        for limb, hold in enumerate(holds):
            if hold != FREE:
                places[limb] = places_of([points[hold]])[0]
                sizes[limb] = sizes_of([points[hold]])[0] * (THICKER, LONGER, THICKER)
        self._held.batched_positions, self._held.batched_scales = places.astype(np.float32), sizes.astype(np.float32)
