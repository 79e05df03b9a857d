"""Spans of heights that a mesh fills in the columns of a grid, and groups and boxes of like spans, by the core."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.core import Struct, lib, pointer, rows, struct
from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.world.mesh_surfaces import Grid, grid_struct, mesh_struct


class Touches(NamedTuple):
    """Parts (N,) of triangles in the cells of a grid, sorted by cell."""

    starts: Int64Array  # (rows * columns + 1,) the first of each cell
    triangles: Int64Array  # (N,)
    lows: FloatArray  # (N,) metres
    highs: FloatArray  # (N,) metres


class SpanList(NamedTuple):
    """Spans (S,) of heights, sorted by cell, then bottom."""

    cells: Int64Array  # (S,)
    bottoms: FloatArray  # (S,) metres
    tops: FloatArray  # (S,) metres


class Spans(NamedTuple):
    """Spans (S,) of heights in the cells of a grid, sorted by cell."""

    starts: Int64Array  # (rows * columns + 1,) the first span of each cell
    bottoms: FloatArray  # (S,) metres
    tops: FloatArray  # (S,) metres
    rows: int
    columns: int


def touches_of(vertices: FloatArray, triangles: NDArray[np.integer[Any]], grid: Grid, grow_m: float) -> Touches:
    """Return the parts of triangles in cells.

    grow_m: cells count as larger by this on all sides, or smaller if negative.
    """
    mesh, cells = mesh_struct(vertices, triangles), grid_struct(grid)
    starts = np.empty(grid.rows * grid.columns + 1, np.int64)
    counted = struct("gb_touches", first=starts, triangle=None, low=None, high=None)
    count = lib.gb_touches_count(mesh.c, cells.c, grow_m, counted.c)
    found = Touches(starts, np.empty(count, np.int64), np.empty(count), np.empty(count))
    lib.gb_touches_fill(mesh.c, cells.c, grow_m, _touches_struct(found).c)
    return found


def plan_points(
    vertices: FloatArray,
    triangles: NDArray[np.integer[Any]],
    owners: Int64Array,
    cells: Int64Array,
    grid: Grid,
    grow_m: float,
) -> tuple[FloatArray, Int64Array]:
    """Return corners in plan (P, 2) of the parts of triangles `owners` in `cells`, and the part (P,) of each corner."""
    points, touch_of = np.empty((10 * len(owners), 2)), np.empty(10 * len(owners), np.int64)
    mesh = mesh_struct(vertices, triangles)
    count = lib.gb_touches_corners(
        mesh.c, grid_struct(grid).c, grow_m, pointer(owners, "int64_t"), pointer(cells, "int64_t"), len(owners),
        pointer(points, "double"), pointer(touch_of, "int64_t"),
    )  # fmt: skip
    return points[:count], touch_of[:count]


def filled_spans(
    vertices: FloatArray,
    triangles: NDArray[np.integer[Any]],
    is_solid: bool,
    is_ground: BoolArray,
    touches: Touches,
    grid: Grid,
) -> tuple[SpanList, Int64Array]:
    """Return the spans that a connected mesh fills, and for each touch its span or -1.

    is_solid: the mesh has an inside, which counts as filled.
    is_ground: which touches are the ground itself, and fill nothing.
    touches: sorted by least height in each cell.
    """
    room = 2 * len(touches.lows)
    cells, bottoms, tops = np.empty(room, np.int64), np.empty(room), np.empty(room)
    span_of = np.empty(len(touches.lows), np.int64)
    mesh = mesh_struct(vertices, triangles)
    count = lib.gb_touches_spans(
        mesh.c, is_solid, grid_struct(grid).c, _touches_struct(touches).c,
        pointer(np.ascontiguousarray(is_ground, np.bool_), "uint8_t"), pointer(cells, "int64_t"),
        pointer(bottoms, "double"), pointer(tops, "double"), pointer(span_of, "int64_t"),
    )  # fmt: skip
    return SpanList(cells[:count], bottoms[:count], tops[:count]), span_of


def merge_spans(spans: SpanList, gap_m: float) -> tuple[SpanList, Int64Array]:
    """Return spans with those of a cell joined that are at most `gap_m` apart, and for each given span its new one."""
    cells, bottoms, tops = np.array(spans.cells), np.array(spans.bottoms), np.array(spans.tops)
    merged = np.empty(len(cells), np.int64)
    count = lib.gb_spans_merge(
        pointer(cells, "int64_t"), pointer(bottoms, "double"), pointer(tops, "double"), len(cells), gap_m,
        pointer(merged, "int64_t"),
    )  # fmt: skip
    return SpanList(cells[:count], bottoms[:count], tops[:count]), merged


def group_spans(spans: Spans, tolerance_m: float) -> Int64Array:
    """Return the number of each span's group, from 0: connected spans of neighbouring cells with like heights.

    In a group bottoms differ by at most `tolerance_m`, and so do tops.
    """
    groups, waiting = np.empty(len(spans.bottoms), np.int64), np.empty(len(spans.bottoms), np.int64)
    lib.gb_spans_group(
        _spans_struct(spans).c, tolerance_m, pointer(waiting, "int64_t"), pointer(groups, "int64_t")
    )  # fmt: skip
    return groups


def absorb_splinters(spans: Spans, groups: Int64Array, tolerance_m: float, most_cells: int) -> Int64Array:
    """Return groups after spans of small groups have moved to large ones beside them that fill their heights.

    Small groups are splinters: a side that is not quite upright touches some cells over a part of its height only.
    """
    absorbed, count = np.empty_like(groups), int(groups.max(initial=-1)) + 1
    lib.gb_spans_absorb(
        _spans_struct(spans).c, pointer(groups, "int64_t"), count, tolerance_m, most_cells,
        pointer(rows("gb_group", count), "gb_group"), pointer(absorbed, "int64_t"),
    )  # fmt: skip
    return absorbed


def cover_with_boxes(spans: Spans, tolerance_m: float) -> FloatArray:
    """Return boxes (B, 6) that hold all spans: first row, first column, rows, columns, bottom, top.

    Greedy: each box starts at the first span not yet held, and grows along one axis, then along the other; the
    better of both orders is kept.  In a box bottoms differ by at most `tolerance_m`, and so do tops.
    """
    used, boxes = np.empty(len(spans.bottoms), np.uint8), np.empty((len(spans.bottoms), 6))
    count = lib.gb_spans_cover(_spans_struct(spans).c, tolerance_m, pointer(used, "uint8_t"), pointer(boxes, "double"))
    return boxes[:count]


def _touches_struct(touches: Touches) -> Struct:
    starts, triangles, lows, highs = touches
    return struct("gb_touches", first=starts, triangle=triangles, low=lows, high=highs)


def _spans_struct(spans: Spans) -> Struct:
    starts, bottoms, tops, rows, columns = spans
    return struct("gb_spans", rows=rows, columns=columns, first=starts, bottom=bottoms, top=tops)
