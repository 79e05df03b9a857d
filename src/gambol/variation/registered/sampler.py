"""The preset `registered`: examples laid over each other in time; new motions vary about their mean as they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from gambol.errors import InvalidInput
from gambol.geometry.arrays import frozen_array
from gambol.variation.examples import Example, Examples
from gambol.variation.model import Drawn
from gambol.variation.registered.chance import Wander
from gambol.variation.registered.curves import by_phase, paced, smooth, speeds_of
from gambol.variation.registered.registration import features_of, register
from gambol.variation.registered.warp import frames_of, log_rates_of, phases_at

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Progress = Callable[[str, float], None]
WANDER_SHARE = 1.0  # of a motion's length: over which a new motion takes after the same examples
LARGEST_WEIGHT = 1.8  # of an example's deviation, in standard deviations


@dataclass(frozen=True, eq=False)
class RegisteredSampler:
    """Examples by phase: N + 1 phases from beginning to end."""

    examples: Examples
    warps: FloatArray  # (L, N + 1) frame of each example at each phase
    held: BoolArray  # (D,) numbers that are never varied

    def __post_init__(self) -> None:
        object.__setattr__(self, "held", frozen_array(self.held, np.bool_))
        object.__setattr__(self, "warps", frozen_array(self.warps))
        speeds = speeds_of(self.examples.encoding)
        curves = np.stack([by_phase(v, w, speeds) for v, w in zip(self.examples.values, self.warps, strict=True)])
        smooths = np.stack([smooth(curve) for curve in curves])
        rates = np.stack([log_rates_of(warp) for warp in self.warps])
        set_field = object.__setattr__
        set_field(self, "_speeds", speeds)
        set_field(self, "_smooths", smooths)
        set_field(self, "_details", curves - smooths)
        set_field(self, "_mean", smooths.mean(axis=0))
        set_field(self, "_rates", rates)
        set_field(self, "_mean_rate", rates.mean(axis=0))

    @property
    def phase_count(self) -> int:
        return self.warps.shape[1]

    def draw(self, rng: np.random.Generator, *, amount: float) -> Drawn:
        base = int(rng.integers(self.examples.count))
        wander = Wander(rng, self.examples.count, WANDER_SHARE * (self.phase_count - 1))
        weights = self._weights(wander, np.arange(self.phase_count), amount)
        return self._timed(base, weights)

    def stream(self, rng: np.random.Generator, *, amount: float) -> Iterator[Drawn]:
        wander = Wander(rng, self.examples.count, WANDER_SHARE * (self.phase_count - 1))
        start = 0
        while True:
            base = int(rng.integers(self.examples.count))
            phases = start + np.arange(self.phase_count)
            drawn = self._timed(base, self._weights(wander, phases, amount))
            yield Drawn(*(part[:-1] for part in drawn))
            start += self.phase_count - 1

    def from_clip(self, example: Example, rng: np.random.Generator, *, amount: float) -> Drawn:
        raise NotImplementedError

    def given(self, fixed: FloatArray, held: BoolArray, rng: np.random.Generator, *, amount: float) -> Drawn:
        raise NotImplementedError

    def log_likelihood(self, values: FloatArray) -> float:
        raise NotImplementedError

    def as_arrays(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        return {"warps": self.warps, "held": self.held}, {}

    @classmethod
    def from_arrays(
        cls, examples: Examples, arrays: dict[str, np.ndarray], values: dict[str, Any]
    ) -> RegisteredSampler:
        return cls(examples, arrays["warps"], arrays["held"])

    def _weights(self, wander: Wander, phases: FloatArray, amount: float) -> FloatArray:
        """Return how much a new motion takes after each example (N, L), by phase."""
        count = max(1, self.examples.count - 1)
        drawn = wander.at(np.asarray(phases, dtype=np.float64))
        bounded = LARGEST_WEIGHT * np.tanh(drawn / LARGEST_WEIGHT)
        return amount * bounded / np.sqrt(count)

    def _timed(self, base: int, weights: FloatArray) -> Drawn:
        """Return a motion that takes after the examples by weights (N, L), with the fine structure of one."""
        values = self._mean + np.einsum("nl,lnd->nd", weights, self._smooths - self._mean) + self._details[base]
        means = self._mean + self._details[base]
        rates = self._mean_rate + np.einsum("nl,ln->n", weights, self._rates - self._mean_rate)
        at = frames_of(rates)
        frames = max(1, round(at[-1]))
        warp = at * (frames / at[-1])
        phases = phases_at(warp, np.arange(frames + 1, dtype=np.float64))
        rate = log_rates_of(warp)
        grid = np.arange(self.phase_count)
        new, mean = (CubicSpline(grid, paced(v, -rate, self._speeds))(phases) for v in (values, means))
        at_base = CubicSpline(grid, self.warps[base])(phases)
        planted = self.examples.planted[base]
        return Drawn(new, mean, planted[np.clip(np.round(at_base), 0, len(planted) - 1).astype(np.intp)])


def learn_registered(
    examples: Examples, *, held: BoolArray | None = None, progress: Progress | None = None
) -> RegisteredSampler:
    """Lay examples over each other in time.

    held: which of the numbers (D,) are never varied; None: all are.
    progress: told what is being done; may raise to interrupt.
    """
    held = np.zeros(examples.encoding.count, dtype=bool) if held is None else held
    if held.shape != (examples.encoding.count,):
        raise InvalidInput(f"held must be of shape ({examples.encoding.count},), not {held.shape}")
    features = [
        features_of(values, examples.encoding.spread, planted)
        for values, planted in zip(examples.values, examples.planted, strict=True)
    ]
    warps = register(features, (lambda share: progress("laying motions over each other", share)) if progress else None)
    return RegisteredSampler(examples, warps, held)
