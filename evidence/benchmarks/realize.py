"""Realizing a long sequence of the built-in human, with blends made beforehand and without."""

from __future__ import annotations

import time

import numpy as np

from evidence.benchmarks.timing import Row, median_seconds
from gambol.animate import Blends, realize
from gambol.characters import Character, Step, include_blending, load_character, place_steps

STEPS = 300


def run() -> list[Row]:
    human = load_character("human")
    steps = _random_steps(human)
    blends = Blends.of(human)
    frames = realize(human, steps, blends=blends).frame_count
    before = median_seconds(lambda: realize(human, steps, blends=blends), runs=21)
    now = median_seconds(lambda: realize(human, steps), runs=5)
    pairs = len(blends.pairs)
    start = time.perf_counter()
    Blends.of(human)
    blending = time.perf_counter() - start
    start = time.perf_counter()
    include_blending(human)
    sweeping = time.perf_counter() - start
    return [
        Row(
            f"realizing {STEPS} steps, {frames:,} poses of {human.skeleton.joint_count} joints, one core",
            f"{before / frames * 1e6:.2f} µs a pose (blends made beforehand)",
            f"{now / frames * 1e6:.2f} µs a pose (blends made on the way)",
            f"{now / before:.1f}",
        ),
        Row(
            f"all {pairs:,} blends of the human, {blends.joins.rotations.nbytes / 2**20:.0f} MiB",
            f"{blending:.2f} s",
            f"{sweeping:.2f} s (and grow the swept shapes)",
            f"{sweeping / blending:.1f}",
        ),
    ]


def _random_steps(human: Character) -> tuple[Step, ...]:
    rng = np.random.default_rng(0)
    names = ["stand"]
    while len(names) < STEPS:
        names.append(str(rng.choice(human.successors(names[-1]))))
    return place_steps(human, names, seed=0)
