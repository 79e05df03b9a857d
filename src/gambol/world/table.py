"""A world's standing part as flat arrays: the one seam between worlds and kernels."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int32Array, Int64Array
from gambol.world.pieces import Pieces, offsets, pieces_of
from gambol.world.rasterize import BinGrid, bins_within, clearance_field, mended_clearance, sort_into_bins
from gambol.world.steepness import FAR_M, NEARBY_M, steepness_around
from gambol.world.terrain import Terrain
from gambol.world.world import Obstacle, Special, World

Box = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y
Window = tuple[int, int, int, int]  # first row, first column, row after the last, column after the last


def only_obstacles_differ(old: World, new: World) -> bool:
    """Tell whether bounds, terrain and the number of obstacles are the same."""
    return old.bounds == new.bounds and old.terrain is new.terrain and len(old.obstacles) == len(new.obstacles)


def changed_obstacles(old: World, new: World) -> tuple[Obstacle, ...]:
    """Return all obstacles that are in only one of two worlds; a moved one counts twice."""
    before, after = {id(obstacle) for obstacle in old.obstacles}, {id(obstacle) for obstacle in new.obstacles}
    gone = (obstacle for obstacle in old.obstacles if id(obstacle) not in after)
    come = (obstacle for obstacle in new.obstacles if id(obstacle) not in before)
    return (*gone, *come)


def changed_boxes(old: World, new: World) -> list[Box]:
    """Return the boxes of all obstacles that are in only one of two worlds."""
    return [box_of(obstacle) for obstacle in changed_obstacles(old, new)]


def box_of(obstacle: Obstacle) -> Box:
    """Return the box around an obstacle in the world."""
    boxes = pieces_of((obstacle,)).boxes
    x0, y0 = boxes[:, :2].min(axis=0)
    x1, y1 = boxes[:, 2:].max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def grown(box: Box, by_m: float) -> Box:
    """Return a box widened on all sides."""
    return box[0] - by_m, box[1] - by_m, box[2] + by_m, box[3] + by_m


def window(box: Box, x0: float, y0: float, cell_m: float, shape: tuple[int, ...]) -> Window:
    """Return the cells of a grid (rows, columns) that a box meets, and one more on each side."""
    rows, columns = shape
    return (
        min(max(math.floor((box[1] - y0) / cell_m) - 1, 0), rows),
        min(max(math.floor((box[0] - x0) / cell_m) - 1, 0), columns),
        min(max(math.floor((box[3] - y0) / cell_m) + 2, 0), rows),
        min(max(math.floor((box[2] - x0) / cell_m) + 2, 0), columns),
    )


CELL_M = 0.1  # metres, > 0: cells of the clearance field, if the world is not too large; larger: coarser look-ups
BIN_M = 0.5  # metres, > 0: bins of the lists of pieces, likewise; larger: longer lists
MOST_CELLS = 4_000_000  # cells of the clearance field; in larger worlds cells grow
MOST_BINS = 1_000_000  # bins; in larger worlds bins grow
REACH_M = 1.2  # metres, above the radius of any part of a body: a bin lists pieces within this; larger: longer lists


class Bins(NamedTuple):
    """Pieces by place: each square bin lists the pieces within REACH_M of it, the nearest first."""

    reach_m: float  # a bin lists pieces at most this far from it
    bin_m: float  # bin (row, column) begins at the world's x0, y0 plus bin_m * (column, row)
    rows: int
    columns: int
    first_entry: Int64Array  # (rows * columns + 1,)
    piece: Int32Array  # (E,)
    gap: FloatArray  # (E,) metres from the bin to the piece, at least; increasing within a bin
    bottom: FloatArray  # (E,) as in `Pieces`, so that heights are compared first
    top: FloatArray  # (E,) likewise


class Ground(NamedTuple):
    """A terrain as arrays; flat ground has heights of 0."""

    has_terrain: bool
    x0: float
    y0: float
    cell_m: float
    heights: FloatArray  # (rows, columns) metres at points
    steepness: FloatArray  # (2, rows - 1, columns - 1) greatest rise per metre within NEARBY_M and FAR_M of the cell
    steepest: float  # greatest rise per metre anywhere


class Specials(NamedTuple):
    """K annotated obstacles, and for each bin those whose near region may reach into it."""

    obstacle: Int32Array  # (K,) increasing
    kind: Int32Array  # (K,) index into `special_kinds`
    near_m: FloatArray  # (K,)
    within_m: FloatArray  # (K,)
    of_obstacle: Int32Array  # (O,) index into the arrays above, -1 without annotation
    first_entry: Int64Array  # (rows * columns + 1,) the same bins as those of pieces
    entry: Int32Array  # (L,) indices of specials, increasing within a bin


class WorldTable(NamedTuple):
    """All things in a world that stand still.  `gambol.world.kernels.lookup` reads it."""

    x0: float  # metres: where cell (0, 0) of the clearance field and bin (0, 0) begin
    y0: float
    cell_m: float
    clearance: FloatArray  # (rows, columns) metres from a cell's centre to the nearest piece or bound; <= 0 inside one
    bounds: tuple[float, float, float, float]
    pieces: Pieces
    bins: Bins
    ground: Ground
    specials: Specials


_tables: WeakKeyDictionary[World, dict[float, WorldTable]] = WeakKeyDictionary()


def compile_world(world: World, *, cell_m: float = CELL_M, like: World | None = None) -> WorldTable:
    """Return a world's table, which is made once and kept as long as the world.

    Cells grow where a world would have more than four million.

    like: a world that may differ in a few obstacles: if its table is known, only the differences are computed.
    """
    if not (math.isfinite(cell_m) and cell_m > 0.0):
        raise InvalidInput(f"a cell must have a positive size, not {cell_m}")
    tables = _tables.setdefault(world, {})
    if cell_m not in tables:
        known = None if like is None or not only_obstacles_differ(like, world) else _tables.get(like, {}).get(cell_m)
        tables[cell_m] = _compile(world, cell_m) if known is None or like is None else _mend(known, like, world)
    return tables[cell_m]


def at_resolution(world: World, cell_m: float) -> World:
    """Return a copy of a world whose clearance field has cells of this size."""
    copy = replace(world)
    _tables[copy] = {CELL_M: compile_world(world, cell_m=cell_m)}
    return copy


def special_kinds(world: World) -> tuple[str, ...]:
    """Return the kinds of annotations in a world; a kind's index is its number in the table."""
    return tuple(sorted({obstacle.special.kind for obstacle in world.obstacles if obstacle.special is not None}))


