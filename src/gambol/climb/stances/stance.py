"""A stance: a mode, which way the figure faces, and which limb holds what."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.climb.climb import ClimbPath, Source
from gambol.climb.figure import FREE
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray


class Stance(NamedTuple):
    mode: Mode
    facing: int
    grasps: tuple[int, int, int, int]  # as LIMBS lists the limbs

    def moved(self, mode: Mode, limb: int, grasp: int) -> Stance:
        """Return the stance after a limb has taken a grasp point, or let go (FREE)."""
        grasps = list(self.grasps)
        grasps[limb] = grasp
        return Stance(mode, self.facing, (grasps[0], grasps[1], grasps[2], grasps[3]))

    def without(self, limb: int) -> tuple[int, int, int, int]:
        return self.moved(self.mode, limb, FREE).grasps if limb >= 0 else self.grasps

    @property
    def held(self) -> int:
        return sum(grasp != FREE for grasp in self.grasps)

    @property
    def hands(self) -> tuple[int, ...]:
        return tuple(grasp for grasp in self.grasps[:2] if grasp != FREE)

    @property
    def feet(self) -> tuple[int, ...]:
        return tuple(grasp for grasp in self.grasps[2:] if grasp != FREE)


class StancePiece(NamedTuple):
    """A stretch of way with the same mode and grasps all along."""

    configurations: FloatArray  # (N, 12)
    facings: FloatArray  # (N,)
    mode: Mode
    grasps: tuple[int, int, int, int]
    source: Source

    def as_path(self) -> ClimbPath:
        count = len(self.configurations)
        return ClimbPath(
            self.configurations, self.facings, np.full(count, int(self.mode)), np.tile(self.grasps, (count, 1)),
            np.full(count, int(self.source)),
        )  # fmt: skip


def still(q: FloatArray, stance: Stance, source: Source = Source.MACHINE) -> StancePiece:
    """Return one configuration in a stance."""
    return StancePiece(q[None].copy(), np.array([float(stance.facing)]), stance.mode, stance.grasps, source)
