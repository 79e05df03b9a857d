"""The preset `registered`: lay examples over each other in time; new motions vary about the mean as examples do.

By phase, a motion is the mean of the examples, plus their deviations from it with weights that wander slowly at random,
in shape and in pace alike, plus the fine structure of one of the examples, unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, FloatArray, frozen_array
from gambol.variation.examples import Example, Examples
from gambol.variation.model import Drawn, Progress
from gambol.variation.registered.aligned import AlignedExamples
from gambol.variation.registered.chance import Wander, bounded
from gambol.variation.registered.clip import RegisteredClip
from gambol.variation.registered.conditional import Model, condition, log_density, rest_of
from gambol.variation.registered.footing import Slides, footed, point_numbers, slides_of, slides_shown
from gambol.variation.registered.regions import localised
from gambol.variation.registered.registration import Pattern, features_of, register
from gambol.variation.registered.sharpness import MOST_SHARPER, TRIES, highest_peaks, sharpness
from gambol.variation.registered.warp import frames_of, log_rates_of, phases_at

WANDER_SHARE = (
    1.0  # share of a motion's length from one knot of the weights to the next; larger: weights change more slowly
)
MOVING = 4  # number of a root's first numbers, which say where it goes: if one is held, the root is held
LEAST_REST = 0.1  # spreads: least standard deviation of the part of a number that no example explains
LEAST_REST_POINT = 0.01  # metres, metres a frame: the same for contact points' numbers
LEAST_REST_PACE = 0.05  # least standard deviation, again, for the logarithm of the pace
WARP_SLACK = 1e-6  # frames by which rounding may take a warp beyond its example


@dataclass(frozen=True, eq=False)
class RegisteredSampler:
    """Examples by phase; everything else follows from them."""

    aligned: AlignedExamples
    held: BoolArray  # (D,) numbers that never vary

    def __post_init__(self) -> None:
        object.__setattr__(self, "held", frozen_array(self.held, np.bool_))

    @property
    def examples(self) -> Examples:
        return self.aligned.examples

    def draw(self, rng: np.random.Generator, *, amount: float) -> Drawn:
        if self.held.any():
            return self.given(self.examples.values[self._base(rng, amount)], self.held, rng, amount=amount)
        shapes = self.aligned.shapes

        def once() -> Drawn:
            clip = self.aligned.clips[self._base(rng, amount)]
            weights = self._weights(self._wander(rng), 0.0)
            return self._performed(clip, shapes.mixed(amount * weights), shapes.mean)

        return self._calm(once() for _ in range(TRIES if amount > 0.0 else 1))

    def stream(self, rng: np.random.Generator, *, amount: float) -> Iterator[Drawn]:
        if not self.examples.cyclic:
            raise InvalidInput("only cyclic examples go on endlessly")
        wander, shapes = self._wander(rng), self.aligned.cycles
        begun, late, way = 0.0, 0.0, np.zeros(2)
        while True:
            mixed, mean = shapes.mixed(amount * self._weights(wander, begun)), shapes.mean.copy()
            if self.aligned.travels_absolutely:
                for part in (mixed, mean):
                    part[:, self.aligned.places] += np.tile(way, len(self.aligned.places) // 2)
            warp = frames_of(mixed[:, -1])
            frames = np.arange(late, warp[-1])
            bases = rng.permutation(self.examples.count) if amount > 0.0 else np.array([self.aligned.typical])
            yield self._calm(
                self._at(self.aligned.clips[base], mixed, mean, warp, frames, goes_on=True) for base in bases[:TRIES]
            )
            late += len(frames) - float(warp[-1])
            way = way + shapes.mean[-1, :2] - shapes.mean[0, :2]
            begun += self.aligned.phase_count - 1

    def from_clip(self, example: Example, rng: np.random.Generator, *, amount: float) -> Drawn:
        values = self.examples.encoding.encode(example.motion)
        if self.held.any():
            return self._given(values, self.held, example.contacts.planted, rng, amount)
        warp = self._pattern.warp(features_of(values, self.examples.encoding.spread, example.contacts.planted))
        clip, shapes = self.aligned.clip(example, warp), self.aligned.shapes
        own = np.column_stack((clip.smooth, clip.log_rates))
        weights = self._weights(self._wander(rng), 0.0)
        return self._performed(clip, own + shapes.slow(amount * weights), own)

    def given(self, fixed: FloatArray, held: BoolArray, rng: np.random.Generator, *, amount: float) -> Drawn:
        encoding = self.examples.encoding
        if fixed.ndim != 2 or fixed.shape[1] != encoding.count or held.shape != (encoding.count,):
            raise InvalidInput(f"fixed (F, {encoding.count}) and held ({encoding.count},) expected")
        if not held.any():
            raise InvalidInput("given nothing that is held; draw a motion instead")
        return self._given(fixed, held, None, rng, amount)

    def _given(
        self, fixed: FloatArray, held: BoolArray, planted: BoolArray | None, rng: np.random.Generator, amount: float
    ) -> Drawn:
        """Return a motion whose held numbers and contacts (F, P) are given; None: contacts as in examples."""
        encoding, shapes = self.examples.encoding, self.aligned.shapes
        warp = self._pattern.of(held).warp(features_of(fixed[:, held], encoding.spread[held], None))
        still = np.zeros((len(fixed), 0), dtype=bool)
        shown = RegisteredClip(fixed, warp, still, self.aligned.clips[0].speeds[: encoding.count])
        columns = np.flatnonzero(held)
        seen = shown.smooth[:, columns] - shapes.centre[:, columns]
        knots = condition(seen, self._model.of(columns))
        mixed, expected = (shapes.mixed(bounded(knots.weights(one))) for one in (knots.drawn(rng, amount), knots.mean))
        mixed[:, -1] = expected[:, -1] = shown.log_rates
        base = self.aligned.clips[self._base(rng, amount)]
        phases = phases_at(warp, np.arange(len(fixed), dtype=np.float64))
        values, means = self._played(base, mixed, expected, warp, phases)
        count = encoding.count
        for part in (values, means):
            part[:, :count][:, held] = fixed[:, held]
        planted = self._planted_with(fixed, held, phases) if planted is None else planted
        if held[:MOVING].any():
            wanted = point_numbers(encoding.decode(values[:, :count]), self.aligned.points, encoding)
            return Drawn(values[:, :count], means[:, :count], planted, slides_of(wanted, planted, encoding))
        return self._footed(values, means, planted, goes_on=False)

    def _planted_with(self, fixed: FloatArray, held: BoolArray, phases: FloatArray) -> BoolArray:
        """Return the contacts (F, P) of the example that the held numbers come from, or else those of most examples."""
        for values, planted in zip(self.examples.values, self.examples.planted, strict=True):
            if len(values) == len(fixed) and np.allclose(values[:, held], fixed[:, held]):
                return planted
        votes = np.mean([clip.planted[clip.nearest(phases)] for clip in self.aligned.clips], axis=0)
        return votes > 0.5

    def log_likelihood(self, values: FloatArray, *, among: BoolArray | None = None) -> float:
        """Return the logarithm of the density of a motion (F, D) laid over the examples, per phase and number.

        Numbers count in the encoding's spreads.  If all of them count, so does the logarithm of the pace.
        """
        encoding, shapes = self.examples.encoding, self.aligned.shapes
        own = np.arange(encoding.count)
        warp = self._pattern.of(np.ones(encoding.count, dtype=bool)).warp(features_of(values, encoding.spread, None))
        clip = RegisteredClip(values, warp, np.zeros((len(values), 0), dtype=bool), self.aligned.clips[0].speeds[own])
        columns = np.append(own, -1) if among is None else own[among]
        scale = np.append(encoding.spread, 1.0)[columns]
        seen = np.column_stack((clip.smooth, clip.log_rates))[:, columns] - shapes.centre[:, columns]
        model = self._model.of(columns)
        return log_density(
            seen / scale, model._replace(deviations=model.deviations / scale, rest=model.rest / scale**2)
        )

    def as_arrays(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"warps": self.aligned.warps, "held": self.held}, {}

    @classmethod
    def from_arrays(
        cls, examples: Examples, arrays: dict[str, np.ndarray], values: dict[str, Any]
    ) -> RegisteredSampler:
        """Return the sampler that `as_arrays` gave."""
        warps, held = arrays["warps"], arrays["held"]
        if warps.ndim != 2 or len(warps) != examples.count or warps.shape[1] < 2:
            raise InvalidInput(f"warps must have a row of phases for each of {examples.count} examples")
        if not np.all(np.diff(warps, axis=1) > 0.0):
            raise InvalidInput("warps must rise from phase to phase")
        last = np.array([len(item) - 1 for item in examples.values])
        if warps.min() < -WARP_SLACK or np.any(warps[:, -1] > last + WARP_SLACK):
            raise InvalidInput("warps must stay within the frames of their examples")
        if held.shape != (examples.encoding.count,):
            raise InvalidInput(f"held must be of shape ({examples.encoding.count},), not {held.shape}")
        return cls(AlignedExamples(examples, warps), held)

    def _base(self, rng: np.random.Generator, amount: float) -> int:
        """Return the example that lends a motion its fine structure; the mean motion has the most typical one's."""
        drawn = int(rng.integers(self.examples.count))
        return drawn if amount > 0.0 else self.aligned.typical

    def _wander(self, rng: np.random.Generator) -> Wander:
        count = (1 + self.aligned.shapes.region_count) * self.examples.count
        return Wander(rng, count, self._model.phases_a_knot)

    def _weights(self, wander: Wander, first: float) -> FloatArray:
        """Return the weights (N, R, L) of examples in parts of the body, from a phase on."""
        weights = wander.at(first + np.arange(self.aligned.phase_count, dtype=np.float64))
        return bounded(localised(weights, self.aligned.shapes.region_count))

    @cached_property
    def _pattern(self) -> Pattern:
        return Pattern.mean_of(features(self.examples), self.aligned.warps)

    @cached_property
    def _model(self) -> Model:
        """Return how all numbers (C + 1,) deviate, and the rest that no example explains."""
        shapes, spread = self.aligned.shapes, self.examples.encoding.spread
        least = np.full(len(shapes.regions), LEAST_REST_POINT**2)
        least[: len(spread)] = (LEAST_REST * spread) ** 2
        least[-1] = LEAST_REST_PACE**2
        knot = WANDER_SHARE * (self.aligned.phase_count - 1)
        model = Model(shapes.deviations, least, shapes.regions, shapes.region_count, knot)
        return model._replace(rest=rest_of(shapes.curves, model))

    @cached_property
    def _highest_peaks(self) -> FloatArray:
        return highest_peaks(self.examples)

    @cached_property
    def _slides_shown(self) -> Slides:
        return slides_shown(self.examples)

    def _calm(self, trials: Iterable[Drawn]) -> Drawn:
        """Return the first motion that is hardly sharper than the examples, or the least sharp of all."""
        best, least = None, np.inf
        for drawn in trials:
            sharp = sharpness(drawn.values, self.examples.encoding, self._highest_peaks)
            if best is None or sharp < least:
                best, least = drawn, sharp
            if sharp <= MOST_SHARPER:
                break
        assert best is not None
        return best

    def _performed(self, clip: RegisteredClip, mixed: FloatArray, mean: FloatArray) -> Drawn:
        """Return a motion of a shape and pace (N, C + 1), from its first phase to its last, in whole frames."""
        warp = frames_of(mixed[:, -1])
        frames = max(1, round(warp[-1]))
        return self._at(clip, mixed, mean, warp * (frames / warp[-1]), np.arange(frames + 1, dtype=np.float64))

    def _at(
        self,
        clip: RegisteredClip,
        mixed: FloatArray,
        mean: FloatArray,
        warp: FloatArray,
        frames: FloatArray,
        *,
        goes_on: bool = False,
    ) -> Drawn:
        """Return a motion's frames, made of a shape (N, C + 1), a warp (N,) and a clip's fine structure.

        goes_on: whether other pieces come before and after.
        """
        phases = phases_at(warp, frames)
        values, means = self._played(clip, mixed, mean, warp, phases, goes_on=goes_on)
        return self._footed(values, means, clip.planted[clip.nearest(phases)], goes_on=goes_on)

    def _played(
        self,
        clip: RegisteredClip,
        mixed: FloatArray,
        mean: FloatArray,
        warp: FloatArray,
        phases: FloatArray,
        *,
        goes_on: bool = False,
    ) -> tuple[FloatArray, FloatArray]:
        rates = np.interp(phases, np.arange(len(warp)), log_rates_of(warp))
        values, means = (clip.played(phases, rates, shape[:, :-1], goes_on=goes_on) for shape in (mixed, mean))
        return values, means

    def _footed(self, values: FloatArray, means: FloatArray, planted: BoolArray, *, goes_on: bool) -> Drawn:
        """Turn numbers of joints and points (F, C) into a motion whose root gives way, so that feet stay."""
        encoding, points = self.examples.encoding, self.aligned.points
        own, wanted = values[:, : encoding.count], values[:, encoding.count :]
        slides = slides_of(wanted, planted, encoding, self._slides_shown)
        own = footed(own, wanted, planted, encoding, points, goes_on=goes_on)
        return Drawn(own, means[:, : encoding.count], planted, slides)


def features(examples: Examples) -> list[Any]:
    """Return the features by which examples are laid over each other."""
    spread = examples.encoding.spread
    return [features_of(v, spread, planted) for v, planted in zip(examples.values, examples.planted, strict=True)]


def learn_registered(
    examples: Examples, *, held: BoolArray | None = None, progress: Progress | None = None
) -> RegisteredSampler:
    """Lay examples over each other in time.

    held: which of the numbers (D,) never vary; None: all vary.
    progress: called with the name of the work and the share done; may raise to interrupt.
    """
    held = np.zeros(examples.encoding.count, dtype=bool) if held is None else held
    if held.shape != (examples.encoding.count,):
        raise InvalidInput(f"held must be of shape ({examples.encoding.count},), not {held.shape}")
    tell = (lambda share: progress("laying motions over each other", share)) if progress else None
    return RegisteredSampler(AlignedExamples(examples, register(features(examples), tell)), held)
