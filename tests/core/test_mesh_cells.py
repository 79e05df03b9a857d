"""What the core finds of meshes in the cells of a grid, against shapely and a few lines of Python."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from gambol.world.mesh_spans import Touches, filled_spans, plan_points, touches_of
from gambol.world.mesh_surfaces import Grid, connected_surfaces, highest_surface, walkable_surfaces

GRID = Grid(-0.31, 0.17, 0.25, 9, 11)
MIDDLES = [
    (GRID.x0 + (column + 0.5) * GRID.cell_m, GRID.y0 + (row + 0.5) * GRID.cell_m)
    for row in range(GRID.rows)
    for column in range(GRID.columns)
]


def some_triangles(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices and triangles of any size, inside the grid and across its border."""
    rng = np.random.default_rng(seed)
    vertices = rng.uniform((-1.0, -0.5, 0.0), (3.0, 3.0, 2.0), (12, 3))
    return vertices, np.array([rng.permutation(12)[:3] for _ in range(10)])


def height_at(corners: np.ndarray, x: float, y: float) -> tuple[int, float]:
    """Return whether a triangle faces up (1) or down (-1) at a point in plan, 0 beside it, and its height there."""
    if not shapely.Polygon(corners[:, :2]).contains(shapely.Point(x, y)):
        return 0, 0.0
    slope_x, slope_y, height = np.linalg.solve(np.column_stack((corners[:, :2], np.ones(3))), corners[:, 2])
    ccw = shapely.LinearRing(corners[:, :2]).is_ccw
    return (1 if ccw else -1), float(slope_x * x + slope_y * y + height)


def box_of(column: int, row: int, grow_m: float = 0.0) -> shapely.Polygon:
    x, y = GRID.x0 + column * GRID.cell_m, GRID.y0 + row * GRID.cell_m
    return shapely.box(x - grow_m, y - grow_m, x + GRID.cell_m + grow_m, y + GRID.cell_m + grow_m)


@pytest.mark.parametrize("seed", range(8))
def test_the_highest_surface_is_that_of_all_triangles_at_a_point(seed: int) -> None:
    vertices, triangles = some_triangles(seed)
    heights = highest_surface(vertices, triangles, GRID)
    for (row, column), height in np.ndenumerate(heights):
        x, y = GRID.x0 + column * GRID.cell_m, GRID.y0 + row * GRID.cell_m
        found = [height_at(corners, x, y) for corners in vertices[triangles]]
        assert height == pytest.approx(max((z for facing, z in found if facing), default=-np.inf))


@pytest.mark.parametrize("seed", range(8))
def test_layers_are_the_walkable_triangles_that_face_up_over_middles(seed: int) -> None:
    vertices, triangles = some_triangles(seed)
    walkable = np.random.default_rng(seed).random(len(triangles)) < 0.7
    layers = walkable_surfaces(vertices, triangles, walkable, GRID)
    for cell, (x, y) in enumerate(MIDDLES):
        found = [height_at(corners, x, y) for corners in vertices[triangles]]
        expected = [number for number, (facing, _) in enumerate(found) if facing > 0 and walkable[number]]
        here = slice(*layers.starts[cell : cell + 2])
        assert layers.triangles[here].tolist() == expected
        assert layers.heights[here] == pytest.approx([found[number][1] for number in expected])


@pytest.mark.parametrize("step_m", [0.0, 0.05, 0.3, 5.0])
def test_layers_that_steps_connect_have_one_number(step_m: float) -> None:
    layers = walkable_surfaces(*some_triangles(3), np.ones(10, bool), GRID)
    cell = np.repeat(np.arange(len(MIDDLES)), np.diff(layers.starts))
    row, column = np.divmod(cell, GRID.columns)
    beside = np.abs(row[:, None] - row) + np.abs(column[:, None] - column) == 1
    near = beside & (np.abs(layers.heights[:, None] - layers.heights) <= step_m)
    expected = np.arange(len(cell))
    for _ in cell:  # the least number goes on to all beside
        expected = np.minimum(expected, np.where(near, expected, len(cell)).min(axis=1))
    np.testing.assert_array_equal(connected_surfaces(layers, GRID, step_m), expected)


