"""Forward kinematics: from local rotations to joints in the world."""

from __future__ import annotations

import numpy as np

from gambol.core import lib, pointer
from gambol.geometry.arrays import FloatArray, Int32Array


def world_poses(
    parents: Int32Array, offsets: FloatArray, root_positions: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return positions (F, J, 3) and orientations (F, J, 4) of joints in the world.

    offsets: (F, J, 3), or (1, J, 3) where all bones are rigid; root_positions: (F, 3); rotations: (F, J, 4), local.
    """
    frames, joints = rotations.shape[:2]
    positions, turns = np.empty((frames, joints, 3)), np.empty((frames, joints, 4))
    lib.gb_pose_place(
        pointer(parents, "int32_t"), joints, pointer(offsets, "double"), len(offsets) == 1,
        pointer(root_positions, "double"), pointer(rotations, "double"), frames, pointer(positions, "double"),
        pointer(turns, "double"),
    )  # fmt: skip
    return positions, turns
