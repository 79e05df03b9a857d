"""Structs of the core as files that core/tests/replay/replay.c opens: bytes as in memory, offsets for pointers."""

from __future__ import annotations

import struct as layout
from pathlib import Path
from typing import Any

import numpy as np

from gambol.core import Struct, ffi

MAGIC = 0x3145474D49424721
MOST_ROOTS = 16
SEARCH, LOOK_UPS, TRIP = 1, 2, 3  # what a program is to do with it


def _address(pointer: Any) -> int:
    return int(ffi.cast("intptr_t", pointer))


class Image:
    """Bytes that grow, and where in them pointers stand."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._pointers: list[tuple[int, int]] = []
        self._memory: dict[int, tuple[bytes, Any]] = {}  # by address: what is there, and its C type if it is a struct
        self._placed: dict[int, int] = {}  # by address: where it is in the image

    def write(self, path: Path, what: int, number: int, roots: list[Any], *, also: tuple[Any, ...] = ()) -> Path:
        """Write the image of some roots.  also: what they point to, where they do not keep it alive themselves."""
        self._know(also)
        offsets = [self._place(self._know(root)) for root in roots]
        offsets += [0] * (MOST_ROOTS - len(offsets))
        header = (MAGIC, what, number, len(roots), *offsets, len(self._pointers), len(self._bytes))
        pairs = [value for pair in self._pointers for value in pair]
        path.write_bytes(layout.pack(f"<{len(header) + len(pairs)}q", *header, *pairs) + self._bytes)
        return path

    def _know(self, value: Any) -> int:
        """Note what lies where in memory, of a value and of all that it keeps alive; return its address."""
        if isinstance(value, np.ndarray):
            self._memory[value.ctypes.data] = value.tobytes(), None
            return value.ctypes.data
        if isinstance(value, Struct):
            at = _address(value.c)
            self._memory[at] = bytes(ffi.buffer(value.c)), ffi.typeof(value.c).item
            for kept in value.kept.values():
                self._know(kept)
            return at
        for each in value if isinstance(value, (tuple, list)) else ():
            self._know(each)
        if isinstance(value, ffi.CData):
            self._memory[_address(value)] = bytes(ffi.buffer(value)), ffi.typeof(value)
        return 0

    def _place(self, address: int) -> int:
        """Return where in the image that is which lies at an address, or inside of what begins before it."""
        begin = max(at for at in self._memory if at <= address)
        content, kind = self._memory[begin]
        assert address < begin + max(len(content), 1), "a pointer leads to nothing that is known"
        if begin not in self._placed:
            self._bytes += bytes(-len(self._bytes) % 64)
            self._placed[begin] = at = len(self._bytes)
            self._bytes += content or bytes(8)
            if kind is not None:
                self._follow(content, 0, kind, at)
        return self._placed[begin] + address - begin

    def _follow(self, content: bytes, begin: int, kind: Any, at: int) -> None:
        """Place what a value points to that begins somewhere in some bytes: a pointer, a struct, an array of these."""
        if kind.kind == "struct":
            for _, field in kind.fields:
                self._follow(content, begin + field.offset, field.type, at + field.offset)
        elif kind.kind == "array" and kind.item.kind in ("struct", "pointer", "array"):
            size = ffi.sizeof(kind.item)
            for step in range(0, ffi.sizeof(kind) if kind.length else len(content), size):
                self._follow(content, begin + step, kind.item, at + step)
        elif kind.kind == "pointer":
            (address,) = layout.unpack_from("<q", content, begin)
            if address:
                self._pointers.append((at, self._place(address)))
