"""A free robot of three links among obstacles, moved as randomized path planning moves it [KP00 figure 3, 3.2, 3.3].

A configuration is five numbers: where the first link begins, x and z, and the angle of each link to the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.climb import ControlPotential
from gambol.world import Environment

FloatArray = NDArray[np.float64]

LINKS, LINK_M, RADIUS_M = 3, 0.6, 0.05
SAMPLES = 30
LEAST_DECREASE_M = 0.01
STEP_M = 0.05  # how far one coordinate moves any point at most
WALK_STEPS, WALKS = 80, 5
NEAR_M = 0.5  # of way left for all control points together: from there it goes straight
STRAIGHT_STEPS = 40
BETWEEN = np.linspace(0.0, 1.0, 4)[1:]  # of a step that are looked at
#: The largest change of each coordinate: turning a joint moves all that is beyond it.
WIDTHS = STEP_M / np.array([1.0, 1.0, LINKS * LINK_M, (LINKS - 1) * LINK_M, LINK_M])


@dataclass(frozen=True, eq=False)
class LinksProblem:
    """From where to where, through what."""

    environment: Environment
    start: FloatArray  # (5,)
    goal: FloatArray
    seed: int = 0
    max_pieces: int = 600  # descents and random walks

    @cached_property
    def solid(self) -> shapely.Geometry:
        whole = shapely.unary_union([shapely.Polygon(corners) for corners in self.environment.polygons])
        outside = shapely.box(*self.environment.bounds).exterior
        return shapely.union(whole, outside)

    @cached_property
    def potential(self) -> ControlPotential:
        return ControlPotential.of(self.environment, placed(self.goal[None])[0])


@dataclass(frozen=True, eq=False)
class LinksPath:
    found: bool
    rows: FloatArray  # (N, 5)
    descents: int
    walks: int
    backtracks: int
    least_clearance_m: float  # of the way, looked at anew and more finely


def placed(rows: FloatArray) -> FloatArray:
    """Return the ends of the links (N, 4, 2) of configurations (N, 5): the control points."""
    angles = np.cumsum(rows[:, 2:], axis=1)
    steps = LINK_M * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    return rows[:, None, :2] + np.concatenate((np.zeros((len(rows), 1, 2)), np.cumsum(steps, axis=1)), axis=1)


def clearances(problem: LinksProblem, rows: FloatArray) -> FloatArray:
    """Return how far each configuration (N,) is from what is solid; inside it, the links have none."""
    shapes = shapely.linestrings(placed(rows))
    return np.asarray(shapely.distance(shapes, problem.solid)) - RADIUS_M


def bent_pipe(seed: int = 0) -> LinksProblem:
    """Return a problem like figure 3: from A to B round two corners, in a pipe narrower than the robot is long."""

    def box(low_x: float, low_z: float, high_x: float, high_z: float) -> FloatArray:
        return np.array([(low_x, low_z), (high_x, low_z), (high_x, high_z), (low_x, high_z)])

    environment = Environment(
        (0.0, 0.0, 6.0, 4.0),
        [box(0.0, 0.9, 2.4, 4.0), box(3.4, 0.0, 6.0, 2.6), box(2.4, 3.6, 3.0, 4.0), box(4.6, 3.3, 6.0, 3.55)],
    )
    start = np.array([0.3, 0.45, 0.0, 0.2, -0.2])
    goal = np.array([3.9, 3.0, -0.1, 0.3, -0.3])
    return LinksProblem(environment, start, goal, seed)


def solve_links(problem: LinksProblem) -> LinksPath:
    """Go down, walk at random out of minima, go back after several walks in vain, and at last straight to the goal."""
    return _Search(problem).run()


class _Search:
    def __init__(self, problem: LinksProblem) -> None:
        self.problem, self.chance = problem, np.random.default_rng(problem.seed)
        self.rows, self.random = [problem.start], [False]
        self.descents = self.walks = self.backtracks = 0

    def run(self) -> LinksPath:
        least, minimum, in_vain = np.inf, 1, 0
        found = False
        for _ in range(self.problem.max_pieces):
            found = self._ends()
            if found:
                break
            self._descend()
            left = self._left(self.rows[-1][None])[0]
            if left < least - LEAST_DECREASE_M:
                least, minimum, in_vain = left, len(self.rows), 0
            else:
                self._cut(minimum)
                in_vain += 1
                if in_vain >= WALKS:
                    self._go_back()
                    least, in_vain = np.inf, 0
            self._walk()
        rows = np.array(self.rows)
        return LinksPath(found, rows, self.descents, self.walks, self.backtracks, self._least(rows))

    def _left(self, rows: FloatArray) -> FloatArray:
        return np.array([self.problem.potential.at(points) for points in placed(rows)])

    def _is_clear(self, before: FloatArray, after: FloatArray) -> bool:
        return bool(clearances(self.problem, before + BETWEEN[:, None] * (after - before)).min() > 0.0)

    def _descend(self) -> None:
        self.descents += 1
        left = self._left(self.rows[-1][None])[0]
        while True:
            here = self.rows[-1]
            trials = here + self.chance.uniform(-1.0, 1.0, (SAMPLES, 5)) * WIDTHS
            values = self._left(trials)
            for number in np.argsort(values):
                if values[number] > left - LEAST_DECREASE_M:
                    return
                if self._is_clear(here, trials[number]):
                    self._add(trials[number], by_chance=False)
                    left = values[number]
                    break
            else:
                return

    def _walk(self) -> None:
        self.walks += 1
        for _ in range(WALK_STEPS):
            here = self.rows[-1]
            signs = self.chance.integers(-1, 2, 5)
            trial = here + signs * self.chance.uniform(0.0, 1.0, 5) * WIDTHS
            if self._is_clear(here, trial):
                self._add(trial, by_chance=True)

    def _go_back(self) -> None:
        self.backtracks += 1
        domain = [number for number, random in enumerate(self.random) if random] or list(range(len(self.rows)))
        self._cut(int(self.chance.choice(domain)) + 1)

    def _ends(self) -> bool:
        here, goal = self.rows[-1], self.problem.goal
        if self._left(here[None])[0] > NEAR_M * (LINKS + 1):
            return False
        straight = here + np.linspace(0.0, 1.0, STRAIGHT_STEPS)[1:, None] * (goal - here)
        if clearances(self.problem, straight).min() <= 0.0:
            return False
        for one in straight:
            self._add(one, by_chance=False)
        return True

    def _add(self, row: FloatArray, *, by_chance: bool) -> None:
        self.rows.append(row)
        self.random.append(by_chance)

    def _cut(self, count: int) -> None:
        del self.rows[count:], self.random[count:]

    def _least(self, rows: FloatArray) -> float:
        fine = np.concatenate([rows[:-1] + share * np.diff(rows, axis=0) for share in np.linspace(0.0, 1.0, 9)])
        return float(clearances(self.problem, fine).min()) if len(rows) > 1 else 0.0


def shortcut(problem: LinksProblem, rows: FloatArray, tries: int = 300) -> FloatArray:
    """Return a way with straight pieces in place of what the search did, wherever these are free [KP00 3.5]."""
    chance, way = np.random.default_rng(problem.seed), rows.copy()
    for _ in range(tries):
        first, last = sorted(chance.integers(0, len(way), 2).tolist())
        if last - first < 2:
            continue
        straight = np.linspace(way[first], way[last], last - first + 1)
        fine = np.linspace(way[first], way[last], 8 * (last - first) + 1)
        if clearances(problem, fine).min() > 0.0:
            way[first : last + 1] = straight
    return way


def turned(rows: FloatArray) -> float:
    """Return how far all links turn together on a way, in radians."""
    return float(np.abs(np.diff(rows[:, 2:], axis=0)).sum())
