"""Triangles rasterised into the columns of a grid in plan view."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.kernels.jit import kernel


@kernel
def edge_side(vertices: FloatArray, a: int, b: int, x: float, y: float) -> float:
    """Return the side of the edge from a to b on which a point lies: > 0 left, exactly the opposite from b to a."""
    sign = 1.0
    if a > b:
        a, b = b, a
        sign = -1.0
    return sign * (
        (vertices[b, 0] - vertices[a, 0]) * (y - vertices[a, 1])
        - (vertices[b, 1] - vertices[a, 1]) * (x - vertices[a, 0])
    )


@kernel
def surface_at(vertices: FloatArray, a: int, b: int, c: int, x: float, y: float) -> tuple[bool, float, int]:
    """Return whether a triangle covers a point in plan, its height there and its facing (1 up, -1 down).

    A point on an edge that two triangles share belongs to the one whose edge runs up (or right, if level), so that
    each sheet covers it once.
    """
    ab = edge_side(vertices, a, b, x, y)
    bc = edge_side(vertices, b, c, x, y)
    ca = edge_side(vertices, c, a, x, y)
    area = ab + bc + ca
    if area == 0.0:
        return False, 0.0, 0
    facing = 1
    if area < 0.0:
        facing = -1
    if not (
        on_or_left(vertices, a, b, ab, facing)
        and on_or_left(vertices, b, c, bc, facing)
        and on_or_left(vertices, c, a, ca, facing)
    ):
        return False, 0.0, 0
    z = (bc * vertices[a, 2] + ca * vertices[b, 2] + ab * vertices[c, 2]) / area
    return True, z, facing


@kernel
def on_or_left(vertices: FloatArray, a: int, b: int, side: float, facing: int) -> bool:
    """Tell whether a point on this side of an edge is inside; a point on the edge belongs to one of its two sides."""
    side = side * facing
    if side != 0.0:
        return side > 0.0
    dx = (vertices[b, 0] - vertices[a, 0]) * facing
    dy = (vertices[b, 1] - vertices[a, 1]) * facing
    return dy > 0.0 or (dy == 0.0 and dx > 0.0)


@kernel
def highest_surface(
    vertices: FloatArray, triangles: Int64Array, x0: float, y0: float, cell_m: float, rows: int, columns: int
) -> FloatArray:
    """Return the greatest height (rows, columns) of a mesh at the points of a grid, -inf where there is none."""
    heights = np.full((rows, columns), -np.inf)
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        first_row, last_row, first_column, last_column = points_under(vertices, a, b, c, x0, y0, cell_m, rows, columns)
        for row in range(first_row, last_row + 1):
            for column in range(first_column, last_column + 1):
                hit, z, _ = surface_at(vertices, a, b, c, x0 + column * cell_m, y0 + row * cell_m)
                if hit and z > heights[row, column]:
                    heights[row, column] = z
    return heights


@kernel
def points_under(
    vertices: FloatArray, a: int, b: int, c: int, x0: float, y0: float, cell_m: float, rows: int, columns: int
) -> tuple[int, int, int, int]:
    """Return first row, last row, first column, last column of the grid's points within a triangle's bounds in plan."""
    least_x = min(vertices[a, 0], vertices[b, 0], vertices[c, 0])
    least_y = min(vertices[a, 1], vertices[b, 1], vertices[c, 1])
    most_x = max(vertices[a, 0], vertices[b, 0], vertices[c, 0])
    most_y = max(vertices[a, 1], vertices[b, 1], vertices[c, 1])
    first_column = max(0, int(np.ceil((least_x - x0) / cell_m - 1e-6)))
    first_row = max(0, int(np.ceil((least_y - y0) / cell_m - 1e-6)))
    last_column = min(columns - 1, int(np.floor((most_x - x0) / cell_m + 1e-6)))
    last_row = min(rows - 1, int(np.floor((most_y - y0) / cell_m + 1e-6)))
    return first_row, last_row, first_column, last_column


@kernel
def walkable_surfaces(
    vertices: FloatArray,
    triangles: Int64Array,
    walkable: BoolArray,
    x0: float,
    y0: float,
    cell_m: float,
    rows: int,
    columns: int,
) -> tuple[FloatArray, Int64Array, Int64Array]:
    """Return where walkable triangles lie above or below the middles of cells.

    Returns heights (S,) and triangles (S,) sorted by cell, and the first of each cell (rows * columns + 1,).
    """
    starts = np.zeros(rows * columns + 1, dtype=np.int64)
    heights = np.empty(0)
    owners = np.empty(0, dtype=np.int64)
    filled = np.empty(0, dtype=np.int64)
    for fill in range(2):
        for t in range(triangles.shape[0]):
            if not walkable[t]:
                continue
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            first_row, last_row, first_column, last_column = points_under(
                vertices, a, b, c, x0 + 0.5 * cell_m, y0 + 0.5 * cell_m, cell_m, rows, columns
            )
            for row in range(first_row, last_row + 1):
                for column in range(first_column, last_column + 1):
                    hit, z, facing = surface_at(
                        vertices, a, b, c, x0 + (column + 0.5) * cell_m, y0 + (row + 0.5) * cell_m
                    )
                    if not hit or facing < 0:
                        continue
                    cell = row * columns + column
                    if fill == 0:
                        starts[cell + 1] += 1
                    else:
                        heights[starts[cell] + filled[cell]] = z
                        owners[starts[cell] + filled[cell]] = t
                        filled[cell] += 1
        if fill == 0:
            starts = np.cumsum(starts)
            heights = np.empty(starts[-1])
            owners = np.empty(starts[-1], dtype=np.int64)
            filled = np.zeros(rows * columns, dtype=np.int64)
    return heights, owners, starts


@kernel
def connected_surfaces(heights: FloatArray, starts: Int64Array, rows: int, columns: int, step_m: float) -> Int64Array:
    """Return a number for each surface of each column, equal for surfaces that steps of at most `step_m` connect."""
    root = np.arange(len(heights))
    for row in range(rows):
        for column in range(columns):
            cell = row * columns + column
            for side in range(2):
                if (side == 0 and column + 1 == columns) or (side == 1 and row + 1 == rows):
                    continue
                other = cell + 1 if side == 0 else cell + columns
                for i in range(starts[cell], starts[cell + 1]):
                    for j in range(starts[other], starts[other + 1]):
                        if abs(heights[i] - heights[j]) <= step_m:
                            first = find_root(root, i)
                            second = find_root(root, j)
                            root[max(first, second)] = min(first, second)
    for i in range(len(root)):
        root[i] = find_root(root, i)
    return root


@kernel
def find_root(root: Int64Array, i: int) -> int:
    """Return the root of an element of a union-find forest, shortening the way to it."""
    while root[i] != i:
        root[i] = root[root[i]]
        i = root[i]
    return i
