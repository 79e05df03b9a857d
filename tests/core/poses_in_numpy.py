"""Poses in plain numpy."""

from __future__ import annotations

import numpy as np

from gambol.geometry import quaternion


def random_turns(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return unit quaternions (*shape, 4)."""
    return quaternion.normalize(rng.normal(size=(*shape, 4)))


def placed_joints(
    parents: np.ndarray, offsets: np.ndarray, roots: np.ndarray, rotations: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return positions (F, J, 3) and orientations (F, J, 4) of joints in the world."""
    positions, turns = np.empty((*rotations.shape[:2], 3)), rotations.copy()
    positions[:, 0] = roots
    for joint in range(1, len(parents)):
        above = turns[:, parents[joint]]
        positions[:, joint] = positions[:, parents[joint]] + quaternion.rotate(above, offsets[:, joint])
        turns[:, joint] = quaternion.multiply(above, rotations[:, joint])
    return positions, turns