@pytest.mark.parametrize(("seed", "grow_m"), [(0, 0.01), (1, -0.01), (2, 0.0), (3, 0.2), (4, -0.02)])
def test_touches_are_the_parts_of_triangles_in_cells(seed: int, grow_m: float) -> None:
    vertices, triangles = some_triangles(seed)
    touches = touches_of(vertices, triangles, GRID, grow_m)
    cells = np.repeat(np.arange(len(MIDDLES)), np.diff(touches.starts))
    found = dict(zip(zip(cells.tolist(), touches.triangles.tolist(), strict=True), range(len(cells)), strict=True))
    points, touch_of = plan_points(vertices, triangles, touches.triangles, cells, GRID, grow_m)
    for cell in range(len(MIDDLES)):
        square = box_of(cell % GRID.columns, cell // GRID.columns, grow_m)
        for number, corners in enumerate(vertices[triangles]):
            part = shapely.Polygon(corners[:, :2]).intersection(square)
            touch = found.pop((cell, number), None)
            assert (touch is not None) == (not part.is_empty)
            if touch is None:
                continue
            places = shapely.get_coordinates(part)
            plane = np.linalg.solve(np.column_stack((corners[:, :2], np.ones(3))), corners[:, 2])
            heights = places @ plane[:2] + plane[2]
            assert (touches.lows[touch], touches.highs[touch]) == pytest.approx((heights.min(), heights.max()))
            hull = shapely.MultiPoint(points[touch_of == touch]).convex_hull
            assert hull.hausdorff_distance(part) < 1e-9
    assert not found


def sorted_touches(vertices: np.ndarray, triangles: np.ndarray, grow_m: float) -> tuple[Touches, np.ndarray]:
    """Return touches, by height in each cell, and their cells."""
    starts, owners, lows, highs = touches_of(vertices, triangles, GRID, grow_m)
    cells = np.repeat(np.arange(len(MIDDLES)), np.diff(starts))
    order = np.lexsort((highs, lows, cells))
    return Touches(starts, owners[order], lows[order], highs[order]), cells


@pytest.mark.parametrize("is_solid", [False, True])
def test_spans_are_touches_that_hang_together_and_the_inside_of_a_solid(is_solid: bool) -> None:
    """Here it is the lower and the upper face of a box."""
    corners = np.array([(x, y, z) for z in (0.5, 1.5) for y in (0.2, 2.2) for x in (-0.2, 2.2)])
    triangles = np.array([(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6)])
    touches, cells = sorted_touches(corners, triangles, -1e-4)
    spans, span_of = filled_spans(corners, triangles, is_solid, np.zeros(len(touches.lows), bool), touches, GRID)
    x, y = np.array(MIDDLES).T
    inside = (x > -0.2) & (x < 2.2) & (y > 0.2) & (y < 2.2)
    for cell in np.flatnonzero(inside):
        here = spans.cells == cell
        expected = [(0.5, 1.5)] if is_solid else [(0.5, 0.5), (1.5, 1.5)]
        np.testing.assert_allclose(np.column_stack((spans.bottoms[here], spans.tops[here])), expected)
    np.testing.assert_array_equal(spans.cells[span_of], cells)
    assert (spans.bottoms[span_of] <= touches.lows).all()
    assert (spans.tops[span_of] >= touches.highs).all()


@pytest.mark.parametrize("seed", range(5))
def test_without_an_inside_spans_are_unions_of_touches_but_for_the_ground(seed: int) -> None:
    vertices, triangles = some_triangles(seed)
    touches, _ = sorted_touches(vertices, triangles, 0.0)
    none = np.zeros(len(touches.lows), bool)
    spans, span_of = filled_spans(vertices, triangles, False, none, touches, GRID)
    assert (span_of >= 0).all()
    for cell in range(len(MIDDLES)):
        expected: list[list[float]] = []
        for touch in range(*touches.starts[cell : cell + 2]):
            low, high = touches.lows[touch], touches.highs[touch]
            if not expected or low > expected[-1][1]:
                expected.append([low, high])
            expected[-1][1] = max(expected[-1][1], high)
        here = spans.cells == cell
        assert np.column_stack((spans.bottoms[here], spans.tops[here])).tolist() == expected
    spans, span_of = filled_spans(vertices, triangles, False, ~none, touches, GRID)
    assert len(spans.cells) == 0
    assert (span_of == -1).all()
