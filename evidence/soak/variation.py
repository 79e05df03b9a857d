"""Motion variation, measured on captures: told apart, ranked, repeated or not, and physically sound.

Each chunk is one way of making motions of one kind, or one kind's repetition or physical sense; what it measures is a
row of the result.  It needs the captures that GAMBOL_MOCAP names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tests.support.variation_cases import KINDS, captured

from evidence.noise import cycle_animation
from evidence.soak.tally import Tally
from evidence.soak.variation_features import Looker
from evidence.soak.variation_generators import GENERATORS, NETWORKS, REAL, Maker
from evidence.soak.variation_ranks import LEARNED, ranks
from evidence.soak.variation_told_apart import Made, Seen, Side, Takes, Trials, by_take, trials
from gambol.errors import InvalidInput
from gambol.motion import Motion, edits
from gambol.variation import (
    DEFAULT_PRESET,
    PRESETS,
    Drawn,
    Example,
    VariationModel,
    distances,
    is_varied,
    repetition,
    shape,
)
from gambol.variation.measures.physical import compare

TOLD_KINDS = ("walk", "jump")
RANKED_KINDS = ("breast stroke", "jumping jack")
RANKED = (*PRESETS, "naive noise, all joints", "Perlin noise, all joints")
#: Which captures are the four examples: those of these numbers, in the order of the table.  The first cycles of some
#: walks have a foot that pops; the strokes are those of one take.
FOUR = {"walk": (7, 9, 11, 13), "jump": (0, 1, 2, 3), "breast stroke": (10, 11, 12, 13), "jumping jack": (0, 1, 2, 3)}


class Part(NamedTuple):
    """What a chunk measures."""

    what: str  # "told apart", "ranks", "repeats", "physical"
    kind: str
    generator: str

    @property
    def name(self) -> str:
        return f"{self.what}: {self.kind}: {self.generator}"


@dataclass(frozen=True)
class VariationJob:
    """Numbers of trials are those of each way of making motions; networks, which take minutes to learn, have fewer."""

    name: str = "variation"
    trials: int = 40
    network_trials: int = 4
    draws: int = 5  # of four inputs, for ranks, from each group of cycles
    network_draws: int = 1
    variants: int = 15
    told_kinds: Sequence[str] = TOLD_KINDS
    ranked_kinds: Sequence[str] = RANKED_KINDS
    generators: Sequence[str] = GENERATORS
    kinds: Sequence[str] = tuple(KINDS)
    seed: int = 1

    @property
    def summary(self) -> str:
        return "variants and noise told from captures, by take; repeats; foot slide, ranges and accelerations"

    @property
    def parts(self) -> list[Part]:
        """Return what the chunks measure; what takes longest comes last."""
        presets = [preset for preset in PRESETS if preset in self.generators]
        ranked = [generator for generator in RANKED if generator in self.generators]
        found = [
            *(Part("told apart", kind, generator) for kind in self.told_kinds for generator in self.generators),
            *(Part("ranks", kind, generator) for kind in self.ranked_kinds for generator in ranked),
            *(Part("repeats", kind, DEFAULT_PRESET) for kind in self.kinds),
            *(Part("physical", kind, preset) for kind in self.kinds for preset in presets),
        ]
        return sorted(found, key=lambda part: part.generator in NETWORKS)

    @property
    def chunk_count(self) -> int:
        return len(self.parts)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.chunk_count, "trials": self.trials,
            "network_trials": self.network_trials, "draws": self.draws, "variants": self.variants, "seed": self.seed,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[VariationSession]:
        yield VariationSession(self, Path(os.environ["GAMBOL_MOCAP"]))


class VariationSession:
    """Captures that were read, and what was learned from them."""

    def __init__(self, job: VariationJob, mocap: Path) -> None:
        self._job, self._mocap = job, mocap
        self._captures: dict[str, list[Example]] = {}
        self._makers: dict[str, Maker] = {}

    def run_chunk(self, chunk: int) -> Tally:
        begun = time.monotonic()
        part = self._job.parts[chunk]
        measure = {
            "told apart": self._told_apart, "ranks": self._ranks, "repeats": self._repeats, "physical": self._physical,
        }[part.what]  # fmt: skip
        row, broken = measure(part)
        failure = {"input": chunk, "error": "NotAsAsked", "message": broken, "recipe": part.name}
        took = time.monotonic() - begun
        return Tally(
            inputs=1, accepted=0 if broken else 1, failures=[failure] if broken else [],
            slowest_s=took, slowest_input=chunk, seconds=took, rows={part.name: row},
        )  # fmt: skip

    def _of(self, kind: str) -> tuple[list[Example], Maker]:
        if kind not in self._captures:
            self._captures[kind] = captured(self._mocap, kind)
            self._makers[kind] = Maker(cyclic=KINDS[kind][1])
        return self._captures[kind], self._makers[kind]

    def _told_apart(self, part: Part) -> tuple[dict[str, Any], str]:
        captures, maker = self._of(part.kind)
        takes = by_take(captures)
        seen = Seen(Looker.over([capture.motion for capture in captures]))
        found = Trials()
        kept: dict[Side, Made] = {}
        count = self._job.network_trials if part.generator in NETWORKS else self._job.trials
        for trial in trials(takes, count, self._job.seed):
            for side in trial:
                if side in kept:
                    continue
                try:
                    kept[side] = _made(maker, part.generator, takes, side, self._job.seed * 10_000 + len(kept))
                except InvalidInput as error:  # noise on a limb alone may not change a motion as much as variants do
                    return {"impossible": str(error)}, ""
            found.add(trial, takes, [kept[side] for side in trial], seen)
        return {"trials": count, "takes": takes.count, "captures": len(captures), **found.summary()}, ""

    def _ranks(self, part: Part) -> tuple[dict[str, Any], str]:
        captures, maker = self._of(part.kind)
        groups = [list(cycles) for cycles in by_take(captures).cycles]
        if min(len(group) for group in groups) <= LEARNED:
            groups = [captures]
        draws = self._job.network_draws if part.generator in NETWORKS else self._job.draws
        return ranks(maker, part.generator, groups, draws=draws, made=self._job.variants, seed=self._job.seed), ""

    def _repeats(self, part: Part) -> tuple[dict[str, Any], str]:
        model = self._model(part)
        inputs = [shape(item.motion) for item in model.examples.items]
        variants = [shape(model.sample(seed).motion) for seed in range(self._job.variants)]
        rng = np.random.default_rng(self._job.seed)
        repeated = cycle_animation(model.examples, rng, count=self._job.variants).cycles()
        found = {
            "inputs": repetition(inputs),
            "variants": repetition(variants),
            "cycle animation": repetition([shape(cycle) for cycle in repeated]),
        }
        if model.examples.cyclic:
            found["endless"] = repetition([shape(cycle) for cycle in endless(model, self._job.variants, rng)])
        row: dict[str, Any] = {
            name: {"count": one.cycles, "repeats": one.repeats, "median_cm": round(100.0 * one.median_m, 3)}
            for name, one in found.items()
        }
        row["to inputs"] = {"median_cm": round(100.0 * float(np.median(distances(variants, inputs).min(axis=1))), 3)}
        bad = [
            name for name in ("variants", "endless") if name in found and not is_varied(found[name], found["inputs"])
        ]
        return row, f"{' and '.join(bad)} repeat, or are less than half as far apart as inputs" if bad else ""

    def _physical(self, part: Part) -> tuple[dict[str, Any], str]:
        model = self._model(part)
        variants = [model.sample(seed) for seed in range(self._job.variants)]
        inputs = [(item.motion, item.contacts) for item in model.examples.items]
        found = compare([(one.motion, one.contacts) for one in variants], inputs, model.examples.encoding)
        broken = part.generator == DEFAULT_PRESET and not found.passes
        return found.as_dict(), found.describe() if broken else ""

    def _model(self, part: Part) -> VariationModel:
        captures, maker = self._of(part.kind)
        return maker.model([captures[at] for at in FOUR[part.kind]], part.generator)


def endless(model: VariationModel, count: int, rng: np.random.Generator) -> list[Motion]:
    """Return cycles of one endless motion."""
    pieces = list(islice(model.sampler.stream(rng, amount=1.0), count))
    ends = list(accumulate(len(piece.values) for piece in pieces))
    drawn = Drawn(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))
    motion = model.finish(drawn).motion
    return [edits.cut(motion, first, last - 1) for first, last in zip([0, *ends[:-1]], ends, strict=True)]


def _made(maker: Maker, generator: str, takes: Takes, side: Side, seed: int) -> Made:
    """Return as many motions as captures are learned from, with the takes that each comes from."""
    captures = takes.motions(side.learned)
    of = tuple(take for take, _ in side.learned)
    made = maker.make(generator, captures, len(captures), seed)
    if generator == REAL:
        return [((take,), one.motion) for take, one in zip(of, made, strict=True)]
    return [(of, one.motion) for one in made]


def variation_jobs() -> list[VariationJob]:
    """Return the job, where there are captures."""
    return [VariationJob()] if os.environ.get("GAMBOL_MOCAP") else []
