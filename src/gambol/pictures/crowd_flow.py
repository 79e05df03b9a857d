"""Counts of crossings through passages and lines over a crowd's recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.floor import lay_floor
from gambol.crowd.passages import find_passages
from gambol.crowd.recording import Recording
from gambol.crowd.recording_statistics import root_points
from gambol.geometry.arrays import FloatArray
from gambol.stages.crowd_report import RunReport
from gambol.world.world import World

MOST_LINES = 20  # passages, the narrowest first, among which the busiest is sought
OVER_FRAMES = 15  # frames over which speeds are taken, so that the body's sway averages out


class Line(NamedTuple):
    """A line across a way; right and left as a character that goes forth sees them."""

    right: tuple[float, float]
    left: tuple[float, float]


class Crossings(NamedTuple):
    """Crossings of a line, in order of time."""

    times_s: FloatArray  # (C,)
    forth: NDArray[np.bool_]  # (C,) whether forth, not back


def crossings(recording: Recording, line: Line) -> Crossings:
    """Return all crossings of a line by roots of characters; each counts at the frame after it."""
    right, left = np.array(line.right), np.array(line.left)
    along = left - right
    length = float(np.hypot(*along))
    ahead = np.array([along[1], -along[0]]) / length
    times, forth = [], []
    for number, points in enumerate(root_points(recording)):
        first, _ = recording.presence(number)
        side = (points - right) @ ahead
        before = np.flatnonzero((side[:-1] < 0.0) != (side[1:] < 0.0))
        share = side[before] / (side[before] - side[before + 1])
        met = points[before] + share[:, None] * (points[before + 1] - points[before])
        at = (met - right) @ along / length**2
        before = before[(at >= 0.0) & (at <= 1.0)]
        times.append((first + before + 1) / recording.rate_hz)
        forth.append(side[before] < 0.0)
    if not times:
        return Crossings(np.empty(0), np.empty(0, dtype=bool))
    order = np.argsort(np.concatenate(times), kind="stable")
    return Crossings(np.concatenate(times)[order], np.concatenate(forth)[order])


def passage_lines(world: World) -> list[Line]:
    """Return lines across a world's passages, the narrowest first, at most `MOST_LINES`."""
    passages = sorted(find_passages(lay_floor(world)), key=lambda passage: passage.width_m)
    lines = []
    for passage in passages[:MOST_LINES]:
        (x, y), (dx, dy) = passage.middle, passage.direction
        half = 0.5 * passage.width_m + 0.5
        lines.append(Line((x + half * dy, y - half * dx), (x - half * dy, y + half * dx)))
    return lines


def busiest(recording: Recording, lines: Sequence[Line]) -> Crossings | None:
    """Return the crossings of the line with the most crossings; None if there are none."""
    found = [crossings(recording, line) for line in lines]
    most = max(found, key=lambda one: len(one.times_s), default=None)
    return most if most is not None and len(most.times_s) else None


def going_speeds(recording: Recording, done: NDArray[np.int64]) -> FloatArray:
    """Return the characters' speeds, straight over each half second, up to the frames (N,) at which they were done."""
    found = [np.empty(0)]
    for number, points in enumerate(root_points(recording)):
        first, _ = recording.presence(number)
        going = points[: max(int(done[number]) - first + 1, 0) : OVER_FRAMES]
        moved = np.linalg.norm(np.diff(going, axis=0), axis=1)
        found.append(moved * (recording.rate_hz / OVER_FRAMES))
    return np.concatenate(found)


def reported_done(recording: Recording, report: RunReport) -> NDArray[np.int64]:
    """Return the frames (N,) at which each character reached its last goal, or else was last present."""
    lasted = np.array([fare.duration_s for fare in report.fares]) * recording.rate_hz
    firsts = np.array([recording.presence(number)[0] for number in range(len(recording))])
    return firsts + np.rint(lasted).astype(np.int64)
