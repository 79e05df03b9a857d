"""The floor under a crowd: how much room there is, which ways one may go, and the world's table that follows edits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gambol.crowd.kernels.floor import BLOCK, stamp_distances, survey_blocks, survey_lanes
from gambol.errors import InvalidInput
from gambol.world.changes import Box, changed_boxes, grown
from gambol.world.pieces import pieces_of
from gambol.world.standing import grid_layout, specials_of
from gambol.world.table import WorldTable, bins_of, compile_world
from gambol.world.world import Obstacle, World

CELL_M = 0.25
MOST_CELLS = 4_000_000
ROOM_CAP_M = 3.0


class Floor(NamedTuple):
    """Square cells over a world's bounds.  Cell (row, column) begins at x0 + column * cell_m, y0 + row * cell_m.

    The arrays are written to where the world changes.  Cells at the bounds have no more than half a cell of room.
    """

    x0: float
    y0: float
    cell_m: float
    room: np.ndarray  # (rows, columns) float32: metres from the centre to the nearest obstacle or bound, at most 3
    way: np.ndarray  # (rows, columns) int8: one-way direction in sixteenths of a turn from +x, -1: no rule
    gate: np.ndarray  # (rows, columns) int8: gate whose throat this is in, or FORECOURT more before it, KEPT_CLEAR; -1
    lanes: np.ndarray  # (block rows, block columns) bool: some cell of the block, or of one next to it, is one-way
    jam: np.ndarray  # (block rows, block columns) bool: many are in the block, one rather goes around
    leap: np.ndarray  # (block rows, block columns) int16: blocks to the nearest with a one-way cell or little room


def lay_floor(world: World, cell_m: float = CELL_M) -> Floor:
    """Return the floor of a world, without lanes; cells are larger where there would be more than four million.

    Obstacles of any height count, movers do not.
    """
    if not (math.isfinite(cell_m) and cell_m > 0.0):
        raise InvalidInput(f"a cell must have a positive size, not {cell_m}")
    cell_m, rows, columns = grid_layout(world.bounds, cell_m, MOST_CELLS)
    blocks = (-(-rows // BLOCK), -(-columns // BLOCK))
    floor = Floor(
        x0=world.bounds[0],
        y0=world.bounds[1],
        cell_m=cell_m,
        room=np.empty((rows, columns), dtype=np.float32),
        way=np.full((rows, columns), -1, dtype=np.int8),
        gate=np.full((rows, columns), -1, dtype=np.int8),
        lanes=np.zeros(blocks, dtype=np.bool_),
        jam=np.zeros(blocks, dtype=np.bool_),
        leap=np.zeros(blocks, dtype=np.int16),
    )
    pieces = pieces_of(world.obstacles)
    stamp_distances(floor.room, world.bounds, cell_m, ROOM_CAP_M, pieces, world.bounds)
    survey_blocks(floor, np.int64(0), np.int64(blocks[0]), np.int64(0), np.int64(blocks[1]))
    return floor


def note_lanes(floor: Floor) -> None:
    """Bring a floor's maps of blocks up to date.  To be called after writing to `way`."""
    survey_lanes(floor)
    survey_blocks(floor, np.int64(0), np.int64(floor.leap.shape[0]), np.int64(0), np.int64(floor.leap.shape[1]))


def refresh(floor: Floor, world: World, box: Box) -> None:
    """Compute the room in and around a box again, in which a world's obstacles have changed."""
    box = stamp_around(floor.room, floor.cell_m, world, box)
    block_m = floor.cell_m * BLOCK
    left, low, right, high = (
        np.int64(math.floor((value - start) / block_m))
        for value, start in zip(box, (floor.x0, floor.y0, floor.x0, floor.y0), strict=True)
    )
    survey_blocks(floor, low, high + 1, left, right + 1)


def stamp_around(field: np.ndarray, cell_m: float, world: World, box: Box) -> Box:
    """Compute again what of a field of distances depends on obstacles in a box; return the box of all such cells."""
    box = grown(box, ROOM_CAP_M)
    near = near_box(world.obstacles, grown(box, ROOM_CAP_M + 2.0 * cell_m))  # cells may stick out of their box
    stamp_distances(field, world.bounds, cell_m, ROOM_CAP_M, pieces_of(near), box)
    return box


def near_box(obstacles: Iterable[Obstacle], box: Box) -> tuple[Obstacle, ...]:
    """Return the obstacles that may reach into a box, judged by the circles around them."""
    near = []
    for obstacle in obstacles:
        (x, y, _), reach_m = obstacle.pose, obstacle.footprint.reach_m
        if box[0] - reach_m <= x <= box[2] + reach_m and box[1] - reach_m <= y <= box[3] + reach_m:
            near.append(obstacle)
    return tuple(near)


def cells_in(floor: Floor, box: Box) -> tuple[slice, slice]:
    """Return the rows and columns of a floor that a box covers."""
    rows, columns = floor.room.shape
    left, low, right, high = (
        math.floor((value - start) / floor.cell_m)
        for value, start in zip(box, (floor.x0, floor.y0, floor.x0, floor.y0), strict=True)
    )
    return slice(max(low, 0), max(min(high + 1, rows), 0)), slice(max(left, 0), max(min(right + 1, columns), 0))


def own_table(world: World) -> WorldTable:
    """Return a table of a world that belongs to the caller, its clearance at most 3 m.

    What kernels answer about discs is the same as for `compile_world`.
    """
    table = compile_world(world)
    return table._replace(clearance=np.minimum(table.clearance, ROOM_CAP_M))


def refreshed_table(table: WorldTable, old: World, new: World) -> WorldTable:
    """Return the table of a world with other obstacles, from one made by `own_table` or by this.

    The clearance is written in place: the old table is not to be used any more.
    """
    if old.bounds != new.bounds or old.terrain is not new.terrain:
        raise InvalidInput("only obstacles may change: bounds and terrain must be those of the table's world")
    for box in changed_boxes(old, new):
        stamp_around(table.clearance, table.cell_m, new, box)
    grid = (table.x0, table.y0, table.bins.bin_m, table.bins.rows, table.bins.columns)
    pieces = pieces_of(new.obstacles)
    return table._replace(pieces=pieces, bins=bins_of(pieces, grid), specials=specials_of(new, pieces, grid))
