"""The test of inputs [L09 5.7] on captured walks: of each set the unlike have to go, and the others to stay.

A set is four walks of one person and three that were made unlike: arms raised, arms that swing twice as far, a bend.
Eight other walks are known to fit; which ones, chance decides.  It needs the captures that GAMBOL_MOCAP names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tests.support.variation_cases import captured
from tests.support.variation_unlike import turned, with_arms_raised, with_arms_swung

from evidence.soak.tally import Tally
from gambol.variation import Example, screen

#: Walks that are sound, by their numbers in the table; of the others a foot pops or the hips spike.
SOUND = (1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
KNOWN = 8
RAISED_DEG, SWUNG, BENT_DEG = 20.0, 2.0, 20.0
UNLIKE = (f"arms raised by {RAISED_DEG:g}°", f"arms that swing {SWUNG:g} times as far", f"a bend of {BENT_DEG:g}°")


@dataclass(frozen=True)
class ScreeningJob:
    """Judge set after set, by parts of the body and by the whole alone."""

    name: str = "variation-screening"
    sets: int = 16
    rounds: int = 2
    seed: int = 1

    @property
    def summary(self) -> str:
        return "captured walks with raised arms, wide swings and bends among others: the unlike go, the others stay"

    @property
    def chunk_count(self) -> int:
        return self.sets

    @property
    def facts(self) -> dict[str, Any]:
        return {"job": self.name, "inputs_planned": self.sets, "rounds": self.rounds, "seed": self.seed}

    @contextmanager
    def session(self) -> Iterator[ScreeningSession]:
        yield ScreeningSession(self, captured(Path(os.environ["GAMBOL_MOCAP"]), "walk"))


class ScreeningSession:
    """Walks that were read."""

    def __init__(self, job: ScreeningJob, cycles: list[Example]) -> None:
        self._job = job
        self._sound = [cycles[number] for number in SOUND]

    def run_chunk(self, chunk: int) -> Tally:
        """Make a set and judge it."""
        started = time.perf_counter()
        rng = np.random.default_rng((self._job.seed, chunk))
        order = rng.permutation(len(self._sound))
        known, others = ([self._sound[n] for n in some] for some in (order[:KNOWN], order[KNOWN:]))
        a, b, c = (known[n] for n in rng.permutation(KNOWN)[:3])
        side = float(rng.choice([-1.0, 1.0]))
        unlike = [with_arms_raised(a, RAISED_DEG), with_arms_swung(b, SWUNG), turned(c, side * BENT_DEG)]
        tally = Tally(inputs=1, accepted=1)  # a set of which all unlike ones go, by parts
        for way, by_parts in (("by parts", True), ("as printed", False)):
            found = screen(known, [*others, *unlike], rounds=self._job.rounds, by_parts=by_parts, cyclic=True)
            for index, one in enumerate(found.judged):
                is_unlike = index >= len(others)
                kind = UNLIKE[index - len(others)] if is_unlike else "walks as they are"
                tally.counts[f"{way}: {kind}: judged"] += 1
                tally.counts[f"{way}: {kind}: dropped"] += not one.kept
                if by_parts and one.kept == is_unlike:
                    tally.counts[f"{'not dropped' if is_unlike else 'not kept'}: {one.name}"] += 1
                    tally.accepted = 0 if is_unlike else tally.accepted
        tally.seconds = tally.slowest_s = time.perf_counter() - started
        tally.slowest_input = chunk
        return tally
