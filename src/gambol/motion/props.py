"""Joints of things that a skeleton carries along, known by their names: a skateboard's deck and trucks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.motion.skeleton import Skeleton

BOARD = "Board"  # a skateboard's deck
TRUCKS = ("FrontTruck", "BackTruck")  # its trucks, which steer below the deck
PROPS = (BOARD, *TRUCKS)  # joints that belong to no body


def prop_joints(skeleton: Skeleton) -> NDArray[np.bool_]:
    """Mark the joints (J,) that are props."""
    return np.array([name in PROPS for name in skeleton.names])
