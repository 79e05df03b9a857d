"""Parts of a body, and how thick a bone is when nothing but the skeleton is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray
from gambol.motion.skeleton import Skeleton

#: Bones shorter than this, or than this fraction of the skeleton's size, are points.
POINT_M = 1e-9
POINT = 1e-6
#: The radius of a body that is one point, where nothing tells how large it is.
POINT_RADIUS_M = 0.1
#: Radius over sqrt(length beyond * size), chosen so that a person's arms and legs come out right.
THICKNESS = 0.05
#: A bone's radius is at most this fraction of the length that hangs on it, and of the longest bone:
#: the one keeps stumps slim, the other snakes, whose every bone carries a long tail.
STOUTEST = 0.3
STOUTEST_OF_LONGEST = 0.6
#: A last bone thins out to this fraction of its radius.
TIP_TAPER = 0.7
#: A leaf joint without a tip goes on for this fraction of the bone that leads to it.
LEAF_LENGTH = 0.5


class Part(NamedTuple):
    """A rounded cone that moves with a joint; its ends are world points at rest."""

    joint: int
    start: FloatArray  # (3,) metres
    end: FloatArray  # (3,) metres
    start_radius: float  # metres
    end_radius: float  # metres


class Bone(NamedTuple):
    """A stretch of a skeleton at rest that moves with `joint`, up to joint `child` (-1: a tip or the end)."""

    joint: int
    child: int
    start: FloatArray  # (3,) metres
    end: FloatArray  # (3,) metres

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.end - self.start))


def skeleton_size(skeleton: Skeleton) -> float:
    """Return the longest side of the box around all joints and tips at rest."""
    points = np.concatenate((skeleton.rest_positions, skeleton.rest_tip_positions))
    return float(np.max(np.ptp(points, axis=0)))


def bones(skeleton: Skeleton) -> list[Bone]:
    """Return all bones that are longer than a point, with an end made up for leaf joints without one."""
    joints, tips = skeleton.rest_positions, skeleton.rest_tip_positions
    parents = skeleton.parents
    found = [Bone(int(parents[j]), j, joints[parents[j]], joints[j]) for j in range(1, skeleton.joint_count)]
    found += [Bone(int(j), -1, joints[j], tip) for j, tip in zip(skeleton.tip_parents, tips, strict=True)]
    shortest = max(POINT * skeleton_size(skeleton), POINT_M)
    long = [bone for bone in found if bone.length > shortest]
    return long + _leaf_bones(skeleton, {bone.joint for bone in long}, shortest)


def _leaf_bones(skeleton: Skeleton, with_bone: set[int], shortest: float) -> list[Bone]:
    """Continue the bone that leads to each joint on which nothing else hangs."""
    joints, parents = skeleton.rest_positions, skeleton.parents
    is_leaf = np.ones(skeleton.joint_count, dtype=bool)
    is_leaf[parents[1:]] = False
    found = []
    for leaf in np.flatnonzero(is_leaf):
        if leaf in with_bone or skeleton.bone_lengths[leaf] <= shortest:
            continue
        beyond = LEAF_LENGTH * (joints[leaf] - joints[parents[leaf]])
        found.append(Bone(int(leaf), -1, joints[leaf], joints[leaf] + beyond))
    return found


def bone_parts(skeleton: Skeleton, chosen: Sequence[Bone]) -> list[Part]:
    """Wrap bones in parts whose cross-section is in proportion to the length that hangs on them.

    Leonardo's rule for trees, where a bough is as thick as all its branches together, suits
    animals as well: trunks come out stout, limbs thinner, tails, fingers and antennae thin.
    """
    size = skeleton_size(skeleton)
    beyond = _length_beyond(skeleton)
    widest = STOUTEST_OF_LONGEST * max((bone.length for bone in chosen), default=0.0)

    def radius(length: float) -> float:
        return float(min(THICKNESS * np.sqrt(length * size), STOUTEST * length, widest))

    parts = []
    for bone in chosen:
        hanging = beyond[bone.child] if bone.child >= 0 else 0.0
        start_radius = radius(bone.length + hanging)
        end_radius = radius(hanging) if hanging > 0.0 else TIP_TAPER * start_radius
        parts.append(Part(bone.joint, bone.start, bone.end, start_radius, end_radius))
    return parts


def _length_beyond(skeleton: Skeleton) -> FloatArray:
    """Sum the lengths of all bones that hang on each joint, (J,)."""
    beyond = np.zeros(skeleton.joint_count)
    for bone in bones(skeleton):
        if bone.child < 0:
            beyond[bone.joint] += bone.length
    for joint in range(skeleton.joint_count - 1, 0, -1):
        beyond[skeleton.parents[joint]] += beyond[joint] + skeleton.bone_lengths[joint]
    return beyond


def are_inside(points: FloatArray, parts: Sequence[Part]) -> NDArray[np.bool_]:
    """Tell which world points at rest (P, 3) lie in any of the parts."""
    start = np.array([part.start for part in parts])
    axis = np.array([part.end for part in parts]) - start
    start_radius = np.array([part.start_radius for part in parts])
    end_radius = np.array([part.end_radius for part in parts])
    square = np.sum(axis * axis, axis=1)
    from_start = points[:, None] - start
    along = np.sum(from_start * axis, axis=2) / np.where(square > 0.0, square, 1.0)
    along = np.clip(along, 0.0, 1.0)
    distance = np.linalg.norm(from_start - along[..., None] * axis, axis=2)
    return np.any(distance <= start_radius + along * (end_radius - start_radius), axis=1)
