"""Numbers whose parents are known: oscillators that drive others through bent curves, with a little chance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.geometry import BoolArray, FloatArray

DRIVERS, DRIVEN = 5, 7
SETTLING = 20  # frames before a sequence is looked at
KEPT = 0.35  # share of its value that a driven number keeps from frame to frame


class Planted(NamedTuple):
    """Scaled sequences, and which number (n, n) truly goes by which."""

    sequences: list[FloatArray]
    edges: BoolArray


def planted(seed: int, *, sequences: int = 12, frames: int = 40, chance: float = 0.12) -> Planted:
    """Return sequences of five free oscillators and seven numbers that each go by one or two of them."""
    rng = np.random.default_rng(seed)
    count = DRIVERS + DRIVEN
    pairs = [(a, b) for a in range(DRIVERS) for b in range(a)]
    chosen = [pairs[index] for index in rng.permutation(len(pairs))[:DRIVEN]]
    parents = {DRIVERS + number: pair[: 1 + number % 2] for number, pair in enumerate(chosen)}
    paces = rng.permutation(np.linspace(0.08, 0.2, DRIVERS))
    gains = rng.uniform(1.0, 1.5, (count, 2)) * rng.choice([-1.0, 1.0], (count, 2))
    middles = rng.uniform(-0.3, 0.3, (count, 2))
    found = []
    for _ in range(sequences):
        values = np.zeros((SETTLING + frames, count))
        turns = rng.uniform(0.0, 2.0 * np.pi, DRIVERS) + np.arange(len(values))[:, None] * paces
        values[:, :DRIVERS] = np.sin(turns) + 0.3 * np.sin(2.0 * turns)
        for frame in range(1, len(values)):
            before = values[frame - 1]
            for node, drivers in parents.items():
                goal = sum(np.tanh(gains[node, m] * (before[j] - middles[node, m])) for m, j in enumerate(drivers))
                values[frame, node] = KEPT * before[node] + (1.0 - KEPT) * goal + chance * rng.standard_normal()
        found.append(values[SETTLING:])
    edges = np.zeros((count, count), np.bool_)
    for node, drivers in parents.items():
        edges[node, list(drivers)] = True
    spread = np.concatenate(found).std(axis=0)
    return Planted([values / spread for values in found], edges)
