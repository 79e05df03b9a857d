"""Where the points of a foot or a hand are for a limb's angles, how angles move them, and equation 5.7.

A limb is three joints on a base.  Each turns by its mean rotation and then by a rotation vector: what is held of it,
plus its angles along fixed axes.  The arrays of a limb are those of `variation/constraints/limbs.py`.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.geometry.kernels.quaternion import multiply, rotate
from gambol.kernels.jit import kernel

SMALL_RAD = 1e-4  # below, series replace quotients
STEPS = 60
LONGEST_STEP_RAD = 0.3
DONE_RAD = 1e-11
LEAST_DAMPING = 1e-10  # metres squared; keeps directions in which a limb cannot move out of the solution
FAR_DAMPING = 1e-2  # metres squared for each metre missed beyond
NEAR_M = 0.05  # this: a limb that cannot reach stretches calmly


@kernel
def exponential(x, y, z):
    """Return the rotation by a rotation vector."""
    angle = math.sqrt(x * x + y * y + z * z)
    half = 0.5 * angle
    scale = 0.5 - angle * angle / 48.0 if angle < SMALL_RAD else math.sin(half) / angle
    return math.cos(half), scale * x, scale * y, scale * z


@kernel
def own_axis(x, y, z, ax, ay, az):
    """Return the axis, in the turned frame, about which a rotation vector v turns when a is added to it."""
    squared = x * x + y * y + z * z
    angle = math.sqrt(squared)
    if angle < SMALL_RAD:
        first, second = 0.5 - squared / 24.0, 1.0 / 6.0 - squared / 120.0
    else:
        first, second = (1.0 - math.cos(angle)) / squared, (angle - math.sin(angle)) / (squared * angle)
    bx, by, bz = y * az - z * ay, z * ax - x * az, x * ay - y * ax
    cx, cy, cz = y * bz - z * by, z * bx - x * bz, x * by - y * bx
    return ax - first * bx + second * cx, ay - first * by + second * cy, az - first * bz + second * cz


@kernel
def place_points(
    frame, angles, base, origin, means, held, joints, axes, offsets, links, points, positions, turning, pivots
):
    """Fill in where the points are (P, 3), and the world axis and the place about which each angle turns (N, 3)."""
    w, x, y, z = base[frame, 0], base[frame, 1], base[frame, 2], base[frame, 3]
    px, py, pz = origin[frame, 0], origin[frame, 1], origin[frame, 2]
    count = len(angles)
    for joint in range(3):
        if joint > 0:
            ox, oy, oz = rotate(
                w, x, y, z, offsets[frame, joint - 1, 0], offsets[frame, joint - 1, 1], offsets[frame, joint - 1, 2]
            )
            px, py, pz = px + ox, py + oy, pz + oz
            link = links[frame, joint - 1]
            w, x, y, z = multiply(w, x, y, z, link[0], link[1], link[2], link[3])
        vx, vy, vz = held[frame, joint, 0], held[frame, joint, 1], held[frame, joint, 2]
        for i in range(count):
            if joints[i] == joint:
                vx += angles[i] * axes[i, 0]
                vy += angles[i] * axes[i, 1]
                vz += angles[i] * axes[i, 2]
        w, x, y, z = multiply(w, x, y, z, means[joint, 0], means[joint, 1], means[joint, 2], means[joint, 3])
        ew, ex, ey, ez = exponential(vx, vy, vz)
        w, x, y, z = multiply(w, x, y, z, ew, ex, ey, ez)
        for i in range(count):
            if joints[i] == joint:
                ax, ay, az = own_axis(vx, vy, vz, axes[i, 0], axes[i, 1], axes[i, 2])
                turning[i, 0], turning[i, 1], turning[i, 2] = rotate(w, x, y, z, ax, ay, az)
                pivots[i, 0], pivots[i, 1], pivots[i, 2] = px, py, pz
    for p in range(points.shape[1]):
        ox, oy, oz = rotate(w, x, y, z, points[frame, p, 0], points[frame, p, 1], points[frame, p, 2])
        positions[p, 0], positions[p, 1], positions[p, 2] = px + ox, py + oy, pz + oz


@kernel
def move_point(positions, point, turning, pivots, slopes):
    """Fill in how a point moves with each angle, (3, N)."""
    for i in range(len(turning)):
        ax, ay, az = turning[i, 0], turning[i, 1], turning[i, 2]
        rx = positions[point, 0] - pivots[i, 0]
        ry = positions[point, 1] - pivots[i, 1]
        rz = positions[point, 2] - pivots[i, 2]
        slopes[0, i] = ay * rz - az * ry
        slopes[1, i] = az * rx - ax * rz
        slopes[2, i] = ax * ry - ay * rx


@kernel
def all_points(angles, base, origin, means, held, joints, axes, offsets, links, points):
    """Return where the points are in every frame (F, P, 3), and how each moves with each angle (F, P, 3, N)."""
    frames, count = angles.shape
    places = np.empty((frames, points.shape[1], 3))
    slopes = np.empty((frames, points.shape[1], 3, count))
    turning, pivots = np.empty((count, 3)), np.empty((count, 3))
    for frame in range(frames):
        place_points(
            frame, angles[frame], base, origin, means, held, joints, axes, offsets, links, points,
            places[frame], turning, pivots,
        )  # fmt: skip
        for p in range(points.shape[1]):
            move_point(places[frame], p, turning, pivots, slopes[frame, p])
    return places, slopes


@kernel
def solve_positive(matrix, values, rows):
    """Solve a small positive definite system in place, by Cholesky's factors."""
    for i in range(rows):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i == j:
                matrix[i, i] = math.sqrt(total)
            else:
                matrix[i, j] = total / matrix[j, j]
    for i in range(rows):
        for k in range(i):
            values[i] -= matrix[i, k] * values[k]
        values[i] /= matrix[i, i]
    for i in range(rows - 1, -1, -1):
        for k in range(i + 1, rows):
            values[i] -= matrix[k, i] * values[k]
        values[i] /= matrix[i, i]


