"""Workers on this machine: processes, one task at a time each.

Every worker is an executor of its own, so that one that dies takes nobody with it.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

from gambol.bake.engine import Attempt
from gambol.bake.inputs import Gathered, lay_out
from gambol.bake.store import Store
from gambol.bake.task import Task
from gambol.bake.worker import bake_here, end_with_parent
from gambol.errors import InvalidInput


class Pool:
    """An engine of processes."""

    name = "pool"

    def __init__(self, store: Store, gathered: Gathered, workers: int | None = None) -> None:
        self.slots = workers if workers is not None else os.cpu_count() or 1
        if self.slots < 1:
            raise InvalidInput(f"there must be a worker or more, not {self.slots}")
        self._store, self._gathered = store, gathered
        self._queue: deque[Task] = deque()
        self._idle = list(range(self.slots))
        self._executors: dict[int, ProcessPoolExecutor] = {}
        self._running: dict[Future[Attempt], tuple[int, Task]] = {}

    def submit(self, task: Task) -> None:
        self._queue.append(task)
        self._start()

    def wait(self) -> Attempt:
        while True:
            ended, _ = wait(self._running, return_when=FIRST_COMPLETED)
            future = ended.pop()
            number, task = self._running.pop(future)
            try:
                attempt = future.result()
            except BrokenProcessPool:
                self._executors.pop(number).shutdown(wait=False)
                attempt = Attempt(task, error="the worker died: killed, or out of memory", died=True)
            self._idle.append(number)
            self._start()
            return attempt

    def close(self) -> None:
        self._queue.clear()
        for executor in self._executors.values():
            processes = list((executor._processes or {}).values())
            executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
        self._executors.clear()

    def _start(self) -> None:
        while self._queue and self._idle:
            number, task = self._idle.pop(), self._queue.popleft()
            inputs: Path = lay_out(self._store.inputs, task.inputs, self._gathered.contents(task.inputs))
            if number not in self._executors:
                # Forked, a process that has threads may hang.
                self._executors[number] = ProcessPoolExecutor(
                    1, mp_context=get_context("spawn"), initializer=end_with_parent
                )
            try:
                future = self._executors[number].submit(bake_here, self._store.folder, inputs, task)
            except BrokenProcessPool:  # it died between two tasks
                self._executors.pop(number).shutdown(wait=False)
                self._idle.append(number)
                self._queue.appendleft(task)
                continue
            self._running[future] = (number, task)
