"""Room for arrays that one picture needs and the next one too: fresh memory costs more than filling it."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

MOST_BYTES = 1 << 25  # bytes that are kept of each kind of array and thread; larger arrays are made anew

_kept = threading.local()


def scratch(name: str, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return an array with any values, which holds until this thread asks for one of the same name again."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    if size > MOST_BYTES:
        return np.empty(shape, kind)
    rooms: dict[str, NDArray[np.uint8]] = _kept.__dict__.setdefault("rooms", {})
    if name not in rooms or rooms[name].nbytes < size:
        rooms[name] = np.empty(size, np.uint8)
    return rooms[name][:size].view(kind).reshape(shape)
