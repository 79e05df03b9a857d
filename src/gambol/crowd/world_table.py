"""A world's table that follows edits: compiled once, then mended where the world changes."""

from __future__ import annotations

import numpy as np

from gambol.crowd.floor import ROOM_CAP_M, stamp_around
from gambol.errors import InvalidInput
from gambol.world.changes import changed_boxes
from gambol.world.pieces import pieces_of
from gambol.world.standing import specials_of
from gambol.world.table import WorldTable, bins_of, compile_world
from gambol.world.world import World


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
