"""How everything here is timed: warmed up, several runs, the median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class Row(NamedTuple):
    """One measurement, beside what it is compared with."""

    what: str
    ours: str
    other: str
    ratio: str
    note: str = ""
    wanted: str = ""  # and whether it is so


def median_seconds(function: Callable[[], object], *, runs: int = 7) -> float:
    """Call once to compile and fill caches, then return the median of several timed calls."""
    function()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)
