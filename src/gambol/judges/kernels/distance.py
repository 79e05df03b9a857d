"""Distances for the full-rate check: from capsules' axes to prisms and to each other.

Only the check uses this code: planners do not share it, so the check does not share their mistakes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel

GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)  # ratio of golden-section search
PRECISION_M = 1e-6  # m, > 0: the nearest point of an axis is found this exactly; smaller is slower

Point = tuple[float, float, float]


class Ground(NamedTuple):
    """Heights on a square grid of points, bilinear between points, constant beyond the outermost."""

    flat: bool  # level at height 0: the other fields do not count
    origin_x: float
    origin_y: float
    cell_m: float
    heights: np.ndarray  # (rows, columns)
    stretch: float  # >= 1: heights above the ground stretch distances at most by this factor
    piece_m: float  # metres in the ground plane over which the ground counts as straight


class Prisms(NamedTuple):
    """T things made of P convex pieces, on S spans of time in which each moves evenly."""

    corner_x: np.ndarray  # (V,) metres, in the thing's own frame; counter-clockwise
    corner_y: np.ndarray  # (V,)
    piece_corner: np.ndarray  # (P + 1,) first corner of each piece
    rounding: np.ndarray  # (P,) metres by which a piece reaches beyond its corners
    thing_piece: np.ndarray  # (T + 1,) first piece of each thing
    reach: np.ndarray  # (T,) radius around the thing's origin that contains it
    thing_span: np.ndarray  # (T + 1,) first span of each thing; spans are in order of time
    span_from: np.ndarray  # (S,) seconds
    span_to: np.ndarray  # (S,)
    pose_from: np.ndarray  # (S, 3) x, y, heading
    pose_to: np.ndarray  # (S, 3)
    heights_from: np.ndarray  # (S, 2) bottom and top above the local ground
    heights_to: np.ndarray  # (S, 2)
    span_disc: np.ndarray  # (S, 3) x, y and radius of a disc that contains the thing during the span


@allocation_free_kernel
def between(one: float, two: float, share: float):
    return one + share * (two - one)


@allocation_free_kernel
def point_between(a: Point, b: Point, share: float):
    return between(a[0], b[0], share), between(a[1], b[1], share), between(a[2], b[2], share)


@allocation_free_kernel
def length_of(a: Point, b: Point):
    return math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2)


@allocation_free_kernel
def ground_height(x: float, y: float, ground: Ground):
    """Return the height of the ground below a point."""
    if ground.flat:
        return 0.0
    rows, columns = ground.heights.shape
    u = min(max((x - ground.origin_x) / ground.cell_m, 0.0), columns - 1.0)
    v = min(max((y - ground.origin_y) / ground.cell_m, 0.0), rows - 1.0)
    column, row = min(int(u), columns - 2), min(int(v), rows - 2)
    u -= column
    v -= row
    near = ground.heights[row, column] * (1.0 - u) + ground.heights[row, column + 1] * u
    far = ground.heights[row + 1, column] * (1.0 - u) + ground.heights[row + 1, column + 1] * u
    return near * (1.0 - v) + far * v


@allocation_free_kernel
def planar_distance(x: float, y: float, prisms: Prisms, piece: int):
    """Return the signed distance in the ground plane from a point to a piece; negative inside."""
    first, last = prisms.piece_corner[piece], prisms.piece_corner[piece + 1]
    nearest = math.inf
    inside = last - first > 2
    for corner in range(first, last):
        following = corner + 1 if corner + 1 < last else first
        px, py = x - prisms.corner_x[corner], y - prisms.corner_y[corner]
        edge_x = prisms.corner_x[following] - prisms.corner_x[corner]
        edge_y = prisms.corner_y[following] - prisms.corner_y[corner]
        square = edge_x * edge_x + edge_y * edge_y
        if px * edge_y - py * edge_x > 0.0:
            inside = False
        if square > 0.0:
            share = min(max((px * edge_x + py * edge_y) / square, 0.0), 1.0)
            px -= share * edge_x
            py -= share * edge_y
        nearest = min(nearest, px * px + py * py)
    away = math.sqrt(nearest)
    return (-away if inside else away) - prisms.rounding[piece]


@allocation_free_kernel
def solid_distance(point: Point, prisms: Prisms, piece: int, heights: tuple[float, float]):
    """Return the signed distance from a point, with its height above the ground, to a prism; negative inside.

    The signed distance to a convex solid is a convex function: along a straight line it has one minimum.
    """
    planar = planar_distance(point[0], point[1], prisms, piece)
    upright = max(heights[0] - point[2], point[2] - heights[1])
    if planar <= 0.0:
        return max(planar, upright)
    if upright <= 0.0:
        return planar
    return math.sqrt(planar * planar + upright * upright)


@allocation_free_kernel
def axis_distance(a: Point, b: Point, prisms: Prisms, piece: int, heights: tuple[float, float]):
    """Return the least signed distance from the segment a-b to a prism, and where on the segment (0 to 1) it is.

    heights: bottom and top of the prism.
    """
    length = length_of(a, b)
    low, high = 0.0, 1.0
    at_low, at_high = solid_distance(a, prisms, piece, heights), solid_distance(b, prisms, piece, heights)
    best, where = (at_low, 0.0) if at_low <= at_high else (at_high, 1.0)
    if length <= PRECISION_M:
        return best, where
    left, right = 1.0 - GOLDEN, GOLDEN
    at_left = solid_distance(point_between(a, b, left), prisms, piece, heights)
    at_right = solid_distance(point_between(a, b, right), prisms, piece, heights)
    while (high - low) * length > PRECISION_M:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = solid_distance(point_between(a, b, left), prisms, piece, heights)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = solid_distance(point_between(a, b, right), prisms, piece, heights)
    if at_left < best:
        best, where = at_left, left
    if at_right < best:
        best, where = at_right, right
    return best, where


@allocation_free_kernel
def point_share(p: Point, a: Point, b: Point):
    """Return where on the segment a-b (0 to 1) the point nearest to p is, and the square of its distance."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    square = ux * ux + uy * uy + uz * uz
    share = 0.0
    if square > 0.0:
        share = min(max(((p[0] - a[0]) * ux + (p[1] - a[1]) * uy + (p[2] - a[2]) * uz) / square, 0.0), 1.0)
    dx, dy, dz = a[0] + share * ux - p[0], a[1] + share * uy - p[1], a[2] + share * uz - p[2]
    return share, dx * dx + dy * dy + dz * dz


