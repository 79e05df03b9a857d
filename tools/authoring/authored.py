"""A clip as it is authored: a motion with margins, its path, its contacts and the labels it joins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.motion.contacts import Contacts
from gambol.motion.motion import Motion

RATE_HZ = 60.0  # of delivered motion
FRAMES_PER_STEP = 2  # motion frames in one planning frame
MARGIN = 16  # motion frames on either side of a clip, for blending


@dataclass(frozen=True, eq=False)
class AuthoredClip:
    """Frames `margin` to `F - 1 - margin` are the clip proper; its path starts at the origin, facing +X.

    Pose and velocity at the first and last frame of the clip proper depend only on the labels, and
    the margins go on as the labels' own cycles do: clips whose labels agree join without a seam.
    """

    name: str
    begins: str  # label, such as "jog-left"
    ends: str  # label
    motion: Motion  # RATE_HZ, F frames, margins included
    path: FloatArray  # (F, 3) x, y of the root and heading of travel (standing: of facing)
    contacts: Contacts  # over all frames, as authored
    event: int | None = None  # frame of the motion: the top of a jump, the lowest head of a duck
    margin: int = MARGIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", frozen_array(self.path))
        frames = self.motion.frame_count
        if self.path.shape != (frames, 3) or len(self.contacts.planted) != frames:
            raise InvalidInput(f"clip {self.name!r}: a path and contacts of {frames} frames expected")
        steps = frames - 1 - 2 * self.margin
        if steps < FRAMES_PER_STEP or steps % FRAMES_PER_STEP != 0:
            raise InvalidInput(f"clip {self.name!r}: whole planning frames expected, not {steps} motion frames")
        if np.abs(self.path[self.margin]).max() > 1e-6:
            raise InvalidInput(f"clip {self.name!r}: the path must start at the origin, facing +X")
        if np.abs(self.path[:, :2] - self.motion.root_positions[:, :2]).max() > 1e-6:
            raise InvalidInput(f"clip {self.name!r}: the path must be the root's")
        if self.event is not None and not self.margin <= self.event < frames - self.margin:
            raise InvalidInput(f"clip {self.name!r}: its event, frame {self.event}, lies in a margin or outside")

    @property
    def inside(self) -> slice:
        """The frames of the clip proper."""
        return slice(self.margin, self.motion.frame_count - self.margin)

    @property
    def duration_s(self) -> float:
        return (self.motion.frame_count - 1 - 2 * self.margin) / self.motion.rate_hz
