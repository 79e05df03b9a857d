"""All that is known to move through a crowd, laid out a while ahead and again before that is over."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from gambol.errors import InvalidInput
from gambol.search.traffic import Traffic
from gambol.world.world import Footprint, Mover, Trajectory

RENEWED_S = 30.0  # what moves is laid out again after so long
AHEAD_S = 15.0  # and always at least so far ahead: more than anyone commits to
LONGEST_S = 60.0  # of a period or of a single way that is laid out as a whole
PREDICTED_S = 1.0  # for so long what is driven is taken to go on as it does
SAME_M, SAME_RAD = 0.005, 0.01  # what is driven to within this of where it was predicted goes on as predicted


@dataclass(frozen=True, eq=False)
class KnownMover:
    """A mover and what becomes of it."""

    mover: Mover
    stays: bool  # after the end of its trajectory
    given: tuple[float, float, float, float] | None = None  # time and pose as last driven; None: nobody drives it

    def ends(self, rate_hz: float) -> int | None:
        """Return the frame at which it is gone, if it ever is."""
        trajectory = self.mover.trajectory
        if self.stays or trajectory.repeat != "once":
            return None
        return math.ceil(float(trajectory.times_s[-1]) * rate_hz - 1e-9)


class Movers:
    """Movers by name, and the traffic that kernels look up; its frame 0 is a frame of the crowd.

    Memory depends on what moves now, never on for how long the crowd has run.
    """

    def __init__(self, movers: tuple[Mover, ...], rate_hz: float) -> None:
        self.rate_hz = rate_hz
        self.known = {mover.name: KnownMover(mover, stays=True) for mover in movers}
        self.frame = 0
        self._lay_out(0)

    @property
    def movers(self) -> tuple[Mover, ...]:
        return tuple(one.mover for one in self.known.values())

    def alone(self, name: str) -> Traffic:
        """Return the traffic of one mover; its frame 0 is that of the traffic of all."""
        if name not in self._alone:
            self._alone[name] = Traffic(rate_hz=self.rate_hz, horizon_frames=self._horizon)
            self._enter(self._alone[name], self.known[name])
        return self._alone[name]

    def renew(self, frame: int) -> bool:
        """Lay out again what moves if it is time to; return whether that was done."""
        if not self.traffic.is_endless or frame < self.frame + RENEWED_S * self.rate_hz:
            return False
        self._lay_out(frame)
        return True

    def put(self, known: KnownMover, frame: int) -> None:
        """Add a mover, or replace the one of its name."""
        before = self.known.get(known.mover.name)
        self.known[known.mover.name] = known
        is_recent = frame < self.frame + RENEWED_S * self.rate_hz
        if is_recent and known.given is not None and (before is None or before.given is not None):
            self._join()
        else:
            self._lay_out(frame)

    def take(self, name: str, frame: int) -> None:
        """Take a mover out."""
        del self.known[name]
        self._lay_out(frame)

    def gone(self, frame: int) -> list[str]:
        """Return the names of those that are at the end of their way."""
        return [
            name for name, one in self.known.items() if (end := one.ends(self.rate_hz)) is not None and end <= frame
        ]

    def driven(
        self,
        name: str,
        pose: tuple[float, float, float],
        frame: int,
        footprint: Footprint | None,
        heights_m: tuple[float, float],
    ) -> KnownMover | None:
        """Return a mover driven to a pose, which goes on as it has come; None where that was known already."""
        time_s = frame / self.rate_hz
        before = self.known.get(name)
        if before is None and footprint is None:
            raise InvalidInput(f"{name!r} is driven for the first time: a footprint is needed")
        rates = np.zeros(3)
        if before is not None:
            footprint = before.mover.footprint if footprint is None else footprint
            last_s, last = (0.0, None) if before.given is None else (before.given[0], np.array(before.given[1:]))
            if last is None:
                last_s = time_s - 1.0 / self.rate_hz
                last = before.mover.trajectory.at(last_s)[0]
            if time_s > last_s:
                rates = np.array(pose) - last
                rates[2] = math.remainder(rates[2], 2.0 * math.pi)
                rates /= time_s - last_s
            if before.given is not None and _is_as_predicted(before, pose, rates, time_s):
                return None
        times = np.array([time_s, time_s + PREDICTED_S])
        poses = np.stack((pose, np.array(pose) + PREDICTED_S * rates))
        trajectory = Trajectory(times, poses, np.array([heights_m, heights_m]))
        assert footprint is not None
        return KnownMover(Mover(name, footprint, trajectory), stays=True, given=(time_s, *pose))

    def _lay_out(self, frame: int) -> None:
        rate, start_s = self.rate_hz, frame / self.rate_hz
        horizon_s = RENEWED_S + AHEAD_S
        for one in self.known.values():
            trajectory = one.mover.trajectory
            repeats = trajectory.repeat != "once"
            whole_s = trajectory.period_s if repeats else float(trajectory.times_s[-1]) - start_s
            horizon_s = max(horizon_s, RENEWED_S + AHEAD_S + min(whole_s, LONGEST_S))
        self.frame = frame
        self._horizon = math.ceil(horizon_s * rate)
        self._alone: dict[str, Traffic] = {}
        self._lasting = Traffic(rate_hz=rate, horizon_frames=self._horizon)
        for one in self.known.values():
            if one.given is None:
                self._enter(self._lasting, one)
        self._join()

    def _join(self) -> None:
        """Add what is driven to all else."""
        self._alone = {name: one for name, one in self._alone.items() if self.known[name].given is None}
        driven = [one for one in self.known.values() if one.given is not None]
        self.traffic = self._lasting.copy() if driven else self._lasting
        for one in driven:
            self._enter(self.traffic, one)
        self.table = self.traffic.table

    def _enter(self, traffic: Traffic, one: KnownMover) -> None:
        trajectory = one.mover.trajectory
        shifted = replace(trajectory, times_s=trajectory.times_s - self.frame / self.rate_hz)
        end = one.ends(self.rate_hz)
        stays = end is None or end - self.frame >= self._horizon
        traffic.add_mover(replace(one.mover, trajectory=shifted), stays=stays)


def _is_as_predicted(known: KnownMover, pose: tuple[float, float, float], rates: np.ndarray, time_s: float) -> bool:
    """Tell whether a driven mover is where it was to be, as fast as before, and known for half a second to come."""
    trajectory = known.mover.trajectory
    if time_s > trajectory.times_s[0] + 0.5 * PREDICTED_S:
        return False
    there = trajectory.at(time_s)[0] - pose
    faster = rates - (trajectory.poses[1] - trajectory.poses[0]) / PREDICTED_S
    return (
        math.hypot(there[0], there[1]) <= SAME_M
        and abs(math.remainder(there[2], 2.0 * math.pi)) <= SAME_RAD
        and math.hypot(faster[0], faster[1]) <= SAME_M
        and abs(faster[2]) <= SAME_RAD
    )
