"""The same plaza for all crowds that are compared: who starts where, where they go, and what stands in the way."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from gambol.world import Footprint, Obstacle, World

FloatArray = NDArray[np.float64]
DENSITY = 0.1  # characters a square metre
RADIUS_M = 0.32  # of someone who stands
SPEED_M_S = 2.6  # at most
ARRIVING_M = 1.0  # who passes a goal at this distance takes the next
RATE_HZ = 30.0
GOALS = 8  # of each, over and over
BOX_M = 3.0
BOXES = ((0.25, 0.3), (0.7, 0.25), (0.5, 0.5), (0.3, 0.75), (0.75, 0.7))  # middles, as shares of the side
SLACK_M = 0.001  # discs that just rest against each other do not touch


@dataclass(frozen=True)
class Plaza:
    """A square with five boxes and N characters."""

    count: int
    seed: int = 0
    side_m: float = field(init=False)
    starts: FloatArray = field(init=False, repr=False)  # (N, 3) x, y, heading
    goals: FloatArray = field(init=False, repr=False)  # (N, GOALS, 2)

    def __post_init__(self) -> None:
        object.__setattr__(self, "side_m", float(np.sqrt(self.count / DENSITY)))
        rng = np.random.default_rng(self.seed)
        columns = int(np.ceil(np.sqrt(1.15 * self.count))) + 2  # some places are taken by boxes
        pitch = (self.side_m - 2.0) / columns
        grid = 1.0 + pitch * (np.stack(np.meshgrid(np.arange(columns), np.arange(columns)), axis=-1) + 0.5)
        places = grid.reshape(-1, 2) + rng.uniform(-0.15, 0.15, (columns * columns, 2)) * pitch
        places = places[self._is_open(places, 1.0)]
        places = places[rng.permutation(len(places))[: self.count]]
        starts = np.column_stack((places, rng.uniform(-np.pi, np.pi, self.count)))
        goals = rng.uniform(1.5, self.side_m - 1.5, (self.count, GOALS, 2))
        while not (is_open := self._is_open(goals, 1.0)).all():
            goals[~is_open] = rng.uniform(1.5, self.side_m - 1.5, (int((~is_open).sum()), 2))
        object.__setattr__(self, "starts", starts)
        object.__setattr__(self, "goals", goals)

    @property
    def boxes(self) -> tuple[tuple[float, float], ...]:
        """Middles of the boxes in metres."""
        return tuple((x * self.side_m, y * self.side_m) for x, y in BOXES)

    @property
    def world(self) -> World:
        box = Footprint.box(BOX_M, BOX_M)
        obstacles = [Obstacle(f"box {number}", box, (x, y, 0.0)) for number, (x, y) in enumerate(self.boxes)]
        return World((0.0, 0.0, self.side_m, self.side_m), tuple(obstacles))

    def _is_open(self, points: FloatArray, room_m: float) -> NDArray[np.bool_]:
        """Tell which points (..., 2) have room to all boxes."""
        away = np.abs(points[..., None, :] - np.array(self.boxes)).max(axis=-1)
        return (away > 0.5 * BOX_M + room_m).all(axis=-1)


class Nearness:
    """Counts how often two come nearer to each other than twice the radius, frame by frame."""

    def __init__(self) -> None:
        self.pairs = 0  # that came near
        self.pair_frames = 0
        self.deepest_m = 0.0
        self._before: set[tuple[int, int]] = set()

    def look(self, points: FloatArray) -> None:
        """Look at one frame's roots (N, 2)."""
        found = KDTree(points).query_pairs(2.0 * RADIUS_M - SLACK_M)
        self.pairs += len(found - self._before)
        self.pair_frames += len(found)
        for one, other in found:
            self.deepest_m = max(self.deepest_m, 2.0 * RADIUS_M - float(np.hypot(*(points[one] - points[other]))))
        self._before = found


@dataclass(frozen=True)
class Times:
    """Milliseconds of frames (F,)."""

    ms: FloatArray

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Times:
        return cls(1000.0 * np.asarray(seconds))

    @property
    def mean(self) -> float:
        return float(self.ms.mean())

    def __str__(self) -> str:
        return f"{self.mean:.2f} ms, {np.quantile(self.ms, 0.95):.2f} at the 95th percentile"


def resident_bytes() -> int:
    """Return how much memory this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
