"""One real clip, to be played at another pace and in another shape without losing its fine structure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, CubicSpline, make_interp_spline

from gambol.geometry.arrays import frozen_array
from gambol.variation.registered.curves import smooth
from gambol.variation.registered.warp import log_rates_of

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
GRAIN_TAPS = 16  # frames to either side of the filter that parts the grain
GRAIN_CYCLES = 0.36  # a frame: what is faster is grain, which interpolation would wear off


@dataclass(frozen=True, eq=False)
class Clip:
    """Numbers by frame, and the frame at each phase."""

    values: FloatArray  # (F, C)
    warp: FloatArray  # (N,) frame at each phase
    planted: BoolArray  # (F, P)
    speeds: BoolArray  # (C,) numbers that are speeds, which go with the pace

    def __post_init__(self) -> None:
        for name, kind in (("values", float), ("warp", float), ("planted", np.bool_), ("speeds", np.bool_)):
            object.__setattr__(self, name, frozen_array(getattr(self, name), kind))

    @cached_property
    def log_rates(self) -> FloatArray:
        """Return the logarithm of how many frames pass per phase (N,)."""
        return frozen_array(log_rates_of(self.warp))

    @cached_property
    def smooth(self) -> FloatArray:
        """Return what is smooth in the numbers, by phase (N, C); speeds are by phase too."""
        by_phase = CubicSpline(np.arange(len(self.values)), self.values)(self.warp)
        by_phase[:, self.speeds] *= np.exp(self.log_rates)[:, None]
        return frozen_array(smooth(by_phase))

    def played(self, phases: FloatArray, log_rates: FloatArray, shape: FloatArray) -> FloatArray:
        """Return numbers (F', C) at new phases (F',): of this shape (N, C) and of this clip's fine structure.

        log_rates: of the new motion at its phases (F',).
        shape: what is smooth in the new motion, by phase.
        """
        grid = np.arange(len(self.warp))
        frames = np.clip(np.interp(phases, grid, self.warp), 0.0, len(self.values) - 1)
        paces = np.exp(np.interp(phases, grid, self.log_rates) - log_rates)[:, None]  # frames of the clip a new one
        before, after = (
            CubicSpline(grid, np.hstack((self.smooth, shape)))(phases).reshape(len(phases), 2, -1).swapaxes(0, 1)
        )
        calm = self._calm(frames)
        before[:, self.speeds] /= np.exp(np.interp(phases, grid, self.log_rates))[:, None]
        after[:, self.speeds] *= np.exp(-log_rates)[:, None]
        return after + (calm - before) / np.maximum(paces, 1.0) ** 2 + self._grain[self.nearest(phases)]

    def nearest(self, phases: FloatArray) -> NDArray[np.intp]:
        """Return the nearest frame at each phase."""
        return np.round(np.interp(phases, np.arange(len(self.warp)), self.warp)).astype(np.intp)

    @cached_property
    def _calm(self) -> BSpline:
        return make_interp_spline(np.arange(len(self.values)), without_grain(self.values), k=5)

    @cached_property
    def _grain(self) -> FloatArray:
        return self.values - without_grain(self.values)


def without_grain(values: FloatArray) -> FloatArray:
    """Return numbers (F, C) without what is faster than interpolation can carry; both ends stay."""
    taps = np.arange(-GRAIN_TAPS, GRAIN_TAPS + 1)
    window = np.sinc(2.0 * GRAIN_CYCLES * taps) * np.cos(0.5 * np.pi * taps / (GRAIN_TAPS + 1)) ** 2
    window /= window.sum()
    reach = min(GRAIN_TAPS, len(values) - 1)
    before = 2.0 * values[0] - values[reach:0:-1]
    after = 2.0 * values[-1] - values[-2 : -reach - 2 : -1]
    padded = np.concatenate((before, values, after))
    padded = np.pad(padded, ((GRAIN_TAPS - reach,) * 2, (0, 0)), mode="edge")
    return np.stack([np.convolve(column, window, mode="valid") for column in padded.T], axis=1)
