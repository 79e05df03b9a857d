"""Ask a compiled world about points and upright cylinders.

A free answer is never wrong: accepted points and cylinders meet nothing.  Touching is not meeting.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gambol.kernels.jit import allocation_free_kernel
from gambol.world.kernels.geometry import disc_is_inside, disc_meets_piece, distance_to_obstacle, room_inside
from gambol.world.steepness import FAR_M, NEARBY_M

if TYPE_CHECKING:
    import numpy as np

    from gambol.world.pieces import Pieces
    from gambol.world.standing import Ground
    from gambol.world.table import Bins, WorldTable

NOTHING = -1  # no obstacle or piece
BOUNDS = -2  # no obstacle: the cylinder leaves the bounds


@allocation_free_kernel
def clearance(table: WorldTable, x: float, y: float) -> float:
    """Return a lower bound of the distance from a point to all obstacles and bounds; at most 0 outside."""
    u, v = (x - table.x0) / table.cell_m, (y - table.y0) / table.cell_m
    rows, columns = table.clearance.shape
    if not (u >= 0.0 and v >= 0.0 and u < columns and v < rows):
        return min(room_inside(table.bounds, x, y), 0.0)
    column, row = int(u), int(v)
    aside, along = u - column - 0.5, v - row - 0.5
    return table.clearance[row, column] - table.cell_m * math.sqrt(aside * aside + along * along)


@allocation_free_kernel
def disc_is_free(
    table: WorldTable, x: float, y: float, radius: float, low: float, high: float, ignored: int | np.int64
) -> bool:
    """Tell whether an upright cylinder is inside the bounds and meets no obstacle except `ignored`.

    `low` and `high` are above the local ground.  Exact; with `ignored` -1 all obstacles count.
    """
    if clearance(table, x, y) >= radius:
        return True
    if not disc_is_inside(table.bounds, x, y, radius):
        return False
    return blocking_piece(table.x0, table.y0, table.bins, table.pieces, x, y, radius, low, high, ignored) == NOTHING


@allocation_free_kernel
def blocking_obstacle(
    table: WorldTable, x: float, y: float, radius: float, low: float, high: float, ignored: int | np.int64
) -> int:
    """Return an obstacle that an upright cylinder meets, NOTHING (-1), or BOUNDS (-2) where it leaves them."""
    if not disc_is_inside(table.bounds, x, y, radius):
        return BOUNDS
    piece = blocking_piece(table.x0, table.y0, table.bins, table.pieces, x, y, radius, low, high, ignored)
    return NOTHING if piece == NOTHING else int(table.pieces.obstacle[piece])


@allocation_free_kernel
def bin_of(x0: float, y0: float, bins: Bins, x: float, y: float) -> int:
    """Return the number of the bin at a point, or of the nearest bin."""
    column = min(max(int((x - x0) / bins.bin_m), 0), bins.columns - 1)
    row = min(max(int((y - y0) / bins.bin_m), 0), bins.rows - 1)
    return row * bins.columns + column


@allocation_free_kernel
def blocking_piece(
    x0: float,
    y0: float,
    bins: Bins,
    pieces: Pieces,
    x: float,
    y: float,
    radius: float,
    low: float,
    high: float,
    ignored: int | np.int64,
) -> int:
    """Return a piece that an upright cylinder inside the bounds meets, or NOTHING."""
    if radius <= bins.reach_m:
        return blocking_piece_of_bin(bins, pieces, bin_of(x0, y0, bins, x, y), x, y, radius, low, high, ignored)
    # Points at most a reach apart: each point of the disc is within reach of one of them.  This holds for those moved
    # to the grid's edge too, because the disc is inside.
    steps = math.ceil(2.0 * radius / bins.reach_m)
    stride = 2.0 * radius / steps
    for row in range(steps + 1):
        for column in range(steps + 1):
            there = bin_of(x0, y0, bins, x - radius + column * stride, y - radius + row * stride)
            piece = blocking_piece_of_bin(bins, pieces, there, x, y, radius, low, high, ignored)
            if piece != NOTHING:
                return piece
    return NOTHING


@allocation_free_kernel
def blocking_piece_of_bin(
    bins: Bins,
    pieces: Pieces,
    where: int,
    x: float,
    y: float,
    radius: float,
    low: float,
    high: float,
    ignored: int | np.int64,
) -> int:
    """Return a piece listed in a bin that an upright cylinder meets, or NOTHING."""
    for entry in range(bins.first_entry[where], bins.first_entry[where + 1]):
        if bins.gap[entry] >= radius and radius <= bins.reach_m:
            return NOTHING  # the other pieces are farther away
        if bins.bottom[entry] < high and low < bins.top[entry]:
            piece = bins.piece[entry]
            if pieces.obstacle[piece] != ignored and disc_meets_piece(pieces, piece, x, y, radius):
                return piece
    return NOTHING


@allocation_free_kernel
def ground_cell(ground: Ground, x: float, y: float) -> tuple[int, int, float, float]:
    """Return column and row of the cell at a point, or of the nearest cell, and the shares along x and y in it."""
    rows, columns = ground.heights.shape
    u = min(max((x - ground.x0) / ground.cell_m, 0.0), columns - 1.0)
    v = min(max((y - ground.y0) / ground.cell_m, 0.0), rows - 1.0)
    column, row = min(int(u), columns - 2), min(int(v), rows - 2)
    return column, row, u - column, v - row


@allocation_free_kernel
def ground_height(table: WorldTable, x: float, y: float) -> float:
    """Return the height of the ground, bilinear between the terrain's points."""
    ground = table.ground
    if not ground.has_terrain:
        return 0.0
    column, row, u, v = ground_cell(ground, x, y)
    near = (1.0 - u) * ground.heights[row, column] + u * ground.heights[row, column + 1]
    far = (1.0 - u) * ground.heights[row + 1, column] + u * ground.heights[row + 1, column + 1]
    return (1.0 - v) * near + v * far


