"""What fairing aims at: a pelvis that goes on across grasp changes, limbs that leave and arrive at rest.

Nothing here is checked: fairing goes towards it as far as that is sound.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.balance import spans_of, spread, toppling
from gambol.climb.filters.checks import allowed
from gambol.climb.filters.in_reach import aim_limbs, clamp_ends, pull_into_reach
from gambol.climb.filters.loose import arms_down, swing_legs
from gambol.climb.filters.mending import mend
from gambol.climb.filters.resample import distance_along, ends_of, free_runs, parts_of
from gambol.climb.filters.shortcuts import reaching_at, reaching_runs
from gambol.climb.filters.tables import FilterTables
from gambol.climb.filters.upright import rise_over_stance, stand_up
from gambol.climb.modes import Mode
from gambol.geometry.arrays import BoolArray, FloatArray

#: Widths, in seconds, over which the trunk is smoothed.
TRUNK_S = {Mode.WALK: 0.09, Mode.CLIMB: 0.16, Mode.SWING: 0.12, Mode.CRAWL: 0.14}
LIMB_S = 0.07
NARROW_S = 0.05
HOPELESS_S = 0.5  # around a place where pushing does not help, nobody is pushed
EASE_S = 0.6  # over which a limb that was free for long comes to rest at a hold
ARC_SHARE = 0.06  # of a reach, over which its way in space is smoothed
#: Widths, in seconds, over which a pelvis is smoothed again each time after it was pulled into reach of what is held.
PULLS_S = (0.06, 0.06, 0.06, 0.05, 0.05, 0.04, 0.04, 0.03, 0.03)


#: The same, of all that is mended.
MENDS_S = (0.06, 0.05, 0.04, 0.03, 0.02, 0.015)
NARROW_MENDS_S = (0.03, 0.02, 0.015)
AROUND_S = 0.3  # what was mended, that is looked at again
MORE_CLEAR_M = 0.003  # that mending keeps at first, as smoothing takes some of it away
CLAMPS, CLAMP_S = 4, 0.03  # how often ends are brought into reach and smoothed again, and how wide


class Targets(NamedTuple):
    """Where fairing would like to have the figure at each frame."""

    configurations: FloatArray  # (F, 12) of which trunk and free limbs count
    ends: FloatArray  # (F, 4, 2) of limbs that reach
    base_ends: FloatArray  # (F, 4, 2) where they are now
    reaching: BoolArray  # (F, 4)


def smoothed(values: FloatArray, sigma: float) -> FloatArray:
    """Return values (F, ...) smoothed by a bell of a width in frames; the first, the last and steady slopes stay."""
    reach_out = min(len(values) - 1, math.ceil(4.0 * sigma))
    if reach_out < 1 or sigma <= 0.0:
        return values.copy()
    before = 2.0 * values[:1] - values[reach_out:0:-1]
    after = 2.0 * values[-1:] - values[-2 : -reach_out - 2 : -1]
    padded = np.concatenate([before, values, after])
    return scipy.ndimage.gaussian_filter1d(padded, sigma, axis=0, mode="nearest", truncate=4.0)[reach_out:-reach_out]


def smoothed_at_rest(values: FloatArray, sigma: float) -> FloatArray:
    """Return values (F, C) smoothed by a bell, as of something that rests before the first frame and after the last."""
    result = scipy.ndimage.gaussian_filter1d(values, sigma, axis=0, mode="nearest", truncate=4.0)
    away = np.arange(len(values)) / min(4.0 * sigma + 1.0, 0.5 * len(values))
    bump = (np.maximum(0.0, 1.0 - away * away) ** 3)[:, None]
    return result + bump * (values[0] - result[0]) + bump[::-1] * (values[-1] - result[-1])


def narrow_targets(tables: FilterTables, base: ClimbPath, rate_hz: float, *, mended: bool = True) -> Targets:
    """Return what to aim at where the usual targets are not sound: all as it is, but without corners."""
    q = base.configurations.copy()
    base_ends, _ = ends_of(tables, q, base.facings)
    ends = base_ends.copy()
    reaching = reaching_at(base.grasps) & (np.abs(base.facings) == 1.0)[:, None]
    sigma = NARROW_S * rate_hz
    for a, b in parts_of(base.facings):
        q[a : b + 1, :4] = smoothed_at_rest(q[a : b + 1, :4], sigma)
    for limb in range(4):
        joints = slice(4 + 2 * limb, 6 + 2 * limb)
        for run in free_runs(base.grasps, limb):
            a, b = max(0, run[0]), min(len(base) - 1, run[1])
            if b - a >= 2:
                ends[a : b + 1, limb] = smoothed_at_rest(base_ends[a : b + 1, limb], sigma)
                q[a : b + 1, joints] = smoothed(base.configurations[a : b + 1, joints], sigma)
    _meet_holds(tables, base, q, base_ends, rate_hz)
    aims = Targets(q, ends, base_ends, reaching)
    return _mended(tables, base, aims, rate_hz, NARROW_MENDS_S) if mended else aims


def targets_of(tables: FilterTables, base: ClimbPath, rate_hz: float, scale: float) -> Targets:
    """Return what to aim at for a path at frames of a rate."""
    q = base.configurations.copy()
    base_ends, _ = ends_of(tables, base.configurations, base.facings)
    reaching = np.zeros(base.grasps.shape, dtype=bool)
    for a, b in parts_of(base.facings):
        part = base.part(a, b + 1)
        q[a : b + 1, :4] = _trunk(part, rate_hz)
    ends = base_ends.copy()
    for limb in range(4):
        reaches = reaching_runs(base.grasps, limb)
        for a, b in reaches:
            if np.all(np.abs(base.facings[a : b + 1]) == 1.0):
                reaching[a + 1 : b, limb] = True
                ends[a : b + 1, limb] = _way(base_ends[a : b + 1, limb])
        for run in free_runs(base.grasps, limb):
            if run not in reaches:
                _hanging(base, limb, run, q, rate_hz)
    swing_legs(base, reaching, q, rate_hz)
    stand_up(tables, base, reaching, ends, q, rate_hz)
    spans = spans_of(tables, base)
    aims = Targets(q, ends, base_ends, reaching)
    may_push = np.ones(len(q), dtype=bool)
    carried, toppled = _carry_over(tables, base, aims, spans, may_push, rate_hz)
    if np.any(toppled):
        # Pushing does not help there, it only jerks.
        near = scipy.ndimage.maximum_filter1d(toppled.astype(np.int8), 2 * round(HOPELESS_S * rate_hz) + 1)
        may_push = np.asarray(near == 0)
        carried, _ = _carry_over(tables, base, aims, spans, may_push, rate_hz)
    q = carried
    rise_over_stance(tables, base, q, scale)
    for _ in range(CLAMPS):
        before = ends.copy()
        clamp_ends(tables, base.configurations, base.facings, reaching, base_ends, q, ends)
        for limb in range(4):
            for a, b in reaching_runs(base.grasps, limb):
                if reaching[a + 1, limb] and np.any(ends[a : b + 1, limb] != before[a : b + 1, limb]):
                    ends[a : b + 1, limb] = smoothed_at_rest(ends[a : b + 1, limb], CLAMP_S * rate_hz)
    _meet_holds(tables, base, q, base_ends, rate_hz)
    return _mended(tables, base, Targets(q, ends, base_ends, reaching), rate_hz, MENDS_S)


def _mended(
    tables: FilterTables, base: ClimbPath, aims: Targets, rate_hz: float, widths_s: tuple[float, ...]
) -> Targets:
    """Return targets that break next to nothing: mended and smoothed in turn, less and less."""
    q, ends = aims.configurations.copy(), aims.ends.copy()
    margin, beside = allowed(tables, base, rate_hz)
    touched = np.zeros(len(base), dtype=np.int8)
    may_mend = (base.modes != Mode.WALK) & (np.abs(base.facings) == 1.0)
    for number, width_s in enumerate(widths_s):
        spare = MORE_CLEAR_M * (1.0 - number / len(widths_s))
        mended = mend(
            tables, may_mend, base.configurations, base.facings, base.modes, base.grasps, aims.reaching, aims.base_ends,
            margin + spare, beside, ends, q, touched,
        )  # fmt: skip
        if mended == 0:
            break
        near = scipy.ndimage.maximum_filter1d(touched, 2 * round(AROUND_S * rate_hz) + 1) > 0
        may_mend &= near
        # What is far from all that was mended stays as it is.
        share = scipy.ndimage.gaussian_filter1d(near.astype(np.float64), 0.25 * AROUND_S * rate_hz, mode="nearest")[
            :, None
        ]
        for a, b in parts_of(base.facings):
            here = slice(a, b + 1)
            q[here, :4] += share[here] * (smoothed_at_rest(q[here, :4], width_s * rate_hz) - q[here, :4])
        for limb in range(4):
            joints = slice(4 + 2 * limb, 6 + 2 * limb)
            for run in free_runs(base.grasps, limb):
                a, b = max(0, run[0]), min(len(base) - 1, run[1])
                here = slice(a, b + 1)
                if np.any(aims.reaching[a + 1 : b, limb]):
                    smooth = smoothed_at_rest(ends[here, limb], width_s * rate_hz)
                    ends[here, limb] += share[here] * (smooth - ends[here, limb])
                elif b - a >= 2:
                    smooth = smoothed(q[here, joints], width_s * rate_hz)
                    q[here, joints] += share[here] * (smooth - q[here, joints])
    return Targets(q, ends, aims.base_ends, aims.reaching)


def _meet_holds(tables: FilterTables, base: ClimbPath, q: FloatArray, base_ends: FloatArray, rate_hz: float) -> None:
    """Let the joints of limbs that were free for long lead to what they are at a hold, the body being elsewhere now."""
    held = q.copy()
    aim_limbs(tables, base.facings, base.grasps, np.zeros(base.grasps.shape, dtype=bool), base_ends, held)
    off = held - base.configurations
    for limb in range(4):
        joints = slice(4 + 2 * limb, 6 + 2 * limb)
        reaches = reaching_runs(base.grasps, limb)
        for a, b in free_runs(base.grasps, limb):
            if (a, b) in reaches:
                continue
            window = min(EASE_S * rate_hz, 0.5 * (b - a))
            between = np.arange(max(0, a), min(len(base), b + 1))
            for end in (a, b):
                if 0 <= end < len(base):
                    near = np.maximum(0.0, 1.0 - (np.abs(between - end) / window) ** 2) ** 2
                    q[between, joints] += near[:, None] * off[end, joints]


def _carry_over(
    tables: FilterTables, base: ClimbPath, aims: Targets, spans: FloatArray, may_push: BoolArray, rate_hz: float
) -> tuple[FloatArray, BoolArray]:
    """Return configurations with the pelvis over its holds and in reach of them, and where it topples still."""
    q = aims.configurations.copy()
    parts = parts_of(base.facings)
    for number, width_s in enumerate(PULLS_S):
        if number % 2 == 0:
            push = np.where(may_push, _push(tables, base, aims, spans, q, rate_hz), 0.0)
            for a, b in parts:
                q[a : b + 1, 0] += spread(push[a : b + 1], rate_hz)
        pull_into_reach(
            tables,
            base.configurations,
            base.facings,
            base.modes,
            base.grasps,
            aims.reaching,
            aims.base_ends,
            aims.ends,
            q,
        )
        for a, b in parts:
            q[a : b + 1, :2] = smoothed_at_rest(q[a : b + 1, :2], width_s * rate_hz)
    return q, may_push & (_push(tables, base, aims, spans, q, rate_hz) != 0.0)


def _push(
    tables: FilterTables, base: ClimbPath, aims: Targets, spans: FloatArray, q: FloatArray, rate_hz: float
) -> FloatArray:
    """Return how far each frame should be pushed along x."""
    tried = q.copy()
    aim_limbs(tables, base.facings, base.grasps, aims.reaching, aims.ends, tried)
    ends, centres = ends_of(tables, tried, base.facings)
    return toppling(path=base, spans=spans, centres=centres, ends=ends, rate_hz=rate_hz)


def _trunk(part: ClimbPath, rate_hz: float) -> FloatArray:
    """Return the trunk's coordinates (F, 4), smoothed as wide as each frame's mode asks."""
    trunk = part.configurations[:, :4]
    result, total = np.zeros(trunk.shape), np.zeros((len(trunk), 1))
    for mode in Mode:
        here = part.modes == mode
        if np.any(here):
            weight = scipy.ndimage.gaussian_filter1d(here.astype(np.float64), 0.15 * rate_hz, mode="nearest")[:, None]
            result += weight * smoothed_at_rest(trunk, TRUNK_S[mode] * rate_hz)
            total += weight
    return result / total


def _way(ends: FloatArray) -> FloatArray:
    """Return a limb's way in space (F, 2), rid of corners, left and arrived at with no speed."""
    count = len(ends)
    way = distance_along(ends)
    if way[-1] < 1e-6:
        return ends.copy()
    fine = np.linspace(0.0, way[-1], 65)
    even = np.stack([np.interp(fine, way, ends[:, axis]) for axis in (0, 1)], axis=1)
    even = smoothed(even, ARC_SHARE * 64)
    covered = distance_along(even)
    t = np.arange(count) / (count - 1)
    # Between a cosine and a quintic: soft at both ends, yet not hasty in the middle.
    eased = 0.5 * (0.5 - 0.5 * np.cos(math.pi * t)) + 0.5 * t**3 * (10.0 - 15.0 * t + 6.0 * t * t)
    return np.stack([np.interp(eased * covered[-1], covered, even[:, axis]) for axis in (0, 1)], axis=1)


