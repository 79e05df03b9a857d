"""Names for kinds of arrays, and arrays as values: private, contiguous, read-only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]


def frozen_array(values: ArrayLike, dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """Return a private, contiguous, read-only copy."""
    array = np.array(values, dtype=dtype, order="C")
    array.flags.writeable = False
    return array


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Mark an array that nobody else holds as read-only, without copying it."""
    array.flags.writeable = False
    return array
