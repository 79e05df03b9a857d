"""Surfaces of any shape as spans of heights in the columns of a grid, then as a few prisms that hold the spans."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.world.convex_cover import convex_cover
from gambol.world.mesh_components import Component
from gambol.world.mesh_ground import walkable_triangles
from gambol.world.mesh_prisms import SHEET_M
from gambol.world.mesh_spans import (
    SpanList,
    Spans,
    Touches,
    absorb_splinters,
    cover_with_boxes,
    filled_spans,
    group_spans,
    merge_spans,
    plan_points,
    touches_of,
)
from gambol.world.mesh_surfaces import Grid

LOW_M = 0.02  # metres, >= 0: lower things (sills, carpets, cables) count as ground; larger: more is walked over
HAIR_M = 1e-4  # metres: a closed surface that reaches less far into a cell is not in it; larger hides thin parts
GAP_CELLS = 2.0  # cells: gaps between spans up to this are closed, no body fits in; larger closes more
SPLINTER_CELLS = 4  # cells: things up to this size join a larger neighbour of the same heights; larger joins more

Solid = tuple[list[FloatArray], float, float]  # convex pieces in the mesh's frame; bottom and top above the ground


class Columns(NamedTuple):
    """Spans that a component fills above the ground, sorted by cell, and its corners in plan within the cells."""

    cells: Int64Array  # (S,)
    bottoms: FloatArray  # (S,) metres above the ground
    tops: FloatArray  # (S,) likewise
    points: FloatArray  # (P, 2) corners in plan
    span_of_point: Int64Array  # (P,)
    thick_m: float  # thickness to add on all sides in plan
    too_high: bool  # whether a part above the ceiling was left out


def fill_columns(
    component: Component, grid: Grid, ground: tuple[FloatArray, FloatArray], *, ceiling_m: float
) -> Columns:
    """Return the spans of a component in the cells of a grid that covers it.

    ground: the ground's least and greatest height in each cell.
    """
    vertices, triangles, (ground_low, ground_high) = component.vertices, component.triangles, ground
    # A closed surface on the border of two cells has its inside in one of them; an open surface is in both.
    grow_m = -HAIR_M if component.solid else HAIR_M
    starts, owners, lows, highs = touches_of(vertices, triangles, grid, grow_m)
    touched = np.repeat(np.arange(grid.rows * grid.columns), np.diff(starts))
    order = np.lexsort((highs, lows, touched))
    owners, lows, highs = owners[order], lows[order], highs[order]
    is_ground = (
        walkable_triangles(vertices, triangles)[owners]
        & (lows - LOW_M <= ground_high[touched])
        & (highs + LOW_M >= ground_low[touched])
    )
    (cells, bottoms, tops), span_of = filled_spans(
        vertices, triangles, component.solid, is_ground, Touches(starts, owners, lows, highs), grid
    )
    spare_m = 0.0 if component.solid else 0.5 * SHEET_M
    bottoms, tops = bottoms - spare_m - ground_high[cells], tops + spare_m - ground_low[cells]
    kept = (tops - spare_m > LOW_M) & (bottoms <= ceiling_m)
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    too_high = bool(np.any(bottoms > ceiling_m))
    cells, bottoms, tops = cells[kept], np.maximum(bottoms[kept], 0.0), tops[kept]
    gap_m = GAP_CELLS * grid.cell_m
    bottoms[bottoms <= gap_m] = 0.0
    (cells, bottoms, tops), merged = merge_spans(SpanList(cells, bottoms, tops), gap_m)
    span_of = np.append(merged, -1)[np.append(number, -1)[span_of]]
    counts = span_of >= 0
    points, touch_of = plan_points(vertices, triangles, owners[counts], touched[counts], grid, grow_m)
    return Columns(cells, bottoms, tops, points, span_of[counts][touch_of], spare_m, too_high)


def column_solids(columns: Columns, grid: Grid) -> list[Solid]:
    """Return a few prisms that hold all spans: convex hulls of spans of like heights, or boxes if these are fewer."""
    if len(columns.cells) == 0:
        return []
    starts = np.searchsorted(columns.cells, np.arange(grid.rows * grid.columns + 1))
    spans_of_cells = Spans(starts, columns.bottoms, columns.tops, grid.rows, grid.columns)
    groups = group_spans(spans_of_cells, grid.cell_m)
    groups = absorb_splinters(spans_of_cells, groups, grid.cell_m, SPLINTER_CELLS)
    groups = np.unique(groups, return_inverse=True)[1].reshape(-1)
    corner = np.array([grid.x0, grid.y0])
    solids: list[Solid] = []
    count = int(groups.max()) + 1
    for spans, points in zip(_members(groups, count), _members(groups[columns.span_of_point], count), strict=True):
        bottom, top = float(columns.bottoms[spans].min()), float(columns.tops[spans].max())
        boxes = _boxes(columns, spans, grid)
        index = np.searchsorted(spans, columns.span_of_point[points])
        cells = np.stack(np.divmod(columns.cells[spans], grid.columns), axis=1)
        hulls = convex_cover(cells, columns.points[points] - corner, index, cell_m=grid.cell_m, most=len(boxes))
        if hulls is None:
            solids += boxes
            continue
        for hull in hulls:
            flat = shapely.convex_hull(shapely.MultiPoint(hull))
            thick = flat.buffer(max(columns.thick_m, HAIR_M), join_style="mitre", cap_style="square")
            solids.append(
                ([shapely.get_coordinates(shapely.orient_polygons(thick.convex_hull))[:-1] + corner], bottom, top)
            )
    return solids


def _members(labels: Int64Array, count: int) -> list[Int64Array]:
    """Return for each of `count` labels where it stands, in order."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.cumsum(np.bincount(labels, minlength=count))[:-1])


def _boxes(columns: Columns, spans: Int64Array, grid: Grid) -> list[Solid]:
    """Return boxes along the grid that hold some of the spans."""
    rows, cols = np.divmod(columns.cells[spans], grid.columns)
    first_row, first_column = int(rows.min()), int(cols.min())
    height, width = int(rows.max()) - first_row + 1, int(cols.max()) - first_column + 1
    local = (rows - first_row) * width + cols - first_column
    starts = np.searchsorted(local, np.arange(height * width + 1))
    solids: list[Solid] = []
    for row, column, more_rows, more_columns, bottom, top in cover_with_boxes(
        Spans(starts, columns.bottoms[spans], columns.tops[spans], height, width), grid.cell_m
    ).tolist():
        left, near = grid.x0 + (first_column + column) * grid.cell_m, grid.y0 + (first_row + row) * grid.cell_m
        right, far = left + more_columns * grid.cell_m, near + more_rows * grid.cell_m
        solids.append(([np.array([[left, near], [right, near], [right, far], [left, far]])], bottom, top))
    return solids
