"""Make tracks of rotations well-formed."""

from __future__ import annotations

import math

from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel


@kernel
def settle_rotations(rotations: FloatArray, tolerance: float) -> int:
    """Scale quaternions (F, J, 4) to unit length and flip them into their predecessor's hemisphere, in place.

    Return the first frame with a quaternion that is not finite or farther than `tolerance` from unit length, or -1.
    """
    frames, joints = rotations.shape[0], rotations.shape[1]
    for f in range(frames):
        for j in range(joints):
            w = rotations[f, j, 0]
            x = rotations[f, j, 1]
            y = rotations[f, j, 2]
            z = rotations[f, j, 3]
            length = math.sqrt(w * w + x * x + y * y + z * z)
            if not abs(length - 1.0) < tolerance:
                return f
            # Quaternions that have unit length already keep their bits, so that edits do not change other joints.
            scale = 1.0 if abs(length - 1.0) < 1e-12 else 1.0 / length
            if f > 0:
                dot = (
                    w * rotations[f - 1, j, 0]
                    + x * rotations[f - 1, j, 1]
                    + y * rotations[f - 1, j, 2]
                    + z * rotations[f - 1, j, 3]
                )
                if dot < 0.0:
                    scale = -scale
            rotations[f, j, 0] = w * scale
            rotations[f, j, 1] = x * scale
            rotations[f, j, 2] = y * scale
            rotations[f, j, 3] = z * scale
    return -1
