"""Put the feet and hands of a blended window where the clips have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gambol.characters.kernels.changeover import JoinPoints, choose_changeover, ramp, stands
from gambol.characters.kernels.limb_bending import WorldPoses, bend_limb, fixed_points, world_poses
from gambol.geometry.kernels.quaternion import multiply, rotate, slerp
from gambol.kernels.jit import kernel
from gambol.motion.kernels.two_bone import unit_or

if TYPE_CHECKING:
    from gambol.characters.kernels.blending import PoseWindow
    from gambol.characters.motion_table import LimbTable, MotionTable
    from gambol.geometry.arrays import FloatArray

LIFTING_ROUNDS = 3  # rounds, >= 1: the most that lift a sole out of the ground; more lifts more exactly
LEAST_LIFT_M = 0.001  # m, >= 0: a sole may be this much deeper in the ground than in its clip


@kernel
def plant_limbs(
    table: MotionTable,
    limbs: LimbTable,
    a: int,
    b: int,
    before: PoseWindow,
    after: PoseWindow,
    mixed: PoseWindow,
):
    """Plant the limbs of the mixed window that stand around the join of clips a and b; other limbs stay as mixed.

    Legs are kept above the ground, and on the board of a figure with a board.
    """
    a_poses, b_poses = world_poses(limbs.parents, before), world_poses(limbs.parents, after)
    points = JoinPoints(
        limbs.point_limb,
        fixed_points(limbs.point_joint, limbs.point_offset, a_poses),
        fixed_points(limbs.point_joint, limbs.point_offset, b_poses),
        before.planted,
        after.planted,
        table.rate_hz,
    )
    frames = mixed.roots.shape[0]
    weights, targets, ends = np.empty(frames), np.empty((frames, 3)), np.empty((frames, 4))
    for limb in range(limbs.joints.shape[0]):
        first, last = 0, frames - 1
        is_planted = stands(points, limb)
        if not (is_planted or limbs.is_leg[limb]):
            continue
        if is_planted:
            first, last = choose_changeover(points, limb)
        for f in range(frames):
            weights[f] = ramp(f, first, last)
        support = -1 if is_planted else limbs.support
        is_led = is_planted or support >= 0
        if is_led:
            follow(limbs, limb, weights, before, after, mixed)
        mixed_poses = world_poses(limbs.parents, mixed)
        if is_led:
            aim_between(support, limbs.joints[limb, 2], weights, a_poses, b_poses, mixed_poses, targets, ends)
        else:
            aim_as_is(limbs.joints[limb, 2], mixed_poses, targets, ends)
        a_depths, b_depths = sunken(limbs, limb, a_poses), sunken(limbs, limb, b_poses)
        bend_above_ground(table, limbs, limb, a, b, targets, ends, a_depths, b_depths, mixed)


@kernel
def mix_rotation(a: FloatArray, b: FloatArray, f: int, j: int, weight: float):
    """Return the rotation of joint j in frame f, mixed from rotations a and b (N, J, 4)."""
    return slerp(a[f, j, 0], a[f, j, 1], a[f, j, 2], a[f, j, 3], b[f, j, 0], b[f, j, 1], b[f, j, 2], b[f, j, 3], weight)


@kernel
def follow(limbs: LimbTable, limb: int, weights: FloatArray, before: PoseWindow, after: PoseWindow, mixed: PoseWindow):
    """Mix a limb's contacts and rotations by its own weights (N,): a straight leg stays straight while it stands."""
    for f in range(weights.shape[0]):
        for p in range(limbs.point_limb.shape[0]):
            if limbs.point_limb[p] == limb:
                mixed.planted[f, p] = before.planted[f, p] if weights[f] < 0.5 else after.planted[f, p]
        for j in range(limbs.parents.shape[0]):
            if limbs.is_own[limb, j]:
                w, x, y, z = mix_rotation(before.rotations, after.rotations, f, j, weights[f])
                mixed.rotations[f, j, 0], mixed.rotations[f, j, 1] = w, x
                mixed.rotations[f, j, 2], mixed.rotations[f, j, 3] = y, z


