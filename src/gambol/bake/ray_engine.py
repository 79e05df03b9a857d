"""Workers of a Ray cluster, which is started here for one bake or exists already.

The nodes need only this package: inputs come through Ray's object store, once to each node, and are laid out in its
folder for temporary files; results go back the same way, and the driver puts them into the store.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gambol.bake.engine import DIED, Attempt, checked
from gambol.bake.inputs import Gathered, forget_old, lay_out
from gambol.bake.store import Store
from gambol.bake.task import Task
from gambol.bake.worker import bake_away, check_code, failed, worker_name
from gambol.crowd.split.cluster import imported_ray, joined, node_folder, started
from gambol.errors import InvalidInput
from gambol.files.folders import lent, sweep

if TYPE_CHECKING:
    import ray

Done = tuple[dict[str, bytes], float, str]  # files, seconds, worker


class RayEngine:
    """An engine of Ray tasks, each on one processor."""

    name = "ray"

    def __init__(
        self,
        store: Store,
        gathered: Gathered,
        *,
        workers: int | None = None,
        address: str | None = None,
        limit_s: float | None = None,
    ) -> None:
        """Join the cluster at an address ("auto": the one on this machine), or start one with some workers.

        If this process has joined a cluster before, the engine uses that one, and closing the engine does not leave it.
        limit_s: a task that takes longer has failed.
        """
        wanted = checked(workers, limit_s)
        ray = imported_ray()
        self._stack = ExitStack()
        if not ray.is_initialized():
            self._stack.enter_context(started(wanted) if address is None else joined(address))
        there = int(ray.cluster_resources().get("CPU", 0))
        if there < 1:
            self.close()
            raise InvalidInput(f"the Ray cluster at {address} has no processors to work with")
        self.slots = there if workers is None else min(workers, there)
        self._store, self._gathered, self._limit_s = store, gathered, limit_s
        # The bake tries failed tasks again, and counts the tries.
        self._remote = ray.remote(num_cpus=1, max_retries=0)(_bake_on_node)
        self._sent: dict[str, ray.ObjectRef] = {}  # contents of files, by their digests
        self._running: dict[ray.ObjectRef, tuple[Task, float]] = {}

    def submit(self, task: Task) -> None:
        contents = {name: self._reference(task, name, digest) for name, digest in task.inputs.digests.items()}
        # In a dictionary references stay references: only nodes that lack the inputs fetch them.
        reference = self._remote.remote(task, task.key, contents, self._limit_s)
        self._running[reference] = (task, time.perf_counter())

    def wait(self) -> Attempt:
        ray = imported_ray()
        (ended,), _ = ray.wait(list(self._running), num_returns=1)
        task, begun = self._running.pop(ended)
        try:
            result: Done | Attempt = ray.get(ended)
        except ray.exceptions.RayError as error:
            how = f"{type(error).__name__}: {error}"
            return Attempt(task, time.perf_counter() - begun, error=DIED, trace=how, died=True)
        if isinstance(result, Attempt):
            return result
        files, seconds, worker = result
        try:
            self._store.keep(task, files)
        except Exception as error:
            return failed(task, error, seconds)
        return Attempt(task, seconds, worker)

    def close(self) -> None:
        self._running, self._sent = {}, {}
        self._stack.close()

    def _reference(self, task: Task, name: str, digest: str) -> ray.ObjectRef:
        if digest not in self._sent:
            # A node reads an array without copying it.
            content = np.frombuffer(self._gathered.contents(task.inputs)[name], dtype=np.uint8)
            self._sent[digest] = imported_ray().put(content)
        return self._sent[digest]


def _bake_on_node(task: Task, key: str, contents: dict[str, ray.ObjectRef], limit_s: float | None) -> Done | Attempt:
    """Do a task on a node of the cluster; return its files, its time and its worker, or a failed attempt."""
    begun = time.perf_counter()
    place = work = None
    try:
        check_code(task, key)
        folder = _prepared_folder()
        place = lay_out(folder, task.inputs, lambda name: memoryview(imported_ray().get(contents[name])))
        with lent(folder) as work:
            return bake_away(work, place, task, limit_s=limit_s), time.perf_counter() - begun, worker_name()
    except Exception as error:
        return failed(task, error, time.perf_counter() - begun, work, place)


@cache
def _prepared_folder() -> Path:
    """Return the folder in which this node keeps inputs and works, after removing old files."""
    folder = node_folder()
    sweep(folder)
    forget_old(folder)
    return folder
