"""How steep the ground is around each cell of a terrain."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.smoothing import highest_near
from gambol.world.terrain import Terrain

NEARBY_M = 1.0  # metres, > 0: radius of a person's parts around the root
FAR_M = 3.2  # metres, > NEARBY_M: radius of a horse's parts; parts farther away use the terrain's steepest place


def steepness_around(terrain: Terrain, radius_m: float) -> NDArray[np.float64]:
    """Return the greatest rise per metre, in any direction, within a radius of each cell (rows - 1, columns - 1).

    It is an upper bound: in a bilinear cell the rise along x lies between the rises of its two edges along x, the
    rise along y likewise, and the greatest of both are taken to meet in one place.
    """
    along_x = np.abs(np.diff(terrain.heights_m, axis=1)) / terrain.cell_m
    along_y = np.abs(np.diff(terrain.heights_m, axis=0)) / terrain.cell_m
    steep = np.hypot(np.maximum(along_x[:-1], along_x[1:]), np.maximum(along_y[:, :-1], along_y[:, 1:]))
    nearby = np.zeros_like(steep)
    rows, columns = steep.shape
    for shift in range(min(math.floor(radius_m / terrain.cell_m) + 2, rows)):
        # Cells this many rows apart have shift - 1 whole cells between them.
        gap_m = max(shift - 1, 0) * terrain.cell_m
        if gap_m > radius_m:
            break
        reach = min(math.floor(math.sqrt(radius_m**2 - gap_m**2) / terrain.cell_m) + 1, columns - 1)
        widened = highest_near(steep.T, reach).T
        np.maximum(nearby[shift:], widened[: rows - shift], out=nearby[shift:])
        np.maximum(nearby[: rows - shift], widened[shift:], out=nearby[: rows - shift])
    return nearby
