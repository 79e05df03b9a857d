"""Ways from posture to posture: the arcs that a person would try first, then others, then a small tree."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gambol.climb.environment_table import BAR, CEILING, FLOOR
from gambol.climb.figure import FREE, FigureTable
from gambol.climb.kernels.connect import arc_way, straight_way, tree_way
from gambol.climb.kernels.field import DistanceField
from gambol.climb.modes import Mode
from gambol.climb.stances.setting import StanceSetting
from gambol.climb.stances.stance import Stance
from gambol.geometry.arrays import FloatArray

Span = tuple[float, float]
Common = tuple[FigureTable, DistanceField, float, FloatArray, NDArray[np.int32], FloatArray]  # that all kernels take

MARGIN_M = 0.006  # that ways keep clear of what is solid
MOST_SAMPLES = 600
TREE_NODES = 600
LIFTS_M = (0.10, 0.2, 0.35, 0.55)


class Connector:
    """Finds ways for one problem."""

    def __init__(self, setting: StanceSetting, state: NDArray[np.uint64]) -> None:
        self._setting = setting
        self._state = state
        self._way = np.empty((MOST_SAMPLES, 12))
        self.trees = 0

    def straight(
        self, stance: Stance, a: FloatArray, b: FloatArray, span: Span, *, tree: bool = True
    ) -> FloatArray | None:
        """Return the samples after a of a way on which all grasps of a stance are held."""
        common = self._common(stance, stance.grasps, span)
        count = straight_way(*common, MARGIN_M, a, b, self._way)
        if count < 0 and tree:
            count = tree_way(*common, MARGIN_M, a, b, TREE_NODES, self._state, self._way)
            self.trees += 1
        return self._way[:count].copy() if count >= 0 else None

    def moving(
        self, before: Stance, after: Stance, limb: int, a: FloatArray, b: FloatArray, span: Span, *,
        effort: float = 1.0, tree: bool = True,
    ) -> FloatArray | None:  # fmt: skip
        """Return the samples after a of a way on which one limb moves and the others hold."""
        grasps = after.without(limb)
        common = self._common(after, grasps, span)
        for lift, push in self._arcs(before, after, limb):
            count = arc_way(*common, MARGIN_M, limb, *lift, *push, a, b, self._way)
            if count >= 0:
                return self._way[:count].copy()
        count = straight_way(*common, MARGIN_M, a, b, self._way)
        if count < 0 and tree:
            count = tree_way(*common, MARGIN_M, a, b, int(effort * TREE_NODES), self._state, self._way)
            self.trees += 1
        return self._way[:count].copy() if count >= 0 else None

    def _common(self, stance: Stance, grasps: tuple[int, ...], span: Span) -> Common:
        setting, facing = self._setting, stance.facing
        top = setting.head_room(stance.mode, grasps)
        return (
            setting.figure, setting.field, float(facing), setting.targets(facing, grasps),
            np.array(grasps, dtype=np.int32), np.array([*span, top]),
        )  # fmt: skip

    def _arcs(
        self, before: Stance, after: Stance, limb: int
    ) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
        """Yield lifts of a limb's end and pushes of the pelvis, the plainest first."""
        table, scale, facing = self._setting.grasps, self._setting.scale, after.facing
        ends = [grasp for grasp in (before.grasps[limb], after.grasps[limb]) if grasp != FREE]
        normals = [self._away(grasp, limb, facing) for grasp in ends]
        across, up = (sum(parts) for parts in zip(*normals, strict=True))
        length = math.hypot(across, up)
        first = (across / length, up / length) if length > 1e-6 else (-float(facing), 0.0)
        options = [first]
        for other in ((0.0, 1.0), (-float(facing), 0.0), (-0.7 * facing, 0.7)):
            if other not in options:
                options.append(other)
        low = after.mode == Mode.CRAWL or (limb < 2 and all(table.surface[grasp] == FLOOR for grasp in ends))
        pushes = ((0.0, 0.0), (0.0, 0.05 * scale), (-0.08 * facing * scale, 0.03 * scale))
        for push in pushes:
            for index, (x, z) in enumerate(options):
                for lift in LIFTS_M if index == 0 else LIFTS_M[1:3]:
                    height = scale * (0.6 * lift if low else lift)
                    yield (height * x, height * z), push

    def _away(self, grasp: int, limb: int, facing: int) -> tuple[float, float]:
        """Return the direction in which a limb's end leaves a grasp point."""
        table = self._setting.grasps
        surface = table.surface[grasp]
        if surface == BAR:
            return (-0.5 * facing, 0.85) if limb >= 2 else (-0.5 * facing, -0.85)
        if surface in (CEILING, FLOOR):
            return float(table.normal[grasp, 0]), float(table.normal[grasp, 1])
        return 0.85 * float(np.sign(table.normal[grasp, 0])), 0.5
