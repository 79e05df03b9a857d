"""Convert between our axes (Z up, X forward, Y left) and those of Y-up files (X left, Y up, Z forward).

The two differ by a cyclic permutation, file (x, y, z) = ours (y, z, x), so no sign ever flips and the vector part of a
quaternion permutes like any vector.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gambol.geometry.arrays import FloatArray

_OURS_FROM_Y_UP = {"X": "Y", "Y": "Z", "Z": "X"}  # the name of a file's axis in ours


def vectors_from_y_up(vectors: ArrayLike) -> FloatArray:
    """Return vectors (..., 3) of a Y-up file in our axes."""
    return np.asarray(vectors, dtype=np.float64)[..., [2, 0, 1]]


def vectors_to_y_up(vectors: ArrayLike) -> FloatArray:
    """Return our vectors (..., 3) in a Y-up file's axes."""
    return np.asarray(vectors, dtype=np.float64)[..., [1, 2, 0]]


def quaternions_from_y_up(wxyz: ArrayLike) -> FloatArray:
    """Return quaternions (..., 4), scalar first, of a Y-up file in our axes."""
    return np.asarray(wxyz, dtype=np.float64)[..., [0, 3, 1, 2]]


def quaternions_to_y_up(wxyz: ArrayLike) -> FloatArray:
    """Return our quaternions (..., 4), scalar first, in a Y-up file's axes."""
    return np.asarray(wxyz, dtype=np.float64)[..., [0, 2, 3, 1]]


def euler_order_from_y_up(order: str) -> str:
    """Translate a Y-up file's order of turns into our axes ("ZYX" becomes "XZY")."""
    return "".join(_OURS_FROM_Y_UP[letter] for letter in order)
