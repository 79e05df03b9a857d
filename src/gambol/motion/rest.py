"""Carry rotations between skeletons whose rest poses differ."""

from __future__ import annotations

import numpy as np

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.skeleton import Skeleton

LEAST_BONE_M = 1e-4  # metres: shorter bones have no direction


def rest_deltas(source: Skeleton, target: Skeleton) -> FloatArray:
    """Return for each joint the turn from the target's rest bones to the source's, (J, 4).

    Both skeletons list the same joints in the same order.  A joint with one bone takes its parent's turn and the
    smallest turn on top of it; a joint with several bones (hips, chest) takes the best fit over all of them; a joint
    without a bone takes its parent's turn, as a zero-length bone has no direction.
    """
    deltas = quaternion.identity(target.joint_count)
    for joint in range(target.joint_count):
        pairs = _bone_pairs(source, target, joint)
        if len(pairs) == 1:
            # On top of the parent's turn, so that a figure that faces elsewhere at rest turns as a whole.
            above = deltas[target.parents[joint]] if joint > 0 else quaternion.IDENTITY
            carried = quaternion.rotate(above, pairs[0][1])
            deltas[joint] = quaternion.multiply(quaternion.between(carried, pairs[0][0]), above)
        elif pairs:
            deltas[joint] = _best_fit(np.array([pair[1] for pair in pairs]), np.array([pair[0] for pair in pairs]))
        elif joint > 0:
            deltas[joint] = deltas[target.parents[joint]]
    return deltas


def retarget_rotations(rotations: FloatArray, source: Skeleton, target: Skeleton) -> FloatArray:
    """Return local rotations (F, J, 4) that give the target's bones the source's directions.

    world_target = world_source * delta, with the delta between the rest poses; in local terms
    each joint is wrapped in its own delta and the inverse of its parent's.
    """
    deltas = rest_deltas(source, target)
    parents = np.where(target.parents < 0, 0, target.parents)
    undo = quaternion.conjugate(deltas[parents])
    undo[0] = quaternion.IDENTITY
    return quaternion.multiply(undo, quaternion.multiply(rotations, deltas))


def _bone_pairs(source: Skeleton, target: Skeleton, joint: int) -> list[tuple[FloatArray, FloatArray]]:
    """Return the directions of a joint's bones in both rest poses, where both have them.

    The bones that hang on a zero-length bone in between (CMU's hip joints) count instead of it.
    """
    pairs = []
    stack = [(int(child), source.offsets[child], target.offsets[child]) for child in target.children(joint)]
    while stack:
        child, a, b = stack.pop()
        long_a, long_b = np.linalg.norm(a), np.linalg.norm(b)
        if long_a > LEAST_BONE_M and long_b > LEAST_BONE_M:
            pairs.append((a / long_a, b / long_b))
        elif long_a <= LEAST_BONE_M and long_b <= LEAST_BONE_M:
            stack += [(int(c), source.offsets[c], target.offsets[c]) for c in target.children(child)]
    return pairs


def _best_fit(from_directions: FloatArray, to_directions: FloatArray) -> FloatArray:
    """Return the rotation that fits directions best in the least-squares sense (Kabsch).

    For two directions the handedness decides the third; for parallel ones the result is the smallest turn between the
    means.
    """
    u, singular, vt = np.linalg.svd(to_directions.T @ from_directions)
    if singular[1] < 1e-6:
        return quaternion.between(from_directions.mean(axis=0), to_directions.mean(axis=0))
    handedness = np.array([1.0, 1.0, np.linalg.det(u) * np.linalg.det(vt)])
    return quaternion.from_matrix(u @ np.diag(handedness) @ vt)
