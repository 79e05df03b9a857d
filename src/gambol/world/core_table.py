"""What stands in a world as the core reads it, laid out square by square where it is asked for."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

import numpy as np

from gambol.core import Struct, lib, pointer, rows, struct, struct_of
from gambol.world.pieces import struct_of_pieces
from gambol.world.standing import REACH_M, Standing, standing
from gambol.world.steepness import FAR_M, NEARBY_M
from gambol.world.world import World

ROOM_REACH_M = 3.2  # metres: more room is not told apart
SIDE_BINS = int(lib.GB_SQUARE_BINS)

_KNOWN: WeakKeyDictionary[World, Struct] = WeakKeyDictionary()


def world_struct(world: World) -> Struct:
    """Return a world as the core reads it; only what is asked for is laid out."""
    known = _KNOWN.get(world)
    if known is None:
        known = _KNOWN[world] = struct_of_world(standing(world))
    return known


def prepare(world: World, box: tuple[float, float, float, float]) -> None:
    """Lay out what stands in a box (least x, least y, greatest x, greatest y), so that look-ups there are fast."""
    known = world_struct(world)
    with known.kept["lock"]:
        lib.gb_world_prepare(known.c, *box)


def struct_of_world(stands: Standing) -> Struct:
    """Return what stands as the core reads it, nothing laid out yet.

    Any threads may ask; of those that lay it out, one at a time may, who holds the lock that is kept with it.
    """
    ground_rows, ground_columns = stands.ground.heights.shape
    _, _, _, bin_rows, bin_columns = stands.bins
    shape = -(-bin_rows // SIDE_BINS), -(-bin_columns // SIDE_BINS)
    made = struct(
        "gb_world",
        bounds=stands.bounds,
        room=_room(stands),
        pieces=struct_of_pieces(stands.pieces),
        bins=_bins(stands),
        squares=_squares(shape),
        ground=struct_of(
            "gb_ground", stands.ground, rows=ground_rows, columns=ground_columns, near_m=NEARBY_M, far_m=FAR_M
        ),
        specials=struct_of("gb_specials", stands.specials),
    )
    _list_pieces(made, shape)
    entries = rows("gb_bin_entry", lib.gb_bins_room(made.c))
    made.c.bins.entries = made.kept["entries"] = pointer(entries, "gb_bin_entry")
    made.kept["lock"] = threading.Lock()
    return made


def _room(stands: Standing) -> Struct:
    x0, y0, cell_m, cell_rows, cell_columns = stands.cells
    steps = np.zeros((cell_rows, cell_columns), np.uint8)  # memory is taken where it is written
    return struct(
        "gb_room",
        x0=x0,
        y0=y0,
        cell_m=cell_m,
        cells_a_metre=1.0 / cell_m,
        rows=cell_rows,
        columns=cell_columns,
        steps=steps,
    )


def _bins(stands: Standing) -> Struct:
    _, _, bin_m, bin_rows, bin_columns = stands.bins
    return struct(
        "gb_bins",
        reach_m=REACH_M,
        bin_m=bin_m,
        rows=bin_rows,
        columns=bin_columns,
        first_entry=np.zeros((bin_rows, bin_columns), np.int32),
        entries=None,
        count=0,
    )


def _squares(shape: tuple[int, int]) -> Struct:
    return struct(
        "gb_squares",
        reach_m=ROOM_REACH_M,
        rows=shape[0],
        columns=shape[1],
        longest=0,
        first_entry=None,
        piece=None,
        is_known=np.zeros(shape, np.uint8),
        scratch=None,
        distances=None,
    )


def _list_pieces(made: Struct, shape: tuple[int, int]) -> None:
    """List the pieces near each square."""
    first, room = np.empty(shape[0] * shape[1] + 1, np.int32), 8 * int(made.c.pieces.count) + 64
    while True:
        piece = np.empty(room, np.int32)
        count = lib.gb_squares_list(made.c, pointer(first, "int32_t"), pointer(piece, "int32_t"), room)
        if count <= room:
            break
        room = count
    longest = int(made.c.squares.longest)
    arrays = first, piece, np.empty(longest, np.int32), np.empty(longest)
    squares, made.kept["lists"] = made.c.squares, arrays
    squares.first_entry, squares.piece = pointer(first, "int32_t"), pointer(piece, "int32_t")
    squares.scratch, squares.distances = pointer(arrays[2], "int32_t"), pointer(arrays[3], "double")
