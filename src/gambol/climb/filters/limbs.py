"""The paper's second pass: each limb by itself, between its own key points, its grasp changes [KP00 3.5, figure 9].

Only that limb's two joints are touched.  A limb on its way from hold to hold is shortened in space, not below the
height of its arc; arms that swing along with a walk are left alone across footfalls.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.checks import kept_margins, may_be, may_go, state_of
from gambol.climb.filters.resample import ends_of, free_runs
from gambol.climb.filters.shortcuts import MOST_TRIES, TRIES_A_SAMPLE, reaching_runs
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.chance import chance_state, uniform
from gambol.climb.kernels.field import distance_at
from gambol.climb.kernels.kinematics import reach
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel

ARC_KEPT = 0.9  # of the height of a limb's arc over the line from hold to hold
LOW_M = 0.15  # an end nearer than this to what is solid does not come nearer by a shortcut


@kernel
def limb_way(q: FloatArray, limb: int, i: int, j: int) -> float:
    """Return how far a limb's joints turn from sample i to sample j."""
    at = 4 + 2 * limb
    way = 0.0
    for k in range(i, j):
        way += abs(q[k + 1, at] - q[k, at]) + abs(q[k + 1, at + 1] - q[k, at + 1])
    return way


@kernel
def beside_line(ends: FloatArray, limb: int, a: int, b: int, x: float, z: float) -> float:
    """Return how far a point lies to the left of the line from one hold to another; its height where both are one."""
    dx, dz = ends[b, limb, 0] - ends[a, limb, 0], ends[b, limb, 1] - ends[a, limb, 1]
    length = math.sqrt(dx * dx + dz * dz)
    if length < 0.02:
        return z - ends[a, limb, 1]
    return (dx * (z - ends[a, limb, 1]) - dz * (x - ends[a, limb, 0])) / length


@kernel
def shorten_limb(
    tables: FilterTables,
    q: FloatArray,
    ends: FloatArray,
    facings: FloatArray,
    modes: Int32Array,
    grasps: Int32Array,
    clear: FloatArray,
    beside: FloatArray,
    limb: int,
    a: int,
    b: int,
    in_space: bool,
    state: NDArray[np.uint64],
    trial: FloatArray,
) -> int:
    """Shorten one limb's way between samples a and b, both left as they are; return how many shortcuts were taken.

    in_space: whether straight means straight for the limb's end, not for its joints.
    """
    here, held, points, margin = np.empty(12), np.empty(4, np.int32), np.empty((12, 2)), np.empty(10)
    at = 4 + 2 * limb
    high, low = 0.0, 0.0
    for k in range(a, b + 1):
        off = beside_line(ends, limb, a, b, ends[k, limb, 0], ends[k, limb, 1])
        high, low = max(high, off), min(low, off)
    taken = 0
    for number in range(min(MOST_TRIES, TRIES_A_SAMPLE * (b - a))):
        i, j = a, b
        if number > 0:
            i = a + int(uniform(state) * (b - a - 1))
            j = min(b, i + 2 + int(uniform(state) * (b - i - 1)))
        if j - i < 2:
            continue
        sound = True
        for k in range(i, j + 1):
            sound = sound and facings[k] == facings[i] and abs(facings[k]) == 1.0
        if not sound:
            continue
        most = kept_margins(clear, beside, i, j, margin)
        for k in range(i, j + 1):
            for c in range(12):
                trial[k, c] = q[k, c]
        new_high, new_low = 0.0, 0.0
        for k in range(i + 1, j):
            t = (k - i) / (j - i)
            if not in_space:
                trial[k, at] = q[i, at] + t * (q[j, at] - q[i, at])
                trial[k, at + 1] = q[i, at + 1] + t * (q[j, at + 1] - q[i, at + 1])
                continue
            x = ends[i, limb, 0] + t * (ends[j, limb, 0] - ends[i, limb, 0])
            z = ends[i, limb, 1] + t * (ends[j, limb, 1] - ends[i, limb, 1])
            near = distance_at(tables.field, x, z)
            if near < LOW_M and near < distance_at(tables.field, ends[k, limb, 0], ends[k, limb, 1]) - 1e-6:
                sound = False
                break
            off = beside_line(ends, limb, a, b, x, z)
            new_high, new_low = max(new_high, off), min(new_low, off)
            if not reach(tables.figure, facings[i], trial[k], limb, x, z):
                sound = False
                break
        if in_space and sound:
            for k in range(a, b + 1):
                if k <= i or k >= j:
                    off = beside_line(ends, limb, a, b, ends[k, limb, 0], ends[k, limb, 1])
                    new_high, new_low = max(new_high, off), min(new_low, off)
            sound = new_high >= ARC_KEPT * high and new_low <= ARC_KEPT * low
        if not sound or limb_way(trial, limb, i, j) > 0.999 * limb_way(q, limb, i, j):
            continue
        for k in range(i, j):
            if k > i and not may_be(tables, facings[k], modes[k], grasps[k], trial[k], margin, most, points):
                sound = False
                break
            if not may_go(
                tables, trial[k], trial[k + 1], facings[k], modes[k], grasps[k], grasps[k + 1], margin, most,
                held, here, points,
            ):  # fmt: skip
                sound = False
                break
        if not sound:
            continue
        taken += 1
        for k in range(i + 1, j):
            t = (k - i) / (j - i)
            q[k, at], q[k, at + 1] = trial[k, at], trial[k, at + 1]
            if in_space:
                ends[k, limb, 0] = ends[i, limb, 0] + t * (ends[j, limb, 0] - ends[i, limb, 0])
                ends[k, limb, 1] = ends[i, limb, 1] + t * (ends[j, limb, 1] - ends[i, limb, 1])
        if number == 0:
            break
    return taken


def limb_by_limb(tables: FilterTables, path: ClimbPath, seed: int) -> ClimbPath:
    """Return the path with each limb's way shortened between its own key points."""
    q = path.configurations.copy()
    ends, _ = ends_of(tables, q, path.facings)
    clear, beside = state_of(tables, q, path.facings, path.modes, path.grasps)
    trial = np.empty_like(q)
    state = chance_state(seed)
    footfalls = np.flatnonzero(np.any((path.grasps[1:, 2:] >= 0) & (path.grasps[:-1, 2:] < 0), axis=1)) + 1
    for limb in range(4):
        reaches = set(reaching_runs(path.grasps, limb))
        for run in free_runs(path.grasps, limb):
            a, b = max(0, run[0]), min(len(path) - 1, run[1])
            keys = [a, b]
            if run not in reaches and limb < 2:
                keys = sorted({a, b, *(int(fall) for fall in footfalls if a < fall < b)})
            for first, last in pairwise(keys):
                if last - first >= 2:
                    shorten_limb(
                        tables, q, ends, path.facings, path.modes, path.grasps, clear, beside, limb, first, last,
                        run in reaches, state, trial,
                    )  # fmt: skip
    return ClimbPath(q, path.facings, path.modes, path.grasps, path.sources)
