"""What a worker does: one task, from inputs to a result that is in its place as a whole."""

from __future__ import annotations

import os
import threading
import time
import traceback
from multiprocessing import connection, parent_process
from pathlib import Path

from gambol.bake.engine import Attempt
from gambol.bake.kinds.registry import KINDS
from gambol.bake.store import Store, StoreFull, write_result
from gambol.bake.task import Task

MOST_TRACE = 20_000  # characters


def bake_here(folder: Path, inputs: Path, task: Task) -> Attempt:
    """Do a task and put its result into a store that this process reaches."""
    begun = time.perf_counter()
    store = Store(folder)
    try:
        if not store.has(task.key):  # else somebody else was faster
            with store.baking(task) as (place, summary):
                summary.update(KINDS[task.kind].bake(task, inputs, place))
    except Exception as error:
        return failed(task, error, time.perf_counter() - begun)
    return Attempt(task, time.perf_counter() - begun, worker_name())


def bake_away(folder: Path, inputs: Path, task: Task) -> dict[str, bytes]:
    """Do a task in an empty folder and return its files, result.json among them."""
    summary = KINDS[task.kind].bake(task, inputs, folder)
    write_result(folder, task, summary)
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def failed(task: Task, error: Exception, seconds: float) -> Attempt:
    """Return what is to be told of an error."""
    trace = "".join(traceback.format_exception(error))[-MOST_TRACE:]
    message = f"{type(error).__name__}: {error}"
    return Attempt(task, seconds, worker_name(), message, trace, full=isinstance(error, StoreFull))


def worker_name() -> str:
    return f"{os.uname().nodename if hasattr(os, 'uname') else ''}:{os.getpid()}"


def end_with_parent() -> None:
    """End this process as soon as the one that started it is no more, however that ended."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
