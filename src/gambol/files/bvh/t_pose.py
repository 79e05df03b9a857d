"""Recognise the T-pose that converters insert before a capture."""

from __future__ import annotations

import numpy as np

from gambol.geometry import quaternion
from gambol.motion import joint_names
from gambol.motion.motion import Motion

JUMP = 5.0  # times the take's median step: the step out of a T-pose is at least as large
LEAST_JUMP_RAD = np.radians(3.0)  # radians, mean over the joints: the step out of a T-pose is at least as large
STEPS = 120  # number of the take's first frames that give its median step
ROUND_DEGREES = 1e-4  # degrees: an angle this near to a whole number was typed, not measured
LIMB_TOLERANCE = np.sin(np.radians(12.0))  # sine of the most that arms may be off level, and legs off vertical


def starts_with_t_pose(motion: Motion) -> bool:
    """Return whether frame 0 is a reference pose that the motion leaves with a jump.

    A reference pose either is upright and has only rotations by whole degrees, which no capture gives, or it has
    straight vertical legs and straight level arms.
    """
    if motion.frame_count < 3 or not (_is_round(motion) or _is_spread(motion)):
        return False
    shown = motion.rotations[:STEPS]
    steps = quaternion.angle(shown[:-1], shown[1:]).mean(axis=1)
    return bool(steps[0] >= max(LEAST_JUMP_RAD, JUMP * float(np.median(steps[1:]))))


def _is_round(motion: Motion) -> bool:
    root_upright = np.abs(motion.rotations[0, 0, 0]) > 1.0 - 1e-12
    # Turns about a single axis by whole degrees, or none, are typed, not measured.
    degrees = np.degrees(quaternion.log(motion.rotations[0]))
    return bool(root_upright and np.all(np.abs(degrees - np.round(degrees)) < ROUND_DEGREES))


def _is_spread(motion: Motion) -> bool:
    positions = motion.world_positions[0]
    legs, arms = joint_names.legs(motion.skeleton), joint_names.arms(motion.skeleton)
    if len(legs) < 2 or len(arms) < 2:
        return False

    def bone(start: int, end: int) -> np.ndarray:
        vector = positions[end] - positions[start]
        return vector / max(float(np.linalg.norm(vector)), 1e-9)

    level = all(
        abs(bone(a, b)[2]) < LIMB_TOLERANCE for arm in arms for a, b in ((arm.root, arm.middle), (arm.middle, arm.end))
    )
    upright = all(
        np.linalg.norm(bone(a, b)[:2]) < LIMB_TOLERANCE and bone(a, b)[2] < 0.0
        for leg in legs
        for a, b in ((leg.root, leg.middle), (leg.middle, leg.end))
    )
    return level and upright
