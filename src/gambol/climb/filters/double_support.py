"""Let walkers stand on both feet until their momentum carries them over the one ahead.

A search lifts the rear foot as soon as the other stands.  Where the body is slow it would fall back: the rear foot
stays for longer, as far as its leg reaches, and goes its way in what is left of the time.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.balance import GRAVITY_M_S2, SPARE_M
from gambol.climb.filters.resample import ends_of
from gambol.climb.filters.shortcuts import reaching_runs
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.field import link_clearance
from gambol.climb.kernels.gravity import HEEL_M
from gambol.climb.kernels.kinematics import place, reach
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray

MOST_SHARE = 0.5  # of the time a foot is in the air, that it may stay for longer
STRAIGHT = 0.99  # share of a straight leg that the rear one may be
CLEAR_M = 0.005  # of what is solid, that the leg which stays keeps, as frames cut corners
EVEN_S = 0.08  # width over which speeds are taken


def with_double_support(tables: FilterTables, path: ClimbPath, rate_hz: float) -> ClimbPath:
    """Return frames in which feet that walk leave their holds no sooner than momentum allows, where legs reach."""
    ends, centres = ends_of(tables, path.configurations, path.facings)
    x = scipy.ndimage.gaussian_filter1d(centres[:, 0], EVEN_S * rate_hz, mode="nearest")
    speed = np.gradient(x, 1.0 / rate_hz) if len(x) > 1 else np.zeros(1)
    q, grasps = path.configurations.copy(), path.grasps.copy()
    for foot in (2, 3):
        for a, b in reaching_runs(path.grasps, foot):
            front = path.grasps[a + 1, 5 - foot]
            if b - a < 6 or front < 0 or not _walks(path, a, b):
                continue
            forward = path.facings[a]
            heel_x = ends[a, 5 - foot, 0] - forward * HEEL_M * tables.figure.stature / 1.75
            height = np.maximum(0.0, centres[a : b + 1, 1] - ends[a, 5 - foot, 1])
            carried = x[a : b + 1] + speed[a : b + 1] * np.sqrt(height / GRAVITY_M_S2)
            over = np.flatnonzero(forward * (carried - heel_x) >= SPARE_M)
            late = int(over[0]) if len(over) else b - a
            late = min(late, math.floor(MOST_SHARE * (b - a)), _in_reach(tables, q[a : b + 1], ends[a, foot]))
            while late >= 2 and not _stays(tables, path, foot, (a, b), late, ends, q):
                late -= 2
            if late >= 2:
                grasps[a : a + late + 1, foot] = path.grasps[a, foot]
    return ClimbPath(q, path.facings, path.modes, grasps, path.sources)


def _walks(path: ClimbPath, a: int, b: int) -> bool:
    """Tell whether all that happens in some frames is that one foot of a walker goes from hold to hold."""
    others = np.any(path.grasps[a + 1 : b - 1] != path.grasps[a + 2 : b])
    same = np.all(path.facings[a : b + 1] == path.facings[a]) and abs(path.facings[a]) == 1.0
    hands = np.any(path.grasps[a : b + 1, :2] >= 0)
    return bool(np.all(path.modes[a : b + 1] == Mode.WALK) and same and not others and not hands)


def _in_reach(tables: FilterTables, q: FloatArray, ankle: FloatArray) -> int:
    """Return for how many frames after the first a leg reaches a point, not quite straight."""
    far = np.hypot(*(q[:, :2] - ankle).T) > STRAIGHT * (tables.figure.thigh + tables.figure.shank)
    return int(np.argmax(far[1:])) if np.any(far[1:]) else len(q) - 1


def _stays(
    tables: FilterTables, path: ClimbPath, foot: int, run: tuple[int, int], late: int, ends: FloatArray, q: FloatArray
) -> bool:
    """Let a foot stay for some frames longer and then go the same way; False, and nothing changed, where it cannot."""
    a, b = run
    tried = q[a : b + 1].copy()
    frames = np.arange(b - a + 1.0)
    when = np.maximum(0.0, (frames - late) / (b - a - late)) * (b - a)
    way = np.stack([np.interp(when, frames, ends[a : b + 1, foot, axis]) for axis in (0, 1)], axis=1)
    points = np.empty((12, 2))
    legs = (6 + 2 * (foot - 2), 7 + 2 * (foot - 2))  # thigh and shank, as LINKS numbers them
    for row in range(1, b - a):
        if not reach(tables.figure, path.facings[a], tried[row], foot, way[row, 0], way[row, 1]):
            return False
        place(tables.figure, path.facings[a], tried[row], points)
        if min(link_clearance(tables.figure, tables.field, points, link) for link in legs) < CLEAR_M:
            return False
    q[a : b + 1] = tried
    return True