@kernel
def from_support(poses: WorldPoses, f: int, j: int, support: int):
    """Return a joint's position and orientation, seen from a moving support, or from the world if it is -1."""
    positions, rotations = poses
    x, y, z = positions[f, j, 0], positions[f, j, 1], positions[f, j, 2]
    w, i, k, m = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
    if support >= 0:
        s = support
        sw, si, sk, sm = rotations[f, s, 0], -rotations[f, s, 1], -rotations[f, s, 2], -rotations[f, s, 3]
        x, y, z = x - positions[f, s, 0], y - positions[f, s, 1], z - positions[f, s, 2]
        x, y, z = rotate(sw, si, sk, sm, x, y, z)
        w, i, k, m = multiply(sw, si, sk, sm, w, i, k, m)
    return x, y, z, w, i, k, m


@kernel
def aim_between(
    support: int,
    j: int,
    weights: FloatArray,
    a: WorldPoses,
    b: WorldPoses,
    mixed: WorldPoses,
    targets: FloatArray,
    ends: FloatArray,
):
    """Fill in where a joint should be, mixed from both clips: in the world, or on a support as it is mixed."""
    positions, rotations = mixed
    for f in range(weights.shape[0]):
        ax, ay, az, aw, ai, ak, am = from_support(a, f, j, support)
        bx, by, bz, bw, bi, bk, bm = from_support(b, f, j, support)
        x, y, z = ax + weights[f] * (bx - ax), ay + weights[f] * (by - ay), az + weights[f] * (bz - az)
        w, i, k, m = slerp(aw, ai, ak, am, bw, bi, bk, bm, weights[f])
        if support >= 0:
            s = support
            sw, si, sk, sm = rotations[f, s, 0], rotations[f, s, 1], rotations[f, s, 2], rotations[f, s, 3]
            x, y, z = rotate(sw, si, sk, sm, x, y, z)
            x, y, z = x + positions[f, s, 0], y + positions[f, s, 1], z + positions[f, s, 2]
            w, i, k, m = multiply(sw, si, sk, sm, w, i, k, m)
        targets[f, 0], targets[f, 1], targets[f, 2] = x, y, z
        ends[f, 0], ends[f, 1], ends[f, 2], ends[f, 3] = w, i, k, m


@kernel
def aim_as_is(j: int, poses: WorldPoses, targets: FloatArray, ends: FloatArray):
    """Fill in where a joint is."""
    for f in range(targets.shape[0]):
        for c in range(3):
            targets[f, c] = poses.positions[f, j, c]
        for c in range(4):
            ends[f, c] = poses.rotations[f, j, c]


@kernel
def sunken(limbs: LimbTable, limb: int, poses: WorldPoses) -> FloatArray:
    """Return the depth of the lowest point of a leg's sole below the ground in each frame (N,), metres."""
    depths = np.zeros(poses.positions.shape[0])
    points = fixed_points(limbs.sole_joint, limbs.sole_offset, poses)
    for f in range(points.shape[0]):
        for p in range(points.shape[1]):
            if limbs.sole_limb[p] == limb:
                depths[f] = max(depths[f], -points[f, p, 2])
    return depths


@kernel
def bend_above_ground(
    table: MotionTable,
    limbs: LimbTable,
    limb: int,
    a: int,
    b: int,
    targets: FloatArray,
    ends: FloatArray,
    a_depths: FloatArray,
    b_depths: FloatArray,
    mixed: PoseWindow,
):
    """Bend a limb of the mixed window to its targets, but no deeper into the ground than in the clips.

    The mix of two feet on the ground may sink into it if one is turned relative to the other.
    """
    frames = targets.shape[0]
    hinge_x, hinge_y, hinge_z, _ = unit_or(
        table.hinges[a, limb, 0] + table.hinges[b, limb, 0],
        table.hinges[a, limb, 1] + table.hinges[b, limb, 1],
        table.hinges[a, limb, 2] + table.hinges[b, limb, 2],
        table.hinges[a, limb, 0],
        table.hinges[a, limb, 1],
        table.hinges[a, limb, 2],
    )
    for _ in range(LIFTING_ROUNDS):
        bend_limb(limbs, limb, hinge_x, hinge_y, hinge_z, targets, ends, mixed)
        depths = sunken(limbs, limb, world_poses(limbs.parents, mixed))
        is_lifted = False
        for f in range(frames):
            lift = depths[f] - (a_depths[f] if f <= frames // 2 else b_depths[f])
            if lift > LEAST_LIFT_M:
                targets[f, 2] += lift
                is_lifted = True
        if not is_lifted:
            return
