"""Read files within limits, and write them whole: a file is complete or does not exist."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from gambol.errors import UnreadableFile

MAX_BYTES = 1 << 30  # bytes of the largest motion file that is read; a day of capture is smaller

_watched: ContextVar[list[Path] | None] = ContextVar("watched", default=None)


@contextmanager
def watched_reads() -> Iterator[list[Path]]:
    """Yield a list that grows by each file read within the block: the files that a result depends on."""
    paths: list[Path] = []
    token = _watched.set(paths)
    try:
        yield paths
    finally:
        _watched.reset(token)


@contextmanager
def unwatched_reads() -> Iterator[None]:
    """Read files on which no result depends, such as a cache, unseen by `watched_reads`."""
    token = _watched.set(None)
    try:
        yield
    finally:
        _watched.reset(token)


def note_read(path: Path) -> None:
    """Note for `watched_reads` that a file is read."""
    paths = _watched.get()
    if paths is not None and path not in paths:
        paths.append(path)


def read_bytes(path: Path | str, *, max_bytes: int = MAX_BYTES) -> bytes:
    """Read a whole file; a missing, forbidden or enormous file is a clear error."""
    path = Path(path)
    note_read(path)
    try:
        if path.is_dir():
            raise UnreadableFile("this is a folder, not a file", path=path)
        size = path.stat().st_size
        if size > max_bytes:
            raise UnreadableFile(f"{size:,} bytes are more than the {max_bytes:,} that are read", path=path)
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)  # devices and pipes have no size beforehand
    except OSError as error:
        raise UnreadableFile(error.strerror or str(error), path=path) from error
    if len(data) > max_bytes:
        raise UnreadableFile(f"more than the {max_bytes:,} bytes that are read", path=path)
    return data


def write_atomically(path: Path | str, data: bytes) -> None:
    """Write a file so that at every moment it holds either the old contents or the new."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)


@contextmanager
def atomic_path(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path beside `path`, with its suffix, and move the file into place on success."""
    path = Path(path)
    try:
        target = path.resolve() if path.is_symlink() else path  # a link keeps its target
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise UnreadableFile("this is a folder, cannot write a file here", path=path)
        if target.exists() and not target.is_file():
            raise UnreadableFile("this is a device or the like, not a file that can be replaced", path=path)
        with tempfile.TemporaryDirectory(prefix=".gambol-", dir=target.parent) as folder:
            temporary = Path(folder) / target.name
            yield temporary
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o7777)
            temporary.replace(target)
    except OSError as error:
        raise UnreadableFile(f"cannot write: {error.strerror or error}", path=path) from error
    except ValueError as error:  # a name that is invalid on all file systems
        if "null" in str(error):
            raise UnreadableFile("cannot write: the name holds a null character", path=path) from error
        raise


def check_writable(folder: Path) -> None:
    """Raise an error if a folder is not writable and cannot be made."""
    nearest = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not nearest.is_dir():
        raise UnreadableFile(f"cannot write: {nearest} is a file", path=folder)
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise UnreadableFile(f"cannot write: not allowed to in {nearest}", path=folder)
