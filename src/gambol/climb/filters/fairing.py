"""Ours, after the paper's filters: motion that goes on across grasp changes, checked at and between all frames.

Each frame goes a share of the way from the timed path to its target.  Where that would not be sound, the share shrinks
smoothly around there, down to none, until everything is sound.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.checks import allowed, may_be, state_of
from gambol.climb.filters.resample import between, hold
from gambol.climb.filters.tables import FilterTables
from gambol.climb.filters.targets import Targets
from gambol.climb.kernels.posture import stretch_towards
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.kernels.jit import kernel

DELIVERED_M = 0.001  # of clearance that every delivered frame has, where the timed path has it
PARTS = 3  # of the time between frames that are checked
MISSED_M = 0.03  # by which a limb on its way may be off the way it should go
FADE_S = 0.2  # over which the share of fairing returns around a place where it must be less
STEP = 0.34  # by which the share shrinks at a time
ROUNDS = 40


@kernel
def write_shares(
    tables: FilterTables,
    base: FloatArray,
    facings: FloatArray,
    grasps: Int32Array,
    targets: Targets,
    share: FloatArray,
    q: FloatArray,
    bad: BoolArray,
) -> None:
    """Write configurations a share of the way from a path to its targets; mark frames whose limbs do not reach."""
    for row in range(len(base)):
        w = share[row]
        for at in range(12):
            q[row, at] = base[row, at] + w * (targets.configurations[row, at] - base[row, at])
        if w == 0.0:
            continue
        if not hold(tables, facings[row], grasps[row], q[row]):
            bad[row] = True
        for limb in range(4):
            if targets.reaching[row, limb]:
                x = targets.base_ends[row, limb, 0] * (1.0 - w) + w * targets.ends[row, limb, 0]
                z = targets.base_ends[row, limb, 1] * (1.0 - w) + w * targets.ends[row, limb, 1]
                if stretch_towards(tables.figure, facings[row], q[row], limb, x, z) > MISSED_M:
                    bad[row] = True


@kernel
def mark_unsound(
    tables: FilterTables,
    q: FloatArray,
    facings: FloatArray,
    modes: Int32Array,
    grasps: Int32Array,
    margin: FloatArray,
    most: FloatArray,
    look: BoolArray,
    bad: BoolArray,
) -> None:
    """Mark frames that are not sound, and both frames beside a place between frames that is not."""
    here, held, points, clear = np.empty(12), np.empty(4, np.int32), np.empty((12, 2)), np.empty(10)
    for row in range(len(q)):
        if not look[row]:
            continue
        if not may_be(tables, facings[row], modes[row], grasps[row], q[row], margin[row], most[row], points):
            bad[row] = True
        if row + 1 == len(q):
            break
        beside = max(most[row], most[row + 1])
        for link in range(10):
            clear[link] = min(margin[row, link], margin[row + 1, link])
        for part in range(1, PARTS):
            t = part / PARTS
            facing = facings[row] + t * (facings[row + 1] - facings[row])
            sound = between(tables, q[row], q[row + 1], facing, grasps[row], grasps[row + 1], t, held, here)
            if not sound or not may_be(tables, facing, modes[row], held, here, clear, beside, points):
                bad[row] = True
                bad[row + 1] = True


def fair(
    tables: FilterTables, base: ClimbPath, targets: Targets, rate_hz: float, *, leaning: float = 1.0
) -> tuple[ClimbPath, FloatArray]:
    """Return the path faired towards targets, and by which share each frame (F,) is.

    leaning: as in allowed().
    """
    margin, most = allowed(tables, base, rate_hz, leaning=leaning)
    back = np.zeros(len(base))  # how far from the target at least
    back[np.abs(base.facings) < 1.0] = 1.0
    fade = _fade(rate_hz)
    share = 1.0 - _spread(back, fade)
    q = np.empty_like(base.configurations)
    look = np.ones(len(base), dtype=bool)
    for _ in range(ROUNDS):
        bad = np.zeros(len(base), dtype=bool)
        write_shares(tables, base.configurations, base.facings, base.grasps, targets, share, q, bad)
        mark_unsound(tables, q, base.facings, base.modes, base.grasps, margin, most, look, bad)
        bad &= share > 0.0
        if not np.any(bad):
            break
        back[bad] = np.minimum(1.0, (1.0 - share[bad]) + STEP)
        previous = share
        share = 1.0 - _spread(back, fade)
        changed = share != previous
        look = changed.copy()
        look[:-1] |= changed[1:]
    else:
        q = base.configurations.copy()
        share = np.zeros(len(base))
    return ClimbPath(q, base.facings, base.modes, base.grasps, base.sources), share


def unsound(tables: FilterTables, path: ClimbPath, rate_hz: float, like: ClimbPath) -> BoolArray:
    """Return frames (F,) at or beside which a path enters something, leaves joint limits or loses a hold.

    like: where it was like that already, at the same frames, less is asked.
    """
    clear, _ = state_of(tables, like.configurations, like.facings, like.modes, like.grasps)
    near = max(1, round(0.1 * rate_hz))
    margin = np.minimum(DELIVERED_M, scipy.ndimage.minimum_filter1d(clear, 2 * near + 1, axis=0) - 1e-6)
    bad = np.zeros(len(path), dtype=bool)
    mark_unsound(
        tables, path.configurations, path.facings, path.modes, path.grasps, margin, np.full(len(path), 1e9),
        np.ones(len(path), dtype=bool), bad,
    )  # fmt: skip
    return bad


def _fade(rate_hz: float) -> FloatArray:
    """Return how much of the way back is gone at each number of frames away, from 1 to 0."""
    count = max(2, math.ceil(FADE_S * rate_hz))
    t = np.clip((np.arange(count + 1) - 1.0) / (count - 1.0), 0.0, 1.0)
    return 0.5 + 0.5 * np.cos(math.pi * t)


def _spread(back: FloatArray, fade: FloatArray) -> FloatArray:
    """Return how far each frame goes back, given how far it and its neighbours must."""
    result = back.copy()
    if not np.any(back > 0.0):
        return result
    for away, factor in enumerate(fade[1:], start=1):
        if away < len(back):
            result[away:] = np.maximum(result[away:], factor * back[:-away])
            result[:-away] = np.maximum(result[:-away], factor * back[away:])
    return result
