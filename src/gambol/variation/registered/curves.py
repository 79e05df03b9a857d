"""Curves by phase: what is smooth in them and may vary, and the fine structure that stays a clip's own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from gambol.variation.encoding import Encoding
from gambol.variation.registered.warp import log_rates_of

FloatArray = NDArray[np.float64]
SMOOTHING_PHASES = 2.0  # standard deviation of what is taken as smooth: at 60 Hz, up to some 5 Hz
TRAVELLING_SPEEDS = 3  # the first numbers of a root that travels are speeds: they go with the pace


def speeds_of(encoding: Encoding) -> int:
    """Return how many of the first numbers are speeds."""
    return TRAVELLING_SPEEDS if encoding.root == "travelling" else 0


def paced(values: FloatArray, log_rates: FloatArray, speeds: int) -> FloatArray:
    """Return numbers (N, D) whose speeds are by phase instead of by frame; with rates negated, the reverse."""
    scaled = values.copy()
    scaled[:, :speeds] *= np.exp(log_rates)[:, None]
    return scaled


def by_phase(values: FloatArray, warp: FloatArray, speeds: int) -> FloatArray:
    """Return the numbers (F, D) of a motion at each phase (N,) of its warp, speeds by phase."""
    at_phase = CubicSpline(np.arange(len(values)), values)(warp)
    return paced(at_phase, log_rates_of(warp), speeds)


def smooth(curves: FloatArray) -> FloatArray:
    """Return what is smooth in curves (N, D); it meets them at both ends."""
    reach = min(len(curves) - 1, int(np.ceil(4.0 * SMOOTHING_PHASES)))
    before = 2.0 * curves[0] - curves[reach:0:-1]
    after = 2.0 * curves[-1] - curves[-2 : -reach - 2 : -1]
    filtered = gaussian_filter1d(np.concatenate((before, curves, after)), SMOOTHING_PHASES, axis=0)
    return filtered[reach : reach + len(curves)]
