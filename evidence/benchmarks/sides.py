"""These sources and *old*, asked the same by one script in processes of their own, under the same load."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import numpy as np

from evidence.old.environment import OLD, ROOT, Worker, environment

SCRIPT = "timing.py"


class Sides(NamedTuple):
    """Both, asked in turn."""

    new: Worker
    old: Worker

    def ask(self, **question: Any) -> tuple[Any, Any]:
        """Return the answers of the new and of the old."""
        return self.new.ask(question), self.old.ask(question)


@contextmanager
def both_sides() -> Iterator[Sides]:
    """Start both."""
    with ExitStack() as stack:
        yield Sides(*(stack.enter_context(environment(each).worker(SCRIPT)) for each in (str(ROOT), OLD)))


class Spread(NamedTuple):
    """Of many times."""

    median: float
    mean: float
    p99: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), statistics.mean(values), float(np.percentile(values, 99)))

    def __str__(self) -> str:
        return f"{self.median:.2f} ms (mean {self.mean:.2f}, 99th percentile {self.p99:.1f})"
