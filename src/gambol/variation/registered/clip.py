"""Play one real clip at another pace and in another shape, and keep its fine structure.

A new shape is the mean plus a mixture of slow deviations from it; the clip adds its own fast ones.  Between slow and
fast both have a share; as the two are independent, their powers add up to one, not their sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.geometry.arrays import BoolArray, FloatArray, frozen_array
from gambol.variation.registered.curves import fast, smooth
from gambol.variation.registered.warp import log_rates_of, phases_at

MOST_PACE = 1.5  # factor of a change of pace, up or down, beyond which the fine structure shrinks or grows no more
FADE_FRAMES = 6.0  # frames within which the fine structure comes and goes at a seam
GRAIN_TAPS = 16  # frames to either side in the filter that separates the grain
GRAIN_CYCLES = 0.36  # cycles a frame: faster structure is grain, which interpolation would weaken


@dataclass(frozen=True, eq=False)
class RegisteredClip:
    """Numbers by frame, and the frame at each phase."""

    values: FloatArray  # (F, C)
    warp: FloatArray  # (N,) frame at each phase
    planted: BoolArray  # (F, P)
    speeds: BoolArray  # (C,) numbers that are speeds and grow with the pace
    #: (N, C) the mean of all clips by phase; None: new shapes have this clip's own slow deviations.
    mean: FloatArray | None = None

    def __post_init__(self) -> None:
        for name, kind in (("values", float), ("warp", float), ("planted", np.bool_), ("speeds", np.bool_)):
            object.__setattr__(self, name, frozen_array(getattr(self, name), kind))

    @cached_property
    def log_rates(self) -> FloatArray:
        """Return the logarithm of how many frames pass per phase (N,)."""
        return frozen_array(log_rates_of(self.warp))

    @cached_property
    def by_phase(self) -> FloatArray:
        """Return the numbers by phase (N, C); speeds are by phase too."""
        curves = scipy.interpolate.CubicSpline(np.arange(len(self.values)), self.values)(self.warp)
        curves[:, self.speeds] *= np.exp(self.log_rates)[:, None]
        return frozen_array(curves)

    @cached_property
    def smooth(self) -> FloatArray:
        """Return the smooth part of the numbers, by phase (N, C)."""
        return frozen_array(smooth(self.by_phase))

    @cached_property
    def detail(self) -> FloatArray:
        """Return the fine structure by frame (F, C); none at both ends."""
        phases = phases_at(self.warp, np.arange(len(self.values), dtype=np.float64))
        mean = scipy.interpolate.CubicSpline(
            np.arange(len(self.warp)), self.smooth if self.mean is None else self.mean
        )(phases)
        mean[:, self.speeds] /= np.exp(self._log_rates_at(phases))[:, None]
        return self.values - mean if self.mean is None else fast(self.values - mean)

    def played(
        self, phases: FloatArray, log_rates: FloatArray, shape: FloatArray, *, goes_on: bool = False
    ) -> FloatArray:
        """Return numbers (F', C) at new phases (F',): a shape (N, C) plus this clip's fine structure.

        log_rates: the logarithm of the new motion's pace at its phases (F',).
        shape: the mean plus slow deviations from it, by phase.
        goes_on: other pieces come before and after, so the fine structure fades in and out.
        """
        frames = np.clip(np.interp(phases, np.arange(len(self.warp)), self.warp), 0.0, len(self.values) - 1)
        result = scipy.interpolate.CubicSpline(np.arange(len(shape)), shape)(phases)
        result[:, self.speeds] *= np.exp(-log_rates)[:, None]
        # Faster playing shrinks the fine structure, and slower playing enlarges it: accelerations stay.
        paces = np.clip(np.exp(self._log_rates_at(phases) - log_rates), 1.0 / MOST_PACE, MOST_PACE)[:, None]
        detail = self._calm(frames) / paces**2 + self._grain[self.nearest(phases)]
        if goes_on:
            from_end = np.minimum(frames, len(self.values) - 1 - frames) / FADE_FRAMES
            detail *= np.sin(0.5 * np.pi * np.minimum(from_end, 1.0))[:, None] ** 2
        return result + detail

    def _log_rates_at(self, phases: FloatArray) -> FloatArray:
        return np.interp(phases, np.arange(len(self.warp)), self.log_rates)

    def nearest(self, phases: FloatArray) -> NDArray[np.intp]:
        """Return the nearest frame at each phase."""
        return np.round(np.interp(phases, np.arange(len(self.warp)), self.warp)).astype(np.intp)

    @cached_property
    def _calm(self) -> scipy.interpolate.BSpline:
        return scipy.interpolate.make_interp_spline(np.arange(len(self.detail)), without_grain(self.detail), k=5)

    @cached_property
    def _grain(self) -> FloatArray:
        return self.detail - without_grain(self.detail)


def without_grain(values: FloatArray) -> FloatArray:
    """Return numbers (F, C) without the structure that is too fast for interpolation; both ends stay."""
    taps = np.arange(-GRAIN_TAPS, GRAIN_TAPS + 1)
    window = np.sinc(2.0 * GRAIN_CYCLES * taps) * np.cos(0.5 * np.pi * taps / (GRAIN_TAPS + 1)) ** 2
    window /= window.sum()
    reach = min(GRAIN_TAPS, len(values) - 1)
    before = 2.0 * values[0] - values[reach:0:-1]
    after = 2.0 * values[-1] - values[-2 : -reach - 2 : -1]
    padded = np.concatenate((before, values, after))
    padded = np.pad(padded, ((GRAIN_TAPS - reach,) * 2, (0, 0)), mode="edge")
    return np.stack([np.convolve(column, window, mode="valid") for column in padded.T], axis=1)
