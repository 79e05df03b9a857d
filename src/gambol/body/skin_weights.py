"""Which joints move each vertex of a skin, and how much."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Cones, cone_distance
from gambol.core import lib, pointer
from gambol.geometry.arrays import FloatArray, Int32Array, Int64Array
from gambol.motion.skeleton import Skeleton

#: glTF's and most engines' limit.
MOST_INFLUENCES = 4
#: A joint has no say where its parts are farther than the nearest by this fraction of their radius.
FALLOFF = 0.4
#: Rounds of averaging over neighbouring vertices.
SMOOTHING_ROUNDS = 10
#: Weights below this are noise.
LEAST_WEIGHT = 0.005
#: Claims beyond so many are too weak to be looked at; what joints receive may be disputed again.
MOST_CLAIMS = 8
SETTLING_ROUNDS = 4


class JointTree(NamedTuple):
    """The joints that may have weight, parents first, and how they are related."""

    joints: Int32Array  # (K,) index into the skeleton
    is_ancestor: NDArray[np.bool_]  # (K, K) [a, b]: a is b or above b
    meeting: Int32Array  # (K, K) [a, b]: the last joint that a and b both hang on


def joint_tree(skeleton: Skeleton, moving: Int32Array) -> JointTree:
    """Relate the joints that move parts, with those where their branches meet."""
    count = skeleton.joint_count
    below = np.zeros(count, dtype=int)  # branches with parts
    used = np.zeros(count, dtype=bool)
    used[moving] = True
    for joint in range(count - 1, -1, -1):
        used[joint] |= below[joint] > 1
        if joint > 0 and (used[joint] or below[joint] > 0):
            below[skeleton.parents[joint]] += 1
    joints = np.flatnonzero(used)
    place = np.full(count, -1)
    place[joints] = np.arange(len(joints))
    is_ancestor = np.eye(len(joints), dtype=bool)
    meeting = np.zeros((len(joints), len(joints)), dtype=np.int32)
    for b, joint in enumerate(joints[1:], start=1):
        above = skeleton.parents[joint]
        while place[above] < 0:
            above = skeleton.parents[above]
        is_ancestor[:, b] |= is_ancestor[:, place[above]]
        # Whoever comes earlier meets b where it meets b's parent.
        meeting[:b, b] = meeting[b, :b] = meeting[:b, place[above]]
        meeting[b, b] = b
    return JointTree(joints.astype(np.int32), is_ancestor, meeting)


class Neighbours(NamedTuple):
    """The vertices that share an edge with each of V."""

    first: Int64Array  # (V + 1,) each vertex's first entry
    vertex: Int32Array  # (E,) vertices, in ascending order for each

    def means(self, values: FloatArray) -> FloatArray:
        """Return the means (V, N) of the neighbours' values."""
        values = np.ascontiguousarray(values)
        found = np.empty_like(values)
        lib.gb_skin_average(
            pointer(self.first, "int64_t"), pointer(self.vertex, "int32_t"), len(values), pointer(values, "double"),
            values.shape[1], pointer(found, "double"),
        )  # fmt: skip
        return found


def skin_weights(
    vertices: FloatArray, neighbours: Neighbours, cones: Cones, moving: Int32Array, skeleton: Skeleton
) -> tuple[Int32Array, FloatArray]:
    """Return joints and weights (V, 4) each, heaviest first, for a skin around cones that joints `moving` (C,) move.

    No vertex follows joints of two branches, such as both thighs: what branches dispute goes to where they meet.
    """
    tree = joint_tree(skeleton, moving)
    weights = _weights_by_distance(vertices, cones, np.searchsorted(tree.joints, moving), tree)
    for _ in range(SMOOTHING_ROUNDS):
        weights = neighbours.means(weights)
    return _heaviest(_settle_disputes(weights, tree), tree.joints)


def _weights_by_distance(vertices: FloatArray, cones: Cones, owner: NDArray, tree: JointTree) -> FloatArray:
    """Weigh joints (V, K) by how little farther their parts are than the nearest part."""
    distances = np.full((len(vertices), len(tree.joints)), np.inf)
    radii = np.zeros(len(vertices))
    nearest = np.full(len(vertices), np.inf)
    for cone, joint in enumerate(owner):
        distance, _ = cone_distance(vertices, cones, cone)
        closer = distance < nearest
        nearest[closer] = distance[closer]
        radii[closer] = min(cones.start_radius[cone], cones.end_radius[cone])
        distances[:, joint] = np.minimum(distances[:, joint], distance)
    related = tree.is_ancestor | tree.is_ancestor.T
    farther = np.where(related[np.argmin(distances, axis=1)], distances - nearest[:, None], np.inf)
    weights = np.maximum(1.0 - farther / (FALLOFF * radii)[:, None], 0.0) ** 2
    return weights / np.sum(weights, axis=1, keepdims=True)


def _settle_disputes(weights: FloatArray, tree: JointTree) -> FloatArray:
    """Hand what joints of two branches both claim to the joint where the branches meet.

    Each gives up as much as the weaker claim, so that weights stay continuous: where claims are
    equal nothing is left of either, and where one fades the other is whole.
    """
    related = tree.is_ancestor | tree.is_ancestor.T
    rows = np.arange(len(weights))
    settled = weights.copy()
    for _ in range(SETTLING_ROUNDS):
        claims = np.argsort(-settled, axis=1, kind="stable")[:, :MOST_CLAIMS]
        disputes = 0
        for one, other in combinations(claims.T, 2):
            yielded = np.where(related[one, other], 0.0, np.minimum(settled[rows, one], settled[rows, other]))
            settled[rows, one] -= yielded
            settled[rows, other] -= yielded
            settled[rows, tree.meeting[one, other]] += 2.0 * yielded
            disputes += np.count_nonzero(yielded)
        if disputes == 0:
            break
    return settled


def _heaviest(weights: FloatArray, joints: Int32Array) -> tuple[Int32Array, FloatArray]:
    """Keep the heaviest influences (V, 4), normalised; the rest is joint 0 with weight 0."""
    columns = min(MOST_INFLUENCES, weights.shape[1])
    order = np.argsort(-weights, axis=1, kind="stable")[:, :columns]
    kept = np.zeros((len(weights), MOST_INFLUENCES))
    kept[:, :columns] = np.take_along_axis(weights, order, axis=1)
    kept[kept < LEAST_WEIGHT] = 0.0
    kept /= np.sum(kept, axis=1, keepdims=True)
    influences = np.zeros((len(weights), MOST_INFLUENCES), dtype=np.int32)
    influences[:, :columns] = joints[order]
    influences[kept == 0.0] = 0
    return influences, kept