def _compile(world: World, cell_m: float) -> WorldTable:
    x0, y0 = world.bounds[:2]
    cell_m, rows, columns = grid_layout(world.bounds, cell_m, MOST_CELLS)
    bin_grid = (x0, y0, *grid_layout(world.bounds, BIN_M, MOST_BINS))
    pieces = pieces_of(world.obstacles)
    return WorldTable(
        x0=x0,
        y0=y0,
        cell_m=cell_m,
        clearance=clearance_field(pieces, world.bounds, cell_m, rows, columns),
        bounds=world.bounds,
        pieces=pieces,
        bins=bins_of(pieces, bin_grid),
        ground=_ground(world.terrain),
        specials=specials_of(world, pieces, bin_grid),
    )


def _mend(table: WorldTable, old: World, new: World) -> WorldTable:
    """Return the table of a new world, made from the table of an old one with other obstacles."""
    grid = (table.x0, table.y0, table.bins.bin_m, table.bins.rows, table.bins.columns)
    pieces, changed = pieces_of(new.obstacles), pieces_of(changed_obstacles(old, new))
    return table._replace(
        clearance=mended_clearance(table.clearance, pieces, changed, new.bounds, table.cell_m),
        pieces=pieces,
        bins=bins_of(pieces, grid),
        specials=specials_of(new, pieces, grid),
    )


def grid_layout(bounds: tuple[float, float, float, float], cell_m: float, most: int) -> tuple[float, int, int]:
    """Return size, rows and columns of at most `most` cells that cover the bounds."""
    width, depth = bounds[2] - bounds[0], bounds[3] - bounds[1]
    cell_m = max(cell_m, math.sqrt(width * depth / most))
    while math.ceil(width / cell_m) * math.ceil(depth / cell_m) > most:
        cell_m *= 1.05
    return float(cell_m), math.ceil(depth / cell_m), math.ceil(width / cell_m)


def bins_of(pieces: Pieces, grid: BinGrid) -> Bins:
    """Return the lists of pieces near each bin."""
    where, piece, gap = bins_within(pieces, np.full(len(pieces.radius), REACH_M), grid)
    _, _, bin_m, rows, columns = grid
    order, first_entry = sort_into_bins(where, gap, rows * columns)
    piece = piece[order]
    return Bins(REACH_M, bin_m, rows, columns, first_entry, piece, gap[order], pieces.bottom[piece], pieces.top[piece])


def specials_of(world: World, pieces: Pieces, grid: BinGrid) -> Specials:
    """Return the annotated obstacles, and the lists of those near each bin."""
    kinds = special_kinds(world)
    annotated: list[tuple[int, Special]] = [
        (index, obstacle.special) for index, obstacle in enumerate(world.obstacles) if obstacle.special is not None
    ]
    owners = np.array([index for index, _ in annotated], dtype=np.int32)
    near_m = np.array([special.near_m for _, special in annotated], dtype=np.float64)
    of_obstacle = np.full(len(world.obstacles), -1, dtype=np.int32)
    of_obstacle[owners] = np.arange(len(owners), dtype=np.int32)
    reaches = np.concatenate((near_m, [-1.0]))[of_obstacle[pieces.obstacle]]  # index -1 takes the last, -1.0
    where, piece, _ = bins_within(pieces, reaches, grid)
    pairs = np.unique(np.stack((where, of_obstacle[pieces.obstacle[piece]].astype(np.int64))), axis=1)
    return Specials(
        obstacle=owners,
        kind=np.array([kinds.index(special.kind) for _, special in annotated], dtype=np.int32),
        near_m=near_m,
        within_m=np.array([special.within_m for _, special in annotated], dtype=np.float64),
        of_obstacle=of_obstacle,
        first_entry=offsets(np.bincount(pairs[0], minlength=grid[3] * grid[4])),
        entry=pairs[1].astype(np.int32),
    )


def _ground(terrain: Terrain | None) -> Ground:
    if terrain is None:
        return Ground(False, 0.0, 0.0, 1.0, np.zeros((2, 2)), np.zeros((2, 1, 1)), 0.0)
    x0, y0 = (float(value) for value in terrain.origin)
    heights = np.array(terrain.heights_m)  # writeable like flat ground: kernels see the same type
    steepness = np.stack([steepness_around(terrain, radius_m) for radius_m in (NEARBY_M, FAR_M)])
    return Ground(True, x0, y0, float(terrain.cell_m), heights, steepness, float(steepness.max()))
