"""Two-bone inverse kinematics in closed form: hip, knee, ankle; or shoulder, elbow, wrist."""

from __future__ import annotations

import math

from gambol.geometry.arrays import FloatArray
from gambol.geometry.kernels.quaternion import Quaternion, Vector, multiply, rotate
from gambol.kernels.jit import kernel

TINY = 1e-9  # metres: shorter vectors have no direction
SOFT_FROM = 0.97  # share of the limb's length above which the limb follows its target less and less
FOLDED = math.cos(math.radians(160.0))  # cosine of the tightest bend, unless a pose is tighter already
CLEARLY_BENT = 0.10  # sine of a bend (6 degrees): above it, the limb's own plane counts fully; below, the hinge too


@kernel
def cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Vector:
    """Return the cross product of a and b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel
def unit_or(
    x: float, y: float, z: float, other_x: float, other_y: float, other_z: float
) -> tuple[float, float, float, float]:
    """Return a vector's direction and length, as four numbers; a zero vector takes the other direction."""
    length = math.sqrt(x * x + y * y + z * z)
    if length < TINY:
        return other_x, other_y, other_z, length
    return x / length, y / length, z / length, length


@kernel
def perpendicular(x: float, y: float, z: float, ux: float, uy: float, uz: float) -> Vector:
    """Return the direction of a vector's part at right angles to the unit vector u.

    Where that part is zero, the coordinate axis farthest from u decides which perpendicular to take.
    """
    along = x * ux + y * uy + z * uz
    x, y, z = x - along * ux, y - along * uy, z - along * uz
    length = math.sqrt(x * x + y * y + z * z)
    if length < TINY:
        if abs(ux) <= abs(uy) and abs(ux) <= abs(uz):
            x, y, z = cross(ux, uy, uz, 1.0, 0.0, 0.0)
        elif abs(uy) <= abs(uz):
            x, y, z = cross(ux, uy, uz, 0.0, 1.0, 0.0)
        else:
            x, y, z = cross(ux, uy, uz, 0.0, 0.0, 1.0)
        length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


@kernel
def smallest_turn(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, nx: float, ny: float, nz: float
) -> Quaternion:
    """Return the smallest rotation from direction a to b; about n, at right angles to a, if they are opposite."""
    w = 1.0 + ax * bx + ay * by + az * bz
    if w < 1e-12:
        return 0.0, nx, ny, nz
    x, y, z = cross(ax, ay, az, bx, by, bz)
    norm = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * norm, x * norm, y * norm, z * norm


@kernel
def turn_frame(a: Vector, n: Vector, b: Vector, m: Vector) -> Quaternion:
    """Return the rotation that takes a bone a with its hinge n to the bone b with its hinge m."""
    ax, ay, az = a
    bx, by, bz = b
    nx, ny, nz = perpendicular(n[0], n[1], n[2], ax, ay, az)
    mx, my, mz = perpendicular(m[0], m[1], m[2], bx, by, bz)
    w, x, y, z = smallest_turn(ax, ay, az, bx, by, bz, nx, ny, nz)
    nx, ny, nz = rotate(w, x, y, z, nx, ny, nz)
    tw, tx, ty, tz = smallest_turn(nx, ny, nz, mx, my, mz, bx, by, bz)
    return multiply(tw, tx, ty, tz, w, x, y, z)


@kernel
def soft_reach(wanted: float, present: float, upper: float, lower: float, limit: float) -> float:
    """Return the distance that a limb spans for a wanted distance.

    Up to SOFT_FROM the two are equal; beyond, the limb approaches the limit exponentially, with a continuous slope.
    A pose that is stretched or folded beyond the limits already may stay as it is.
    """
    length = upper + lower
    folded = math.sqrt(upper * upper + lower * lower + 2.0 * upper * lower * FOLDED)
    if wanted < min(present, folded):
        return min(present, folded)
    start = max(present, SOFT_FROM * length)
    room = limit * length - start
    if wanted <= start:
        return wanted
    if room < 1e-6 * length:
        return start
    return start + room * (1.0 - math.exp((start - wanted) / room))


