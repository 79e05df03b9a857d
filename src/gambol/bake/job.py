"""Jobs: TOML files that say what to bake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from gambol.bake.inputs import Gathered
from gambol.bake.kinds.registry import KINDS
from gambol.bake.kinds.sources import Sources
from gambol.bake.task import Task
from gambol.errors import FileProblem, MalformedFile
from gambol.files.disk import read_bytes
from gambol.files.entries import Entry, Problems, parse_toml, tables, validate

MAX_BYTES = 10_000_000  # bytes: largest file of a job that is read
MOST_TASKS = 1_000_000  # >= 1: tasks of a job; larger: more memory
NAMED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."  # signs that a job's name may have


class JobFile(Entry):
    """The entries of a job's file."""

    name: str
    """Name of the job and of its reports: letters, digits, and the signs - _ ."""
    summary: str = ""
    """What the job is, for people."""
    tasks: list[dict[str, object]]
    """Tables of tasks."""


@dataclass(frozen=True, eq=False)
class Job:
    """Tasks, and the files that they read."""

    name: str
    tasks: Sequence[Task]
    gathered: Gathered
    summary: str = ""


def load_job(path: Path | str) -> Job:
    """Read a job's file and all files that its tasks read; an error lists every mistake by its key."""
    path = Path(path)
    try:
        return parse_job(read_bytes(path, max_bytes=MAX_BYTES).decode("utf-8-sig"), beside=path.parent)
    except UnicodeDecodeError as error:
        raise MalformedFile(f"this is not text in UTF-8: {error.reason}", path=path) from None
    except FileProblem as problem:
        raise problem if problem.path is not None else problem.in_file(path) from None


def parse_job(text: str, *, beside: Path | str = ".") -> Job:
    """Return the job that a text describes.  beside: the folder from which it names files."""
    problems, data, gathered = Problems(text), parse_toml(text), Gathered()
    file = validate(JobFile, data, problems)
    if file is not None and (not file.name or any(sign not in NAMED for sign in file.name) or file.name[0] in "-."):
        problems.add(("name",), f"must be letters, digits and - _ . only, not {file.name!r}")
    found: list[Task] = []
    for number, table in enumerate(tables(data.get("tasks"))):
        found += _tasks(table, number, Path(beside), gathered, problems)
    if file is not None and not file.tasks:
        problems.add(("tasks",), "is empty: there is nothing to bake")
    problems.raise_if_any()
    assert file is not None
    if len(found) > MOST_TASKS:
        raise MalformedFile(f"{len(found):,} tasks are more than the {MOST_TASKS:,} of a job")
    doubled = [label for label, count in Counter(task.label for task in found).items() if count > 1]
    if doubled:
        raise MalformedFile(f'two tasks are called {doubled[0]!r}: give their tables a "name" each')
    return Job(file.name, found, gathered, file.summary)


def _tasks(table: dict[str, object], number: int, beside: Path, gathered: Gathered, problems: Problems) -> list[Task]:
    """Return the tasks of a table; if it has mistakes, add them to the problems and return none."""
    key, kind = ("tasks", number), table.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        if kind is None:
            problems.add_missing((*key, "kind"))
            for name in get_close_matches("kind", table, n=1):
                problems.add_unknown_key((*key, name), ["kind"])
        else:
            problems.add_unknown((*key, "kind"), "kind of task", str(kind), tuple(KINDS))
        return []
    entry = validate(KINDS[kind].model, table, problems, at=key)
    return [] if entry is None else list(entry.tasks(Sources(beside, gathered, problems, key)))
