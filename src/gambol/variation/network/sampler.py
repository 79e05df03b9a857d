"""Learn a network from examples, and draw new motions from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, FloatArray, frozen_array
from gambol.variation.examples import Example, Examples
from gambol.variation.model import Drawn, Progress
from gambol.variation.network.network import Network
from gambol.variation.network.prior_search import search_prior
from gambol.variation.network.regression import (
    Manner,
    Regression,
    Unroller,
    instances_of,
    log_densities,
    pairs_of,
    spread_of_speeds,
    start_frames,
)
from gambol.variation.network.transition_search import search_transition
from gambol.variation.network.unroll import Course, Source, Unrolled, stream, unroll, unroll_for

#: As printed: independent chance of the full standard deviation.
PAPER = Manner()
#: Ours: what keeps the same network inside the data.
STABLE = Manner(noise_share=0.25, pull=0.1, whole_share=0.25, shared=3.0, shared_s=0.6, wrap=True)
#: Ours, for one clip alone: no other clip shares its weights, so it has more chance, alike over a few frames.
LONE = replace(STABLE, noise_share=0.4, noise_s=0.05)
LONE_NEIGHBOURS = 8  # the most neighbours with one clip alone, which has fewer frames to find them in
MANNERS = {"paper": PAPER, "stable": STABLE}
PRIOR_SHARE = 0.3  # share of the time of learning that the prior network takes, roughly; for progress alone


@dataclass(frozen=True, eq=False)
class NetworkSampler:
    """A network, and the examples to unroll it with."""

    examples: Examples
    preset: str
    network: Network
    regression: Regression
    scores: tuple[float, float]  # scores of prior and transition network [L09 5.3, 5.4]

    @property
    def manner(self) -> Manner:
        return MANNERS[self.preset]

    @cached_property
    def _scaled(self) -> list[FloatArray]:
        return [values / self.examples.encoding.spread for values in self.examples.values]

    @cached_property
    def _source(self) -> Source:
        examples = self.examples
        return self._source_of(self._scaled, examples.planted, examples.cyclic)

    def _source_of(self, scaled: Sequence[FloatArray], planted: Sequence[BoolArray], cyclic: bool) -> Source:
        speed_spread = spread_of_speeds(self._scaled)
        wrap = cyclic and self.manner.wrap
        instances = instances_of(scaled, self.regression, cyclic=wrap, speed_spread=speed_spread)
        resting = np.stack(
            [planted[clip][frame] for clip, frame in zip(instances.clips, instances.frames, strict=True)]
        ).astype(np.float64)
        pairs = pairs_of(scaled, by_change=self.network.by_change)
        lengths = tuple(len(values) for values in scaled)
        return Source(self.network, instances, pairs, resting, lengths, self.examples.rate_hz, cyclic)

    def draw(self, rng: np.random.Generator, *, amount: float) -> Drawn:
        """Return a new motion; numbers that are held are those of one example."""
        if self.network.held.any():
            example = int(rng.integers(self.examples.count))
            drawn = self.given(self.examples.values[example], self.network.held, rng, amount=amount)
            return drawn._replace(planted=self.examples.planted[example])
        course = Course(self._source, self.regression, self.manner, rng, amount=amount)
        return self._drawn(unroll(course, self._source))

    def stream(self, rng: np.random.Generator, *, amount: float) -> Iterator[Drawn]:
        """Return an endless cyclic motion, cycle by cycle; frames go on from one to the next."""
        if not self.examples.cyclic:
            raise InvalidInput("only cyclic motions are endless: examples with cyclic=True expected")
        if self.network.held.any():
            raise InvalidInput("numbers that are held end with the motion they are of: there is no endless one")
        course = Course(self._source, self.regression, self.manner, rng, amount=amount)
        return (self._drawn(piece) for piece in stream(course, self._source))

    def from_clip(self, example: Example, rng: np.random.Generator, *, amount: float) -> Drawn:
        """Return a variant of one motion by this network; the motion alone is the data [L09 figure 5.5]."""
        scaled = self.examples.encoding.encode(example.motion) / self.examples.encoding.spread
        source = self._source_of([scaled], [example.contacts.planted], self.examples.cyclic)
        regression, manner = self.regression, self.manner
        if self.preset == "stable":
            regression = replace(regression, neighbours=min(regression.neighbours, LONE_NEIGHBOURS))
            manner = LONE
        if self.network.held.any():
            course = Course(source, regression, manner, rng, amount=amount, fixed=scaled)
            return self._drawn(unroll_for(course, len(scaled)))._replace(planted=example.contacts.planted)
        return self._drawn(unroll(Course(source, regression, manner, rng, amount=amount), source))

    def given(self, fixed: FloatArray, held: BoolArray, rng: np.random.Generator, *, amount: float) -> Drawn:
        """Return a motion with the held (D,) numbers of fixed (F, D), on which the others depend."""
        count = self.network.count
        if fixed.ndim != 2 or fixed.shape[1] != count or held.shape != (count,) or len(fixed) < 3:
            raise InvalidInput(f"numbers (F, {count}) of three frames or more, and which are held, expected")
        if (self.network.held & ~held).any():
            names = [
                name for name, odd in zip(self.examples.encoding.names, self.network.held & ~held, strict=True) if odd
            ]
            raise InvalidInput(f"these numbers were held in learning and must be given: {', '.join(names[:6])}")
        spread = self.examples.encoding.spread
        course = Course(self._source, self.regression, self.manner, rng, amount=amount, fixed=fixed / spread, held=held)
        drawn = self._drawn(unroll_for(course, len(fixed)))
        drawn.values[:, held] = drawn.means[:, held] = fixed[:, held]
        return drawn

    def log_likelihood(self, values: FloatArray, *, among: BoolArray | None = None) -> float:
        """Return the logarithm of equation 5.2, per frame and number that varies, of numbers scaled by their spread.

        The two real frames before predict every frame, as printed, whatever the preset.
        """
        scaled = values / self.examples.encoding.spread
        free, count = ~self.network.held & (True if among is None else among), self.network.count
        total = self._first_frames_log_density(scaled[:2].reshape(-1))[np.tile(free, 2)].sum()
        unroller = Unroller(self.network.transition, self.network.held, self._source.instances, self.regression, PAPER)
        made, means, sigmas = np.empty((3, count)), np.empty((3, count)), np.ones((3, count))
        for frame in range(2, len(scaled)):
            made[:] = scaled[frame - 2 : frame + 1]
            unroller.run(made, means, sigmas, 2, 2)
            total += log_densities(scaled[frame], means[2], sigmas[2])[free].sum()
        return float(total / (len(scaled) * free.sum()))

    def _first_frames_log_density(self, nodes: FloatArray) -> FloatArray:
        """Return the logarithm of each node's density (2D,), given its real parents."""
        _, means, sigmas = start_frames(
            self.network,
            self._source.pairs,
            self.regression,
            noise=np.zeros(len(nodes)),
            clip_weights=np.ones(self.examples.count),
            given=np.zeros(len(nodes), np.bool_),
            nodes=nodes,
            observed=True,
        )
        return log_densities(nodes, means, sigmas)

    def _drawn(self, unrolled: Unrolled) -> Drawn:
        spread = self.examples.encoding.spread
        return Drawn(unrolled.values * spread, unrolled.means * spread, unrolled.planted)

    def as_arrays(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Return the network, and how to unroll it, for saving."""
        network, regression = self.network, self.regression
        arrays = {"prior": network.prior, "transition": network.transition, "held": network.held}
        values = {
            "preset": self.preset,
            "neighbours": regression.neighbours,
            "width": regression.width,
            "speed_weight": regression.speed_weight,
            "prior_score": self.scores[0],
            "transition_score": self.scores[1],
        }
        return arrays, values

    @classmethod
    def from_arrays(cls, examples: Examples, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> NetworkSampler:
        """Return the sampler that `as_arrays` gave."""
        network = Network(arrays["prior"], arrays["transition"], arrays["held"])
        if network.count != examples.encoding.count:
            raise InvalidInput(f"a network over {examples.encoding.count} numbers expected, not {network.count}")
        if values["preset"] not in MANNERS:
            raise InvalidInput(f"a network's preset expected, not {values['preset']!r}")
        regression = Regression(int(values["neighbours"]), float(values["width"]), float(values["speed_weight"]))
        scores = (float(values["prior_score"]), float(values["transition_score"]))
        return cls(examples, str(values["preset"]), network, regression, scores)


def learn_network(
    examples: Examples,
    *,
    preset: str = "paper",
    seed: int = 0,
    held: BoolArray | None = None,
    regression: Regression | None = None,
    progress: Progress | None = None,
) -> NetworkSampler:
    """Learn both networks.

    held: numbers (D,) on which others may depend, and that depend on none.
    progress: may raise to interrupt; nothing is left behind.
    """
    regression = regression or Regression()
    count = examples.encoding.count
    held = np.zeros(count, np.bool_) if held is None else frozen_array(held, np.bool_)
    if held.shape != (count,) or held.all():
        raise InvalidInput(f"held must tell which of {count} numbers are held, and leave at least one free")
    scaled = [values / examples.encoding.spread for values in examples.values]

    def prior_progress(share: float) -> None:
        if progress is not None:
            progress("prior network", PRIOR_SHARE * share)

    def transition_progress(share: float) -> None:
        if progress is not None:
            progress("transition network", PRIOR_SHARE + (1.0 - PRIOR_SHARE) * share)

    pairs = pairs_of(scaled, by_change=preset != "paper")
    prior = search_prior(pairs, held=held, regression=regression, seed=seed, progress=prior_progress)
    transition = search_transition(scaled, held=held, regression=regression, progress=transition_progress)
    network = Network(prior.parents, transition.parents, held)
    return NetworkSampler(examples, preset, network, regression, (prior.score, transition.score))


def in_manner(sampler: NetworkSampler, preset: str) -> NetworkSampler:
    """Return a sampler that unrolls the same network as another preset does."""
    if preset not in MANNERS:
        raise InvalidInput(f"one of {', '.join(MANNERS)} expected, not {preset!r}")
    return replace(sampler, preset=preset)
