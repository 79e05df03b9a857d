"""Narrow a model to some of its examples: the same structure, less data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gambol.errors import InvalidInput
from gambol.variation.model import VariationModel, restored


def narrowed(model: VariationModel, kept: Sequence[int]) -> VariationModel:
    """Return a model of only some of the examples, which keeps what it learned about numbers that go together."""
    examples, numbers = model.examples, list(kept)
    if not numbers or len(set(numbers)) != len(numbers) or not 0 <= min(numbers) <= max(numbers) < examples.count:
        raise InvalidInput(f"some of {examples.count} examples expected, each once, not {numbers}")
    items, values = (tuple(column[number] for number in numbers) for column in (examples.items, examples.values))
    fewer = replace(examples, items=items, values=values)
    arrays, plain = model.sampler.as_arrays()
    if model.preset == "registered":
        arrays = {**arrays, "warps": arrays["warps"][numbers]}
    return replace(model, examples=fewer, sampler=restored(model.preset, fewer, arrays, plain))
