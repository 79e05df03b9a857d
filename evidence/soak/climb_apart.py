"""Chunks of jobs about climbs, each in a process of its own worker, so that several run side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from evidence.soak.tally import Tally


@dataclass(frozen=True)
class Apart:
    """Runs chunks in another process, or in this one if it has none."""

    run: Callable[[int], Tally]
    pool: ProcessPoolExecutor | None

    def run_chunk(self, chunk: int) -> Tally:
        return self.run(chunk) if self.pool is None else self.pool.submit(self.run, chunk).result()


@contextmanager
def apart(run: Callable[[int], Tally], *, in_this_process: bool) -> Iterator[Apart]:
    if in_this_process:
        yield Apart(run, None)
        return
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield Apart(run, pool)
