"""Ways of making motions from a few captures, each under a name, to be told from captures and from each other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import get_args

import numpy as np

from evidence.noise import PARTS, NoiseKind, adjusted_noise
from gambol.errors import InvalidInput
from gambol.variation import (
    DEFAULT_PRESET,
    PRESETS,
    Change,
    Drawn,
    Example,
    NetworkSampler,
    Variant,
    VariationModel,
    change_of,
    gather,
    learn,
)
from gambol.variation.network.sampler import in_manner

REAL = "real"
FREE = "feet free"  # after a preset's name: without constraints
COMPARED = 15  # variants of the default preset, whose change noise is adjusted to
#: How noises are called in results.
NOISE_NAMES: dict[str, NoiseKind] = {"naive noise": get_args(NoiseKind)[0], "Perlin noise": get_args(NoiseKind)[1]}
NOISES = tuple(f"{name}, {part}" for name in NOISE_NAMES for part in PARTS)
FREE_DEFAULT = f"{DEFAULT_PRESET}, {FREE}"
GENERATORS = (REAL, *PRESETS, FREE_DEFAULT, *NOISES)
NOISE_TRIES = 50
NETWORKS = tuple(preset for preset in PRESETS if preset != DEFAULT_PRESET)  # minutes to learn


class Maker:
    """Makes motions from captures of one kind; what is learned from the same captures is learned once."""

    def __init__(self, *, cyclic: bool) -> None:
        self._cyclic = cyclic
        self._models: dict[tuple[str, ...], VariationModel] = {}
        self._changes: dict[tuple[str, ...], Change] = {}

    def model(self, captures: Sequence[Example], preset: str = DEFAULT_PRESET) -> VariationModel:
        """Return what is learned; the presets of the network share one that is learned once."""
        learned = NETWORKS[0] if preset in NETWORKS else preset
        names = (learned, *(capture.name for capture in captures))
        if names not in self._models:
            self._models[names] = learn(gather(captures, cyclic=self._cyclic), preset=learned)
        model = self._models[names]
        if preset == learned:
            return model
        assert isinstance(model.sampler, NetworkSampler)
        return VariationModel(preset, model.examples, in_manner(model.sampler, preset))

    def change(self, captures: Sequence[Example]) -> Change:
        """Return how much variants of the default preset differ from what they are made from."""
        names = tuple(capture.name for capture in captures)
        if names not in self._changes:
            model = self.model(captures)
            variants = [model.sample(seed).motion for seed in range(COMPARED)]
            self._changes[names] = change_of(model.examples, variants)
        return self._changes[names]

    def make(self, generator: str, captures: Sequence[Example], count: int, seed: int) -> list[Variant]:
        """Return new motions; "real" returns captures themselves."""
        if generator == REAL:
            return [Variant(capture.motion, capture.contacts, 0) for capture in captures[:count]]
        seeds = [int(one) for one in np.random.default_rng(seed).integers(2**31, size=count)]
        name, _, what = generator.partition(", ")
        if name in PRESETS:
            model = self.model(captures, name)
            return [model.sample(one, constrain=what != FREE) for one in seeds]
        model, wanted = self.model(captures), self.change(captures)
        kind = NOISE_NAMES[name]
        drawn = [_adjusted(model, kind, what, seed, wanted) for seed in seeds]
        return [model.finish(one, constrain=False) for one in drawn]


def _adjusted(model: VariationModel, kind: NoiseKind, part: str, seed: int, wanted: Change) -> Drawn:
    """Return an input with noise as large as variants' change; noise that cannot be so large is drawn again."""
    rng = np.random.default_rng(seed)
    for _ in range(NOISE_TRIES):
        with suppress(InvalidInput):
            return adjusted_noise(model.examples, kind, part, rng, wanted=wanted)
    raise InvalidInput(f"none of {NOISE_TRIES} noises on the {part} changes a motion by {wanted.rms_m * 100.0:.1f} cm")
