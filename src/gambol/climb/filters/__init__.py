"""The climber's filters: what a search found, smoothed and in time [KP00 3.5].

Two passes are the paper's: shortcuts between grasp changes, then limb by limb.  Ours are the timing, by what the body
is doing, and fairing across grasp changes, so that the body does not stop at every one of them.
"""

from __future__ import annotations

import numpy as np
import scipy

from gambol.climb.climb import ClimbMotion, ClimbPath
from gambol.climb.filters.double_support import with_double_support
from gambol.climb.filters.fairing import fair, unsound
from gambol.climb.filters.limbs import limb_by_limb
from gambol.climb.filters.limits import haste
from gambol.climb.filters.resample import held_exactly, turns
from gambol.climb.filters.shortcuts import shortened
from gambol.climb.filters.tables import FilterTables, filter_tables
from gambol.climb.filters.targets import narrow_targets, targets_of
from gambol.climb.filters.timing import at_frames, nominal_durations, paced
from gambol.climb.problem import ClimbProblem
from gambol.geometry.arrays import FloatArray

PASSES = 2  # of the paper's two, in turn
TIMES = 3  # that a path is timed and faired anew; after that it is only slowed down
A_LITTLE = 0.3  # of what momentum makes up for, each time again
SLOWER = 12  # times at most that what is too fast is slowed down
SLOWER_BY = 1.6  # the power of what is too fast: corners take more than the square root that curves take
LEAST_SLOWER = 1.2
LEAST_PACE = 0.05


def smooth_and_time(problem: ClimbProblem, path: ClimbPath, rate_hz: float = 60.0) -> tuple[ClimbPath, ClimbMotion]:
    """Return a path after the paper's filters, and that path timed and faired, at a rate."""
    tables = filter_tables(problem)
    path = held_exactly(tables, path)
    smooth = smoothed_path(tables, path, problem.seed)
    return smooth, timed(tables, smooth, rate_hz, problem.figure.scale)


def smoothed_path(tables: FilterTables, path: ClimbPath, seed: int) -> ClimbPath:
    """Return a path after the paper's filters: as many samples, with the same grasps, and the same at both ends."""
    if len(path) < 3:
        return path
    for number in range(PASSES):
        path = shortened(tables, path, 2 * PASSES * seed + 2 * number)
        path = limb_by_limb(tables, path, 2 * PASSES * seed + 2 * number + 1)
    return path


def timed(tables: FilterTables, path: ClimbPath, rate_hz: float, scale: float, *, fairing: bool = True) -> ClimbMotion:
    """Return a path in time: as fast as its modes and the limits of joints allow, faired if wished."""
    if len(path) < 2:
        return ClimbMotion(path, rate_hz)
    durations = nominal_durations(tables, path, scale)
    stops = [index for turn in turns(path.facings) for index in turn]
    most = np.ones(len(durations))
    frames = path
    for number in range(TIMES if fairing else 1):
        frames, places = at_frames(tables, path, paced(durations, most, stops), rate_hz)
        base = frames
        if fairing:
            base = frames = with_double_support(tables, frames, rate_hz)
            frames, _ = fair(tables, frames, targets_of(tables, frames, rate_hz, scale), rate_hz)
            frames, _ = fair(tables, frames, narrow_targets(tables, frames, rate_hz), rate_hz, leaning=A_LITTLE)
        if number + 1 == TIMES or not _slowed(tables, frames, base, places, most, rate_hz):
            break
    return ClimbMotion(slow_enough(tables, frames, rate_hz, fairing=fairing), rate_hz)


def slow_enough(tables: FilterTables, path: ClimbPath, rate_hz: float, *, fairing: bool) -> ClimbPath:
    """Return frames of a path slowed down where joints are faster than they may be, or frames would cut corners."""
    durations = np.full(len(path) - 1, 1.0 / rate_hz)
    most = np.ones(len(durations))
    frames, base, places = path, path, np.arange(len(path), dtype=np.float64)
    for _ in range(SLOWER):
        if not _slowed(tables, frames, base, places, most, rate_hz):
            break
        base, places = at_frames(tables, path, paced(durations, most, None), rate_hz)
        frames = base
        if fairing:
            targets = narrow_targets(tables, frames, rate_hz, mended=False)
            frames, _ = fair(tables, frames, targets, rate_hz, leaning=A_LITTLE)
    return frames


def _slowed(
    tables: FilterTables, frames: ClimbPath, base: ClimbPath, places: FloatArray, most: FloatArray, rate_hz: float
) -> bool:
    """Lower the paces (N - 1,) where frames at places of a path are too fast; return whether any is."""
    hurry = haste(frames, rate_hz)
    # Frames cut the corners of a path: where that matters there must be more of them.
    hurry[unsound(tables, frames, rate_hz, base)] = 1.5
    if np.all(hurry <= 1.0):
        return False
    hurry = scipy.ndimage.maximum_filter1d(np.maximum(hurry, 1.0), max(1, round(0.1 * rate_hz)))
    slower = np.ones(len(most))
    np.maximum.at(slower, np.minimum(places.astype(np.intp), len(most) - 1), hurry)
    slower = np.where(slower > 1.0, np.maximum(slower**SLOWER_BY, LEAST_SLOWER), 1.0)
    most[:] = np.maximum(LEAST_PACE, most / scipy.ndimage.maximum_filter1d(slower, 3))
    return True
