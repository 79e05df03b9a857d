"""Which way knees point."""

from __future__ import annotations

import numpy as np
from tools.authoring.figure import FigureTracks, hip_joints, pelvis_rotations

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray

WITH_FEET = 0.5  # share of a foot's yaw that its knee takes part in


def knees_with_feet(tracks: FigureTracks) -> FloatArray:
    """Return the knee yaw (F, 2) of an upright body: half as far out as the feet."""
    return WITH_FEET * (tracks.foot_yaw - tracks.pelvis_yaw[:, None])


def knees_below(tracks: FigureTracks) -> FloatArray:
    """Return the knee yaw (F, 2) for which hips, knees and ankles lie in upright planes along +X.

    Legs are bent from straight below the pelvis by the smallest turn to where the ankle is.
    """
    pelvis = pelvis_rotations(tracks)
    straight = quaternion.rotate(pelvis, np.array([0.0, 0.0, -1.0]))
    yaw = np.empty((tracks.frame_count, 2))
    for side in (0, 1):
        line = tracks.ankles[:, side] - hip_joints(tracks)[:, side]
        back = quaternion.conjugate(quaternion.multiply(quaternion.between(straight, line), pelvis))
        hinge = quaternion.rotate(back, np.cross(line, [1.0, 0.0, 0.0]))
        yaw[:, side] = np.arctan2(hinge[:, 0], -hinge[:, 1])
    return yaw
