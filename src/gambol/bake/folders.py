"""Folders that are whole or not there."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gambol.errors import UnreadableFile

try:
    import fcntl
except ImportError:  # pragma: no cover: where there are no such locks, leftovers stay
    fcntl = None

PREFIX = ".baking-"
LOCK = ".lock"
THERE = (errno.EEXIST, errno.ENOTEMPTY)


@contextmanager
def into_place(place: Path, *, scratch: Path | None = None) -> Iterator[Path]:
    """Lend an empty folder that takes its place at the end, all at once; if something is there by then, that stays.

    It is made in `scratch`, by default beside its place, and locked as long as the process lives: see `sweep`.
    """
    scratch = scratch or place.parent
    try:
        scratch.mkdir(parents=True, exist_ok=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = scratch / f"{PREFIX}{place.name[:16]}-{secrets.token_hex(6)}"
        with _locked(temporary.with_name(temporary.name + LOCK)):
            try:
                temporary.mkdir()
                yield temporary
                _flush(temporary)
                try:
                    temporary.rename(place)
                except OSError as error:
                    if error.errno not in THERE:
                        raise
                _flush_folder(place.parent)
            finally:
                shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise UnreadableFile(f"cannot write: {error.strerror or error}", path=place) from error


def sweep(folder: Path) -> int:
    """Remove what processes left behind that are no more; return how many folders those were."""
    swept = 0
    if fcntl is None or not folder.is_dir():
        return swept
    for lock in folder.glob(f"{PREFIX}*{LOCK}"):
        try:
            with lock.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.with_name(lock.name.removesuffix(LOCK)), ignore_errors=True)
                lock.unlink(missing_ok=True)
                swept += 1
        except OSError:  # somebody works there, or has just ended
            continue
    return swept


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("wb") as file:
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            path.unlink(missing_ok=True)


def _flush(folder: Path) -> None:
    """Have everything in a folder on the disk, so that it outlives a crash of the machine."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    _flush_folder(folder)


def _flush_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # not every system lets folders be opened
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
