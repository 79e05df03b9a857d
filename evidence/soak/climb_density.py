"""Many times the grasp points: whether the figure keeps its stride and reach, and what it costs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evidence.reproductions.climb_carriage import Carriage, mean_of, spread_of
from evidence.reproductions.climb_density import denser
from evidence.soak.climb_apart import Apart, apart
from evidence.soak.climb_seeds import warm_up
from evidence.soak.tally import Tally
from gambol.climb import Mode
from gambol.climb.stances.machine import CLIMB_REACH_M, HAND_SPAN_M, STRIDE_M
from gambol.search import Outcome
from gambol.stages import Climber

SCENES = ("climb-flat", "climb-wall", "climb-bars")
TIMES = (1, 2, 5, 10)
MOST_OFF = 0.25  # of the preferred stride


@dataclass(frozen=True)
class ClimbDensityJob:
    """Each chunk is a scene at a density, all its seeds; a row of the result."""

    name: str = "climb-density"
    seeds: int = 5
    limit_s: float = 60.0
    scenes: Sequence[str] = SCENES
    times: Sequence[int] = TIMES
    in_this_process: bool = False

    @property
    def summary(self) -> str:
        return "up to ten times the grasp points: strides stay within a quarter of the preferred one"

    @property
    def chunk_count(self) -> int:
        return len(self.scenes) * len(self.times)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.chunk_count * self.seeds, "seeds": self.seeds,
            "scenes": list(self.scenes), "times": list(self.times), "limit_s": self.limit_s,
            "preferred": {"stride_m": STRIDE_M, "hand_span_m": HAND_SPAN_M, "climb_reach_m": CLIMB_REACH_M},
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[Apart]:
        with apart(self.run_chunk, in_this_process=self.in_this_process) as session:
            yield session

    def run_chunk(self, chunk: int) -> Tally:
        scene, times = self.scenes[chunk // len(self.times)], self.times[chunk % len(self.times)]
        warm_up()
        begun = time.perf_counter()
        problem = replace(denser(scene, times), time_limit_s=self.limit_s)
        climbs = [Climber().solve(replace(problem, seed=seed)) for seed in range(self.seeds)]
        carriages = [
            Carriage(problem, one.planned) for one in climbs if one.outcome == Outcome.FOUND and one.planned is not None
        ]
        row = {
            "points": len(problem.environment.grasp_points),
            "seeds": self.seeds,
            "found": len(carriages),
            "plan_s": spread_of([one.plan_time_s for one in climbs]),
            "tries": spread_of([one.statistics.get("tries", 0) for one in climbs], 0),
            "stride_m": _mean_of_all([one.strides for one in carriages]),
            "hand_span_m": _mean_of_all([one.hand_spans for one in carriages]),
            "climb_reach_m": _mean_of_all([one.reaches(Mode.CLIMB) for one in carriages]),
        }
        took = time.perf_counter() - begun
        broken = shortcomings(row)
        failure = {"input": chunk, "error": "Stride", "message": "; ".join(broken), "recipe": f"{scene}, {times} times"}
        return Tally(
            inputs=self.seeds, accepted=len(carriages), failures=[failure] if broken else [], seconds=took,
            slowest_s=took, slowest_input=chunk, rows={f"{scene}, {times:02d}": row},
        )  # fmt: skip


def shortcomings(row: dict[str, Any]) -> list[str]:
    """Return what a row falls short of."""
    broken = []
    if row["found"] < row["seeds"]:
        broken.append(f"{row['found']} of {row['seeds']} found")
    stride = row["stride_m"]
    if stride is not None and abs(stride / STRIDE_M - 1.0) > MOST_OFF:
        broken.append(f"strides of {stride:.2f} m where {STRIDE_M:g} m are preferred")
    return broken


def _mean_of_all(values: Sequence[Any]) -> float | None:
    return mean_of(np.concatenate(values)) if values else None
