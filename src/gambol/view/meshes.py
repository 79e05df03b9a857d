"""Meshes as browsers want them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.pictures.mesh import Mesh


def facing_out(mesh: Mesh) -> NDArray[np.uint32]:
    """Return the triangles of a mesh, each with its corners counter-clockwise seen from outside."""
    triangles = mesh.triangles.astype(np.uint32)
    first, second, third = np.moveaxis(mesh.vertices[triangles], 1, 0)
    turned = (np.cross(second - first, third - first) * mesh.normals[triangles[:, 0]]).sum(axis=1) < 0.0
    triangles[turned] = triangles[turned][:, ::-1]
    return triangles
