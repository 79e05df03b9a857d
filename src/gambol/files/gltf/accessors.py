"""Typed arrays in a glTF file's buffers."""

from __future__ import annotations

import numpy as np

from gambol.errors import MalformedFile, UnreadableFile
from gambol.files.gltf import fields
from gambol.files.gltf.container import GltfDocument
from gambol.files.gltf.fields import MAX_VALUE, Json
from gambol.geometry.arrays import FloatArray

COMPONENT_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}  # by glTF's codes
COMPONENT_COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}  # numbers in an element of a type
FREE_COMPONENTS = 1 << 22  # numbers that any file may decode, besides one for each of its bytes
_HUGE = 1 << 40  # bytes or elements: larger counts and offsets are refused
_COMPRESSIONS = ("EXT_meshopt_compression", "KHR_meshopt_compression")  # extensions that are not read


class Accessors:
    """Decode accessors to floating point, each once, and not more of them than the file can justify.

    A few bytes can demand gigabytes: with accessors that have no bytes (all zeros, perhaps sparse) and with many
    accessors of the same bytes.  The number of decoded components is therefore limited.
    """

    def __init__(self, document: GltfDocument) -> None:
        self._document = document
        self._specs = fields.objects(document.json, "accessors")
        self._views = fields.objects(document.json, "bufferViews")
        self._decoded: dict[int, FloatArray] = {}
        self._counted_buffers: set[int] = set()
        self._left = FREE_COMPONENTS

    @property
    def count(self) -> int:
        return len(self._specs)

    def floats(self, index: int, kind: str) -> FloatArray:
        """Return the accessor of this kind as (count, components), finite; integers are normalised if it says so."""
        where = f"accessors[{index}]"
        spec = self._specs[index]
        if spec.get("type") != kind:
            raise MalformedFile(f"{where}.type must be {kind} here, not {fields.shown(spec.get('type'))}")
        if index not in self._decoded:
            self._decoded[index] = self._decode(spec, where, COMPONENT_COUNTS[kind])
        return self._decoded[index]

    def _decode(self, spec: Json, where: str, width: int) -> FloatArray:
        dtype = _component_type(spec, where)
        count = fields.integer(spec, "count", where, low=1, below=_HUGE)
        if "bufferView" in spec:
            raw = self._elements(spec, where, dtype, count, width)
            self._charge(count * width, where)
        else:
            self._charge(count * width, where)
            raw = np.zeros((count, width), dtype)
        if "sparse" in spec:
            raw = self._with_sparse(raw, fields.section(spec, "sparse", where), f"{where}.sparse", dtype)
        return _finite(raw, where, normalized=spec.get("normalized") is True)

    def _charge(self, components: int, where: str) -> None:
        self._left -= components
        if self._left < 0:
            raise MalformedFile(f"{where} demands more numbers than the file has room for")

    def _with_sparse(self, base: np.ndarray, spec: Json, where: str, dtype: np.dtype) -> np.ndarray:
        count = fields.integer(spec, "count", where, low=1, below=len(base) + 1)
        at = fields.section(spec, "indices", where)
        at_type = _component_type(at, f"{where}.indices")
        if at_type.kind != "u":
            raise MalformedFile(f"{where}.indices.componentType must be unsigned")
        rows = self._elements(at, f"{where}.indices", at_type, count, 1)[:, 0]
        if rows.max() >= len(base):
            raise MalformedFile(f"{where}.indices reach {rows.max()}, but the accessor has {len(base)} elements")
        values = fields.section(spec, "values", where)
        patched = base.copy()
        patched[rows] = self._elements(values, f"{where}.values", dtype, count, base.shape[1])
        return patched

    def _elements(self, spec: Json, where: str, dtype: np.dtype, count: int, width: int) -> np.ndarray:
        """View `count` elements in a buffer view, without copying, after a check that all are there."""
        view = fields.integer(spec, "bufferView", where, below=len(self._views))
        data, stride = self._view(view)
        size = dtype.itemsize * width
        stride = stride or size
        offset = fields.integer(spec, "byteOffset", where, default=0, below=_HUGE)
        needed = offset + stride * (count - 1) + size
        if stride < size or needed > len(data):
            raise MalformedFile(
                f"{where} needs {needed:,} bytes, {stride} for each of {count:,} elements of {size}; "
                f"bufferViews[{view}] has {len(data):,}"
            )
        return np.ndarray((count, width), dtype, data, offset, (stride, dtype.itemsize))

    def _view(self, index: int) -> tuple[memoryview, int]:
        spec, where = self._views[index], f"bufferViews[{index}]"
        for compression in fields.section(spec, "extensions", where):
            if compression in _COMPRESSIONS:
                raise UnreadableFile(f"{where} is compressed with {compression}; export the file without it")
        buffer = fields.integer(spec, "buffer", where, below=self._document.buffer_count)
        data = self._document.buffer(buffer)
        if buffer not in self._counted_buffers:
            self._counted_buffers.add(buffer)
            self._left += len(data)
        offset = fields.integer(spec, "byteOffset", where, default=0, below=_HUGE)
        length = fields.integer(spec, "byteLength", where, low=1, below=_HUGE)
        if offset + length > len(data):
            raise MalformedFile(f"{where} reaches to byte {offset + length:,} of a buffer of {len(data):,}")
        return data[offset : offset + length], fields.integer(spec, "byteStride", where, default=0, below=256)


def _component_type(spec: Json, where: str) -> np.dtype:
    code = spec.get("componentType")
    if not isinstance(code, int) or code not in COMPONENT_TYPES:
        raise MalformedFile(f"{where}.componentType must be one of {list(COMPONENT_TYPES)}, not {fields.shown(code)}")
    return np.dtype(COMPONENT_TYPES[code])


def _finite(raw: np.ndarray, where: str, *, normalized: bool) -> FloatArray:
    with np.errstate(invalid="ignore"):  # signalling NaN
        values = raw.astype(np.float64)
    if normalized and raw.dtype.kind in "iu":
        values = np.maximum(values / np.iinfo(raw.dtype).max, -1.0)
    if not np.all(np.abs(values) <= MAX_VALUE):
        raise MalformedFile(f"{where} holds numbers that are not finite or beyond ±{MAX_VALUE:.0e}")
    return values
