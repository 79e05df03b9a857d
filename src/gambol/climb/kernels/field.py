"""How far a figure is from what is solid, from a field of distances."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.climb.figure import FigureTable
from gambol.climb.kernels.kinematics import link_ends
from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel

SPACING_M = 0.02  # of the samples along a link, where something is near
NEAR_M = 0.03


class DistanceField(NamedTuple):
    """Signed distances to the polygons' surfaces at the corners of square cells: negative inside."""

    low_x: float
    low_z: float
    cell: float
    distance: NDArray[np.float32]  # (columns, rows)


@kernel
def distance_at(field: DistanceField, x: float, z: float) -> float:
    """Return the distance at a point, between the corners of its cell; beyond the bounds it is negative."""
    columns, rows = field.distance.shape
    across, up = (x - field.low_x) / field.cell, (z - field.low_z) / field.cell
    if not (across >= 0.0 and up >= 0.0 and across < columns - 1 and up < rows - 1):
        return -0.5
    i, j = int(across), int(up)
    s, t = across - i, up - j
    low = field.distance[i, j] * (1.0 - s) + field.distance[i + 1, j] * s
    high = field.distance[i, j + 1] * (1.0 - s) + field.distance[i + 1, j + 1] * s
    return low * (1.0 - t) + high * t


@kernel
def link_clearance(figure: FigureTable, field: DistanceField, points: FloatArray, link: int) -> float:
    """Return how far a link's surface is from what is solid: negative where it is inside."""
    first, second = link_ends(link)
    ax, az = points[first, 0], points[first, 1]
    dx, dz = points[second, 0] - ax, points[second, 1] - az
    length = math.sqrt(dx * dx + dz * dz)
    radius = figure.radius[link]
    is_forearm = link == 3 or link == 5
    # A hand is thinner than the forearm: what it holds is near.
    end = max(0.0, 1.0 - figure.hand_length / max(length, 1e-9)) if is_forearm else 1.0
    clear = 1e9
    at, last = 0.0, end * length
    while True:
        t = at / max(length, 1e-9)
        free = distance_at(field, ax + t * dx, az + t * dz) - radius
        clear = min(clear, free)
        if at >= last:
            break
        # Distances change by no more than the way: what is skipped is at least NEAR_M clear.
        at = min(last, at + max(SPACING_M, free - NEAR_M))
    if is_forearm:
        for k in range(1, 5):
            t = end + (1.0 - end) * k / 4.0
            clear = min(clear, distance_at(field, ax + t * dx, az + t * dz) - figure.hand_radius)
    return clear


@kernel
def clearance(figure: FigureTable, field: DistanceField, points: FloatArray, enough: float) -> float:
    """Return the least clearance of all links; the first below `enough` ends the search for a lesser one."""
    least = 1e9
    for link in range(10):
        least = min(least, link_clearance(figure, field, points, link))
        if least < enough:
            return least
    return least


@kernel
def fill_distances(low_x: float, low_z: float, cell: float, edges: FloatArray, distance: NDArray[np.float32]) -> None:
    """Write the signed distance to edges (E, 4) of closed outlines at every corner: negative inside."""
    columns, rows = distance.shape
    for i in range(columns):
        x = low_x + i * cell
        for j in range(rows):
            z = low_z + j * cell
            least = 1e12
            inside = False
            for e in range(len(edges)):
                ax, az, bx, bz = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
                dx, dz = bx - ax, bz - az
                t = ((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz)
                t = min(1.0, max(0.0, t))
                px, pz = x - ax - t * dx, z - az - t * dz
                least = min(least, px * px + pz * pz)
                if (az > z) != (bz > z) and x < ax + (z - az) / dz * dx:
                    inside = not inside
            root = math.sqrt(least)
            distance[i, j] = -root if inside else root
