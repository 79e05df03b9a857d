"""Blend two clips around their join, frame by frame, in the frame of the join's pose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.characters.kernels.changeover import ramp
from gambol.characters.kernels.planting import plant_limbs
from gambol.geometry.kernels.quaternion import multiply, slerp
from gambol.kernels.jit import kernel

if TYPE_CHECKING:
    from gambol.characters.motion_table import LimbTable, MotionTable
    from gambol.geometry.arrays import BoolArray, FloatArray

SETTLING_S = 0.05  # s, > 0: a difference in speed at a cut-off take fades over this time; larger is smoother
ROUNDING_M = 0.008  # m, > 0: the most by which the root cuts the corner between two paths; larger is smoother


class PoseWindow(NamedTuple):
    """N frames around a join; the middle one is the join itself."""

    roots: FloatArray  # (N, 3) metres
    rotations: FloatArray  # (N, J, 4) local
    offsets: FloatArray  # (N, J, 3) metres, or (1, J, 3) where all bones are rigid
    planted: BoolArray  # (N, P) whether each contact point rests


@kernel
def rotation_vector(w: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return axis times angle of a unit quaternion; the angle is at most half a turn."""
    sine = math.sqrt(x * x + y * y + z * z)
    if sine < 1e-12:
        return 0.0, 0.0, 0.0
    scale = (2.0 if w >= 0.0 else -2.0) * math.atan2(sine, abs(w)) / sine
    return scale * x, scale * y, scale * z


@kernel
def turn_by(w, x, y, z, vx, vy, vz):
    """Turn a rotation in its own frame by axis times angle."""
    angle = math.sqrt(vx * vx + vy * vy + vz * vz)
    scale = 0.5 if angle < 1e-9 else math.sin(0.5 * angle) / angle
    return multiply(w, x, y, z, math.cos(0.5 * angle), scale * vx, scale * vy, scale * vz)


@kernel
def turn_between(rotations: FloatArray, j: int, f: int, others: FloatArray, g: int) -> tuple[float, float, float]:
    """Return axis times angle that turns joint j of rotations[f] into that of others[g], in the joint's own frame."""
    w, x, y, z = rotations[f, j, 0], -rotations[f, j, 1], -rotations[f, j, 2], -rotations[f, j, 3]
    w, x, y, z = multiply(w, x, y, z, others[g, j, 0], others[g, j, 1], others[g, j, 2], others[g, j, 3])
    return rotation_vector(w, x, y, z)


@kernel
def cut_window(table: MotionTable, row: int, count: int, x: float, y: float, heading: float) -> PoseWindow:
    """Copy frames of a table, seen from a planar pose."""
    roots = table.root_positions[row : row + count].copy()
    rotations = table.rotations[row : row + count].copy()
    cosine, sine = math.cos(heading), math.sin(heading)
    half_cosine, half_sine = math.cos(0.5 * heading), math.sin(0.5 * heading)
    for f in range(count):
        east, north = roots[f, 0] - x, roots[f, 1] - y
        roots[f, 0], roots[f, 1] = cosine * east + sine * north, cosine * north - sine * east
        w, i, j, k = rotations[f, 0, 0], rotations[f, 0, 1], rotations[f, 0, 2], rotations[f, 0, 3]
        w, i, j, k = multiply(half_cosine, 0.0, 0.0, -half_sine, w, i, j, k)
        rotations[f, 0, 0], rotations[f, 0, 1], rotations[f, 0, 2], rotations[f, 0, 3] = w, i, j, k
    if table.offsets.shape[0] == 1:
        offsets = table.offsets.copy()
    else:
        offsets = table.offsets[row : row + count].copy()
    return PoseWindow(roots, rotations, offsets, table.planted[row : row + count].copy())


@kernel
def stand_in(own: PoseWindow, neighbour: PoseWindow, step: int, settling: float):
    """Replace the frames beyond the join (step: 1 after, -1 before) by those of the neighbour.

    The frames are moved by the difference in pose at the join; the difference in speed fades over `settling`
    frames.  So a take that ends exactly at a contact still blends without a jerk.
    """
    frames, joints = own.rotations.shape[0], own.rotations.shape[1]
    anchor = frames // 2
    last = frames - 1 if step > 0 else 0
    for f in range(anchor + step, last + step, step):
        settled = step * settling * (1.0 - math.exp(-abs(f - anchor) / settling))
        for c in range(3):
            faster = own.roots[anchor, c] - own.roots[anchor - step, c]
            faster -= neighbour.roots[anchor + step, c] - neighbour.roots[anchor, c]
            apart = own.roots[anchor, c] - neighbour.roots[anchor, c]
            own.roots[f, c] = neighbour.roots[f, c] + apart + step * faster * settled
        for j in range(joints):
            dx, dy, dz = turn_between(neighbour.rotations, j, anchor, own.rotations, anchor)
            ox, oy, oz = turn_between(own.rotations, j, anchor - step, own.rotations, anchor)
            nx, ny, nz = turn_between(neighbour.rotations, j, anchor, neighbour.rotations, anchor + step)
            rate = step * settled
            w, x = neighbour.rotations[f, j, 0], neighbour.rotations[f, j, 1]
            y, z = neighbour.rotations[f, j, 2], neighbour.rotations[f, j, 3]
            w, x, y, z = turn_by(w, x, y, z, dx + rate * (ox - nx), dy + rate * (oy - ny), dz + rate * (oz - nz))
            own.rotations[f, j, 0], own.rotations[f, j, 1] = w, x
            own.rotations[f, j, 2], own.rotations[f, j, 3] = y, z
        if own.offsets.shape[0] > 1:
            for j in range(joints):
                for c in range(3):
                    own.offsets[f, j, c] = own.offsets[anchor, j, c]
        for p in range(own.planted.shape[1]):
            own.planted[f, p] = neighbour.planted[f, p]


