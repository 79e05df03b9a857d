"""Small worlds and floors with obstacles and lanes at random, for tests of crowds."""

from __future__ import annotations

import numpy as np

from gambol.crowd import Floor, lay_floor, note_lanes
from gambol.world import Footprint, Obstacle, Special, World


def random_obstacle(rng: np.random.Generator, name: str, size_m: float, *, largest_m: float = 4.0) -> Obstacle:
    """A box, a disc or an L somewhere in a square, perhaps across its sides; one in five is annotated."""
    pose = (*rng.uniform(0.0, size_m, 2), rng.uniform(-np.pi, np.pi))
    length, width = rng.uniform(0.2, largest_m, 2)
    shape = rng.integers(3)
    if shape == 0:
        footprint = Footprint.box(length, width)
    elif shape == 1:
        footprint = Footprint.disc(0.5 * width)
    else:
        corners = [(0, 0), (length, 0), (length, 0.2), (0.2, 0.2), (0.2, width + 0.3), (0, width + 0.3)]
        footprint = Footprint.polygon(corners)
    special = Special("jump", 0.5) if rng.random() < 0.2 else None
    return Obstacle(name, footprint, pose, top_m=rng.uniform(0.1, 3.0), special=special)


def random_world(rng: np.random.Generator, size_m: float, count: int) -> World:
    obstacles = tuple(random_obstacle(rng, f"thing {number}", size_m) for number in range(count))
    return World((0.0, 0.0, size_m, size_m), obstacles)


def random_floor(rng: np.random.Generator, size_m: float, count: int, lanes: int) -> Floor:
    """A floor with rectangles of one-way cells."""
    floor = lay_floor(random_world(rng, size_m, count))
    rows, columns = floor.room.shape
    for _ in range(lanes):
        row, column = rng.integers(rows), rng.integers(columns)
        floor.way[row : row + rng.integers(2, 20), column : column + rng.integers(2, 20)] = rng.integers(16)
    note_lanes(floor)
    return floor
