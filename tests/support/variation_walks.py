"""Walk cycles that need no captures: an authored one, bent a little differently each time, and slower or faster."""

from __future__ import annotations

import numpy as np
from tools.authoring.walk import walk

from gambol.motion import edits
from gambol.variation import Example, Examples, cut_example, encoding_of, gather
from gambol.variation.encoding import ROOT_COUNT

BEND = 0.25  # of a number's own spread: the deviation of what a cycle is bent by
PACE = 0.05  # the most that a cycle is slower or faster by


def walks(count: int, *, seed: int = 0, bend: float = BEND) -> list[Example]:
    """Return cycles, each with a smooth bend of its own that is alike at both ends."""
    rng = np.random.default_rng(seed)
    plain = walk(strides=3)
    found = []
    for number in range(count):
        stride = round((plain.frame_count - 1) / 3 * rng.uniform(1.0 - PACE, 1.0 + PACE))
        motion = edits.sample(plain, np.linspace(0.0, plain.frame_count - 1, 3 * stride + 1))
        encoding = encoding_of([motion], root="travelling")
        values = encoding.encode(motion)
        turns = 2.0 * np.pi * np.arange(len(values)) / stride
        waves = np.stack([np.ones_like(turns), np.sin(turns), np.cos(turns)], axis=1)
        bent = bend * encoding.spread * (waves @ rng.normal(0.0, 0.6, (3, encoding.count)))
        bent[:, :ROOT_COUNT] = 0.0
        take = encoding.decode(values + bent)
        found.append(cut_example(f"walk {number}", take, stride, 2 * stride, rate_hz=take.rate_hz))
    return found


def walk_examples(count: int = 4, *, seed: int = 0) -> Examples:
    """Return cycles, gathered."""
    return gather(walks(count, seed=seed), cyclic=True)
