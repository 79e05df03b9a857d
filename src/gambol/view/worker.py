"""Work that takes longer than a moment, beside the desk: everybody can go on looking meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from gambol.errors import GambolError
from gambol.view.desk import Desk

Result = TypeVar("Result")
Progress = Callable[[str, float], None]


class Interrupted(GambolError):
    """Work was stopped."""


class Worker:
    """One piece of work at a time; asked for another, it leaves the one that it does."""

    def __init__(self, desk: Desk, tell: Callable[[str, float], None]) -> None:
        """tell: is told on the desk what is being done and which share of it is."""
        self._desk, self._tell = desk, tell
        self._stopped = threading.Event()
        self._busy = threading.Lock()

    def ask(
        self,
        work: Callable[[Progress], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Begin some work; what comes of it is handed over on the desk, unless it was stopped before."""
        self.stop()
        stopped = self._stopped = threading.Event()
        told = ("", 0.0)  # nothing

        def progress(what: str, share: float) -> None:
            nonlocal told
            if stopped.is_set():
                raise Interrupted("stopped")
            if (what, round(share, 2)) == told:
                return
            told = (what, round(share, 2))
            self._desk.leave(
                lambda: None if stopped.is_set() else self._tell(what, share), about=f"progress {id(self)}"
            )

        def run() -> None:
            try:
                with self._busy:  # what was left may not have looked up yet
                    progress("", 0.0)
                    result = work(progress)
            except Interrupted:
                return
            except Exception as error:
                problem = error
                self._desk.leave(lambda: None if stopped.is_set() else failed(problem))
                return
            self._desk.leave(lambda: None if stopped.is_set() else done(result))

        threading.Thread(target=run, name="gambol worker", daemon=True).start()

    def stop(self) -> None:
        """Leave the work that is being done, as soon as it looks up; nothing comes of it."""
        self._stopped.set()
