"""The instances that a network is learned from and unrolled by, and how its conditionals are measured [L09 5.3.2].

Numbers are scaled by their spread over the examples, speeds by theirs.  The kernel is KERNEL_WIDTH times as wide as the
root mean square distance of the neighbours: a rule that needs no unit and fits any number of parents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.variation.network.kernels.regression import LOG_ROOT_TAU, first_frames, unroll_frames
from gambol.variation.network.network import Network, listed

NEIGHBOURS = 20  # k; L09 has 15 to 60
FEWEST_NEIGHBOURS, MOST_NEIGHBOURS = 2, 60
KERNEL_WIDTH = 0.6  # of the neighbours' root mean square distance
SPEED_WEIGHT = 1.0  # of a number's own speed in squared distances, when speeds are scaled by their spread
PAIRS_OF_A_CLIP = 10  # first pairs of frames that the prior network is learned from
MANY_CLIPS = 30  # with so many, the first pair of each is enough
BRIDGE_FRAMES = 12  # from the end of a cyclic motion into its start
LEAST_SPEED_SPREAD = 1e-4  # of a number that hardly moves, in spreads a frame
LEAST_SIGMA_OF_SPEED = 0.05  # smallest standard deviation believed of a change, in spreads of the speed
LEAST_SIGMA = 0.01  # smallest standard deviation believed of a first frame, in spreads


@dataclass(frozen=True)
class Regression:
    """How nearest instances are weighed."""

    neighbours: int = NEIGHBOURS
    width: float = KERNEL_WIDTH
    speed_weight: float = SPEED_WEIGHT

    def __post_init__(self) -> None:
        if not FEWEST_NEIGHBOURS <= self.neighbours <= MOST_NEIGHBOURS:
            raise InvalidInput(f"{FEWEST_NEIGHBOURS} to {MOST_NEIGHBOURS} neighbours expected, not {self.neighbours}")
        if not (self.width > 0.0 and self.speed_weight >= 0.0):
            raise InvalidInput("a kernel width above zero and a speed weight of zero or more expected")


@dataclass(frozen=True, eq=False)
class Instances:
    """Three frames in a row, over and over: two, and how the third differs from the second."""

    table: FloatArray  # (2D, N) scaled numbers of two frames
    speeds: FloatArray  # (D, N) from the first to the second, in spreads of speed, weighted
    deltas: FloatArray  # (D, N) from the second to the third
    clips: Int64Array  # (N,) the sequence that each is of
    phases: FloatArray  # (N,) share of the sequence at the second frame; above one after its end
    frames: Int64Array  # (N,) the second frame
    speed_scale: FloatArray  # (D,) what makes speeds of differences between scaled numbers
    least_sigma: FloatArray  # (D,) smallest standard deviations believed

    @property
    def count(self) -> int:
        """D: the degrees of freedom."""
        return len(self.speeds)

    def without(self, clip: int) -> Instances:
        """Return the instances of all other sequences."""
        kept = self.clips != clip
        table, speeds, deltas = (
            np.ascontiguousarray(array[:, kept]) for array in (self.table, self.speeds, self.deltas)
        )
        return Instances(
            table, speeds, deltas, self.clips[kept], self.phases[kept], self.frames[kept], self.speed_scale,
            self.least_sigma,
        )  # fmt: skip


def instances_of(
    sequences: Sequence[FloatArray],
    regression: Regression,
    *,
    cyclic: bool = False,
    speed_spread: FloatArray | None = None,
) -> Instances:
    """Return all instances of scaled sequences (F, D).

    cyclic: each goes on at its end as at its start, which L09 does not have.
    speed_spread: what speeds are scaled by (D,); by default the sequences' own.
    """
    if any(len(sequence) < 3 for sequence in sequences):
        raise InvalidInput("sequences of at least three frames expected")
    if speed_spread is None:
        speed_spread = spread_of_speeds(sequences)
    scale = np.sqrt(regression.speed_weight) / speed_spread
    before, now, deltas, clips, phases, frames = [], [], [], [], [], []
    for clip, sequence in enumerate(sequences):
        last = len(sequence) - 1
        longer = bridged(sequence) if cyclic else sequence
        ends = len(longer) - 2
        before.append(longer[:ends])
        now.append(longer[1 : ends + 1])
        deltas.append(np.diff(longer, axis=0)[1:])
        clips.append(np.full(ends, clip))
        second = np.arange(1, ends + 1)
        phases.append(second / last)
        frames.append(np.where(second > last, second - last, second))
    first, second = np.concatenate(before), np.concatenate(now)
    return Instances(
        np.ascontiguousarray(np.hstack((first, second)).T),
        np.ascontiguousarray(((second - first) * scale).T),
        np.ascontiguousarray(np.concatenate(deltas).T),
        np.concatenate(clips).astype(np.int64),
        np.concatenate(phases),
        np.concatenate(frames).astype(np.int64),
        scale,
        LEAST_SIGMA_OF_SPEED * speed_spread,
    )


def bridged(sequence: FloatArray) -> FloatArray:
    """Return a cyclic sequence (F, D) with some of its first frames after its last; what they are apart fades away."""
    frames = min(BRIDGE_FRAMES, len(sequence) - 1)
    fade = 0.5 + 0.5 * np.cos(np.pi * np.arange(1, frames + 1) / frames)
    return np.concatenate((sequence, sequence[1 : frames + 1] + fade[:, None] * (sequence[-1] - sequence[0])))


def spread_of_speeds(sequences: Sequence[FloatArray]) -> FloatArray:
    """Return the standard deviation (D,) of steps from frame to frame."""
    steps = np.concatenate([np.diff(sequence, axis=0) for sequence in sequences])
    return np.maximum(steps.std(axis=0), LEAST_SPEED_SPREAD)


@dataclass(frozen=True, eq=False)
class Pairs:
    """First frames of sequences, two by two: what the prior network is learned from."""

    table: FloatArray  # (2D, M)
    clips: Int64Array  # (M,)
    by_change: bool  # the second frame is predicted as the first plus a change; L09 predicts it as it is

    @property
    def count(self) -> int:
        return len(self.table) // 2

    def targets(self, node: int) -> FloatArray:
        """Return what is predicted (M,) of a node."""
        if self.by_change and node >= self.count:
            return self.table[node] - self.table[node - self.count]
        return self.table[node]


def pairs_of(sequences: Sequence[FloatArray], *, by_change: bool) -> Pairs:
    """Return the first pair of many scaled sequences, or the first ten of few."""
    most = 1 if len(sequences) >= MANY_CLIPS else PAIRS_OF_A_CLIP
    columns, clips = [], []
    for clip, sequence in enumerate(sequences):
        count = min(most, len(sequence) - 1)
        columns.append(np.hstack((sequence[:count], sequence[1 : count + 1])))
        clips.append(np.full(count, clip))
    table = np.ascontiguousarray(np.concatenate(columns).T)
    return Pairs(table, np.concatenate(clips).astype(np.int64), by_change)


@dataclass(frozen=True)
class Manner:
    """How a network is unrolled.  All but the default is ours, not L09's."""

    noise_share: float = 1.0  # of the standard deviation, independently for every number and frame
    noise_s: float = 0.0  # time over which that chance is alike; 0: every frame has its own
    pull: float = 0.0  # of the way back to its own position that each neighbour votes, besides its delta
    whole_share: float = 0.0  # of all numbers in squared distances, beside 1 for the parents
    shared: float = 0.0  # logarithm of clips' weights, common to all numbers: standard deviation
    shared_s: float = 1.0  # time over which those weights are alike
    wrap: bool = False  # cyclic motions go on at their end as at their start


