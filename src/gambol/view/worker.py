"""Long work beside the desk: the viewer answers meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from gambol.errors import GambolError
from gambol.view.desk import Desk

Result = TypeVar("Result")
Progress = Callable[[str, float], None]  # takes what is being done, and its share that is done


class Interrupted(GambolError):
    """The work was stopped."""


class Worker:
    """One piece of work at a time; a new one stops the one before."""

    def __init__(self, desk: Desk, tell: Progress) -> None:
        """tell: is called on the desk."""
        self._desk, self._tell = desk, tell
        self._stopped = threading.Event()
        self._busy = threading.Lock()

    def ask(
        self,
        work: Callable[[Progress], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Begin some work; `done` or `failed` is called on the desk, unless the work was stopped before."""
        self.stop()
        stopped = self._stopped = threading.Event()
        told = ("", 0.0)

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
                with self._busy:  # the work before may not have stopped yet
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
        """Stop the work when it reports progress next; its result is dropped."""
        self._stopped.set()
