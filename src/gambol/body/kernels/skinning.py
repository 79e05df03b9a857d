"""Linear blend skinning over frames and vertices."""

from __future__ import annotations

from gambol.kernels.jit import kernel


@kernel
def blend_vertices(vertices, joints, weights, turns, shifts, placed):
    """Fill vertices (N, V, 3) moved by up to four joints each.

    `turns` (N, J, 3, 3) and `shifts` (N, J, 3) take a point from its place at rest to the world.
    """
    for n in range(placed.shape[0]):
        for v in range(placed.shape[1]):
            x = 0.0
            y = 0.0
            z = 0.0
            for i in range(joints.shape[1]):
                w = weights[v, i]
                if w == 0.0:
                    continue
                j = joints[v, i]
                vx = vertices[v, 0]
                vy = vertices[v, 1]
                vz = vertices[v, 2]
                x += w * (turns[n, j, 0, 0] * vx + turns[n, j, 0, 1] * vy + turns[n, j, 0, 2] * vz + shifts[n, j, 0])
                y += w * (turns[n, j, 1, 0] * vx + turns[n, j, 1, 1] * vy + turns[n, j, 1, 2] * vz + shifts[n, j, 1])
                z += w * (turns[n, j, 2, 0] * vx + turns[n, j, 2, 1] * vy + turns[n, j, 2, 2] * vz + shifts[n, j, 2])
            placed[n, v, 0] = x
            placed[n, v, 1] = y
            placed[n, v, 2] = z
