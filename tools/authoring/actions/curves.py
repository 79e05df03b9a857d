"""Smooth curves through a few keys, and how one curve hands over to another.

All times are frames of delivered motion, counted from the first frame of a clip.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from gambol.geometry.arrays import FloatArray

Keys = Sequence[tuple[float, float]]  # (when, value), in order of time

SOFTENING = 1.8  # frames, standard deviation: keys lose their corners, not their timing


def through(keys: Keys, frames: FloatArray) -> FloatArray:
    """Return a curve (F,) at successive frames; before the first and after the last key it stays.

    Between keys it never overshoots them, so that an angle keyed within its limits stays there;
    the corners this leaves are softened.
    """
    whens, values = np.array(keys, dtype=np.float64).T
    if len(whens) == 1:
        return np.full(len(frames), values[0])
    curve = PchipInterpolator(whens, values)(np.clip(frames, whens[0], whens[-1]))
    return gaussian_filter1d(curve, SOFTENING, mode="nearest")


def ease(frames: ArrayLike, start: float, end: float) -> FloatArray:
    """Go from 0 at the start to 1 at the end, without a jolt at either (zero slope and curvature).

    An end before the start makes it fall from 1 to 0.
    """
    t = np.clip((np.asarray(frames, dtype=np.float64) - start) / (end - start), 0.0, 1.0)
    return t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)
