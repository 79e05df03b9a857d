"""Closed triangle meshes: normals and neighbours."""

from __future__ import annotations

import numpy as np
import scipy

from gambol.geometry.arrays import FloatArray, Int32Array


def vertex_normals(vertices: FloatArray, triangles: Int32Array) -> FloatArray:
    """Return unit normals (V, 3), the mean of the triangles around each vertex weighted by their area."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    areas = np.cross(b - a, c - a)
    corners = triangles.ravel()
    sums = [np.bincount(corners, np.repeat(areas[:, i], 3), minlength=len(vertices)) for i in range(3)]
    normals = np.stack(sums, axis=1)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(lengths > 0.0, normals / np.where(lengths > 0.0, lengths, 1.0), (0.0, 0.0, 1.0))


def neighbour_means(triangles: Int32Array, vertex_count: int) -> scipy.sparse.csr_matrix:
    """Return the matrix (V, V) that replaces each vertex by the mean of those it shares an edge with."""
    # On a closed surface each edge appears once in either direction.
    start = triangles.ravel()
    end = np.roll(triangles, -1, axis=1).ravel()
    share = 1.0 / np.bincount(start, minlength=vertex_count)
    return scipy.sparse.csr_matrix((share[start], (start, end)), shape=(vertex_count, vertex_count))
