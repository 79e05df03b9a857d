"""Motions laid over each other in time: by their contacts, and by whole poses where there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d
from scipy.optimize import least_squares

from gambol.motion.contacts import runs
from gambol.variation.registered.warp import frames_of, log_rates_of, phases_at, spline_basis

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
FINENESS = 4  # steps a frame in the first, coarse warp
SLOWEST, FASTEST = 2, 8  # of those steps a phase: from half to twice the pace
PACE_COST = 0.05  # of a pace other than the average, per squared logarithm, against squared spreads of a pose
CONTACT_WEIGHT = 2.0  # of a contact that one motion has and the other lacks, in spreads of one number
CONTACT_BLUR = 1.5  # frames
POSE_BLUR = 1.5  # frames: poses are compared without their fine structure
FRAMES_A_KNOT = 7.0  # of the fine warp
PACE_WEIGHT = 0.3  # of the fine warp's roughness, against spreads of a pose
EVENT_FRAMES = 1.0  # a contact's begin or end is believed to be right to this
EVENT_WEIGHT = 0.5
NEAR_END = 3.0  # frames: contacts that begin or end nearer to a cut are the cut's
SAME_EVENT = 0.08  # of the motion's length: events farther apart are not the same
ROUNDS = 2


class Event(NamedTuple):
    """A contact point that touches down or lifts off."""

    point: int
    down: bool
    frame: float


def events_of(planted: BoolArray) -> list[Event]:
    """Return the touch-downs and lift-offs of (F, P), but for those at a cut's ends."""
    last, found = len(planted) - 1, []
    for point in range(planted.shape[1]):
        for first, end in runs(planted[:, point]):
            found += [Event(point, True, first - 0.5), Event(point, False, end + 0.5)]
    return [event for event in found if NEAR_END <= event.frame <= last - NEAR_END]


class Features(NamedTuple):
    """What motions are compared by."""

    poses: FloatArray  # (F, C) each number in spreads, then contacts
    events: list[Event]

    @property
    def last(self) -> int:
        return len(self.poses) - 1


def features_of(values: FloatArray, spread: FloatArray, planted: BoolArray | None) -> Features:
    """Return what a motion's numbers (F, D) are compared by."""
    poses = gaussian_filter1d(values / spread, POSE_BLUR, axis=0, mode="nearest") / np.sqrt(values.shape[1])
    if planted is None:
        return Features(poses, [])
    contacts = gaussian_filter1d(planted.astype(np.float64), CONTACT_BLUR, axis=0, mode="nearest")
    return Features(np.hstack((poses, CONTACT_WEIGHT / np.sqrt(values.shape[1]) * contacts)), events_of(planted))


