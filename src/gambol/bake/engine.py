"""What runs tasks: one thing to hand them to, and to hear from when one has ended."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol

from gambol.bake.task import Task
from gambol.errors import InvalidInput

DIED = "the worker died: killed, out of memory, or far beyond its time limit"


@dataclass(frozen=True, eq=False)
class Attempt:
    """A task that was tried once: it is done and in the store, or there is an error."""

    task: Task
    seconds: float = 0.0
    worker: str = ""
    error: str = ""  # "": it is done
    trace: str = ""  # where in the program
    died: bool = False  # the worker did, which is not to say that the task is to blame
    full: bool = False  # the store takes nothing more

    @property
    def done(self) -> bool:
        return not self.error


class Engine(Protocol):
    """Hands tasks to workers."""

    @property
    def name(self) -> str: ...

    @property
    def slots(self) -> int:
        """How many tasks are worked at side by side; twice as many are held, so that nobody waits for the next."""
        ...

    def submit(self, task: Task) -> None: ...

    def wait(self) -> Attempt:
        """Return what came of one of the tasks that were submitted, whichever ends first."""
        ...

    def close(self) -> None:
        """Stop all that still works."""
        ...


def checked(workers: int | None, limit_s: float | None) -> int:
    """Return how many workers are wanted, by default one a processor."""
    if workers is not None and workers < 1:
        raise InvalidInput(f"there must be a worker or more, not {workers}")
    if limit_s is not None and not limit_s > 0.0:
        raise InvalidInput(f"the time limit of a task must be above 0 s, not {limit_s:g}")
    return workers or os.cpu_count() or 1
