"""Unit quaternions (w, x, y, z) as scalars, for use inside other kernels."""

from __future__ import annotations

import math

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


@kernel
def slerp(
    aw: float, ax: float, ay: float, az: float, bw: float, bx: float, by: float, bz: float, t: float
) -> Quaternion:
    """Interpolate along the shorter arc; t = 0 gives a, t = 1 gives b up to sign."""
    dot = aw * bw + ax * bx + ay * by + az * bz
    sign = 1.0
    if dot < 0.0:
        dot = -dot
        sign = -1.0
    if dot > 0.9995:
        from_a = 1.0 - t
        from_b = sign * t
    else:
        angle = math.acos(dot)
        scale = 1.0 / math.sin(angle)
        from_a = math.sin((1.0 - t) * angle) * scale
        from_b = sign * math.sin(t * angle) * scale
    w = from_a * aw + from_b * bw
    x = from_a * ax + from_b * bx
    y = from_a * ay + from_b * by
    z = from_a * az + from_b * bz
    norm = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * norm, x * norm, y * norm, z * norm
