"""Engines, which run tasks: what they offer, and what they return."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol

from gambol.bake.task import Task
from gambol.errors import InvalidInput

DIED = "the worker died: killed, out of memory, or far beyond its time limit"  # error of a task


@dataclass(frozen=True, eq=False)
class Attempt:
    """One try of a task: it is done and in the store, or there is an error."""

    task: Task
    seconds: float = 0.0
    worker: str = ""
    error: str = ""  # "": it is done
    trace: str = ""  # where in the program the error came from
    died: bool = False  # the worker died; the task need not be the cause
    full: bool = False  # the store cannot take more

    @property
    def done(self) -> bool:
        return not self.error


class Engine(Protocol):
    """Hands tasks to workers."""

    @property
    def name(self) -> str: ...

    @property
    def slots(self) -> int:
        """The number of tasks that run side by side; a bake submits twice this number, so that no worker waits."""
        ...

    def submit(self, task: Task) -> None: ...

    def wait(self) -> Attempt:
        """Wait until one of the submitted tasks ends, and return its attempt."""
        ...

    def close(self) -> None:
        """Stop all workers."""
        ...


def checked(workers: int | None, limit_s: float | None) -> int:
    """Return the number of workers, by default one for each processor; a bad number or limit is an error."""
    if workers is not None and workers < 1:
        raise InvalidInput(f"expected 1 worker or more, not {workers}")
    if limit_s is not None and not limit_s > 0.0:
        raise InvalidInput(f"the time limit of a task must be above 0 s, not {limit_s:g}")
    return workers or os.cpu_count() or 1
