"""How a crowd got on: arrivals, waits, speeds, plans made and lost, time by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.recording import Recording
from gambol.crowd.recording_statistics import RecordingStatistics, done_frames
from gambol.judges.report import Report
from gambol.search.plan import Outcome

NO_WAY = "no way"  # kind of the events that tell of goals nobody gets to
MOST_LISTED = 200  # characters: listed one by one in JSON
MOST_NAMED = 5  # characters: named in a line about those that did not arrive


class RunFacts(NamedTuple):
    """How a crowd was run, and what that took."""

    scene: str
    seed: int
    threads: int
    reservations: str
    lanes: bool
    run_s: float  # on the clock, all of it
    ms_per_frame: float  # once settled: when everybody has planned, and everything is compiled
    slow_ms: float  # what one frame in twenty took longer than, once settled
    stage_ms: dict[str, float]  # a frame, by stage, once settled
    replans: int  # plans taken up
    counts: dict[str, int]  # what else the crowd counted
    waiting_to_appear: int  # characters without room at their start yet, or whose time has not come


class Fare(NamedTuple):
    """How one of a crowd got on."""

    name: str
    character: str
    outcome: Outcome
    reason: str
    goals_reached: int
    duration_s: float  # until it had nowhere to go any more, or to the end


@dataclass(frozen=True, eq=False)
class RunReport:
    """How a crowd got on, as a whole and one by one."""

    run: RunFacts
    statistics: RecordingStatistics
    fares: tuple[Fare, ...]

    @classmethod
    def of(
        cls,
        recording: Recording,
        run: RunFacts,
        *,
        goals: NDArray[np.int64],
        statistics: RecordingStatistics,
    ) -> RunReport:
        """Sum up a recording.  goals: the number of arrivals after which each is done, 0 for never."""
        return cls(run, statistics, _fares(recording, goals))

    @property
    def unfinished(self) -> tuple[Fare, ...]:
        """The characters that have not arrived, but may still."""
        return tuple(fare for fare in self.fares if fare.outcome is Outcome.PARTIAL)

    @property
    def unreachable(self) -> tuple[Fare, ...]:
        """Those to whose goal there is no way."""
        return tuple(fare for fare in self.fares if fare.outcome is Outcome.UNREACHABLE)

    @property
    def outcome(self) -> Outcome:
        """Found, if all characters with a reachable last goal have arrived; wanderers need not."""
        if self.unfinished or self.run.waiting_to_appear > 0:
            return Outcome.PARTIAL
        return Outcome.UNREACHABLE if self.fares and len(self.unreachable) == len(self.fares) else Outcome.FOUND

    def not_arrived(self) -> list[str]:
        """Return lines about the characters that did not arrive, or did not even appear."""
        lines = _named("have not arrived yet", self.unfinished) + _named("cannot get there", self.unreachable)
        if self.run.waiting_to_appear > 0:
            lines.append(f"{self.run.waiting_to_appear} have not appeared yet")
        return lines

    def to_json(self, check: Report | None = None) -> dict[str, Any]:
        """Return everything as plain values; of many characters only those that did not arrive, and not all of them."""
        few = len(self.fares) <= MOST_LISTED
        listed = self.fares if few else [fare for fare in self.fares if fare.outcome is not Outcome.FOUND]
        run = self.run._asdict()
        return {
            "outcome": self.outcome.value,
            "characters": [plain_fare(fare) for fare in listed[:MOST_LISTED]],
            "characters_not_listed": len(self.fares) - len(listed[:MOST_LISTED]),
            "check": None if check is None else check.to_json(),
            "arrived": self.statistics.arrived,
            "unreachable": len(self.unreachable),
            "ms_per_frame": self.run.ms_per_frame,
            "replans": self.run.replans,
            "run": {name: run[name] for name in run if name not in ("ms_per_frame", "replans")},
            "statistics": self.statistics.to_json(),
        }


def _fares(recording: Recording, goals: NDArray[np.int64]) -> tuple[Fare, ...]:
    done = done_frames(recording, goals)
    reached = np.bincount(recording.arrivals[:, 0], minlength=len(recording))
    lost = {event.who: event.what for event in recording.events if event.kind == NO_WAY}
    fares = []
    for number, name in enumerate(recording.names):
        first, last = recording.presence(number)
        outcome, reason = Outcome.FOUND, ""
        if done[number] >= recording.frames and number in lost:
            outcome, reason = Outcome.UNREACHABLE, lost[number]
        elif done[number] >= recording.frames and goals[number] > 0:
            outcome, reason = Outcome.PARTIAL, f"{reached[number]} of {goals[number]} goals reached so far"
        duration_s = max(min(int(done[number]), last) - first, 0) / recording.rate_hz
        kind = recording.characters[recording.kind[number]].name
        fares.append(Fare(name, kind, outcome, reason, int(reached[number]), duration_s))
    return tuple(fares)


def _named(what: str, fares: Sequence[Fare]) -> list[str]:
    if not fares:
        return []
    more = f", and {len(fares) - MOST_NAMED:,} more" if len(fares) > MOST_NAMED else ""
    names = ", ".join(f"{fare.name} ({fare.reason})" for fare in fares[:MOST_NAMED])
    return [f"{len(fares):,} {what}: {names}{more}"]


def plain_fare(fare: Fare) -> dict[str, Any]:
    """Return one row, with the keys that a plan's has: what is never searched for has no cost."""
    searched = {"cost": None, "bound": None, "plan_time_s": None, "expansions": None}
    return {**fare._asdict(), "outcome": fare.outcome.value, **searched}
