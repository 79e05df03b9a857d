"""From a few similar motions to a model that makes new ones: the short way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gambol.motion.motion import Motion
from gambol.variation.cuts import are_cyclic
from gambol.variation.examples import RATE_HZ, cut_example, gather
from gambol.variation.model import DEFAULT_PRESET, Progress, VariationModel, learn


def vary(
    motions: Sequence[Motion] | Mapping[str, Motion],
    *,
    cyclic: bool | None = None,
    preset: str = DEFAULT_PRESET,
    rate_hz: float = RATE_HZ,
    seed: int = 0,
    held: Sequence[str] = (),
    progress: Progress | None = None,
) -> VariationModel:
    """Learn how similar motions of one skeleton differ; `vary(motions).sample(seed=7).motion` is a new one.

    motions: two or more, by name or in a list.
    cyclic: whether each motion ends where another may begin; None: whether they look so.
    rate_hz: frames a second to learn and make.
    preset, seed, held, progress: see `learn`.
    """
    named = motions if isinstance(motions, Mapping) else {str(n): motion for n, motion in enumerate(motions, start=1)}
    items = [cut_example(name, motion, rate_hz=rate_hz) for name, motion in named.items()]
    examples = gather(items, cyclic=are_cyclic(items) if cyclic is None else cyclic)
    return learn(examples, preset=preset, seed=seed, held=held, progress=progress)
