"""Whether unseen captures rank among new motions as any of these would: for kinds with few takes, cycle by cycle.

Four cycles of one person are learned from; another one is put among the motions that were made from them.  By each of
some measures, the share of these that lie below it is its rank: one half on average if nothing tells them apart.
Cycles are the sample, and Wilcoxon's signed-rank test asks whether their mean ranks lie about one half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import wilcoxon

from evidence.soak.variation_generators import Maker
from gambol.errors import InvalidInput
from gambol.motion import Motion
from gambol.variation import Example, distances, shape
from gambol.variation.measures.distances import from_root

FloatArray = NDArray[np.float64]
LEARNED = 4
MEASURES = ("distance to the nearest input", "usual acceleration", "largest acceleration", "duration")
PEAK_PERCENTILE = 99.0
BOOTSTRAPS = 2000


def ranks(
    maker: Maker, generator: str, groups: Sequence[Sequence[Example]], *, draws: int, made: int, seed: int = 0
) -> dict[str, Any]:
    """Return mean ranks of unseen captures with intervals and tests; none where nothing can be made.

    groups: cycles that are learned from together.
    """
    rng = np.random.default_rng(seed)
    found: dict[str, list[FloatArray]] = {}
    refused = 0
    for group in groups:
        for draw, order in enumerate(_orders(len(group), draws, rng)):
            inputs = [group[at] for at in sorted(order[:LEARNED])]
            inputs_seen = [shape(one.motion) for one in inputs]
            try:
                motions = [one.motion for one in maker.make(generator, inputs, made, seed * 1000 + draw)]
            except InvalidInput:  # arms that turn too far for the encoding, noise that cannot be so large
                refused += 1
                continue
            others = np.array([measures(motion, inputs_seen) for motion in motions])
            for at in order[LEARNED:]:
                own = measures(group[at].motion, inputs_seen)
                below = np.mean((others < own) + 0.5 * (others == own), axis=0)
                found.setdefault(group[at].name, []).append(below)
    if not found:
        return {"cycles": 0, "comparisons": 0, "made": made, "refused": refused}
    each = np.array([np.mean(one, axis=0) for one in found.values()])  # (cycles, measures)
    drawn = each[rng.integers(len(each), size=(BOOTSTRAPS, len(each)))].mean(axis=1)
    low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
    comparisons = sum(len(one) for one in found.values())
    result: dict[str, Any] = {"cycles": len(each), "comparisons": comparisons, "made": made, "refused": refused}
    for at, name in enumerate(MEASURES):
        off = each[:, at] - 0.5
        p = float(wilcoxon(off).pvalue) if np.any(off) else 1.0
        result[name] = {
            "rank": round(float(each[:, at].mean()), 3),
            "interval": [round(float(low[at]), 3), round(float(high[at]), 3)],
            "p": round(p, 4),
        }
    return result


def _orders(count: int, draws: int, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """Return cycles in different orders, the learned ones first: where one is left over, it is another each time."""
    if count == LEARNED + 1:
        return [np.roll(np.arange(count), -1 - left) for left in range(min(draws, count))]
    return [rng.permutation(count) for _ in range(draws)]


def measures(motion: Motion, inputs: Sequence[FloatArray]) -> FloatArray:
    """Return what motions are ranked by: see MEASURES."""
    accelerations = np.linalg.norm(np.diff(from_root(motion), n=2, axis=0), axis=-1) * motion.rate_hz**2
    return np.array([
        distances([shape(motion)], inputs).min(), np.median(accelerations),
        np.percentile(accelerations, PEAK_PERCENTILE), motion.duration_s,
    ])  # fmt: skip
