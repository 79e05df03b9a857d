"""Write motions as ASF/AMC: for tests and mutations, not for users."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambol.files import axes
from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton

CMU_UNIT_M = 0.0254 / 0.45


def to_asf(skeleton: Skeleton, *, axis_degrees: Sequence[float] = (0.0, 0.0, 0.0)) -> str:
    """Describe a skeleton by one zero-length bone for each joint and one fixed bone for each offset.

    Bones of ASF carry their children at their one end, while ours may have children anywhere: the
    fixed bone `x_offset` leads from a joint to its child `x`.
    """
    offsets = axes.vectors_to_y_up(skeleton.offsets) / CMU_UNIT_M
    tips = axes.vectors_to_y_up(skeleton.tip_offsets) / CMU_UNIT_M
    axis = " ".join(f"{angle:g}" for angle in axis_degrees)
    bones, links = [], []
    for joint, name in enumerate(skeleton.names[1:], 1):
        parent = "root" if skeleton.parents[joint] == 0 else skeleton.names[skeleton.parents[joint]]
        bones += [_bone(f"{name}_offset", offsets[joint], "0 0 0", ""), _bone(name, np.zeros(3), axis, "rx ry rz")]
        links += [f"    {parent} {name}_offset", f"    {name}_offset {name}"]
    for number, joint in enumerate(skeleton.tip_parents):
        parent = "root" if joint == 0 else skeleton.names[joint]
        bones.append(_bone(f"tip_{number}", tips[number], "0 0 0", ""))
        links.append(f"    {parent} tip_{number}")
    return "\n".join([
        "# a skeleton", ":version 1.10", ":name VICON", ":units", "  mass 1.0", "  length 0.45", "  angle deg",
        ":documentation", "   made by code", ":root", "   order TX TY TZ RX RY RZ", "   axis XYZ",
        "   position 0 0 0", "   orientation 0 0 0", ":bonedata", *bones, ":hierarchy", "  begin", *links, "  end", "",
    ])  # fmt: skip


def to_amc(motion: Motion, *, axis_degrees: Sequence[float] = (0.0, 0.0, 0.0)) -> str:
    """Write a motion whose bones are rigid, for the skeleton of `to_asf` with the same axes."""
    # The angles of rx ry rz about fixed axes are those of the moving ZYX, in reverse.
    order = axes.euler_order_from_y_up("ZYX")
    own_axes = quaternion.from_euler(np.radians(axis_degrees)[::-1], order)
    turns = np.array(motion.rotations)
    turns[:, 1:] = quaternion.multiply(quaternion.conjugate(own_axes), quaternion.multiply(turns[:, 1:], own_axes))
    degrees = np.degrees(quaternion.to_euler(turns, order))[..., ::-1]
    positions = axes.vectors_to_y_up(motion.root_positions) / CMU_UNIT_M
    lines = ["#!OML:ASF made by code", ":FULLY-SPECIFIED", ":DEGREES"]
    for frame in range(motion.frame_count):
        lines += [str(frame + 1), f"root {_numbers(positions[frame])} {_numbers(degrees[frame, 0])}"]
        lines += [
            f"{name} {_numbers(degrees[frame, joint])}" for joint, name in enumerate(motion.skeleton.names) if joint
        ]
    return "\n".join(lines) + "\n"


def _bone(name: str, vector: np.ndarray, axis: str, dof: str) -> str:
    length = float(np.linalg.norm(vector))
    direction = vector / length if length > 0.0 else np.array([0.0, 1.0, 0.0])
    freedom = f"\n    dof {dof}\n    limits (-180 180)\n           (-180 180)\n           (-180 180)" if dof else ""
    return (
        f"  begin\n     id 1\n     name {name}\n     direction {_numbers(direction)}\n     length {length:.9g}\n"
        f"     axis {axis} XYZ{freedom}\n  end"
    )


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:.9g}" for value in values)
