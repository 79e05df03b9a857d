"""The character going along its planned way."""

from __future__ import annotations

import time

import numpy as np
import viser

from gambol.body.capsules import Body
from gambol.motion.motion import Motion
from gambol.view.bodies import Bodies

COLOR = (0.93, 0.42, 0.16)  # like nobody of those who stand along the way
REST_S = 1.0  # at the goal, before it begins again


class Walker:
    """One body, at any time of a motion, or walking again and again."""

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
        """The time of the motion that it is at, if it walks."""
        if self._motion is None:
            return 0.0
        gone = (time.monotonic() - self._begun) % (self._motion.duration_s + REST_S)
        return min(gone, self._motion.duration_s)

    def follow(self, motion: Motion | None) -> None:
        """Go along another motion from now on: from where one is in time, so that a change of way is no new start."""
        if self._motion is None:
            self._begun = time.monotonic()
        self._motion = motion
        if motion is None:
            self.remove()

    def show(self, time_s: float) -> None:
        """Show where it is at a time."""
        motion = self._motion
        if motion is None:
            return
        if self._bodies is None:
            body = Body.from_skeleton(motion.skeleton)
            self._bodies = Bodies(self._scene, self._name, body, np.array([COLOR]), detail="round")
        frame = min(round(time_s * motion.rate_hz), len(motion.world_positions) - 1)
        self._bodies.place(motion.world_positions[frame : frame + 1], motion.world_rotations[frame : frame + 1])

    def remove(self) -> None:
        if self._bodies is not None:
            self._bodies.remove()
        self._bodies = None
