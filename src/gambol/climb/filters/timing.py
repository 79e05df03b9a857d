"""Time along a path: how fast, by what the body is doing, with gentle starts and stops, and grasps on whole frames.

Every stretch between samples has a *nominal duration*.  Along the sum of these the *pace* is at most 1; it starts and
ends at 0 and changes no faster than a person sets off, by a forward and a backward pass.
"""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.resample import along, distance_along, ends_of, turned, turns
from gambol.climb.filters.shortcuts import reaching_runs
from gambol.climb.filters.tables import FilterTables
from gambol.climb.filters.targets import smoothed
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray

#: How fast each mode is beside walking.
PACE = {Mode.WALK: 1.0, Mode.CLIMB: 0.6, Mode.SWING: 0.75, Mode.CRAWL: 0.7}
#: How fast limbs go from hold to hold, beside a walker's feet.
REACH_PACE = {Mode.WALK: 1.0, Mode.CLIMB: 0.65, Mode.SWING: 0.7, Mode.CRAWL: 0.75}
WALK_M_S = 1.4  # of an adult's pelvis; others as the root of their stature, as pendulums do
OVER_STANCE = 0.25  # how much slower a walk is there, of which smoothing takes away a third
#: An adult's foot is in the air for 0.45 s in a walk while it covers 1.3 m; shorter ways take the root of their share.
REACH_S, REACH_M = 0.45, 1.3
LEAST_REACH_S = 0.28
PENDULUM_SHARE = 0.4  # of the period of a body below its hands, for each hold that one swings on
TURN_S = 1.0  # half round: two to three steps on the spot in a hurry
LEAN_RAD_S, NOD_RAD_S = 2.5, 4.0  # of torso and head, in a walk
TURNING_RAD_S = 7.0  # of other joints, in a walk: less than they may (limits.py), so that fairing has room
SET_OFF_S = 0.7  # from standing to full pace
GO_ON_S = 0.25  # to full pace again after something that must be slow
JITTER = 2.0  # width, in samples, of what does not count as moving
LEAST_S = 1e-4  # of a stretch, so that time goes on
GRAVITY_M_S2 = 9.81


def nominal_durations(tables: FilterTables, path: ClimbPath, scale: float) -> FloatArray:
    """Return how long each stretch between samples (N - 1,) lasts at full pace."""
    ends, centres = ends_of(tables, path.configurations, path.facings)
    # What jitter is left says nothing about how fast the body should be.
    q = smoothed(path.configurations, JITTER)
    root = math.sqrt(scale)
    factor = np.array([PACE[Mode(mode)] for mode in path.modes]) * root
    pace = np.minimum(factor[1:], factor[:-1])
    moved = np.abs(np.diff(q, axis=0))
    durations = np.maximum(np.hypot(moved[:, 0], moved[:, 1]) / (WALK_M_S * pace), LEAST_S)
    durations = np.maximum(durations, (moved[:, 2:4] / [LEAN_RAD_S, NOD_RAD_S]).max(axis=1) / pace)
    held = (path.grasps[1:] >= 0) & (path.grasps[:-1] >= 0)
    for limb in range(4):
        turning = moved[:, 4 + 2 * limb : 6 + 2 * limb].max(axis=1)
        durations = np.maximum(durations, turning / (TURNING_RAD_S * np.where(held[:, limb], 1.0, pace)))
    durations = np.maximum(durations, np.abs(np.diff(turned(path.facings))) / math.pi * TURN_S)
    for limb in range(4):
        for a, b in reaching_runs(path.grasps, limb):
            way = distance_along(ends[a : b + 1, limb])
            least = REACH_S * math.sqrt(way[-1] / (REACH_M * scale))
            least = max(LEAST_REACH_S, least) / (root * min(REACH_PACE[Mode(mode)] for mode in path.modes[a : b + 1]))
            if limb < 2 and path.modes[a] == Mode.SWING and path.modes[b] == Mode.SWING:
                below = float(ends[a, limb, 1] - centres[a, 1])
                least = max(least, PENDULUM_SHARE * 2.0 * math.pi * math.sqrt(max(0.3, below) / GRAVITY_M_S2))
                durations[a:b] *= _pendulum(durations[a:b])
            _stretch(durations[a:b], np.diff(way), least)
            if limb >= 2 and path.modes[a] == Mode.WALK and path.modes[b] == Mode.WALK:
                durations[a:b] *= _over_stance(durations[a:b])
    return durations


