"""Write folders and files so that they are whole or do not exist, even if a process is killed.

Work in progress is in a temporary folder, beside a file that its process keeps locked.  The system removes the lock
when the process ends, in any way; `sweep` then knows that nobody needs the folder.
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
except ImportError:  # pragma: no cover: on systems without such locks, leftovers stay
    fcntl = None

PREFIX = ".baking-"  # beginning of the names of temporary folders
LOCK = ".lock"  # end of the names of their lock files
THERE = (errno.EEXIST, errno.ENOTEMPTY)  # errors that mean that a folder is there already


@contextmanager
def lent(parent: Path, name: str = "") -> Iterator[Path]:
    """Yield an empty folder below another, and remove it at the end; if the process dies before, `sweep` removes it."""
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
    """Yield an empty folder, and move it to its place at the end, all at once; what is there by then stays.

    The folder is made in `scratch`, by default beside its place.  Errors in writing are of the class UnreadableFile;
    errors raised within the block pass unchanged.
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
    """Write a file that at every moment holds either the old contents or the new; if they are equal, do nothing."""
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
    """Remove a folder, all at once, if it exists."""
    with lent(scratch, place.name[:16]) as temporary, writing(place), contextlib.suppress(FileNotFoundError):
        place.rename(temporary / "removed")


def sweep(folder: Path) -> int:
    """Remove the temporary folders of processes that have ended; return the number of folders."""
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
        except OSError:  # another process works there, or has just ended, or sweeps it too
            continue
    return swept


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Wait until no other process on this machine is within this block, and keep others out until the end."""
    with writing(path):
        make_folder(path.parent)
        file = path.open("ab")
    with file:
        _lock(file)
        yield


def locked_at_once(file: IO[bytes]) -> bool:
    """Lock a file until it is closed, if no other process holds it; return whether that worked."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, so that they survive a crash of the machine."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    flush_folder(folder.parent)


def flush(folder: Path) -> None:
    """Flush everything in a folder to the disk, contents before names, so that it survives a crash of the machine."""
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
    with contextlib.suppress(OSError):  # some systems cannot open folders
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn errors of the system into ours."""
    try:
        yield
    except OSError as error:
        raise UnreadableFile(f"cannot write: {error.strerror or error}", path=path) from error


def _claimed(parent: Path, name: str) -> tuple[Path, IO[bytes]]:
    """Return an unused path, and its locked file."""
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
    """Wait for a file's lock; on file systems without locks go on without one, as nobody can sweep there either."""
    if fcntl is not None:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
