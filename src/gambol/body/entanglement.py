"""Whether a body's rest pose lets one skin be drawn around it all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Cones, cone_distance
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.motion.skeleton import Skeleton

#: Parts that nearly touch are neighbours if the way along the bones is at most this many times their radii and gap.
DETOUR = 3.0
SAMPLES = 6  # on the axis of each cone


def is_entangled(cones: Cones, moving: Int32Array, skeleton: Skeleton, gap: float) -> bool:
    """Tell whether parts come nearer than `gap` to each other that are far apart along the bones.

    They may where a part between them fills the place: thighs meet in the pelvis, but not at the
    knees.  `moving` (C,) are the joints that move the cones.
    """
    samples = _sample(cones, moving)
    to_joints = _ways_to_joints(samples, skeleton)
    between_joints = _ways_between_joints(skeleton)
    above = _joints_above(skeleton, moving)
    for i, point in enumerate(samples.points):
        nearness = samples.radii[i] + samples.radii + gap
        close = np.linalg.norm(samples.points - point, axis=1) < nearness
        others = np.flatnonzero(close & (samples.joints != samples.joints[i]))
        ends = np.flatnonzero(np.isfinite(to_joints[i]))
        from_here = np.min(to_joints[i, ends, None] + between_joints[ends], axis=0)
        ways = np.minimum(np.min(from_here + to_joints[others], axis=1), _ways_by_start(samples, i, others, above))
        for other in others[ways > DETOUR * nearness[others]]:
            middle = point + (samples.points[other] - point) * (samples.radii[i] / (nearness[other] - gap))
            between = _is_between(skeleton, int(samples.joints[i]), int(samples.joints[other]))
            filling = np.flatnonzero(between[moving]).tolist()
            within = gap + 0.5 * min(samples.radii[i], samples.radii[other])
            if not any(cone_distance(middle[None], cones, cone)[0][0] < within for cone in filling):
                return True
    return False


class _Samples(NamedTuple):
    points: FloatArray  # (P, 3) on the cones' axes
    radii: FloatArray  # (P,)
    joints: Int32Array  # (P,) the joint that moves each
    starts: FloatArray  # (P, 3) where its cone starts


def _sample(cones: Cones, moving: Int32Array) -> _Samples:
    share = np.linspace(0.0, 1.0, SAMPLES)
    points = cones.start[:, None] + share[:, None] * (cones.end - cones.start)[:, None]
    radii = cones.start_radius[:, None] + share * (cones.end_radius - cones.start_radius)[:, None]
    return _Samples(
        points.reshape(-1, 3), radii.ravel(), np.repeat(moving, SAMPLES), np.repeat(cones.start, SAMPLES, axis=0)
    )


def _joints_above(skeleton: Skeleton, moving: Int32Array) -> Int32Array:
    """Return for each joint (J,) the nearest one above it that moves parts, or -1."""
    moves = np.isin(np.arange(skeleton.joint_count), moving)
    above = np.full(skeleton.joint_count, -1, dtype=np.int32)
    for joint in range(1, skeleton.joint_count):
        parent = skeleton.parents[joint]
        above[joint] = parent if moves[parent] else above[parent]
    return above


def _ways_by_start(samples: _Samples, one: int, others: NDArray[np.intp], above: Int32Array) -> FloatArray:
    """Return the ways between a part and the one it hangs on by way of its start, which need not be at a joint."""
    joint, joints = samples.joints[one], samples.joints[others]
    points, starts = samples.points[others], samples.starts[others]
    own_start = np.linalg.norm(samples.points[one] - samples.starts[one])
    by_own = own_start + np.linalg.norm(points - samples.starts[one], axis=1)
    by_other = np.linalg.norm(samples.points[one] - starts, axis=1) + np.linalg.norm(points - starts, axis=1)
    ways = np.where(joints == above[joint], by_own, np.inf)
    return np.where(above[joints] == joint, by_other, ways)


def _ways_to_joints(samples: _Samples, skeleton: Skeleton) -> FloatArray:
    """Return the distances (P, J) from samples to the joints at the ends of their bones, infinite to all others."""
    is_end = np.eye(skeleton.joint_count, dtype=bool)
    for joint in range(skeleton.joint_count - 1, 0, -1):
        parent = skeleton.parents[joint]
        # The bones beyond a joint at the same place as its parent are as good as the parent's own.
        is_end[parent] |= is_end[joint] if skeleton.bone_lengths[joint] == 0.0 else np.arange(len(is_end)) == joint
    distances = np.linalg.norm(samples.points[:, None] - skeleton.rest_positions, axis=2)
    return np.where(is_end[samples.joints], distances, np.inf)


def _ways_between_joints(skeleton: Skeleton) -> FloatArray:
    """Return the lengths (J, J) of the ways along the bones."""
    ways = np.zeros((skeleton.joint_count, skeleton.joint_count))
    for joint in range(1, skeleton.joint_count):
        ways[joint, :joint] = ways[skeleton.parents[joint], :joint] + skeleton.bone_lengths[joint]
        ways[:joint, joint] = ways[joint, :joint]
    return ways


def _is_between(skeleton: Skeleton, one: int, other: int) -> BoolArray:
    """Mark the joints (J,) on the way from one joint to another, both excluded."""
    passed = np.zeros(skeleton.joint_count, dtype=bool)
    here, there = one, other
    while here != there:
        # Parents come before children, so the later of two joints is never the other's ancestor.
        here, there = int(skeleton.parents[max(here, there)]), min(here, there)
        passed[[here, there]] = True
    passed[[one, other]] = False
    return passed
