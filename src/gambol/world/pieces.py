"""Pieces of obstacles, placed in a world, as flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.core import Struct, struct_of
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.world.world import Obstacle

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
    placed = [obstacle.pieces for obstacle in obstacles]
    counts = [len(pieces) for pieces in placed]
    spans = np.array([_span(obstacle) for obstacle in obstacles], dtype=np.float64).reshape(-1, 2)
    owner = np.repeat(np.arange(len(obstacles), dtype=np.int32), counts)
    flat = [piece for pieces in placed for piece in pieces]
    radius = np.array([piece.radius_m for piece in flat], dtype=np.float64)
    corners = np.concatenate([piece.corners for piece in flat]) if flat else np.zeros((0, 2))
    least = np.array([piece.corners.min(axis=0) for piece in flat], dtype=np.float64).reshape(-1, 2)
    greatest = np.array([piece.corners.max(axis=0) for piece in flat], dtype=np.float64).reshape(-1, 2)
    return Pieces(
        obstacle=owner,
        radius=radius,
        bottom=np.ascontiguousarray(spans[owner, 0]),
        top=np.ascontiguousarray(spans[owner, 1]),
        boxes=np.hstack((least - radius[:, None], greatest + radius[:, None])),
        first_corner=offsets([len(piece.corners) for piece in flat]).astype(np.int32),
        corner_x=np.ascontiguousarray(corners[:, 0]),
        corner_y=np.ascontiguousarray(corners[:, 1]),
        first_piece=offsets(counts).astype(np.int32),
    )


def _span(obstacle: Obstacle) -> tuple[float, float]:
    """Return bottom and top; an annotated obstacle is a wall to all but its own behaviors [LK05 3.2]."""
    if obstacle.special is not None:
        return -EVERYWHERE_M, EVERYWHERE_M
    return obstacle.bottom_m, obstacle.top_m


def offsets(sizes: np.ndarray | list[int]) -> np.ndarray:
    """Return where each group begins, and the end of the last."""
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def struct_of_pieces(pieces: Pieces) -> Struct:
    """Return pieces of obstacles as the core reads them."""
    return struct_of("gb_pieces", pieces, count=len(pieces.obstacle), obstacles=len(pieces.first_piece) - 1)