@kernel
def bend_axis(t: Vector, s: Vector, u: Vector, hinge: Vector) -> Vector:
    """Return the unit axis, at right angles to the limb's line u, about which bending is forward.

    It is the normal of the plane of the two bones t and s, on the hinge's side; the straighter the limb, the more the
    hinge itself counts.
    """
    ux, uy, uz = u
    hx, hy, hz = hinge
    nx, ny, nz = cross(t[0], t[1], t[2], s[0], s[1], s[2])
    if nx * hx + ny * hy + nz * hz < 0.0:
        nx, ny, nz = -nx, -ny, -nz
    doubt = max(0.0, 1.0 - math.sqrt(nx * nx + ny * ny + nz * nz) / CLEARLY_BENT)
    weight = CLEARLY_BENT * doubt * doubt
    if weight > 0.0:
        hx, hy, hz = perpendicular(hx, hy, hz, ux, uy, uz)
        nx, ny, nz = nx + weight * hx, ny + weight * hy, nz + weight * hz
    return perpendicular(nx, ny, nz, ux, uy, uz)


@kernel
def solve_two_bone(
    roots: FloatArray,  # (N, 3) the joints' places
    middles: FloatArray,  # (N, 3)
    ends: FloatArray,  # (N, 3)
    targets: FloatArray,  # (N, 3) for the ends
    hinges: FloatArray,  # (N, 3)
    limit: float,  # share of the limb's length
    root_turns: FloatArray,  # (N, 4) written: turns of the upper bones in the world
    middle_turns: FloatArray,  # (N, 4) written: turns of the lower bones in the world
    reached: FloatArray,  # (N, 3) written: the ends' new places
) -> None:
    """Turn both bones of limbs so that their ends meet the targets, as far as they reach."""
    for i in range(roots.shape[0]):
        rx, ry, rz = roots[i, 0], roots[i, 1], roots[i, 2]
        hx, hy, hz = hinges[i, 0], hinges[i, 1], hinges[i, 2]
        # The present bones: upper t, lower s, and u along the line from root to end.
        tx, ty, tz, upper = unit_or(middles[i, 0] - rx, middles[i, 1] - ry, middles[i, 2] - rz, 0.0, 0.0, -1.0)
        sx, sy, sz, lower = unit_or(
            ends[i, 0] - middles[i, 0], ends[i, 1] - middles[i, 1], ends[i, 2] - middles[i, 2], tx, ty, tz
        )
        ux, uy, uz, present = unit_or(ends[i, 0] - rx, ends[i, 1] - ry, ends[i, 2] - rz, tx, ty, tz)
        if upper < TINY or lower < TINY:
            for c in range(4):
                root_turns[i, c] = 1.0 if c == 0 else 0.0
                middle_turns[i, c] = 1.0 if c == 0 else 0.0
            for c in range(3):
                reached[i, c] = ends[i, c]
            continue
        nx, ny, nz = bend_axis((tx, ty, tz), (sx, sy, sz), (ux, uy, uz), (hx, hy, hz))

        # The wanted line v, and the triangle over it; the bend's axis turns with the line.
        vx, vy, vz, wanted = unit_or(targets[i, 0] - rx, targets[i, 1] - ry, targets[i, 2] - rz, ux, uy, uz)
        span = max(soft_reach(wanted, present, upper, lower, limit), TINY)
        w, x, y, z = smallest_turn(ux, uy, uz, vx, vy, vz, nx, ny, nz)
        mx, my, mz = rotate(w, x, y, z, nx, ny, nz)
        cosine = (upper * upper + span * span - lower * lower) / (2.0 * upper * span)
        cosine = min(1.0, max(-1.0, cosine))
        sine = math.sqrt(1.0 - cosine * cosine)
        px, py, pz = cross(vx, vy, vz, mx, my, mz)
        ax, ay, az = cosine * vx + sine * px, cosine * vy + sine * py, cosine * vz + sine * pz
        bx, by, bz, _ = unit_or(span * vx - upper * ax, span * vy - upper * ay, span * vz - upper * az, vx, vy, vz)

        w, x, y, z = turn_frame((tx, ty, tz), (nx, ny, nz), (ax, ay, az), (mx, my, mz))
        root_turns[i, 0], root_turns[i, 1], root_turns[i, 2], root_turns[i, 3] = w, x, y, z
        w, x, y, z = turn_frame((sx, sy, sz), (nx, ny, nz), (bx, by, bz), (mx, my, mz))
        middle_turns[i, 0], middle_turns[i, 1], middle_turns[i, 2], middle_turns[i, 3] = w, x, y, z
        reached[i, 0], reached[i, 1], reached[i, 2] = rx + span * vx, ry + span * vy, rz + span * vz
