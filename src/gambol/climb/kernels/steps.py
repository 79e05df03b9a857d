"""Small random motions of a figure that keep what it holds: descent, random walk, posture correction [KP00 3.2-3.4].

The skeleton is rooted anew at a held limb: its joints and the lean say where the pelvis is.  What else is held is
restored by inverse kinematics.  Every motion is looked at all along, not only at its end.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gambol.climb.figure import FigureTable
from gambol.climb.kernels.chance import uniform
from gambol.climb.kernels.comfort import log_discomfort
from gambol.climb.kernels.field import DistanceField, clearance
from gambol.climb.kernels.kinematics import centre_of_mass, place, reach
from gambol.climb.kernels.potential import NO_WAY, PotentialTable, potential_at
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel

State = NDArray[np.uint64]

SAMPLE_M = 0.008  # how far a point moves at most between two looks
THIRDS, EVENLY = 0, 1  # how coordinates are changed by chance


@kernel
def limb_end(figure: FigureTable, facing: float, q: FloatArray, limb: int) -> tuple[float, float]:
    """Return where the end of a limb is."""
    lean = q[2]
    x, z = q[0], q[1]
    upper = q[4 + 2 * limb] - lean
    if limb < 2:
        x += facing * figure.shoulder * math.sin(lean)
        z += figure.shoulder * math.cos(lean)
        lower = upper + q[5 + 2 * limb]
        first, second = figure.upper_arm, figure.forearm
    else:
        lower = upper - q[5 + 2 * limb]
        first, second = figure.thigh, figure.shank
    x += facing * (first * math.sin(upper) + second * math.sin(lower))
    z -= first * math.cos(upper) + second * math.cos(lower)
    return x, z


@kernel
def restore_grasps(figure: FigureTable, facing: float, q: FloatArray, grasps: Int32Array, targets: FloatArray) -> bool:
    """Set the joints of all limbs that hold something; False where one cannot reach it."""
    for limb in range(4):
        if grasps[limb] >= 0 and not reach(figure, facing, q, limb, targets[limb, 0], targets[limb, 1]):
            return False
    return True


@kernel
def vary(
    figure: FigureTable,
    facing: float,
    q: FloatArray,
    grasps: Int32Array,
    targets: FloatArray,
    widths: FloatArray,
    scale: float,
    way: int,
    state: State,
    trial: FloatArray,
) -> bool:
    """Write a configuration near another, with all grasps held; False where there is none for what chance said.

    way: THIRDS leaves, raises or lowers each coordinate with a chance of a third each; EVENLY changes all.
    """
    held = 0
    for limb in range(4):
        held += grasps[limb] >= 0
    for at in range(12):
        change = uniform(state)
        if way == THIRDS:
            third = int(3.0 * uniform(state))
            change *= third - 1
        else:
            change = 2.0 * change - 1.0
        trial[at] = q[at] + change * scale * widths[at]
        if at >= 2:
            trial[at] = min(figure.high[at], max(figure.low[at], trial[at]))
    if held == 0:
        return True
    pick = int(held * uniform(state))
    root = 0
    for limb in range(4):
        if grasps[limb] >= 0:
            if pick == 0:
                root = limb
            pick -= 1
    x, z = limb_end(figure, facing, trial, root)
    trial[0] += targets[root, 0] - x
    trial[1] += targets[root, 1] - z
    return restore_grasps(figure, facing, trial, grasps, targets)


@kernel
def motion_is_clear(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    start: FloatArray,
    end: FloatArray,
    grasps: Int32Array,
    targets: FloatArray,
    margin: float,
) -> bool:
    """Tell whether a figure keeps a margin all along the straight motion between two configurations.

    Limbs that hold something keep holding it.  The start itself is not looked at.
    """
    points, others = np.empty((12, 2)), np.empty((12, 2))
    between = np.empty(12)
    place(figure, facing, end, points)
    if clearance(figure, field, points, margin) < margin:
        return False
    place(figure, facing, start, others)
    far = 0.0
    for point in range(12):
        far = max(far, math.hypot(points[point, 0] - others[point, 0], points[point, 1] - others[point, 1]))
    count = math.ceil(1.2 * far / SAMPLE_M)
    for k in range(1, count):
        share = k / count
        for at in range(12):
            between[at] = start[at] + share * (end[at] - start[at])
        if not restore_grasps(figure, facing, between, grasps, targets):
            return False
        place(figure, facing, between, points)
        if clearance(figure, field, points, margin) < margin:
            return False
    return True


@kernel
def descend(
    figure: FigureTable,
    field: DistanceField,
    potential: PotentialTable,
    facing: float,
    q: FloatArray,
    grasps: Int32Array,
    targets: FloatArray,
    widths: FloatArray,
    samples: int,
    margin: float,
    least_decrease: float,
    state: State,
    best: FloatArray,
) -> float:
    """Write the sample with the largest decrease of the potential that nothing is in the way of; return its potential.

    NO_WAY where no sample lowers it by least_decrease.
    """
    trial = np.empty(12)
    points = np.empty((12, 2))
    place(figure, facing, q, points)
    x, z = centre_of_mass(figure, points)
    least = potential_at(potential, x, z) - least_decrease
    found = NO_WAY
    for _ in range(samples):
        if not vary(figure, facing, q, grasps, targets, widths, 1.0, EVENLY, state, trial):
            continue
        place(figure, facing, trial, points)
        x, z = centre_of_mass(figure, points)
        value = potential_at(potential, x, z)
        if value < least and motion_is_clear(figure, field, facing, q, trial, grasps, targets, margin):
            least = found = value
            best[:] = trial
    return found


@kernel
def walk_at_random(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    q: FloatArray,
    grasps: Int32Array,
    targets: FloatArray,
    widths: FloatArray,
    tries: int,
    margin: float,
    state: State,
    out: FloatArray,
) -> int:
    """Write a random walk from a configuration (not itself) to out (N, 12); return its length.

    What collides is discarded and tried again: shorter than N where that fails too often.
    """
    count = 0
    trial = np.empty(12)
    here = q.copy()
    for step in range(len(out)):
        for _ in range(tries):
            if vary(figure, facing, here, grasps, targets, widths, 1.0, THIRDS, state, trial) and motion_is_clear(
                figure, field, facing, here, trial, grasps, targets, margin
            ):
                out[step] = trial
                here[:] = trial
                count += 1
                break
        if count <= step:
            break
    return count


@kernel
def ease(
    figure: FigureTable,
    field: DistanceField,
    usage: FloatArray,
    mode: int,
    facing: float,
    q: FloatArray,
    grasps: Int32Array,
    targets: FloatArray,
    widths: FloatArray,
    low: float,
    high: float,
    samples: int,
    margin: float,
    state: State,
    out: FloatArray,
) -> int:
    """Correct a posture by stochastic descent of its discomfort: write the steps to out (N, 12), return how many.

    Of each step's samples the one with the least discomfort is taken; their width adapts.
    low, high: the stretch of x that comfort takes for balanced.
    """
    trial = np.empty(12)
    best = np.empty(12)
    here = q.copy()
    points = np.empty((12, 2))
    place(figure, facing, here, points)
    x, _ = centre_of_mass(figure, points)
    discomfort = log_discomfort(figure, field, usage, mode, here, points, x, low, high, grasps)
    scale = 2.0
    count = 0
    for _ in range(len(out)):
        least = discomfort - 1e-3
        better = False
        for _ in range(samples):
            if not vary(figure, facing, here, grasps, targets, widths, scale, EVENLY, state, trial):
                continue
            place(figure, facing, trial, points)
            x, _ = centre_of_mass(figure, points)
            value = log_discomfort(figure, field, usage, mode, trial, points, x, low, high, grasps)
            if value < least and motion_is_clear(figure, field, facing, here, trial, grasps, targets, margin):
                least = value
                best[:] = trial
                better = True
        if better:
            discomfort = least
            here[:] = best
            out[count] = best
            count += 1
            scale = min(4.0, 1.3 * scale)
        else:
            scale *= 0.6
            if scale < 0.05:
                break
    return count


@kernel
def carry(
    figure: FigureTable,
    field: DistanceField,
    facing: float,
    q: FloatArray,
    grasps: Int32Array,
    targets: FloatArray,
    limb: int,
    x: float,
    z: float,
    bulge_x: float,
    bulge_z: float,
    margin: float,
    out: FloatArray,
) -> bool:
    """Write N configurations that carry a free limb's end to a point, all else at rest; False where it is not free.

    The end goes straight, with a bulge in its middle; or, if that is (0, 0), the joints turn straight.
    """
    count = len(out)
    from_x, from_z = limb_end(figure, facing, q, limb)
    at = 4 + 2 * limb
    last = q.copy()
    if not reach(figure, facing, last, limb, x, z):
        return False
    by_joints = bulge_x == 0.0 and bulge_z == 0.0
    before = q
    for k in range(1, count + 1):
        share = k / count
        out[k - 1] = q
        if k == count or by_joints:
            out[k - 1, at] = q[at] + share * (last[at] - q[at])
            out[k - 1, at + 1] = q[at + 1] + share * (last[at + 1] - q[at + 1])
        else:
            rise = math.sin(math.pi * share)
            to_x = from_x + share * (x - from_x) + rise * bulge_x
            to_z = from_z + share * (z - from_z) + rise * bulge_z
            if not reach(figure, facing, out[k - 1], limb, to_x, to_z):
                return False
        if not motion_is_clear(figure, field, facing, before, out[k - 1], grasps, targets, margin):
            return False
        before = out[k - 1]
    return True
