"""Arrays in one file: the safetensors container, written whole and opened by memory map.

A file is 8 bytes with the header's length, the header as JSON, and the arrays' bytes without a gap:
https://github.com/huggingface/safetensors#format.  Beyond that format, ours are aligned (so that an array is
the file's own memory) and carry a checksum of the whole file in their metadata.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from gambol.errors import FileProblem, InvalidInput, MalformedFile, UnreadableFile
from gambol.files.disk import atomic_path, note_read

LENGTH_BYTES = 8  # bytes of the header's length, little-endian
ALIGNMENT = 64  # bytes: the arrays begin at a multiple of it
MOST_HEADER_BYTES = 32 << 20  # bytes of the longest header that is read
METADATA = "__metadata__"  # the header's key of texts
CHECKSUM = "checksum"  # the key of the checksum among the texts
NO_DIGITS = b"0" * 64  # the checksum's digits while it is computed
_NUMBER_TYPES = {"F64": "<f8", "I64": "<i8", "U64": "<u8", "F32": "<f4", "I32": "<i4", "U32": "<u4"}
_SMALL_TYPES = {"I16": "<i2", "U16": "<u2", "I8": "i1", "U8": "u1", "BOOL": "bool"}
TYPES = MappingProxyType({name: np.dtype(kind) for name, kind in (_NUMBER_TYPES | _SMALL_TYPES).items()})
_NAMES = {kind: name for name, kind in TYPES.items()}
_CHECKSUM = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, eq=False)
class SafetensorsFile:
    """An open file: its arrays are its own memory, read-only, and shared by all processes that have it open."""

    path: Path | None  # None: parsed from bytes
    metadata: Mapping[str, str]
    arrays: Mapping[str, np.ndarray]
    data: bytes | mmap.mmap  # the whole file
    digits_at: int  # byte at which the 64 digits of the checksum begin

    @property
    def is_intact(self) -> bool:
        """Whether the checksum is right; reads the whole file."""
        with memoryview(self.data) as view:
            end = self.digits_at + len(NO_DIGITS)
            digest = hashlib.sha256(view[: self.digits_at])
            digest.update(NO_DIGITS)
            digest.update(view[end:])
            return digest.hexdigest().encode() == bytes(view[self.digits_at : end])


class _Entry(NamedTuple):
    """The place of an array, by the header."""

    name: str
    kind: np.dtype[Any]
    shape: tuple[int, ...]
    begin: int  # bytes since the end of the header
    end: int


def write_safetensors(path: Path | str, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Write arrays and texts, and a checksum of everything as one more text; whole or not at all."""
    # With the widest types first, every array begins at a multiple of its width, without a gap before it.
    ordered = sorted(arrays.items(), key=lambda item: -item[1].dtype.itemsize)
    head = _head(ordered, {**metadata, CHECKSUM: f"sha256:{NO_DIGITS.decode()}"})
    digest = hashlib.sha256(head)
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        file.write(head)
        for _, array in ordered:
            content = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(-1).view(np.uint8).data
            digest.update(content)
            file.write(content)
        file.seek(head.rindex(NO_DIGITS))
        file.write(digest.hexdigest().encode())


def open_safetensors(path: Path | str) -> SafetensorsFile:
    """Map a file into memory; other kinds of files are refused, but the checksum is not verified."""
    try:
        return parse_safetensors(_mapped(Path(path)), Path(path))
    except FileProblem as problem:
        raise problem.in_file(path) from None


def parse_safetensors(data: bytes | mmap.mmap, path: Path | None = None) -> SafetensorsFile:
    """Return the arrays in a file's bytes, without copying them."""
    if len(data) < LENGTH_BYTES:
        raise MalformedFile(f"{len(data)} bytes are too few for a safetensors file")
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    start = LENGTH_BYTES + length
    if length > MOST_HEADER_BYTES or start > len(data):
        raise MalformedFile(
            f"this is no safetensors file, or it is cut short: a header of {length:,} bytes in a file of {len(data):,}"
        )
    header = data[LENGTH_BYTES:start]
    listed = _parsed_header(header)
    metadata = _metadata(listed.pop(METADATA, {}))
    entries = sorted((_entry(name, about) for name, about in listed.items()), key=lambda entry: entry[3:])
    _check_places(entries, len(data) - start)
    arrays = {
        entry.name: np.frombuffer(data, entry.kind, math.prod(entry.shape), start + entry.begin).reshape(entry.shape)
        for entry in entries
    }
    for entry in entries:
        if not arrays[entry.name].flags.aligned:
            raise MalformedFile(f"{entry.name}: begins at byte {start + entry.begin}, no multiple of its width")
        arrays[entry.name].flags.writeable = False
    digits_at = LENGTH_BYTES + _place_of_digits(header, metadata)
    return SafetensorsFile(path, MappingProxyType(metadata), MappingProxyType(arrays), data, digits_at)


