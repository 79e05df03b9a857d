"""How a crowd fared: who arrived, how long they waited, how fast they went; from its recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.characters.action_table import action_table
from gambol.crowd.kernels.standing import longest_stand
from gambol.crowd.recording import Recording
from gambol.crowd.repeats import Repeats, count_repeats
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray

STANDING_M = 0.25  # from its middle, in which one stands
WAIT_EDGES_S = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, np.inf)
SPEED_EDGES_M_S = (0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 6.0, np.inf)
MOST_NAMED = 5  # of those who waited longest
ENDLESS = 0  # goals of those who always have somewhere to go


class Wait(NamedTuple):
    """The longest stand of one who had somewhere to go."""

    name: str
    seconds: float
    since_s: float
    x: float
    y: float


@dataclass(frozen=True)
class RecordingStatistics:
    """Numbers of one recording; speeds and waits count while one has somewhere to go."""

    characters: int
    duration_s: float
    goals_reached: int  # by all together
    with_last_goal: int  # characters who would be done some time
    arrived: int  # of these
    longest_waits: tuple[Wait, ...]  # the longest first
    mean_wait_s: float  # of everyone's longest
    waits: tuple[int, ...]  # characters by their longest wait, between WAIT_EDGES_S
    mean_speed_m_s: float
    speeds: tuple[float, ...]  # shares of the time by speed, between SPEED_EDGES_M_S; of nothing: zeros
    repeats: Repeats  # of clips, side by side

    @property
    def longest_wait_s(self) -> float:
        return self.longest_waits[0].seconds if self.longest_waits else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "characters": self.characters,
            "duration_s": self.duration_s,
            "goals_reached": self.goals_reached,
            "with_last_goal": self.with_last_goal,
            "arrived": self.arrived,
            "longest_wait_s": self.longest_wait_s,
            "longest_waits": [wait._asdict() for wait in self.longest_waits],
            "mean_wait_s": self.mean_wait_s,
            "waits": {"edges_s": _finite(WAIT_EDGES_S), "characters": list(self.waits)},
            "mean_speed_m_s": self.mean_speed_m_s,
            "speeds": {"edges_m_s": _finite(SPEED_EDGES_M_S), "share_of_time": list(self.speeds)},
            "repeats": self.repeats.to_json(),
        }


def statistics(recording: Recording, *, goals: ArrayLike | None = None) -> RecordingStatistics:
    """Return how a crowd fared.

    One stands as long as the root stays within 0.25 m of a place: in a box with a diagonal of half a metre.
    goals: after how many arrivals each (N,) is done, ENDLESS for never; by default all are done at their last arrival.
    """
    done = done_frames(recording, goals)
    waits: list[Wait] = []
    distance_m = 0.0
    spans = np.zeros(len(SPEED_EDGES_M_S) - 1, dtype=np.int64)
    for number, points in enumerate(root_points(recording)):
        first, _ = recording.presence(number)
        going = points[: max(int(done[number]) - first + 1, 0)]
        stand = longest_stand(going, 2.0 * STANDING_M)
        if stand.frames > 1:
            x, y = going[stand.first : stand.first + stand.frames].mean(axis=0)
            seconds, since_s = (stand.frames - 1) / recording.rate_hz, (first + stand.first) / recording.rate_hz
            waits.append(Wait(recording.names[number], seconds, since_s, float(x), float(y)))
        moved = np.linalg.norm(np.diff(going, axis=0), axis=1)
        distance_m += float(moved.sum())
        spans += np.histogram(moved * recording.rate_hz, SPEED_EDGES_M_S)[0]
    time_s = int(spans.sum()) / recording.rate_hz
    seconds = np.array([wait.seconds for wait in waits])
    with_last = len(recording) if goals is None else int((np.asarray(goals) > ENDLESS).sum())
    return RecordingStatistics(
        characters=len(recording),
        duration_s=recording.duration_s,
        goals_reached=len(recording.arrivals),
        with_last_goal=with_last,
        arrived=int((done <= recording.frames - 1).sum()),
        longest_waits=tuple(sorted(waits, key=lambda wait: -wait.seconds)[:MOST_NAMED]),
        mean_wait_s=float(seconds.mean()) if len(seconds) else 0.0,
        waits=tuple(np.histogram(seconds, WAIT_EDGES_S)[0].tolist()),
        mean_speed_m_s=distance_m / time_s if time_s > 0.0 else 0.0,
        speeds=tuple((spans / max(int(spans.sum()), 1)).tolist()),
        repeats=count_repeats(recording),
    )


def done_frames(recording: Recording, goals: ArrayLike | None = None) -> NDArray[np.int64]:
    """Return when each (N,) had nowhere to go any more: the frame of its last arrival, or `frames` for not yet."""
    done = np.full(len(recording), recording.frames, dtype=np.int64)
    order = np.lexsort((recording.arrivals[:, 1], recording.arrivals[:, 0]))
    who, frame = recording.arrivals[order].T.astype(np.int64)
    firsts = np.searchsorted(who, np.arange(len(recording) + 1))
    counts = np.diff(firsts)
    needed = counts if goals is None else np.asarray(goals, dtype=np.int64)
    if needed.shape != (len(recording),):
        raise InvalidInput(f"goals: a number for each of {len(recording)} characters expected, not {needed.shape}")
    some = np.flatnonzero((needed > ENDLESS) & (counts >= needed))
    done[some] = frame[firsts[some] + needed[some] - 1]
    return done


def root_points(recording: Recording) -> Iterator[FloatArray]:
    """Return for one character after another where its root is, in each frame (F, 2) in which it is there."""
    tables = [action_table(character) for character in recording.characters]
    for number in range(len(recording)):
        table = tables[recording.kind[number]]
        steps = slice(int(recording.first_step[number]), int(recording.first_step[number + 1]))
        first, last = recording.presence(number)
        clips, begins = recording.clip[steps].astype(np.int64), recording.frame[steps].astype(np.int64)
        frames = np.arange(first, last + 1)
        played = np.searchsorted(begins, frames, "right") - 1
        samples = table.clip_samples[clips[played]] + frames - begins[played]
        yield planar.compose(recording.pose[steps][played], table.path[samples])[:, :2]


def _finite(edges: Sequence[float]) -> list[float | None]:
    return [edge if np.isfinite(edge) else None for edge in edges]
