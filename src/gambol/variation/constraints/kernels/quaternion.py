"""Unit quaternions (w, x, y, z) as scalars, for use inside kernels."""

from __future__ import annotations

from gambol.kernels.jit import kernel

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]


@kernel
def multiply(aw: float, ax: float, ay: float, az: float, bw: float, bx: float, by: float, bz: float) -> Quaternion:
    """Compose two rotations: first b, then a."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@kernel
def rotate(w: float, x: float, y: float, z: float, vx: float, vy: float, vz: float) -> Vector:
    """Rotate v by the unit quaternion (w, x, y, z)."""
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )
