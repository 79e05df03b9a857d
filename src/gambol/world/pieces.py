"""Pieces of obstacles, placed in a world: as flat arrays, and laid out over the grids of that world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.core import Struct, ffi, lib, pointer, struct, struct_of
from gambol.geometry.arrays import FloatArray, Int32Array, Int64Array
from gambol.world.world import Obstacle

Bounds = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y
BinGrid = tuple[float, float, float, int, int]  # x0, y0, size of a bin, rows, columns

EVERYWHERE_M = 1e9  # metres: an annotated obstacle fills all heights from minus this to this


class Pieces(NamedTuple):
    """P rounded convex pieces, placed in the world; pieces of one obstacle follow each other."""

    obstacle: Int32Array  # (P,) index into `World.obstacles`
    radius: FloatArray  # (P,) metres of rounding
    bottom: FloatArray  # (P,) metres above the local ground
    top: FloatArray  # (P,)
    boxes: FloatArray  # (P, 4) least x, least y, greatest x, greatest y, rounding included
    first_corner: Int32Array  # (P + 1,)
    corner_x: FloatArray  # (V,) counter-clockwise
    corner_y: FloatArray  # (V,)
    first_piece: Int32Array  # (O + 1,) by obstacle


def pieces_of(obstacles: tuple[Obstacle, ...]) -> Pieces:
    """Return the pieces of obstacles as flat arrays."""
    counts = [len(obstacle.footprint.pieces) for obstacle in obstacles]
    poses = np.array([obstacle.pose for obstacle in obstacles], dtype=np.float64).reshape(-1, 3)
    bottom, top = _spans(obstacles)
    owner = np.repeat(np.arange(len(obstacles), dtype=np.int32), counts)
    flat = [piece for obstacle in obstacles for piece in obstacle.footprint.pieces]
    radius = np.array([piece.radius_m for piece in flat], dtype=np.float64)
    sizes = [len(piece.corners) for piece in flat]
    own = np.concatenate([piece.corners for piece in flat]) if flat else np.zeros((0, 2))
    which, first_corner = np.repeat(owner, sizes), offsets(sizes)
    cosine, sine, x, y = np.cos(poses[:, 2])[which], np.sin(poses[:, 2])[which], own[:, 0], own[:, 1]
    corners = poses[which, :2] + np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=1)
    least = np.minimum.reduceat(corners, first_corner[:-1])
    greatest = np.maximum.reduceat(corners, first_corner[:-1])
    return Pieces(
        obstacle=owner,
        radius=radius,
        bottom=bottom[owner],
        top=top[owner],
        boxes=np.hstack((least - radius[:, None], greatest + radius[:, None])),
        first_corner=first_corner.astype(np.int32),
        corner_x=np.ascontiguousarray(corners[:, 0]),
        corner_y=np.ascontiguousarray(corners[:, 1]),
        first_piece=offsets(counts).astype(np.int32),
    )


def _spans(obstacles: tuple[Obstacle, ...]) -> tuple[FloatArray, FloatArray]:
    """Return bottoms and tops (O,); an annotated obstacle is a wall to all but its own behaviors [LK05 3.2]."""
    is_wall = [obstacle.special is not None for obstacle in obstacles]
    bottom = np.array([obstacle.bottom_m for obstacle in obstacles], dtype=np.float64)
    top = np.array([obstacle.top_m for obstacle in obstacles], dtype=np.float64)
    return np.where(is_wall, -EVERYWHERE_M, bottom), np.where(is_wall, EVERYWHERE_M, top)


def offsets(sizes: np.ndarray | list[int]) -> np.ndarray:
    """Return where each group begins, and the end of the last."""
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def struct_of_pieces(pieces: Pieces) -> Struct:
    """Return pieces of obstacles as the core reads them."""
    return struct_of("gb_pieces", pieces, count=len(pieces.obstacle), obstacles=len(pieces.first_piece) - 1)


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
