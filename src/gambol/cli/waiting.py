"""What a user meets while waiting: Ctrl-C while modules load, a line while kernels compile, a bar for long work."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Protocol

INTERRUPTED = 130  # exit code: Ctrl-C ended the program
COMPILING = "compiling kernels: once for this version on this machine, up to about a minute"


@contextmanager
def loading() -> Iterator[None]:
    """Let Ctrl-C end the program at once and quietly while modules load: nothing is begun yet that needs an end."""
    heeded = signal.getsignal(signal.SIGINT)
    if heeded is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    collects = gc.isenabled()
    gc.disable()  # modules stay: to look for garbage among them takes time and finds nothing
    try:
        yield
    finally:
        if collects:
            gc.enable()
        signal.signal(signal.SIGINT, heeded)


def tell_of_compiling() -> None:
    """Have one line on stderr say that kernels compile, if they will."""
    from gambol.kernels import jit

    jit.when_compiling(partial(print, COMPILING, file=sys.stderr))


class Say(Protocol):
    """A function that shows the current work, the share of it that is done, and a detail."""

    def __call__(self, what: str, share: float, detail: str = "") -> None: ...


@contextmanager
def progress_bar(*, hidden: bool = False) -> Iterator[Say]:
    """Yield a function that shows the current work and the share that is done; the bar disappears at the end.

    Without a terminal, as in a pipe, it shows nothing.
    """
    if hidden or not sys.stderr.isatty():
        yield lambda what, share, detail="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        shown = ""

        def say(what: str, share: float, detail: str = "") -> None:
            nonlocal shown
            if what != shown:
                bar.reset(task)
                shown = what
            # With no share known, the bar moves back and forth.
            bar.update(
                task, description=f"{what} {detail}".rstrip(), total=1.0 if share > 0.0 else None, completed=share
            )

        yield say
