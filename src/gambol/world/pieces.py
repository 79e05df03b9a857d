"""Obstacles as rounded convex pieces, in flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.world.obstacle import Obstacle

EVERYWHERE_M = 1e9  # an annotated obstacle fills all heights, from minus this to this


class Pieces(NamedTuple):
    """P rounded convex pieces, placed in the world; those of an obstacle are consecutive."""

    obstacle: np.ndarray  # (P,) int32, index into `World.obstacles`
    radius: np.ndarray  # (P,) metres of rounding
    bottom: np.ndarray  # (P,) metres above the local ground
    top: np.ndarray  # (P,)
    boxes: np.ndarray  # (P, 4) least x, least y, greatest x, greatest y, rounding included
    first_corner: np.ndarray  # (P + 1,) int32
    corner_x: np.ndarray  # (V,) counter-clockwise
    corner_y: np.ndarray  # (V,)
    first_piece: np.ndarray  # (O + 1,) int32, by obstacle


def pieces_of(obstacles: tuple[Obstacle, ...]) -> Pieces:
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
