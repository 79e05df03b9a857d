"""Terrain: the height of the ground over the plane."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, frozen_array


@dataclass(frozen=True, eq=False)
class Terrain:
    """Heights at the points of a square grid, bilinear between them, constant beyond the rim.

    Point (row, column) lies at `origin + cell_m * (column, row)`.
    """

    origin: tuple[float, float]  # x, y of the first point
    cell_m: float
    heights_m: FloatArray  # (rows, columns), at least 2 x 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "heights_m", frozen_array(self.heights_m))
        if self.heights_m.ndim != 2 or min(self.heights_m.shape) < 2 or not np.isfinite(self.heights_m).all():
            raise InvalidInput(f"a terrain needs at least 2 x 2 finite heights, not {self.heights_m.shape}")
        if not (np.isfinite(self.cell_m) and self.cell_m > 0.0 and np.isfinite(self.origin).all()):
            raise InvalidInput("a terrain's cell must be positive and its origin finite")

    def _corners(self, points: ArrayLike) -> tuple[FloatArray, FloatArray, tuple[FloatArray, ...]]:
        """Return shares along x and y within a cell, and heights at its corners: 00, 01 (next column), 10, 11."""
        grid = (np.asarray(points, dtype=np.float64)[..., :2] - self.origin) / self.cell_m
        rows, columns = self.heights_m.shape
        u = np.clip(grid[..., 0], 0.0, columns - 1.0)
        v = np.clip(grid[..., 1], 0.0, rows - 1.0)
        i, j = np.minimum(u.astype(np.int64), columns - 2), np.minimum(v.astype(np.int64), rows - 2)
        corners = tuple(self.heights_m[j + b, i + a] for b in (0, 1) for a in (0, 1))
        return u - i, v - j, corners

    def height(self, points: ArrayLike) -> FloatArray:
        """Return the ground's heights (...) at points (..., 2 or 3)."""
        u, v, (z00, z01, z10, z11) = self._corners(points)
        return (1.0 - v) * ((1.0 - u) * z00 + u * z01) + v * ((1.0 - u) * z10 + u * z11)

    def gradient(self, points: ArrayLike) -> FloatArray:
        """Return the rise per metre along x and y (..., 2) at points."""
        u, v, (z00, z01, z10, z11) = self._corners(points)
        along_x = ((1.0 - v) * (z01 - z00) + v * (z11 - z10)) / self.cell_m
        along_y = ((1.0 - u) * (z10 - z00) + u * (z11 - z01)) / self.cell_m
        return np.stack((along_x, along_y), axis=-1)

    @cached_property
    def steepest(self) -> float:
        """Greatest rise per metre between neighbouring points of the grid."""
        return float(max(np.abs(np.diff(self.heights_m, axis=axis)).max() for axis in (0, 1))) / self.cell_m
