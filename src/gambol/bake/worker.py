"""What a worker does: one task after the other, from its inputs to its complete result."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from gambol.bake.engine import Attempt
from gambol.bake.store import Store, StoreFull, files_in, write_result
from gambol.bake.task import Task
from gambol.errors import InvalidInput

MOST_TRACE = 20_000  # characters, >= 1: length of an error's traceback in the log
GRACE_S = 5.0  # s, > 0: a task that goes on this long after its time limit is ended with its process
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


class TooLong(Exception):
    """A task took longer than its time limit."""


def serve(pipe: Connection, folder: Path, limit_s: float | None) -> None:
    """Do the tasks that come through a pipe, each with its key and the place of its inputs, until it is closed."""
    end_with_parent()
    with contextlib.suppress(EOFError, OSError):
        while True:
            task, key, inputs = pipe.recv()
            pipe.send(bake_here(folder, inputs, task, key, limit_s=limit_s))


def bake_here(folder: Path, inputs: Path, task: Task, key: str, *, limit_s: float | None = None) -> Attempt:
    """Do a task and put its result into a store that this process reaches.  key: the task's key where it was made."""
    begun = time.perf_counter()
    store, place = Store(folder), None
    try:
        check_code(task, key)
        if not store.has(task.key):  # else another worker was faster
            with store.baking(task) as (place, summary), time_limit(limit_s):
                summary.update(baker(task.kind)(task, inputs, place))
    except Exception as error:
        return failed(task, error, time.perf_counter() - begun, place, inputs)
    return Attempt(task, time.perf_counter() - begun, worker_name())


def bake_away(folder: Path, inputs: Path, task: Task, *, limit_s: float | None = None) -> dict[str, bytes]:
    """Do a task in an empty folder and return its files, with result.json."""
    with time_limit(limit_s):
        summary = baker(task.kind)(task, inputs, folder)
    write_result(folder, task, summary)
    return {name: path.read_bytes() for name, path in files_in(folder).items()}


def baker(kind: str) -> Callable[[Task, Path, Path], dict[str, Any]]:
    """Return the function that does tasks of some kind; it is imported only now, which takes a while."""
    module, colon, name = kind.partition(":")
    if colon:
        return getattr(import_module(module), name)
    from gambol.bake.kinds.registry import KINDS

    return KINDS[kind].bake


def check_code(task: Task, key: str) -> None:
    """Raise if this process runs other code than the process that made a task: the result would differ."""
    if task.key != key:
        raise InvalidInput("the worker runs other code than the bake: install the same code there, and bake again")


def failed(task: Task, error: Exception, seconds: float, *folders: Path | None) -> Attempt:
    """Return the attempt of an error.  folders: are left out of its message, since they differ each time."""
    trace = "".join(traceback.format_exception(error))[-MOST_TRACE:]
    message = f"{type(error).__name__}: {error}"
    for folder in folders:
        if folder is not None:
            message = message.replace(f"{folder}/", "").replace(str(folder), ".")
    return Attempt(task, seconds, worker_name(), message, trace, full=isinstance(error, StoreFull))


def worker_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise TooLong after some time; code that ignores this, such as an endless kernel, ends with the process."""
    if seconds is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TooLong(f"it took longer than {seconds:g} s")

    with Path(os.devnull).open("w") as nowhere:
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        faulthandler.dump_traceback_later(seconds + GRACE_S, exit=True, file=nowhere)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            faulthandler.cancel_dump_traceback_later()
            signal.signal(signal.SIGALRM, before)


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, for whatever reason."""
    parent = parent_process()
    if parent is None:
        return
    if sys.platform == "linux":  # the system ends it even while a kernel blocks other threads
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
