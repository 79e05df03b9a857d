"""Surfaces of a mesh above and below the points of a grid, as the core finds them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.core import Struct, lib, pointer, struct
from gambol.geometry.arrays import FloatArray, Int64Array


class Grid(NamedTuple):
    """Square cells in plan; cell (row, column) begins at (x0, y0) + cell_m * (column, row)."""

    x0: float
    y0: float
    cell_m: float
    rows: int
    columns: int


def mesh_struct(vertices: FloatArray, triangles: NDArray[np.integer[Any]]) -> Struct:
    """Return triangles (T, 3) of vertices (V, 3) as the core reads them."""
    corners = np.ascontiguousarray(triangles, np.int64)
    if corners.size and not 0 <= corners.min() <= corners.max() < len(vertices):
        raise IndexError("a mesh's triangles name vertices that it does not have")
    return struct("gb_mesh", vertices=np.ascontiguousarray(vertices, np.float64), triangles=corners, count=len(corners))


def grid_struct(grid: Grid) -> Struct:
    """Return a grid as the core reads it."""
    return struct("gb_grid", **grid._asdict())


def highest_surface(vertices: FloatArray, triangles: NDArray[np.integer[Any]], points: Grid) -> FloatArray:
    """Return the greatest height (rows, columns) of a mesh where cells of a grid begin, -inf where there is none."""
    heights = np.empty((points.rows, points.columns))
    mesh, grid = mesh_struct(vertices, triangles), grid_struct(points)
    lib.gb_mesh_highest(mesh.c, grid.c, pointer(heights, "double"))
    return heights


class Layers(NamedTuple):
    """Surfaces (S,) of a mesh above and below the middles of cells, sorted by cell."""

    heights: FloatArray  # (S,) metres
    triangles: Int64Array  # (S,) the triangle of each
    starts: Int64Array  # (rows * columns + 1,) the first of each cell


def walkable_surfaces(
    vertices: FloatArray, triangles: NDArray[np.integer[Any]], walkable: NDArray[np.bool_], grid: Grid
) -> Layers:
    """Return where walkable triangles (T,) that face up lie above or below the middles of cells."""
    mesh, cells = mesh_struct(vertices, triangles), grid_struct(grid)
    chosen = pointer(np.ascontiguousarray(walkable, np.bool_), "uint8_t")
    starts = np.empty(grid.rows * grid.columns + 1, np.int64)
    counted = struct("gb_layers", first=starts, height=None, triangle=None)
    count = lib.gb_layers_count(mesh.c, chosen, cells.c, counted.c)
    found = Layers(np.empty(count), np.empty(count, np.int64), starts)
    lib.gb_layers_fill(mesh.c, chosen, cells.c, _layers_struct(found).c)
    return found


def connected_surfaces(layers: Layers, grid: Grid, step_m: float) -> Int64Array:
    """Return a number for each surface of each column, equal for surfaces that steps of at most `step_m` connect."""
    region = np.empty(len(layers.heights), np.int64)
    lib.gb_layers_connect(_layers_struct(layers).c, grid_struct(grid).c, step_m, pointer(region, "int64_t"))
    return region


def _layers_struct(layers: Layers) -> Struct:
    return struct("gb_layers", first=layers.starts, height=layers.heights, triangle=layers.triangles)
