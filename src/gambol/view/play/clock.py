"""The time of what is played."""

from __future__ import annotations

import math
from dataclasses import dataclass

LONGEST_S = 0.25  # between two looks at a clock; what takes longer was a hitch, and is not made up for


@dataclass
class Clock:
    """A time from zero to a duration, that runs or stands."""

    duration_s: float = 0.0
    time_s: float = 0.0
    speed: float = 1.0  # seconds of what is played for each second that passes, > 0
    loops: bool = True  # begin anew at the end; else stop there
    runs: bool = False

    def start(self) -> None:
        """Run, from the beginning where the end is reached."""
        if self.time_s >= self.duration_s:
            self.time_s = 0.0
        self.runs = self.duration_s > 0.0

    def go_to(self, time_s: float) -> None:
        """Go to a time, or to the nearer end where there is no such time."""
        if not math.isnan(time_s):
            self.time_s = min(max(time_s, 0.0), self.duration_s)

    def pass_by(self, seconds: float) -> None:
        """Let some time pass."""
        if not self.runs:
            return
        time_s = self.time_s + self.speed * min(seconds, LONGEST_S)
        if self.loops:
            self.time_s = time_s % self.duration_s
        else:
            self.go_to(time_s)
            self.runs = self.time_s < self.duration_s
