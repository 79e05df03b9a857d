"""Cheap tasks for the tests of baking, and a program that bakes them until it is killed."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from gambol.bake import Baked, Engine, Gathered, Inputs, Job, Pool, Scalar, Store, Task, bake

THIS = "tests.support.bake_tasks"


def write(task: Task, inputs: Path, folder: Path) -> dict[str, Any]:
    """Take some time, write as many bytes as are asked for, and a file in a folder."""
    size, number = int(task.settings["bytes"] or 0), int(task.settings["number"] or 0)
    with (folder / "data.bin").open("wb") as file:
        file.write(bytes([number % 251]) * (size // 2))
        file.flush()
        time.sleep(float(task.settings["seconds"] or 0.0))
        file.write(bytes([number % 241]) * (size - size // 2))
    (folder / "more").mkdir()
    (folder / "more" / "read.txt").write_text("".join(sorted(path.read_text() for path in inputs.rglob("*.txt"))))
    return {"number": number}


def fail(task: Task, inputs: Path, folder: Path) -> dict[str, Any]:
    raise ValueError(f"no number in {inputs / 'a.txt'}, nor in {folder}")


def fail_once(task: Task, inputs: Path, folder: Path) -> dict[str, Any]:
    """Fail the first time; the mark left behind is outside all that is baked."""
    if _is_first(task):
        raise ValueError("not yet")
    return {}


def die_once(task: Task, inputs: Path, folder: Path) -> dict[str, Any]:
    (folder / "half").write_text("half")
    if _is_first(task):
        os.kill(os.getpid(), signal.SIGKILL)
    return {}


def die(task: Task, inputs: Path, folder: Path) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def hang(task: Task, inputs: Path, folder: Path) -> dict[str, Any]:
    time.sleep(600.0)
    return {}


def _is_first(task: Task) -> bool:
    mark = Path(str(task.settings["mark"]))
    is_first = not mark.exists()
    mark.touch()
    return is_first


def task_of(kind: str, number: int, inputs: Inputs, **settings: Scalar) -> Task:
    return Task(f"{THIS}:{kind}", f"{kind}-{number}", "", {"number": number, **settings}, (), inputs)


def gathered_files(folder: Path) -> tuple[Gathered, Inputs]:
    """Return two small files as inputs."""
    files = [folder / "a.txt", folder / "below" / "b.txt"]
    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name)
    gathered = Gathered()
    _, inputs, _ = gathered.read(lambda: None, *files)
    return gathered, inputs


def writing_job(folder: Path, count: int, *, size: int = 1000, seconds: float = 0.0) -> Job:
    gathered, inputs = gathered_files(folder)
    tasks = [task_of("write", number, inputs, bytes=size, seconds=seconds) for number in range(count)]
    return Job("writing", tasks, gathered)


def job_of(tasks: Sequence[Task], gathered: Gathered, name: str = "job") -> Job:
    return Job(name, tasks, gathered)


def baked_on(engine: Engine, job: Job, store: Store, **options: Any) -> Baked:
    with closing(engine):
        return bake(job, store, engine, **options)


def contents_of(folder: Path) -> dict[str, bytes]:
    """Return all files of a store but logs, locks and what is laid out for tasks."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if not name.startswith(("logs/", "inputs/")) and not name.endswith(".lock")
    }


def leftovers(folder: Path) -> list[str]:
    """Return what is in a store that is neither a result nor meant to be there."""
    return [str(path) for path in folder.rglob(".*") if path.name != ".lock"]


def main() -> None:
    """Bake a job of some tasks into a folder: `python -m tests.support.bake_tasks FOLDER INPUTS COUNT SECONDS`."""
    folder, inputs, count, seconds = sys.argv[1:]
    job = writing_job(Path(inputs), int(count), seconds=float(seconds))
    store = Store(folder)
    baked_on(Pool(store, job.gathered, 2), job, store)


if __name__ == "__main__":
    main()
