"""The ground in a mesh: what can be walked on, found by its shape and place."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_fill_holes

from gambol.io.mesh_file import Mesh
from gambol.world.kernels.columns import connected_surfaces, walkable_surfaces
from gambol.world.kernels.spans import Grid
from gambol.world.terrain import Terrain
from gambol.world.terrain_sources import filled_from_nearest

FloatArray = NDArray[np.float64]
STEEPEST_RAD = math.radians(35.0)  # steeper is not walked on
LEVEL_M = 0.01  # ground that is level to this is plain
LEAST_AREA_M2 = 4.0  # less is no ground, but the top of a thing
LEAST_SHARE = 0.25  # of the mesh's bounds in plan that the ground must cover
MOST_ROUNDS = 8


def walkable_triangles(vertices: FloatArray, triangles: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which triangles face up and are not too steep to walk on."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    return normals[:, 2] > math.cos(STEEPEST_RAD) * np.linalg.norm(normals, axis=1)


def find_ground(mesh: Mesh, grid: Grid, step_m: float) -> tuple[Terrain | None, list[str]]:
    """Return the mesh's own ground with a point in the middle of each cell, or None, and what is to be said about it.

    Ground is the largest surface that steps of at most `step_m` connect; the lowest one, where it lies over
    itself; and other surfaces beside it that are no higher or lower than a step.  It must begin at most
    a step above height 0 or above the lowest point of the mesh: the mesh of a table has no ground.
    """
    walkable = walkable_triangles(mesh.vertices, mesh.triangles)
    surfaces, starts = walkable_surfaces(mesh.vertices, mesh.triangles, walkable, *grid)
    if len(surfaces) == 0:
        return None, []
    cell = np.repeat(np.arange(grid.rows * grid.columns), np.diff(starts))
    region = connected_surfaces(surfaces, starts, grid.rows, grid.columns, step_m)
    main = _largest(region, cell)
    heights = np.full(grid.rows * grid.columns, np.inf)
    np.minimum.at(heights, cell[region == main], surfaces[region == main])
    found = np.isfinite(heights)
    lowest = max(0.0, float(mesh.vertices[:, 2].min()))
    area = found.sum() * grid.cell_m**2
    extent = np.ptp(mesh.vertices[:, :2], axis=0)
    if heights.min() > lowest + step_m or area < max(LEAST_AREA_M2, LEAST_SHARE * float(extent[0] * extent[1])):
        return None, []
    heights = _with_others_beside(heights, surfaces, cell, region, grid, step_m).reshape(grid.rows, grid.columns)
    bare = ~np.isfinite(heights)
    inside = (bare & np.asarray(binary_fill_holes(~bare))).sum() * grid.cell_m**2
    notes = [f"{inside:.2g} square metres have no floor; they count as ground"] if inside > LEAST_SHARE else []
    middle = (grid.x0 + 0.5 * grid.cell_m, grid.y0 + 0.5 * grid.cell_m)
    return Terrain(middle, grid.cell_m, filled_from_nearest(heights, bare)), notes


def _largest(region: NDArray[np.int64], cell: NDArray[np.int64]) -> int:
    """Return the region that covers the most cells, each counted once."""
    pairs = np.unique(np.stack((region, cell), axis=1), axis=0)
    return int(np.argmax(np.bincount(pairs[:, 0])))


def _with_others_beside(
    heights: FloatArray,
    surfaces: FloatArray,
    cell: NDArray[np.int64],
    region: NDArray[np.int64],
    grid: Grid,
    step_m: float,
) -> FloatArray:
    """Return the ground's heights and, where it has none, those of regions within a step of its nearest."""
    heights = heights.copy()
    for _ in range(MOST_ROUNDS):
        bare = ~np.isfinite(heights)
        beside = bare[cell]
        if not beside.any():
            break
        around = filled_from_nearest(
            heights.reshape(grid.rows, grid.columns), bare.reshape(grid.rows, grid.columns)
        ).reshape(-1)
        apart = np.full(len(surfaces), np.inf)
        np.minimum.at(apart, region[beside], np.abs(surfaces[beside] - around[cell[beside]]))
        joins = beside & (apart[region] <= step_m)
        if not joins.any():
            break
        np.minimum.at(heights, cell[joins], surfaces[joins])
    return heights


def plain(terrain: Terrain) -> Terrain | None:
    """Return ground that is level at height 0 as None, level at another height as four points, other as it is."""
    low, high = float(terrain.heights_m.min()), float(terrain.heights_m.max())
    if max(abs(low), abs(high)) <= LEVEL_M:
        return None
    if high - low > LEVEL_M:
        return terrain
    return Terrain(terrain.origin, terrain.cell_m, np.full((2, 2), 0.5 * (low + high)))
