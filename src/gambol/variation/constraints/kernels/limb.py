"""Where the points of a foot or a hand are for a limb's angles, how angles move them, and equation 5.7.

A limb is three joints on a base.  Each turns by its mean rotation and then by a rotation vector: the held part of it,
plus its angles along fixed axes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.kernels.jit import kernel
from gambol.variation.constraints.kernels.quaternion import multiply, rotate

REACH = 0.97  # share of a limb's length, 0 to 1: a limb stretches no farther from its first joint to its end
SMALL_RAD = 1e-4  # radians: series replace the quotients of smaller angles
STEPS = 60  # the most steps of the search for the nearest angles
LONGEST_STEP_RAD = 0.3  # radians: the most that an angle changes in a step of the search
DONE_RAD = 1e-11  # radians: a search ends when no angle changes more
LEAST_DAMPING = 1e-10  # square metres: ignores directions in which a limb cannot move
NEAR_M = 0.05  # metres: a limb that misses its place by more is damped
FAR_DAMPING = (
    1e-2  # square metres of damping for each metre beyond NEAR_M; larger: out of reach, a limb moves more calmly
)


class LimbFrames(NamedTuple):
    """All that a limb's motion is, except its angles."""

    base: FloatArray  # (F, 4) orientation in the world of the joint above the limb
    origin: FloatArray  # (F, 3) metres, position of the limb's first joint
    means: FloatArray  # (3, 4) mean rotations of the joints
    held: FloatArray  # (F, 3, 3) rotation vectors without their angles
    joints: Int64Array  # (N,) 0, 1 or 2: the joint of each angle
    axes: FloatArray  # (N, 3) the axis of each angle
    offsets: FloatArray  # (F, 2, 3) metres from joint to joint, in the frame of the upper one
    links: FloatArray  # (F, 2, 4) rotation of the joints between two joints of the limb
    points: FloatArray  # (F, P, 3) metres, in the frame of the limb's end

    def places(self, angles: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return where the points are (F, P, 3), and how they move with each angle (F, P, 3, N)."""
        return all_points(np.ascontiguousarray(angles), self)

    def within_reach(self, wanted: FloatArray, at: Int64Array) -> FloatArray:
        """Return places (K, 3) for the first point in frames (K,), brought nearer where the limb is too short."""
        bones = np.linalg.norm(self.offsets[at], axis=-1).sum(axis=1) + np.linalg.norm(self.points[at, 0], axis=-1)
        away = wanted - self.origin[at]
        share = np.minimum(1.0, REACH * bones / np.maximum(np.linalg.norm(away, axis=1), 1e-9))
        return self.origin[at] + share[:, None] * away


@kernel
def exponential(x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Return the rotation by a rotation vector."""
    angle = math.sqrt(x * x + y * y + z * z)
    half = 0.5 * angle
    scale = 0.5 - angle * angle / 48.0 if angle < SMALL_RAD else math.sin(half) / angle
    return math.cos(half), scale * x, scale * y, scale * z


@kernel
def own_axis(x: float, y: float, z: float, ax: float, ay: float, az: float) -> tuple[float, float, float]:
    """Return the axis, in the turned frame, about which adding a to the rotation vector (x, y, z) turns."""
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
    frame: int,
    angles: FloatArray,  # (N,)
    limb: LimbFrames,
    positions: FloatArray,  # (P, 3) written: where the points are
    turning: FloatArray,  # (N, 3) written: the axis in the world about which each angle turns
    pivots: FloatArray,  # (N, 3) written: the place about which each angle turns
) -> None:
    """Write where the points are in a frame, and about what each angle turns them."""
    base, origin, means, held, joints, axes, offsets, links, points = limb
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
def move_point(positions: FloatArray, point: int, turning: FloatArray, pivots: FloatArray, slopes: FloatArray) -> None:
    """Write how a point of positions (P, 3) moves with each angle: slopes (3, N)."""
    for i in range(len(turning)):
        ax, ay, az = turning[i, 0], turning[i, 1], turning[i, 2]
        rx = positions[point, 0] - pivots[i, 0]
        ry = positions[point, 1] - pivots[i, 1]
        rz = positions[point, 2] - pivots[i, 2]
        slopes[0, i] = ay * rz - az * ry
        slopes[1, i] = az * rx - ax * rz
        slopes[2, i] = ax * ry - ay * rx


@kernel
def all_points(angles: FloatArray, limb: LimbFrames) -> tuple[FloatArray, FloatArray]:
    """Return where the points are in every frame (F, P, 3), and how each moves with each angle (F, P, 3, N)."""
    frames, count = angles.shape
    point_count = limb.points.shape[1]
    places = np.empty((frames, point_count, 3))
    slopes = np.empty((frames, point_count, 3, count))
    turning, pivots = np.empty((count, 3)), np.empty((count, 3))
    for frame in range(frames):
        place_points(frame, angles[frame], limb, places[frame], turning, pivots)
        for p in range(point_count):
            move_point(places[frame], p, turning, pivots, slopes[frame, p])
    return places, slopes


@kernel
def solve_positive(matrix: FloatArray, values: FloatArray, rows: int) -> None:
    """Solve a small positive definite system (rows, rows) in place, by Cholesky's factors."""
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
    frame: int,
    wanted: FloatArray,  # (N,)
    angles: FloatArray,  # (N,) a first guess; written
    places: FloatArray,  # (P, 3) metres
    on: BoolArray,  # (P,) the points that have to be at their places
    limb: LimbFrames,
    positions: FloatArray,  # (P, 3) written: where the points were before the last step
) -> None:
    """Change angles to those nearest to the wanted ones with the points that are on at their places.

    Sequential quadratic programming: each step solves min |q - wanted|^2 subject to the linearised constraint, until
    nothing changes.  Where no angles will do, the limb stretches toward the places.
    """
    count, point_count, rows = len(wanted), len(places), 0
    for p in range(point_count):
        rows += 3 if on[p] else 0
    turning, pivots = np.empty((count, 3)), np.empty((count, 3))
    slopes = np.empty((rows, count))
    matrix, multipliers = np.empty((rows, rows)), np.empty(rows)
    for _ in range(STEPS):
        place_points(frame, angles, limb, positions, turning, pivots)
        row = 0
        damping = LEAST_DAMPING
        for p in range(point_count):
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
    drawn: FloatArray,  # (F, N)
    predicted: FloatArray,  # (F, N)
    on: BoolArray,  # (F, P) the points that rest
    near: float,
    smooth: float,
    fading: float,
    limb: LimbFrames,
    angles: FloatArray,  # (F, N) written
) -> None:
    """Write angles frame by frame, each by equation 5.7 with the points that are on where they came to rest.

    near |q - predicted|^2 + smooth |q - 2 q(-1) + q(-2)|^2 is, except for terms without q, a squared distance to one
    place times near + smooth: the angles nearest to that place are wanted.  Where nothing is on, the angles return to
    the drawn ones by a critically damped spring: `fading` is the share of a change that is left after a frame.
    """
    frames, count = drawn.shape
    point_count = on.shape[1]
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
            nearest_angles(frame, wanted, angles[frame], pins, resting, limb, positions)
        if begins:
            place_points(frame, angles[frame], limb, positions, turning, pivots)
            for p in range(point_count):
                if on[frame, p] and not resting[p]:
                    pins[p, 0], pins[p, 1], pins[p, 2] = positions[p, 0], positions[p, 1], positions[p, 2]