@kernel
def nearest_angles(
    frame, wanted, angles, places, on, base, origin, means, held, joints, axes, offsets, links, points, positions
):
    """Change angles (N,), a first guess, to those nearest to the wanted ones with the points that are on at places.

    Sequential quadratic programming: each step solves min |q - wanted|^2 subject to the linearised constraint, until
    nothing changes.  Where no angles will do, the limb stretches toward the places.  The points' positions (P, 3) of
    the last step but one are left behind.
    """
    count, rows = len(wanted), 0
    for p in range(points.shape[1]):
        rows += 3 if on[p] else 0
    turning, pivots = np.empty((count, 3)), np.empty((count, 3))
    slopes = np.empty((rows, count))
    matrix, multipliers = np.empty((rows, rows)), np.empty(rows)
    for _ in range(STEPS):
        place_points(
            frame, angles, base, origin, means, held, joints, axes, offsets, links, points, positions, turning, pivots
        )
        row = 0
        damping = LEAST_DAMPING
        for p in range(points.shape[1]):
            if on[p]:
                move_point(positions, p, turning, pivots, slopes[row : row + 3])
                for axis in range(3):
                    missing = places[p, axis] - positions[p, axis]
                    multipliers[row + axis] = missing
                    damping = max(damping, FAR_DAMPING * (abs(missing) - NEAR_M))
                row += 3
        # q = wanted + J' m, with m such that J (q - angles) = missing.
        for i in range(rows):
            for k in range(count):
                multipliers[i] -= slopes[i, k] * (wanted[k] - angles[k])
            for j in range(rows):
                matrix[i, j] = damping if i == j else 0.0
                for k in range(count):
                    matrix[i, j] += slopes[i, k] * slopes[j, k]
        solve_positive(matrix, multipliers, rows)
        longest = 0.0
        for k in range(count):
            change = wanted[k] - angles[k]
            for i in range(rows):
                change += slopes[i, k] * multipliers[i]
            turning[k, 0] = change
            longest = max(longest, abs(change))
        scale = min(1.0, LONGEST_STEP_RAD / max(longest, DONE_RAD))
        for k in range(count):
            angles[k] += scale * turning[k, 0]
        if longest < DONE_RAD:
            break


@kernel
def follow_frames(
    drawn,
    predicted,
    on,
    near,
    smooth,
    fading,
    base,
    origin,
    means,
    held,
    joints,
    axes,
    offsets,
    links,
    points,
    angles,
):
    """Fill in angles (F, N) frame by frame, each by equation 5.7 with the points that are on where they came to rest.

    near |q - predicted|^2 + smooth |q - 2 q(-1) + q(-2)|^2 is, but for what does not depend on q, a squared distance
    to one place times near + smooth: the angles nearest to that place are wanted.  Where nothing is on, the drawn
    angles are followed again, with what is left of a change after a frame: fading, by a critically damped spring.
    """
    frames, count = drawn.shape
    point_count = points.shape[1]
    pins, positions = np.zeros((point_count, 3)), np.zeros((point_count, 3))
    wanted, resting = np.empty(count), np.zeros(point_count, np.bool_)
    turning, pivots = np.empty((count, 3)), np.empty((count, 3))
    for frame in range(frames):
        any_resting, begins = False, False
        for p in range(point_count):
            resting[p] = on[frame, p] and frame > 0 and on[frame - 1, p]
            any_resting = any_resting or resting[p]
            begins = begins or (on[frame, p] and not resting[p])
        for i in range(count):
            angles[frame, i] = drawn[frame, i]
            if frame > 1:
                last = angles[frame - 1, i] - drawn[frame - 1, i]
                before = angles[frame - 2, i] - drawn[frame - 2, i]
                angles[frame, i] += 2.0 * fading * last - fading * fading * before
        if any_resting:
            for i in range(count):
                wanted[i] = predicted[frame, i]
                if frame > 1:
                    ahead = 2.0 * angles[frame - 1, i] - angles[frame - 2, i]
                    wanted[i] = (near * predicted[frame, i] + smooth * ahead) / (near + smooth)
                angles[frame, i] = drawn[frame, i]
            nearest_angles(
                frame,
                wanted,
                angles[frame],
                pins,
                resting,
                base,
                origin,
                means,
                held,
                joints,
                axes,
                offsets,
                links,
                points,
                positions,
            )
        if begins:
            place_points(
                frame,
                angles[frame],
                base,
                origin,
                means,
                held,
                joints,
                axes,
                offsets,
                links,
                points,
                positions,
                turning,
                pivots,
            )
            for p in range(point_count):
                if on[frame, p] and not resting[p]:
                    pins[p, 0], pins[p, 1], pins[p, 2] = positions[p, 0], positions[p, 1], positions[p, 2]


