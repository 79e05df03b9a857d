"""Spans of heights that a mesh fills in the columns of a grid, and groups of like spans."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.kernels.jit import kernel
from gambol.world.kernels.columns import surface_at

#: Shares of a cell, 0 to 1: where its column is probed, away from places where meshes often have edges.
PROBE_X = 0.5137
PROBE_Y = 0.4871


class Spans(NamedTuple):
    """S spans of heights in the cells of a grid, sorted by cell."""

    starts: Int64Array  # (rows * columns + 1,) the first span of each cell
    bottoms: FloatArray  # (S,) metres
    tops: FloatArray  # (S,) metres
    rows: int
    columns: int


class Grid(NamedTuple):
    """Square cells in plan; cell (row, column) begins at (x0, y0) + cell_m * (column, row)."""

    x0: float
    y0: float
    cell_m: float
    rows: int
    columns: int


@kernel
def height_range_in_cell(
    vertices: FloatArray, a: int, b: int, c: int, left: float, right: float, bottom: float, top: float
) -> tuple[float, float]:
    """Return the least and greatest height of a triangle's part inside a rectangle; inf, -inf without one."""
    least = np.inf
    greatest = -np.inf
    for side in range(3):
        p = a if side == 0 else (b if side == 1 else c)
        q = b if side == 0 else (c if side == 1 else a)
        enter, leave = clip_edge(vertices, p, q, left, right, bottom, top)
        if enter <= leave:
            rise = vertices[q, 2] - vertices[p, 2]
            z1 = vertices[p, 2] + enter * rise
            z2 = vertices[p, 2] + leave * rise
            least = min(least, z1, z2)
            greatest = max(greatest, z1, z2)
    for corner in range(4):
        x = left if corner % 2 == 0 else right
        y = bottom if corner < 2 else top
        hit, z, _ = surface_at(vertices, a, b, c, x, y)
        if hit:
            least = min(least, z)
            greatest = max(greatest, z)
    return least, greatest


@kernel
def clip_edge(
    vertices: FloatArray, p: int, q: int, left: float, right: float, bottom: float, top: float
) -> tuple[float, float]:
    """Return the shares of an edge at which it enters and leaves a rectangle in plan; enter > leave: it misses."""
    enter = 0.0
    leave = 1.0
    for axis in range(2):
        start = vertices[p, axis]
        run = vertices[q, axis] - start
        low = left if axis == 0 else bottom
        high = right if axis == 0 else top
        if run == 0.0:
            if start < low or start > high:
                return 1.0, 0.0
        else:
            t1 = (low - start) / run
            t2 = (high - start) / run
            enter = max(enter, min(t1, t2))
            leave = min(leave, max(t1, t2))
    return enter, leave


@kernel
def cells_around(vertices: FloatArray, a: int, b: int, c: int, grid: Grid, grow_m: float) -> tuple[int, int, int, int]:
    """Return first row, row past the last, first column, column past the last of the cells a triangle may touch."""
    least_x = min(vertices[a, 0], vertices[b, 0], vertices[c, 0]) - grow_m
    least_y = min(vertices[a, 1], vertices[b, 1], vertices[c, 1]) - grow_m
    most_x = max(vertices[a, 0], vertices[b, 0], vertices[c, 0]) + grow_m
    most_y = max(vertices[a, 1], vertices[b, 1], vertices[c, 1]) + grow_m
    first_column = max(0, int(np.floor((least_x - grid.x0) / grid.cell_m)))
    first_row = max(0, int(np.floor((least_y - grid.y0) / grid.cell_m)))
    past_column = min(grid.columns, int(np.floor((most_x - grid.x0) / grid.cell_m)) + 1)
    past_row = min(grid.rows, int(np.floor((most_y - grid.y0) / grid.cell_m)) + 1)
    return first_row, past_row, first_column, past_column


@kernel
def touches(
    vertices: FloatArray, triangles: Int64Array, grid: Grid, grow_m: float
) -> tuple[Int64Array, Int64Array, FloatArray, FloatArray]:
    """Return touches, the parts of triangles in cells: first touch of each cell, triangles, least and greatest heights.

    grow_m: cells count as larger by this on all sides, or smaller if negative.
    """
    starts = np.zeros(grid.rows * grid.columns + 1, dtype=np.int64)
    filled = np.zeros(grid.rows * grid.columns, dtype=np.int64)
    owners = np.empty(0, dtype=np.int64)
    lows = np.empty(0)
    highs = np.empty(0)
    for fill in range(2):
        if fill == 1:
            starts = np.cumsum(starts)
            owners = np.empty(starts[-1], dtype=np.int64)
            lows = np.empty(starts[-1])
            highs = np.empty(starts[-1])
        for t in range(triangles.shape[0]):
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            first_row, past_row, first_column, past_column = cells_around(vertices, a, b, c, grid, grow_m)
            for row in range(first_row, past_row):
                y = grid.y0 + row * grid.cell_m
                for column in range(first_column, past_column):
                    x = grid.x0 + column * grid.cell_m
                    low, high = height_range_in_cell(
                        vertices, a, b, c,
                        x - grow_m, x + grid.cell_m + grow_m, y - grow_m, y + grid.cell_m + grow_m,
                    )  # fmt: skip
                    if low > high:
                        continue
                    cell = row * grid.columns + column
                    if fill == 0:
                        starts[cell + 1] += 1
                    else:
                        place = starts[cell] + filled[cell]
                        filled[cell] += 1
                        owners[place], lows[place], highs[place] = t, low, high
    return starts, owners, lows, highs


