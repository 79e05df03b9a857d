"""A world's table as the core's struct."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from gambol.core import Struct, struct
from gambol.world.steepness import FAR_M, NEARBY_M
from gambol.world.table import Bins, Ground, Pieces, Specials, WorldTable, compile_world
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
    return struct(
        "gb_world",
        x0=table.x0,
        y0=table.y0,
        cell_m=table.cell_m,
        rows=rows,
        columns=columns,
        clearance=table.clearance,
        bounds=table.bounds,
        pieces=struct_of_pieces(table.pieces),
        bins=struct_of_bins(table.bins),
        ground=_struct_of_ground(table.ground),
        specials=_struct_of_specials(table.specials),
    )


def struct_of_pieces(pieces: Pieces) -> Struct:
    """Return pieces of obstacles as the core reads them."""
    return struct(
        "gb_pieces",
        count=len(pieces.obstacle),
        obstacles=len(pieces.first_piece) - 1,
        obstacle=pieces.obstacle,
        radius=pieces.radius,
        bottom=pieces.bottom,
        top=pieces.top,
        boxes=pieces.boxes,
        first_corner=pieces.first_corner,
        corner_x=pieces.corner_x,
        corner_y=pieces.corner_y,
        first_piece=pieces.first_piece,
    )


def struct_of_bins(bins: Bins) -> Struct:
    """Return lists of pieces by place as the core reads them."""
    return struct(
        "gb_bins",
        reach_m=bins.reach_m,
        bin_m=bins.bin_m,
        rows=bins.rows,
        columns=bins.columns,
        first_entry=bins.first_entry,
        piece=bins.piece,
        gap=bins.gap,
        bottom=bins.bottom,
        top=bins.top,
    )


def _struct_of_ground(ground: Ground) -> Struct:
    rows, columns = ground.heights.shape
    return struct(
        "gb_ground",
        has_terrain=ground.has_terrain,
        x0=ground.x0,
        y0=ground.y0,
        cell_m=ground.cell_m,
        rows=rows,
        columns=columns,
        heights=ground.heights,
        steepness=ground.steepness,
        near_m=NEARBY_M,
        far_m=FAR_M,
        steepest=ground.steepest,
    )


def _struct_of_specials(specials: Specials) -> Struct:
    return struct(
        "gb_specials",
        obstacle=specials.obstacle,
        kind=specials.kind,
        near_m=specials.near_m,
        within_m=specials.within_m,
        of_obstacle=specials.of_obstacle,
        first_entry=specials.first_entry,
        entry=specials.entry,
    )
