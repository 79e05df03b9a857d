"""What each part of the search over stances is for: each is switched off in turn, on scenes of all kinds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from evidence.reproductions.climb_carriage import Carriage, mean_of
from evidence.reproductions.climb_switches import CASES, switched_off
from evidence.soak.climb_apart import Apart, apart
from evidence.soak.climb_seeds import problem_in, warm_up
from evidence.soak.tally import Tally
from gambol.climb import HEURISTICS, FoundPath, Mode, StancesCore
from gambol.search import Outcome

SCENES = ("climb-flat", "climb-steps", "climb-tunnel", "climb-wall", "climb-bars", "climb-fork")


@dataclass(frozen=True)
class ClimbAblationJob:
    """Each chunk is a scene with one part switched off, all its seeds; a row of the result.  Paths are as planned."""

    name: str = "climb-ablation"
    seeds: int = 4
    max_stances: int = 1000
    limit_s: float = 60.0  # an outer limit: by changes of grasp results do not depend on what else runs
    scenes: Sequence[str] = SCENES
    cases: Sequence[str] = CASES
    in_this_process: bool = False

    @property
    def summary(self) -> str:
        return "each heuristic of comfort and each preference of the machine switched off in turn, and what it changes"

    @property
    def chunk_count(self) -> int:
        return len(self.cases) * len(self.scenes)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.chunk_count * self.seeds, "seeds": self.seeds,
            "scenes": list(self.scenes), "cases": list(self.cases), "max_stances": self.max_stances,
            "limit_s": self.limit_s,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[Apart]:
        with apart(self.run_chunk, in_this_process=self.in_this_process) as session:
            yield session

    def run_chunk(self, chunk: int) -> Tally:
        case, scene = self.cases[chunk // len(self.scenes)], self.scenes[chunk % len(self.scenes)]
        warm_up()
        begun = time.perf_counter()
        problem = replace(problem_in(scene), max_stances=self.max_stances, time_limit_s=self.limit_s)
        climbs: list[FoundPath] = []
        with switched_off(case) as usage:
            core = StancesCore(usage=usage)
            climbs.extend(core.search(replace(problem, seed=seed)) for seed in range(self.seeds))
        # Measured with everything switched on again.
        paths = [one.path for one in climbs if one.outcome == Outcome.FOUND]
        carriages = [Carriage(problem, path) for path in paths if path is not None]
        row = {
            "seeds": self.seeds,
            "found": len(carriages),
            "tries": mean_of([one.statistics.get("tries", 0) for one in climbs], 0),
            "discomfort": mean_of([one.discomfort for one in carriages]),
            **{measure: _mean(carriages, measure) for measure in ("lean", "arm_swing", "counter_swing")},
            "stride_m": mean_of([float(one.strides.mean()) for one in carriages if len(one.strides)]),
            "hand_span_m": mean_of([float(one.hand_spans.mean()) for one in carriages if len(one.hand_spans)]),
            "modes": {mode.label: mean_of([one.mode_shares[mode.label] for one in carriages]) for mode in Mode},
            "heuristics": {name: _heuristic(carriages, name) for name in HEURISTICS},
        }
        took = time.perf_counter() - begun
        return Tally(
            inputs=self.seeds, accepted=len(carriages), seconds=took, slowest_s=took, slowest_input=chunk,
            rows={f"{case}, {scene}": row},
        )  # fmt: skip


def _mean(carriages: Sequence[Carriage], measure: str) -> float | None:
    return mean_of([getattr(one, measure) for one in carriages])


def _heuristic(carriages: Sequence[Carriage], name: str) -> float | None:
    return mean_of([value for one in carriages if (value := one.heuristics[name]) is not None])
