"""Where the horse's centre of mass is."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from tools.authoring.horse.skeleton import horse_skeleton

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion

#: Joint, centre of what it carries, seen from it in metres, and share of the mass (textbook figures, rounded).
POINTS = (
    ("Hips", (0.0, 0.0, -0.10), 0.17),
    ("Spine", (0.12, 0.0, -0.16), 0.19),
    ("Spine1", (0.13, 0.0, -0.15), 0.20),
    ("Spine2", (0.10, 0.0, -0.10), 0.09),
    ("Neck", (0.08, 0.0, 0.10), 0.035),
    ("Neck1", (0.07, 0.0, 0.12), 0.025),
    ("Head", (0.17, 0.0, -0.19), 0.045),
)
FORE = (
    ("Shoulder", (0.12, 0.02, -0.17), 0.022),
    ("Upper", (-0.09, 0.0, -0.07), 0.016),
    ("Lower", (0.0, 0.0, -0.16), 0.011),
    ("Cannon", (0.0, 0.0, -0.13), 0.0035),
    ("Pastern", (0.03, 0.0, -0.05), 0.0015),
    ("Hoof", (0.01, 0.0, -0.04), 0.002),
)
HIND = (
    ("Thigh", (0.06, 0.0, -0.14), 0.044),
    ("Gaskin", (-0.14, 0.0, -0.15), 0.016),
    ("Cannon", (0.01, 0.0, -0.14), 0.005),
    ("Pastern", (0.03, 0.0, -0.06), 0.0015),
    ("Hoof", (0.01, 0.0, -0.04), 0.002),
)


def centre_of_mass(motion: Motion) -> FloatArray:
    """Return the centre of mass (F, 3) for a motion of the built-in horse."""
    joints, offsets, masses = _points()
    positions, rotations = motion.world_positions[:, joints], motion.world_rotations[:, joints]
    return np.einsum("p,fpc->fc", masses, positions + quaternion.rotate(rotations, offsets))


@cache
def _points() -> tuple[NDArray[np.intp], FloatArray, FloatArray]:
    """Return joints (P,), offsets in their frames (P, 3) and masses (P,), which sum to 1."""
    points = list(POINTS)
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        for leg, parts in (("Fore", FORE), ("Hind", HIND)):
            points += [(f"{side}{leg}{part}", (x, left * y, z), mass) for part, (x, y, z), mass in parts]
    index = horse_skeleton().index
    joints = np.array([index(name) for name, _, _ in points], dtype=np.intp)
    masses = np.array([mass for _, _, mass in points])
    return joints, np.array([offset for _, offset, _ in points]), masses / masses.sum()
