"""Ways between two postures that share grasps: straight, with an arc of the limb that moves, or by a small tree.

Between two configurations pelvis, torso, head and free limbs move straight in their coordinates; held limbs follow by
inverse kinematics.  A way is checked along all of it: reach, joint limits, clearance and what gravity allows.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gambol.climb.figure import FigureTable
from gambol.climb.kernels.chance import normal, uniform
from gambol.climb.kernels.field import DistanceField, clearance
from gambol.climb.kernels.kinematics import centre_of_mass, place, reach, within_limits
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel

STEP_M = 0.03  # of pelvis or limb's end between two samples, about
STEP_RAD = 0.08
LOOK_M = 0.03  # how far a point moves at most between two looks: farther, a hand could go through a corner


@kernel
def is_allowed(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    q: FloatArray,
    points: FloatArray,
) -> bool:
    """Set the held limbs of a configuration and tell whether the figure can be so.

    span: (3,) where the centre of mass may be (low, high), and how high the head.
    """
    for limb in range(4):
        if grasps[limb] >= 0 and not reach(figure, facing, q, limb, targets[limb, 0], targets[limb, 1]):
            return False
    if not within_limits(figure, q):
        return False
    place(figure, facing, q, points)
    centre_x, _ = centre_of_mass(figure, points)
    if centre_x < span[0] or centre_x > span[1] or points[3, 1] + figure.radius[1] > span[2]:
        return False
    return clearance(figure, field, points, margin) >= margin


@kernel
def _is_allowed_between(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    a: FloatArray,
    b: FloatArray,
    points: FloatArray,
) -> bool:
    """Tell whether the figure can be so on all of a step between two samples, which are not looked at themselves.

    Joints that turn together carry a limb's end much farther than each alone: how far points go says where to look.
    """
    place(figure, facing, a, points)
    others = points.copy()
    place(figure, facing, b, points)
    far = 0.0
    for point in range(12):
        far = max(far, (points[point, 0] - others[point, 0]) ** 2 + (points[point, 1] - others[point, 1]) ** 2)
    count = math.ceil(math.sqrt(far) / LOOK_M)
    for k in range(1, count):
        middle = a + k / count * (b - a)
        if not is_allowed(figure, field, facing, targets, grasps, span, margin, middle, points):
            return False
    return True


@kernel
def _gaps_are_allowed(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    a: FloatArray,
    way: FloatArray,
    points: FloatArray,
) -> bool:
    """Tell whether the figure can be so between a and all samples of a way."""
    before = a
    for sample in way:
        if not _is_allowed_between(figure, field, facing, targets, grasps, span, margin, before, sample, points):
            return False
        before = sample
    return True


@kernel
def steps_between(a: FloatArray, b: FloatArray) -> int:
    """Return into how many steps a straight way is cut."""
    most = math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) / STEP_M
    for at in range(2, 12):
        most = max(most, abs(b[at] - a[at]) / STEP_RAD)
    return max(1, math.ceil(most))


@kernel
def straight_way(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    a: FloatArray,
    b: FloatArray,
    way: FloatArray,
) -> int:
    """Write the samples of the straight way after a into way (N, 12); return how many, or -1 if it is blocked."""
    points = np.empty((12, 2))
    count = steps_between(a, b)
    if count > len(way):
        return -1
    for k in range(1, count + 1):
        t = k / count
        for at in range(12):
            way[k - 1, at] = a[at] + t * (b[at] - a[at])
        if not is_allowed(figure, field, facing, targets, grasps, span, margin, way[k - 1], points):
            return -1
    if not _gaps_are_allowed(figure, field, facing, targets, grasps, span, margin, a, way[:count], points):
        return -1
    return count


@kernel
def arc_way(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    limb: int,
    lift_x: float,
    lift_z: float,
    push_x: float,
    push_z: float,
    a: FloatArray,
    b: FloatArray,
    way: FloatArray,
) -> int:
    """As `straight_way`, with a limb's end on an arc: straight, plus a lift in the middle; the pelvis is pushed aside.

    grasps: without the moving limb's.
    """
    points = np.empty((12, 2))
    end = 5 + 2 * limb
    place(figure, facing, a, points)
    from_x, from_z = points[end, 0], points[end, 1]
    place(figure, facing, b, points)
    to_x, to_z = points[end, 0], points[end, 1]
    length = math.sqrt((to_x - from_x) ** 2 + (to_z - from_z) ** 2) + 2.0 * math.sqrt(lift_x**2 + lift_z**2)
    count = max(8, steps_between(a, b), math.ceil(length / STEP_M))
    if count > len(way):
        return -1
    for k in range(1, count + 1):
        t = k / count
        for at in range(12):
            way[k - 1, at] = a[at] + t * (b[at] - a[at])
        bow = math.sin(math.pi * t)
        way[k - 1, 0] += push_x * bow
        way[k - 1, 1] += push_z * bow
        # The end leaves and arrives along the lift, and is quickest in between.
        eased = t * t * (3.0 - 2.0 * t)
        x = from_x + eased * (to_x - from_x) + lift_x * bow
        z = from_z + eased * (to_z - from_z) + lift_z * bow
        if not reach(figure, facing, way[k - 1], limb, x, z):
            return -1
        if not is_allowed(figure, field, facing, targets, grasps, span, margin, way[k - 1], points):
            return -1
    if not _gaps_are_allowed(figure, field, facing, targets, grasps, span, margin, a, way[:count], points):
        return -1
    return count


@kernel
def _apart(a: FloatArray, b: FloatArray, grasps: Int32Array) -> float:
    """Return how far two configurations are apart, squared, in about metres; held limbs follow the rest."""
    total = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + 0.25 * (a[2] - b[2]) ** 2 + 0.01 * (a[3] - b[3]) ** 2
    for limb in range(4):
        if grasps[limb] < 0:
            at = 4 + 2 * limb
            total += 0.16 * (a[at] - b[at]) ** 2 + 0.08 * (a[at + 1] - b[at + 1]) ** 2
    return total


@kernel
def _grow(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    nodes: FloatArray,
    parents: Int32Array,
    count: int,
    aim: FloatArray,
    greedy: bool,
    points: FloatArray,
) -> tuple[int, bool]:
    """Grow a tree towards a configuration; return how many nodes it has, and whether the last one is there."""
    nearest, least = 0, 1e18
    for k in range(count):
        distance = _apart(nodes[k], aim, grasps)
        if distance < least:
            nearest, least = k, distance
    while count < len(nodes):
        distance = math.sqrt(_apart(nodes[nearest], aim, grasps))
        steps = max(1.0, distance / 0.06)
        for at in range(12):
            nodes[count, at] = nodes[nearest, at] + (aim[at] - nodes[nearest, at]) / steps
        if not is_allowed(figure, field, facing, targets, grasps, span, margin, nodes[count], points):
            return count, False
        if not _is_allowed_between(
            figure, field, facing, targets, grasps, span, margin, nodes[nearest], nodes[count], points
        ):
            return count, False
        parents[count] = nearest
        nearest = count
        count += 1
        if steps <= 1.0:
            return count, True
        if not greedy:
            return count, False
    return count, False


@kernel
def tree_way(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    targets: FloatArray,
    grasps: Int32Array,
    span: FloatArray,
    margin: float,
    a: FloatArray,
    b: FloatArray,
    most: int,
    state: NDArray[np.uint64],
    way: FloatArray,
) -> int:
    """Find a way by two trees that grow towards each other [Kuffner and LaValle 2000]; as `straight_way`."""
    points = np.empty((12, 2))
    trees = np.empty((2, most, 12))
    parents = np.full((2, most), -1, np.int32)
    counts = np.ones(2, np.int64)
    trees[0, 0] = a
    trees[1, 0] = b
    aim = np.empty(12)
    turn = 0
    for _ in range(4 * most):
        own, other = turn, 1 - turn
        if counts[own] >= most or counts[other] >= most:
            return -1
        t = uniform(state)
        widely = uniform(state) < 0.5
        for at in range(12):
            spread = 0.15 if at < 2 else (0.9 if widely and at >= 4 else 0.4)
            aim[at] = a[at] + t * (b[at] - a[at]) + spread * normal(state)
            if at >= 2:
                aim[at] = min(figure.high[at], max(figure.low[at], aim[at]))
        before = counts[own]
        counts[own], _there = _grow(
            figure, field, facing, targets, grasps, span, margin, trees[own], parents[own], before, aim, False, points
        )
        if counts[own] > before:
            for at in range(12):
                aim[at] = trees[own, counts[own] - 1, at]
            counts[other], there = _grow(
                figure, field, facing, targets, grasps, span, margin, trees[other], parents[other], counts[other], aim,
                True, points,
            )  # fmt: skip
            if there:
                return _write_out(trees, parents, counts[0] - 1, counts[1] - 1, way)
        turn = other
    return -1


@kernel
def _write_out(trees: FloatArray, parents: Int32Array, first: int, second: int, way: FloatArray) -> int:
    """Write the way from the first tree's root to the second's, without the former."""
    length = 0
    at = first
    while at > 0:
        length += 1
        at = parents[0, at]
    if length > len(way):
        return -1
    at = first
    for k in range(length - 1, -1, -1):
        way[k] = trees[0, at]
        at = parents[0, at]
    at = parents[1, second]  # the second tree's last node is the first one's
    while at >= 0:
        if length >= len(way):
            return -1
        way[length] = trees[1, at]
        length += 1
        at = parents[1, at]
    return length
