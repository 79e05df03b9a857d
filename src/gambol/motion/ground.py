"""The ground under a motion: given, or estimated from feet at rest.

The floors of captures differ by some centimetres from session to session, and some are tilted: over a walk of four
metres a floor may rise by seven centimetres.  The estimate is therefore a plane.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray

STEEPEST = 0.05  # rise per metre: a steeper fit is a hill or a mistake, not a badly calibrated floor, and is reduced
LEVEL_PERCENTILE = (
    10.0  # percentile of a slow point's heights that is its level: low, as kneeling feet are slow but high
)
SPREAD_M = 0.5  # metres, standard deviation: feet that stay closer together say nothing reliable about a tilt
ROUNDS = 6  # number of times to fit the tilt and to choose the heights that belong to the ground


class Ground(NamedTuple):
    """A plane: its height at the world's origin and its rise per metre along x and y."""

    height_m: float
    slope_x: float = 0.0
    slope_y: float = 0.0

    def heights(self, positions: FloatArray) -> FloatArray:
        """Return the ground's height (...) below positions (..., 2 or 3)."""
        return self.height_m + self.slope_x * positions[..., 0] + self.slope_y * positions[..., 1]


def fit_tilt(positions: FloatArray, slow: BoolArray, *, tolerance_m: float) -> Ground:
    """Return a plane through the origin with the tilt of the ground on which slow points (F, P, 3) rest.

    Each point keeps its own height above the plane.  Points that are slow but higher than the
    tolerance above their own lowest level (kneeling, the top of a jump) do not count.
    """
    columns = np.flatnonzero(slow.any(axis=0))
    if len(columns) == 0:
        return Ground(0.0)
    samples = [positions[slow[:, point], point] for point in columns]
    spread = np.concatenate(samples)[:, :2].std(axis=0)
    if float(np.hypot(*spread)) < SPREAD_M:
        return Ground(0.0)
    tilt = np.zeros(2)
    for _ in range(ROUNDS):
        steps, rises = [], []
        for sample in samples:
            level = sample[:, 2] - sample[:, :2] @ tilt
            kept = sample[np.abs(level - np.percentile(level, LEVEL_PERCENTILE)) < tolerance_m]
            steps.append(kept[:, :2] - kept[:, :2].mean(axis=0))
            rises.append(kept[:, 2] - kept[:, 2].mean())
        step = np.concatenate(steps)
        # A ridge of a tenth of a metre's spread: directions without any way in them get no slope from noise.
        square = step.T @ step + 0.01 * len(step) * np.eye(2)
        tilt = np.linalg.solve(square, step.T @ np.concatenate(rises))
        tilt *= min(1.0, STEEPEST / max(float(np.hypot(*tilt)), 1e-12))
    return Ground(0.0, float(tilt[0]), float(tilt[1]))


def resting_levels(heights: FloatArray, slow: BoolArray) -> FloatArray:
    """Return the height at which each point (F, P) rests, NaN where it is never slow."""
    levels = np.full(heights.shape[1], np.nan)
    for point in np.flatnonzero(slow.any(axis=0)):
        levels[point] = np.percentile(heights[slow[:, point], point], LEVEL_PERCENTILE)
    return levels
