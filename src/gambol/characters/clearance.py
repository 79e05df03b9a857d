"""Which hurdles a clip clears and which beams it gets below, by its swept shape; both lie straight across its path."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.characters.clip import Clip
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray

STEP_M = 0.01  # m, > 0: distance between the places that are tried; larger is faster and less exact


class Crossing(NamedTuple):
    """The most difficult obstacle that a clip passes, and the best place for it."""

    height_m: float
    at_m: float  # distance from the clip's start to the obstacle's near side


def highest_hurdle(clip: Clip, *, thick_m: float = 0.2) -> Crossing:
    """Return the highest hurdle that a clip clears; with a height of zero or less it clears none."""
    start, end = _extents(clip)
    low = clip.shape.low
    return max(Crossing(float(low[(start < x + thick_m) & (end > x)].min()), x) for x in _places(clip))


def lowest_beam(clip: Clip, *, deep_m: float = 0.5) -> Crossing:
    """Return the lowest beam that a clip gets below."""
    start, end = _extents(clip)
    high = clip.shape.high
    return min(Crossing(float(high[(start < x + deep_m) & (end > x)].max()), x) for x in _places(clip))


def _extents(clip: Clip) -> tuple[FloatArray, FloatArray]:
    """Return where along x each cylinder begins and ends, (K, 8) each."""
    middles = planar.apply(clip.path[:, None], clip.shape.offset)[..., 0]
    return middles - clip.shape.radius, middles + clip.shape.radius


def _places(clip: Clip) -> list[float]:
    """Return where an obstacle may stand: between the clip's start and its end, metres ahead of the start."""
    return np.arange(0.0, max(float(clip.path[-1, 0]), STEP_M), STEP_M).tolist()
