"""Networks of variation: how long they take to learn and to unroll, beside L09's, and beside what it says does worse.

Captured swimming where GAMBOL_MOCAP says where it is, else authored walks.  Times are the processor's.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
from tests.support.variation_cases import KINDS, captured
from tests.support.variation_walks import walks

from evidence.benchmarks.timing import Row
from gambol.variation import Examples, NetworkSampler, Regression, gather, learn_network
from gambol.variation.network.comparison import KINDS as MODELS
from gambol.variation.network.comparison import fit
from gambol.variation.network.sampler import in_manner
from gambol.variation.network.transition_search import folds_of

THESIS_LEARNING_S = (1800.0, 7200.0)  # half an hour to two hours [L09 5.6.2]
THESIS_REAL_TIME = 5.0  # 200 ms a second of motion
EXAMPLES = 4
DRAWS = 15


def run() -> list[Row]:
    swims, cycles = _examples("breast stroke"), _examples("walk")
    for some in (swims, cycles):  # compile
        learn_network(some, held=np.arange(some.encoding.count) > 0)
    rows = []
    samplers = {}
    for what, some in (("breast strokes", swims), ("walks", cycles)):
        start = time.process_time()
        samplers[what] = learn_network(some, preset="stable")
        taken = time.process_time() - start
        frames = sum(len(values) for values in some.values)
        rows.append(
            Row(
                f"learn a network: {some.count} {what}, {some.encoding.count} degrees of freedom, {frames} frames",
                f"{taken:.0f} s on two cores together",
                "30 to 120 min (L09, 2009)",
                f"{THESIS_LEARNING_S[0] / taken:.0f} to {THESIS_LEARNING_S[1] / taken:.0f}",
            )
        )
    for preset in ("paper", "stable"):
        for what, sampler in samplers.items():
            speed = _real_time(in_manner(sampler, preset))
            rows.append(
                Row(
                    f"unroll {what}, preset {preset}",
                    f"{speed:.0f} times real time",
                    f"{THESIS_REAL_TIME:.0f} times (L09)",
                    f"{speed / THESIS_REAL_TIME:.0f}",
                )
            )
    return rows + [row for what, sampler in samplers.items() for row in _orders(what, sampler)]


def _examples(kind: str) -> Examples:
    folder = os.environ.get("GAMBOL_MOCAP")
    if folder is None:
        return gather(walks(EXAMPLES), cyclic=True)
    found = captured(Path(folder), kind)
    return gather(found[6:14:2] if kind == "walk" else found[:EXAMPLES], cyclic=KINDS[kind][1])


def _real_time(sampler: NetworkSampler) -> float:
    """Return how many seconds of motion are made in one."""
    sampler.draw(np.random.default_rng(0), amount=1.0)
    start = time.process_time()
    frames = sum(len(sampler.draw(np.random.default_rng(seed), amount=1.0).values) for seed in range(DRAWS))
    return frames / sampler.examples.rate_hz / (time.process_time() - start)


def _orders(what: str, sampler: NetworkSampler) -> list[Row]:
    """Return how far left-out sequences are missed, by second order and kernels, and by the others."""
    scaled = [values / sampler.examples.encoding.spread for values in sampler.examples.values]
    folds = folds_of(scaled, Regression())
    fits = {kind: fit(kind, sampler.network.transition, folds, Regression()) for kind in MODELS}
    ours = fits["network"]
    return [
        Row(
            f"re-synthesise {what} left out, against {kind}",
            f"off by {ours.error:.2f} spreads, log-likelihood {ours.log_likelihood:.0f}",
            f"{fits[kind].error:.2f}, {fits[kind].log_likelihood:.0f} ({kind})",
            f"{fits[kind].error / ours.error:.1f}",
            "a frame and number; same parents",
        )
        for kind in MODELS
        if kind != "network"
    ]
