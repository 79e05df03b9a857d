"""Write the binary half of a GLB file."""

from __future__ import annotations

import struct

import numpy as np
import pygltflib

from gambol.errors import InvalidInput
from gambol.files.gltf.container import BINARY_CHUNK, JSON_CHUNK, MAGIC

_COMPONENT_TYPES = {
    np.dtype(np.uint8): pygltflib.UNSIGNED_BYTE,
    np.dtype(np.uint16): pygltflib.UNSIGNED_SHORT,
    np.dtype(np.uint32): pygltflib.UNSIGNED_INT,
    np.dtype(np.float32): pygltflib.FLOAT,
}
_KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}  # by the number of components


class BufferWriter:
    """Append arrays to the one buffer of a GLB, with the views and accessors that describe them."""

    def __init__(self, model: pygltflib.GLTF2) -> None:
        self._model = model
        self._parts: list[bytes] = []
        self._length = 0

    def begin_view(self, *, target: int | None = None) -> None:
        """Begin a buffer view; arrays go into the latest view."""
        self._model.bufferViews.append(
            pygltflib.BufferView(buffer=0, byteOffset=self._length, byteLength=0, target=target)
        )

    def add(self, values: np.ndarray, *, bounds: bool = False) -> int:
        """Append an array (count,) or (count, components) and return its accessor; bounds adds min and max."""
        table = np.ascontiguousarray(values.reshape(len(values), -1))
        view = self._model.bufferViews[-1]
        accessor = pygltflib.Accessor(
            bufferView=len(self._model.bufferViews) - 1,
            byteOffset=view.byteLength,
            componentType=_COMPONENT_TYPES[table.dtype],
            count=len(table),
            type=_KINDS[table.shape[1]],
        )
        if bounds:
            accessor.min = table.min(axis=0).tolist()
            accessor.max = table.max(axis=0).tolist()
        data = table.astype(table.dtype.newbyteorder("<")).tobytes()
        data += bytes(-len(data) % 4)
        self._parts.append(data)
        self._length += len(data)
        view.byteLength += len(data)
        self._model.accessors.append(accessor)
        return len(self._model.accessors) - 1

    def to_glb(self) -> bytes:
        """Return the whole file."""
        self._model.buffers = [pygltflib.Buffer(byteLength=self._length)]
        text = self._model.to_json(separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + 8 + self._length
        if total >= 1 << 32:
            raise InvalidInput(f"a GLB file holds at most 4 GiB; this one would have {total:,} bytes")
        head = struct.pack("<4sIIII", MAGIC, 2, total, len(text), JSON_CHUNK)
        return b"".join((head, text, struct.pack("<II", self._length, BINARY_CHUNK), *self._parts))
