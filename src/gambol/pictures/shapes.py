"""Meshes of simple shapes: boxes and capsules."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput
from gambol.geometry.arrays import Int32Array
from gambol.pictures.camera import view_axes
from gambol.pictures.mesh import Color, Mesh


def box(low: ArrayLike, high: ArrayLike, color: Color, *, heading_rad: float = 0.0) -> Mesh:
    """Return a box between two corners (3,), turned about its vertical axis."""
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    if low.shape != (3,) or high.shape != (3,) or np.any(high < low):
        raise InvalidInput(f"a box needs a low corner and a high one, not {low} and {high}")
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    cosine, sine = math.cos(heading_rad), math.sin(heading_rad)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    corners, normals, triangles = [], [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            normal = np.eye(3)[axis] * side
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3] * side
            first = len(corners)
            corners += [normal - u - v, normal + u - v, normal + u + v, normal - u + v]
            normals += [normal] * 4
            triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return Mesh(middle + (np.array(corners) * half) @ turn.T, np.array(normals) @ turn.T, np.array(triangles), color)


def capsule(
    start: ArrayLike,
    end: ArrayLike,
    start_radius_m: float,
    end_radius_m: float,
    color: Color,
    *,
    sides: int = 16,
) -> Mesh:
    """Return the hull of two balls; if one holds the other, the larger ball."""
    start, end = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    if not (start_radius_m > 0.0 and end_radius_m > 0.0):
        raise InvalidInput(f"radii must be positive, not {start_radius_m} and {end_radius_m}")
    length = float(np.linalg.norm(end - start))
    lean = 0.0
    if length <= abs(start_radius_m - end_radius_m) + 1e-9:
        # One ball holds the other.
        if end_radius_m > start_radius_m:
            start, start_radius_m = end, end_radius_m
        end, end_radius_m, length = start, start_radius_m, 0.0
    else:
        # The cone between the balls leaves both at the same latitude.
        lean = math.asin((start_radius_m - end_radius_m) / length)
    right, down, along = view_axes(end - start if length > 0.0 else np.array([0.0, 0.0, 1.0]))
    rings = max(2, sides // 4)
    latitudes = np.concatenate((np.linspace(-math.pi / 2, lean, rings + 1), np.linspace(lean, math.pi / 2, rings + 1)))
    longitudes = np.arange(sides) * (2.0 * math.pi / sides)
    around = np.cos(longitudes)[:, None] * right + np.sin(longitudes)[:, None] * down
    normals = np.cos(latitudes)[:, None, None] * around + np.sin(latitudes)[:, None, None] * along
    is_end = (np.arange(len(latitudes)) > rings)[:, None, None]
    vertices = np.where(is_end, end + end_radius_m * normals, start + start_radius_m * normals)
    return Mesh(vertices.reshape(-1, 3), normals.reshape(-1, 3), _strips(len(latitudes), sides), color)


def _strips(rings: int, sides: int) -> Int32Array:
    """Return triangles that join rings of `sides` vertices each, counter-clockwise seen from outside."""
    first = (np.arange(rings - 1)[:, None] * sides + np.arange(sides)).reshape(-1)
    second = (np.arange(rings - 1)[:, None] * sides + (np.arange(sides) + 1) % sides).reshape(-1)
    lower = np.column_stack((first, second, second + sides))
    upper = np.column_stack((first, second + sides, first + sides))
    return np.concatenate((lower, upper)).astype(np.int32)
