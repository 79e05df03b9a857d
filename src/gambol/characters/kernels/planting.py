"""Put the feet and hands of a blended window where the clips have them."""

from __future__ import annotations

import numpy as np

from gambol.characters.kernels.changeover import choose_changeover, ramp, stands
from gambol.characters.kernels.limb_bending import bend_limb, fixed_points, world_poses
from gambol.geometry.kernels.quaternion import multiply, rotate, slerp
from gambol.kernels.jit import kernel
from gambol.motion.kernels.two_bone import unit_or

LIFTING_ROUNDS = 3
LEAST_LIFT_M = 0.001  # a sole less deep in the ground than this is left there


@kernel
def plant_limbs(table, limbs, a, b, before, after, mixed):
    """Plant the limbs of the mixed window that stand around the join of clips a and b; the others stay as mixed.

    Legs are kept above the ground, and on the board of a figure that has one.
    """
    a_positions, a_rotations = world_poses(limbs.parents, before)
    b_positions, b_rotations = world_poses(limbs.parents, after)
    a_points = fixed_points(limbs.point_joint, limbs.point_offset, a_positions, a_rotations)
    b_points = fixed_points(limbs.point_joint, limbs.point_offset, b_positions, b_rotations)
    frames = mixed.roots.shape[0]
    weights, targets, ends = np.empty(frames), np.empty((frames, 3)), np.empty((frames, 4))
    for limb in range(limbs.joints.shape[0]):
        first, last = 0, frames - 1
        is_planted = stands(limbs.point_limb, limb, before.planted, after.planted)
        if not (is_planted or limbs.is_leg[limb]):
            continue
        if is_planted:
            first, last = choose_changeover(
                limbs.point_limb, limb, a_points, b_points, before.planted, after.planted, table.rate_hz
            )
        for f in range(frames):
            weights[f] = ramp(f, first, last)
        support = -1 if is_planted else limbs.support
        is_led = is_planted or support >= 0
        if is_led:
            follow(limbs, limb, weights, before, after, mixed)
        positions, rotations = world_poses(limbs.parents, mixed)
        if is_led:
            aim_between(support, limbs.joints[limb, 2], weights, a_positions, a_rotations, b_positions, b_rotations,
                        positions, rotations, targets, ends)  # fmt: skip
        else:
            aim_as_is(limbs.joints[limb, 2], positions, rotations, targets, ends)
        a_depths = sunken(limbs, limb, a_positions, a_rotations)
        b_depths = sunken(limbs, limb, b_positions, b_rotations)
        bend_above_ground(table, limbs, limb, a, b, targets, ends, a_depths, b_depths, mixed)


@kernel
def mix_rotation(a, b, f, j, weight):
    """Return what lies between the rotations of joint j in frame f."""
    return slerp(a[f, j, 0], a[f, j, 1], a[f, j, 2], a[f, j, 3], b[f, j, 0], b[f, j, 1], b[f, j, 2], b[f, j, 3], weight)


@kernel
def follow(limbs, limb, weights, before, after, mixed):
    """Let a limb's contacts and rotations go by its own weights: a straight leg stays one while it stands."""
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
def from_support(positions, rotations, f, j, support):
    """Return a joint's position and orientation as seen from a support that moves, or from the world."""
    x, y, z = positions[f, j, 0], positions[f, j, 1], positions[f, j, 2]
    w, i, k, m = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
    if support >= 0:
        sw, si, sk, sm = (
            rotations[f, support, 0], -rotations[f, support, 1], -rotations[f, support, 2], -rotations[f, support, 3],
        )  # fmt: skip
        x, y, z = rotate(
            sw, si, sk, sm,
            x - positions[f, support, 0], y - positions[f, support, 1], z - positions[f, support, 2],
        )  # fmt: skip
        w, i, k, m = multiply(sw, si, sk, sm, w, i, k, m)
    return x, y, z, w, i, k, m


@kernel
def aim_between(
    support, j, weights, a_positions, a_rotations, b_positions, b_rotations, positions, rotations, targets, ends
):
    """Fill in where a joint shall be between where the clips have it, on the world or on a support that is mixed."""
    for f in range(weights.shape[0]):
        ax, ay, az, aw, ai, ak, am = from_support(a_positions, a_rotations, f, j, support)
        bx, by, bz, bw, bi, bk, bm = from_support(b_positions, b_rotations, f, j, support)
        x, y, z = ax + weights[f] * (bx - ax), ay + weights[f] * (by - ay), az + weights[f] * (bz - az)
        w, i, k, m = slerp(aw, ai, ak, am, bw, bi, bk, bm, weights[f])
        if support >= 0:
            sw, si, sk, sm = (
                rotations[f, support, 0], rotations[f, support, 1], rotations[f, support, 2], rotations[f, support, 3],
            )  # fmt: skip
            x, y, z = rotate(sw, si, sk, sm, x, y, z)
            x, y, z = x + positions[f, support, 0], y + positions[f, support, 1], z + positions[f, support, 2]
            w, i, k, m = multiply(sw, si, sk, sm, w, i, k, m)
        targets[f, 0], targets[f, 1], targets[f, 2] = x, y, z
        ends[f, 0], ends[f, 1], ends[f, 2], ends[f, 3] = w, i, k, m


@kernel
def aim_as_is(j, positions, rotations, targets, ends):
    """Fill in where a joint is."""
    for f in range(targets.shape[0]):
        for c in range(3):
            targets[f, c] = positions[f, j, c]
        for c in range(4):
            ends[f, c] = rotations[f, j, c]


@kernel
def sunken(limbs, limb, positions, rotations):
    """Return how deep the lowest point of a leg's sole is below the ground in each frame (N,)."""
    depths = np.zeros(positions.shape[0])
    points = fixed_points(limbs.sole_joint, limbs.sole_offset, positions, rotations)
    for f in range(points.shape[0]):
        for p in range(points.shape[1]):
            if limbs.sole_limb[p] == limb:
                depths[f] = max(depths[f], -points[f, p, 2])
    return depths


@kernel
def bend_above_ground(table, limbs, limb, a, b, targets, ends, a_depths, b_depths, mixed):
    """Bend a limb of the mixed window to where its end shall be, but no deeper into the ground than in the clip.

    Between two feet on the ground, one turned from the other, lies one that may dip into it.
    """
    frames = targets.shape[0]
    hinge_x, hinge_y, hinge_z, _ = unit_or(
        table.hinges[a, limb, 0] + table.hinges[b, limb, 0],
        table.hinges[a, limb, 1] + table.hinges[b, limb, 1],
        table.hinges[a, limb, 2] + table.hinges[b, limb, 2],
        table.hinges[a, limb, 0], table.hinges[a, limb, 1], table.hinges[a, limb, 2],
    )  # fmt: skip
    for _ in range(LIFTING_ROUNDS):
        bend_limb(limbs, limb, hinge_x, hinge_y, hinge_z, targets, ends, mixed)
        positions, rotations = world_poses(limbs.parents, mixed)
        depths = sunken(limbs, limb, positions, rotations)
        is_lifted = False
        for f in range(frames):
            lift = depths[f] - (a_depths[f] if f <= frames // 2 else b_depths[f])
            if lift > LEAST_LIFT_M:
                targets[f, 2] += lift
                is_lifted = True
        if not is_lifted:
            return
