"""Workers of a Ray cluster: one that is started here for the time being, or one that is there already.

Nothing is asked of the nodes but this package: inputs come through Ray's object store, once to each node, and are laid
out in its folder for temporary files; results go back the same way, and the driver puts them into the store.
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
        """Join a cluster at an address ("auto": the one that runs on this machine), or start one of some workers.

        A cluster that this process has joined before is used as it is, and stays when this engine is closed.
        limit_s: after so many seconds a task has failed.
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
        # We try again ourselves, and count how often.
        self._remote = ray.remote(num_cpus=1, max_retries=0)(_bake_on_node)
        self._sent: dict[str, ray.ObjectRef] = {}  # contents of files, by their digests
        self._running: dict[ray.ObjectRef, tuple[Task, float]] = {}

    def submit(self, task: Task) -> None:
        contents = {name: self._reference(task, name, digest) for name, digest in task.inputs.digests.items()}
        # In a dictionary references stay what they are: they are followed only on nodes that lack the inputs.
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
            # As an array it is not copied when it is read on a node.
            content = np.frombuffer(self._gathered.contents(task.inputs)[name], dtype=np.uint8)
            self._sent[digest] = imported_ray().put(content)
        return self._sent[digest]


def _bake_on_node(task: Task, key: str, contents: dict[str, ray.ObjectRef], limit_s: float | None) -> Done | Attempt:
    """Do a task on a node of the cluster; return its files, how long it took and who did it, or what went wrong."""
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
    """Return where this node keeps inputs and works, rid of what nobody needs any more."""
    folder = node_folder()
    sweep(folder)
    forget_old(folder)
    return folder
