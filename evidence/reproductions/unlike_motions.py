"""Motions made unlike others: arms that are raised or swing farther, a way that turns [L09 figure 5.8]."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.geometry import planar, quaternion
from gambol.motion.travel import align_to_travel
from gambol.variation import Example
from gambol.variation.encoding import mean_rotation


def with_arms_raised(example: Example, degrees: float) -> Example:
    """Both upper arms turned forward and up."""
    rotations = np.array(example.motion.rotations)
    up = quaternion.exp(np.array([0.0, -np.radians(degrees), 0.0]))
    for name in ("LeftArm", "RightArm"):
        joint = example.motion.skeleton.index(name)
        rotations[:, joint] = quaternion.multiply(np.broadcast_to(up, rotations[:, joint].shape), rotations[:, joint])
    return example._replace(motion=example.motion.with_rotations(rotations), name=f"{example.name}, arms raised")


def with_arms_swung(example: Example, times: float) -> Example:
    """Both arms swinging farther about their mean."""
    rotations = np.array(example.motion.rotations)
    for name in ("LeftArm", "RightArm", "LeftForeArm", "RightForeArm"):
        joint = example.motion.skeleton.index(name)
        mean = np.broadcast_to(mean_rotation(rotations[:, joint]), rotations[:, joint].shape)
        swing = quaternion.log(quaternion.multiply(quaternion.conjugate(mean), rotations[:, joint]))
        rotations[:, joint] = quaternion.multiply(mean, quaternion.exp(times * swing))
    return example._replace(motion=example.motion.with_rotations(rotations), name=f"{example.name}, arms swung")


def turned(example: Example, degrees: float) -> Example:
    """The same steps along a bend to the left."""
    motion = example.motion
    headings = np.linspace(0.0, np.radians(degrees), motion.frame_count)
    positions, rotations = np.array(motion.root_positions), np.array(motion.rotations)
    steps = planar.rotate(headings[:-1], np.diff(positions[:, :2], axis=0))
    positions[1:, :2] = positions[0, :2] + np.cumsum(steps, axis=0)
    rotations[:, 0] = quaternion.multiply(quaternion.from_heading(headings), rotations[:, 0])
    bent = align_to_travel(replace(motion, root_positions=positions, rotations=rotations))
    return example._replace(motion=bent, name=f"{example.name}, turned")
