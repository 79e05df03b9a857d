"""Bones and parts of a body, how thick they are, and where a skeleton has what a person has: hips, chest, head."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray
from gambol.motion.joint_names import HEAD, HIPS, Limb, arms, find, legs
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


#: Hips, shoulders or a trunk smaller than this, in leg lengths, are no person's.
LEAST_BREADTH = 0.05
#: Legs shorter than this many trunks, from hip joints to shoulders, are a child's or a cartoon's; adults have 1.75.
LEGS_PER_TRUNK = 1.5


class Landmarks(NamedTuple):
    """Where a skeleton has what a person has."""

    skeleton: Skeleton
    unit: float  # metres, what proportions are in: thigh plus shin, or what suits the trunk where legs are short
    hips: int
    chest: int  # the last joint that both arms hang on
    head: int  # -1 where there is none
    legs: tuple[Limb, Limb]
    arms: tuple[Limb, Limb]
    hip_middle: FloatArray  # (3,) between the hip joints
    shoulder_middle: FloatArray  # (3,) between the shoulder joints
    left: FloatArray  # (3,) unit
    up: FloatArray  # (3,) unit
    forward: FloatArray  # (3,) unit


def find_landmarks(skeleton: Skeleton) -> Landmarks | None:
    """Return a person's landmarks, or None where names or proportions are not a person's."""
    hips = find(skeleton, HIPS)
    both_legs, both_arms = legs(skeleton), arms(skeleton)
    if hips < 0 or len(both_legs) != 2 or len(both_arms) != 2:
        return None
    chains = [(hips, limb.root, limb.middle, limb.end) for limb in (*both_legs, *both_arms)]
    if not all(path_down(skeleton, top, bottom) for chain in chains for top, bottom in pairwise(chain)):
        return None
    points = skeleton.rest_positions
    leg_length = np.mean([_path_length(points, limb) for limb in both_legs])
    across_hips = points[both_legs[0].root] - points[both_legs[1].root]
    across_shoulders = points[both_arms[0].root] - points[both_arms[1].root]
    hip_middle = points[both_legs[1].root] + 0.5 * across_hips
    shoulder_middle = points[both_arms[1].root] + 0.5 * across_shoulders
    left = across_hips / max(np.linalg.norm(across_hips), 1e-12)
    trunk = shoulder_middle - hip_middle
    upward = trunk - (trunk @ left) * left
    unit = float(max(leg_length, LEGS_PER_TRUNK * np.linalg.norm(trunk)))
    least = LEAST_BREADTH * unit
    if unit <= POINT_M or min(np.linalg.norm(v) for v in (across_hips, across_shoulders, upward)) <= least:
        return None
    up = upward / np.linalg.norm(upward)
    return Landmarks(
        skeleton, unit, hips, _common_ancestor(skeleton, both_arms[0].root, both_arms[1].root),
        find(skeleton, HEAD), (both_legs[0], both_legs[1]), (both_arms[0], both_arms[1]),
        hip_middle, shoulder_middle, left, up, np.cross(left, up),
    )  # fmt: skip


def _path_length(points: FloatArray, limb: Limb) -> float:
    upper, lower = points[limb.middle] - points[limb.root], points[limb.end] - points[limb.middle]
    return float(np.linalg.norm(upper) + np.linalg.norm(lower))


def path_down(skeleton: Skeleton, top: int, bottom: int) -> list[int]:
    """Return the joints from an ancestor to a joint below it, both included; empty where it is not below."""
    path = [bottom]
    while path[-1] != top:
        path.append(int(skeleton.parents[path[-1]]))
        if path[-1] < 0:
            return []
    return path[::-1]


def _common_ancestor(skeleton: Skeleton, a: int, b: int) -> int:
    # Parents come before children, so the later of two joints is never the other's ancestor.
    while a != b:
        a, b = (int(skeleton.parents[a]), b) if a > b else (a, int(skeleton.parents[b]))
    return a
