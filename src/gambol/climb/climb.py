"""What a climber hands back: configurations with their grasps, how it went and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.climb.figure import COORDINATES, FREE
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int32Array, frozen_array
from gambol.search.plan import Outcome


class Source(IntEnum):
    """Which part of a planner made a configuration [KP00 3.1]."""

    MACHINE = 0  # the finite-state machine of modes: a regrasp
    DESCENT = 1
    RANDOM_WALK = 2
    COMFORT = 3


@dataclass(frozen=True, eq=False)
class ClimbPath:
    """Configurations in their order, without time, and which limb holds what at each.

    Between two neighbours the figure moves straight in its coordinates, save that a limb which holds the same
    grasp point at both keeps holding it: inverse kinematics from the straight motion of pelvis and torso.
    A limb that holds a point at one and not at the other has its end there at the one where it holds it.
    """

    configurations: FloatArray  # (N, 12), as in figure.py
    facings: FloatArray  # (N,) 1, -1, or between in the course of a turn
    modes: Int32Array  # (N,) of Mode
    grasps: Int32Array  # (N, 4) which grasp point each limb holds, FREE where none
    sources: Int32Array  # (N,) of Source

    def __post_init__(self) -> None:
        object.__setattr__(self, "configurations", frozen_array(self.configurations))
        object.__setattr__(self, "facings", frozen_array(self.facings))
        for name in ("modes", "grasps", "sources"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.int32))
        count = len(self.configurations)
        shapes = tuple(getattr(self, name).shape for name in self.__dataclass_fields__)
        if shapes != ((count, len(COORDINATES)), (count,), (count,), (count, 4), (count,)):
            raise InvalidInput(f"the arrays of a path do not fit together: {shapes}")

    def __len__(self) -> int:
        return len(self.configurations)

    @property
    def grasp_changes(self) -> NDArray[np.intp]:
        """Indices i at which what is held differs between i - 1 and i."""
        return np.flatnonzero(np.any(self.grasps[1:] != self.grasps[:-1], axis=1)) + 1

    @property
    def joint_travel(self) -> float:
        """How far all joints turn together, in radians: neck, shoulders, elbows, hips and knees."""
        return float(np.abs(np.diff(self.configurations[:, 3:], axis=0)).sum())

    def part(self, start: int, stop: int) -> ClimbPath:
        return ClimbPath(*(getattr(self, name)[start:stop] for name in self.__dataclass_fields__))

    @staticmethod
    def joined(parts: list[ClimbPath]) -> ClimbPath:
        names = ClimbPath.__dataclass_fields__
        return ClimbPath(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


@dataclass(frozen=True, eq=False)
class ClimbMotion:
    """A path in time: one configuration a frame."""

    path: ClimbPath
    rate_hz: float

    @property
    def duration_s(self) -> float:
        return (len(self.path) - 1) / self.rate_hz


@dataclass(frozen=True)
class Regrasp:
    """A change of what one limb holds, or of the mode or facing (then no limb is named)."""

    frame: int  # of the path it belongs to
    mode: Mode
    facing: int
    limb: str  # of LIMBS, or ""
    left: int = FREE  # grasp point it let go
    taken: int = FREE  # grasp point it took


@dataclass(frozen=True, eq=False)
class Climb:
    """What became of a problem."""

    problem: ClimbProblem
    core: str  # "stances" or "paper"
    outcome: Outcome
    reason: str  # why, in a sentence; "" where it was found
    planned: (
        ClimbPath | None
    )  # as the core found it; where none leads to the goal, the way to the nearest place reached
    motion: ClimbMotion | None  # smoothed and timed
    plan_time_s: float = 0.0
    smooth_time_s: float = 0.0
    statistics: Mapping[str, Any] = field(default_factory=dict)  # what the core counted
