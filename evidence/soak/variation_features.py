"""What a classifier gets to see of a motion: as a whole, and of ten frames at a time.

Numbers are those of one encoding, over all captures of a kind.  Nothing is looked at that models leave out on purpose:
fingers, and what hardly moves.  Feet are looked at by where they are, not by when they are said to be planted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.motion import Motion, contact_points, point_positions
from gambol.variation import Encoding, encoding_of
from gambol.variation.encoding import ROOT_COUNT

FloatArray = NDArray[np.float64]
LEAST_SPREAD_RAD = np.radians(0.5)  # joints that spread less over all captures are not looked at
PHASES = 10  # at which values and speeds are looked at, evenly from the first frame to the last
BANDS_HZ = (0.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # of the spectra
WINDOW = 10  # frames
STRIDE = 5  # from one window to the next
LOW_SHARE = 0.3  # of the frames are those in which a foot is lowest: there it should not slide
FLOOR = 1e-6  # under logarithms of shares of a number's spread
SLIDE_FLOOR_M_S = 0.01


@dataclass(frozen=True)
class Features:
    """Named numbers (N, K) of N motions or windows."""

    names: tuple[str, ...]
    table: FloatArray

    @property
    def groups(self) -> tuple[str, ...]:
        """Return the sort of each number: what its name begins with."""
        return tuple(name.split(" of ")[0] for name in self.names)


@dataclass
class Looker:
    """Looks at motions of one kind in the same way."""

    encoding: Encoding
    columns: NDArray[np.intp] = field(init=False)
    labels: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        joints = self.encoding.spread >= LEAST_SPREAD_RAD
        joints[:ROOT_COUNT] = True
        self.columns = np.flatnonzero(joints)
        self.labels = tuple(self.encoding.names[column] for column in self.columns)

    @classmethod
    def over(cls, captures: Sequence[Motion]) -> Looker:
        return cls(encoding_of(captures, root="travelling"))

    def clip(self, motion: Motion) -> Features:
        """Return what is seen of a whole motion, as one row."""
        values = self._values(motion)
        speeds = np.gradient(values, axis=0) * motion.rate_hz
        phases = np.linspace(0.0, 1.0, PHASES)
        names, numbers = ["duration of the clip"], [np.array([motion.duration_s])]
        for sort, track in (("value", values), ("speed", speeds)):
            names += [f"{sort} of {label} at {phase:.0%}" for phase in phases for label in self.labels]
            numbers.append(_at(track, phases).ravel())
        names += [
            f"power of {label} at {low:g} to {high:g} Hz" for low, high in pairwise(BANDS_HZ) for label in self.labels
        ]
        numbers.append(_powers(values, motion.rate_hz).ravel())
        rough = _roughness(_windows(values))  # (W, D)
        for sort, found in (("usual", np.median(rough, axis=0)), ("largest", rough.max(axis=0))):
            names += [f"roughness of {label}, {sort} of ten frames" for label in self.labels]
            numbers.append(found)
        feet_names, feet = self._feet(motion)
        return Features((*names, *feet_names), np.concatenate((*numbers, feet))[None])

    def windows(self, motion: Motion) -> Features:
        """Return what is seen of ten frames at a time, a row each."""
        windows = _windows(self._values(motion))  # (W, 10, D)
        steps = np.diff(windows, axis=1) * motion.rate_hz
        parts = (
            ("value", windows.mean(axis=1)), ("speed", steps.mean(axis=1)),
            ("bend", np.log10(FLOOR + steps.std(axis=1))), ("roughness", _roughness(windows)),
        )  # fmt: skip
        points = contact_points(motion.skeleton)
        places = _windows(point_positions(motion, points).reshape(motion.frame_count, -1))
        places = places.reshape(*places.shape[:2], len(points), 3)
        going = np.linalg.norm(np.diff(places[..., :2], axis=1), axis=-1).mean(axis=1) * motion.rate_hz
        names = [f"{sort} of {label}" for sort, _ in parts for label in self.labels]
        names += [f"{sort} of {point.name}" for sort in ("height", "slide") for point in points]
        feet = (places[..., 2].mean(axis=1), np.log10(SLIDE_FLOOR_M_S + going))
        return Features(tuple(names), np.hstack((*(found for _, found in parts), *feet)))

    def _values(self, motion: Motion) -> FloatArray:
        return self.encoding.encode(motion)[:, self.columns] / self.encoding.spread[self.columns]

    def _feet(self, motion: Motion) -> tuple[list[str], FloatArray]:
        points = contact_points(motion.skeleton)
        places = point_positions(motion, points)
        speeds = np.linalg.norm(np.gradient(places[..., :2], axis=0), axis=-1) * motion.rate_hz
        low = places[..., 2] <= np.quantile(places[..., 2], LOW_SHARE, axis=0)
        slide = np.where(low, speeds, 0.0).sum(axis=0) / low.sum(axis=0)
        heights = np.quantile(places[..., 2], (0.0, 0.1, 0.5, 1.0), axis=0)
        names = [f"height of {point.name}, {sort}" for sort in ("least", "low", "middle", "most") for point in points]
        names += [f"slide of {point.name}" for point in points]
        return names, np.concatenate((heights.ravel(), np.log10(SLIDE_FLOOR_M_S + slide)))


def stacked(features: Sequence[Features]) -> Features:
    """Put rows below each other."""
    return Features(features[0].names, np.vstack([one.table for one in features]))


def _at(track: FloatArray, phases: FloatArray) -> FloatArray:
    at = phases * (len(track) - 1)
    before = np.minimum(at.astype(np.intp), len(track) - 2)
    share = (at - before)[:, None]
    return (1.0 - share) * track[before] + share * track[before + 1]


def _powers(values: FloatArray, rate_hz: float) -> FloatArray:
    """Return the logarithms of mean power in each band (B, D), of what is left over a straight line."""
    frames = len(values)
    line = np.linspace(0.0, 1.0, frames)[:, None]
    rest = values - (1.0 - line) * values[0] - line * values[-1]
    power = np.abs(np.fft.rfft(rest * np.hanning(frames)[:, None], axis=0)) ** 2 / frames
    hz = np.fft.rfftfreq(frames, 1.0 / rate_hz)
    bands = [power[(hz >= low) & (hz < high)].mean(axis=0) for low, high in pairwise(BANDS_HZ)]
    return np.log10(FLOOR + np.array(bands))


def _windows(track: FloatArray) -> FloatArray:
    """Return ten frames at a time (W, 10, D)."""
    starts = np.arange(0, len(track) - WINDOW + 1, STRIDE)
    return track[starts[:, None] + np.arange(WINDOW)]


def _roughness(windows: FloatArray) -> FloatArray:
    """Return how much second differences vary in each window (W, D), as a logarithm."""
    return np.log10(FLOOR + np.diff(windows, n=2, axis=1).std(axis=1))
