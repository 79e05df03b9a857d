"""Movers: prisms on trajectories known in advance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.world.footprint import Footprint

REPEATS = ("once", "loop", "bounce")


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Poses and heights at times, with straight lines between them.

    Before the first time, the mover is at the first pose.  After the last time it rests (`once`), begins again
    (`loop`) or runs back and forth (`bounce`).  Headings are not wrapped: a whole turn is 2 pi.
    """

    times_s: FloatArray  # (K,) increasing, K >= 1
    poses: FloatArray  # (K, 3) x, y, heading
    heights_m: FloatArray  # (K, 2) bottom and top above the local ground
    repeat: str = "once"  # one of REPEATS

    def __post_init__(self) -> None:
        for name in ("times_s", "poses", "heights_m"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        count = len(self.times_s)
        if count == 0 or self.times_s.ndim != 1:
            raise InvalidInput("a trajectory needs at least one time")
        if self.poses.shape != (count, 3) or self.heights_m.shape != (count, 2):
            raise InvalidInput(
                f"a trajectory of {count} times needs poses ({count}, 3) and heights ({count}, 2), "
                f"not {self.poses.shape} and {self.heights_m.shape}"
            )
        if not all(np.isfinite(array).all() for array in (self.times_s, self.poses, self.heights_m)):
            raise InvalidInput("a trajectory's numbers must be finite")
        if np.any(np.diff(self.times_s) <= 0.0):
            raise InvalidInput("a trajectory's times must increase")
        if np.any(self.heights_m[:, 0] >= self.heights_m[:, 1]):
            raise InvalidInput("a trajectory's tops must be above its bottoms")
        if self.repeat not in REPEATS:
            raise UnknownName("way to repeat", self.repeat, REPEATS)
        if self.repeat != "once" and count < 2:
            raise InvalidInput(f"a trajectory that repeats ({self.repeat}) needs at least two times")

    @property
    def period_s(self) -> float:
        """Seconds after which it repeats; infinite for `once`."""
        length = float(self.times_s[-1] - self.times_s[0])
        return {"once": np.inf, "loop": length, "bounce": 2.0 * length}[self.repeat]

    def phase(self, time_s: ArrayLike) -> FloatArray:
        """Return the time in the table for each time of the world."""
        first, last = self.times_s[0], self.times_s[-1]
        since = np.maximum(np.asarray(time_s, dtype=np.float64) - first, 0.0)
        if self.repeat == "loop":
            since = since % (last - first)
        elif self.repeat == "bounce":
            since = since % (2.0 * (last - first))
            since = np.minimum(since, 2.0 * (last - first) - since)
        return first + np.minimum(since, last - first)

    def at(self, time_s: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return poses (..., 3) and heights (..., 2) at times (...)."""
        phase = self.phase(time_s)
        columns = [np.interp(phase, self.times_s, column) for column in (*self.poses.T, *self.heights_m.T)]
        return np.stack(columns[:3], axis=-1), np.stack(columns[3:], axis=-1)

    @cached_property
    def moves(self) -> bool:
        """Whether its pose or heights ever change."""
        return bool(np.ptp(self.poses, axis=0).any() or np.ptp(self.heights_m, axis=0).any())


@dataclass(frozen=True, eq=False)
class Mover:
    """A footprint on a trajectory.  A loop whose ends differ jumps; the place where it lands must be free."""

    name: str
    footprint: Footprint
    trajectory: Trajectory
