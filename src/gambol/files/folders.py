"""Folders and files that are whole or not there, whoever is killed when.

What is being made is in a folder for the time being, with a file beside it that its process holds locked: the system
lets go of the lock when the process ends, however that ends, and `sweep` then knows that nobody needs the folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from gambol.errors import UnreadableFile

try:
    import fcntl
except ImportError:  # pragma: no cover: where there are no such locks, leftovers stay
    fcntl = None

PREFIX = ".baking-"
LOCK = ".lock"
THERE = (errno.EEXIST, errno.ENOTEMPTY)


@contextmanager
def lent(parent: Path, name: str = "") -> Iterator[Path]:
    """Lend an empty folder below another; it is removed at the end, or by `sweep` if the process does not get there."""
    with writing(parent):
        make_folder(parent)
        temporary, lock = _claimed(parent, name)
    try:
        with writing(parent):
            temporary.mkdir()
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if not temporary.exists():
            with contextlib.suppress(OSError):
                _lock_of(temporary).unlink(missing_ok=True)
        lock.close()


@contextmanager
def into_place(place: Path, *, scratch: Path | None = None) -> Iterator[Path]:
    """Lend an empty folder that takes its place at the end, all at once; if something is there by then, that stays.

    It is made in `scratch`, by default beside its place.  Errors in writing are of the class UnreadableFile; what is
    raised while it is lent passes as it is.
    """
    with lent(scratch or place.parent, place.name[:16]) as temporary:
        yield temporary
        with writing(place):
            flush(temporary)
            make_folder(place.parent)
            try:
                temporary.rename(place)
            except OSError as error:
                if error.errno not in THERE:
                    raise
            flush_folder(place.parent)


def file_into_place(path: Path, data: bytes | memoryview, *, scratch: Path) -> None:
    """Write a file that holds at every moment either the old contents or the new; if they are the same, do nothing."""
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return
    with lent(scratch, path.name[:16]) as temporary, writing(path):
        made = temporary / "file"
        with made.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
        flush_folder(path.parent)


def out_of_place(place: Path, *, scratch: Path) -> None:
    """Remove a folder, all at once; that it is gone already is no matter."""
    with lent(scratch, place.name[:16]) as temporary, writing(place), contextlib.suppress(FileNotFoundError):
        place.rename(temporary / "removed")


def sweep(folder: Path) -> int:
    """Remove what processes left behind that are no more; return how many folders those were."""
    swept = 0
    if fcntl is None or not folder.is_dir():
        return swept
    for lock in folder.glob(f"{PREFIX}*{LOCK}"):
        left = lock.with_name(lock.name.removesuffix(LOCK))
        try:
            with lock.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
                if not left.exists():
                    lock.unlink()
                    swept += 1
        except OSError:  # somebody works there, or has just ended, or swept it too
            continue
    return swept


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Wait until nobody else on this machine is here, and keep others waiting until the end."""
    with writing(path):
        make_folder(path.parent)
        file = path.open("ab")
    with file:
        _lock(file)
        yield


def locked_at_once(file: IO[bytes]) -> bool:
    """Lock a file until it is closed, if nobody else holds it."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def make_folder(folder: Path) -> None:
    """Make a folder and those it lies in, so that they outlive a crash of the machine."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    flush_folder(folder.parent)


def flush(folder: Path) -> None:
    """Have everything in a folder on the disk, so that it outlives a crash of the machine: contents before names."""
    folders = [folder]
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        elif path.is_dir():
            folders.append(path)
    for path in reversed(folders):
        flush_folder(path)


def flush_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # not every system lets folders be opened
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tell errors of the system as ours."""
    try:
        yield
    except OSError as error:
        raise UnreadableFile(f"cannot write: {error.strerror or error}", path=path) from error


def _claimed(parent: Path, name: str) -> tuple[Path, IO[bytes]]:
    """Return a path that nobody has, and its locked file."""
    while True:
        temporary = parent / f"{PREFIX}{name}-{secrets.token_hex(6)}"
        path = _lock_of(temporary)
        file = path.open("xb")
        _lock(file)
        try:
            if path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                return temporary, file
        except FileNotFoundError:
            pass
        file.close()  # swept before it was locked


def _lock_of(temporary: Path) -> Path:
    return temporary.with_name(temporary.name + LOCK)


def _lock(file: IO[bytes]) -> None:
    """Wait for a file's lock; on file systems that have none, go on without: then nobody can sweep either."""
    if fcntl is not None:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
