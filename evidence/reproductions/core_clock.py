"""The processor time that the core itself spends on whole trips, apart from what asking from Python takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gambol.trees import trip_workspace


class CoreClock:
    """The core's library, as trips call it, which adds up the seconds of `gb_trip_solve`."""

    def __init__(self, library: Any) -> None:
        self._library, self.seconds = library, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name)

    def gb_trip_solve(self, trip: Any) -> int:
        begun = time.process_time()
        outcome = self._library.gb_trip_solve(trip)
        self.seconds += time.process_time() - begun
        return outcome


@contextmanager
def core_clock() -> Iterator[CoreClock]:
    """Watch trips for a while."""
    library = trip_workspace.lib
    clock = CoreClock(library)
    trip_workspace.lib = clock
    try:
        yield clock
    finally:
        trip_workspace.lib = library