class Unroller:
    """A network with the data that it is unrolled by, and room to work in; for one thread."""

    def __init__(
        self, transition: BoolArray, held: BoolArray, instances: Instances, regression: Regression, manner: Manner
    ) -> None:
        self.instances, self._held, self._manner = instances, np.ascontiguousarray(held), manner
        self._starts, self._parents = listed(transition)
        self._neighbours = min(regression.neighbours, instances.table.shape[1])
        self.width = regression.width
        self._clips = int(instances.clips.max()) + 1
        columns = instances.table.shape[1]
        self._room = (
            np.empty(columns),
            np.empty(columns),
            np.empty(MOST_NEIGHBOURS),
            np.empty(MOST_NEIGHBOURS, np.int64),
        )

    def run(
        self,
        values: FloatArray,
        means: FloatArray,
        sigmas: FloatArray,
        first: int,
        last: int,
        *,
        noise: FloatArray | None = None,
        clip_weights: FloatArray | None = None,
    ) -> None:
        """Write frames first to last of values, means and standard deviations (F, D), scaled.

        noise: standard deviations of chance (F, D); None: none.  clip_weights: (F, L); None: all one.
        """
        data, manner = self.instances, self._manner
        noise = np.zeros_like(values) if noise is None else noise
        clip_weights = np.ones((len(values), self._clips)) if clip_weights is None else clip_weights
        unroll_frames(
            first, last, values, means, sigmas, self._held, noise, clip_weights, data.table, data.speeds, data.deltas,
            data.clips, data.speed_scale, self._starts, self._parents, self._neighbours, self.width, manner.pull,
            manner.whole_share, data.least_sigma, *self._room,
        )  # fmt: skip


def resynthesis(real: FloatArray, unroller: Unroller) -> tuple[FloatArray, FloatArray]:
    """Return means and standard deviations (F, D) of a scaled sequence, re-synthesised from its first two frames."""
    values, means, sigmas = real.copy(), real.copy(), np.ones_like(real)
    unroller.run(values, means, sigmas, 2, len(real) - 1)
    return means, sigmas


def log_densities(values: FloatArray, means: FloatArray, sigmas: FloatArray) -> FloatArray:
    """Return the logarithm of a Gaussian's density, number by number."""
    return -0.5 * ((values - means) / sigmas) ** 2 - np.log(sigmas) - LOG_ROOT_TAU


def start_frames(
    network: Network,
    pairs: Pairs,
    regression: Regression,
    *,
    noise: FloatArray,
    clip_weights: FloatArray,
    given: BoolArray,
    nodes: FloatArray,
    observed: bool = False,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return both first frames, their means and standard deviations, each (2D,) and scaled.

    given (2D,): which nodes are known; nodes (2D,): what these are.  noise (2D,): standard deviations of chance.
    observed: all nodes are known; only means and standard deviations are asked for.
    """
    starts, parents = listed(network.prior)
    columns = pairs.table.shape[1]
    nodes, means, sigmas = nodes.copy(), nodes.copy(), np.ones_like(nodes)
    room = max(columns, MOST_NEIGHBOURS)
    first_frames(
        nodes, means, sigmas, given, observed, noise, clip_weights, network.order, pairs.table, pairs.clips, starts,
        parents, pairs.by_change, min(regression.neighbours, columns), regression.width, LEAST_SIGMA, np.empty(columns),
        np.empty(room), np.empty(room, np.int64), np.empty(columns),
    )  # fmt: skip
    return nodes, means, sigmas