def _head(ordered: list[tuple[str, np.ndarray]], metadata: Mapping[str, str]) -> bytes:
    """Return the header with its length before it, padded with spaces up to the arrays.

    The metadata come last, and the checksum is the last of them: its digits are the last zeros in a row.
    """
    listed: dict[str, Any] = {}
    begin = 0
    for name, array in ordered:
        kind = array.dtype.newbyteorder("<")
        if kind not in _NAMES:
            raise InvalidInput(f"{name}: a safetensors file cannot hold {array.dtype}")
        listed[name] = {
            "dtype": _NAMES[kind],
            "shape": list(array.shape),
            "data_offsets": [begin, begin + array.nbytes],
        }
        begin += array.nbytes
    text = json.dumps({**listed, METADATA: metadata}, ensure_ascii=False, separators=(",", ":")).encode()
    if len(text) + ALIGNMENT > MOST_HEADER_BYTES:
        raise InvalidInput(f"a header of {len(text):,} bytes is more than the {MOST_HEADER_BYTES:,} that are read")
    text += b" " * (-(LENGTH_BYTES + len(text)) % ALIGNMENT)
    return len(text).to_bytes(LENGTH_BYTES, "little") + text


def _mapped(path: Path) -> mmap.mmap:
    note_read(path)
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise UnreadableFile("this is no regular file")
            if about.st_size == 0:
                raise MalformedFile("the file is empty")
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileProblem:
        raise
    except IsADirectoryError:
        raise UnreadableFile("this is a folder, not a file") from None
    except OSError as error:
        raise UnreadableFile(error.strerror or str(error)) from error
    except ValueError as error:  # a name that is invalid on all file systems
        raise UnreadableFile(str(error)) from error


def plain_json(value: Any, what: str) -> str:
    """Return plain values as JSON, for the texts of a file; what: their name in an error message."""

    def plain(odd: Any) -> Any:
        if isinstance(odd, Mapping):
            return dict(odd)
        if isinstance(odd, np.ndarray | np.generic):
            return odd.tolist()
        raise TypeError(f"{type(odd).__name__} is no plain value")

    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{what} must be plain values to be saved: {error}") from error


def strict_json(text: str, what: str) -> Any:
    """Parse JSON strictly: no name occurs twice, numbers are finite, and text can be encoded."""
    try:
        found = json.loads(
            text, object_pairs_hook=_without_repetition, parse_constant=_finite_number, parse_float=_finite_number
        )
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise MalformedFile(f"{what} is no proper JSON: {str(error)[:100]}") from None
    return found


def _parsed_header(header: bytes) -> dict[str, Any]:
    try:
        text = header.decode()
    except UnicodeDecodeError:
        raise MalformedFile("the header is no text") from None
    listed = strict_json(text, "the header")
    if not text.startswith("{") or not isinstance(listed, dict):
        raise MalformedFile("the header must be a JSON object")
    return listed


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("something is named twice")
    return found


def _finite_number(digits: str) -> float:
    if not math.isfinite(float(digits)):
        raise ValueError(f"{digits[:20]} is no finite number")
    return float(digits)


def _metadata(given: object) -> dict[str, str]:
    if not (isinstance(given, dict) and all(isinstance(value, str) for value in given.values())):
        raise MalformedFile(f"{METADATA} must map names to texts")
    return given


def _entry(name: str, about: object) -> _Entry:
    if not (isinstance(about, dict) and set(about) == {"dtype", "shape", "data_offsets"}):
        raise MalformedFile(f"{name[:40]}: dtype, shape and data_offsets expected, and nothing else")
    kind, shape, offsets = about["dtype"], about["shape"], about["data_offsets"]
    if not (isinstance(kind, str) and kind in TYPES):
        raise MalformedFile(f"{name[:40]}: dtype must be one of {', '.join(TYPES)}")
    if not (_are_counts(shape) and _are_counts(offsets) and len(offsets) == 2 and len(shape) <= 8):
        raise MalformedFile(f"{name[:40]}: shape and data_offsets must be lists of whole numbers, the second of two")
    begin, end = offsets
    if end - begin != math.prod(shape) * TYPES[kind].itemsize:
        raise MalformedFile(f"{name[:40]}: its shape and type need another number of bytes than it has")
    return _Entry(name, TYPES[kind], tuple(shape), begin, end)


def _are_counts(values: object) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1 << 62 for value in values)


def _check_places(entries: list[_Entry], size: int) -> None:
    """Raise unless the arrays follow each other without gap or overlap to the end of the file."""
    ends = entries[-1].end if entries else 0
    gapless = all(before.end == after.begin for before, after in pairwise(entries))
    if entries and (entries[0].begin != 0 or not gapless):
        raise MalformedFile("the arrays overlap, or there are gaps between them")
    if ends != size:
        what = "cut short" if ends > size else "followed by something else"
        raise MalformedFile(f"the file is {what}: its arrays need {ends:,} bytes, it has {size:,}")


def _place_of_digits(header: bytes, metadata: Mapping[str, str]) -> int:
    checksum = metadata.get(CHECKSUM, "")
    if not _CHECKSUM.fullmatch(checksum) or header.count(checksum.encode()) != 1:
        raise MalformedFile(f"its metadata must have one {CHECKSUM}, 'sha256:' and 64 hexadecimal digits")
    return header.index(checksum.encode()) + len("sha256:")
