"""A plan in the browser: its way in the colors of behaviors, their names, bodies along it, and one that walks."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.characters.clip import Clip
from gambol.characters.step import clip_of
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.world_colors import character_color
from gambol.search.plan import Plan
from gambol.search.runs import Run, path_of, runs_of
from gambol.view.bodies import Bodies
from gambol.view.stage import bytes_of
from gambol.world.terrain import Terrain

COLORS = {kind: bytes_of(color) for kind, color in KIND_COLORS.items()}  # RGB, 0 to 255: the way, by kinds of behaviors
WAY_PX = 5.0  # pixels, > 0: width of the way on the screen
PAINT_M = 0.03  # m, > 0: height of the way above the ground; smaller: the ground may hide it
LABEL_M = 2.0  # m: height of names above the way
LABELS_APART_M = 3.5  # m, >= 0: distance of two names, at least; larger: fewer names
COMMON = ("forward", "turn")  # kinds of behaviors whose names give way to others
APART_M = 1.6  # m, > 0: distance of two bodies along the way, at least; larger: fewer bodies
MOST_BODIES = 48  # >= 2: bodies along the way, at most; larger: slower
HIDDEN_M = -1000.0  # m: height of bodies that are not needed
WALKER = (0.93, 0.42, 0.16)  # RGB, 0 to 1: the walker; no other body has this color
REST_S = 1.0  # s, >= 0: the walker rests at the goal this long


class ShownPlan:
    """Shows one plan after another."""

    def __init__(self, scene: viser.SceneApi, name: str) -> None:
        self._scene, self._name = scene, name
        self._line: viser.LineSegmentsHandle | None = None
        self._labels: list[viser.LabelHandle] = []  # some may be hidden
        self._bodies: Bodies | None = None
        self._path = np.empty((0, 3))  # (K, 3): where the root is at each planning frame, on the ground
        self._runs: Sequence[Run] = ()

    @property
    def end(self) -> tuple[float, float] | None:
        """The end of the way that is shown."""
        return (float(self._path[-1, 0]), float(self._path[-1, 1])) if len(self._path) else None

    def show(self, plan: Plan, terrain: Terrain | None) -> None:
        """Show the way of a plan as a line; `write_names` and `show_bodies` add to it."""
        self._path, self._runs = np.empty((0, 3)), ()
        if not plan.steps:
            self._remove_line()
            return
        path, self._runs = path_of(plan), runs_of(plan)
        self._path = np.column_stack((path[:, :2], _heights(path, terrain) + PAINT_M))
        colors = np.zeros((len(self._path) - 1, 3), dtype=np.uint8)
        for run in self._runs:
            colors[run.first : run.last] = COLORS[run.kind]
        segments = np.stack((self._path[:-1], self._path[1:]), axis=1).astype(np.float32)
        self._line = self._scene.add_line_segments(
            f"{self._name}/line",
            segments,
            np.repeat(colors[:, None], 2, axis=1),
            thickness=WAY_PX,
            thickness_units="screen",
        )

    def write_names(self, wanted: bool = True) -> None:
        """Write the names of behaviors along the way, rare kinds first, where they do not crowd each other."""
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
        """Return the planning frames of the bodies along the way, first and last frame included."""
        gone = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(self._path[:, :2], axis=0), axis=1))))
        count = int(np.clip(gone[-1] / APART_M + 1, 2, MOST_BODIES))
        return np.searchsorted(gone, np.linspace(0.0, gone[-1], count)).clip(0, len(self._path) - 1)

    def show_bodies(self, plan: Plan, positions: FloatArray, rotations: FloatArray) -> None:
        """Show N bodies with joints at positions (N, J, 3), turned by rotations (N, J, 4); N: as of `body_frames`."""
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
        """Write into the label of a number; existing labels are used again."""
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


def clip_poses(
    plan: Plan, frames: NDArray[np.integer], terrain: Terrain | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return positions (N, J, 3) and rotations (N, J, 4) of all joints in the world, at planning frames (N,) of a plan.

    They come straight from the clips: to the eye as good as the finished motion, except for feet and joins.
    """
    ends = np.cumsum([clip_of(plan.character, step).duration for step in plan.steps])
    numbers = np.minimum(np.searchsorted(ends, frames, side="right"), len(plan.steps) - 1)
    steps = [plan.steps[number] for number in numbers]
    clips = [clip_of(plan.character, step) for step in steps]
    own = [
        clip.margin + (int(frame) - int(ends[number]) + clip.duration) * clip.frames_per_step
        for clip, frame, number in zip(clips, frames, numbers, strict=True)
    ]
    return placed(clips, own, np.array([step.pose for step in steps]), terrain)


def placed(
    clips: Sequence[Clip], frames: Sequence[int], begun: FloatArray, terrain: Terrain | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return positions (N, J, 3) and rotations (N, J, 4) of all joints, at frames of clips begun at poses (N, 3)."""
    turn = quaternion.from_heading(begun[:, 2])[:, None]
    here = np.stack([clip.motion.world_positions[frame] for clip, frame in zip(clips, frames, strict=True)])
    facing = np.stack([clip.motion.world_rotations[frame] for clip, frame in zip(clips, frames, strict=True)])
    positions = quaternion.rotate(turn, here)
    positions[..., :2] += begun[:, None, :2]
    if terrain is not None:
        positions[..., 2] += terrain.height(positions[:, 0, :2])[:, None]
    return positions, quaternion.multiply(turn, facing)


class Walker:
    """The character that goes along its planned way, again and again."""

    def __init__(self, scene: viser.SceneApi, name: str) -> None:
        self._scene, self._name = scene, name
        self._bodies: Bodies | None = None
        self._motion: Motion | None = None
        self._begun = time.monotonic()

    @property
    def motion(self) -> Motion | None:
        return self._motion

    @property
    def now_s(self) -> float:
        """The present time in its motion, if it walks."""
        if self._motion is None:
            return 0.0
        gone = (time.monotonic() - self._begun) % (self._motion.duration_s + REST_S)
        return min(gone, self._motion.duration_s)

    def follow(self, motion: Motion | None) -> None:
        """Go along another motion from now on, at the same time in it, so that a new way is no new start."""
        if self._motion is None:
            self._begun = time.monotonic()
        self._motion = motion
        if motion is None:
            self.remove()

    def show(self, time_s: float) -> None:
        """Show the body at a time of its motion."""
        motion = self._motion
        if motion is None:
            return
        if self._bodies is None:
            body = Body.from_skeleton(motion.skeleton)
            self._bodies = Bodies(self._scene, self._name, body, np.array([WALKER]), detail="round")
        frame = min(round(time_s * motion.rate_hz), len(motion.world_positions) - 1)
        self._bodies.place(motion.world_positions[frame : frame + 1], motion.world_rotations[frame : frame + 1])

    def remove(self) -> None:
        if self._bodies is not None:
            self._bodies.remove()
        self._bodies = None
