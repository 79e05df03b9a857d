"""Rotations as unit quaternions `wxyz`: batched functions over arrays of shape (..., 4).

Composition reads like matrices: `multiply(a, b)` rotates by b first, then by a.  Angles are
radians.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gambol.core import lib, pointer
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int32Array

IDENTITY: FloatArray = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.flags.writeable = False
EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def identity(*shape: int) -> FloatArray:
    """Return an array of identity rotations of shape (*shape, 4)."""
    rotations = np.zeros((*shape, 4))
    rotations[..., 0] = 1.0
    return rotations


def multiply(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Compose rotations: first b, then a."""
    aw, ax, ay, az = _components(a)
    bw, bx, by, bz = _components(b)
    return np.stack(
        (
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ),
        axis=-1,
    )


def conjugate(q: ArrayLike) -> FloatArray:
    """Return the inverse rotation of a unit quaternion."""
    return np.asarray(q, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def normalize(q: ArrayLike) -> FloatArray:
    """Scale to unit length; a zero quaternion becomes the identity."""
    q = np.asarray(q, dtype=np.float64)
    norm = np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(norm > 0.0, q / np.where(norm > 0.0, norm, 1.0), IDENTITY)


def rotate(q: ArrayLike, v: ArrayLike) -> FloatArray:
    """Rotate vectors (..., 3) by unit quaternions (..., 4); the leading shapes broadcast."""
    q = np.asarray(q, dtype=np.float64)
    v = np.asarray(v, dtype=np.float64)
    twice_cross = 2.0 * np.cross(q[..., 1:], v)
    return v + q[..., :1] * twice_cross + np.cross(q[..., 1:], twice_cross)


def from_axis_angle(axis: ArrayLike, angle_rad: ArrayLike) -> FloatArray:
    """Rotate about unit axes (..., 3) by angles (...)."""
    half = 0.5 * np.asarray(angle_rad, dtype=np.float64)[..., None]
    axis = np.asarray(axis, dtype=np.float64)
    sine = np.sin(half) * axis
    return np.concatenate((np.broadcast_to(np.cos(half), (*sine.shape[:-1], 1)), sine), axis=-1)


def from_heading(heading_rad: ArrayLike) -> FloatArray:
    """Turn about +Z, counter-clockwise from +X."""
    return from_axis_angle(np.array([0.0, 0.0, 1.0]), heading_rad)


def heading(q: ArrayLike) -> FloatArray:
    """Return the turn about +Z that is nearest to each rotation (its twist about +Z)."""
    w, _, _, z = _components(q)
    return np.arctan2(2.0 * w * z, w * w - z * z)


def exp(rotation_vector: ArrayLike) -> FloatArray:
    """Turn axis-times-angle vectors (..., 3) into quaternions."""
    v = np.asarray(rotation_vector, dtype=np.float64)
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate((np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * v), axis=-1)


def log(q: ArrayLike) -> FloatArray:
    """Return axis times angle (..., 3), with the angle in [0, pi]."""
    q = np.asarray(q, dtype=np.float64)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return q[..., 1:] * np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)


