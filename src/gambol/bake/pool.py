"""Workers on this machine: processes that do one task at a time.

Each has its own pipe, so that a worker that dies does not harm the others.
"""

from __future__ import annotations

import atexit
import contextlib
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import ModuleType

from gambol.bake.engine import DIED, Attempt, checked
from gambol.bake.inputs import Gathered, lay_out
from gambol.bake.store import Store
from gambol.bake.task import Task
from gambol.bake.worker import serve

ENDING_S = 5.0  # s, >= 0: workers that take longer to end are killed

_starting = threading.Lock()


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    task: Task
    begun: float

    @property
    def ends(self) -> tuple[Connection, int]:
        """The handles that are ready when the worker has answered or died."""
        return self.pipe, self.process.sentinel


class Pool:
    """An engine that runs tasks in processes."""

    name = "pool"

    def __init__(
        self, store: Store, gathered: Gathered, workers: int | None = None, *, limit_s: float | None = None
    ) -> None:
        """workers: processes at most; fewer tasks start fewer.  limit_s: a task that takes longer has failed."""
        self.slots = checked(workers, limit_s)
        self._store, self._gathered, self._limit_s = store, gathered, limit_s
        self._queue: deque[Task] = deque()
        self._busy: list[_Worker] = []
        self._idle: list[_Worker] = []
        atexit.register(self.close)  # without this a program that forgets to close would never end

    def submit(self, task: Task) -> None:
        self._queue.append(task)
        self._hand_out()

    def wait(self) -> Attempt:
        heard = connection.wait([end for worker in self._busy for end in worker.ends])[0]
        attempt = self._heard(next(worker for worker in self._busy if heard in worker.ends))
        self._hand_out()
        return attempt

    def close(self) -> None:
        """End all workers, even in the middle of a task."""
        atexit.unregister(self.close)
        self._queue.clear()
        workers, self._busy, self._idle = self._busy + self._idle, [], []
        for worker in workers:
            worker.process.terminate()
        until = time.monotonic() + ENDING_S
        for worker in workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
        self._store.sweep()

    def _heard(self, worker: _Worker) -> Attempt:
        """Return the attempt of a worker's task; a worker that died gives one that says so."""
        self._busy.remove(worker)
        try:
            attempt: Attempt = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            worker.pipe.close()
            how = f"worker {worker.process.pid}, exit code {worker.process.exitcode}"
            return Attempt(worker.task, time.monotonic() - worker.begun, error=DIED, trace=how, died=True)
        self._idle.append(worker)
        return attempt

    def _hand_out(self) -> None:
        while self._queue and len(self._busy) < self.slots:
            task = self._queue.popleft()
            contents = self._gathered.contents(task.inputs)
            with self._store.told_if_full():
                inputs = lay_out(self._store.inputs, task.inputs, contents.__getitem__)
            while True:
                worker = self._idle.pop() if self._idle else self._started(task)
                worker.task, worker.begun = task, time.monotonic()
                with contextlib.suppress(OSError):
                    worker.pipe.send((task, task.key, inputs))
                    break
                worker.process.join()  # it died between two tasks
                worker.pipe.close()
            self._busy.append(worker)

    def _started(self, task: Task) -> _Worker:
        context = get_context("spawn")  # a forked process with threads may hang
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, self._store.folder, self._limit_s))
        with _interrupts_kept_from_children(), _no_main_module():
            process.start()
        theirs.close()
        return _Worker(process, ours, task, 0.0)


@contextmanager
def _interrupts_kept_from_children() -> Iterator[None]:
    """Keep Ctrl-C from processes that are started inside: it reaches their parent, which ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # if the first process started it, it would let interrupts through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _no_main_module() -> Iterator[None]:
    """Keep processes that are started inside from importing the main program, which they do not need."""
    with _starting:
        before = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = before
