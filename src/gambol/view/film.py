"""What can be gone through from a beginning to an end, to be shared as a moving picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Film:
    """What a tab plays: its time, and how to show any instant of it.

    What is live has no end and no way back: it is filmed from now on, and stays where it has come to.
    """

    duration_s: float  # of what is live: infinite
    now_s: float  # what is shown at the moment
    joints: int  # that are placed for each picture
    show: Callable[[float], None]  # the world as it is at a time; of what is live, at later and later ones
    is_live: bool = False

    def times(self, *, most_s: float, rate_hz: float) -> NDArray[np.float64]:
        """Return the instants of its pictures: of all of it, or where that is too long of what comes now."""
        lasts_s = min(self.duration_s, most_s)
        first_s = 0.0 if self.duration_s <= most_s else min(self.now_s, self.duration_s - most_s)  # infinite: from now
        return first_s + np.arange(int(lasts_s * rate_hz + 1e-6) + 1) / rate_hz

    def go_back(self) -> None:
        """Show what was shown before it was filmed, where there is a way back."""
        if not self.is_live:
            self.show(self.now_s)
