"""The coarse map that trips are led by: what a metre costs in each of a world's cells."""

from __future__ import annotations

import math
from weakref import WeakKeyDictionary

import numpy as np

from gambol.characters.character import Character
from gambol.core import Struct, lib, struct
from gambol.search.crossing import passable, slimmest_radius
from gambol.world.standing import standing, world_struct
from gambol.world.world import World

CELL_M = 0.4  # metres, > 0: cells of a world that is not too large; larger: found faster, rougher
MOST_CELLS = 4_000_000  # in larger worlds cells grow
ARMS_M = 0.24  # metres, >= 0: beyond the slimmest part, that a body in motion needs; larger: gaps are avoided earlier
ROOM_M = 0.38  # metres, > 0: beyond that, within which ground is dearer
TIGHT, NARROW, CROSSING, STEEP = 3.0, 0.3, 3.0, 3.0  # times as dear, or how much dearer: see `gb_map_style`
FREE, CROSSED, CLOSED = lib.GB_PIECE_FREE, lib.GB_PIECE_CROSSED, lib.GB_PIECE_CLOSED

_KNOWN: WeakKeyDictionary[World, WeakKeyDictionary[Character, Struct]] = WeakKeyDictionary()


def trip_map(world: World, character: Character) -> Struct:
    """Return the map of a world for a character; it is drawn where the core looks at it: hold the world's lock then."""
    of_world = _KNOWN.setdefault(world, WeakKeyDictionary())
    if character not in of_world:
        of_world[character] = _begin(world, character)
    return of_world[character]


def whole_trip_map(world: World, character: Character) -> Struct:
    """Return the map with all of it drawn: to look at it from outside the core."""
    begun = trip_map(world, character)
    with world_struct(world).kept["lock"]:
        lib.gb_map_draw(begun.c)
    return begun


def _begin(world: World, character: Character) -> Struct:
    table, border = standing(world), int(lib.GB_MAP_BORDER)
    x0, y0, x1, y1 = world.bounds
    cell = max(CELL_M, math.sqrt((x1 - x0) * (y1 - y0) / MOST_CELLS))
    rows, columns = (math.ceil(size / cell) + 2 * border for size in (y1 - y0, x1 - x0))
    free, crossed = passable(world, character, table)
    kinds = np.where(free, FREE, np.where(crossed, CROSSED, CLOSED)).astype(np.uint8)
    slim_m = slimmest_radius(character) + ARMS_M
    style = struct(
        "gb_map_style", slim_m=slim_m, roomy_m=slim_m + ROOM_M, tight=TIGHT, narrow=NARROW, crossing=CROSSING,
        steep=STEEP, slope=max(one.slopes[1] for one in character.behaviors),
    )  # fmt: skip
    begun = struct(
        "gb_map", x0=x0 - border * cell, y0=y0 - border * cell, cell_m=cell, rows=rows, columns=columns,
        price=np.empty((rows, columns), np.uint8), crossing=np.empty((rows, columns), np.uint8), has_crossing=False,
        world=world_struct(world), kinds=kinds, style=style, notes=np.empty((rows, columns), np.uint16),
    )  # fmt: skip
    lib.gb_map_begin(begun.c)
    return begun
