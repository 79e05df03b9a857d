"""A world's table as the core's struct."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from gambol.core import Struct, struct_of
from gambol.world.pieces import struct_of_pieces
from gambol.world.steepness import FAR_M, NEARBY_M
from gambol.world.table import WorldTable, compile_world
from gambol.world.world import World

_KNOWN: WeakKeyDictionary[World, tuple[WorldTable, Struct]] = WeakKeyDictionary()


def world_struct(world: World) -> Struct:
    """Return a world as the core reads it, laid out once."""
    table = compile_world(world)
    known = _KNOWN.get(world)
    if known is None or known[0] is not table:
        known = _KNOWN[world] = table, struct_of_world(table)
    return known[1]


def struct_of_world(table: WorldTable) -> Struct:
    """Return a world's table as the core reads it."""
    rows, columns = table.clearance.shape
    ground_rows, ground_columns = table.ground.heights.shape
    return struct_of(
        "gb_world",
        table,
        rows=rows,
        columns=columns,
        pieces=struct_of_pieces(table.pieces),
        bins=struct_of("gb_bins", table.bins),
        ground=struct_of(
            "gb_ground", table.ground, rows=ground_rows, columns=ground_columns, near_m=NEARBY_M, far_m=FAR_M
        ),
        specials=struct_of("gb_specials", table.specials),
    )
