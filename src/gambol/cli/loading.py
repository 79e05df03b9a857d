"""While modules load, Ctrl-C ends the program at once and quietly, as nothing is begun yet that needs an end."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130  # exit code: Ctrl-C ended the program


@contextmanager
def loading() -> Iterator[None]:
    """Let Ctrl-C end the process, in place of an error from the middle of some library."""
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
