"""One thread that does all the viewer's work, one thing after another.

A browser's request is left on the desk as a note and done in its turn.  Of several notes on the same subject only the
last is done: while a goal is dragged, the way leads to where the goal is now, not to all the places before.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from gambol.errors import InvalidInput

Job = Callable[[], None]
Options = ParamSpec("Options")
Result = TypeVar("Result")
LONGEST_S = 60.0  # seconds: the longest sleep of a desk where nothing is going on
CLOSED = "the viewer is closed"


class Desk:
    """Notes that are done one after another, and one job that is done at a steady rate between them."""

    def __init__(self, tell: Callable[[Exception], None]) -> None:
        """tell: takes the error of a note that fails; the notes after it are done all the same."""
        self._tell = tell
        self._notes: deque[tuple[str, Job, Future | None]] = deque()  # subject, job, what somebody waits for
        self._steady: Job | None = None
        self._every_s, self._due = 0.0, 0.0
        self._open = True
        self._changed = threading.Condition()
        self._idle = True
        self._thread = threading.Thread(target=self._work, name="gambol view", daemon=True)
        self._thread.start()

    @property
    def is_closed(self) -> bool:
        return not self._open

    @property
    def is_asked(self) -> bool:
        """Whether a note waits to be done: long work may stop for it."""
        return bool(self._notes)

    def leave(self, job: Job, *, about: str = "") -> None:
        """Leave a note; an older note about the same subject that is not begun is dropped."""
        with self._changed:
            if about:
                self._notes = deque(note for note in self._notes if note[0] != about)
            self._notes.append((about, job, None))
            self._changed.notify()

    def do(self, job: Callable[[], Result]) -> Result:
        """Do a job in its turn, wait, and return its result or raise its error; on the desk's own thread, at once."""
        if threading.current_thread() is self._thread:
            return job()
        awaited: Future[Result] = Future()

        def note() -> None:
            try:
                awaited.set_result(job())
            except Exception as error:
                awaited.set_exception(error)

        with self._changed:
            if not self._open:
                raise InvalidInput(CLOSED)
            self._notes.append(("", note, awaited))
            self._changed.notify()
        try:
            return awaited.result()
        except CancelledError:
            raise InvalidInput(CLOSED) from None

    def keep_doing(self, job: Job | None, *, rate_hz: float = 30.0) -> None:
        """Do a job again and again, in place of the one before; None: no job."""
        with self._changed:
            self._steady, self._every_s, self._due = job, 1.0 / rate_hz, time.monotonic()
            self._changed.notify()

    def wait(self, timeout_s: float = 30.0) -> bool:
        """Wait until all notes are done; return whether they are."""
        ends = time.monotonic() + timeout_s
        with self._changed:
            while self._notes or not self._idle:
                left = ends - time.monotonic()
                if left <= 0.0:
                    return False
                self._changed.wait(left)
        return True

    def close(self, timeout_s: float | None = None) -> None:
        """Finish the note that is begun, and no other.  timeout_s: how long to wait for it; None: until it is done."""
        with self._changed:
            self._open = False
            for _, _, awaited in self._notes:
                if awaited is not None:
                    awaited.cancel()
            self._notes.clear()
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout_s)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                job()
            except Exception as error:
                self._tell(error)

    def _next(self) -> Job | None:
        with self._changed:
            self._idle = True
            self._changed.notify_all()
            while self._open:
                now = time.monotonic()
                is_due = self._steady is not None and now >= self._due
                if self._notes and not (is_due and now - self._due > self._every_s):
                    self._idle = False
                    return self._notes.popleft()[1]
                if is_due:
                    self._due = max(self._due + self._every_s, now - self._every_s)  # skip what was missed
                    return self._steady
                self._changed.wait(LONGEST_S if self._steady is None else max(self._due - now, 0.0))
            return None


def at_the_desk(
    method: Callable[Concatenate[Any, Options], Result],
) -> Callable[Concatenate[Any, Options], Result]:
    """Let any thread call a method of what has a `desk`: the desk does it in its turn, and the caller waits."""

    @wraps(method)
    def called(self: Any, *values: Options.args, **options: Options.kwargs) -> Result:
        return self.desk.do(lambda: method(self, *values, **options))

    return called
