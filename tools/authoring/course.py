"""Where a clip goes: how fast and how it turns, and so its way over the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import cumulative_simpson
from tools.authoring.authored import FRAMES_PER_STEP, MARGIN, RATE_HZ
from tools.authoring.keyframes import keyed

from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray

SUBSTEPS = 8  # of integration in a frame


@dataclass(frozen=True, eq=False)
class Course:
    """A clip's frames, margins included, and the point of the ground that goes along at each."""

    times: FloatArray  # (F,) seconds from the clip's first frame
    pose: FloatArray  # (F, 3) metres and radians: place, direction of travel
    speed: FloatArray  # (F,) metres a second
    push: FloatArray  # (F, 2) metres a second squared: acceleration forward and to the left
    margin: int  # frames on either side of the clip proper

    @property
    def duration_s(self) -> float:
        return float(self.times[len(self.times) - 1 - self.margin])

    def place(self, local: ArrayLike) -> FloatArray:
        """Return where points (F, 3) or (3,), given ahead, left and above of the course, are in the world."""
        points = np.broadcast_to(np.asarray(local, dtype=np.float64), (len(self.times), 3))
        return np.column_stack((planar.apply(self.pose, points[:, :2]), points[:, 2]))

    def cropped(self, margin: int) -> Course:
        """Return the course with shorter margins."""
        kept = slice(self.margin - margin, len(self.times) - self.margin + margin)
        return Course(self.times[kept], self.pose[kept], self.speed[kept], self.push[kept], margin)

    def localize(self, points: ArrayLike) -> FloatArray:
        """Return world points (F, 3) or (3,) as seen from the course: ahead, left, above."""
        points = np.broadcast_to(np.asarray(points, dtype=np.float64), (len(self.times), 3))
        level = planar.rotate(-self.pose[:, 2], points[:, :2] - self.pose[:, :2])
        return np.column_stack((level, points[:, 2]))


def run_course(
    steps: int,
    *,
    speed: Sequence[tuple[float, float]],
    turn_rad: float = 0.0,
    turning: Sequence[tuple[float, float]] = ((0.0, 0.0), (0.2, 1.0), (0.8, 1.0), (1.0, 0.0)),
    margin: int = MARGIN,
) -> Course:
    """Run for some planning frames, with speeds keyed by second and a turn to the left in all.

    turning: how sharp the turn is at shares of the time, whatever its unit.
    """
    frames = np.arange(-margin, steps * FRAMES_PER_STEP + margin + 1)
    first, last = frames[[0, -1]] / RATE_HZ
    duration = steps * FRAMES_PER_STEP / RATE_HZ
    fine = np.linspace(first, last, (len(frames) - 1) * SUBSTEPS + 1)
    speeds = keyed(speed, fine)
    sharpness = keyed([(duration * share, value) for share, value in turning], fine)
    angle = cumulative_simpson(sharpness, x=fine, initial=0.0)
    rate = sharpness * (turn_rad / angle[-1]) if turn_rad else np.zeros_like(fine)
    heading = cumulative_simpson(rate, x=fine, initial=0.0)
    way = np.column_stack([cumulative_simpson(speeds * of(heading), x=fine, initial=0.0) for of in (np.cos, np.sin)])
    way -= way[margin * SUBSTEPS]
    forward = np.gradient(speeds, fine, edge_order=2)
    pose = np.column_stack((way, heading))[::SUBSTEPS]
    push = np.column_stack((forward, speeds * rate))[::SUBSTEPS]
    return Course(frames / RATE_HZ, pose, speeds[::SUBSTEPS], push, margin)
