"""Distances from points to obstacles and bounds of a world."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gambol.geometry.kernels.convex import point_to_convex
from gambol.kernels.jit import allocation_free_kernel

if TYPE_CHECKING:
    from gambol.world.pieces import Pieces

Bounds = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y


@allocation_free_kernel
def distance_to_piece(pieces: Pieces, piece: int, x: float, y: float) -> float:
    """Return the distance from a point to a piece; at most 0 inside, where it is no depth."""
    first, last = pieces.first_corner[piece], pieces.first_corner[piece + 1]
    return point_to_convex(pieces.corner_x, pieces.corner_y, first, last, x, y) - pieces.radius[piece]


@allocation_free_kernel
def distance_to_obstacle(pieces: Pieces, obstacle: int, x: float, y: float) -> float:
    """Return the distance from a point to the nearest piece of an obstacle; at most 0 inside."""
    nearest = math.inf
    for piece in range(pieces.first_piece[obstacle], pieces.first_piece[obstacle + 1]):
        nearest = min(nearest, distance_to_piece(pieces, piece, x, y))
    return nearest


@allocation_free_kernel
def disc_meets_piece(pieces: Pieces, piece: int, x: float, y: float, radius: float) -> bool:
    """Tell whether a disc and a piece overlap (distance below radius); touching is not overlapping."""
    first, last = pieces.first_corner[piece], pieces.first_corner[piece + 1]
    reach = radius + pieces.radius[piece]
    reach_squared = reach * reach
    is_left_of_some = is_right_of_some = False
    ax, ay = pieces.corner_x[last - 1], pieces.corner_y[last - 1]
    for corner in range(first, last):
        bx, by = pieces.corner_x[corner], pieces.corner_y[corner]
        along_x, along_y, away_x, away_y = bx - ax, by - ay, x - ax, y - ay
        side = along_x * away_y - along_y * away_x
        if side > 0.0:
            is_left_of_some = True
        else:
            is_right_of_some = is_right_of_some or side < 0.0
            length_squared = along_x * along_x + along_y * along_y
            if side * side > reach_squared * length_squared:
                return False  # the piece lies wholly to the left of this edge's line, the disc to the right
            along = along_x * away_x + along_y * away_y
            if along <= 0.0:
                if away_x * away_x + away_y * away_y < reach_squared:
                    return True
            elif along >= length_squared:
                if (x - bx) * (x - bx) + (y - by) * (y - by) < reach_squared:
                    return True
            elif side * side < reach_squared * length_squared:
                return True
        ax, ay = bx, by
    return is_left_of_some and not is_right_of_some


@allocation_free_kernel
def room_inside(bounds: Bounds, x: float, y: float) -> float:
    """Return the distance from a point to the nearest side of the bounds; negative outside."""
    return min(min(x - bounds[0], bounds[2] - x), min(y - bounds[1], bounds[3] - y))


@allocation_free_kernel
def disc_is_inside(bounds: Bounds, x: float, y: float, radius: float) -> bool:
    """Tell whether a disc is inside the bounds; with NaN it is not."""
    return x - bounds[0] >= radius and bounds[2] - x >= radius and y - bounds[1] >= radius and bounds[3] - y >= radius
