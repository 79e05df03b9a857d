"""Curves by phase: their smooth part, which may vary, and their fine structure, which stays a clip's own."""

from __future__ import annotations

import numpy as np
import scipy

from gambol.geometry.arrays import FloatArray

SMOOTHING_PHASES = 3.0  # phases: standard deviation of the smoothing, which keeps up to some 3 Hz at 60 frames a second
MEAN_SMOOTHING_PHASES = 1.0  # phases: the same for the mean, whose faster structure is chance
END_PHASES = 3  # number of phases that give the value and slope at an end of a cycle
CLOSING_SHARE = 0.35  # share of a cycle, at either end, that closes the gap between its ends


def smooth(curves: FloatArray, width: float = SMOOTHING_PHASES) -> FloatArray:
    """Return the smooth part of curves (N, D); it meets them at both ends."""
    reach = min(len(curves) - 1, int(np.ceil(4.0 * width)))
    before = 2.0 * curves[0] - curves[reach:0:-1]
    after = 2.0 * curves[-1] - curves[-2 : -reach - 2 : -1]
    filtered = scipy.ndimage.gaussian_filter1d(np.concatenate((before, curves, after)), width, axis=0)
    return filtered[reach : reach + len(curves)]


def fast(curves: FloatArray, width: float = SMOOTHING_PHASES) -> FloatArray:
    """Return the fast part of curves (F, C): its power and that of the smooth part add up to one at each frequency.

    It is zero at both ends.
    """
    share = np.linspace(0.0, 1.0, len(curves))[:, None]
    rest = (curves - (1.0 - share) * curves[0] - share * curves[-1])[1:-1]
    angles = np.pi * np.arange(1, len(rest) + 1) / (len(curves) - 1)  # radians a frame, of each wave
    gains = np.sqrt(-np.expm1(-((width * angles) ** 2)))
    result = np.zeros_like(curves)
    waves = np.asarray(scipy.fft.dst(rest, type=1, axis=0))
    result[1:-1] = np.asarray(scipy.fft.idst(gains[:, None] * waves, type=1, axis=0))
    return result


def closed(curves: FloatArray, width: float = SMOOTHING_PHASES) -> FloatArray:
    """Return the smooth part of curves (..., N, D) of cycles: their last phase is the first again.

    Where a curve does not end as it begins, each end gives way by half of the gap, and less the farther from the end.
    """
    count = curves.shape[-2]
    reach = max(2, round(CLOSING_SHARE * (count - 1)))
    few = min(END_PHASES, count)
    lines = np.linalg.pinv(np.column_stack((np.ones(few), np.arange(few))))  # an end's value and slope
    first, last = lines @ curves[..., :few, :], lines @ curves[..., : -few - 1 : -1, :]
    half_gap = 0.5 * (last[..., :1, :] - first[..., :1, :])
    share = np.linspace(0.0, 1.0, reach + 1)
    value = (1.0 - share) ** 3 * (1.0 + 3.0 * share + 6.0 * share**2)  # from 1 to 0, flat at both ends
    result = curves.copy()
    result[..., : reach + 1, :] += value[:, None] * half_gap
    result[..., -reach - 1 :, :] -= value[::-1, None] * half_gap
    result[..., 0, :] = 0.5 * (result[..., 0, :] + result[..., -1, :])
    result[..., :-1, :] = scipy.ndimage.gaussian_filter1d(result[..., :-1, :], width, axis=-2, mode="wrap")
    result[..., -1, :] = result[..., 0, :]
    return result
