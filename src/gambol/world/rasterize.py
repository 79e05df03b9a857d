"""Lay out placed pieces over the grids of a world."""

from __future__ import annotations

import numpy as np

from gambol.core import Struct, ffi, lib, pointer, struct
from gambol.geometry.arrays import FloatArray, Int32Array, Int64Array
from gambol.world.pieces import Pieces, struct_of_pieces

Bounds = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y
BinGrid = tuple[float, float, float, int, int]  # x0, y0, size of a bin, rows, columns


def clearance_field(pieces: Pieces, bounds: Bounds, cell_m: float, rows: int, columns: int) -> FloatArray:
    """Return the exact distance from each cell's centre to the nearest piece or bound; at most 0 inside one."""
    field, scratch = np.empty((rows, columns)), _scratch(len(pieces.radius))
    grid = _grid((bounds[0], bounds[1], cell_m, rows, columns))
    lib.gb_clearance_fill(
        struct_of_pieces(pieces).c, ffi.new("double[4]", bounds), grid.c, pointer(field, "double"), scratch.c
    )
    return field


def bins_within(pieces: Pieces, reaches: FloatArray, grid: BinGrid) -> tuple[Int64Array, Int32Array, FloatArray]:
    """Return bin, piece and gap of all pairs at most the piece's reach apart; a negative reach has no pairs.

    The gap is a lower bound of the distance from any point of the bin to the piece.
    """
    room, placed, bins = 32 * len(reaches) + 32, struct_of_pieces(pieces), _grid(grid)
    while True:
        where, which, gap = np.empty(room, np.int64), np.empty(room, np.int32), np.empty(room)
        count = lib.gb_bins_within(
            placed.c, pointer(reaches, "double"), bins.c, pointer(where, "int64_t"), pointer(which, "int32_t"),
            pointer(gap, "double"), room,
        )  # fmt: skip
        if count <= room:
            return where[:count], which[:count], gap[:count]
        room = count


def sort_into_bins(where: Int64Array, gap: FloatArray, bins: int) -> tuple[Int64Array, Int64Array]:
    """Return the order of entries by bin, then gap, and the first entry of each bin; equals keep their order."""
    order, first = np.empty(len(where), np.int64), np.empty(bins + 1, np.int64)
    lib.gb_bins_sort(
        pointer(where, "int64_t"), pointer(gap, "double"), len(where), bins, pointer(order, "int64_t"),
        pointer(first, "int64_t"),
    )  # fmt: skip
    return order, first


def _grid(grid: BinGrid) -> Struct:
    x0, y0, cell_m, rows, columns = grid
    return struct("gb_grid", x0=x0, y0=y0, cell_m=cell_m, rows=rows, columns=columns)


def _scratch(pieces: int) -> Struct:
    return struct(
        "gb_clearance_scratch",
        distances=np.empty(pieces),
        in_district=np.empty(pieces, np.int64),
        in_block=np.empty(pieces, np.int64),
    )
