"""What a character of a crowd takes in memory: by the growth of a process of its own, and by the arrays it is in."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from evidence.benchmarks.crowd_plaza import Plaza, resident_bytes
from gambol.crowd import Crowd

Runner = Callable[[Plaza, int], object]  # runs a plaza for so many frames and returns what must be kept


def bytes_each(runner: Runner, count: int, *, frames: int, few: int = 150) -> float:
    """Return by how many bytes a character a process grows that has run a few before."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_grown, runner, count, frames, few).result() / count


def _grown(runner: Runner, count: int, frames: int, few: int) -> int:
    kept = [runner(Plaza(few), frames)]
    plaza = Plaza(count)
    before = resident_bytes()
    kept.append(runner(plaza, frames))
    return resident_bytes() - before


def array_bytes(crowd: Crowd) -> int:
    """Return the memory of what grows with the crowd, but for the log."""
    rows = [*crowd._flock, *crowd._proposals, crowd._id, crowd._cells.who, crowd._cells.first, crowd._cells.still]
    return sum(array.nbytes for array in rows)
