"""Lay motions over each other in time: by their contacts, and by whole poses where there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import scipy

from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import runs
from gambol.variation.registered.warp import changes_of, frames_of, log_rates_of, phases_at, spline_basis

FINENESS = 4  # steps a frame in the first, coarse warp; larger: slower and more exact
SLOWEST = 2  # steps from one phase to the next at the slowest pace: half of the mean pace
FASTEST = 8  # steps from one phase to the next at the fastest pace: twice the mean pace
PACE_COST = 0.05  # squared spreads: cost of a squared logarithm of the pace; larger: the coarse warp is more even
CONTACT_WEIGHT = 2.0  # spreads of one number: distance of a contact that only one motion has
CONTACT_BLUR = 1.5  # frames: standard deviation of the smoothing of contacts
SPEED_FRAMES = 6.0  # frames: a speed counts as the way of this time; larger: speeds count more
POSE_BLUR = 1.5  # frames: standard deviation of the smoothing of poses, which hides their fine structure
FRAMES_A_KNOT = 7.0  # phases from one knot of the fine warp to the next; larger: a stiffer warp
PACE_WEIGHT = 3.0  # weight of the fine warp's roughness, where a spread of a pose has 1; larger: a more even warp
EVENT_WEIGHT = 0.3  # weight of a frame between two events that are the same, where a spread of a pose has 1
NEAR_END = 3.0  # frames: a contact that begins or ends nearer to a cut gives no event
SAME_EVENT = 0.08  # share of the motion's length: events farther apart are not the same
ROUNDS = 2  # number of times all motions are laid over their mean
MOST_STEPS = 30  # the most steps of a fit
FIRST_DAMPING = 0.01  # damping of the first step of a fit
LEAST_GAIN = 1e-5  # share of the misfit: a step that gains less is the last


class Event(NamedTuple):
    """A contact point that touches down or lifts off."""

    point: int
    down: bool
    frame: float


def events_of(planted: BoolArray) -> list[Event]:
    """Return the touch-downs and lift-offs of planted points (F, P), except those near a cut's ends."""
    last, found = len(planted) - 1, []
    for point in range(planted.shape[1]):
        for first, end in runs(planted[:, point]):
            found += [Event(point, True, first - 0.5), Event(point, False, end + 0.5)]
    return [event for event in found if NEAR_END <= event.frame <= last - NEAR_END]


class Features(NamedTuple):
    """The numbers by which motions are compared."""

    poses: FloatArray  # (F, C) each number in spreads, then each speed, then contacts
    events: list[Event]

    @property
    def last(self) -> int:
        return len(self.poses) - 1


def features_of(values: FloatArray, spread: FloatArray, planted: BoolArray | None) -> Features:
    """Return the features of a motion's numbers (F, D); the mean pose does not count."""
    poses = scipy.ndimage.gaussian_filter1d(values / spread, POSE_BLUR, axis=0, mode="nearest")
    poses -= poses.mean(axis=0)
    speeds = SPEED_FRAMES * np.gradient(poses, axis=0)
    parts = [poses, speeds]
    if planted is not None:
        contacts = scipy.ndimage.gaussian_filter1d(planted.astype(np.float64), CONTACT_BLUR, axis=0, mode="nearest")
        parts.append(CONTACT_WEIGHT * contacts)
    together = np.hstack(parts) / np.sqrt(2.0 * values.shape[1])
    return Features(together, [] if planted is None else events_of(planted))


class Pattern(NamedTuple):
    """The pattern that motions are laid over: poses by phase, and the phases of events."""

    poses: FloatArray  # (N, C) as in `Features`
    events: list[Event]

    def of(self, numbers: BoolArray) -> Pattern:
        """Return the pattern of some of the numbers (D,) alone, without contacts."""
        share = np.sqrt(len(numbers) / numbers.sum())
        return Pattern(self.poses[:, : 2 * len(numbers)][:, np.tile(numbers, 2)] * share, [])

    def warp(self, motion: Features) -> FloatArray:
        """Return the frame of a motion at each phase (N,)."""
        return fine_warp(motion, self, coarse_warp(motion, self.poses))

    @classmethod
    def mean_of(cls, motions: Sequence[Features], warps: FloatArray, events: Sequence[Event] | None = None) -> Pattern:
        """Return the mean of motions by phase, and the mean phases of the events that most of them share.

        events: the events that may be shared; None: those of the motion that has most.
        """
        poses = np.mean([_spline(m)(warp) for m, warp in zip(motions, warps, strict=True)], axis=0)
        found = [
            [event._replace(frame=float(phases_at(warp, np.array([event.frame]))[0])) for event in motion.events]
            for motion, warp in zip(motions, warps, strict=True)
        ]
        if events is None:
            events = max(found, key=len)
        groups = [[other for own in found for other in _nearest(event, own, len(poses))] for event in events]
        shared = [
            event._replace(frame=float(np.mean([other.frame for other in group])))
            for event, group in zip(events, groups, strict=True)
            if 2 * len(group) > len(motions)
        ]
        return cls(poses, shared)


def _nearest(event: Event, others: Sequence[Event], phases: int) -> list[Event]:
    """Return the one of the others that is the same event, if any is: of the same kind, and near."""
    like = [other for other in others if (other.point, other.down) == (event.point, event.down)]
    near = [other for other in like if abs(other.frame - event.frame) <= SAME_EVENT * phases]
    return [min(near, key=lambda other: abs(other.frame - event.frame))] if near else []


def _spline(motion: Features) -> scipy.interpolate.CubicSpline:
    return scipy.interpolate.CubicSpline(np.arange(motion.last + 1), motion.poses)


