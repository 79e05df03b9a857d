"""Forward kinematics over whole motions."""

from __future__ import annotations

from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.geometry.kernels.quaternion import multiply, rotate
from gambol.kernels.jit import kernel


@kernel
def forward_kinematics(
    parents: Int32Array,  # (J,)
    offsets: FloatArray,  # (1, J, 3) for rigid bones, or (F, J, 3) where joints also translate
    root_positions: FloatArray,  # (F, 3)
    rotations: FloatArray,  # (F, J, 4) local
    world_positions: FloatArray,  # (F, J, 3) written
    world_rotations: FloatArray,  # (F, J, 4) written
) -> None:
    """Write the places and rotations of joints in the world."""
    frames, joints = rotations.shape[0], rotations.shape[1]
    rigid = offsets.shape[0] == 1
    for f in range(frames):
        o = 0 if rigid else f
        for c in range(3):
            world_positions[f, 0, c] = root_positions[f, c]
        for c in range(4):
            world_rotations[f, 0, c] = rotations[f, 0, c]
        for j in range(1, joints):
            p = parents[j]
            pw = world_rotations[f, p, 0]
            px = world_rotations[f, p, 1]
            py = world_rotations[f, p, 2]
            pz = world_rotations[f, p, 3]
            x, y, z = rotate(pw, px, py, pz, offsets[o, j, 0], offsets[o, j, 1], offsets[o, j, 2])
            world_positions[f, j, 0] = world_positions[f, p, 0] + x
            world_positions[f, j, 1] = world_positions[f, p, 1] + y
            world_positions[f, j, 2] = world_positions[f, p, 2] + z
            lw, lx, ly, lz = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            w, x, y, z = multiply(pw, px, py, pz, lw, lx, ly, lz)
            world_rotations[f, j, 0] = w
            world_rotations[f, j, 1] = x
            world_rotations[f, j, 2] = y
            world_rotations[f, j, 3] = z