def _hanging(base: ClimbPath, limb: int, run: tuple[int, int], q: FloatArray, rate_hz: float) -> None:
    """Smooth the joints of a limb that is free for long; arms swing evenly from footfall to footfall."""
    a, b = max(0, run[0]), min(len(base) - 1, run[1])
    joints = slice(4 + 2 * limb, 6 + 2 * limb)
    values = base.configurations[a : b + 1, joints]
    if len(values) < 3:
        return
    if limb < 2:
        values = _between_footfalls(base, values, a, b)
        values = arms_down(base, values, a, b, (run[0] >= 0, run[1] < len(base)), rate_hz)
    values = _at_rest_where_held(values, run[0] >= 0, run[1] < len(base), EASE_S * rate_hz)
    result = smoothed(values, LIMB_S * rate_hz if limb >= 2 else 0.5 * LIMB_S * rate_hz)
    q[a + 1 : b, joints] = result[1:-1]
    if run[0] < 0:
        q[a, joints] = result[0]
    if run[1] == len(base):
        q[b, joints] = result[-1]


def _at_rest_where_held(values: FloatArray, at_first: bool, at_last: bool, window: float) -> FloatArray:
    """Return joints (F, 2) in another time: gone from a hold, and come to one, with no speed."""
    last = len(values) - 1
    window = min(window, 0.5 * last)
    frames = np.arange(last + 1.0)
    when = frames.copy()
    if at_last:
        left = np.minimum(1.0, (last - frames) / window)
        when = np.where(left < 1.0, last - window * left * left * (2.0 - left), when)
    if at_first:
        gone = np.minimum(1.0, frames / window)
        when = np.where(gone < 1.0, window * gone * gone * (2.0 - gone), when)
    return np.stack([np.interp(when, frames, values[:, axis]) for axis in (0, 1)], axis=1)


def _between_footfalls(base: ClimbPath, values: FloatArray, a: int, b: int) -> FloatArray:
    """Return an arm's joints (F, 2) with what lies between footfalls of a walk drawn evenly from one to the next."""
    feet = base.grasps[a : b + 1, 2:]
    falls = np.flatnonzero(np.any((feet[1:] >= 0) & (feet[:-1] < 0), axis=1)) + 1
    walking = base.modes[a : b + 1] == Mode.WALK
    turning = np.abs(base.facings[a : b + 1]) < 1.0
    result = values.copy()
    keys = np.unique(np.concatenate([[0], falls, [b - a]]))
    even = scipy.interpolate.PchipInterpolator(keys, values[keys])(np.arange(b - a + 1))
    for first, last in pairwise(keys):
        if np.all(walking[first : last + 1]) and not np.any(turning[first : last + 1]):
            result[first : last + 1] = even[first : last + 1]
    return result
