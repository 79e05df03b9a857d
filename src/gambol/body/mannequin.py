"""A jointed doll: one closed mesh for each rounded cone, and how much of it shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Cones, cone_distance
from gambol.geometry.arrays import FloatArray, Int32Array


def cone_meshes(cones: Cones, *, sides: int, rings: int) -> tuple[FloatArray, Int32Array, Int32Array]:
    """Return vertices (V, 3), triangles (T, 3), counter-clockwise seen from outside, and each vertex' cone (V,).

    Each cone is a surface of its own with `rings` circles of `sides` vertices on either cap.
    """
    count = len(cones.start)
    latitudes, centres, radii, along = _meridians(cones, rings)
    across, upward = _frames(along)
    longitudes = np.arange(sides) * (2.0 * np.pi / sides)
    outward = np.cos(longitudes)[:, None] * across[:, None] + np.sin(longitudes)[:, None] * upward[:, None]
    circles = centres[:, :, None] + radii[:, :, None, None] * (
        np.cos(latitudes)[:, :, None, None] * outward[:, None]
        + np.sin(latitudes)[:, :, None, None] * along[:, None, None]
    )
    poles = np.stack((centres[:, 0] - radii[:, 0, None] * along, centres[:, -1] + radii[:, -1, None] * along), axis=1)
    vertices = np.concatenate((circles.reshape(count, -1, 3), poles), axis=1)
    per_cone = vertices.shape[1]
    triangles = _triangles(sides, 2 * rings) + per_cone * np.arange(count)[:, None, None]
    owners = np.repeat(np.arange(count), per_cone)
    return vertices.reshape(-1, 3), triangles.reshape(-1, 3).astype(np.int32), owners.astype(np.int32)


def visible_area(cones: Cones) -> float:
    """Estimate the area of the surface around all cones together: that of triangles inside no other cone."""
    vertices, triangles, owners = cone_meshes(cones, sides=6, rings=2)
    corners = vertices[triangles]
    middles = np.mean(corners, axis=1)
    hidden = np.zeros(len(triangles), dtype=bool)
    for cone in range(len(cones.start)):
        distance, _ = cone_distance(middles, cones, cone)
        hidden |= (distance < 0.0) & (owners[triangles[:, 0]] != cone)
    areas = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return float(np.sum(areas[~hidden]))


def _meridians(cones: Cones, rings: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return latitude (C, 2R), centre (C, 2R, 3) and radius (C, 2R) of each circle, and the axes (C, 3)."""
    start, end = cones.start.copy(), cones.end.copy()
    start_radius, end_radius = cones.start_radius.copy(), cones.end_radius.copy()
    way = end - start
    length = np.linalg.norm(way, axis=1)
    along = np.where(length[:, None] > 0.0, way / np.where(length > 0.0, length, 1.0)[:, None], (0.0, 0.0, 1.0))
    # Where one sphere holds the other, the larger one is all there is.
    held = length <= np.abs(start_radius - end_radius)
    first = start_radius >= end_radius
    start[held & ~first] = end[held & ~first]
    end[held & first] = start[held & first]
    larger = np.maximum(start_radius, end_radius)
    start_radius, end_radius = np.where(held, larger, start_radius), np.where(held, larger, end_radius)
    # The flank touches both spheres at one latitude: the equator where the radii are equal.
    touch = np.arcsin(np.where(held, 0.0, (start_radius - end_radius) / np.where(held, 1.0, length)))
    share = np.arange(1, rings + 1) / rings
    start_latitudes = -0.5 * np.pi + share * (touch[:, None] + 0.5 * np.pi)
    end_latitudes = 0.5 * np.pi - share[::-1] * (0.5 * np.pi - touch[:, None])
    latitudes = np.concatenate((start_latitudes, end_latitudes), axis=1)
    centres = np.repeat(np.stack((start, end), axis=1), rings, axis=1)
    radii = np.repeat(np.stack((start_radius, end_radius), axis=1), rings, axis=1)
    return latitudes, centres, radii, along


def _frames(along: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two unit vectors (C, 3) each that complete unit axes (C, 3) to right-handed frames."""
    helper = np.eye(3)[np.argmin(np.abs(along), axis=1)]
    across: FloatArray = np.cross(helper, along)
    across = across / np.linalg.norm(across, axis=1, keepdims=True)
    upward: FloatArray = np.cross(along, across)
    return across, upward


def _triangles(sides: int, circles: int) -> NDArray[np.int64]:
    """Join circles (poles last, the first one at the start) to a closed surface, (T, 3)."""
    here = np.arange(sides)
    after = (here + 1) % sides
    first_pole, last_pole = circles * sides, circles * sides + 1
    last = (circles - 1) * sides
    faces = [np.stack((np.full(sides, first_pole), after, here), axis=1)]
    for low in range(0, last, sides):
        high = low + sides
        faces.append(np.stack((low + here, low + after, high + after), axis=1))
        faces.append(np.stack((low + here, high + after, high + here), axis=1))
    faces.append(np.stack((np.full(sides, last_pole), last + here, last + after), axis=1))
    return np.concatenate(faces)
