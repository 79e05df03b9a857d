"""The files that a task reads: found by watching, kept by content, laid out anew wherever the task is run.

A scene names characters, those name motions: all of them travel together, in folders as they were, once to each
machine.  They are copied before anything is baked, so that nobody can change them meanwhile.
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
KEY_LETTERS = 32  # of an inputs' key, in the name of its folder
FILES = "files"  # folder of what is linked to

_looked_at: set[tuple[int | str, ...]] = set()  # files and their contents, by this process


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


def lay_out(folder: Path, inputs: Inputs, content: Callable[[str], Content]) -> Path:
    """Return a folder below another that holds the files of some inputs as they were; make it if it is not there.

    content: returns a file's, by its name; asked only for what is missing.  Files of the same content are one file,
    by links: many scenes may share a large tree.  One process at a time does this, the others find it done.
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
        os.utime(place)  # it is used: see forget_old
    return place


def forget_old(folder: Path, *, days: float = 7.0) -> None:
    """Remove inputs that nobody has asked for in a while."""
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
    """Tell whether all files are there and what they were."""
    return place.is_dir() and all(_is(place / PurePosixPath(name), digest) for name, digest in inputs.digests.items())


def _is(path: Path, digest: str) -> bool:
    """Tell whether a file has a content; this process reads it only once, by however many names it goes."""
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
    """Return the one file of a content."""
    path = folder / FILES / digest
    if not _is(path, digest):
        make_folder(path.parent)
        file_into_place(path, content(), scratch=folder)
    return path


def _link(source: Path, path: Path) -> None:
    try:
        path.hardlink_to(source)
    except OSError:  # not every file system has links, nor allows as many
        shutil.copyfile(source, path)
