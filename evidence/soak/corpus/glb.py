"""GLB files put together by hand, with features that our own writer does not use."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

GLB_HEADER, CHUNK_HEADER = struct.Struct("<4sII"), struct.Struct("<I4s")
FLOAT, SHORT, UNSIGNED_SHORT = 5126, 5122, 5123
JOINTS = 4


def hand_made_glbs() -> list[bytes]:
    """Return a skinned chain, one with splines and small numbers, one without a skin, and a pair."""
    return [
        _Document().chain("a", skinned=True).file(),
        _Document().chain("a", skinned=True, interpolation="CUBICSPLINE").file(),
        _Document().chain("a", skinned=True, interpolation="STEP", shorts=True).file(),
        _Document().chain("a", skinned=False, sparse=True).file(),
        _Document().chain("a", skinned=True).chain("b", skinned=True).file(),
    ]


def pack(document: bytes, binary: bytes) -> bytes:
    """Wrap JSON and binary in a GLB container with true lengths."""
    document += b" " * (-len(document) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = CHUNK_HEADER.pack(len(document), b"JSON") + document + CHUNK_HEADER.pack(len(binary), b"BIN\0") + binary
    return GLB_HEADER.pack(b"glTF", 2, GLB_HEADER.size + len(chunks)) + chunks


def unpack(data: bytes) -> tuple[bytes, bytes]:
    """Return the JSON and the binary of a valid GLB file; `ValueError` or `struct.error` for others."""
    start = GLB_HEADER.size + CHUNK_HEADER.size
    size, kind = CHUNK_HEADER.unpack_from(data, GLB_HEADER.size)
    if kind != b"JSON":
        raise ValueError("no JSON chunk")
    return data[start : start + size], data[start + size + CHUNK_HEADER.size :]


class _Document:
    def __init__(self) -> None:
        self._rng = np.random.default_rng(3)
        self._binary = b""
        self._parts: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("nodes", "skins", "animations", "accessors", "bufferViews")
        }
        self._roots: list[int] = []

    def chain(
        self, name: str, *, skinned: bool, interpolation: str = "LINEAR", shorts: bool = False, sparse: bool = False
    ) -> _Document:
        """Add a chain of joints that moves for five keys."""
        nodes = self._parts["nodes"]
        first = len(nodes)
        for joint in range(JOINTS):
            node: dict[str, Any] = {"name": f"{name}{joint}", "translation": [0.1, 0.4, 0.0]}
            if joint + 1 < JOINTS:
                node["children"] = [first + joint + 1]
            nodes.append(node)
        self._roots.append(first)
        if skinned:
            self._skin(name, first)
        times = self._accessor(np.arange(5, dtype="<f4") / 30, "SCALAR")
        samplers = [
            {"input": times, "interpolation": interpolation, "output": self._turns(interpolation, shorts, sparse)}
        ]
        samplers.append({"input": times, "output": self._accessor(self._rng.normal(size=(5, 3)).astype("<f4"), "VEC3")})
        channels = [{"sampler": 0, "target": {"node": first + joint, "path": "rotation"}} for joint in range(JOINTS)]
        channels.append({"sampler": 1, "target": {"node": first, "path": "translation"}})
        self._parts["animations"].append({"name": f"{name}_move", "channels": channels, "samplers": samplers})
        return self

    def file(self) -> bytes:
        parts = {name: values for name, values in self._parts.items() if values}
        document = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": self._roots}],
            "buffers": [{"byteLength": len(self._binary)}], **parts,
        }  # fmt: skip
        return pack(json.dumps(document).encode(), self._binary)

    def _skin(self, name: str, first: int) -> None:
        matrices = np.tile(np.eye(4, dtype="<f4"), (JOINTS, 1, 1))
        # Column-major: the translation is the last row as stored.
        matrices[:, 3, :3] = -np.arange(1, JOINTS + 1)[:, None] * np.array([0.1, 0.4, 0.0])
        joints = list(range(first, first + JOINTS))
        self._parts["skins"].append(
            {"name": name, "joints": joints, "inverseBindMatrices": self._accessor(matrices.reshape(-1, 16), "MAT4")}
        )

    def _turns(self, interpolation: str, shorts: bool, sparse: bool) -> int:
        rows = 15 if interpolation == "CUBICSPLINE" else 5
        turns = self._rng.normal(size=(rows, 4))
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        if shorts:
            return self._accessor(np.round(turns * 32767).astype("<i2"), "VEC4", component=SHORT, normalized=True)
        index = self._accessor(turns.astype("<f4"), "VEC4")
        if sparse:
            indices, values = self._view(np.array([1, 3], "<u2")), self._view(turns[:2].astype("<f4"))
            self._parts["accessors"][index]["sparse"] = {
                "count": 2,
                "indices": {"bufferView": indices, "componentType": UNSIGNED_SHORT},
                "values": {"bufferView": values},
            }
        return index

    def _accessor(self, values: np.ndarray, kind: str, *, component: int = FLOAT, normalized: bool = False) -> int:
        accessor: dict[str, Any] = {
            "bufferView": self._view(values), "componentType": component, "count": len(values), "type": kind,
        }  # fmt: skip
        if normalized:
            accessor["normalized"] = True
        if kind == "SCALAR":
            accessor |= {"min": [float(values.min())], "max": [float(values.max())]}
        self._parts["accessors"].append(accessor)
        return len(self._parts["accessors"]) - 1

    def _view(self, values: np.ndarray) -> int:
        self._binary += b"\0" * (-len(self._binary) % 4)
        self._parts["bufferViews"].append({"buffer": 0, "byteOffset": len(self._binary), "byteLength": values.nbytes})
        self._binary += values.tobytes()
        return len(self._parts["bufferViews"]) - 1
