"""A figure in the course of an action: what it does to get elsewhere, row by row, until it is kept or forgotten."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import ClimbPath, Source
from gambol.climb.environment_table import BAR
from gambol.climb.figure import FREE, LIMBS
from gambol.climb.kernels.kinematics import reach
from gambol.climb.kernels.steps import carry, descend, ease, limb_end, motion_is_clear, restore_grasps, walk_at_random
from gambol.climb.modes import LEAST_HELD, Mode
from gambol.climb.paper.tables import Tables
from gambol.geometry.arrays import FloatArray, Int32Array

EASE_STEPS, LONG_EASE_STEPS, EASE_SAMPLES = 100, 250, 30
DESCENT_SAMPLES = 30
LEAST_DECREASE_M = 0.002  # of the potential: less is a local minimum
WALK_STEPS = 25
WALK_TRIES = 20
POSTURE_ROWS = 12  # of a motion to a given posture
ROW_M = 0.03  # how far a point moves from row to row
#: How far the end of a carried limb goes round about, in metres: little first.
BULGES_M = (0.08, 0.2, 0.35, 0.0)


class Trail:
    """Rows of a path: configuration, mode, grasps and source each."""

    def __init__(self) -> None:
        self.rows: list[tuple[FloatArray, int, Int32Array, int]] = []

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, q: FloatArray, mode: int, grasps: Int32Array, source: Source) -> None:
        self.rows.append((q.copy(), int(mode), grasps.copy(), int(source)))

    def count(self, source: Source) -> int:
        return sum(row[3] == source for row in self.rows)

    def path(self, facing: float) -> ClimbPath:
        configurations, modes, grasps, sources = zip(*self.rows, strict=True)
        count = len(self.rows)
        return ClimbPath(
            np.array(configurations), np.full(count, facing), np.array(modes), np.array(grasps), np.array(sources)
        )


class Attempt:
    """A figure's state and the rows that led there from where the attempt began."""

    def __init__(self, tables: Tables, state: NDArray[np.uint64], q: FloatArray, mode: int, grasps: Int32Array) -> None:
        self.tables, self.state = tables, state
        self.q, self.mode, self.grasps = q.copy(), Mode(mode), grasps.copy()
        self.trail = Trail()

    def copy(self, *, with_rows: bool = False) -> Attempt:
        """Return another attempt from where this one is."""
        other = Attempt(self.tables, self.state, self.q, self.mode, self.grasps)
        if with_rows:
            other.trail.rows = list(self.trail.rows)
        return other

    @property
    def centre(self) -> tuple[float, float]:
        return self.tables.centre(self.q)

    @property
    def held(self) -> list[int]:
        return [limb for limb in range(len(LIMBS)) if self.grasps[limb] != FREE]

    def end(self, limb: int) -> tuple[float, float]:
        return limb_end(self.tables.figure, self.tables.facing, self.q, limb)

    def can_spare(self, limb: int, mode: Mode | None = None) -> bool:
        """Tell whether the mode's least number of grasps is held without a limb."""
        hands, feet, both = LEAST_HELD[self.mode if mode is None else mode]
        held = [other for other in self.held if other != limb]
        held_hands = sum(other < 2 for other in held)
        return held_hands >= hands and len(held) - held_hands >= feet and len(held) >= both

    def reaches(self, limb: int, grasp: int) -> bool:
        """Tell whether a limb reaches a grasp point from where pelvis and torso are: two links, no more."""
        x, z = self.tables.anchor[grasp, 0 if limb < 2 else 1]
        return reach(self.tables.figure, self.tables.facing, self.q.copy(), limb, x, z)

    def let_go(self, limb: int, mode: Mode | None = None) -> bool:
        """Let go with a limb, and be in a mode from then on; False where too little would be held."""
        if not self.can_spare(limb, mode):
            return False
        self.mode = self.mode if mode is None else mode
        self.grasps[limb] = FREE
        self.trail.add(self.q, self.mode, self.grasps, Source.MACHINE)
        return True

    def take(self, limb: int, grasp: int, mode: Mode | None = None) -> bool:
        """Carry a limb to a grasp point and hold it, and be in a mode from then on; False where nothing leads there."""
        tables = self.tables
        kind = 0 if limb < 2 else 1
        after = self.mode if mode is None else mode
        if not (tables.grasps.allowed[after, grasp, kind] and tables.fits[grasp, kind] and self.reaches(limb, grasp)):
            return False
        holds = self.grasps[limb] != FREE
        if holds and not self.can_spare(limb):
            return False
        x, z = tables.anchor[grasp, kind]
        left = int(self.grasps[limb])
        free = self.grasps.copy()
        free[limb] = FREE
        targets = tables.targets(free)
        from_x, from_z = self.end(limb)
        far = float(np.hypot(x - from_x, z - from_z))
        for across, up in self._bulges(limb, left, grasp):
            rows = np.empty((max(2, int(np.ceil((far + np.hypot(across, up)) / ROW_M))), 12))
            if carry(
                tables.figure, tables.field, tables.facing, self.q, free, targets, limb, x, z, across, up,
                tables.margin, rows,
            ):  # fmt: skip
                break
        else:
            return False
        if holds:
            self.trail.add(self.q, self.mode, free, Source.MACHINE)
        for row in rows[:-1]:
            self.trail.add(row, self.mode, free, Source.MACHINE)
        self.q, self.mode = rows[-1].copy(), after
        self.grasps[limb] = grasp
        self.trail.add(self.q, self.mode, self.grasps, Source.MACHINE)
        return True

    def _bulges(self, limb: int, left: int, taken: int) -> list[tuple[float, float]]:
        """Return which way round to try: out of the surfaces that are left and taken; feet always upwards too."""
        normal = self.tables.grasps.normal
        out = normal[taken] + (normal[left] if left != FREE else 0.0)
        if self.tables.grasps.surface[taken] == BAR:
            out = out + np.array([0.0, -1.0 if limb < 2 else 1.0])
        length = float(np.hypot(*out))
        out = out / length if length > 1e-6 else np.array([0.0, 1.0])
        scale = self.tables.scale
        return [(scale * bulge * float(out[0]), scale * bulge * float(out[1])) for bulge in BULGES_M]

    def settle(self, mode: Mode | None = None, left_out: tuple[int, ...] = (), steps: int = EASE_STEPS) -> None:
        """Correct the posture by the discomfort of a mode, balanced over what is held but for limbs left out."""
        tables = self.tables
        wanted = self.mode if mode is None else mode
        bearing = self.grasps.copy()
        bearing[list(left_out)] = FREE
        low, high = tables.span(bearing, wanted)
        rows = np.empty((steps, 12))
        count = ease(
            tables.figure, tables.field, tables.usage, int(wanted), tables.facing, self.q, self.grasps,
            tables.targets(self.grasps), tables.widths, low, high, EASE_SAMPLES, tables.margin, self.state, rows,
        )  # fmt: skip
        self._follow(rows[:count], Source.COMFORT)

    def assume(self, posture: FloatArray) -> bool:
        """Go straight to a posture (12,), keeping what is held; False where that does not reach or is not free."""
        tables = self.tables
        targets = tables.targets(self.grasps)
        rows = np.linspace(self.q, posture, POSTURE_ROWS + 1)[1:]
        before = self.q
        for row in rows:
            if not (
                restore_grasps(tables.figure, tables.facing, row, self.grasps, targets)
                and motion_is_clear(
                    tables.figure, tables.field, tables.facing, before, row, self.grasps, targets, tables.margin
                )
            ):
                return False
            before = row
        self._follow(rows, Source.MACHINE)
        return True

    def descend(self) -> bool:
        """Make a step that lowers the potential of the centre of mass; False in a local minimum."""
        tables = self.tables
        best = np.empty(12)
        value = descend(
            tables.figure, tables.field, tables.potential, tables.facing, self.q, self.grasps,
            tables.targets(self.grasps), tables.widths, DESCENT_SAMPLES, tables.margin, LEAST_DECREASE_M, self.state,
            best,
        )  # fmt: skip
        if value >= 1e8:
            return False
        self._follow(best[None], Source.DESCENT)
        return True

    def walk_at_random(self, steps: int = WALK_STEPS) -> bool:
        """Make a random walk; False where not one step is free."""
        tables = self.tables
        rows = np.empty((steps, 12))
        count = walk_at_random(
            tables.figure, tables.field, tables.facing, self.q, self.grasps, tables.targets(self.grasps),
            tables.widths, WALK_TRIES, tables.margin, self.state, rows,
        )  # fmt: skip
        self._follow(rows[:count], Source.RANDOM_WALK)
        return count > 0

    def _follow(self, rows: FloatArray, source: Source) -> None:
        """Add rows that were found free, and more between those that are far apart."""
        tables = self.tables
        targets = tables.targets(self.grasps)
        for row in rows:
            far = float(np.abs(tables.points(row) - tables.points(self.q)).max())
            for between in np.linspace(self.q, row, max(1, int(np.ceil(far / ROW_M))) + 1)[1:-1]:
                restore_grasps(tables.figure, tables.facing, between, self.grasps, targets)
                self.trail.add(between, self.mode, self.grasps, source)
            self.trail.add(row, self.mode, self.grasps, source)
            self.q = row.copy()
