"""Meshes as browsers need them."""

from __future__ import annotations

import numpy as np
import viser
from numpy.typing import ArrayLike, NDArray

from gambol.geometry.arrays import FloatArray
from gambol.pictures.mesh import Mesh
from gambol.pictures.shapes import box

WHITE = (1.0, 1.0, 1.0)  # RGB, 0 to 1: color of a box before each copy gets its own


def color_bytes(colors: ArrayLike) -> NDArray[np.uint8]:
    """Return colors (..., 3) from 0 to 1 as bytes from 0 to 255."""
    return np.rint(255.0 * np.clip(colors, 0.0, 1.0)).astype(np.uint8)


def facing_out(mesh: Mesh) -> NDArray[np.uint32]:
    """Return the triangles of a mesh, each with its corners counter-clockwise seen from outside."""
    triangles = mesh.triangles.astype(np.uint32)
    first, second, third = np.moveaxis(mesh.vertices[triangles], 1, 0)
    turned = (np.cross(second - first, third - first) * mesh.normals[triangles[:, 0]]).sum(axis=1) < 0.0
    triangles[turned] = triangles[turned][:, ::-1]
    return triangles


def add_rods(
    scene: viser.SceneApi, name: str, places: FloatArray, sizes: FloatArray, colors: NDArray[np.uint8]
) -> viser.BatchedMeshHandle | None:
    """Add boxes with sizes (N, 3) around places (N, 3) in colors (N, 3) from 0 to 255; return None if N is 0."""
    if not len(places):
        return None
    unit = box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5), WHITE)
    return scene.add_batched_meshes_simple(
        name, unit.vertices.astype(np.float32), facing_out(unit), np.tile([1.0, 0.0, 0.0, 0.0], (len(places), 1)),
        places.astype(np.float32), batched_scales=sizes.astype(np.float32), batched_colors=colors, lod="off",
        flat_shading=True, cast_shadow=False,
    )  # fmt: skip
