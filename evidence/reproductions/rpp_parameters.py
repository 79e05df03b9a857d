"""Parameters of KP00's core, measured on what runs instead of read from its settings [KP00 3.2, 3.3]."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evidence.reproductions.free_problems import floating
from gambol.climb import FREE, Figure, OccupancyMap
from gambol.climb.kernels.chance import chance_state
from gambol.climb.kernels.steps import THIRDS, vary
from gambol.climb.paper.tables import step_widths
from gambol.world import Environment

COORDINATES_FAR_FROM_LIMITS = (0, 1, 2, 3)
BISECTIONS = 30


class Chances(NamedTuple):
    """How a random walk changes coordinates."""

    raised: float  # shares of all changes
    lowered: float
    left: float
    middle: float  # mean size of a change, times the largest there is
    most: float  # largest seen, likewise
    unlike_even: float  # greatest distance of the sizes' distribution from an even one (Kolmogorov and Smirnov)


def measured_chances(samples: int, seed: int = 0) -> Chances:
    """Change a free figure's configuration so often, each time anew, and look at what changed."""
    figure = Figure()
    q, widths, state = floating(0.0, 2.0), step_widths(figure), chance_state(seed)
    nothing, targets, trial = np.full(4, FREE, dtype=np.int32), np.zeros((4, 2)), np.empty(12)
    at = list(COORDINATES_FAR_FROM_LIMITS)
    changes = np.empty((samples, len(at)))
    for number in range(samples):
        vary(figure.table, 1.0, q, nothing, targets, widths, 1.0, THIRDS, state, trial)
        changes[number] = (trial - q)[at] / widths[at]
    sizes = np.sort(np.abs(changes[changes != 0.0]))
    steps = np.arange(1, len(sizes) + 1) / len(sizes)
    return Chances(
        float(np.mean(changes > 0.0)), float(np.mean(changes < 0.0)), float(np.mean(changes == 0.0)),
        float(sizes.mean()), float(sizes[-1]), float(np.abs(steps - sizes).max()),
    )  # fmt: skip


def measured_free_share() -> float:
    """Return how much of a cell must be free for it to count as free: found by halving."""
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        share = 0.5 * (low + high)
        solid = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0 - share), (0.0, 1.0 - share)])
        is_free = bool(OccupancyMap.of(Environment((0.0, 0.0, 1.0, 1.0), [solid]), 1.0).free[0, 0])
        low, high = (low, share) if is_free else (share, high)
    return high


def measured_neighbours() -> int:
    """Return how many cells are one cell away from another in the distance map."""
    cells = OccupancyMap.of(Environment((0.0, 0.0, 5.0, 5.0), []), 1.0)
    return int(np.sum(np.isclose(cells.distances(2.5, 2.5), 1.0)))
