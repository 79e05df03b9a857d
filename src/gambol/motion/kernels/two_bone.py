"""Two-bone inverse kinematics in closed form: hip, knee, ankle; or shoulder, elbow, wrist."""

from __future__ import annotations

import math

from gambol.geometry.kernels.quaternion import multiply, rotate
from gambol.kernels.jit import kernel

TINY = 1e-9  # metres: shorter vectors have no direction
SOFT_FROM = 0.97  # of the limb's length: from here on stretching meets growing resistance
FOLDED = math.cos(math.radians(160.0))  # no limb folds tighter than this unless it already does
CLEARLY_BENT = 0.10  # sine of the bend (6 degrees) above which a limb's own plane is trusted fully


@kernel
def cross(ax, ay, az, bx, by, bz):
    """Return the cross product of a and b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel
def unit_or(x, y, z, other_x, other_y, other_z):
    """Return a vector's direction and length; a zero vector takes the other direction."""
    length = math.sqrt(x * x + y * y + z * z)
    if length < TINY:
        return other_x, other_y, other_z, length
    return x / length, y / length, z / length, length


@kernel
def perpendicular(x, y, z, ux, uy, uz):
    """Return the direction of what is left of a vector at right angles to the unit vector u.

    Where nothing is left any perpendicular will do: the coordinate axis farthest from u decides.
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
def smallest_turn(ax, ay, az, bx, by, bz, nx, ny, nz):
    """Return the smallest rotation from direction a to b; about n, which is square to a, if opposite."""
    w = 1.0 + ax * bx + ay * by + az * bz
    if w < 1e-12:
        return 0.0, nx, ny, nz
    x, y, z = cross(ax, ay, az, bx, by, bz)
    norm = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * norm, x * norm, y * norm, z * norm


@kernel
def turn_frame(ax, ay, az, nx, ny, nz, bx, by, bz, mx, my, mz):
    """Return the rotation that takes a bone a with its hinge n to the bone b with its hinge m."""
    nx, ny, nz = perpendicular(nx, ny, nz, ax, ay, az)
    mx, my, mz = perpendicular(mx, my, mz, bx, by, bz)
    w, x, y, z = smallest_turn(ax, ay, az, bx, by, bz, nx, ny, nz)
    nx, ny, nz = rotate(w, x, y, z, nx, ny, nz)
    tw, tx, ty, tz = smallest_turn(nx, ny, nz, mx, my, mz, bx, by, bz)
    return multiply(tw, tx, ty, tz, w, x, y, z)


@kernel
def soft_reach(wanted, present, upper, lower, limit):
    """Return how far a limb goes when it is asked to span a distance.

    Up to SOFT_FROM it does as asked; beyond, it approaches the limit exponentially, with a
    continuous slope.  A pose that is already farther stretched (or folded) than the limits is
    not changed by asking for what it has.
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
def bend_axis(tx, ty, tz, sx, sy, sz, ux, uy, uz, hx, hy, hz):
    """Return the unit axis, square to the limb's line u, about which bending is forward.

    It is the normal of the plane of the two bones t and s, on the hinge's side; as the limb
    straightens and that plane dissolves, the hinge itself takes over.
    """
    nx, ny, nz = cross(tx, ty, tz, sx, sy, sz)
    if nx * hx + ny * hy + nz * hz < 0.0:
        nx, ny, nz = -nx, -ny, -nz
    doubt = max(0.0, 1.0 - math.sqrt(nx * nx + ny * ny + nz * nz) / CLEARLY_BENT)
    weight = CLEARLY_BENT * doubt * doubt
    if weight > 0.0:
        hx, hy, hz = perpendicular(hx, hy, hz, ux, uy, uz)
        nx, ny, nz = nx + weight * hx, ny + weight * hy, nz + weight * hz
    return perpendicular(nx, ny, nz, ux, uy, uz)


@kernel
def solve_two_bone(roots, middles, ends, targets, hinges, limit, root_turns, middle_turns, reached):
    """Fill the world turns (N, 4) of both bones, and where the end comes to lie (N, 3)."""
    for i in range(roots.shape[0]):
        rx, ry, rz = roots[i, 0], roots[i, 1], roots[i, 2]
        hx, hy, hz = hinges[i, 0], hinges[i, 1], hinges[i, 2]
        # The bones as they are: upper t, lower s, and u along the line from root to end.
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
        nx, ny, nz = bend_axis(tx, ty, tz, sx, sy, sz, ux, uy, uz, hx, hy, hz)

        # The line as it shall be, and the triangle over it; the bend's axis goes along with the line.
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

        w, x, y, z = turn_frame(tx, ty, tz, nx, ny, nz, ax, ay, az, mx, my, mz)
        root_turns[i, 0], root_turns[i, 1], root_turns[i, 2], root_turns[i, 3] = w, x, y, z
        w, x, y, z = turn_frame(sx, sy, sz, nx, ny, nz, bx, by, bz, mx, my, mz)
        middle_turns[i, 0], middle_turns[i, 1], middle_turns[i, 2], middle_turns[i, 3] = w, x, y, z
        reached[i, 0], reached[i, 1], reached[i, 2] = rx + span * vx, ry + span * vy, rz + span * vz
