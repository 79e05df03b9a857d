"""All that stands still in a world: obstacles' pieces, the ground, annotations; as arrays, and as the core reads it."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gambol.core import Struct, lib, pointer, rows, struct, struct_of
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int32Array, Int64Array
from gambol.world.pieces import BinGrid, Pieces, bins_within, offsets, pieces_of, struct_of_pieces
from gambol.world.steepness import FAR_M, NEARBY_M, steepness_around
from gambol.world.terrain import Terrain
from gambol.world.world import Special, World

CELL_M = 0.1  # metres, > 0: cells that know their room, if the world is not too large; larger: coarser look-ups
BIN_M = 0.5  # metres, > 0: bins of the lists of pieces, likewise; larger: longer lists
MOST_CELLS = 4_000_000  # cells; in larger worlds cells grow
MOST_BINS = 1_000_000  # bins; in larger worlds bins grow
REACH_M = 1.2  # metres, above the radius of any part of a body: a bin lists pieces within this; larger: longer lists
ROOM_REACH_M = 3.2  # metres: more room is not told apart
SIDE_BINS = int(lib.GB_SQUARE_BINS)


class Ground(NamedTuple):
    """A terrain as arrays; flat ground has heights of 0."""

    has_terrain: bool
    x0: float
    y0: float
    cell_m: float
    heights: FloatArray  # (rows, columns) metres at points
    steepness: FloatArray  # (2, rows - 1, columns - 1) greatest rise per metre within NEARBY_M and FAR_M of the cell
    steepest: float  # greatest rise per metre anywhere


class Specials(NamedTuple):
    """K annotated obstacles, and for each bin those whose near region may reach into it."""

    obstacle: Int32Array  # (K,) increasing
    kind: Int32Array  # (K,) index into `special_kinds`
    near_m: FloatArray  # (K,)
    within_m: FloatArray  # (K,)
    of_obstacle: Int32Array  # (O,) index into the arrays above, -1 without annotation
    first_entry: Int64Array  # (rows * columns + 1,) the same bins as those of pieces
    entry: Int32Array  # (L,) indices of specials, increasing within a bin


class Standing(NamedTuple):
    """All things in a world that stand still."""

    bounds: tuple[float, float, float, float]
    cells: BinGrid  # those that know their room
    bins: BinGrid  # those that list pieces
    pieces: Pieces
    ground: Ground
    specials: Specials

    @property
    def cell_m(self) -> float:
        """Size of the cells that know their room."""
        return self.cells[2]


_KNOWN: WeakKeyDictionary[World, Standing] = WeakKeyDictionary()
_STRUCTS: WeakKeyDictionary[World, Struct] = WeakKeyDictionary()
_CELLS_M: WeakKeyDictionary[World, float] = WeakKeyDictionary()


def standing(world: World) -> Standing:
    """Return what stands in a world, worked out once.  Cells grow where a world would have more than four million."""
    known = _KNOWN.get(world)
    if known is None:
        x0, y0 = world.bounds[:2]
        pieces, bins = pieces_of(world.obstacles), (x0, y0, *grid_layout(world.bounds, BIN_M, MOST_BINS))
        known = _KNOWN[world] = Standing(
            bounds=world.bounds,
            cells=(x0, y0, *grid_layout(world.bounds, _CELLS_M.get(world, CELL_M), MOST_CELLS)),
            bins=bins,
            pieces=pieces,
            ground=_ground(world.terrain),
            specials=specials_of(world, pieces, bins),
        )
    return known


def at_resolution(world: World, cell_m: float) -> World:
    """Return a copy of a world whose cells have this size."""
    if not (math.isfinite(cell_m) and cell_m > 0.0):
        raise InvalidInput(f"a cell must have a positive size, not {cell_m}")
    copy = replace(world)
    _CELLS_M[copy] = cell_m
    return copy


def special_kinds(world: World) -> tuple[str, ...]:
    """Return the kinds of annotations in a world; a kind's index is its number in the table."""
    return tuple(sorted({obstacle.special.kind for obstacle in world.obstacles if obstacle.special is not None}))


def grid_layout(bounds: tuple[float, float, float, float], cell_m: float, most: int) -> tuple[float, int, int]:
    """Return size, rows and columns of at most `most` cells that cover the bounds."""
    width, depth = bounds[2] - bounds[0], bounds[3] - bounds[1]
    cell_m = max(cell_m, math.sqrt(width * depth / most))
    while math.ceil(width / cell_m) * math.ceil(depth / cell_m) > most:
        cell_m *= 1.05
    return float(cell_m), math.ceil(depth / cell_m), math.ceil(width / cell_m)


def specials_of(world: World, pieces: Pieces, grid: BinGrid) -> Specials:
    """Return the annotated obstacles, and the lists of those near each bin."""
    kinds = special_kinds(world)
    annotated: list[tuple[int, Special]] = [
        (index, obstacle.special) for index, obstacle in enumerate(world.obstacles) if obstacle.special is not None
    ]
    owners = np.array([index for index, _ in annotated], dtype=np.int32)
    near_m = np.array([special.near_m for _, special in annotated], dtype=np.float64)
    of_obstacle = np.full(len(world.obstacles), -1, dtype=np.int32)
    of_obstacle[owners] = np.arange(len(owners), dtype=np.int32)
    reaches = np.concatenate((near_m, [-1.0]))[of_obstacle[pieces.obstacle]]  # index -1 takes the last, -1.0
    where, piece, _ = bins_within(pieces, reaches, grid)
    pairs = np.unique(np.stack((where, of_obstacle[pieces.obstacle[piece]].astype(np.int64))), axis=1)
    return Specials(
        obstacle=owners,
        kind=np.array([kinds.index(special.kind) for _, special in annotated], dtype=np.int32),
        near_m=near_m,
        within_m=np.array([special.within_m for _, special in annotated], dtype=np.float64),
        of_obstacle=of_obstacle,
        first_entry=offsets(np.bincount(pairs[0], minlength=grid[3] * grid[4])),
        entry=pairs[1].astype(np.int32),
    )


def _ground(terrain: Terrain | None) -> Ground:
    if terrain is None:
        return Ground(False, 0.0, 0.0, 1.0, np.zeros((2, 2)), np.zeros((2, 1, 1)), 0.0)
    x0, y0 = (float(value) for value in terrain.origin)
    heights = np.array(terrain.heights_m)  # writeable like flat ground: kernels see the same type
    steepness = np.stack([steepness_around(terrain, radius_m) for radius_m in (NEARBY_M, FAR_M)])
    return Ground(True, x0, y0, float(terrain.cell_m), heights, steepness, float(steepness.max()))


# ---- As the core reads it: laid out square by square where it is asked for ----


def world_struct(world: World) -> Struct:
    """Return a world as the core reads it; only what is asked for is laid out."""
    known = _STRUCTS.get(world)
    if known is None:
        known = _STRUCTS[world] = struct_of_world(standing(world))
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
