"""Colors on maps of crowds, by speed, by time of standing, by group or by kind."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.moment import moment, places
from gambol.crowd.recording import Recording
from gambol.errors import UnknownName
from gambol.geometry.arrays import FloatArray
from gambol.pictures.crowd_colors import MOST_GROUPS, groups_of
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK
from gambol.pictures.mesh import Color
from gambol.pictures.world_colors import character_color

PAINTS = ("speed", "waiting", "group", "kind")
OVER_S = 1.0  # seconds over which speeds are taken, so that the body's sway averages out
STANDING_M = 0.5  # metres: a character stands while it stays this near; larger: slow ones stand too
LONGEST_S = 20  # seconds: longer waits look alike
TOP_SPEED_M_S = 4.0  # metres a second: higher speeds look alike
GRAY: Color = (0.62, 0.63, 0.65)
#: Colors at shares from 0 to 1, also for the color-blind.
SLOW_TO_FAST = ((0.0, (0.76, 0.15, 0.12)), (0.12, (0.90, 0.45, 0.10)), (0.3, (0.85, 0.68, 0.20)),
                (0.55, (0.25, 0.62, 0.62)), (1.0, (0.08, 0.30, 0.62)))  # fmt: skip
SHORT_TO_LONG = (
    (0.0, (0.42, 0.62, 0.78)),
    (0.15, (0.86, 0.72, 0.30)),
    (0.5, (0.88, 0.42, 0.12)),
    (1.0, (0.55, 0.05, 0.10)),
)


@dataclass(frozen=True, eq=False)
class Paint:
    """A color for each character of a crowd, and the legend."""

    colors: FloatArray  # (N, 3) sRGB
    words: str = ""  # beside the ramp
    ramp: FloatArray | None = None  # (R, 3) sRGB, from the least value to the greatest
    labels: tuple[tuple[str, Color], ...] = ()  # words and colors of the legend, if there is no ramp

    def with_gray(self, done: NDArray[np.bool_]) -> Paint:
        """Return the same, with characters that are done (N,) in gray."""
        if not done.any():
            return self
        words = f"{self.words}; gray: done" if self.words else ""
        labels = (*self.labels, ("done", GRAY)) if self.labels else ()
        return replace(self, colors=np.where(done[:, None], GRAY, self.colors), words=words, labels=labels)


def paint_crowd(recording: Recording, time_s: float, by: str) -> Paint:
    """Color a crowd at a time, by one of `PAINTS`."""
    if by not in PAINTS:
        raise UnknownName("coloring", by, PAINTS)
    if by == "speed":
        shares = speeds_at(recording, time_s) / TOP_SPEED_M_S
        return Paint(_ramped(SLOW_TO_FAST, shares), f"0 to {TOP_SPEED_M_S:g} m/s", _ramp(SLOW_TO_FAST))
    if by == "waiting":
        shares = stood_s(recording, time_s) / LONGEST_S
        return Paint(_ramped(SHORT_TO_LONG, shares), f"has stood 0 to {LONGEST_S} s", _ramp(SHORT_TO_LONG))
    names, number = groups_of(recording)
    if by == "kind" or len(names) > MOST_GROUPS:
        names, number = tuple(character.name for character in recording.characters), recording.kind.astype(np.int64)
    colors = [faded(character_color(index), INK, 0.15) for index in range(len(names))]
    counts = np.bincount(number, minlength=len(names))
    labels = tuple((f"{name}: {count:,}", color) for name, count, color in zip(names, counts, colors, strict=True))
    return Paint(np.array(colors).reshape(-1, 3)[number], labels=labels)


def speeds_at(recording: Recording, time_s: float) -> FloatArray:
    """Return each character's speed (N,), straight over the last second; 0 for absent ones."""
    before_s = max(0.0, time_s - OVER_S)
    if time_s <= before_s:
        before_s, time_s = time_s, min(time_s + OVER_S, recording.duration_s)
    moved = np.linalg.norm(_places_of_all(recording, time_s) - _places_of_all(recording, before_s), axis=1)
    return np.nan_to_num(moved, nan=0.0) / max(time_s - before_s, 1e-9)


def stood_s(recording: Recording, time_s: float) -> FloatArray:
    """Return the whole seconds, at most 20, for which each character (N,) has stayed within half a metre."""
    here = _places_of_all(recording, time_s)
    stood = np.zeros(len(recording))
    still = np.ones(len(recording), dtype=bool)
    for seconds in range(1, LONGEST_S + 1):
        if time_s < seconds:
            break
        away = np.linalg.norm(_places_of_all(recording, time_s - seconds) - here, axis=1)
        still &= away <= STANDING_M  # absent characters (NaN) did not stand
        stood[still] = seconds
    return stood


def _places_of_all(recording: Recording, time_s: float) -> FloatArray:
    """Return the place of each character (N, 2) at a time, NaN for absent ones."""
    result = np.full((len(recording), 2), np.nan)
    now = moment(recording, time_s)
    result[now.who] = places(recording, now)[:, :2]
    return result


def _ramp(stops: tuple[tuple[float, Color], ...]) -> FloatArray:
    return _ramped(stops, np.linspace(0.0, 1.0, 100))


def _ramped(stops: tuple[tuple[float, Color], ...], shares: FloatArray) -> FloatArray:
    at = [share for share, _ in stops]
    return np.stack([np.interp(shares, at, [color[axis] for _, color in stops]) for axis in range(3)], axis=-1)
