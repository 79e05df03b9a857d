"""Fine cells of a world, and the places that they make up: what coarse maps are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.core import Struct, ffi, lib, pointer, struct
from gambol.world.changes import Box, grown, window
from gambol.world.pieces import struct_of_pieces
from gambol.world.standing import Standing

SQUARE_M = 0.7  # [LK06 4.1]
ROOMY_M = 1.0  # nearer to what is closed, ways are dearer
OPEN, CLOSED = int(lib.GB_CELL_OPEN), int(lib.GB_CELL_CLOSED)


@dataclass(frozen=True, eq=False)
class Cells:
    """The fine cells (rows, columns) of a world, and the P places that they make up."""

    core: Struct  # of all that follows
    block: int  # fine cells along a square
    room: NDArray[np.float64]  # metres to what nobody crosses and to the bounds, at most ROOMY_M
    kind: NDArray[np.int32]  # OPEN, CLOSED or the obstacle that is crossed there
    place_of: NDArray[np.int32]  # -1 where closed
    row: NDArray[np.int32]  # (P,) of the cell where a place is roomiest
    column: NDArray[np.int32]  # (P,)


def sort_cells(
    stands: Standing,
    slimmest_m: float,
    free: NDArray[np.bool_],
    crossed: NDArray[np.bool_],
    before: Cells | None,
    boxes: list[Box] | None,
) -> Cells:
    """Return the cells and places of a world: from those before, where only what is in some boxes has changed."""
    x0, y0, cell_m, *shape = stands.cells
    block = max(1, round(SQUARE_M / cell_m))
    is_new = np.full((-(-shape[0] // block), -(-shape[1] // block)), before is None)
    if before is None or boxes is None:
        room, kind, windows = np.empty(shape), np.empty(shape, np.int32), [(0, 0, *shape)]
    else:
        room, kind = before.room.copy(), before.kind.copy()
        windows = [window(grown(box, ROOMY_M), x0, y0, cell_m, tuple(shape)) for box in boxes]
    place_of, squares = np.empty(shape, np.int32), is_new.size
    core = _laid_out(stands, block, room, kind, place_of, squares)
    pieces, closed = struct_of_pieces(stands.pieces), np.flatnonzero(~free & ~crossed)
    for part in windows:
        size = part[2] - part[0], part[3] - part[1]
        to_closed, to_crossing = np.full(size, ROOMY_M), np.full(size, math.inf)
        nearest, of_window = np.full(size, OPEN, np.int32), ffi.new("int64_t[4]", part)
        _approach(core, pieces, closed, ROOMY_M, of_window, to_closed, ffi.NULL)
        _approach(
            core, pieces, np.flatnonzero(crossed), slimmest_m, of_window, to_crossing, pointer(nearest, "int32_t")
        )
        lib.gb_coarse_tell_kinds(
            core.c, of_window, slimmest_m, pointer(to_closed, "double"), pointer(to_crossing, "double"),
            pointer(nearest, "int32_t"),
        )  # fmt: skip
        is_new[part[0] // block : -(-part[2] // block), part[1] // block : -(-part[3] // block)] = True
    row, column = _gather(core, block, is_new, before)
    return Cells(core, block, room, kind, place_of, row, column)


def neighbours(cells: Cells, kind: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the neighbours of places, in order, across sides, and across corners in the open: first of each, all.

    kind (P,): of each place.
    """
    columns = -(-cells.room.shape[1] // cells.block)
    square = (cells.row // cells.block) * columns + cells.column // cells.block
    here, there = _side_ways(cells)
    is_open = (kind[here] < 0) & (kind[there] < 0)
    first, to = _in_order(here[is_open], there[is_open], len(kind))
    corners = _corner_ways(first, to, square, columns)
    return _in_order(np.concatenate((here, corners[0])), np.concatenate((there, corners[1])), len(kind))


def _laid_out(
    stands: Standing,
    block: int,
    room: NDArray[np.float64],
    kind: NDArray[np.int32],
    place_of: NDArray[np.int32],
    squares: int,
) -> Struct:
    """Return cells as the core writes them."""
    place_room = 2 * squares + block * block
    return struct(
        "gb_coarse_cells",
        bounds=stands.bounds,
        x0=stands.cells[0],
        y0=stands.cells[1],
        cell_m=stands.cells[2],
        rows=room.shape[0],
        columns=room.shape[1],
        block=block,
        room=room,
        kind=kind,
        place_of=place_of,
        first_of=np.empty(squares + 1, np.int64),
        place_room=place_room,
        row=np.empty(place_room, np.int32),
        column=np.empty(place_room, np.int32),
        places=0,
    )


def _approach(
    core: Struct,
    pieces: Struct,
    chosen: NDArray[np.int64],
    reach_m: float,
    part: Any,
    distance: NDArray[np.float64],
    nearest: Any,
) -> None:
    """Lower the distances of a window's cells to those from chosen pieces."""
    lib.gb_coarse_approach(
        core.c, pieces.c, pointer(chosen, "int64_t"), len(chosen), reach_m, part, pointer(distance, "double"), nearest
    )


def _gather(
    core: Struct, block: int, is_new: NDArray[np.bool_], before: Cells | None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Number the places; return where each is roomiest."""
    scratch = np.empty(block * block, np.int32)
    known = ffi.NULL if before is None else before.core.c
    while True:
        lib.gb_coarse_gather_places(core.c, pointer(is_new, "uint8_t"), known, pointer(scratch, "int32_t"))
        places = int(core.c.places)
        if places <= core.c.place_room:
            return core.kept["row"][:places], core.kept["column"][:places]
        for name in ("row", "column"):
            core.set(name, np.empty(places, np.int32))
        core.c.place_room = places


def _side_ways(cells: Cells) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    room = 16 * len(cells.row) + 16
    while True:
        here, there = np.empty(room, np.int32), np.empty(room, np.int32)
        count = lib.gb_coarse_side_ways(cells.core.c, pointer(here, "int32_t"), pointer(there, "int32_t"), room)
        if count <= room:
            return here[:count], there[:count]
        room = count


def _in_order(
    here: NDArray[np.int32], there: NDArray[np.int32], places: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return pairs by what is here, then by what is there, each once: where those of each begin, and what is there."""
    first, to = np.empty(places + 1, np.int64), np.empty(len(here), np.int32)
    filled = np.empty(places, np.int64)
    count = lib.gb_coarse_order_ways(
        pointer(here, "int32_t"), pointer(there, "int32_t"), len(here), places, pointer(first, "int64_t"),
        pointer(to, "int32_t"), pointer(filled, "int64_t"),
    )  # fmt: skip
    return first, to[:count].copy()


def _corner_ways(
    first: NDArray[np.int64], to: NDArray[np.int32], square: NDArray[np.int32], columns: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    places = len(square)
    here, there = np.empty(8 * places, np.int32), np.empty(8 * places, np.int32)
    seen = np.empty(2 * places, np.int64)
    count = lib.gb_coarse_corner_ways(
        pointer(first, "int64_t"), pointer(to, "int32_t"), pointer(square, "int32_t"), places, columns,
        pointer(here, "int32_t"), pointer(there, "int32_t"), pointer(seen, "int64_t"),
    )  # fmt: skip
    return here[:count], there[:count]