def register(motions: Sequence[Features], tell: Callable[[float], None] | None = None) -> FloatArray:
    """Return the frame of each motion at each phase (L, N + 1), where N is the mean length; the mean pace is even."""
    count = round(np.mean([motion.last for motion in motions])) + 1
    middle = int(np.argsort([motion.last for motion in motions], kind="stable")[(len(motions) - 1) // 2])
    first = motions[middle]
    even = np.linspace(0.0, first.last, count)
    events = [event._replace(frame=event.frame * (count - 1) / first.last) for event in first.events]
    pattern = Pattern(_spline(first)(even), events)
    warps = np.stack([even if motion is first else coarse_warp(motion, pattern.poses) for motion in motions])
    for round_number in range(ROUNDS):
        for index, motion in enumerate(motions):
            warps[index] = fine_warp(motion, pattern, warps[index])
            if tell:
                tell((round_number + (index + 1) / len(motions)) / ROUNDS)
        warps = _evened(warps)
        pattern = Pattern.mean_of(motions, warps, pattern.events)
    return warps


def coarse_warp(motion: Features, poses: FloatArray) -> FloatArray:
    """Return the frame of a motion at each phase of a pattern (N, C): the best of all warps from end to end.

    This is dynamic time warping with a bounded pace, so that the frame is a function of the phase.
    """
    count, steps = len(poses), motion.last * FINENESS + 1
    average = (steps - 1) / (count - 1)
    paces = np.arange(min(SLOWEST, int(np.floor(average))), max(FASTEST, int(np.ceil(average))) + 1)
    pace_costs = PACE_COST * np.log(np.maximum(paces, 0.5) / average) ** 2
    fine = scipy.interpolate.CubicSpline(np.arange(motion.last + 1), motion.poses)(np.arange(steps) / FINENESS)
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


def fine_warp(motion: Features, pattern: Pattern, start: FloatArray) -> FloatArray:
    """Return the frame of a motion at each phase (N,), smooth, near `start` and better: by poses and by events.

    The logarithm of its pace is a spline, fitted by damped Gauss-Newton steps.
    """
    count = len(pattern.poses)
    knots = max(5, round((count - 1) / FRAMES_A_KNOT))
    basis = spline_basis(count, knots)
    spline = _spline(motion)
    slope = spline.derivative()
    frames, phases = np.array(same_events(motion.events, pattern.events, start)).reshape(-1, 2).T
    at_events = _interpolation(phases, count)
    rough = PACE_WEIGHT * np.diff(np.eye(knots), axis=0)
    level = np.full((knots, knots), 1.0 / knots**2)  # keeps the mean at zero, as the length decides the mean pace
    steady = scipy.ndimage.gaussian_filter1d(np.maximum(np.gradient(start), 0.3), FRAMES_A_KNOT / 2.0, mode="nearest")
    weights = np.linalg.lstsq(basis, np.log(steady), rcond=None)[0]
    weights -= weights.mean()

    def misfit(weights: FloatArray) -> float:
        warp = frames_of(basis @ weights, motion.last)
        apart = np.sum((spline(warp) - pattern.poses) ** 2)
        missed = np.sum((EVENT_WEIGHT * (at_events @ warp - frames)) ** 2)
        return float(apart + missed + np.sum((rough @ weights) ** 2) + weights.mean() ** 2)

    best, damping = misfit(weights), FIRST_DAMPING
    for _ in range(MOST_STEPS):
        log_rates = basis @ weights
        warp, changes = frames_of(log_rates, motion.last), changes_of(log_rates, basis, motion.last)
        slopes, events = slope(warp), EVENT_WEIGHT * (at_events @ changes)
        curvature = (changes * np.sum(slopes**2, axis=1)[:, None]).T @ changes
        curvature += events.T @ events + rough.T @ rough + level
        downhill = changes.T @ np.sum(slopes * (pattern.poses - spline(warp)), axis=1)
        downhill += EVENT_WEIGHT * events.T @ (frames - at_events @ warp) - (rough.T @ rough + level) @ weights
        trial = weights + np.linalg.solve(curvature + damping * np.eye(knots), downhill)
        reached = misfit(trial)
        if reached >= best:
            damping *= 8.0
            continue
        gained, weights, best, damping = best - reached, trial, reached, damping / 4.0
        if gained < LEAST_GAIN * best:
            break
    return frames_of(basis @ weights, motion.last)


def _interpolation(phases: FloatArray, count: int) -> FloatArray:
    """Return the matrix (K, count) that reads a curve at phases (K,)."""
    return np.stack([np.interp(phases, np.arange(count), row) for row in np.eye(count)], axis=1)


def same_events(found: Sequence[Event], events: Sequence[Event], warp: FloatArray) -> list[tuple[float, float]]:
    """Return frame and phase of those events of a motion that the pattern has too."""
    pairs = []
    for event in found:
        by_phase = event._replace(frame=float(phases_at(warp, np.array([event.frame]))[0]))
        pairs += [(event.frame, other.frame) for other in _nearest(by_phase, events, len(warp))]
    return pairs


def _evened(warps: FloatArray) -> FloatArray:
    """Return warps (L, N) over phases at which the mean pace of all is even."""
    mean = np.mean([log_rates_of(warp) for warp in warps], axis=0)
    even = frames_of(mean, warps.shape[1] - 1.0)
    phases = phases_at(even, np.arange(warps.shape[1], dtype=np.float64))
    return np.stack([scipy.interpolate.CubicSpline(np.arange(len(warp)), warp)(phases) for warp in warps])
