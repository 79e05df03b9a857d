"""Turn a table of rotation channels into quaternions in one pass."""

from __future__ import annotations

import math

from gambol.geometry.kernels.euler import about_axis
from gambol.geometry.kernels.quaternion import multiply
from gambol.kernels.jit import kernel

RADIANS = math.pi / 180.0


@kernel
def compose_turns(degrees, columns, axes, rotations):
    """Fill rotations (F, J, 4) from a table of degrees (F, channels).

    columns, axes: (J, 3) where the table has a joint's turns, in the order in which they compose,
    and about which axis each goes; -1 ends the list.
    """
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
