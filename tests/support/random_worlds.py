"""Random worlds, and their obstacles as shapely sees them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import shapely
from shapely import affinity

from gambol.world import Footprint, Obstacle, Piece, Special, Terrain, World

SIZE_M = 12.0
BOUNDS = (-3.0, 2.0, -3.0 + SIZE_M, 2.0 + SIZE_M)


class Known(NamedTuple):
    """A world, and its obstacles as shapely sees them: rounded by a radius, whole even where not convex."""

    world: World
    cores: list[shapely.Geometry]
    rounding: list[float]

    def gaps(self, x: float, y: float) -> np.ndarray:
        """Distances from a point to each obstacle, not above 0 inside."""
        return shapely.distance(np.array(self.cores, dtype=object), shapely.Point(x, y)) - np.array(self.rounding)

    def room(self, x: float, y: float) -> float:
        """Distance from a point to the nearest bound; negative outside."""
        left, low, right, high = self.world.bounds
        return min(x - left, right - x, y - low, high - y)


def random_world(rng: np.random.Generator, count: int, *, annotated: float = 0.0, hilly: bool = False) -> Known:
    """Boxes at any angle, discs, capsules and star-shaped polygons, also across and beyond the bounds."""
    obstacles, cores, rounding = [], [], []
    for number in range(count):
        pose = (rng.uniform(-4.0, 10.0), rng.uniform(1.0, 15.0), rng.uniform(-4.0, 4.0))
        footprint, core, radius = random_footprint(rng, number % 4)
        turned = affinity.rotate(core, pose[2], origin=(0.0, 0.0), use_radians=True)
        cores.append(affinity.translate(turned, pose[0], pose[1]))
        rounding.append(radius)
        bottom = rng.choice([0.0, 0.0, 1.0, rng.uniform(-0.2, 2.0)])
        top = bottom + rng.choice([0.4, 3.0, rng.uniform(0.05, 2.0)])
        special = None
        if rng.random() < annotated:
            special = Special(str(rng.choice(["jump", "crawl"])), rng.uniform(0.0, 3.0), rng.uniform(0.0, 1.0))
        obstacles.append(Obstacle(f"thing {number}", footprint, pose, bottom, top, special))
    return Known(World(BOUNDS, tuple(obstacles), terrain=random_terrain(rng) if hilly else None), cores, rounding)


def random_footprint(rng: np.random.Generator, kind: int) -> tuple[Footprint, shapely.Geometry, float]:
    if kind == 0:
        length, width = rng.uniform(0.05, 3.0, 2)
        return Footprint.box(length, width), shapely.box(-length / 2, -width / 2, length / 2, width / 2), 0.0
    if kind == 1:
        radius = rng.uniform(0.05, 1.5)
        return Footprint.disc(radius), shapely.Point(0.0, 0.0), radius
    if kind == 2:
        ends, radius = rng.uniform(-1.5, 1.5, (2, 2)), rng.uniform(0.0, 0.5)
        return Footprint((Piece(ends, radius),)), shapely.LineString(ends), radius
    corners = int(rng.integers(3, 9))
    angles = 2.0 * math.pi * np.arange(corners) / corners
    outline = rng.uniform(0.3, 2.0, corners)[:, None] * np.stack((np.cos(angles), np.sin(angles)), axis=1)
    return Footprint.polygon(outline), shapely.Polygon(outline), 0.0


def random_terrain(rng: np.random.Generator) -> Terrain:
    rows, columns = (int(count) for count in rng.integers(2, 30, 2))
    return Terrain((-1.0, 3.0), float(rng.choice([0.1, 0.4, 1.0, 2.5])), rng.normal(scale=0.3, size=(rows, columns)))


def random_place(rng: np.random.Generator, *, beyond_m: float = 0.5) -> tuple[float, float]:
    x, y = rng.uniform(-beyond_m, SIZE_M + beyond_m, 2)
    return float(BOUNDS[0] + x), float(BOUNDS[1] + y)
