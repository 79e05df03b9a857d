"""Work that waits until a hand rests."""

from __future__ import annotations

import threading

from gambol.view.desk import Desk, Job

REST_S = 0.4  # without being asked again


class Later:
    """One job, left on the desk when nobody has asked for it, or for another in its place, for a while."""

    def __init__(self, desk: Desk, about: str) -> None:
        self._desk, self._about = desk, about
        self._timer: threading.Timer | None = None

    def ask(self, job: Job) -> None:
        self.cancel()
        self._timer = threading.Timer(REST_S, lambda: self._desk.leave(job, about=self._about))
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Do nothing of what was asked for and not left on the desk yet."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