def angle(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the angle in [0, pi] between rotations."""
    return np.linalg.norm(log(multiply(conjugate(a), b)), axis=-1)


def between(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the smallest rotation that turns directions a (..., 3) into directions b."""
    start, end = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    start = start / np.linalg.norm(start, axis=-1, keepdims=True)
    end = end / np.linalg.norm(end, axis=-1, keepdims=True)
    dot = np.sum(start * end, axis=-1, keepdims=True)
    q = np.concatenate((1.0 + dot, np.cross(start, end)), axis=-1)
    # Opposite directions: any perpendicular axis will do; take the one farthest from the start.
    helper = np.eye(3)[np.argmin(np.abs(start), axis=-1)]
    opposite = np.concatenate((np.zeros_like(dot), np.cross(start, helper)), axis=-1)
    return normalize(np.where(dot < -1.0 + 1e-12, opposite, q))


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> FloatArray:
    """Interpolate along the shorter arc; t of shape (...) broadcasts against the rotations."""
    a = np.asarray(a, dtype=np.float64)
    b = np.asarray(b, dtype=np.float64)
    t = np.asarray(t, dtype=np.float64)[..., None]
    dot = np.sum(a * b, axis=-1, keepdims=True)
    b = np.where(dot < 0.0, -b, b)
    arc = np.arccos(np.clip(np.abs(dot), 0.0, 1.0))
    sine = np.sin(arc)
    near = sine < 1e-6
    safe = np.where(near, 1.0, sine)
    from_a = np.where(near, 1.0 - t, np.sin((1.0 - t) * arc) / safe)
    from_b = np.where(near, t, np.sin(t * arc) / safe)
    return normalize(from_a * a + from_b * b)


def continuous(q: ArrayLike) -> FloatArray:
    """Flip signs along the first axis so that successive quaternions lie in one hemisphere."""
    q = np.array(q, dtype=np.float64)
    if len(q) > 1:
        flips = np.sum(q[1:] * q[:-1], axis=-1) < 0.0
        q[1:][np.cumsum(flips, axis=0) % 2 == 1] *= -1.0
    return q


def to_matrix(q: ArrayLike) -> FloatArray:
    """Return rotation matrices (..., 3, 3) that act on column vectors."""
    w, x, y, z = _components(q)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(matrix: ArrayLike) -> FloatArray:
    """Return the quaternions of rotation matrices (..., 3, 3), by Shepperd's largest-term method."""
    m = np.asarray(matrix, dtype=np.float64)
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    choices = np.stack((trace, m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]), axis=-1)
    # Row k holds 4 * q[k] * q, so that the row of the largest component divides safely.
    a = m[..., 2, 1] - m[..., 1, 2]
    b = m[..., 0, 2] - m[..., 2, 0]
    c = m[..., 1, 0] - m[..., 0, 1]
    d = m[..., 1, 0] + m[..., 0, 1]
    e = m[..., 0, 2] + m[..., 2, 0]
    f = m[..., 2, 1] + m[..., 1, 2]
    squares = 1.0 + 2.0 * choices - trace[..., None]
    squares[..., 0] = 1.0 + trace
    table = np.stack(
        [
            np.stack((squares[..., 0], a, b, c), axis=-1),
            np.stack((a, squares[..., 1], d, e), axis=-1),
            np.stack((b, d, squares[..., 2], f), axis=-1),
            np.stack((c, e, f, squares[..., 3]), axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(choices, axis=-1)[..., None, None]
    return normalize(np.take_along_axis(table, best, axis=-2)[..., 0, :])


def from_euler(angles_rad: ArrayLike, order: str) -> FloatArray:
    """Compose turns about moving axes: order "ZYX" with angles (a, b, c) is Rz(a) Ry(b) Rx(c)."""
    angles = np.asarray(angles_rad, dtype=np.float64)
    flat = np.ascontiguousarray(angles.reshape(-1, 3))
    rotations = np.empty((len(flat), 4))
    lib.gb_rotation_from_euler(
        pointer(flat, "double"), len(flat), pointer(_axes(order), "int32_t"), pointer(rotations, "double")
    )
    return rotations.reshape(*angles.shape[:-1], 4)


def to_euler(q: ArrayLike, order: str) -> FloatArray:
    """Split rotations (F, ..., 4) into angles about moving axes, continuous along the first axis.

    Of the two triples that give a rotation, and of their whole turns, each frame takes the one
    nearest to the frame before, so that curves in other programs interpolate without spinning.
    """
    q = np.asarray(q, dtype=np.float64)
    tracks = np.ascontiguousarray(q.reshape(len(q), -1, 4))
    angles = np.empty((*tracks.shape[:2], 3))
    lib.gb_rotation_to_euler(
        pointer(tracks, "double"), *tracks.shape[:2], pointer(_axes(order), "int32_t"), pointer(angles, "double")
    )
    return angles.reshape(*q.shape[:-1], 3)


def _components(q: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    q = np.asarray(q, dtype=np.float64)
    return q[..., 0], q[..., 1], q[..., 2], q[..., 3]


def _axes(order: str) -> Int32Array:
    if order not in EULER_ORDERS:
        raise InvalidInput(f"no Euler order {order!r}; expected one of {', '.join(EULER_ORDERS)}")
    return np.array(["XYZ".index(letter) for letter in order], dtype=np.int32)
