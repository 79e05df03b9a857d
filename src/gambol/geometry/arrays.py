"""Arrays: their types, read-only ones, and one that rows are appended to."""

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


class GrowingArray:
    """Rows of one shape and type, with room for more: appending costs the same however many there are."""

    def __init__(self, dtype: DTypeLike, *columns: int) -> None:
        self._room = np.empty((16, *columns), dtype=dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def rows(self) -> NDArray[Any]:
        """A contiguous view of what was appended; rows appended later are not in it."""
        return self._room[: self._count]

    @property
    def nbytes(self) -> int:
        return self._room.nbytes

    def append(self, rows: ArrayLike) -> None:
        """Append rows (N, ...)."""
        added = np.asarray(rows, dtype=self._room.dtype)
        self.extend(len(added))[:] = added

    def extend(self, count: int) -> NDArray[Any]:
        """Append rows without values and return them, to be filled in."""
        end = self._count + count
        if end > len(self._room):
            room = np.empty((max(end, 2 * len(self._room)), *self._room.shape[1:]), dtype=self._room.dtype)
            room[: self._count] = self.rows
            self._room = room
        self._count = end
        return self._room[end - count : end]

    def copy(self) -> GrowingArray:
        twin = GrowingArray(self._room.dtype, *self._room.shape[1:])
        twin.append(self.rows)
        return twin
