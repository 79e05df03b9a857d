"""Bend arms and legs so that their ends reach targets, in all frames of a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.geometry.kernels.quaternion import multiply, rotate
from gambol.kernels.jit import kernel
from gambol.motion.kernels.kinematics import forward_kinematics
from gambol.motion.kernels.two_bone import solve_two_bone

if TYPE_CHECKING:
    from gambol.characters.kernels.blending import PoseWindow
    from gambol.characters.motion_table import LimbTable
    from gambol.geometry.arrays import FloatArray, Int32Array, Int64Array

REACH = 0.996  # share of a limb's length, 0..1: a limb stretches no farther, unless its pose is straighter already


class WorldPoses(NamedTuple):
    """Positions and orientations of J joints in N frames, in the world."""

    positions: FloatArray  # (N, J, 3) metres
    rotations: FloatArray  # (N, J, 4)


@kernel
def world_poses(parents: Int32Array, window: PoseWindow) -> WorldPoses:
    """Return joint positions and orientations."""
    frames, joints = window.rotations.shape[0], window.rotations.shape[1]
    positions, rotations = np.empty((frames, joints, 3)), np.empty((frames, joints, 4))
    forward_kinematics(parents, window.offsets, window.roots, window.rotations, positions, rotations)
    return WorldPoses(positions, rotations)


@kernel
def fixed_points(joints: Int64Array, offsets: FloatArray, poses: WorldPoses) -> FloatArray:
    """Return the positions (N, P, 3) of points fixed to joints (P,) at offsets (P, 3)."""
    points = np.empty((poses.positions.shape[0], joints.shape[0], 3))
    for f in range(points.shape[0]):
        for p in range(points.shape[1]):
            j = joints[p]
            w, i, k, m = (
                poses.rotations[f, j, 0],
                poses.rotations[f, j, 1],
                poses.rotations[f, j, 2],
                poses.rotations[f, j, 3],
            )
            x, y, z = rotate(w, i, k, m, offsets[p, 0], offsets[p, 1], offsets[p, 2])
            points[f, p, 0] = poses.positions[f, j, 0] + x
            points[f, p, 1] = poses.positions[f, j, 1] + y
            points[f, p, 2] = poses.positions[f, j, 2] + z
    return points


@kernel
def bend_limb(
    limbs: LimbTable,
    limb: int,
    hinge_x: float,
    hinge_y: float,
    hinge_z: float,
    targets: FloatArray,
    ends: FloatArray,
    window: PoseWindow,
):
    """Turn a limb's root, middle and end joint until the end is at targets (N, 3), oriented as ends (N, 4).

    The hinge is the axis of the middle joint, in the frame of the limb's root.
    """
    parents = limbs.parents
    root, middle, end = limbs.joints[limb, 0], limbs.joints[limb, 1], limbs.joints[limb, 2]
    positions, rotations = world_poses(parents, window)
    frames = targets.shape[0]
    hinges, reached = np.empty((frames, 3)), np.empty((frames, 3))
    root_turns, middle_turns = np.empty((frames, 4)), np.empty((frames, 4))
    roots, middles, tips = np.empty((frames, 3)), np.empty((frames, 3)), np.empty((frames, 3))
    for f in range(frames):
        for c in range(3):
            roots[f, c], middles[f, c] = positions[f, root, c], positions[f, middle, c]
            tips[f, c] = positions[f, end, c]
        w, x, y, z = rotations[f, root, 0], rotations[f, root, 1], rotations[f, root, 2], rotations[f, root, 3]
        hinges[f, 0], hinges[f, 1], hinges[f, 2] = rotate(w, x, y, z, hinge_x, hinge_y, hinge_z)
    solve_two_bone(roots, middles, tips, targets, hinges, REACH, root_turns, middle_turns, reached)
    for f in range(frames):
        turn_chain(parents, root, middle, rotations, root_turns, f)
        turn_chain(parents, middle, end, rotations, middle_turns, f)
        for c in range(4):
            rotations[f, end, c] = ends[f, c]
        for joint in range(3):
            set_local(parents, limbs.joints[limb, joint], rotations, window.rotations, f)


@kernel
def turn_chain(parents: Int64Array, top: int, bottom: int, rotations: FloatArray, turns: FloatArray, f: int):
    """Turn the orientations (N, J, 4) of the joints from top to the one above bottom by turns (N, 4)."""
    j = parents[bottom]
    while True:
        w, x, y, z = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
        w, x, y, z = multiply(turns[f, 0], turns[f, 1], turns[f, 2], turns[f, 3], w, x, y, z)
        rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3] = w, x, y, z
        if j == top:
            return
        j = parents[j]


@kernel
def set_local(parents: Int64Array, j: int, rotations: FloatArray, local_rotations: FloatArray, f: int):
    """Compute a joint's local rotation from its own and its parent's orientation; both arrays are (N, J, 4)."""
    w, x, y, z = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
    p = parents[j]
    if p >= 0:
        w, x, y, z = multiply(
            rotations[f, p, 0], -rotations[f, p, 1], -rotations[f, p, 2], -rotations[f, p, 3], w, x, y, z
        )
    local_rotations[f, j, 0], local_rotations[f, j, 1] = w, x
    local_rotations[f, j, 2], local_rotations[f, j, 3] = y, z