def _stretch(durations: FloatArray, way: FloatArray, least: float) -> None:
    """Let a reach last as long as it should: by its nominal durations and the way of its end, half and half."""
    lacking = least - durations.sum()
    if lacking > 0.0:
        share = durations / durations.sum() + way / max(float(way.sum()), 1e-9)
        durations += lacking * share / share.sum()


def _pendulum(durations: FloatArray) -> FloatArray:
    """Return factors that make a swing slow at its ends and fast below the hold."""
    ends = np.cumsum(durations)
    middle = (ends - 0.5 * durations) / ends[-1]
    factor = 1.0 / (0.5 + 0.8 * np.sin(math.pi * middle))
    return factor * durations.sum() / (factor * durations).sum()


def _over_stance(durations: FloatArray) -> FloatArray:
    """Return factors that make a step fast with feet apart and slow over the stance leg: a pendulum upside down."""
    ends = np.cumsum(durations)
    return 1.0 - OVER_STANCE * np.cos(2.0 * math.pi * (ends - 0.5 * durations) / ends[-1])


def paced(durations: FloatArray, most: FloatArray, stops: list[int] | None) -> FloatArray:
    """Return the time at each sample: as fast as durations and paces (N - 1,) allow, at rest at both ends and stops.

    stops: None where durations know already where they rest.
    """
    count = len(durations) + 1
    standing, slow = np.ones(count), np.ones(count)
    slow[1:] = np.minimum(slow[1:], most)
    slow[:-1] = np.minimum(slow[:-1], most)
    if stops is not None:
        standing[[0, count - 1, *stops]] = 0.0
    pace = np.minimum(_gained(standing, 2.0 * durations / SET_OFF_S), _gained(slow, 2.0 * durations / GO_ON_S))
    return np.concatenate([[0.0], np.cumsum(2.0 * durations / np.maximum(pace[1:] + pace[:-1], 1e-6))])


def _gained(limit: FloatArray, gain: FloatArray) -> FloatArray:
    """Return paces (N,) below limits whose squares differ by no more than a gain (N - 1,) from one to the next."""
    squared = limit**2
    for k in range(1, len(squared)):
        squared[k] = min(squared[k], squared[k - 1] + gain[k - 1])
    for k in range(len(squared) - 2, -1, -1):
        squared[k] = min(squared[k], squared[k + 1] + gain[k])
    return np.sqrt(squared)


def events(path: ClimbPath) -> NDArray[np.intp]:
    """Return the samples that must lie on whole frames: last before a release, first of a grasp, ends of turns."""
    found = {0, len(path) - 1}
    for i in path.grasp_changes:
        before, after = path.grasps[i - 1], path.grasps[i]
        differs = before != after
        if np.any(differs & (before >= 0)):
            found.add(int(i) - 1)
        if np.any(differs & (after >= 0)):
            found.add(int(i))
    for a, b in turns(path.facings):
        found |= {a, b}
    return np.array(sorted(found))


def places_of_frames(path: ClimbPath, times: FloatArray, rate_hz: float) -> FloatArray:
    """Return where along the path each frame is, with all events on whole frames."""
    keys = events(path)
    wanted = times[keys] * rate_hz
    frames = np.zeros(len(keys), dtype=np.int64)
    late = 0.0
    for k in range(1, len(keys)):
        frames[k] = max(frames[k - 1] + 1, round(wanted[k] + late))
        late = max(late, frames[k] - wanted[k] - 0.5)
    if len(keys) < 2:
        return np.zeros(1)
    warped = (
        scipy.interpolate.PchipInterpolator(wanted, frames)(times * rate_hz)
        if np.all(np.diff(wanted) > 0.0)
        else times * rate_hz
    )
    places = np.interp(np.arange(frames[-1] + 1.0), warped, np.arange(len(path), dtype=np.float64))
    places[frames] = keys
    return np.maximum.accumulate(places)


def at_frames(tables: FilterTables, path: ClimbPath, times: FloatArray, rate_hz: float) -> tuple[ClimbPath, FloatArray]:
    """Return the path's configurations at the frames of a rate, and where along the path they are."""
    places = places_of_frames(path, times, rate_hz)
    frames = along(tables, path, places)
    facings = frames.facings.copy()
    for a, b in turns(facings):
        # Feet are moved in turn; seen from the side the body starts and ends gently.
        t = np.arange(b - a + 1) / (b - a)
        from_rad, to_rad = turned(facings[[a, b]])
        facings[a : b + 1] = np.cos(from_rad + (to_rad - from_rad) * t * t * (3.0 - 2.0 * t))
        facings[[a, b]] = np.sign(facings[[a, b]])
    return ClimbPath(frames.configurations, facings, frames.modes, frames.grasps, frames.sources), places
