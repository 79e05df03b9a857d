"""The files that a task reads: found by watching its reader, kept by content, laid out wherever the task runs.

A scene names characters, and these name motions: all files travel together, in the same folders, once to each machine.
They are copied before the first task runs, so that no change reaches them later.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, TypeVar

from gambol.files.disk import read_bytes, watched_reads
from gambol.files.folders import file_into_place, into_place, make_folder, one_at_a_time, out_of_place, writing

Value = TypeVar("Value")
Content = bytes | memoryview
KEY_LETTERS = 32  # 1 to 64: letters of an inputs' key in the name of its folder
FILES = "files"  # name of the folder of the files that others link to

_looked_at: set[tuple[int | str, ...]] = set()  # files whose contents this process has read, with their digests


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
        """Call a reader of sources; return its value, the files that it read, and their common folder.

        folder: where the reader looks for files; if it finds some there, the common folder contains it.
        """
        with watched_reads() as paths:
            value = reader()
        files = {plain_path(path) for path in (*sources, *paths)}
        folders = [path.parent for path in files]
        if folder is not None and any(one.is_relative_to(folder) for one in folders):
            folders.append(folder)
        root = Path(os.path.commonpath(folders)) if folders else Path()  # no folders: it read only what ships
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
    """Return an absolute path without dots; links stay as they are."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def lay_out(folder: Path, inputs: Inputs, content: Callable[[str], Content]) -> Path:
    """Return a folder below another that holds the files of some inputs; make it if it is not there.

    content: returns the content of a file by its name; it is called only for missing files.  Equal files are links to
    one file, since many scenes may share a large tree.  One process at a time does this, and the others find it done.
    """
    place = folder / inputs.key[:KEY_LETTERS]
    if not _is_whole(place, inputs):
        with one_at_a_time(folder / ".lock"):
            if not _is_whole(place, inputs):
                if place.exists():
                    out_of_place(place, scratch=folder)
                with into_place(place) as temporary, writing(place):
                    for name, digest in inputs.digests.items():
                        path = temporary / PurePosixPath(name)
                        path.parent.mkdir(parents=True, exist_ok=True)
                        _link(_kept(folder, digest, partial(content, name)), path)
    with contextlib.suppress(OSError):
        os.utime(place)  # marks it as used, for forget_old
    return place


def forget_old(folder: Path, *, days: float = 7.0) -> None:
    """Remove inputs that no task has used for some days."""
    before = time.time() - 86_400.0 * days
    with contextlib.suppress(OSError):
        for place in folder.iterdir():
            if place.is_dir() and len(place.name) == KEY_LETTERS and place.stat().st_mtime < before:
                out_of_place(place, scratch=folder)
        for file in (folder / FILES).iterdir():
            found = file.stat()
            if found.st_nlink == 1 and max(found.st_mtime, found.st_ctime) < before:
                file.unlink(missing_ok=True)


def _is_whole(place: Path, inputs: Inputs) -> bool:
    """Tell whether all files are there, with their contents."""
    return place.is_dir() and all(_is(place / PurePosixPath(name), digest) for name, digest in inputs.digests.items())


def _is(path: Path, digest: str) -> bool:
    """Tell whether a file has a content; this process reads a file only once, even if it has several names."""
    try:
        found = path.stat()
        known = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, digest)
        if known not in _looked_at:
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != digest:
                    return False
            _looked_at.add(known)
    except OSError:
        return False
    return True


def _kept(folder: Path, digest: str, content: Callable[[], Content]) -> Path:
    """Return the one file with a content; make it if it is not there."""
    path = folder / FILES / digest
    if not _is(path, digest):
        make_folder(path.parent)
        file_into_place(path, content(), scratch=folder)
    return path


def _link(source: Path, path: Path) -> None:
    try:
        path.hardlink_to(source)
    except OSError:  # some file systems have no links, or allow only a few
        shutil.copyfile(source, path)
