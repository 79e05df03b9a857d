"""The outer layers of glTF: GLB chunks, JSON, and the buffers inside or beside the file.

This uses plain `json` and `struct` instead of pygltflib: on damaged input its reader raises KeyError, struct.error and
RecursionError, takes 10 s for 2 MB of JSON that `json` reads in 20 ms, and does not check claimed sizes.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote, unquote_to_bytes

from gambol.errors import MalformedFile, UnreadableFile
from gambol.files.disk import MAX_BYTES, read_bytes
from gambol.files.gltf import fields
from gambol.files.gltf.fields import Json

MAGIC = b"glTF"  # first bytes of a GLB
JSON_CHUNK = 0x4E4F534A  # type of the JSON chunk
BINARY_CHUNK = 0x004E4942  # type of the binary chunk
MAX_JSON_VALUES = 2_000_000  # the most values of JSON that are read; a crowd of a thousand characters needs fewer


class GltfDocument:
    """A glTF file's JSON, and its buffers, which are fetched on first use."""

    def __init__(self, contents: Json, binary: memoryview | None, folder: Path | None) -> None:
        self.json = contents
        self._binary = binary
        self._folder = folder
        self._specs = fields.objects(contents, "buffers")
        self._fetched: dict[int, memoryview] = {}
        self._outside_bytes = 0

    @property
    def buffer_count(self) -> int:
        return len(self._specs)

    def buffer(self, index: int) -> memoryview:
        """Return the bytes of a buffer, as many as its byteLength claims."""
        if index not in self._fetched:
            where = f"buffers[{index}]"
            data = self._fetch(index, where)
            length = fields.integer(self._specs[index], "byteLength", where, low=1, below=1 << 40)
            if length > len(data):
                raise MalformedFile(f"{where} claims {length:,} bytes and has {len(data):,}")
            self._fetched[index] = data[:length]
        return self._fetched[index]

    def _fetch(self, index: int, where: str) -> memoryview:
        spec = self._specs[index]
        if "uri" not in spec:
            if index != 0 or self._binary is None:
                raise MalformedFile(f"{where} has no uri, and the file has no binary chunk for it")
            return self._binary
        uri = fields.text(spec, "uri")
        if uri.startswith("data:"):
            return memoryview(_decode_data_uri(uri, where))
        data = read_bytes(_resolve_beside(uri, self._folder, where), max_bytes=MAX_BYTES - self._outside_bytes)
        self._outside_bytes += len(data)
        return memoryview(data)


def open_document(data: bytes, *, folder: Path | None) -> GltfDocument:
    """Split a .glb or .gltf file into its parts; buffers in files of their own are read from `folder` only."""
    if data[:4] == MAGIC:
        text, binary = _split_glb(data)
    elif data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        text, binary = data, None
    else:
        raise MalformedFile("neither a GLB (which begins with 'glTF') nor a .gltf (JSON, which begins with '{')")
    contents = _parse_json(bytes(text))
    version = fields.text(fields.section(contents, "asset"), "version")
    if not version.startswith("2."):
        raise MalformedFile(f"asset.version must be 2.x, not {fields.shown(version)}")
    return GltfDocument(contents, binary, folder)


def _split_glb(data: bytes) -> tuple[memoryview, memoryview | None]:
    if len(data) < 20:
        raise MalformedFile(f"the file ends after {len(data)} bytes, inside the GLB header")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise MalformedFile(f"GLB version must be 2, not {version}")
    if length > len(data):
        raise MalformedFile(f"the GLB header claims {length:,} bytes, but the file has {len(data):,}: truncated?")
    chunks = _chunks(memoryview(data)[:length])
    kind, text = next(chunks, (None, None))
    if text is None:
        raise MalformedFile(f"the GLB header claims {length} bytes, too few for any chunk")
    if kind != JSON_CHUNK:
        raise MalformedFile(f"the first GLB chunk must be JSON, not {kind:#010x}")
    # Chunks of other kinds belong to extensions and are skipped.
    binary = next((chunk for kind, chunk in chunks if kind == BINARY_CHUNK), None)
    return text, binary


def _chunks(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    start = 12
    while start + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, start)
        if length > len(data) - start - 8:
            left = len(data) - start - 8
            raise MalformedFile(f"the GLB chunk at byte {start} claims {length:,} bytes, but {left:,} are left")
        yield kind, data[start + 8 : start + 8 + length]
        start += 8 + length


def _parse_json(text: bytes) -> Json:
    # The number of separators bounds time and memory before anything is built.
    if sum(text.count(mark) for mark in (b",", b"[", b"{")) > MAX_JSON_VALUES:
        raise MalformedFile(f"the JSON has more than {MAX_JSON_VALUES:,} values")
    try:
        contents: Any = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except RecursionError:
        raise MalformedFile("the JSON is nested too deeply") from None
    except ValueError as error:  # bad UTF-8, bad JSON, numbers of thousands of digits
        raise MalformedFile(f"not valid JSON: {error}", line=getattr(error, "lineno", None)) from None
    if not isinstance(contents, dict):
        raise MalformedFile("the JSON must be an object")
    return contents


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _decode_data_uri(uri: str, where: str) -> bytes:
    kind, comma, payload = uri.partition(",")
    if not comma:
        raise MalformedFile(f"{where}.uri is a data URI without a comma")
    try:
        return base64.b64decode(payload, validate=True) if kind.endswith(";base64") else unquote_to_bytes(payload)
    except ValueError as error:
        raise MalformedFile(f"{where}.uri is not valid base64: {error}") from None


def _resolve_beside(uri: str, folder: Path | None, where: str) -> Path:
    """Return the file that a relative URI names, which must lie in the folder of the .gltf."""
    if folder is None:
        raise MalformedFile(f"{where} is in a file of its own, {fields.shown(uri)}; read from a path to find it")
    name = unquote(uri)
    if not name or "\0" in name or "\\" in name or ":" in name:
        raise MalformedFile(f"{where}.uri must name a file beside this one, not {fields.shown(uri)}")
    missing = UnreadableFile(f"{where} is in a file that is missing: {fields.shown(uri)}")
    try:
        path = (folder / name).resolve()  # follows links, which may lead anywhere
        if not path.is_relative_to(folder.resolve()):
            raise MalformedFile(f"{where}.uri leads outside the folder of this file: {fields.shown(uri)}")
        if not path.is_file():
            raise missing
    except (OSError, RuntimeError):  # names too long, loops of links
        raise missing from None
    return path
