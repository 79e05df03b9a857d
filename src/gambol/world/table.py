"""A world's standing part as the kernels of crowds read it: all of it laid out at once.

Everything else asks the core, which lays worlds out where it is asked (`standing.py`).
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gambol.geometry.arrays import FloatArray, Int32Array, Int64Array
from gambol.world.pieces import BinGrid, Pieces, bins_within, clearance_field, sort_into_bins
from gambol.world.standing import REACH_M, Ground, Specials, standing
from gambol.world.world import World


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


_KNOWN: WeakKeyDictionary[World, WorldTable] = WeakKeyDictionary()


def compile_world(world: World) -> WorldTable:
    """Return a world's table, which is made once and kept as long as the world."""
    known = _KNOWN.get(world)
    if known is None:
        stands = standing(world)
        x0, y0, cell_m, rows, columns = stands.cells
        known = _KNOWN[world] = WorldTable(
            x0=x0,
            y0=y0,
            cell_m=cell_m,
            clearance=clearance_field(stands.pieces, world.bounds, cell_m, rows, columns),
            bounds=world.bounds,
            pieces=stands.pieces,
            bins=bins_of(stands.pieces, stands.bins),
            ground=stands.ground,
            specials=stands.specials,
        )
    return known


def bins_of(pieces: Pieces, grid: BinGrid) -> Bins:
    """Return the lists of pieces near each bin."""
    where, piece, gap = bins_within(pieces, np.full(len(pieces.radius), REACH_M), grid)
    _, _, bin_m, rows, columns = grid
    order, first_entry = sort_into_bins(where, gap, rows * columns)
    piece = piece[order]
    return Bins(REACH_M, bin_m, rows, columns, first_entry, piece, gap[order], pieces.bottom[piece], pieces.top[piece])
