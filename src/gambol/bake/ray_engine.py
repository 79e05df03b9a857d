"""Workers of a Ray cluster: one that is started here for the time being, or one that is there already.

Nothing is asked of the nodes but this package: inputs come through Ray's object store, once to each node, and are laid
out in its folder for temporary files; results go back the same way, and the driver puts them into the store.
"""

from __future__ import annotations

import getpass
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gambol.bake.engine import Attempt
from gambol.bake.inputs import Gathered, lay_out
from gambol.bake.store import Store
from gambol.bake.task import Task
from gambol.bake.worker import bake_away, failed, worker_name
from gambol.errors import InvalidInput, MissingExtra

if TYPE_CHECKING:
    import ray

LOCAL = "127.0.0.1"  # where a cluster that is started here listens


class RayEngine:
    """An engine of Ray tasks, each on one processor."""

    name = "ray"

    def __init__(
        self, store: Store, gathered: Gathered, *, workers: int | None = None, address: str | None = None
    ) -> None:
        """Join a cluster at an address ("auto": the one that runs on this machine), or start one of some workers."""
        ray = _ray()
        if workers is not None and workers < 1:
            raise InvalidInput(f"there must be a worker or more, not {workers}")
        options: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": "error"}
        if address is None:
            options |= {"num_cpus": workers or os.cpu_count() or 1, "_node_ip_address": LOCAL}
        try:
            ray.init(address=address or "local", **(options if address is None else {"log_to_driver": False}))
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InvalidInput(f"no Ray cluster at {address or 'this machine'}: {error}") from error
        there = int(ray.cluster_resources().get("CPU", 1))
        self.slots = there if workers is None else min(workers, there)
        self._store, self._gathered = store, gathered
        # We try again ourselves, and count how often.
        self._remote = ray.remote(num_cpus=1, max_retries=0)(_bake_on_node)
        self._inputs: dict[str, ray.ObjectRef] = {}
        self._running: dict[ray.ObjectRef, tuple[Task, float]] = {}

    def submit(self, task: Task) -> None:
        ray, key = _ray(), task.inputs.key
        if key not in self._inputs:
            self._inputs[key] = ray.put(self._gathered.contents(task.inputs))
        # In a list a reference stays one: it is followed only on nodes that do not have the inputs yet.
        self._running[self._remote.remote(task, [self._inputs[key]])] = (task, time.perf_counter())

    def wait(self) -> Attempt:
        ray = _ray()
        (ended,), _ = ray.wait(list(self._running), num_returns=1)
        task, begun = self._running.pop(ended)
        try:
            result = ray.get(ended)
        except ray.exceptions.RayError as error:
            text = f"the worker died: {type(error).__name__}: {str(error).splitlines()[0]}"
            return Attempt(task, time.perf_counter() - begun, error=text, died=True)
        if isinstance(result, Attempt):
            return result
        files, seconds, worker = result
        try:
            self._store.keep(task, files)
        except Exception as error:
            return failed(task, error, seconds)
        return Attempt(task, seconds, worker)

    def close(self) -> None:
        ray = _ray()
        if ray.is_initialized():
            ray.shutdown()


def _bake_on_node(task: Task, inputs: list[ray.ObjectRef]) -> tuple[dict[str, bytes], float, str] | Attempt:
    """Do a task on a node of the cluster; return its files, how long it took and who did it, or what went wrong."""
    begun = time.perf_counter()
    try:
        folder = node_folder()
        place = folder / task.inputs.key[:32]
        if not place.is_dir():
            place = lay_out(folder, task.inputs, _ray().get(inputs[0]))
        work = Path(tempfile.mkdtemp(prefix="gambol-baking-"))
        try:
            return bake_away(work, place, task), time.perf_counter() - begun, worker_name()
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except Exception as error:
        return failed(task, error, time.perf_counter() - begun)


def node_folder() -> Path:
    """Return where a node keeps the inputs of tasks."""
    return Path(tempfile.gettempdir()) / f"gambol-bake-{getpass.getuser()}"


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise MissingExtra("baking on a Ray cluster", "cluster") from None
    return ray
