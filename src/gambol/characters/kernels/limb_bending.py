"""Bend arms and legs so that their ends go where they should, over the frames of a window."""

from __future__ import annotations

import numpy as np

from gambol.geometry.kernels.quaternion import multiply, rotate
from gambol.kernels.jit import kernel
from gambol.motion.kernels.kinematics import forward_kinematics
from gambol.motion.kernels.two_bone import solve_two_bone

REACH = 0.996  # of the limb's length, unless a pose is straighter already


@kernel
def world_poses(parents, window):
    """Return joint positions (N, J, 3) and orientations (N, J, 4)."""
    frames, joints = window.rotations.shape[0], window.rotations.shape[1]
    positions, rotations = np.empty((frames, joints, 3)), np.empty((frames, joints, 4))
    forward_kinematics(parents, window.offsets, window.roots, window.rotations, positions, rotations)
    return positions, rotations


@kernel
def fixed_points(joints, offsets, positions, rotations):
    """Return where points fixed to joints are, (N, P, 3)."""
    points = np.empty((positions.shape[0], joints.shape[0], 3))
    for f in range(points.shape[0]):
        for p in range(points.shape[1]):
            j = joints[p]
            x, y, z = rotate(
                rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3],
                offsets[p, 0], offsets[p, 1], offsets[p, 2],
            )  # fmt: skip
            points[f, p, 0] = positions[f, j, 0] + x
            points[f, p, 1] = positions[f, j, 1] + y
            points[f, p, 2] = positions[f, j, 2] + z
    return points


@kernel
def bend_limb(limbs, limb, hinge_x, hinge_y, hinge_z, targets, ends, window):
    """Turn root, middle and end joint so that the end is at targets (N, 3), turned as the ends (N, 4) say."""
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
        hinges[f, 0], hinges[f, 1], hinges[f, 2] = rotate(
            rotations[f, root, 0], rotations[f, root, 1], rotations[f, root, 2], rotations[f, root, 3],
            hinge_x, hinge_y, hinge_z,
        )  # fmt: skip
    solve_two_bone(roots, middles, tips, targets, hinges, REACH, root_turns, middle_turns, reached)
    for f in range(frames):
        turn_chain(parents, root, middle, rotations, root_turns, f)
        turn_chain(parents, middle, end, rotations, middle_turns, f)
        for c in range(4):
            rotations[f, end, c] = ends[f, c]
        for joint in range(3):
            set_local(parents, limbs.joints[limb, joint], rotations, window.rotations, f)


@kernel
def turn_chain(parents, top, bottom, rotations, turns, f):
    """Turn the orientations of a joint and of those between it and the next joint of its limb."""
    j = parents[bottom]
    while True:
        rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3] = multiply(
            turns[f, 0], turns[f, 1], turns[f, 2], turns[f, 3],
            rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3],
        )  # fmt: skip
        if j == top:
            return
        j = parents[j]


@kernel
def set_local(parents, j, rotations, local_rotations, f):
    """Set a joint's local rotation so that it is oriented as given, under its parent's orientation."""
    w, x, y, z = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
    p = parents[j]
    if p >= 0:
        w, x, y, z = multiply(
            rotations[f, p, 0], -rotations[f, p, 1], -rotations[f, p, 2], -rotations[f, p, 3], w, x, y, z
        )
    local_rotations[f, j, 0], local_rotations[f, j, 1] = w, x
    local_rotations[f, j, 2], local_rotations[f, j, 3] = y, z
