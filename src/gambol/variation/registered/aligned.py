"""Examples by phase: their mean, their deviations from it in shape and pace, and cycles that close."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from gambol.geometry.arrays import FloatArray, Int64Array, frozen_array
from gambol.motion.contacts import ContactPoint
from gambol.variation.examples import TRAVELS_M_S, Example, Examples
from gambol.variation.registered.clip import RegisteredClip
from gambol.variation.registered.curves import MEAN_SMOOTHING_PHASES, closed, smooth
from gambol.variation.registered.footing import point_numbers, speeds_among
from gambol.variation.registered.regions import number_regions

PACE_BLUR = 2.0  # phases: standard deviation of the smoothing of a pace after clipping, which leaves corners


@dataclass(frozen=True, eq=False)
class Shapes:
    """Smooth curves of all examples by phase; the last number is the logarithm of their pace."""

    curves: FloatArray  # (L, N, C + 1)
    mean: FloatArray  # (N, C + 1) less smooth than the curves, to keep events that all have at the same phase sharp
    regions: Int64Array  # (C + 1,) part of the body of each number

    @cached_property
    def centre(self) -> FloatArray:
        """Return the mean of the smooth curves (N, C + 1)."""
        return frozen_array(self.curves.mean(axis=0))

    @cached_property
    def deviations(self) -> FloatArray:
        return frozen_array(self.curves - self.centre)

    @cached_property
    def region_count(self) -> int:
        return int(self.regions.max()) + 1

    def slow(self, weights: FloatArray) -> FloatArray:
        """Return the deviations (N, C + 1) that weights (N, R, L) give, in standard deviations."""
        scale = np.sqrt(max(1, len(self.curves) - 1))
        result = np.zeros_like(self.mean)
        for region in range(self.region_count):
            columns = self.regions == region
            own = self.deviations[..., columns]
            result[:, columns] = np.einsum("nl,lnc->nc", weights[:, region] / scale, own, optimize=True)
        return result

    def mixed(self, weights: FloatArray) -> FloatArray:
        """Return the mean plus the deviations that weights (N, R, L) give; the pace stays within the examples'."""
        result = self.mean + self.slow(weights)
        result[:, -1] = self.paced(result[:, -1])
        return result

    def paced(self, log_rates: FloatArray) -> FloatArray:
        """Return logarithms of a pace (N,), clipped to the examples' slowest and fastest."""
        low, high = self.curves[..., -1].min(axis=0), self.curves[..., -1].max(axis=0)
        return scipy.ndimage.gaussian_filter1d(np.clip(log_rates, low, high), PACE_BLUR, mode="nearest")


@dataclass(frozen=True, eq=False)
class AlignedExamples:
    """Examples, and the frame of each at each of N phases."""

    examples: Examples
    warps: FloatArray  # (L, N)

    def __post_init__(self) -> None:
        object.__setattr__(self, "warps", frozen_array(self.warps))

    @property
    def phase_count(self) -> int:
        return self.warps.shape[1]

    @property
    def points(self) -> tuple[ContactPoint, ...]:
        return self.examples.items[0].contacts.points

    @cached_property
    def clips(self) -> tuple[RegisteredClip, ...]:
        """Return the examples, ready to play at another pace and in another shape."""
        clips = [self.clip(item, warp) for item, warp in zip(self.examples.items, self.warps, strict=True)]
        mean = smooth(np.mean([clip.by_phase for clip in clips], axis=0), MEAN_SMOOTHING_PHASES)
        return tuple(replace(clip, mean=mean) for clip in clips)

    def clip(self, item: Example, warp: FloatArray) -> RegisteredClip:
        """Return a motion with its warp (N,), ready to play, with slow deviations of its own."""
        encoding = self.examples.encoding
        values = np.hstack((encoding.encode(item.motion), point_numbers(item.motion, self.points, encoding)))
        return RegisteredClip(values, warp, item.contacts.planted, speeds_among(encoding, len(self.points)))

    @cached_property
    def shapes(self) -> Shapes:
        curves = np.stack([np.column_stack((clip.smooth, clip.log_rates)) for clip in self.clips])
        mean = np.column_stack((np.asarray(self.clips[0].mean), curves[..., -1].mean(axis=0)))
        regions = number_regions(self.examples.encoding, len(self.points))
        return Shapes(frozen_array(curves), frozen_array(mean), regions)

    @cached_property
    def cycles(self) -> Shapes:
        """Return shapes that end as they begin, except for the place of a root that is encoded absolutely."""
        curves = np.stack([np.column_stack((clip.by_phase, clip.log_rates)) for clip in self.clips])
        mean = closed(curves.mean(axis=0), MEAN_SMOOTHING_PHASES)
        curves = closed(curves)
        if self.travels_absolutely:
            for column in self.places:
                way = self.shapes.mean[-1, column] - self.shapes.mean[0, column]
                mean[:, column] += way * np.linspace(-0.5, 0.5, self.phase_count)
        return Shapes(frozen_array(curves), frozen_array(mean), self.shapes.regions)

    @cached_property
    def travels_absolutely(self) -> bool:
        """Whether a root that is encoded absolutely goes somewhere, such as a swimmer's."""
        if self.examples.encoding.root == "travelling":
            return False
        ways = np.mean([values[-1, :2] - values[0, :2] for values in self.examples.values], axis=0)
        duration_s = np.mean([item.motion.duration_s for item in self.examples.items])
        return bool(np.linalg.norm(ways) >= TRAVELS_M_S * duration_s)

    @property
    def places(self) -> list[int]:
        """Return the numbers that are places on the ground, of an absolute root and of its points."""
        first = self.examples.encoding.count
        return [0, 1, *(first + 3 * point + axis for point in range(len(self.points)) for axis in (0, 1))]

    @cached_property
    def typical(self) -> int:
        """Return the index of the example nearest to the mean."""
        spread = self.examples.encoding.spread
        apart = self.shapes.deviations[:, :, : len(spread)] / spread
        return int(np.argmin(np.mean(apart**2, axis=(1, 2))))
