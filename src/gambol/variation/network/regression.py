"""Make the instances of a network's regression, and unroll the network by them [L09 5.3.2].

Numbers are scaled by their spread over the examples, speeds by theirs.  The kernel is KERNEL_WIDTH times as wide as the
root mean square distance of the neighbours: a rule that needs no unit and fits any number of parents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.variation.network.kernels.regression import LOG_ROOT_TAU, first_frames, unroll_frames
from gambol.variation.network.network import Network, listed
from gambol.variation.network.tables import FirstFrames, Frames, Instances, Pairs, Room

NEIGHBOURS = 20  # k, the number of nearest instances (L09: 15 to 60); larger: motions are nearer to the mean
FEWEST_NEIGHBOURS = 2  # the least number of neighbours allowed
MOST_NEIGHBOURS = 60  # the largest number of neighbours allowed
KERNEL_WIDTH = 0.6  # share of the neighbours' root mean square distance; larger: weights are more alike
SPEED_WEIGHT = 1.0  # weight of a number's own speed in squared distances, in spreads of the speed
PAIRS_OF_A_CLIP = 10  # first pairs of frames that the prior network learns from, of each clip
MANY_CLIPS = 30  # number of clips from which on the first pair of each is enough
BRIDGE_FRAMES = 12  # frames from the end of a cyclic motion into its start
LEAST_SPEED_SPREAD = 1e-4  # spreads a frame: the smallest spread of a speed, of numbers that hardly move
LEAST_SIGMA_OF_SPEED = 0.05  # spreads of the speed: smallest standard deviation believed of a change
LEAST_SIGMA = 0.01  # spreads: smallest standard deviation believed of a first frame


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


def instances_of(
    sequences: Sequence[FloatArray],
    regression: Regression,
    *,
    cyclic: bool = False,
    speed_spread: FloatArray | None = None,
) -> Instances:
    """Return all instances of scaled sequences (F, D).

    cyclic: the end of each sequence goes on into its start, which L09 does not have.
    speed_spread: the scale of speeds (D,); by default the sequences' own spread.
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
    """Return a cyclic sequence (F, D) with some of its first frames after its last; the gap between them fades away."""
    frames = min(BRIDGE_FRAMES, len(sequence) - 1)
    fade = 0.5 + 0.5 * np.cos(np.pi * np.arange(1, frames + 1) / frames)
    return np.concatenate((sequence, sequence[1 : frames + 1] + fade[:, None] * (sequence[-1] - sequence[0])))


def spread_of_speeds(sequences: Sequence[FloatArray]) -> FloatArray:
    """Return the standard deviation (D,) of steps from frame to frame."""
    steps = np.concatenate([np.diff(sequence, axis=0) for sequence in sequences])
    return np.maximum(steps.std(axis=0), LEAST_SPEED_SPREAD)


def pairs_of(sequences: Sequence[FloatArray], *, by_change: bool) -> Pairs:
    """Return the first pair of frames of many scaled sequences, or the first ten pairs of few sequences."""
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

    noise_share: float = 1.0  # 0 or more: share of the standard deviation that chance adds to each number
    noise_s: float = 0.0  # seconds: time constant of that chance; 0: every frame has its own
    pull: float = 0.0  # 0 to 1: share of the way back to its own position that each neighbour votes for
    whole_share: float = 0.0  # 0 or more: weight of all numbers in squared distances, where a parent's is 1
    shared: float = 0.0  # 0 or more: standard deviation of the logarithm of clips' weights, common to all numbers
    shared_s: float = 1.0  # seconds: time constant of those weights
    wrap: bool = False  # the end of cyclic motions goes on into their start


class Unroller:
    """A network with its data and room to work in; for one thread."""

    def __init__(
        self, transition: BoolArray, held: BoolArray, instances: Instances, regression: Regression, manner: Manner
    ) -> None:
        self.instances, self._held, self._manner = instances, np.ascontiguousarray(held), manner
        self._parents = listed(transition)
        columns = instances.table.shape[1]
        self._neighbours = min(regression.neighbours, columns)
        self.width = regression.width
        self._clips = int(instances.clips.max()) + 1
        self._room = Room.of(columns, MOST_NEIGHBOURS)

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

        noise: chance in standard deviations (F, D); None: no chance.  clip_weights: (F, L); None: all one.
        """
        manner = self._manner
        noise = np.zeros_like(values) if noise is None else noise
        clip_weights = np.ones((len(values), self._clips)) if clip_weights is None else clip_weights
        frames = Frames(values, means, sigmas, self._held, noise, clip_weights)
        data, parents, neighbours, room = self.instances, self._parents, self._neighbours, self._room
        pull, whole_share = manner.pull, manner.whole_share
        unroll_frames(first, last, frames, data, parents, neighbours, self.width, pull, whole_share, room)


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

    given (2D,): which nodes are known; nodes (2D,): their values.  noise (2D,): chance in standard deviations.
    observed: all nodes are known; only their means and standard deviations are computed.
    """
    columns = pairs.table.shape[1]
    first = FirstFrames(nodes.copy(), nodes.copy(), np.ones_like(nodes), given, noise, clip_weights)
    neighbours, room = min(regression.neighbours, columns), Room.of(columns, max(columns, MOST_NEIGHBOURS))
    parents = listed(network.prior)
    first_frames(first, observed, network.order, pairs, parents, neighbours, regression.width, LEAST_SIGMA, room)
    return first.nodes, first.means, first.sigmas
