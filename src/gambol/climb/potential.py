"""The potential of a goal: how far it is through free space, on an occupancy map [KP00 3.2]."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from gambol.climb.kernels.potential import (
    NO_WAY,
    ControlTable,
    PotentialTable,
    control_potential,
    potential_at,
    spread_wave,
)
from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, frozen, frozen_array
from gambol.world.environment import Environment

CELL_M = 0.1


@dataclass(frozen=True, eq=False)
class OccupancyMap:
    """Which square cells of the bounds are free: those of which more than half is."""

    low_x: float  # the middle of the first cell
    low_z: float
    cell: float
    free: BoolArray  # (columns, rows)

    @staticmethod
    def of(environment: Environment, cell_m: float = CELL_M) -> OccupancyMap:
        if not cell_m > 0.0:
            raise InvalidInput(f"the cells of a potential must have a positive size, not {cell_m:g}")
        low_x, low_z, high_x, high_z = environment.bounds
        columns = max(1, math.ceil((high_x - low_x) / cell_m - 1e-9))
        rows = max(1, math.ceil((high_z - low_z) / cell_m - 1e-9))
        left = low_x + cell_m * np.arange(columns)[:, None] + np.zeros((1, rows))
        bottom = low_z + cell_m * np.arange(rows)[None, :] + np.zeros((columns, 1))
        boxes = shapely.box(left, bottom, left + cell_m, bottom + cell_m)
        # Beyond the bounds nobody goes: that part of a last cell is not free.
        within = np.minimum(left + cell_m, high_x) - left, np.minimum(bottom + cell_m, high_z) - bottom
        area = within[0] * within[1]
        solid = shapely.unary_union([shapely.Polygon(corners) for corners in environment.polygons])
        solid = shapely.intersection(solid, shapely.box(*environment.bounds))
        shapely.prepare(solid)
        met = shapely.intersects(solid, boxes)
        area[met] -= shapely.area(shapely.intersection(boxes[met], solid))
        free = frozen(area > (0.5 + 1e-9) * cell_m**2)
        return OccupancyMap(low_x + 0.5 * cell_m, low_z + 0.5 * cell_m, cell_m, free)

    def distances(self, x: float, z: float) -> NDArray[np.float32]:
        """Return the Manhattan distance (columns, rows) over free cells to the one with a point.

        If that cell is not free, as where an obstacle's edge passes, it is the free one nearest to the point.
        """
        columns, rows = self.free.shape
        if not (math.isfinite(x) and math.isfinite(z)) or not (
            -0.5 <= (x - self.low_x) / self.cell <= columns and -0.5 <= (z - self.low_z) / self.cell <= rows
        ):
            raise InvalidInput(f"a goal at ({x:g}, {z:g}) lies outside the bounds")
        column = min(columns - 1, math.floor((x - self.low_x) / self.cell + 0.5))
        row = min(rows - 1, math.floor((z - self.low_z) / self.cell + 0.5))
        distance = np.full((columns, rows), NO_WAY, dtype=np.float32)
        if not self.free[column, row]:
            i, j = np.nonzero(self.free)
            if len(i) == 0:
                return distance
            nearest = np.argmin((self.low_x + self.cell * i - x) ** 2 + (self.low_z + self.cell * j - z) ** 2)
            column, row = int(i[nearest]), int(j[nearest])
        spread_wave(self.free, column, row, self.cell, distance)
        return distance


@dataclass(frozen=True, eq=False)
class Potential:
    """How far it is to a goal from everywhere: the potential of the centre of mass."""

    table: PotentialTable

    @staticmethod
    def of(environment: Environment, x: float, z: float, cell_m: float = CELL_M) -> Potential:
        occupancy = OccupancyMap.of(environment, cell_m)
        distance = frozen(occupancy.distances(x, z))
        return Potential(PotentialTable(occupancy.low_x, occupancy.low_z, occupancy.cell, distance))

    def at(self, x: float, z: float) -> float:
        """Return the distance in metres, NO_WAY where no way leads to the goal."""
        return float(potential_at(self.table, x, z))


@dataclass(frozen=True, eq=False)
class ControlPotential:
    """The sum of the distances of several control points, each to a goal of its own."""

    table: ControlTable

    @staticmethod
    def of(environment: Environment, goals: ArrayLike, cell_m: float = CELL_M) -> ControlPotential:
        """Return the potential of control points with goals (P, 2)."""
        places = np.asarray(goals, dtype=np.float64)
        if places.ndim != 2 or places.shape[1] != 2 or len(places) == 0:
            raise InvalidInput(f"control points need goals (x, z) each, not an array of shape {places.shape}")
        occupancy = OccupancyMap.of(environment, cell_m)
        distance = frozen(np.stack([occupancy.distances(float(x), float(z)) for x, z in places]))
        return ControlPotential(ControlTable(occupancy.low_x, occupancy.low_z, occupancy.cell, distance))

    def at(self, points: ArrayLike) -> float:
        places = frozen_array(points)
        if places.shape != (len(self.table.distance), 2):
            raise InvalidInput(f"there are {len(self.table.distance)} control points, not {places.shape}")
        return float(control_potential(self.table, places))