@kernel
def winding_above(
    vertices: FloatArray, triangles: Int64Array, owners: Int64Array, start: int, stop: int, x: float, y: float, z: float
) -> int:
    """Return the number of surfaces above a point that face up, less those that face down: positive in a solid."""
    winding = 0
    for i in range(start, stop):
        t = owners[i]
        hit, height, facing = surface_at(vertices, triangles[t, 0], triangles[t, 1], triangles[t, 2], x, y)
        if hit and height > z:
            winding += facing
    return winding


@kernel
def filled_spans(
    vertices: FloatArray,
    triangles: Int64Array,
    is_solid: bool,
    is_ground: BoolArray,
    starts: Int64Array,
    owners: Int64Array,
    lows: FloatArray,
    highs: FloatArray,
    grid: Grid,
) -> tuple[Int64Array, FloatArray, FloatArray, Int64Array]:
    """Return the spans that a connected mesh fills, and for each touch its span or -1.

    Spans are cells (S,), bottoms (S,) and tops (S,), sorted by cell, then height.

    is_solid: the mesh has an inside, which counts as filled.  No surface lies between two touches of a cell that follow
    each other, so one point decides whether all points between them are inside.
    is_ground: which touches are the ground itself, and fill nothing.
    The other arrays are those of `touches`, sorted by least height in each cell.
    """
    cells = np.empty(2 * len(lows), dtype=np.int64)
    bottoms = np.empty(2 * len(lows))
    tops = np.empty(2 * len(lows))
    span_of = np.full(len(lows), -1)
    found = 0
    for cell in range(len(starts) - 1):
        start, stop = starts[cell], starts[cell + 1]
        if start == stop:
            continue
        x = grid.x0 + (cell % grid.columns + PROBE_X) * grid.cell_m
        y = grid.y0 + (cell // grid.columns + PROBE_Y) * grid.cell_m
        reached = lows[start]
        is_open = False
        bottom = 0.0
        top = 0.0
        for i in range(start, stop):
            if lows[i] > reached:
                middle = 0.5 * (reached + lows[i])
                if is_solid and winding_above(vertices, triangles, owners, start, stop, x, y, middle) > 0:
                    if not is_open:
                        bottom = reached
                        is_open = True
                    top = lows[i]
                elif is_open:
                    cells[found], bottoms[found], tops[found] = cell, bottom, top
                    found += 1
                    is_open = False
            reached = max(reached, highs[i])
            if not is_ground[i]:
                if not is_open:
                    bottom = lows[i]
                    top = highs[i]
                    is_open = True
                top = max(top, highs[i])
                span_of[i] = found
        if is_open:
            cells[found], bottoms[found], tops[found] = cell, bottom, top
            found += 1
    return cells[:found], bottoms[:found], tops[:found], span_of


@kernel
def merge_spans(
    cells: Int64Array, bottoms: FloatArray, tops: FloatArray, gap_m: float
) -> tuple[Int64Array, FloatArray, FloatArray, Int64Array]:
    """Return spans with those of a cell joined that are at most `gap_m` apart, and for each given span its new one.

    Given spans are sorted by cell, then bottom.
    """
    merged = np.empty(len(cells), dtype=np.int64)
    out_cells = np.empty_like(cells)
    out_bottoms = np.empty_like(bottoms)
    out_tops = np.empty_like(tops)
    found = 0
    for i in range(len(cells)):
        if found > 0 and out_cells[found - 1] == cells[i] and bottoms[i] <= out_tops[found - 1] + gap_m:
            out_tops[found - 1] = max(out_tops[found - 1], tops[i])
        else:
            out_cells[found], out_bottoms[found], out_tops[found] = cells[i], bottoms[i], tops[i]
            found += 1
        merged[i] = found - 1
    return out_cells[:found], out_bottoms[:found], out_tops[:found], merged


@kernel
def plan_points(
    vertices: FloatArray, triangles: Int64Array, owners: Int64Array, cells: Int64Array, grid: Grid, grow_m: float
) -> tuple[FloatArray, Int64Array]:
    """Return corners in plan (P, 2) of the parts of triangles inside cells, and the touch (P,) of each corner."""
    points = np.empty((10 * len(owners), 2))
    touch_of = np.empty(10 * len(owners), dtype=np.int64)
    found = 0
    for i in range(len(owners)):
        t = owners[i]
        left = grid.x0 + (cells[i] % grid.columns) * grid.cell_m - grow_m
        bottom = grid.y0 + (cells[i] // grid.columns) * grid.cell_m - grow_m
        right = left + grid.cell_m + 2.0 * grow_m
        top = bottom + grid.cell_m + 2.0 * grow_m
        for side in range(3):
            p = triangles[t, side]
            q = triangles[t, (side + 1) % 3]
            enter, leave = clip_edge(vertices, p, q, left, right, bottom, top)
            if enter <= leave:
                for k in range(2):
                    share = enter if k == 0 else leave
                    points[found, 0] = vertices[p, 0] + share * (vertices[q, 0] - vertices[p, 0])
                    points[found, 1] = vertices[p, 1] + share * (vertices[q, 1] - vertices[p, 1])
                    touch_of[found] = i
                    found += 1
        for corner in range(4):
            x = left if corner % 2 == 0 else right
            y = bottom if corner < 2 else top
            hit, _, _ = surface_at(vertices, triangles[t, 0], triangles[t, 1], triangles[t, 2], x, y)
            if hit:
                points[found, 0] = x
                points[found, 1] = y
                touch_of[found] = i
                found += 1
    return points[:found], touch_of[:found]


@kernel
def group_spans(spans: Spans, tolerance_m: float) -> Int64Array:
    """Return the number of each span's group, from 0: connected spans of neighbouring cells with like heights.

    In a group bottoms differ by at most `tolerance_m`, and so do tops.
    """
    starts, bottoms, tops, rows, columns = spans
    groups = np.full(len(bottoms), -1)
    cell_of = np.empty(len(bottoms), dtype=np.int64)
    for cell in range(rows * columns):
        for i in range(starts[cell], starts[cell + 1]):
            cell_of[i] = cell
    stack = np.empty(len(bottoms), dtype=np.int64)
    count = 0
    for seed in range(len(bottoms)):
        if groups[seed] >= 0:
            continue
        groups[seed] = count
        stack[0] = seed
        waiting = 1
        low0 = low1 = bottoms[seed]
        high0 = high1 = tops[seed]
        while waiting > 0:
            waiting -= 1
            cell = cell_of[stack[waiting]]
            row = cell // columns
            column = cell % columns
            for side in range(4):
                r = row + (1 if side == 0 else 0) - (1 if side == 1 else 0)
                c = column + (1 if side == 2 else 0) - (1 if side == 3 else 0)
                if r < 0 or r >= rows or c < 0 or c >= columns:
                    continue
                for i in range(starts[r * columns + c], starts[r * columns + c + 1]):
                    if (
                        groups[i] < 0
                        and max(low1, bottoms[i]) - min(low0, bottoms[i]) <= tolerance_m
                        and max(high1, tops[i]) - min(high0, tops[i]) <= tolerance_m
                    ):
                        low0, low1 = min(low0, bottoms[i]), max(low1, bottoms[i])
                        high0, high1 = min(high0, tops[i]), max(high1, tops[i])
                        groups[i] = count
                        stack[waiting] = i
                        waiting += 1
        count += 1
    return groups


@kernel
def absorb_splinters(spans: Spans, groups: Int64Array, tolerance_m: float, most_cells: int) -> Int64Array:
    """Return groups after spans of small groups have moved to large ones beside them that fill their heights.

    Small groups are splinters: a side that is not quite upright touches some cells over a part of its height only.
    """
    starts, bottoms, tops, rows, columns = spans
    count = 0
    for i in range(len(groups)):
        count = max(count, groups[i] + 1)
    sizes = np.zeros(count, dtype=np.int64)
    low = np.full(count, np.inf)
    high = np.full(count, -np.inf)
    for i in range(len(groups)):
        sizes[groups[i]] += 1
        low[groups[i]] = min(low[groups[i]], bottoms[i])
        high[groups[i]] = max(high[groups[i]], tops[i])
    absorbed = groups.copy()
    for row in range(rows):
        for column in range(columns):
            for i in range(starts[row * columns + column], starts[row * columns + column + 1]):
                if sizes[groups[i]] > most_cells:
                    continue
                best = groups[i]
                for r in range(max(row - 1, 0), min(row + 2, rows)):
                    for c in range(max(column - 1, 0), min(column + 2, columns)):
                        for j in range(starts[r * columns + c], starts[r * columns + c + 1]):
                            other = groups[j]
                            if (
                                sizes[other] > most_cells
                                and (best == groups[i] or sizes[other] > sizes[best])
                                and bottoms[i] >= low[other] - tolerance_m
                                and tops[i] <= high[other] + tolerance_m
                            ):
                                best = other
                absorbed[i] = best
    return absorbed
