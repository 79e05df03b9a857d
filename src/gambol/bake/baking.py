"""Bake a job: hand its tasks to an engine, keep results, try failed tasks again, and report."""

from __future__ import annotations

import contextlib
import json
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from gambol.bake.engine import Attempt, Engine
from gambol.bake.log import Log
from gambol.bake.store import Store, StoreFull
from gambol.bake.task import Task
from gambol.files.folders import locked_at_once

if TYPE_CHECKING:
    from gambol.bake.job import Job

RETRIES = 2  # >= 0: how often a task that fails is tried again, by default
RETRIES_IF_DIED = 5  # >= 0: how often a task whose worker died is tried again
FORMAT, VERSION = "gambol-bake", 1  # name and version of manifests


class Standing(NamedTuple):
    """How far a bake is."""

    tasks: int
    there: int  # tasks done before, or meanwhile by other bakes
    done: int
    failed: int
    retried: int
    label: str = ""  # label of the task that ended last

    @property
    def left(self) -> int:
        return self.tasks - self.there - self.done - self.failed


@dataclass(frozen=True, eq=False)
class Baked:
    """The outcome of a job."""

    job: Job
    store: Store
    engine: str
    failures: Mapping[str, str]  # errors by the tasks' keys
    there: int  # tasks done before, or meanwhile by other bakes
    retried: int
    seconds: float
    spent: Mapping[str, float] = field(default_factory=dict)  # seconds of tasks done this time, by their keys
    log: str = ""

    @property
    def complete(self) -> bool:
        return not self.failures

    def manifest(self) -> dict[str, Any]:
        """Return the list of the job's results; it is the same for all engines and runs."""
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
    verify: bool = False,
    progress: Callable[[Standing], None] | None = None,
) -> Baked:
    """Do all tasks of a job that are not done, and write the list of its results.

    A task that fails is tried again at the end; if it still fails, the others go on.  A result whose files are gone or
    have other sizes is baked anew; with `verify` all files are read and compared with their checksums.
    When the store cannot take more, `StoreFull` is raised; the tasks that are done stay done, and the next bake goes on
    from there.  So it is after an interrupt, which is raised again with a message, and after a kill.
    """
    begun = time.perf_counter()
    store.prepare()
    tasks = {task.key: task for task in job.tasks}
    say = progress or (lambda standing: None)
    with Log(store.logs, job.name) as log, _turn(store) as is_first:
        todo = _todo(tasks, store, log, verify=verify)
        there = len(tasks) - len(todo)
        log.say("begin", job=job.name, engine=engine.name, slots=engine.slots, tasks=len(tasks), there=there)
        if not is_first:
            random.shuffle(todo)  # then two bakes of one job share it, instead of doing the same task at the same time
        run = _Run(store, engine, log, retries)
        say(Standing(len(tasks), there, 0, 0, 0))
        with _told_if_stopped(run):
            for label in run.ends(deque(todo)):
                done, failed = len(run.spent), len(run.failures)
                say(Standing(len(tasks), there + run.elsewhere, done, failed, run.retried, label))
        seconds = time.perf_counter() - begun
        there += run.elsewhere
        baked = Baked(job, store, engine.name, run.failures, there, run.retried, seconds, run.spent, str(log.path))
        store.put(f"{job.name}.json", f"{json.dumps(baked.manifest(), ensure_ascii=False, indent=1)}\n".encode())
        log.say("end", done=len(run.spent), failed=len(run.failures), retried=run.retried, seconds=round(seconds, 3))
    return baked


def _todo(tasks: Mapping[str, Task], store: Store, log: Log, *, verify: bool) -> list[Task]:
    """Return the tasks that are not done; damaged results are removed."""
    for key, task in tasks.items():
        if found := store.mend(key, contents=verify):
            log.say("damaged", label=task.label, key=key, files=found)
    return [task for key, task in tasks.items() if not store.has(key)]


@contextmanager
def _turn(store: Store) -> Iterator[bool]:
    """Yield whether no other bake is at work in a store."""
    with ExitStack() as stack:
        is_first = True
        with contextlib.suppress(OSError):  # a folder that cannot be written raises later, when it matters
            is_first = locked_at_once(stack.enter_context((store.scratch / "bakes.lock").open("ab")))
        yield is_first


@contextmanager
def _told_if_stopped(run: _Run) -> Iterator[None]:
    """Write into the log and the error what stopped a bake, and how to go on."""
    try:
        yield
    except (KeyboardInterrupt, StoreFull) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        run.log.say("stopped", why=why, done=len(run.spent), failed=len(run.failures))
        told, again = f"{len(run.spent):,} tasks were done and are kept", "the same command goes on from there"
        if isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt(f"interrupted: {told}; {again}") from None
        raise StoreFull(f"{why}; {told}: once the folder takes files again, {again}") from error


class _Run:
    """The loop of one bake."""

    def __init__(self, store: Store, engine: Engine, log: Log, retries: int) -> None:
        self.store, self.engine, self.log, self.retries = store, engine, log, retries
        self.failures: dict[str, str] = {}
        self.spent: dict[str, float] = {}
        self.retried = 0
        self.elsewhere = 0  # tasks that other bakes did meanwhile
        self._tries: Counter[tuple[str, bool]] = Counter()  # by task, and whether the worker died

    def ends(self, todo: deque[Task]) -> Iterator[str]:
        """Yield the label of a task after every try, until no task is left."""
        held = 0
        while todo or held:
            while todo and held < 2 * self.engine.slots:
                task = todo.popleft()
                if self.store.has(task.key):
                    self.elsewhere += 1
                    self.log.say("elsewhere", label=task.label, key=task.key)
                    yield task.label
                else:
                    self.engine.submit(task)
                    held += 1
            if held:
                attempt = self.engine.wait()
                held -= 1
                self._take(attempt, todo)
                yield attempt.task.label

    def _take(self, attempt: Attempt, todo: deque[Task]) -> None:
        task = attempt.task
        facts = {"label": task.label, "key": task.key, "seconds": round(attempt.seconds, 4), "worker": attempt.worker}
        if attempt.done:
            self.spent[task.key] = attempt.seconds
            self.log.say("done", **facts)
            return
        self._tries[task.key, attempt.died] += 1
        tries = self._tries[task.key, attempt.died]
        self.log.say("failed", **facts, attempt=tries, error=attempt.error, trace=attempt.trace)
        if attempt.full:
            raise StoreFull(attempt.error.removeprefix("StoreFull: "))
        if tries <= (RETRIES_IF_DIED if attempt.died else self.retries):
            self.retried += 1
            todo.append(task)
        else:
            self.failures[task.key] = attempt.error
