"""Turn a table of rotation channels into quaternions in one pass."""

from __future__ import annotations

import math

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.geometry.kernels.euler import about_axis
from gambol.geometry.kernels.quaternion import multiply
from gambol.kernels.jit import kernel

RADIANS = math.pi / 180.0  # radians in a degree


@kernel
def compose_turns(
    degrees: FloatArray,  # (F, channels)
    columns: Int64Array,  # (J, 3) the columns of a joint's turns, in the order of composition; -1 ends the list
    axes: Int64Array,  # (J, 3) the axis of each turn
    rotations: FloatArray,  # (F, J, 4) written
) -> None:
    """Write the rotations that a table of angles gives."""
    frames, joints = rotations.shape[0], rotations.shape[1]
    for f in range(frames):
        for j in range(joints):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for k in range(3):
                column = columns[j, k]
                if column < 0:
                    break
                aw, ax, ay, az = about_axis(axes[j, k], degrees[f, column] * RADIANS)
                if k == 0:
                    w, x, y, z = aw, ax, ay, az
                else:
                    w, x, y, z = multiply(w, x, y, z, aw, ax, ay, az)
            rotations[f, j, 0] = w
            rotations[f, j, 1] = x
            rotations[f, j, 2] = y
            rotations[f, j, 3] = z
