"""Where an exported figure keeps its travel: in the hips, in a root bone, or nowhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.errors import UnknownName
from gambol.geometry import planar, quaternion
from gambol.motion.edits import move
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.motion.travel import smooth_path

ROOT_MODES = ("hips", "ground", "inplace")
GROUND_ROOT = "Root"  # name of the added root bone


def set_root_mode(motion: Motion, mode: str) -> Motion:
    """Return the motion with its travel in the hips (as it is), in a ground-level root bone, or removed."""
    if mode == "hips":
        return motion
    if mode == "ground":
        return add_ground_root(motion)
    if mode == "inplace":
        return stay_in_place(motion)
    raise UnknownName("root mode", mode, ROOT_MODES)


def add_ground_root(motion: Motion) -> Motion:
    """Put a root bone on the ground under the figure that carries its travel and heading.

    The bone follows the smoothed path, so that engines get root motion without the sway of single
    steps; the hips keep that sway relative to it.  World positions of all joints stay as they are.
    """
    skeleton = motion.skeleton
    path = smooth_path(motion)
    name = GROUND_ROOT
    while name in skeleton:
        name += "_"
    root_positions = np.column_stack((path[:, :2], np.zeros(motion.frame_count)))
    root_rotations = quaternion.from_heading(path[:, 2])
    from_root = quaternion.conjugate(root_rotations)
    rotations = np.concatenate((root_rotations[:, None], motion.rotations), axis=1)
    rotations[:, 1] = quaternion.multiply(from_root, motion.rotations[:, 0])
    own = np.broadcast_to(motion.local_offsets, (motion.frame_count, skeleton.joint_count, 3))
    translations = np.concatenate((root_positions[:, None], own), axis=1)
    translations[:, 1] = quaternion.rotate(from_root, motion.root_positions - root_positions)
    parents = np.concatenate(([-1], np.maximum(skeleton.parents + 1, 0)))
    hips_rest = skeleton.offsets.copy()
    if not hips_rest[0].any():  # a rest pose at the origin would bury the figure to its hips
        hips_rest[0, 2] = translations[:, 1, 2].mean()
    with_root = Skeleton(
        (name, *skeleton.names),
        parents,
        np.concatenate((np.zeros((1, 3)), hips_rest)),
        skeleton.tip_parents + 1,
        skeleton.tip_offsets,
    )
    return Motion(with_root, motion.rate_hz, root_positions, rotations, translations)


def stay_in_place(motion: Motion) -> Motion:
    """Remove the travel: the smoothed path becomes a standstill at the origin, facing +X."""
    path = smooth_path(motion)
    at_start = move(motion, planar.invert(path[0]))
    steps = planar.invert(planar.compose(planar.invert(path[0]), path))
    positions = np.array(at_start.root_positions)
    positions[:, :2] = planar.apply(steps, positions[:, :2])
    rotations = np.array(at_start.rotations)
    rotations[:, 0] = quaternion.multiply(quaternion.from_heading(steps[:, 2]), rotations[:, 0])
    return replace(at_start, root_positions=positions, rotations=rotations)