@kernel
def round_corner(roots: FloatArray, a: FloatArray, b: FloatArray):
    """Round the corner of the root's path (N, 3) at the join of paths a and b; the join itself keeps its place.

    With velocities v_a and v_b a frame, the path moves by c(t) = -(v_b - v_a) / 2 |t| (1 - |t| / T)^2.  This
    makes the velocity continuous; c is largest at T / 3, and T is as long as ROUNDING_M allows.
    """
    middle = roots.shape[0] // 2
    if middle < 1:
        return
    vx = 0.5 * (b[middle + 1, 0] - b[middle - 1, 0] - a[middle + 1, 0] + a[middle - 1, 0])
    vy = 0.5 * (b[middle + 1, 1] - b[middle - 1, 1] - a[middle + 1, 1] + a[middle - 1, 1])
    reach = min(float(middle), 13.5 * ROUNDING_M / max(math.hypot(vx, vy), 1e-12))
    for f in range(roots.shape[0]):
        distance = abs(f - middle)
        if distance < reach:
            cut = -0.5 * distance * (1.0 - distance / reach) ** 2
            roots[f, 0] += cut * vx
            roots[f, 1] += cut * vy


@kernel
def mix(a: PoseWindow, b: PoseWindow) -> PoseWindow:
    """Blend rotations, height and offsets of two windows; in the plane the root follows a to the join, then b."""
    frames, joints = a.rotations.shape[0], a.rotations.shape[1]
    middle = frames // 2
    roots, rotations = np.empty_like(a.roots), np.empty_like(a.rotations)
    offsets, planted = a.offsets.copy(), a.planted.copy()
    for f in range(frames):
        weight = ramp(f, 0, frames - 1)
        source = a.roots if f <= middle else b.roots
        roots[f, 0], roots[f, 1] = source[f, 0], source[f, 1]
        roots[f, 2] = (1.0 - weight) * a.roots[f, 2] + weight * b.roots[f, 2]
        for j in range(joints):
            w, x, y, z = slerp(
                a.rotations[f, j, 0], a.rotations[f, j, 1], a.rotations[f, j, 2], a.rotations[f, j, 3],
                b.rotations[f, j, 0], b.rotations[f, j, 1], b.rotations[f, j, 2], b.rotations[f, j, 3], weight,
            )  # fmt: skip
            rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3] = w, x, y, z
        if offsets.shape[0] > 1:
            for j in range(joints):
                for c in range(3):
                    offsets[f, j, c] += weight * (b.offsets[f, j, c] - a.offsets[f, j, c])
        if f > middle:
            for p in range(planted.shape[1]):
                planted[f, p] = b.planted[f, p]
    return PoseWindow(roots, rotations, offsets, planted)


@kernel
def join_window(table: MotionTable, a: int, b: int) -> int:
    """Return the number of blended frames on either side of the join of clips a and b."""
    window = min(table.margin[a], table.margin[b])
    return min(window, min(table.steps[a], table.steps[b]) // 2)


@kernel
def blend_pair(table: MotionTable, limbs: LimbTable, a: int, b: int, clean: bool) -> PoseWindow:
    """Return the 2 w + 1 frames around the join of clips a and b; clean: plant feet and round the corner."""
    window = join_window(table, a, b)
    count = 2 * window + 1
    row_a = table.first[a] + table.margin[a] + table.steps[a] - window
    row_b = table.first[b] + table.margin[b] - window
    before = cut_window(table, row_a, count, table.end[a, 0], table.end[a, 1], table.end[a, 2])
    after = cut_window(table, row_b, count, 0.0, 0.0, 0.0)
    settling = SETTLING_S * table.rate_hz
    if table.recorded[b, 0] < window:
        stand_in(after, before, -1, settling)
    if table.recorded[a, 1] < window:
        stand_in(before, after, 1, settling)
    mixed = mix(before, after)
    if clean:
        round_corner(mixed.roots, before.roots, after.roots)
        plant_limbs(table, limbs, a, b, before, after, mixed)
    return mixed
