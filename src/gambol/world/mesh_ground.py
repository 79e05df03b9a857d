"""The ground in a mesh, found by its shape and place."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.world.mesh_components import Component
from gambol.world.mesh_surfaces import Grid, connected_surfaces, walkable_surfaces
from gambol.world.terrain import Terrain
from gambol.world.terrain_sources import filled_from_nearest

STEEPEST_RAD = math.radians(35.0)  # radians, 0 to pi/2: steepest ground; larger takes steeper faces for ground
LEVEL_M = 0.01  # metres: ground whose heights differ by at most this is level; larger flattens more
LEAST_AREA_M2 = 4.0  # square metres: a smaller surface is no ground, but the top of a thing
LEAST_SHARE = 0.25  # 0 to 1: share of the mesh's bounds in plan that ground must cover at least
LEAST_HOLE_M2 = 0.25  # square metres: smaller holes in a floor are not reported, smaller pieces beside it not joined
HEADROOM_M = 1.5  # metres: a surface this far or farther below the main component is another storey
NARROW_M = 0.005  # metres: narrower triangles are ignored, as they may face anywhere
MOST_ROUNDS = 8  # >= 1: rounds in which surfaces beside the ground join it; more reach farther


def walkable_triangles(vertices: FloatArray, triangles: Int64Array) -> NDArray[np.bool_]:
    """Return which triangles face up and are not too steep to walk on."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    return normals[:, 2] > math.cos(STEEPEST_RAD) * np.linalg.norm(normals, axis=1)


def find_ground(components: Sequence[Component], grid: Grid, step_m: float) -> tuple[Terrain | None, list[str]]:
    """Return the mesh's own ground with a point in the middle of each cell, or None, and notes about it.

    Ground is the largest surface that steps of at most `step_m` connect, and surfaces beside it within a step.  Where
    several lie above each other, the lowest counts, except surfaces buried just below the largest component.  Ground
    begins at most a step above height 0 or above the mesh's lowest point: the mesh of a table has no ground.
    """
    vertices = components[0].vertices
    triangles = np.concatenate([component.triangles for component in components])
    component_of = np.repeat(np.arange(len(components)), [len(component.triangles) for component in components])
    walkable = walkable_triangles(vertices, triangles) & (_widths(vertices[triangles]) >= NARROW_M)
    layers = walkable_surfaces(vertices, triangles, walkable, grid)
    surfaces, owners, starts = layers
    if len(surfaces) == 0:
        return None, []
    cell = np.repeat(np.arange(grid.rows * grid.columns), np.diff(starts))
    region = connected_surfaces(layers, grid, step_m)
    chosen = region == _largest(region, cell)
    heights = _lowest(surfaces[chosen], cell[chosen], component_of[owners[chosen]], grid)
    area = np.isfinite(heights).sum() * grid.cell_m**2
    corners = vertices[triangles]
    extent = np.ptp(corners[..., :2], axis=(0, 1))
    lowest = max(0.0, float(corners[..., 2].min()))
    if heights.min() > lowest + step_m or area < max(LEAST_AREA_M2, LEAST_SHARE * float(extent[0] * extent[1])):
        return None, []
    heights = _with_others_beside(heights, surfaces, cell, region, grid, step_m).reshape(grid.rows, grid.columns)
    bare = ~np.isfinite(heights)
    inside = (bare & np.asarray(scipy.ndimage.binary_fill_holes(~bare))).sum() * grid.cell_m**2
    notes = [f"{inside:.2g} square metres have no floor; they count as ground"] if inside > LEAST_HOLE_M2 else []
    middle = (grid.x0 + 0.5 * grid.cell_m, grid.y0 + 0.5 * grid.cell_m)
    return Terrain(middle, grid.cell_m, filled_from_nearest(heights, bare)), notes


def _widths(corners: FloatArray) -> FloatArray:
    """Return the least heights of triangles (T, 3, 3)."""
    sides = np.roll(corners, -1, axis=1) - corners
    doubled_areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    return doubled_areas / np.maximum(np.linalg.norm(sides, axis=2).max(axis=1), 1e-12)


def _largest(region: Int64Array, cell: Int64Array) -> int:
    """Return the region that covers the most cells, each counted once."""
    pairs = np.unique(np.stack((region, cell), axis=1), axis=0)
    return int(np.argmax(np.bincount(pairs[:, 0])))


def _lowest(surfaces: FloatArray, cell: Int64Array, component: Int64Array, grid: Grid) -> FloatArray:
    """Return the height of the lowest surface in each cell, inf where there is none.

    Surfaces less than `HEADROOM_M` below the largest component are buried and do not count.
    """
    lowest = np.full(grid.rows * grid.columns, np.inf)
    np.minimum.at(lowest, cell, surfaces)
    own = component == _largest(component, cell)
    largest = np.full(grid.rows * grid.columns, np.inf)
    np.minimum.at(largest, cell[own], surfaces[own])
    return np.where(np.isfinite(largest) & (largest - HEADROOM_M < lowest), largest, lowest)


def _with_others_beside(
    heights: FloatArray,
    surfaces: FloatArray,
    cell: Int64Array,
    region: Int64Array,
    grid: Grid,
    step_m: float,
) -> FloatArray:
    """Return the ground's heights; its empty cells take those of regions within a step of the nearest ground."""
    heights = heights.copy()
    large = np.bincount(region, minlength=len(surfaces)) * grid.cell_m**2 >= LEAST_HOLE_M2
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
        joins = beside & large[region] & (apart[region] <= step_m)
        if not joins.any():
            break
        np.minimum.at(heights, cell[joins], surfaces[joins])
    return heights


def plain(terrain: Terrain) -> Terrain | None:
    """Return None for level ground at height 0, four points for other level ground, else the terrain itself."""
    low, high = float(terrain.heights_m.min()), float(terrain.heights_m.max())
    if max(abs(low), abs(high)) <= LEVEL_M:
        return None
    if high - low > LEVEL_M:
        return terrain
    return Terrain(terrain.origin, terrain.cell_m, np.full((2, 2), 0.5 * (low + high)))
