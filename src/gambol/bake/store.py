"""Where results are: each task's in a folder of its own, under the task's hash, whole or not there.

    FOLDER/results/ab/abcdef…/     the files of a task, and result.json: what it was, what came of it, checksums
    FOLDER/inputs/…/               what tasks read, by content
    FOLDER/logs/…jsonl             what happened when, a line each
    FOLDER/NAME.json, NAME.md …    a job: which results are its, and reports

Several bakes may use one folder at the same time: whoever finishes a task first puts it there, and what others make
of the same task is the same.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gambol.bake.folders import into_place, sweep
from gambol.bake.task import Task
from gambol.errors import GambolError, MalformedFile, UnreadableFile
from gambol.io.entries import parse_json_file
from gambol.io.files import read_bytes

RESULT = "result.json"
FORMAT, VERSION = "gambol-baked", 1
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


class StoreFull(GambolError, OSError):
    """The folder takes nothing more: no room is left, or writing is not allowed.  No task is to blame."""


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

    def prepare(self) -> int:
        """Make the folder fit for use; return how many leftovers of processes that are no more were removed."""
        try:
            for folder in (self.results, self.inputs, self.scratch, self.folder / "logs"):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnreadableFile(f"cannot write: {error.strerror or error}", path=self.folder) from error
        return sweep(self.scratch) + sweep(self.inputs)

    def place_of(self, key: str) -> Path:
        return self.results / key[:2] / key

    def has(self, key: str) -> bool:
        """Tell whether a task is done."""
        return (self.place_of(key) / RESULT).is_file()

    def result(self, key: str) -> dict[str, Any]:
        """Return what a task's result says of itself."""
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
        """Lend a folder for a task's files and a dictionary for its summary; what is there at the end is the result."""
        with _told_if_full(self.folder), into_place(self.place_of(task.key), scratch=self.scratch) as folder:
            summary: dict[str, Any] = {}
            yield folder, summary
            write_result(folder, task, summary)

    def keep(self, task: Task, files: Mapping[str, bytes]) -> None:
        """Put a result there that was made elsewhere: all its files, result.json among them."""
        with _told_if_full(self.folder), into_place(self.place_of(task.key), scratch=self.scratch) as folder:
            for name, data in files.items():
                (folder / name).write_bytes(data)

    def broken(self, key: str) -> list[str]:
        """Return the files of a finished task that are not what they were when it was finished."""
        listed = self.result(key)["files"]
        return [name for name, path in self.files(key).items() if _described(path) != listed[name]]


def write_result(folder: Path, task: Task, summary: Mapping[str, Any]) -> None:
    """Write what a task was and what came of it, beside its files.  Times are not in it: they differ each time."""
    result = {
        "format": FORMAT,
        "version": VERSION,
        "key": task.key,
        "task": task.facts,
        "summary": dict(summary),
        "files": {path.name: _described(path) for path in sorted(folder.iterdir()) if path.is_file()},
    }
    text = json.dumps(result, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    (folder / RESULT).write_bytes(f"{text}\n".encode())


def _described(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


@contextmanager
def _told_if_full(folder: Path) -> Iterator[None]:
    """Tell apart a folder that takes nothing more from a task that fails."""
    try:
        yield
    except (OSError, UnreadableFile) as error:
        cause: BaseException | None = error
        while cause is not None and not (isinstance(cause, OSError) and cause.errno is not None):
            cause = cause.__cause__
        if isinstance(cause, OSError) and cause.errno in FULL:
            raise StoreFull(f"{folder}: {cause.strerror}") from error
        raise
