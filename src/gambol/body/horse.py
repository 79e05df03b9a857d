"""The parts of a horse, in proportion to its trunk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.body.parts import Part
from gambol.motion.skeleton import Skeleton

Point = tuple[float, float, float]

TRUNK_M = 0.76  # from Hips to Spine2 in the horse that the numbers below are for: its withers are 1.55 m high


class Piece(NamedTuple):
    """A part seen from its joint, in metres; what has a width is on both sides, mirrored for joints in the middle."""

    joint: str
    start: Point
    end: Point
    start_radius: float
    end_radius: float


#: Croup and loin, barrel, withers and chest, neck, head and ears, tail.
TRUNK = (
    Piece("Hips", (-0.20, 0.095, -0.07), (0.10, 0.085, -0.07), 0.185, 0.205),
    Piece("Hips", (-0.25, 0.10, -0.17), (-0.08, 0.10, -0.22), 0.130, 0.150),
    Piece("Hips", (0.02, 0.0, -0.10), (0.23, 0.0, -0.125), 0.235, 0.270),
    Piece("Spine", (0.0, 0.0, -0.145), (0.27, 0.0, -0.155), 0.270, 0.300),
    Piece("Spine1", (0.0, 0.0, -0.125), (0.26, 0.0, -0.125), 0.300, 0.290),
    Piece("Spine1", (0.02, 0.0, 0.085), (0.26, 0.0, 0.135), 0.100, 0.105),
    Piece("Spine2", (0.0, 0.0, 0.155), (0.14, 0.0, 0.115), 0.105, 0.110),
    Piece("Spine2", (0.0, 0.0, -0.105), (0.20, 0.0, -0.115), 0.290, 0.225),
    Piece("Spine2", (0.12, 0.0, 0.0), (0.26, 0.0, -0.05), 0.215, 0.200),
    Piece("Neck", (-0.02, 0.0, 0.01), (0.21, 0.0, 0.26), 0.195, 0.130),
    Piece("Neck", (-0.16, 0.0, 0.17), (0.18, 0.0, 0.31), 0.105, 0.092),
    Piece("Neck1", (0.0, 0.0, 0.0), (0.16, 0.0, 0.24), 0.130, 0.098),
    Piece("Head", (0.02, 0.0, -0.02), (0.15, 0.0, -0.16), 0.094, 0.080),
    Piece("Head", (0.035, 0.034, -0.13), (0.115, 0.028, -0.235), 0.080, 0.062),
    Piece("Head", (0.15, 0.0, -0.16), (0.335, 0.0, -0.365), 0.078, 0.053),
    Piece("Head", (0.335, 0.012, -0.365), (0.362, 0.014, -0.402), 0.049, 0.048),
    Piece("Head", (0.20, 0.0, -0.265), (0.325, 0.0, -0.400), 0.052, 0.044),
    Piece("Head", (-0.02, 0.050, 0.065), (0.00, 0.072, 0.175), 0.030, 0.014),
    Piece("Tail", (0.04, 0.0, 0.0), (-0.12, 0.0, -0.16), 0.050, 0.062),
    Piece("Tail1", (0.0, 0.0, 0.0), (-0.05, 0.0, -0.26), 0.062, 0.070),
    Piece("Tail2", (0.0, 0.0, 0.0), (-0.01, 0.0, -0.34), 0.070, 0.028),
)
FORE = (
    Piece("Shoulder", (0.02, 0.0, -0.06), (0.22, 0.045, -0.32), 0.110, 0.120),
    Piece("Upper", (0.0, 0.0, 0.0), (-0.19, 0.0, -0.13), 0.120, 0.095),
    Piece("Lower", (0.0, 0.0, 0.01), (0.005, 0.0, -0.17), 0.095, 0.075),
    Piece("Lower", (0.005, 0.0, -0.17), (0.01, 0.0, -0.43), 0.075, 0.050),
    Piece("Cannon", (0.0, 0.0, 0.0), (-0.01, 0.0, -0.29), 0.049, 0.036),
    Piece("Pastern", (0.0, 0.0, 0.0), (0.06, 0.0, -0.11), 0.041, 0.040),
    Piece("Hoof", (0.0, 0.0, -0.01), (0.012, 0.0, -0.032), 0.045, 0.048),
)
HIND = (
    Piece("Thigh", (0.02, 0.0, -0.02), (0.25, 0.0, -0.27), 0.165, 0.115),
    Piece("Thigh", (-0.07, 0.0, -0.08), (0.11, 0.0, -0.32), 0.130, 0.110),
    Piece("Gaskin", (0.0, 0.0, 0.0), (-0.14, 0.0, -0.15), 0.112, 0.082),
    Piece("Gaskin", (-0.14, 0.0, -0.15), (-0.34, 0.0, -0.36), 0.082, 0.050),
    Piece("Cannon", (-0.035, 0.0, 0.045), (0.0, 0.0, -0.03), 0.036, 0.048),
    Piece("Cannon", (0.0, 0.0, -0.02), (0.02, 0.0, -0.37), 0.049, 0.038),
    Piece("Pastern", (0.0, 0.0, 0.0), (0.06, 0.0, -0.12), 0.042, 0.040),
    Piece("Hoof", (0.0, 0.0, -0.01), (0.012, 0.0, -0.032), 0.045, 0.048),
)


#: Joints that move much together: the lower legs, croup with tail, barrel, chest, head with neck.
GROUPS = (
    *(tuple(leg + part for part in ("Lower", "Gaskin", "Cannon", "Pastern", "Hoof"))
      for leg in ("LeftFore", "RightFore", "LeftHind", "RightHind")),
    ("Hips", "Tail", "Tail1", "Tail2", "LeftHindThigh", "RightHindThigh"),
    ("Spine", "Spine1"),
    ("Spine2", "Neck", "LeftForeShoulder", "RightForeShoulder", "LeftForeUpper", "RightForeUpper"),
    ("Neck1", "Head"),
)  # fmt: skip


def is_horse(skeleton: Skeleton) -> bool:
    """Tell whether a skeleton has the joints of the built-in horse."""
    return all(name in skeleton for name, *_ in _pieces())


def horse_parts(skeleton: Skeleton) -> list[Part]:
    """Return the parts of a horse."""
    points = skeleton.rest_positions
    scale = float(np.linalg.norm(points[skeleton.index("Spine2")] - points[skeleton.index("Hips")])) / TRUNK_M
    parts = []
    for name, start, end, start_radius, end_radius in _pieces():
        joint = skeleton.index(name)
        start_point, end_point = (points[joint] + scale * np.array(point) for point in (start, end))
        parts.append(Part(joint, start_point, end_point, scale * start_radius, scale * end_radius))
    return parts


def horse_groups(skeleton: Skeleton) -> NDArray[np.int32]:
    """Return which of the eight GROUPS each joint belongs to (J,); what a horse does not have goes with its parent."""
    of = {name: index for index, group in enumerate(GROUPS) for name in group}
    groups = np.zeros(skeleton.joint_count, dtype=np.int32)
    for joint, name in enumerate(skeleton.names):
        groups[joint] = of.get(name, groups[max(skeleton.parents[joint], 0)])
    return groups


def _pieces() -> Iterator[Piece]:
    """Return the pieces of the whole horse, left and right, with the joints' full names."""
    for piece in TRUNK:
        yield piece
        if piece.start[1] != 0.0:
            yield _mirrored(piece)
    for leg, pieces in (("Fore", FORE), ("Hind", HIND)):
        for piece in pieces:
            yield piece._replace(joint=f"Left{leg}{piece.joint}")
            yield _mirrored(piece)._replace(joint=f"Right{leg}{piece.joint}")


def _mirrored(piece: Piece) -> Piece:
    (x, y, z), (to_x, to_y, to_z) = piece.start, piece.end
    return piece._replace(start=(x, -y, z), end=(to_x, -to_y, to_z))
