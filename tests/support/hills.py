"""Hilly terrains to walk over in tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gambol.world import Terrain

FloatArray = NDArray[np.float64]
STEEPEST = 0.3  # rise per metre: what behaviors allow unless they say otherwise


def terrain_of(height: Callable[[FloatArray, FloatArray], FloatArray], *, cell_m: float = 0.25) -> Terrain:
    """Sample a function of x and y on 60 x 60 m around the origin."""
    axis = np.arange(-30.0, 30.0 + 0.5 * cell_m, cell_m)
    x, y = np.meshgrid(axis, axis)
    return Terrain((-30.0, -30.0), cell_m, height(x, y))


def plane(along_x: float, along_y: float) -> Terrain:
    return terrain_of(lambda x, y: along_x * x + along_y * y)


def as_steep(terrain: Terrain, steepest: float) -> Terrain:
    """Scale heights so that the steepest cell rises this much per metre."""
    along_y, along_x = np.gradient(terrain.heights_m, terrain.cell_m)
    scale = steepest / float(np.hypot(along_x, along_y).max())
    return Terrain(terrain.origin, terrain.cell_m, scale * terrain.heights_m)


def rolling(wave_m: float, *, steepest: float = STEEPEST) -> Terrain:
    """Two crossing waves."""
    k = 2.0 * np.pi / wave_m
    return as_steep(terrain_of(lambda x, y: np.sin(k * x) + np.sin(k * (0.5 * x + 0.87 * y) + 1.0)), steepest)


def bumps(*, steepest: float = STEEPEST) -> Terrain:
    """Many round hills and hollows, half a metre to a metre wide."""
    rng = np.random.default_rng(0)
    middles, sizes = rng.uniform(-15.0, 15.0, (150, 2)), rng.uniform(0.6, 1.2, 150)
    signs = rng.choice([-1.0, 1.0], 150)

    def height(x: FloatArray, y: FloatArray) -> FloatArray:
        total = np.zeros_like(x)
        for (a, b), size, sign in zip(middles, sizes, signs, strict=True):
            total += sign * size * np.exp(-((x - a) ** 2 + (y - b) ** 2) / (2.0 * size**2))
        return total

    return as_steep(terrain_of(height), steepest)


HILLS: dict[str, Callable[[], Terrain]] = {
    "up": lambda: plane(STEEPEST, 0.0),
    "down and aside": lambda: plane(-0.24, 0.18),
    "rolling, 2.5 m": lambda: rolling(2.5),
    "rolling, 8 m": lambda: rolling(8.0),
    "bumps": bumps,
}


@cache
def hill_called(name: str) -> Terrain:
    """Return one of the HILLS, each as steep somewhere as behaviors allow."""
    return HILLS[name]()
