"""What can be gone through from a beginning to an end, to be shared as a moving picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Film:
    """What a tab plays: its time, and how to show any instant of it."""

    duration_s: float
    now_s: float  # what is shown at the moment
    joints: int  # that are placed for each picture
    show: Callable[[float], None]  # the world as it is at a time

    def times(self, *, most_s: float, rate_hz: float) -> NDArray[np.float64]:
        """Return the instants of its pictures: of all of it, or where that is too long of what comes now."""
        lasts_s = min(self.duration_s, most_s)
        first_s = 0.0 if self.duration_s <= most_s else min(self.now_s, self.duration_s - most_s)
        return first_s + np.arange(int(lasts_s * rate_hz + 1e-6) + 1) / rate_hz
