"""A clock that stands still while kernels compile, so that the time of planning is that of planning."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


class _Compiling:
    """Adds up the time that numba spends compiling, which it does under one lock."""

    def __init__(self) -> None:
        self.spent_s = 0.0
        self.tell: Callable[[], None] | None = None
        self._depth, self._begun = 0, 0.0

    def start(self) -> None:
        if self.tell is not None:
            tell, self.tell = self.tell, None
            tell()
        if self._depth == 0:
            self._begun = time.perf_counter()
        self._depth += 1

    def end(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.spent_s += time.perf_counter() - self._begun


_compiling = _Compiling()


def watch_numba() -> None:
    """Have numba tell when it compiles; called once, when it is imported."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            _compiling.start()

        def on_end(self, event: Any) -> None:
            _compiling.end()

    event.register("numba:compile", Listener())


def seconds() -> float:
    """Return a time in seconds that goes on while a program works, and not while it compiles."""
    return time.perf_counter() - _compiling.spent_s


def when_compiling(tell: Callable[[], None]) -> None:
    """Call a function once, when a kernel is compiled for the first time from now on."""
    _compiling.tell = tell