@kernel
def add_frames(
    places,
    slopes,
    angles,
    before,
    wanted,
    weights,
    stays,
    slides,
    floors,
    low,
    high,
    held,
    joints,
    axes,
    lowest,
    highest,
    firmness,
    grip,
    near,
    smooth,
    bands,
    pulls,
):
    """Gather the normal equations of a limb's frames: bands (2 N + 1, F N), the lower half, and pulls (F N).

    places, slopes: of the points now.  wanted (F, P, 3) with weights: where they should be.  stays (F - 1, P): how
    firmly a point should move over the ground by slides (F - 1, P, 2) until the next frame, and by no more.  floors
    (F, P): heights that they should not be below.  low, high (N,): what angles should not leave; lowest, highest
    (3, 3): nor the joints' rotation vectors.  Returns what all of it costs now.
    """
    frames, points, _, count = slopes.shape
    bands[:] = 0.0
    pulls[:] = 0.0
    cost = 0.0
    for frame in range(frames):
        at = frame * count
        for i in range(count):
            bands[0, at + i] += near
            away = angles[frame, i] - before[frame, i]
            pulls[at + i] -= near * away
            cost += near * away * away
            over = 0.0
            if angles[frame, i] > high[i]:
                over = angles[frame, i] - high[i]
            elif angles[frame, i] < low[i]:
                over = angles[frame, i] - low[i]
            if over != 0.0:
                bands[0, at + i] += firmness
                pulls[at + i] -= firmness * over
                cost += firmness * over * over
            if 0 < frame < frames - 1:
                bend = 0.0
                for step in range(-1, 2):
                    share = -2.0 if step == 0 else 1.0
                    bend += share * (angles[frame + step, i] - before[frame + step, i])
                cost += smooth[i] * bend * bend
                for step in range(-1, 2):
                    share = -2.0 if step == 0 else 1.0
                    pulls[at + step * count + i] -= smooth[i] * share * bend
                    for other in range(-1, step + 1):
                        other_share = -2.0 if other == 0 else 1.0
                        bands[(step - other) * count, at + other * count + i] += smooth[i] * share * other_share
        for joint in range(3):
            for axis in range(3):
                turn = held[frame, joint, axis]
                for i in range(count):
                    if joints[i] == joint:
                        turn += angles[frame, i] * axes[i, axis]
                over = 0.0
                if turn > highest[joint, axis]:
                    over = turn - highest[joint, axis]
                elif turn < lowest[joint, axis]:
                    over = turn - lowest[joint, axis]
                if over != 0.0:
                    cost += firmness * over * over
                    for i in range(count):
                        if joints[i] == joint:
                            pulls[at + i] -= firmness * over * axes[i, axis]
                            for j in range(i + 1):
                                if joints[j] == joint:
                                    bands[i - j, at + j] += firmness * axes[i, axis] * axes[j, axis]
        for p in range(points):
            for axis in range(3):
                weight = weights[frame, p, axis]
                missing = wanted[frame, p, axis] - places[frame, p, axis]
                if axis == 2 and places[frame, p, 2] < floors[frame, p] and weight == 0.0:
                    weight, missing = grip, floors[frame, p] - places[frame, p, 2]
                if weight > 0.0:
                    cost += weight * missing * missing
                    for i in range(count):
                        pulls[at + i] += weight * slopes[frame, p, axis, i] * missing
                        for j in range(i + 1):
                            product = slopes[frame, p, axis, i] * slopes[frame, p, axis, j]
                            bands[i - j, at + j] += weight * product
            if frame < frames - 1 and stays[frame, p] > 0.0:
                weight = grip * stays[frame, p]
                for axis in range(2):
                    slide = places[frame + 1, p, axis] - places[frame, p, axis] - slides[frame, p, axis]
                    cost += weight * slide * slide
                    for i in range(count):
                        now, then = -slopes[frame, p, axis, i], slopes[frame + 1, p, axis, i]
                        pulls[at + i] -= weight * now * slide
                        pulls[at + count + i] -= weight * then * slide
                        for j in range(count):
                            earlier, later = -slopes[frame, p, axis, j], slopes[frame + 1, p, axis, j]
                            if j <= i:
                                bands[i - j, at + j] += weight * now * earlier
                                bands[i - j, at + count + j] += weight * then * later
                            bands[count + i - j, at + j] += weight * then * earlier
    return cost