def register(motions: Sequence[Features], tell: Callable[[float], None] | None = None) -> FloatArray:
    """Return the frame of each motion at each phase (L, N + 1): N is the mean length, and the mean pace is even."""
    count = round(np.mean([motion.last for motion in motions])) + 1
    middle = int(np.argsort([motion.last for motion in motions], kind="stable")[(len(motions) - 1) // 2])
    pattern = motions[middle]
    even = np.linspace(0.0, pattern.last, count)
    poses = CubicSpline(np.arange(pattern.last + 1), pattern.poses)(even)
    events = [event._replace(frame=event.frame * (count - 1) / pattern.last) for event in pattern.events]
    warps = np.stack([even if m is pattern else coarse_warp(m, poses) for m in motions])
    for round_number in range(ROUNDS):
        for index, motion in enumerate(motions):
            warps[index] = fine_warp(motion, poses, events, warps[index])
            if tell:
                tell((round_number + (index + 1) / len(motions)) / ROUNDS)
        warps = _evened(warps)
        poses, events = _mean_of(motions, warps, events)
    return warps


def coarse_warp(motion: Features, poses: FloatArray) -> FloatArray:
    """Return the frame of a motion at each phase of a pattern (N, C): the best of all that go from end to end.

    Dynamic time warping whose pace is bounded, so that it is a function of the phase.
    """
    count, steps = len(poses), motion.last * FINENESS + 1
    average = (steps - 1) / (count - 1)
    paces = np.arange(min(SLOWEST, int(np.floor(average))), max(FASTEST, int(np.ceil(average))) + 1)
    pace_costs = PACE_COST * np.log(np.maximum(paces, 0.5) / average) ** 2
    fine = CubicSpline(np.arange(motion.last + 1), motion.poses)(np.arange(steps) / FINENESS)
    costs = np.sum(poses**2, axis=1)[:, None] + np.sum(fine**2, axis=1) - 2.0 * poses @ fine.T
    best = np.full(steps, np.inf)
    best[0] = costs[0, 0]
    chosen = np.zeros((count, steps), dtype=np.int64)
    for phase in range(1, count):
        trials = np.full((len(paces), steps), np.inf)
        for row, (pace, cost) in enumerate(zip(paces, pace_costs, strict=True)):
            trials[row, pace:] = best[: steps - pace] + cost
        chosen[phase] = trials.argmin(axis=0)
        best = trials.min(axis=0) + costs[phase]
    warp = np.zeros(count)
    at = steps - 1
    for phase in range(count - 1, 0, -1):
        warp[phase] = at
        at -= paces[chosen[phase, at]]
    return warp / FINENESS


def fine_warp(motion: Features, poses: FloatArray, events: Sequence[Event], start: FloatArray) -> FloatArray:
    """Return the frame of a motion at each phase (N,), smooth, near `start` and better: by poses and by events."""
    count = len(poses)
    knots = max(5, round((count - 1) / FRAMES_A_KNOT))
    basis = spline_basis(count, knots)
    spline = CubicSpline(np.arange(motion.last + 1), motion.poses)
    pairs = same_events(motion.events, events, start)
    phases = np.array([phase for _, phase in pairs])
    frames = np.array([frame for frame, _ in pairs])
    steady = gaussian_filter1d(np.maximum(np.gradient(start), 0.3), FRAMES_A_KNOT / 2.0, mode="nearest")
    first = np.linalg.lstsq(basis, np.log(steady), rcond=None)[0]

    def misfit(weights: FloatArray) -> FloatArray:
        warp = frames_of(basis @ weights, motion.last)
        apart = (spline(warp) - poses).ravel()
        missed = EVENT_WEIGHT * (np.interp(phases, np.arange(count), warp) - frames) / EVENT_FRAMES
        return np.concatenate((apart, missed, PACE_WEIGHT * np.diff(weights), [0.01 * weights.mean()]))

    return frames_of(basis @ least_squares(misfit, first, method="lm", max_nfev=600).x, motion.last)


def same_events(found: Sequence[Event], events: Sequence[Event], warp: FloatArray) -> list[tuple[float, float]]:
    """Return frame and phase of the events of a motion that are also the pattern's: each other's nearest."""
    farthest = SAME_EVENT * len(warp)
    pairs = []
    for event in found:
        phase = float(phases_at(warp, np.array([event.frame]))[0])
        like = [other for other in events if other.point == event.point and other.down == event.down]
        if not like:
            continue
        nearest = min(like, key=lambda other: abs(other.frame - phase))
        if abs(nearest.frame - phase) <= farthest:
            pairs.append((event.frame, nearest.frame))
    return pairs


def _evened(warps: FloatArray) -> FloatArray:
    """Return warps (L, N) over phases at which the mean pace of all is even."""
    mean = np.mean([log_rates_of(warp) for warp in warps], axis=0)
    even = frames_of(mean, warps.shape[1] - 1.0)
    phases = phases_at(even, np.arange(warps.shape[1], dtype=np.float64))
    return np.stack([CubicSpline(np.arange(len(warp)), warp)(phases) for warp in warps])


def _mean_of(motions: Sequence[Features], warps: FloatArray, events: Sequence[Event]) -> tuple[FloatArray, list[Event]]:
    """Return the mean of all motions' poses by phase, and the mean phases of the events that most of them share."""
    poses = np.mean(
        [CubicSpline(np.arange(m.last + 1), m.poses)(w) for m, w in zip(motions, warps, strict=True)], axis=0
    )
    shared = []
    for point, down in sorted({(event.point, event.down) for event in events}):
        like = [event for event in events if (event.point, event.down) == (point, down)]
        near: list[list[float]] = [[] for _ in like]
        for motion, warp in zip(motions, warps, strict=True):
            for event in motion.events:
                if (event.point, event.down) == (point, down):
                    phase = float(phases_at(warp, np.array([event.frame]))[0])
                    index = int(np.argmin([abs(other.frame - phase) for other in like]))
                    if abs(like[index].frame - phase) <= SAME_EVENT * warps.shape[1]:
                        near[index].append(phase)
        shared += [Event(point, down, float(np.mean(p))) for p in near if 2 * len(p) > len(motions)]
    return poses, shared
