"""How a figure is at first: in a mode, on the grasp points nearest to where it is to start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.climb.environment_table import WALL
from gambol.climb.figure import FREE
from gambol.climb.kernels.field import clearance
from gambol.climb.kernels.posture import fit_posture
from gambol.climb.modes import Mode
from gambol.climb.paper.attempt import Attempt
from gambol.climb.paper.tables import Tables
from gambol.climb.problem import ClimbStart
from gambol.geometry.arrays import FloatArray

FIT_STEPS = 4000
#: Where an adult's hands and feet are beside the place of a start, by mode: (ahead, up) of each limb.
PLACES: dict[Mode, tuple[tuple[float, float] | None, ...]] = {
    Mode.WALK: (None, None, (0.0, 0.0), (0.0, 0.0)),
    Mode.CLIMB: ((0.4, 1.4), (0.4, 1.7), (0.3, 0.0), (0.3, 0.3)),
    Mode.SWING: ((0.2, 0.0), (-0.2, 0.0), None, None),
    Mode.CRAWL: ((0.5, 0.0), (0.4, 0.0), (-0.4, 0.0), (-0.5, 0.0)),
}
#: Pelvis (ahead, up of the place), lean, hips and knees that the fit begins with.
BEGINNINGS: dict[Mode, tuple[float, float, float, float, float]] = {
    Mode.WALK: (0.0, 0.90, 0.05, 0.1, 0.1),
    Mode.CLIMB: (-0.1, 0.85, 0.1, 1.2, 1.4),
    Mode.SWING: (0.0, -1.1, 0.0, 0.1, 0.3),
    Mode.CRAWL: (0.0, 0.5, 1.4, 1.5, 1.5),
}
FARTHEST_M = 1.0  # from the place to what is held


def starting_attempt(tables: Tables, start: ClimbStart, state: NDArray[np.uint64]) -> Attempt | str:
    """Return a figure where a problem starts, or why there is none."""
    grasps = np.full(4, FREE, dtype=np.int32)
    scale, facing = tables.scale, tables.facing
    for limb, beside in enumerate(PLACES[start.mode]):
        if beside is None:
            continue
        kind = 0 if limb < 2 else 1
        x, z = start.x + facing * scale * beside[0], start.z + scale * beside[1]
        usable = tables.grasps.allowed[start.mode, :, kind] & tables.fits[:, kind]
        if start.mode != Mode.CLIMB:
            usable = usable & (tables.grasps.surface != WALL)
        far = np.where(usable, np.hypot(tables.grasps.x - x, tables.grasps.z - z), np.inf)
        if len(far) == 0 or far.min() > FARTHEST_M * scale:
            what = "hand" if kind == 0 else "foot"
            return f"no grasp point for a {what} within {FARTHEST_M * scale:.2g} m of ({x:.2f}, {z:.2f})"
        grasps[limb] = int(np.argmin(far))
    q = _beginning(tables, start, grasps)
    low, high = tables.span(grasps, start.mode)
    span = np.array([low, high, np.inf, low, high])
    violation, _ = fit_posture(
        tables.figure, tables.field, tables.usage, facing, int(start.mode), tables.targets(grasps), grasps, span,
        tables.margin, FIT_STEPS, state, q,
    )  # fmt: skip
    free = clearance(tables.figure, tables.field, tables.points(q), tables.margin) >= tables.margin
    if violation > 0.0 or not free:
        return f"there is no room to {start.mode.label} at ({start.x:.2f}, {start.z:.2f})"
    return Attempt(tables, state, q, start.mode, grasps)


def _beginning(tables: Tables, start: ClimbStart, grasps: NDArray[np.int32]) -> FloatArray:
    ahead, up, lean, hip, knee = BEGINNINGS[start.mode]
    held = [int(grasp) for grasp in grasps if grasp != FREE]
    x, z = float(tables.grasps.x[held].mean()), float(tables.grasps.z[held].mean())
    if start.mode == Mode.CLIMB:
        x, z = start.x, start.z
    arm = 2.8 if start.mode == Mode.SWING else 1.4 if start.mode != Mode.WALK else 0.1
    return np.array(
        [x + tables.facing * tables.scale * ahead, z + tables.scale * up, lean, 0.0]
        + [arm, 0.3, arm, 0.3, hip, knee, hip, knee]
    )
