"""What a model knows of some of its examples: the same structure, less data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gambol.errors import InvalidInput
from gambol.variation.examples import Examples
from gambol.variation.model import VariationModel, restored


def narrowed(model: VariationModel, kept: Sequence[int]) -> VariationModel:
    """Return a model that has seen only some examples, but for what it learned about which numbers go together."""
    examples, numbers = model.examples, list(kept)
    if not numbers or len(set(numbers)) != len(numbers) or not 0 <= min(numbers) <= max(numbers) < examples.count:
        raise InvalidInput(f"some of {examples.count} examples expected, each once, not {numbers}")
    fewer = Examples(
        tuple(examples.items[number] for number in numbers), examples.encoding,
        tuple(examples.values[number] for number in numbers), examples.cyclic,
    )  # fmt: skip
    arrays, values = model.sampler.as_arrays()
    if model.preset == "registered":
        arrays = {**arrays, "warps": arrays["warps"][numbers]}
    return replace(model, examples=fewer, sampler=restored(model.preset, fewer, arrays, values))
