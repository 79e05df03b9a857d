"""Arrays in one small file: a zip of .npy entries whose bytes deflate well, written the same every time.

Tracks of numbers that change smoothly are whole multiples of a small step; what is packed is how their change
changes from frame to frame.  Bytes of equal weight lie together: the high ones are nearly all zero.
"""

from __future__ import annotations

import io
import math
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from tokenize import TokenError
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from gambol.errors import InvalidInput, MalformedFile
from gambol.geometry.arrays import FloatArray

STEP = 2.0**-24  # metres, or parts of one: what smooth tracks are rounded to; larger is coarser and smaller on disk
MOST_VALUES = 1 << 26  # numbers in one file: half a gigabyte once they are unpacked
MOST_STEPS = 1 << 59  # from zero; beyond, whole numbers of 64 bits do not hold how changes change
#: What Python's readers raise for files that are damaged.
DAMAGE = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, OSError, EOFError, RuntimeError, MemoryError,
    SyntaxError, TokenError, BadZipFile, struct.error, zlib.error,
)  # fmt: skip


def pack_arrays(arrays: Mapping[str, NDArray]) -> bytes:
    """Return a file of arrays by name."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as parts:
        for name, array in arrays.items():
            entry = io.BytesIO()
            npy.write_array(entry, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
            info = ZipInfo(f"{name}.npy")  # of 1980: the same arrays are the same file
            info.compress_type = ZIP_DEFLATED
            parts.writestr(info, entry.getvalue())
    return buffer.getvalue()


def unpack_arrays(data: bytes) -> dict[str, NDArray]:
    """Read a file of arrays; no more is inflated than the entries declare, and that is limited."""
    arrays, room = {}, MOST_VALUES
    with ZipFile(io.BytesIO(data)) as parts:
        for info in parts.infolist():
            if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise MalformedFile(f"{info.filename[:80]} is packed in another way than deflated")
            with parts.open(info) as entry:
                if npy.read_magic(entry) != (1, 0):
                    raise MalformedFile(f"{info.filename[:80]} is no .npy of version 1.0")
                shape, _, dtype = npy.read_array_header_1_0(entry)
                count = math.prod(shape)
                room -= count
                if dtype.kind not in "biuf" or dtype.itemsize > 8 or min(shape, default=0) < 0:
                    raise MalformedFile(f"{info.filename[:80]} is no array of numbers")
                if room < 0:
                    raise MalformedFile(f"its arrays hold more than {MOST_VALUES:,} numbers")
                values = np.frombuffer(entry.read(count * dtype.itemsize), dtype)
            arrays[info.filename.removesuffix(".npy")] = values.reshape(shape)
    return arrays


def pack_floats(tracks: Sequence[NDArray], dtype: type = np.float64) -> NDArray[np.uint8]:
    """Return the bytes of tracks (F, ...) of numbers, as they are: (bytes in one number, N)."""
    return _bytes_apart(_joined([np.asarray(track, dtype=dtype) for track in tracks], dtype))


def unpack_floats(packed: NDArray[np.uint8], shapes: Sequence[tuple[int, ...]]) -> Iterator[FloatArray]:
    """Return the tracks of these shapes that were packed as they are."""
    values = _bytes_together(packed, "f")
    for track in _parted(values, shapes):
        yield track.astype(np.float64)


def pack_smooth(tracks: Sequence[NDArray]) -> NDArray[np.uint8]:
    """Return the bytes of tracks (F, ...) rounded to whole steps: (bytes in one number, N)."""
    steps = [np.rint(np.asarray(track) / STEP) for track in tracks]
    if any(not np.all(np.abs(track) < MOST_STEPS) for track in steps):
        raise InvalidInput("a track that is this far from zero cannot be packed")
    changes = _joined([_changes(_changes(track.astype(np.int64))) for track in steps], np.int64)
    folded = ((changes << 1) ^ (changes >> 63)).view(np.uint64)  # small numbers stay small without a sign
    return _bytes_apart(folded.astype(np.min_scalar_type(folded.max(initial=0))))


def unpack_smooth(packed: NDArray[np.uint8], shapes: Sequence[tuple[int, ...]]) -> Iterator[FloatArray]:
    """Return the tracks of these shapes that were packed as smooth ones."""
    folded = _bytes_together(packed, "u").astype(np.uint64)
    changes = (folded >> np.uint64(1)).view(np.int64) ^ -(folded & np.uint64(1)).view(np.int64)
    for track in _parted(changes, shapes):
        yield STEP * np.cumsum(np.cumsum(track, axis=0), axis=0)


def _changes(track: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.diff(track, axis=0, prepend=np.zeros_like(track[:1]))


def _joined(tracks: Sequence[NDArray], dtype: type) -> NDArray:
    """Lay tracks end to end, each number's whole time in one piece."""
    pieces = [track.reshape(len(track), -1).T.ravel() for track in tracks]
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype)


def _parted(values: NDArray, shapes: Sequence[tuple[int, ...]]) -> Iterator[NDArray]:
    counts = [math.prod(shape) for shape in shapes]
    if sum(counts) != len(values) or any(min(shape) < 0 for shape in shapes):
        raise MalformedFile(f"{len(values):,} numbers for tracks of {sum(counts):,}")
    for shape, count, end in zip(shapes, counts, np.cumsum(counts), strict=True):
        yield values[end - count : end].reshape(math.prod(shape[1:]), shape[0]).T.reshape(shape)


def _bytes_apart(values: NDArray) -> NDArray[np.uint8]:
    little = values.astype(values.dtype.newbyteorder("<"))
    return np.ascontiguousarray(little.view(np.uint8).reshape(len(values), values.itemsize).T)


def _bytes_together(packed: NDArray[np.uint8], kind: str) -> NDArray:
    if packed.ndim != 2 or packed.dtype != np.uint8:
        raise MalformedFile("packed numbers must be bytes in two dimensions")
    return np.ascontiguousarray(packed.T).view(f"<{kind}{len(packed)}").reshape(-1)
