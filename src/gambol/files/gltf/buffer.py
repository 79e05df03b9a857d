"""Write a GLB file: its JSON, and the arrays that this describes."""

from __future__ import annotations

import json
import struct

import numpy as np

from gambol.errors import InvalidInput
from gambol.files.gltf.container import BINARY_CHUNK, JSON_CHUNK, MAGIC
from gambol.files.gltf.fields import Json

ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963  # what a view holds: attributes of vertices, or indices
_COMPONENT_TYPES = {
    np.dtype(np.uint8): 5121,
    np.dtype(np.uint16): 5123,
    np.dtype(np.uint32): 5125,
    np.dtype(np.float32): 5126,
}
_KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}  # by the number of components


class BufferWriter:
    """Append arrays to the one buffer of a GLB, with the views and accessors that describe them."""

    def __init__(self, model: Json) -> None:
        self._model = model
        self._views: list[Json] = model.setdefault("bufferViews", [])
        self._accessors: list[Json] = model.setdefault("accessors", [])
        self._parts: list[bytes] = []
        self._length = 0

    def begin_view(self, *, target: int | None = None) -> None:
        """Begin a buffer view; arrays go into the latest view."""
        view = {"buffer": 0, "byteOffset": self._length, "byteLength": 0}
        self._views.append(view if target is None else {**view, "target": target})

    def add(self, values: np.ndarray, *, bounds: bool = False) -> int:
        """Append an array (count,) or (count, components) and return its accessor; bounds adds min and max."""
        table = np.ascontiguousarray(values.reshape(len(values), -1))
        view = self._views[-1]
        accessor = {
            "bufferView": len(self._views) - 1,
            "byteOffset": view["byteLength"],
            "componentType": _COMPONENT_TYPES[table.dtype],
            "count": len(table),
            "type": _KINDS[table.shape[1]],
        }
        if bounds:
            accessor |= {"min": table.min(axis=0).tolist(), "max": table.max(axis=0).tolist()}
        data = table.astype(table.dtype.newbyteorder("<")).tobytes()
        data += bytes(-len(data) % 4)
        self._parts.append(data)
        self._length += len(data)
        view["byteLength"] += len(data)
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def to_glb(self) -> bytes:
        """Return the whole file."""
        self._model["buffers"] = [{"byteLength": self._length}]
        text = json.dumps(self._model, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + 8 + self._length
        if total >= 1 << 32:
            raise InvalidInput(f"a GLB file holds at most 4 GiB; this one would have {total:,} bytes")
        head = struct.pack("<4sIIII", MAGIC, 2, total, len(text), JSON_CHUNK)
        return b"".join((head, text, struct.pack("<II", self._length, BINARY_CHUNK), *self._parts))
