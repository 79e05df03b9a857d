"""Skins of many figures at once."""

from __future__ import annotations

import math

import numpy as np

from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel
from gambol.pictures.kernels.raster import Float32Array


@kernel
def pose_figures(
    vertices: FloatArray,
    normals: FloatArray,
    joints: Int32Array,
    weights: FloatArray,
    rest: FloatArray,
    positions: Float32Array,
    rotations: Float32Array,
    placed: FloatArray,
    turned: FloatArray,
) -> None:
    """Write vertices and unit normals (N, V, 3) of a skin in N poses into `placed` and `turned`.

    vertices, normals: (V, 3) at rest.  joints, weights: (V, K) the joints that move each vertex.
    rest: (J, 3) joints at rest.  positions (N, J, 3), rotations (N, J, 4): joints in the world.
    """
    count = rest.shape[0]
    turn = np.empty((count, 9))
    shift = np.empty((count, 3))
    for n in range(placed.shape[0]):
        for j in range(count):
            w, x, y, z = rotations[n, j, 0], rotations[n, j, 1], rotations[n, j, 2], rotations[n, j, 3]
            turn[j, 0], turn[j, 1], turn[j, 2] = (
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y - w * z),
                2.0 * (x * z + w * y),
            )
            turn[j, 3], turn[j, 4], turn[j, 5] = (
                2.0 * (x * y + w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z - w * x),
            )
            turn[j, 6], turn[j, 7], turn[j, 8] = (
                2.0 * (x * z - w * y),
                2.0 * (y * z + w * x),
                1.0 - 2.0 * (x * x + y * y),
            )
            a, b, c = rest[j, 0], rest[j, 1], rest[j, 2]
            for i in range(3):
                shift[j, i] = positions[n, j, i] - turn[j, 3 * i] * a - turn[j, 3 * i + 1] * b - turn[j, 3 * i + 2] * c
        for v in range(vertices.shape[0]):
            a, b, c = vertices[v, 0], vertices[v, 1], vertices[v, 2]
            d, e, f = normals[v, 0], normals[v, 1], normals[v, 2]
            px, py, pz, nx, ny, nz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for k in range(joints.shape[1]):
                share = weights[v, k]
                if share > 0.0:
                    j = joints[v, k]
                    px += share * (turn[j, 0] * a + turn[j, 1] * b + turn[j, 2] * c + shift[j, 0])
                    py += share * (turn[j, 3] * a + turn[j, 4] * b + turn[j, 5] * c + shift[j, 1])
                    pz += share * (turn[j, 6] * a + turn[j, 7] * b + turn[j, 8] * c + shift[j, 2])
                    nx += share * (turn[j, 0] * d + turn[j, 1] * e + turn[j, 2] * f)
                    ny += share * (turn[j, 3] * d + turn[j, 4] * e + turn[j, 5] * f)
                    nz += share * (turn[j, 6] * d + turn[j, 7] * e + turn[j, 8] * f)
            scale = 1.0 / max(math.sqrt(nx * nx + ny * ny + nz * nz), 1e-12)
            placed[n, v, 0], placed[n, v, 1], placed[n, v, 2] = px, py, pz
            turned[n, v, 0], turned[n, v, 1], turned[n, v, 2] = scale * nx, scale * ny, scale * nz
