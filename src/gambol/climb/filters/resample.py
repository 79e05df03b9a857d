"""Configurations anywhere along a path: straight between its samples, with inverse kinematics for what is held."""

from __future__ import annotations

import numpy as np

from gambol.climb.climb import ClimbPath
from gambol.climb.figure import FREE
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.kinematics import centre_of_mass, place, reach
from gambol.climb.modes import LEAST_HELD, Mode
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel


@kernel
def hold(tables: FilterTables, facing: float, grasps: Int32Array, q: FloatArray) -> bool:
    """Set the limbs that hold something, by inverse kinematics; False where one cannot reach (it is left as it was)."""
    sign = 1.0 if facing > 0.0 else -1.0
    side = 0 if facing > 0.0 else 1
    reached = True
    for limb in range(4):
        g = grasps[limb]
        if g >= 0:
            kind = limb // 2
            x, z = tables.anchor[side, g, kind, 0], tables.anchor[side, g, kind, 1]
            if not reach(tables.figure, sign, q, limb, x, z):
                reached = False
    return reached


@kernel
def write_held(tables: FilterTables, facings: FloatArray, grasps: Int32Array, q: FloatArray) -> None:
    """Set the limbs of all configurations that hold something, where they reach it."""
    for row in range(len(q)):
        hold(tables, facings[row], grasps[row], q[row])


@kernel
def between(
    tables: FilterTables,
    first: FloatArray,
    second: FloatArray,
    facing: float,
    first_grasps: Int32Array,
    second_grasps: Int32Array,
    t: float,
    grasps: Int32Array,
    q: FloatArray,
) -> bool:
    """Write the configuration (12,) and grasps (4,) a share t from one sample to the next, as ClimbPath says."""
    for limb in range(4):
        grasps[limb] = first_grasps[limb] if first_grasps[limb] == second_grasps[limb] else -1
    for at in range(12):
        q[at] = first[at] + t * (second[at] - first[at])
    return hold(tables, facing, grasps, q)


@kernel
def write_along(
    tables: FilterTables,
    configurations: FloatArray,
    facings: FloatArray,
    grasps: Int32Array,
    s: FloatArray,
    out: FloatArray,
    out_facings: FloatArray,
    out_grasps: Int32Array,
) -> int:
    """Write configurations, facings and grasps at places s along a path; return how many could not hold on."""
    failed = 0
    last = len(configurations) - 1
    for row in range(len(s)):
        place_s = min(max(s[row], 0.0), float(last))
        i = int(place_s)
        t = place_s - i
        if t == 0.0:
            out[row] = configurations[i]
            out_facings[row] = facings[i]
            out_grasps[row] = grasps[i]
            continue
        facing = facings[i] + t * (facings[i + 1] - facings[i])
        out_facings[row] = facing
        held = between(
            tables, configurations[i], configurations[i + 1], facing, grasps[i], grasps[i + 1], t,
            out_grasps[row], out[row],
        )  # fmt: skip
        if not held:
            failed += 1
    return failed


@kernel
def write_ends(
    tables: FilterTables, configurations: FloatArray, facings: FloatArray, ends: FloatArray, centres: FloatArray
) -> None:
    """Write where limbs end (N, 4, 2) and where the centre of mass is (N, 2)."""
    points = np.empty((12, 2))
    for row in range(len(configurations)):
        place(tables.figure, facings[row], configurations[row], points)
        for limb in range(4):
            ends[row, limb, 0] = points[5 + 2 * limb, 0]
            ends[row, limb, 1] = points[5 + 2 * limb, 1]
        centres[row, 0], centres[row, 1] = centre_of_mass(tables.figure, points)


def ends_of(tables: FilterTables, configurations: FloatArray, facings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return where the limbs of configurations end (N, 4, 2), and their centres of mass (N, 2)."""
    ends, centres = np.empty((len(configurations), 4, 2)), np.empty((len(configurations), 2))
    write_ends(tables, configurations, facings, ends, centres)
    return ends, centres


def held_exactly(tables: FilterTables, path: ClimbPath) -> ClimbPath:
    """Return the path with limbs that hold brought to what they hold, wherever they reach it.

    In the course of a turn this is the same from all sides: the pelvis is right above the feet.
    """
    q = path.configurations.copy()
    write_held(tables, path.facings, path.grasps, q)
    return ClimbPath(q, path.facings, path.modes, path.grasps, path.sources)


def along(tables: FilterTables, path: ClimbPath, s: FloatArray) -> ClimbPath:
    """Return the path at places s, where s = i is its sample i and s = i + 0.5 half-way to the next.

    Between samples a limb holds what it holds at both.  The mode there is that of the sample before, or of the one
    after where what is held is too little for it.
    """
    s = np.clip(np.asarray(s, dtype=np.float64), 0.0, len(path) - 1.0)
    configurations = np.empty((len(s), path.configurations.shape[1]))
    facings = np.empty(len(s))
    grasps = np.full((len(s), 4), FREE, dtype=np.int32)
    write_along(tables, path.configurations, path.facings, path.grasps, s, configurations, facings, grasps)
    before = np.floor(s).astype(np.intp)
    after = np.minimum(before + 1, len(path) - 1)
    modes = path.modes[before].copy()
    for row in np.flatnonzero((s != before) & (path.modes[before] != path.modes[after])):
        if not enough_held(Mode(modes[row]), grasps[row]):
            modes[row] = path.modes[after[row]]
    return ClimbPath(configurations, facings, modes, grasps, path.sources[np.rint(s).astype(np.intp)])


def enough_held(mode: Mode, grasps: Int32Array) -> bool:
    """Tell whether as much is held as the mode demands."""
    hands, feet, together = LEAST_HELD[mode]
    held = grasps >= 0
    return int(held[:2].sum()) >= hands and int(held[2:].sum()) >= feet and int(held.sum()) >= together


def turned(facings: FloatArray) -> FloatArray:
    """Return how far a figure has turned round, in radians: 0 facing +x, pi facing -x."""
    return np.arccos(np.clip(facings, -1.0, 1.0))


def turns(facings: FloatArray) -> list[tuple[int, int]]:
    """Return the first and last index of each turn round: where the facing is the old one and the new one."""
    moving = np.flatnonzero(np.diff(facings) != 0.0)
    runs: list[tuple[int, int]] = []
    for at in moving:
        if runs and runs[-1][1] == at:
            runs[-1] = (runs[-1][0], int(at) + 1)
        else:
            runs.append((int(at), int(at) + 1))
    return runs


def parts_of(facings: FloatArray) -> list[tuple[int, int]]:
    """Return first and last frame of each part between turns."""
    edges = [0]
    for a, b in turns(facings):
        edges += [a, b]
    edges.append(len(facings) - 1)
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]


def free_runs(grasps: Int32Array, limb: int) -> list[tuple[int, int]]:
    """Return the runs in which a limb is free, as the indices before and after (held there, or -1 and the count)."""
    free = np.concatenate([[False], grasps[:, limb] < 0, [False]])
    edges = np.flatnonzero(np.diff(free.astype(np.int8)))
    return [(int(start) - 1, int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def distance_along(points: FloatArray) -> FloatArray:
    """Return how far along a polyline (N, 2) each of its points is."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    return np.concatenate([[0.0], np.cumsum(steps)])
