"""Random queries after L09 4.7.2: a fixed start, a goal and rectangles at random, each world with one goal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from gambol.search.problem import Goal
from gambol.trees.region import Region
from gambol.world.world import Footprint, Obstacle, Pose, World

START: Pose = (0.0, 0.0, 0.0)
#: The papers take any node in a goal's overlapped cell, a square of 105 to 210 cm [L09 4.3]: this disc has the area of
#: one of 142 cm.
TOLERANCE_M = 0.8
AROUND_M = 2.0  # of the world beyond the region's box: bodies may lean out of it


@dataclass(frozen=True)
class Clutter:
    """How many rectangles, and how large: both uniformly at random between the two numbers."""

    least: int
    most: int
    shortest_m: float
    longest_m: float


@dataclass(frozen=True, eq=False)
class Query:
    """One world and one goal in it; the start is always the same."""

    number: int
    world: World
    goal: Goal
    blocked: shapely.Geometry  # all obstacles together, for whoever wants to judge an answer


@dataclass(frozen=True, eq=False)
class QuerySet:
    """As many queries as asked for, by a seed; a query depends on its number alone."""

    region: Region  # where goals lie, and what every obstacle overlaps
    clutter: Clutter
    count: int
    seed: int
    clear_m: float  # obstacles nearer than this to the start or the goal block the query, which is then left out
    tolerance_m: float = TOLERANCE_M

    @cached_property
    def ground(self) -> shapely.Geometry:
        """The region as one geometry."""
        ground = ground_of(self.region)
        shapely.prepare(ground)
        return ground

    def __iter__(self) -> Iterator[Query]:
        number = kept = 0
        while kept < self.count:
            query = self.draw(number)
            if query is not None:
                kept += 1
                yield query
            number += 1

    def draw(self, number: int) -> Query | None:
        """Return the query of a number, or None if its start or its goal is blocked."""
        rng = np.random.default_rng((self.seed, number))
        goal = self._place(rng)
        count = int(rng.integers(self.clutter.least, self.clutter.most + 1))
        obstacles = tuple(self._obstacle(rng, index) for index in range(count))
        blocked = shapely.union_all([one.footprint.region(one.pose) for one in obstacles])
        ends = shapely.MultiPoint([START[:2], goal])
        if count and shapely.distance(ends, blocked) < self.clear_m:
            return None
        world = World(self.bounds, obstacles)
        return Query(number, world, Goal(*goal, tolerance_m=self.tolerance_m), blocked)

    @cached_property
    def _cells(self) -> np.ndarray:
        return self.region.cells

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Bounds of all worlds: the region's box, and some room around it."""
        least_x, least_y, greatest_x, greatest_y = shapely.bounds(self.ground).tolist()
        return least_x - AROUND_M, least_y - AROUND_M, greatest_x + AROUND_M, greatest_y + AROUND_M

    def goals(self, count: int, number: int) -> np.ndarray:
        """Return other goals (count, 2) in the region, free or not: to ask for before anything is timed."""
        rng = np.random.default_rng((self.seed, number, 1))
        return np.array([self._place(rng) for _ in range(count)])

    def _place(self, rng: np.random.Generator) -> tuple[float, float]:
        region = self.region
        row, column = divmod(int(rng.choice(self._cells)), region.mask.shape[1])
        along, across = (float(value) for value in rng.random(2))
        return region.x0 + (column + along) * region.cell_m, region.y0 + (row + across) * region.cell_m

    def _obstacle(self, rng: np.random.Generator, index: int) -> Obstacle:
        least_x, least_y, greatest_x, greatest_y = shapely.bounds(self.ground).tolist()
        reach = 0.5 * math.sqrt(2.0) * self.clutter.longest_m
        while True:
            length, width = (float(side) for side in rng.uniform(self.clutter.shortest_m, self.clutter.longest_m, 2))
            pose = (
                float(rng.uniform(least_x - reach, greatest_x + reach)),
                float(rng.uniform(least_y - reach, greatest_y + reach)),
                float(rng.uniform(0.0, math.pi)),
            )
            footprint = Footprint.box(length, width)
            if shapely.intersects(self.ground, footprint.region(pose)):
                return Obstacle(f"box {index}", footprint, pose)


def ground_of(region: Region) -> shapely.Geometry:
    """Return a region's cells as one geometry."""
    strips: list[shapely.Polygon] = []
    for row, inside in enumerate(region.mask):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], inside, [False]))))
        bottom = region.y0 + row * region.cell_m
        for left, right in edges.reshape(-1, 2):
            strips.append(
                shapely.box(
                    region.x0 + left * region.cell_m, bottom, region.x0 + right * region.cell_m, bottom + region.cell_m
                )
            )
    return shapely.union_all(strips)


def square_region(side_m: float) -> Region:
    """Return a square around the start."""
    half = 0.5 * side_m
    return Region.rectangle(-half, -half, half, half)
