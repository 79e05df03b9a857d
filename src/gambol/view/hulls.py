"""Plain bodies: of all parts that move with a joint only their common hull, with few corners."""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull

from gambol.body.cones import Cones
from gambol.body.mannequin import cone_meshes
from gambol.geometry.arrays import FloatArray, Int32Array

SIDES, RINGS = 12, 4  # of the surfaces whose farthest points are looked for
LEAST_CORNERS = 4  # of a hull
SMALL_M = 0.14  # what is nowhere longer has only as many corners as there are axes


def hull_mesh(cones: Cones, directions: FloatArray) -> tuple[FloatArray, Int32Array]:
    """Return vertices (V, 3) and triangles (T, 3), counter-clockwise seen from outside, of a hull around cones.

    directions: (D, 3) in each of which the hull goes as far as the cones do.
    """
    points, _, _ = cone_meshes(cones, sides=SIDES, rings=RINGS)
    if np.ptp(points, axis=0).max() < SMALL_M:
        directions = axes()
    corners = points[np.unique(np.argmax(points @ directions.T, axis=0))]
    if len(corners) < LEAST_CORNERS:
        corners = points
    hull = ConvexHull(corners)
    triangles = hull.simplices.copy()
    first, second, third = (corners[triangles[:, n]] for n in range(3))
    inward = np.sum(np.cross(second - first, third - first) * hull.equations[:, :3], axis=1) < 0.0
    triangles[inward] = triangles[inward][:, ::-1]
    used, renamed = np.unique(triangles, return_inverse=True)
    return corners[used], renamed.reshape(-1, 3).astype(np.int32)


def axes() -> FloatArray:
    """Return six directions (6, 3)."""
    return np.concatenate((np.eye(3), -np.eye(3)))


def directions_around(count: int) -> FloatArray:
    """Return directions (D, 3), about equally far from each other."""
    turn = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    height = 1.0 - 2.0 * (np.arange(count) + 0.5) / count
    flat = np.sqrt(1.0 - height**2)
    return np.stack((flat * np.cos(turn), flat * np.sin(turn), height), axis=-1)
