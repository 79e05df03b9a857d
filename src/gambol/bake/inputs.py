"""The files that a task reads: found by watching, kept by content, laid out anew wherever the task is run.

A scene names characters, those name motions: all of them travel together, in folders as they were, once to each
machine.  They are copied before anything is baked, so that nobody can change them meanwhile.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, TypeVar

from gambol.bake.folders import into_place
from gambol.io.files import read_bytes, watched_reads

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Inputs:
    """Files by their names below a common folder, with the SHA-256 of their contents."""

    digests: Mapping[str, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "digests", MappingProxyType(dict(sorted(self.digests.items()))))

    def __reduce__(self) -> tuple[Any, ...]:  # views of mappings are not pickled
        return Inputs, (dict(self.digests),)

    @cached_property
    def key(self) -> str:
        listed = "".join(f"{name}\0{digest}\n" for name, digest in self.digests.items())
        return hashlib.sha256(listed.encode()).hexdigest()


class Gathered:
    """All inputs of a job, with the contents of their files."""

    def __init__(self) -> None:
        self._contents: dict[str, dict[str, bytes]] = {}  # by the inputs' key and the files' names
        self._bytes: dict[Path, bytes] = {}

    def read(
        self, reader: Callable[[], Value], *sources: Path, folder: Path | None = None
    ) -> tuple[Value, Inputs, Path]:
        """Call what reads sources; return what it returns, the files that were read, and their common folder.

        folder: where the reader looks for files; if it finds any there, it lies in the common folder.
        """
        with watched_reads() as paths:
            value = reader()
        files = {plain_path(path) for path in (*sources, *paths)}
        folders = [path.parent for path in files]
        if folder is not None and any(one.is_relative_to(folder) for one in folders):
            folders.append(folder)
        root = Path(os.path.commonpath(folders)) if folders else Path()  # none: what ships is enough
        contents = {path.relative_to(root).as_posix(): self._content(path) for path in files}
        inputs = Inputs({name: hashlib.sha256(data).hexdigest() for name, data in contents.items()})
        self._contents[inputs.key] = contents
        return value, inputs, root

    def _content(self, path: Path) -> bytes:
        if path not in self._bytes:
            self._bytes[path] = read_bytes(path)
        return self._bytes[path]

    def contents(self, inputs: Inputs) -> dict[str, bytes]:
        return self._contents[inputs.key]


def plain_path(path: Path) -> Path:
    """Return a path from the root on, without dots; links stay what they are."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def lay_out(folder: Path, inputs: Inputs, contents: Mapping[str, bytes]) -> Path:
    """Return a folder below another that holds the files of some inputs; make it if it is not there."""
    place = folder / inputs.key[:32]
    if not place.is_dir():
        with into_place(place) as temporary:
            for name, data in contents.items():
                path = temporary / PurePosixPath(name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    return place
