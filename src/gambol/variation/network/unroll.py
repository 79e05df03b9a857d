"""Unroll a network into a new motion, frame by frame, until it has gone through as the examples do [L09 5.4].

The phase of a frame is that of the nearest whole pose among the examples, a little behind or ahead of the phase of the
frame before.  No example goes on after its last frame, so the phase comes to rest shortly before the end: the last part
then takes its mean time.  A character that stands may stand for ever, so the length is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.variation.network.kernels.regression import follow
from gambol.variation.network.network import Network
from gambol.variation.network.regression import MOST_NEIGHBOURS, Manner, Regression, Unroller, start_frames
from gambol.variation.network.tables import Instances, MotionProgress, Pairs, Room, Window

CHUNK = 16  # frames unrolled at a time
BACK = 0.05  # share of a motion: the nearest pose may be at most this much behind the phase reached
AHEAD = 0.15  # share of a motion: the nearest pose may be at most this much ahead
ANYWHERE = 1.0  # share of a motion: the nearest pose may be anywhere
FIRST_AHEAD = 0.25  # share of a motion within which a new motion may begin
NEARLY = 0.97  # phase at which motions that have an end are nearly through
LONGEST = 1.5  # length of the longest new motion, in lengths of the longest example
VOTERS = 8  # number of whole poses that decide which points rest
RESTING = 0.5  # share of the votes by which a point rests


class Unrolled(NamedTuple):
    """A new motion, scaled."""

    values: FloatArray  # (F, D)
    means: FloatArray  # (F, D)
    planted: BoolArray  # (F, P)


@dataclass(frozen=True, eq=False)
class Source:
    """A network and the data to unroll it with."""

    network: Network
    instances: Instances
    pairs: Pairs
    planted: FloatArray  # (N, P) 1 where a point rests, at the instances' second frame
    lengths: tuple[int, ...]  # frames of each sequence
    rate_hz: float
    cyclic: bool

    @property
    def most_frames(self) -> int:
        return int(np.ceil(LONGEST * max(self.lengths)))


class Course:
    """A motion that is being unrolled; `extend` makes it longer."""

    def __init__(
        self,
        source: Source,
        regression: Regression,
        manner: Manner,
        rng: np.random.Generator,
        *,
        amount: float,
        fixed: FloatArray | None = None,
        held: BoolArray | None = None,
    ) -> None:
        self._source, self._manner, self._rng, self._amount = source, manner, rng, amount
        count = source.instances.degrees
        self._held = source.network.held if held is None else held
        self._fixed = fixed
        self._unroller = Unroller(source.network.transition, self._held, source.instances, regression, manner)
        self._clips = len(source.lengths)
        self._noise = np.zeros((1, count))  # that of the frames before
        self._shared = rng.standard_normal((1, self._clips)) if manner.shared > 0.0 else np.zeros((1, self._clips))
        self.values = np.zeros((2, count))
        self.means, self._sigmas = self.values.copy(), np.ones_like(self.values)
        self.phases = np.zeros(2)
        self.votes = np.zeros((2, source.planted.shape[1]))
        self._begin(regression)

    def _begin(self, regression: Regression) -> None:
        source, count = self._source, self._source.instances.degrees
        noise = self._rng.standard_normal(2 * count) * self._amount * self._manner.noise_share
        nodes = np.zeros(2 * count)
        given = np.zeros(2 * count, np.bool_)
        if self._fixed is not None:
            given = np.tile(self._held, 2)
            nodes[given] = self._fixed[:2].reshape(-1)[given]
        nodes, means, _ = start_frames(
            source.network,
            source.pairs,
            regression,
            noise=noise,
            clip_weights=self._weights(self._shared)[0],
            given=given,
            nodes=nodes,
        )
        self.values[:], self.means[:] = nodes.reshape(2, count), means.reshape(2, count)
        self._follow(1, 1, back=0.0, ahead=FIRST_AHEAD)
        self.phases[0], self.votes[0] = self.phases[1], self.votes[1]
        self.first_phase = float(self.phases[1])

    def extend(self, frames: int) -> None:
        """Unroll a number of further frames."""
        done, total = len(self.values), len(self.values) + frames
        count = self._source.instances.degrees
        self.values = np.concatenate((self.values, np.zeros((frames, count))))
        self.means = np.concatenate((self.means, np.zeros((frames, count))))
        self._sigmas = np.ones_like(self.values)
        self.phases = np.concatenate((self.phases, np.zeros(frames)))
        self.votes = np.concatenate((self.votes, np.zeros((frames, self.votes.shape[1]))))
        if self._fixed is not None:
            self.values[done:, self._held] = self._fixed[done:total, self._held]
        noise, weights = np.zeros_like(self.values), np.ones((total, self._clips))
        noise[done:], weights[done:] = self._chance(frames)
        self._unroller.run(self.values, self.means, self._sigmas, done, total - 1, noise=noise, clip_weights=weights)
        self._follow(done, total - 1, back=BACK, ahead=AHEAD)

    def forget(self, frames: int) -> None:
        """Drop a number of the first frames."""
        for name in ("values", "means", "phases", "votes"):
            setattr(self, name, getattr(self, name)[frames:].copy())

    def _chance(self, frames: int) -> tuple[FloatArray, FloatArray]:
        """Return chance in standard deviations (F, D), and clips' weights (F, L)."""
        manner, rate = self._manner, self._source.rate_hz
        count = self._source.instances.degrees
        self._noise = correlated(self._rng.standard_normal((frames, count)), self._noise[-1], manner.noise_s * rate)
        noise = self._amount * manner.noise_share * self._noise
        if manner.shared > 0.0:
            fresh = self._rng.standard_normal((frames, self._clips))
            self._shared = correlated(fresh, self._shared[-1], manner.shared_s * rate)
        else:
            self._shared = np.zeros((frames, self._clips))
        return noise, self._weights(self._shared)

    def _weights(self, shared: FloatArray) -> FloatArray:
        logarithms = self._amount * self._manner.shared * shared
        return np.exp(logarithms - logarithms.max(axis=-1, keepdims=True))

    def _follow(self, first: int, last: int, *, back: float, ahead: float) -> None:
        source, columns = self._source, self._source.instances.table.shape[1]
        if self._fixed is not None:  # the motion ends with the given numbers, which may begin at any phase
            back = ahead = ANYWHERE
        window, progress = Window(back, ahead, source.cyclic), MotionProgress(self.phases, self.votes)
        voters, room = min(VOTERS, columns), Room.of(columns, MOST_NEIGHBOURS)
        width = self._unroller.width
        follow(first, last, self.values, source.instances, source.planted, window, voters, width, progress, room)

    def cut(self, first: int, last: int) -> Unrolled:
        """Return frames first to last."""
        taken = slice(first, last + 1)
        return Unrolled(self.values[taken].copy(), self.means[taken].copy(), self.votes[taken] >= RESTING)


