"""Closed cells in the core: all of a closed cell is nearer to a piece than a body's core may come."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from tests.support.random_worlds import random_world

from gambol.core import lib, pointer, struct
from gambol.world.pieces import pieces_of, struct_of_pieces

CELL_M, ROWS, COLUMNS, X0, Y0 = 0.25, 50, 52, -3.5, 1.5


def depth(shape: shapely.Geometry, rounding: float, x: float, y: float) -> float:
    """Return how deep a point is inside a rounded shape; negative outside."""
    point = shapely.Point(x, y)
    if shape.contains(point):
        return rounding + shapely.distance(shapely.boundary(shape), point)
    return rounding - shapely.distance(shape, point)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("slack", [0.0, 0.15])
def test_cells_are_closed_exactly_where_every_place_in_them_is_within_the_core(seed: int, slack: float):
    rng = np.random.default_rng(seed)
    pieces = pieces_of(random_world(rng, 8).world.obstacles)
    cores = np.where(rng.random(len(pieces.obstacle)) < 0.3, 0.0, rng.uniform(0.05, 0.6, len(pieces.obstacle)))
    corners = [slice(a, b) for a, b in zip(pieces.first_corner, pieces.first_corner[1:], strict=False)]
    shapes = [
        shapely.convex_hull(shapely.MultiPoint(np.column_stack((pieces.corner_x[one], pieces.corner_y[one]))))
        for one in corners
    ]
    window = (4, 6, ROWS - 3, COLUMNS - 8)
    closed = np.zeros((ROWS, COLUMNS), np.uint8)
    cells = struct(
        "gb_closed_cells", x0=X0, y0=Y0, cell_m=CELL_M, rows=ROWS, columns=COLUMNS, closed=closed, window=window
    )  # fmt: skip
    lib.gb_cells_close(cells.c, struct_of_pieces(pieces).c, pointer(cores, "double"), slack)
    needed = CELL_M * np.sqrt(0.5) + slack
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = X0 + (column + 0.5) * CELL_M, Y0 + (row + 0.5) * CELL_M
            some = [
                depth(shape, rounding, x, y) + core
                for shape, rounding, core in zip(shapes, pieces.radius, cores, strict=True)
                if core > 0.0
            ]
            deepest = max(some, default=-1.0)
            is_in_window = window[0] <= row < window[2] and window[1] <= column < window[3]
            if abs(deepest - needed) > 1e-9:
                assert closed[row, column] == (is_in_window and deepest > needed)
