"""The folder of results: each task has a folder under its hash, which is complete or not there.

    FOLDER/results/ab/abcdef…/     the files of a task, and result.json: the task, its outcome, checksums
    FOLDER/inputs/…/               the files that tasks read, by content
    FOLDER/logs/…jsonl             what happened when, one line for each event
    FOLDER/scratch/…               unfinished files; those of processes that were killed are swept
    FOLDER/NAME.json, NAME.md …    a job: the list of its results, and reports

Several bakes may use one folder at the same time: the first to finish a task puts it there, and the others' results
of the same task are equal.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from gambol.bake.task import Task
from gambol.errors import FileProblem, GambolError, MalformedFile, UnreadableFile
from gambol.files.disk import read_bytes
from gambol.files.entries import parse_json_file
from gambol.files.folders import (
    file_into_place,
    into_place,
    make_folder,
    one_at_a_time,
    out_of_place,
    sweep,
    writing,
)

RESULT = "result.json"  # name of the file about a task in its folder
FORMAT, VERSION = "gambol-baked", 1  # name and version of these files
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)  # errors that mean a folder cannot take more
LEAST_FREE_BYTES = 1 << 16  # bytes, >= 0: a disk with less free room counts as full


class StoreFull(GambolError, OSError):
    """The folder cannot take more: no room is left, or writing is not allowed.  No task is the cause."""


class Store:
    """A folder of results."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def inputs(self) -> Path:
        return self.folder / "inputs"

    @property
    def scratch(self) -> Path:
        return self.folder / "scratch"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    def prepare(self) -> int:
        """Make missing folders, and sweep; return the number of leftovers."""
        with self.told_if_full():
            for folder in (self.results, self.inputs, self.scratch, self.logs):
                with writing(folder):
                    make_folder(folder)
        return self.sweep()

    def sweep(self) -> int:
        """Remove the leftovers of processes that have ended; return their number."""
        return sweep(self.scratch) + sweep(self.inputs)

    def place_of(self, key: str) -> Path:
        return self.results / key[:2] / key

    def has(self, key: str) -> bool:
        """Tell whether a task is done."""
        return (self.place_of(key) / RESULT).is_file()

    def result(self, key: str) -> dict[str, Any]:
        """Return what result.json says about a task."""
        path = self.place_of(key) / RESULT
        try:
            return parse_json_file(read_bytes(path).decode(), "result", FORMAT, VERSION)
        except UnicodeDecodeError as error:
            raise MalformedFile(f"this is not text in UTF-8: {error.reason}", path=path) from None
        except MalformedFile as problem:
            raise problem.in_file(path) from None

    def files(self, key: str) -> dict[str, Path]:
        """Return a finished task's files by name."""
        place = self.place_of(key)
        return {name: place / name for name in self.result(key)["files"]}

    @contextmanager
    def baking(self, task: Task) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Lend a folder for a task's files and a dictionary for its summary; at the end both become the result."""
        with self._placing(task) as folder:
            summary: dict[str, Any] = {}
            yield folder, summary
            write_result(folder, task, summary)
            if _is_full(folder):  # some libraries do not say that they could not write all
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def keep(self, task: Task, files: Mapping[str, bytes]) -> None:
        """Store a result that was made elsewhere: all its files, with result.json."""
        with self._placing(task) as folder, writing(folder):
            for name, data in files.items():
                path = folder / PurePosixPath(name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)

    def put(self, name: str, data: bytes) -> Path:
        """Write a file of a job beside the results, all of it or nothing."""
        with self.told_if_full():
            file_into_place(self.folder / name, data, scratch=self.scratch)
        return self.folder / name

    def broken(self, key: str, *, contents: bool = True) -> list[str]:
        """Return the files of a finished task that have changed.  contents: compare contents, not only sizes."""
        try:
            result = self.result(key)
            if result["key"] != key:
                return [RESULT]
            place, look = self.place_of(key), _described if contents else _sized
            return [name for name, told in result["files"].items() if not _agrees(look, place / name, told)]
        except (FileProblem, KeyError, TypeError, AttributeError):
            return [RESULT]

    def mend(self, key: str, *, contents: bool = False) -> list[str]:
        """Remove a task's result if files of it have changed, so that it is baked anew; return these files."""
        if not self.place_of(key).exists() or not self.broken(key, contents=contents):
            return []
        with self.told_if_full(), one_at_a_time(self.scratch / "mending.lock"):
            found = self.broken(key, contents=contents)  # another bake may have mended it by now
            if found:
                out_of_place(self.place_of(key), scratch=self.scratch)
        return found

    @contextmanager
    def told_if_full(self) -> Iterator[None]:
        """Raise `StoreFull` for files that cannot be written."""
        try:
            yield
        except UnreadableFile as error:
            raise StoreFull(str(error)) from error

    @contextmanager
    def _placing(self, task: Task) -> Iterator[Path]:
        """Lend a folder that becomes a task's; raise `StoreFull` if the store caused an error, not the task."""
        blamed: Exception | None = None
        try:
            with into_place(self.place_of(task.key), scratch=self.scratch) as folder:
                try:
                    yield folder
                except Exception as error:
                    blamed = error
                    if (why := _why_full(error, folder)) is not None:
                        raise StoreFull(f"{self.folder}: cannot write: {why}") from error
                    raise
        except UnreadableFile as error:
            if error is blamed:
                raise
            raise StoreFull(str(error)) from error


def write_result(folder: Path, task: Task, summary: Mapping[str, Any]) -> None:
    """Write a task and its outcome beside its files, without times, which differ each time."""
    result = {
        "format": FORMAT,
        "version": VERSION,
        "key": task.key,
        "task": task.facts,
        "summary": dict(summary),
        "files": {name: _described(path) for name, path in files_in(folder).items()},
    }
    text = json.dumps(result, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    (folder / RESULT).write_bytes(f"{text}\n".encode())


def files_in(folder: Path) -> dict[str, Path]:
    """Return all files below a folder by their relative names."""
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def _described(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def _sized(path: Path) -> dict[str, Any]:
    return {"bytes": path.stat().st_size}


def _agrees(look: Callable[[Path], dict[str, Any]], path: Path, told: dict[str, Any]) -> bool:
    try:
        return all(told[name] == value for name, value in look(path).items())
    except OSError:
        return False


def _why_full(error: BaseException | None, folder: Path) -> str | None:
    """Return why a folder cannot be written, if that caused an error; not all libraries say so."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        if isinstance(error, OSError) and error.errno in FULL and _is_in(folder, error.filename):
            return error.strerror
        seen.append(error)
        error = error.__cause__ or error.__context__
    return os.strerror(errno.ENOSPC) if _is_full(folder) else None


def _is_in(folder: Path, name: object) -> bool:
    """Tell whether an error names no file, or one below a folder: another disk may be full instead."""
    return name is None or (isinstance(name, str | os.PathLike) and Path(name).is_relative_to(folder))


def _is_full(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        return shutil.disk_usage(folder).free < LEAST_FREE_BYTES
    return False
