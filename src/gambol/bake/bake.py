"""Bake a job: hand its tasks to an engine, keep what is done, try again what failed, and say what came of it."""

from __future__ import annotations

import json
import shutil
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gambol.bake.engine import Attempt, Engine
from gambol.bake.job import Job
from gambol.bake.log import Log
from gambol.bake.store import Store, StoreFull
from gambol.bake.task import Task
from gambol.io.files import write_atomically

RETRIES = 2  # of a task that fails
RETRIES_IF_DIED = 5  # of a task whose worker died
LEAST_FREE_BYTES = 1 << 20  # with less than this left a disk counts as full
FORMAT, VERSION = "gambol-bake", 1


class Standing(NamedTuple):
    """How far a bake is."""

    tasks: int
    there: int  # that were done before
    done: int
    failed: int
    retried: int
    label: str = ""  # of the task that ended last

    @property
    def left(self) -> int:
        return self.tasks - self.there - self.done - self.failed


@dataclass(frozen=True, eq=False)
class Baked:
    """What became of a job."""

    job: Job
    store: Store
    engine: str
    failures: Mapping[str, str]  # errors by the tasks' keys
    there: int  # tasks that were done before
    retried: int
    seconds: float
    spent: Mapping[str, float] = field(default_factory=dict)  # seconds by the tasks' keys, of those done this time
    log: str = ""

    @property
    def complete(self) -> bool:
        return not self.failures

    def manifest(self) -> dict[str, Any]:
        """Return which results are the job's; nothing in it differs between engines or runs."""
        listed = []
        for task in self.job.tasks:
            entry: dict[str, Any] = {"label": task.label, "kind": task.kind, "key": task.key}
            if task.key in self.failures:
                entry |= {"status": "failed", "error": self.failures[task.key]}
            else:
                entry |= {"status": "done", "files": sorted(self.store.files(task.key))}
            listed.append(entry)
        return {"format": FORMAT, "version": VERSION, "name": self.job.name, "tasks": listed}


def bake(
    job: Job,
    store: Store,
    engine: Engine,
    *,
    retries: int = RETRIES,
    progress: Callable[[Standing], None] | None = None,
) -> Baked:
    """Do all tasks of a job that are not done, and write which results are its.

    A task that fails is tried again, at the end; if it fails still, the others go on.  Where the store takes nothing
    more, StoreFull is raised; what is done stays done, and the next bake goes on from there.
    """
    begun = time.perf_counter()
    store.prepare()
    tasks = {task.key: task for task in job.tasks}
    todo = deque(task for key, task in tasks.items() if not store.has(key))
    there = len(tasks) - len(todo)
    say = progress or (lambda standing: None)
    with Log(store.folder / "logs", job.name) as log:
        log.say("begin", job=job.name, engine=engine.name, slots=engine.slots, tasks=len(tasks), there=there)
        run = _Run(store, engine, log, retries)
        say(Standing(len(tasks), there, 0, 0, 0))
        for attempt in run.attempts(todo):
            say(Standing(len(tasks), there, len(run.spent), len(run.failures), run.retried, attempt.task.label))
        seconds = time.perf_counter() - begun
        log.say("end", done=len(run.spent), failed=len(run.failures), retried=run.retried, seconds=round(seconds, 3))
    baked = Baked(job, store, engine.name, run.failures, there, run.retried, seconds, run.spent, str(log.path))
    text = json.dumps(baked.manifest(), ensure_ascii=False, indent=1)
    write_atomically(store.folder / f"{job.name}.json", f"{text}\n".encode())
    return baked


class _Run:
    """The loop of one bake."""

    def __init__(self, store: Store, engine: Engine, log: Log, retries: int) -> None:
        self.store, self.engine, self.log, self.retries = store, engine, log, retries
        self.failures: dict[str, str] = {}
        self.spent: dict[str, float] = {}
        self.retried = 0
        self._tries: dict[str, int] = {}

    def attempts(self, todo: deque[Task]):
        """Yield what came of every try, until nothing is left to do."""
        held = 0
        while todo or held:
            while todo and held < 2 * self.engine.slots:
                self.engine.submit(todo.popleft())
                held += 1
            attempt = self.engine.wait()
            held -= 1
            self._take(attempt, todo)
            yield attempt

    def _take(self, attempt: Attempt, todo: deque[Task]) -> None:
        task = attempt.task
        tries = self._tries[task.key] = self._tries.get(task.key, 0) + 1
        facts = {"label": task.label, "key": task.key, "seconds": round(attempt.seconds, 4), "worker": attempt.worker}
        if attempt.done:
            self.spent[task.key] = attempt.seconds
            self.log.say("done", **facts)
            return
        self.log.say("failed", **facts, attempt=tries, error=attempt.error, trace=attempt.trace)
        if attempt.full or shutil.disk_usage(self.store.folder).free < LEAST_FREE_BYTES:
            done = f"{len(self.spent)} tasks were done and are kept"
            raise StoreFull(f"{attempt.error}; {done}: make room and bake again to go on")
        if tries <= (RETRIES_IF_DIED if attempt.died else self.retries):
            self.retried += 1
            todo.append(task)
        else:
            self.failures[task.key] = attempt.error
