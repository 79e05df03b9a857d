"""Random environments for the climber: courses of steps, slopes, walls, tunnels and bars over pits, from a seed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.climb import FIGURES, ClimbGoal, ClimbProblem, ClimbStart, Figure
from gambol.world import Environment, GraspKind, GraspPoint

FloatArray = NDArray[np.float64]

PIECES = ("flat", "steps", "slope", "tunnel", "wall", "bars")
STANDING_M = 1.0  # about where the centre of mass of a standing adult is
FLOOR_KINDS: tuple[tuple[GraspKind, ...], tuple[float, ...]] = (("load-bearing", "hybrid"), (0.8, 0.2))
WALL_KINDS: tuple[tuple[GraspKind, ...], tuple[float, ...]] = (("hybrid", "load-bearing", "pendent"), (0.8, 0.1, 0.1))


@dataclass
class Course:
    """A course that grows to the right, piece by piece."""

    rng: np.random.Generator
    scale: float = 1.0  # of who is to master it, beside an adult
    outline: list[tuple[float, float]] = field(default_factory=lambda: [(-1.5, 0.0)])  # of the ground, left to right
    overhead: list[list[tuple[float, float]]] = field(default_factory=list)
    points: list[GraspPoint] = field(default_factory=list)

    def floor(self, length_m: float, rise_m: float = 0.0) -> None:
        """Add ground, level or sloping, with points at a random spacing."""
        x, z = self.outline[-1]
        normal = np.array([-rise_m, length_m]) / np.hypot(rise_m, length_m)
        spacing = self.rng.uniform(0.2, 0.45)
        at = self.rng.uniform(0.08, 0.2)
        while at < length_m - 0.05:
            self._add(x + at, z + rise_m * at / length_m, FLOOR_KINDS, (float(normal[0]), float(normal[1])))
            at += spacing * self.rng.uniform(0.8, 1.2)
        self.outline.append((x + length_m, z + rise_m))

    def steps(self) -> None:
        for _ in range(self.rng.integers(1, 4)):
            self.rise(self.rng.uniform(0.1, 0.35) * self.rng.choice([-1.0, 1.0]))
            self.floor(self.rng.uniform(0.5, 1.2))

    def slope(self) -> None:
        length = self.rng.uniform(0.8, 2.0)
        self.floor(length, length * self.rng.uniform(-0.35, 0.35))

    def tunnel(self) -> None:
        x, z = self.outline[-1]
        length, headroom = self.rng.uniform(0.8, 2.5), self.scale * self.rng.uniform(0.9, 1.8)
        low, high = z + headroom, z + headroom + self.rng.uniform(0.3, 2.0)
        self.floor(length)
        self.overhead.append([(x, low), (x + length, low), (x + length, high), (x, high)])

    def wall(self) -> None:
        """Add a wall upwards with holds, and a floor on top of it."""
        x, z = self.outline[-1]
        height = self.rng.uniform(1.2, 2.6)
        at = self.rng.uniform(0.2, 0.4)
        spacing = self.rng.uniform(0.2, 0.35)
        while at < height - 0.05:
            self._add(x, z + at, WALL_KINDS, (-1.0, 0.0))
            at += spacing * self.rng.uniform(0.8, 1.2)
        self.rise(height)
        self._add(x + 0.06, z + height, (("hybrid",), (1.0,)), (0.0, 1.0))
        self.floor(self.rng.uniform(1.2, 2.0))

    def bars(self) -> None:
        """Add a pit and bars over it."""
        x, z = self.outline[-1]
        length, depth = self.rng.uniform(0.8, 2.5), self.rng.uniform(1.0, 2.0)
        height = z + self.scale * self.rng.uniform(1.9, 2.15)
        for at in np.arange(-0.2, length + 0.3, self.rng.uniform(0.25, 0.5)):
            kind: GraspKind = "pendent" if self.rng.random() < 0.7 else "hybrid"
            self.points.append(GraspPoint(float(x + at), float(height), kind))
        self.outline += [(x, z - depth), (x + length, z - depth), (x + length, z)]
        self.floor(self.rng.uniform(1.2, 2.0))

    def rise(self, height_m: float) -> None:
        x, z = self.outline[-1]
        self.outline.append((x, z + height_m))

    def environment(self) -> Environment:
        line = np.array(self.outline)
        bottom = line[:, 1].min() - 0.5
        ground = [(line[0, 0], bottom), (line[-1, 0], bottom), *self.outline[::-1]]
        tops = [z for block in self.overhead for _, z in block]
        top = max(line[:, 1].max() + 3.0, *tops, 0.0) + 0.2
        return Environment((line[0, 0], bottom, line[-1, 0], top), [ground, *self.overhead], self.points)

    def _add(
        self, x: float, z: float, kinds: tuple[tuple[GraspKind, ...], tuple[float, ...]], normal: tuple[float, float]
    ) -> None:
        kind = kinds[0][self.rng.choice(len(kinds[0]), p=kinds[1])]
        self.points.append(GraspPoint(float(x), float(z), kind, normal))


def random_problem(seed: int, pieces: int = 2, figure: Figure | None = None) -> ClimbProblem:
    """Return a course from a seed: level ground, some pieces, level ground; where nobody is named, any figure.

    Not every course can be mastered.
    """
    return random_course(seed, pieces, figure)[0]


def random_course(seed: int, pieces: int = 2, figure: Figure | None = None) -> tuple[ClimbProblem, tuple[str, ...]]:
    """Return a course from a seed, and which pieces it has."""
    rng = np.random.default_rng([seed, 0xC11B])
    who = figure or list(FIGURES.values())[rng.integers(len(FIGURES))]
    course = Course(rng, who.scale)
    course.floor(2.5)
    names = tuple(rng.choice(PIECES, size=pieces).tolist())
    for name in names:
        if name == "flat":
            course.floor(rng.uniform(0.8, 2.0))
        else:
            getattr(course, name)()
    course.floor(2.5)
    end_x, end_z = course.outline[-1]
    goal = ClimbGoal(end_x - 1.2, end_z + STANDING_M * who.scale)
    return ClimbProblem(course.environment(), ClimbStart(0.0, 0.0), goal, figure=who, seed=seed), names