@allocation_free_kernel
def ground_slope(table: WorldTable, x: float, y: float, heading: float) -> float:
    """Return the rise per metre along a heading."""
    ground = table.ground
    if not ground.has_terrain:
        return 0.0
    column, row, u, v = ground_cell(ground, x, y)
    z00, z01 = ground.heights[row, column], ground.heights[row, column + 1]
    z10, z11 = ground.heights[row + 1, column], ground.heights[row + 1, column + 1]
    along_x = (1.0 - v) * (z01 - z00) + v * (z11 - z10)
    along_y = (1.0 - u) * (z10 - z00) + u * (z11 - z01)
    return (along_x * math.cos(heading) + along_y * math.sin(heading)) / ground.cell_m


@allocation_free_kernel
def ground_steepness(table: WorldTable, x: float, y: float, radius: float) -> float:
    """Return an upper bound of the rise per metre, in any direction, within a radius of a point."""
    ground = table.ground
    if not ground.has_terrain:
        return 0.0
    if radius > FAR_M:
        return ground.steepest
    column, row, _, _ = ground_cell(ground, x, y)
    return ground.steepness[0 if radius <= NEARBY_M else 1, row, column]


@allocation_free_kernel
def near_special(table: WorldTable, obstacle: int, x: float, y: float) -> bool:
    """Tell whether a point is in the near region of an annotated obstacle; no other obstacle has one."""
    special = int(table.specials.of_obstacle[obstacle])
    return special >= 0 and distance_to_obstacle(table.pieces, obstacle, x, y) <= table.specials.near_m[special]


@allocation_free_kernel
def within_special(table: WorldTable, obstacle: int, x: float, y: float) -> bool:
    """Tell whether a point is in the within region of an annotated obstacle; no other obstacle has one."""
    special = int(table.specials.of_obstacle[obstacle])
    return special >= 0 and distance_to_obstacle(table.pieces, obstacle, x, y) <= table.specials.within_m[special]


@allocation_free_kernel
def first_special_near(table: WorldTable, kind: int, x: float, y: float, after: int | np.int64) -> int:
    """Return the first obstacle past `after` that is annotated with a kind and has a point in its near region.

    Returns NOTHING if there is none.  To list all, begin with -1 and go on with each answer.
    """
    if not disc_is_inside(table.bounds, x, y, 0.0):
        return NOTHING
    specials = table.specials
    where = bin_of(table.x0, table.y0, table.bins, x, y)
    for entry in range(specials.first_entry[where], specials.first_entry[where + 1]):
        special = specials.entry[entry]
        obstacle = int(specials.obstacle[special])
        if obstacle > after and specials.kind[special] == kind and near_special(table, obstacle, x, y):
            return obstacle
    return NOTHING
