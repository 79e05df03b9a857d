"""Contact-free problems like the paper's figures 3, 4 and 6."""

from __future__ import annotations

import numpy as np

from gambol.climb import FreeProblem
from gambol.geometry import FloatArray
from gambol.world import Environment


def bent_corridor(seed: int = 0) -> FreeProblem:
    """Return a problem like figure 3: from A to B through a corridor half as wide as the figure is tall.

    It leads along the ground, up past a ledge that leaves 0.6 m, and on to the right.
    """
    environment = Environment(
        (0.0, -0.2, 7.0, 4.2),
        [
            _box(0.0, -0.2, 7.0, 0.0),
            _box(1.9, 0.9, 3.0, 4.2),
            _box(3.9, 0.0, 5.0, 2.4),
            _box(3.0, 3.3, 5.0, 4.2),
            _box(3.6, 1.5, 3.9, 1.65),
        ],
    )
    return FreeProblem(environment, floating(1.0, 2.2), _sitting(6.0, 1.5), seed=seed, max_pieces=5000)


def two_blocks(seed: int = 0) -> FreeProblem:
    """Return a problem like figure 4: over one block, under the next, and sit down in the air."""
    environment = Environment((0.0, 0.0, 8.0, 5.0), [_box(2.5, 0.0, 3.0, 2.8), _box(4.8, 2.2, 5.3, 5.0)])
    return FreeProblem(environment, floating(1.2, 1.2), _sitting(7.0, 1.5), seed=seed)


def dead_end(seed: int = 0) -> FreeProblem:
    """Return a problem like figure 6: a cave whose back has a crack, too narrow for all but the potential.

    The way round leads under the cave.
    """
    bottom, crack, back = 2.0, 2.6, 4.4
    environment = Environment(
        (0.0, 0.0, 8.0, 6.0),
        [
            _box(3.0, bottom, back, bottom + 0.2),
            _box(3.0, bottom + 2.2, back, 6.0),
            _box(back, bottom, back + 0.3, crack - 0.125),
            _box(back, crack + 0.125, back + 0.3, 6.0),
        ],
    )
    return FreeProblem(environment, floating(1.2, 2.8), floating(7.0, 2.5), seed=seed, max_pieces=5000)


def floating(x: float, z: float) -> FloatArray:
    """Return a configuration at ease, with the pelvis at a place."""
    return np.array([x, z, 0.1, 0.0, 0.3, 0.3, -0.1, 0.3, 0.3, 0.3, -0.1, 0.3])


def _sitting(x: float, z: float) -> FloatArray:
    """Return a configuration with bent hips and knees, and the pelvis at a place."""
    return np.array([x, z, 0.9, -0.3, 1.2, 0.8, 1.4, 0.5, 1.6, 1.5, 1.4, 1.2])


def _box(low_x: float, low_z: float, high_x: float, high_z: float) -> FloatArray:
    return np.array([(low_x, low_z), (high_x, low_z), (high_x, high_z), (low_x, high_z)])