@allocation_free_kernel
def segment_distance(a: Point, b: Point, c: Point, d: Point):
    """Return the distance between the segments a-b and c-d, and where on each (0 to 1) it is.

    Either an end of one segment is nearest to the other, or the lines cross, seen along their common normal.
    """
    share, best = point_share(a, c, d)
    on_first, on_second = 0.0, share
    share, square = point_share(b, c, d)
    if square < best:
        best, on_first, on_second = square, 1.0, share
    share, square = point_share(c, a, b)
    if square < best:
        best, on_first, on_second = square, share, 0.0
    share, square = point_share(d, a, b)
    if square < best:
        best, on_first, on_second = square, share, 1.0
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = d[0] - c[0], d[1] - c[1], d[2] - c[2]
    wx, wy, wz = a[0] - c[0], a[1] - c[1], a[2] - c[2]
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    normal = uu * vv - uv * uv
    if normal > 0.0:
        first, second = (uv * vw - vv * uw) / normal, (uu * vw - uv * uw) / normal
        if 0.0 <= first <= 1.0 and 0.0 <= second <= 1.0:
            x, y, z = wx + first * ux - second * vx, wy + first * uy - second * vy, wz + first * uz - second * vz
            square = x * x + y * y + z * z
            if square < best:
                best, on_first, on_second = square, first, second
    return math.sqrt(best), on_first, on_second
