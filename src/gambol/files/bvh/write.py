"""BVH out: motion to text."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from gambol.files import axes
from gambol.files.disk import write_atomically
from gambol.files.reading import unique_names
from gambol.files.units import metres_per_unit
from gambol.geometry import quaternion
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

_BREAKS_SYNTAX = re.compile(r"[\s{}]+")


def write_bvh(path: Path | str, motion: Motion, *, unit: str | float = "cm", order: str = "ZYX") -> None:
    """Write a BVH file; see `to_bvh`."""
    write_atomically(path, to_bvh(motion, unit=unit, order=order).encode())


def to_bvh(motion: Motion, *, unit: str | float = "cm", order: str = "ZYX") -> str:
    """Return a motion as BVH text, Y up and facing +Z; zero rotations are the rest pose.

    unit: the length of one file unit, by name or in metres; BVH files cannot say it.
    order: the order of the rotation channels, which other programs may demand.
    White space and braces in joint names, which break other readers, become underscores.
    """
    scale = 1.0 / metres_per_unit(unit)
    translated = _translated_joints(motion)
    lines = ["HIERARCHY"]
    column_order = _write_hierarchy(lines, motion.skeleton, translated, scale, order)
    lines += ["MOTION", f"Frames: {motion.frame_count}", f"Frame Time: {1.0 / motion.rate_hz:.12g}"]
    rows = _channel_values(motion, column_order, translated, scale, order)
    pattern = " ".join(["%.6f"] * rows.shape[1])
    lines += [pattern % tuple(row) for row in rows.tolist()]
    return "\n".join(lines) + "\n"


def _translated_joints(motion: Motion) -> np.ndarray:
    """Mark the joints that need position channels (J,): the root, and joints that leave their offset."""
    translated = np.zeros(motion.skeleton.joint_count, dtype=bool)
    if motion.translations is not None:
        translated = np.any(motion.translations != motion.skeleton.offsets, axis=(0, 2))
    translated[0] = True
    return translated


def _write_hierarchy(
    lines: list[str], skeleton: Skeleton, translated: np.ndarray, scale: float, order: str
) -> list[int]:
    """Append the joints depth first and return their order, which is also the order of the channels."""
    names, _ = unique_names(_BREAKS_SYNTAX.sub("_", name.strip()) or "_" for name in skeleton.names)
    offsets = axes.vectors_to_y_up(skeleton.offsets) * scale
    tips = axes.vectors_to_y_up(skeleton.tip_offsets) * scale
    children = [skeleton.children(joint).tolist() for joint in range(skeleton.joint_count)]
    rotations = " ".join(f"{letter}rotation" for letter in order)
    visited: list[int] = []
    stack: list[tuple[int, int]] = [(0, 0)]  # a joint to open, or ~joint to close, and its depth
    while stack:
        joint, depth = stack.pop()
        indent = "\t" * depth
        if joint < 0:
            lines.append(indent + "}")
            continue
        visited.append(joint)
        lines += [f"{indent}{'JOINT' if depth else 'ROOT'} {names[joint]}", indent + "{"]
        lines.append(f"{indent}\tOFFSET {_vector(offsets[joint])}")
        if translated[joint]:
            lines.append(f"{indent}\tCHANNELS 6 Xposition Yposition Zposition {rotations}")
        else:
            lines.append(f"{indent}\tCHANNELS 3 {rotations}")
        ends = [tips[tip] for tip in np.flatnonzero(skeleton.tip_parents == joint)]
        if not ends and not children[joint]:
            ends = [np.zeros(3)]  # some readers insist on an End Site
        for end in ends:
            lines += [f"{indent}\tEnd Site", indent + "\t{", f"{indent}\t\tOFFSET {_vector(end)}", indent + "\t}"]
        stack.append((~joint, depth))
        stack += [(child, depth + 1) for child in reversed(children[joint])]
    return visited


def _vector(values: np.ndarray) -> str:
    return " ".join(f"{value:.6f}" for value in values)


def _channel_values(
    motion: Motion, column_order: list[int], translated: np.ndarray, scale: float, order: str
) -> np.ndarray:
    degrees = np.degrees(quaternion.to_euler(motion.rotations, axes.euler_order_from_y_up(order)))
    columns = []
    for joint in column_order:
        if translated[joint]:
            moved = (
                motion.root_positions if joint == 0 or motion.translations is None else motion.translations[:, joint]
            )
            columns.append(axes.vectors_to_y_up(moved) * scale)
        columns.append(degrees[:, joint])
    return np.concatenate(columns, axis=1)