def correlated(fresh: FloatArray, before: FloatArray, frames: float) -> FloatArray:
    """Return noise (F, ...) of unit variance, made of fresh noise; `frames` is its time constant."""
    if frames <= 0.0:
        return fresh
    keep = float(np.exp(-1.0 / frames))
    made, _ = scipy.signal.lfilter([np.sqrt(1.0 - keep * keep)], [1.0, -keep], fresh, axis=0, zi=keep * before[None])
    return made


def unroll(course: Course, source: Source) -> Unrolled:
    """Return a motion that goes once from the first phase to the last."""
    end = course.first_phase + 1.0 if source.cyclic else NEARLY
    most = source.most_frames
    while course.phases[-1] < end and len(course.values) < most:
        course.extend(min(CHUNK, most - len(course.values)))
    through = np.flatnonzero(course.phases >= end)
    last = int(through[0]) if len(through) else most - 1
    if not source.cyclic and len(through):
        last = min(most - 1, last + round((1.0 - NEARLY) * float(np.mean(source.lengths))))
        if last >= len(course.values):
            course.extend(last + 1 - len(course.values))
    return course.cut(0, last)


def unroll_for(course: Course, frames: int) -> Unrolled:
    """Return a motion of a number of frames."""
    course.extend(frames - len(course.values))
    return course.cut(0, frames - 1)


def stream(course: Course, source: Source) -> Iterator[Unrolled]:
    """Return an endless cyclic motion, cycle by cycle."""
    end = course.first_phase + 1.0
    given = 0  # frames handed out
    while True:
        most = given + source.most_frames
        while course.phases[-1] < end and len(course.values) < most:
            course.extend(CHUNK)
        through = np.flatnonzero(course.phases >= end)
        last = int(through[0]) - 1 if len(through) else most - 1
        yield course.cut(given, last)
        end = max(end + 1.0, float(course.phases[last]) + 0.5)
        course.forget(last - 1)
        given = 2
