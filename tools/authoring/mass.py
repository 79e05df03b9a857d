"""Where the built-in human's centre of mass is.

Masses and centres of the segments after de Leva (1996), male.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from tools.authoring import human_skeleton as human

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion

GRAVITY_M_S2 = 9.81

TRUNK = 0.435
TRUNK_CENTRE = 0.43  # of the way from between the shoulders to between the hips
HEAD = 0.069
#: Joint, the joint at the far end or a tip's offset, share of the mass, centre's share of the way.
LIMBS = (
    ("Arm", "ForeArm", 0.027, 0.58),
    ("ForeArm", "Hand", 0.016, 0.46),
    ("UpLeg", "Leg", 0.142, 0.41),
    ("Leg", "Foot", 0.043, 0.44),
)
HAND, HAND_CENTRE_M = 0.006, 0.068  # beyond the wrist
FOOT, FOOT_CENTRE_M = 0.014, (0.07, 0.0, -0.045)  # from the ankle


def centre_of_mass(motion: Motion) -> FloatArray:
    """Return the whole body's centre of mass (F, 3) for a motion of the built-in human."""
    joints, offsets, masses = _points()
    positions, rotations = motion.world_positions[:, joints], motion.world_rotations[:, joints]
    return np.einsum("p,fpc->fc", masses, positions + quaternion.rotate(rotations, offsets))


@cache
def _points() -> tuple[NDArray[np.intp], FloatArray, FloatArray]:
    """Return joints (P,), offsets in their frames (P, 3) and masses (P,) that stand for the whole body."""
    skeleton = human.human_skeleton()
    points: list[tuple[str, FloatArray, float]] = [
        ("Head", np.array([0.0, 0.0, 0.05]), HEAD),
        # The trunk bends: its mass goes to both ends so that their centre is where the table has it.
        ("Spine2", np.array([0.0, 0.0, 0.13]), TRUNK * (1.0 - TRUNK_CENTRE)),
        ("Hips", np.array([0.0, 0.0, -human.HIPS_ABOVE_HIP_JOINTS_M]), TRUNK * TRUNK_CENTRE),
    ]
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        for near, far, mass, centre in LIMBS:
            points.append((side + near, centre * skeleton.offsets[skeleton.index(side + far)], mass))
        points.append((f"{side}Hand", np.array([0.0, HAND_CENTRE_M * left, 0.0]), HAND))
        points.append((f"{side}Foot", np.array(FOOT_CENTRE_M), FOOT))
    joints = np.array([skeleton.index(name) for name, _, _ in points])
    masses = np.array([mass for _, _, mass in points])
    return joints, np.array([offset for _, offset, _ in points]), masses / masses.sum()
