"""Where a figure's points are, where its mass is, and two-link inverse kinematics."""

from __future__ import annotations

import math

from gambol.climb.figure import FigureTable
from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel

#: First coordinate of each limb, in the order of LIMBS; the second follows it.
LIMB_COORDINATE = (4, 6, 8, 10)
REACH = 0.9995  # of a straight limb: beyond, inverse kinematics refuses
JOINT_SLACK = 1e-9


@kernel
def place(figure: FigureTable, facing: float, q: FloatArray, points: FloatArray) -> None:
    """Write the points (12, 2) of a figure in a configuration."""
    lean = q[2]
    x, z = q[0], q[1]
    sine, cosine = math.sin(lean), math.cos(lean)
    points[0, 0] = x
    points[0, 1] = z
    points[1, 0] = x + facing * figure.shoulder * sine
    points[1, 1] = z + figure.shoulder * cosine
    points[2, 0] = x + facing * figure.torso * sine
    points[2, 1] = z + figure.torso * cosine
    points[3, 0] = points[2, 0] + facing * figure.head * math.sin(lean + q[3])
    points[3, 1] = points[2, 1] + figure.head * math.cos(lean + q[3])
    for side in range(2):
        upper = q[4 + 2 * side] - lean
        lower = upper + q[5 + 2 * side]
        elbow, hand = 4 + 2 * side, 5 + 2 * side
        points[elbow, 0] = points[1, 0] + facing * figure.upper_arm * math.sin(upper)
        points[elbow, 1] = points[1, 1] - figure.upper_arm * math.cos(upper)
        points[hand, 0] = points[elbow, 0] + facing * figure.forearm * math.sin(lower)
        points[hand, 1] = points[elbow, 1] - figure.forearm * math.cos(lower)
        upper = q[8 + 2 * side] - lean
        lower = upper - q[9 + 2 * side]
        knee, ankle = 8 + 2 * side, 9 + 2 * side
        points[knee, 0] = x + facing * figure.thigh * math.sin(upper)
        points[knee, 1] = z - figure.thigh * math.cos(upper)
        points[ankle, 0] = points[knee, 0] + facing * figure.shank * math.sin(lower)
        points[ankle, 1] = points[knee, 1] - figure.shank * math.cos(lower)


@kernel
def link_ends(link: int) -> tuple[int, int]:
    """Return the points at a link's ends, as LINKS lists them."""
    if link == 0:
        return 0, 2
    if link == 1:
        return 2, 3
    if link < 6:
        upper = link % 2 == 0
        side = (link - 2) // 2
        return (1, 4 + 2 * side) if upper else (4 + 2 * side, 5 + 2 * side)
    upper = link % 2 == 0
    side = (link - 6) // 2
    return (0, 8 + 2 * side) if upper else (8 + 2 * side, 9 + 2 * side)


@kernel
def centre_of_mass(figure: FigureTable, points: FloatArray) -> tuple[float, float]:
    """Return where the centre of mass of a placed figure is."""
    x = 0.0
    z = 0.0
    for link in range(10):
        first, second = link_ends(link)
        share = figure.centre[link]
        x += figure.mass[link] * (points[first, 0] + share * (points[second, 0] - points[first, 0]))
        z += figure.mass[link] * (points[first, 1] + share * (points[second, 1] - points[first, 1]))
    return x, z


@kernel
def reach(figure: FigureTable, facing: float, q: FloatArray, limb: int, x: float, z: float) -> bool:
    """Set a limb's two joints so that its end is at a point; False where it cannot reach within its joints' limits.

    The facing must be 1 or -1.  Elbows bend forward, knees backward, so there is one solution.
    """
    sine, cosine = math.sin(q[2]), math.cos(q[2])
    if limb < 2:
        from_x, from_z = q[0] + facing * figure.shoulder * sine, q[1] + figure.shoulder * cosine
        upper, lower = figure.upper_arm, figure.forearm
    else:
        from_x, from_z = q[0], q[1]
        upper, lower = figure.thigh, figure.shank
    ahead, down = facing * (x - from_x), from_z - z
    distance = math.sqrt(ahead * ahead + down * down)
    if distance > REACH * (upper + lower) or distance < abs(upper - lower) + 1e-6:
        return False
    cosine_bend = (distance * distance - upper * upper - lower * lower) / (2.0 * upper * lower)
    bend = math.acos(min(1.0, max(-1.0, cosine_bend)))  # 0: straight
    inner = math.atan2(lower * math.sin(bend), upper + lower * math.cos(bend))
    direct = math.atan2(ahead, down)
    first = direct - inner if limb < 2 else direct + inner
    first += q[2]
    at = 4 + 2 * limb
    low, high = figure.low[at], figure.high[at]
    middle = 0.5 * (low + high)
    first -= 2.0 * math.pi * math.floor((first - middle + math.pi) / (2.0 * math.pi))
    if first < low - JOINT_SLACK or first > high + JOINT_SLACK:
        return False
    if bend > figure.high[at + 1] + JOINT_SLACK or bend < figure.low[at + 1] - JOINT_SLACK:
        return False
    q[at] = first
    q[at + 1] = bend
    return True


@kernel
def within_limits(figure: FigureTable, q: FloatArray) -> bool:
    """Tell whether all joints are within their limits."""
    for at in range(2, 12):
        if q[at] < figure.low[at] - JOINT_SLACK or q[at] > figure.high[at] + JOINT_SLACK:
            return False
    return True
