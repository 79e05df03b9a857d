"""What the items of variation share: models that are learned once, and tables of settings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.claim import claim
from evidence.reproductions.report import Table, Value, row
from evidence.reproductions.variation_inputs import Inputs, inputs_of
from gambol.variation import DEFAULT_PRESET, NetworkSampler, Variant, VariationModel, learn
from gambol.variation.network.sampler import in_manner

VARIANTS = 15
STABLE, PAPER = "stable", "paper"
SETTING = "setting"


def learned(inputs: Inputs, preset: str = DEFAULT_PRESET) -> VariationModel:
    """Return what is learned from four inputs; both presets of the network share one that is learned once."""
    if preset == DEFAULT_PRESET:
        return _learned(inputs.kind, inputs.captured, preset)
    model = _learned(inputs.kind, inputs.captured, STABLE)
    assert isinstance(model.sampler, NetworkSampler)
    return VariationModel(preset, model.examples, in_manner(model.sampler, preset))


@cache
def _learned(kind: str, _captured: bool, preset: str) -> VariationModel:
    return learn(inputs_of(kind).gathered(), preset=preset)


def variants_of(model: VariationModel, count: int = VARIANTS) -> list[Variant]:
    """Return variants with the seeds 0, 1, …"""
    return [model.sample(seed) for seed in range(count)]


def correlation(pairs: NDArray[np.float64]) -> float:
    """Return how two columns (N, 2) go together."""
    about = pairs - pairs.mean(axis=0)
    return float(np.sum(about[:, 0] * about[:, 1]) / np.prod(np.linalg.norm(about, axis=0)))


def setting_table(ours: Sequence[tuple[str, Value, str]], *, note: str = "") -> Table:
    """Return facts of ours beside the thesis's: what it is, ours, and the claim's key."""
    rows = tuple(row(what, [value], [claim(key)]) for what, value, key in ours)
    return Table(SETTING, ("ours (the thesis's)",), rows, note)
