"""How a climbing figure carries itself: strides, spans, comfort of its key postures, lean, swing of the arms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gambol.climb import FREE, HEURISTICS, LIMB_POINTS, USAGE, ClimbPath, ClimbProblem, Mode, StanceSetting
from gambol.climb.kernels.comfort import heuristic
from gambol.climb.kernels.kinematics import centre_of_mass, place
from gambol.climb.modes import FOOT, HAND

FloatArray = NDArray[np.float64]

TOGETHER_M = 0.05  # feet or hands nearer than this are side by side: no stride, no span


@dataclass(frozen=True, eq=False)
class Carriage:
    """How a figure carries itself along a path."""

    problem: ClimbProblem
    path: ClimbPath

    @cached_property
    def setting(self) -> StanceSetting:
        return StanceSetting.of(self.problem)

    @property
    def mode_shares(self) -> dict[str, float]:
        """Shares of the samples in each mode."""
        return {mode.label: float(np.mean(self.path.modes == mode)) for mode in Mode}

    @property
    def mode_sequence(self) -> list[str]:
        """Modes in the order in which they are entered."""
        modes = self.path.modes
        return [Mode(modes[i]).label for i in range(len(modes)) if i == 0 or modes[i] != modes[i - 1]]

    def taken(self, mode: Mode, kind: int) -> Iterator[tuple[int, int, int]]:
        """Yield (row, limb, grasp point) of all holds that hands or feet take in a mode."""
        grasps = self.path.grasps
        for row in self.path.grasp_changes:
            for limb in (2 * kind, 2 * kind + 1):
                if grasps[row, limb] not in (FREE, grasps[row - 1, limb]) and self.path.modes[row] == mode:
                    yield int(row), limb, int(grasps[row, limb])

    def apart(self, mode: Mode, kind: int) -> FloatArray:
        """Return how far from the other foot, or hand, holds are that are taken in a mode, along x."""
        x = self.setting.grasps.x
        found = [
            abs(x[grasp] - x[other])
            for row, limb, grasp in self.taken(mode, kind)
            if (other := self.path.grasps[row, limb ^ 1]) != FREE
        ]
        return np.array([gap for gap in found if gap > TOGETHER_M])

    @property
    def strides(self) -> FloatArray:
        return self.apart(Mode.WALK, FOOT)

    @property
    def hand_spans(self) -> FloatArray:
        return self.apart(Mode.SWING, HAND)

    def reaches(self, mode: Mode) -> FloatArray:
        """Return how far hands and feet go from hold to hold in a mode."""
        table, grasps = self.setting.grasps, self.path.grasps
        found: list[float] = []
        for kind in (HAND, FOOT):
            for row, limb, grasp in self.taken(mode, kind):
                held = grasps[:row, limb][grasps[:row, limb] != FREE]
                if len(held) and held[-1] != grasp:
                    found.append(
                        float(np.hypot(table.x[grasp] - table.x[held[-1]], table.z[grasp] - table.z[held[-1]]))
                    )
        return np.array(found)

    @cached_property
    def key_rows(self) -> list[int]:
        """Rows at which something is taken."""
        grasps = self.path.grasps
        return [int(i) for i in self.path.grasp_changes if np.any((grasps[i] != grasps[i - 1]) & (grasps[i] != FREE))]

    @cached_property
    def key_discomforts(self) -> FloatArray:
        """Return the logarithm of every heuristic (K, 9) of the key postures, whether their mode counts it or not."""
        setting, path = self.setting, self.path
        values = np.zeros((len(self.key_rows), len(HEURISTICS)))
        points = np.empty((12, 2))
        for k, row in enumerate(self.key_rows):
            q, facing, mode = path.configurations[row], float(path.facings[row]), Mode(path.modes[row])
            grasps = path.grasps[row]
            place(setting.figure, facing, q, points)
            centre, _ = centre_of_mass(setting.figure, points)
            low, high = setting.span(mode, int(np.sign(facing)), tuple(grasps.tolist()))
            for which in range(len(HEURISTICS)):
                values[k, which] = heuristic(
                    which, setting.figure, setting.field, int(mode), q, points, centre, low, high, grasps
                )
        return values

    @property
    def key_usage(self) -> FloatArray:
        """How much each heuristic counts (K, 9) in the key postures."""
        return np.array(USAGE).T[self.path.modes[self.key_rows]]

    @property
    def discomfort(self) -> float:
        """Mean logarithm of the discomfort of key postures, by the usual heuristics."""
        return float((self.key_discomforts * self.key_usage).sum(axis=1).mean()) if self.key_rows else 0.0

    @property
    def heuristics(self) -> dict[str, float | None]:
        """Mean logarithm of each heuristic over the key postures in which it counts; None where it nowhere does."""
        values, used = self.key_discomforts, self.key_usage > 0.0
        return {
            name: float(values[used[:, at], at].mean()) if used[:, at].any() else None
            for at, name in enumerate(HEURISTICS)
        }

    @property
    def lean(self) -> float:
        """Mean lean of the torso off upright while walking, in radians; 0 where nobody walks."""
        walking = self.path.configurations[self.path.modes == Mode.WALK]
        return float(np.abs(walking[:, 2]).mean()) if len(walking) else 0.0

    @property
    def arm_swing(self) -> float:
        """Standard deviation of both upper arms' angle to upright while walking, in radians."""
        walking = self.path.configurations[self.path.modes == Mode.WALK]
        return float((walking[:, [4, 6]] - walking[:, 2:3]).std(axis=0).mean()) if len(walking) else 0.0

    @property
    def counter_swing(self) -> float:
        """Correlation of upper arms with the opposite thighs in walking key postures: 1 is in step."""
        rows = [row for row in self.key_rows if self.path.modes[row] == Mode.WALK]
        q = self.path.configurations[rows]
        arms, thighs = (q[:, [4, 6]] - q[:, 2:3]).ravel(), (q[:, [10, 8]] - q[:, 2:3]).ravel()
        if len(rows) < 3 or arms.std() < 1e-9 or thighs.std() < 1e-9:
            return 0.0
        return float(np.corrcoef(arms, thighs)[0, 1])

    @property
    def foot_lift(self) -> float:
        """Mean over steps of how high an ankle comes above the higher of its ends while it swings, walking."""
        ends = self._ends()
        lifts = []
        for row, limb, _ in self.taken(Mode.WALK, FOOT):
            free = np.flatnonzero(self.path.grasps[:row, limb] != FREE)
            if len(free):
                way = ends[free[-1] : row + 1, limb, 1]
                lifts.append(way.max() - max(way[0], way[-1]))
        return float(np.mean(lifts)) if lifts else 0.0

    def _ends(self) -> FloatArray:
        """Return where the ends of limbs are, (N, 4, 2)."""
        ends, points = np.empty((len(self.path), 4, 2)), np.empty((12, 2))
        for row, (facing, q) in enumerate(zip(self.path.facings, self.path.configurations, strict=True)):
            place(self.setting.figure, float(facing), q, points)
            ends[row] = points[list(LIMB_POINTS)]
        return ends


def mean_of(values: Sequence[float] | FloatArray, digits: int = 3) -> float | None:
    """Return the mean, rounded; None of nothing."""
    return round(float(np.mean(values)), digits) if len(values) else None


def spread_of(values: Sequence[float], digits: int = 3) -> dict[str, float]:
    """Return median, 95th percentile and greatest of some values; nothing of nothing."""
    if not len(values):
        return {}
    shares = {"median": 50.0, "p95": 95.0, "most": 100.0}
    return {name: round(float(np.percentile(values, share)), digits) for name, share in shares.items()}
