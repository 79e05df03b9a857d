"""The paper's first pass: between grasp changes, straight motion instead of what the search did [KP00 3.5].

Limbs that hold keep holding, by inverse kinematics.  A limb on its way from one hold to the next keeps its end's path
in space, so that feet are lifted as high as before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.checks import kept_margins, may_be, may_go, state_of
from gambol.climb.filters.resample import ends_of, free_runs, hold
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.chance import chance_state, uniform
from gambol.climb.kernels.kinematics import reach
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.kernels.jit import kernel

TRIES_A_SAMPLE = 3
MOST_TRIES = 150
#: Other limbs take this many holds at most while a limb reaches for its next; else it hangs, or swings along.
MEANWHILE = 1


@kernel
def travel(first: FloatArray, second: FloatArray) -> float:
    """Return how far apart two configurations are: what joints turn, and thrice what the pelvis moves."""
    way = 3.0 * (abs(second[0] - first[0]) + abs(second[1] - first[1])) + abs(second[2] - first[2])
    for at in range(3, 12):
        way += abs(second[at] - first[at])
    return way


@kernel
def cut_short(
    tables: FilterTables,
    q: FloatArray,
    ends: FloatArray,
    facing: float,
    mode: int,
    grasps: Int32Array,
    reaching: BoolArray,
    i: int,
    j: int,
    margin: FloatArray,
    most_unheld: float,
    trial: FloatArray,
    at_hand: FloatArray,
    held: Int32Array,
    points: FloatArray,
) -> bool:
    """Try straight motion from sample i to sample j, which hold the same; keep it where it is good and shorter."""
    old = 0.0
    for k in range(i, j):
        old += travel(q[k], q[k + 1])
    new = 0.0
    for k in range(i + 1, j):
        t = (k - i) / (j - i)
        row = trial[k]
        for at in range(12):
            row[at] = q[i, at] + t * (q[j, at] - q[i, at])
        if not hold(tables, facing, grasps[k], row):
            return False
        for limb in range(4):
            if reaching[k, limb] and not reach(tables.figure, facing, row, limb, ends[k, limb, 0], ends[k, limb, 1]):
                return False
        new += travel(q[i] if k == i + 1 else trial[k - 1], row)
    new += travel(trial[j - 1], q[j])
    if new > 0.999 * old:
        return False
    for k in range(i, j):
        here = q[i] if k == i else trial[k]
        there = q[j] if k == j - 1 else trial[k + 1]
        if k > i and not may_be(tables, facing, mode, grasps[k], here, margin, most_unheld, points):
            return False
        if not may_go(
            tables, here, there, facing, mode, grasps[k], grasps[k + 1], margin, most_unheld, held, at_hand, points
        ):
            return False
    for k in range(i + 1, j):
        for at in range(12):
            q[k, at] = trial[k, at]
    return True


@kernel
def shorten(
    tables: FilterTables,
    q: FloatArray,
    ends: FloatArray,
    facings: FloatArray,
    modes: Int32Array,
    grasps: Int32Array,
    reaching: BoolArray,
    clear: FloatArray,
    beside: FloatArray,
    first: int,
    last: int,
    state: NDArray[np.uint64],
    trial: FloatArray,
) -> int:
    """Shorten samples first to last, which hold the same; return how many shortcuts were taken."""
    at_hand, held, points, margin = np.empty(12), np.empty(4, np.int32), np.empty((12, 2)), np.empty(10)
    taken = 0
    tries = min(MOST_TRIES, TRIES_A_SAMPLE * (last - first))
    for number in range(tries):
        i, j = first, last
        if number > 0:
            i = first + int(uniform(state) * (last - first - 1))
            j = i + 2 + int(uniform(state) * (last - i - 1))
            j = min(j, last)
        if j - i < 2:
            continue
        most = kept_margins(clear, beside, i, j, margin)
        if cut_short(
            tables, q, ends, facings[first], modes[first], grasps, reaching, i, j, margin, most,
            trial, at_hand, held, points,
        ):  # fmt: skip
            taken += 1
            if number == 0:
                break
    return taken


def reaching_runs(grasps: Int32Array, limb: int) -> list[tuple[int, int]]:
    """Return the free runs of a limb on its way from one hold to another, as (last held, next held) indices.

    A limb that is away for long (it hangs, or swings along with a walk) is on no such way.
    """
    taken = (grasps[1:] >= 0) & (grasps[1:] != grasps[:-1])
    taken[:, limb] = False
    count = np.concatenate([[0], np.cumsum(taken.sum(axis=1))])  # up to each sample
    runs = [(a, b) for a, b in free_runs(grasps, limb) if a >= 0 and b < len(grasps)]
    return [(a, b) for a, b in runs if count[b - 1] - count[a] <= MEANWHILE]


def reaching_at(grasps: Int32Array) -> BoolArray:
    """Return at which samples each limb (N, 4) is on its way from one hold to another."""
    reaching = np.zeros(grasps.shape, dtype=bool)
    for limb in range(4):
        for a, b in reaching_runs(grasps, limb):
            reaching[a + 1 : b, limb] = True
    return reaching


def stretches(path: ClimbPath) -> list[tuple[int, int]]:
    """Return first and last index of each stretch of three samples or more with the same grasps, mode and facing."""
    change = (
        np.any(path.grasps[1:] != path.grasps[:-1], axis=1)
        | (path.modes[1:] != path.modes[:-1])
        | (path.facings[1:] != path.facings[:-1])
    )
    starts = np.concatenate([[0], np.flatnonzero(change) + 1])
    stops = np.concatenate([starts[1:], [len(path)]])
    return [
        (int(a), int(b) - 1) for a, b in zip(starts, stops, strict=True) if b - a >= 3 and abs(path.facings[a]) == 1.0
    ]


def shortened(tables: FilterTables, path: ClimbPath, seed: int) -> ClimbPath:
    """Return the path with shortcuts between its grasp changes."""
    q = path.configurations.copy()
    ends, _ = ends_of(tables, q, path.facings)
    reaching = reaching_at(path.grasps)
    clear, beside = state_of(tables, q, path.facings, path.modes, path.grasps)
    trial = np.empty_like(q)
    state = chance_state(seed)
    for first, last in stretches(path):
        shorten(
            tables, q, ends, path.facings, path.modes, path.grasps, reaching, clear, beside, first, last, state, trial
        )
    return ClimbPath(q, path.facings, path.modes, path.grasps, path.sources)
