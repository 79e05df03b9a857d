"""Distances between points and what stands in a world."""

from __future__ import annotations

import math

from gambol.geometry.kernels.convex import point_to_convex
from gambol.jit import kernel


@kernel
def distance_to_piece(pieces, piece, x, y):
    """Return the distance from a point to a piece; not above 0 inside, where it is no depth."""
    first, last = pieces.first_corner[piece], pieces.first_corner[piece + 1]
    return point_to_convex(pieces.corner_x, pieces.corner_y, first, last, x, y) - pieces.radius[piece]


@kernel
def distance_to_obstacle(pieces, obstacle, x, y):
    """Return the distance from a point to the nearest piece of an obstacle; not above 0 inside."""
    nearest = math.inf
    for piece in range(pieces.first_piece[obstacle], pieces.first_piece[obstacle + 1]):
        nearest = min(nearest, distance_to_piece(pieces, piece, x, y))
    return nearest


@kernel
def room_inside(bounds, x, y):
    """Return the distance from a point to the nearest side of the bounds; negative outside."""
    return min(min(x - bounds[0], bounds[2] - x), min(y - bounds[1], bounds[3] - y))
