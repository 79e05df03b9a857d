"""How a crowd flows on an open plaza, from nearly empty to half a person a square metre."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.character.builtin import builtin_character
from gambol.character.character import Character
from gambol.crowd.crowd import Crowd
from gambol.crowd.errand import Errand
from gambol.crowd.judge import judge
from gambol.world.world import World
from soak.crowd_verdict import Verdict
from soak.crowd_watch import Watch
from soak.tally import Tally

DENSITIES = (0.03, 0.05, 0.1, 0.15, 0.25, 0.35, 0.5)  # characters a square metre
ALONE = "alone"
EDGE_M = 1.0  # where nobody starts or is sent


@dataclass(frozen=True)
class DensityJob:
    """Each density is a row, and so is one character alone, whose speed is unhindered."""

    name: str = "crowd-density"
    densities: Sequence[float] = DENSITIES
    side_m: float = 40.0
    seconds: float = 120.0
    settling_s: float = 20.0  # at the beginning, when speeds do not count
    judged_s: float = 30.0  # at the end
    seed: int = 1

    @property
    def summary(self) -> str:
        return f"wandering at {len(self.densities)} densities on {self.side_m:g} x {self.side_m:g} m: speeds and stands"

    @property
    def chunk_count(self) -> int:
        return len(self.densities) + 1

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.chunk_count, "densities": list(self.densities),
            "side_m": self.side_m, "seconds": self.seconds, "settling_s": self.settling_s, "judged_s": self.judged_s,
            "seed": self.seed,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[DensitySession]:
        yield DensitySession(self, builtin_character("human").subset("crowd"))


@dataclass
class DensitySession:
    """Runs one density after another."""

    job: DensityJob
    human: Character

    def run_chunk(self, chunk: int) -> Tally:
        density = None if chunk == 0 else self.job.densities[chunk - 1]
        begun = time.perf_counter()
        row, verdict = self._run(density)
        took = time.perf_counter() - begun
        name = ALONE if density is None else f"{density:.2f}"
        return Tally(
            inputs=1, accepted=0 if verdict.wrong else 1, failures=verdict.failures(chunk, name), slowest_s=took,
            slowest_input=chunk, seconds=took, rows={name: row},
        )  # fmt: skip

    def _run(self, density: float | None) -> tuple[dict[str, Any], Verdict]:
        job = self.job
        world = World((0.0, 0.0, job.side_m, job.side_m))
        crowd = Crowd(world, [self.human], seed=job.seed)
        count = 1 if density is None else round(density * job.side_m**2)
        _fill(crowd, count, job.side_m, job.seed)
        rate = crowd.rate_hz
        frames = round(job.seconds * rate)
        watch = Watch(crowd, most=count, frames=frames, settling_frames=round(job.settling_s * rate))
        settled = 0
        while crowd.frame < frames:
            watch.step()
            if crowd.frame == watch.settling_frames:
                settled = crowd.statistics.arrivals
        arrivals = crowd.statistics.arrivals - settled
        report = judge(crowd.recording(), world, from_s=job.seconds - job.judged_s)
        verdict = Verdict.of(report, (), rate)
        minutes = (job.seconds - job.settling_s) / 60.0
        row = {
            "characters": count,
            "arrivals_per_minute": round(arrivals / minutes, 2),
            "arrivals_per_minute_each": round(arrivals / minutes / count, 3),
            **verdict.counts,
            **watch.figures(),
        }
        return row, verdict


def _fill(crowd: Crowd, count: int, side_m: float, seed: int) -> None:
    """Put so many onto the plaza, evenly and a little out of line, and send them about."""
    rng = np.random.default_rng(seed)
    columns = math.ceil(math.sqrt(count))
    pitch = (side_m - 2.0 * EDGE_M) / columns
    errand = Errand.wander((EDGE_M, EDGE_M, side_m - EDGE_M, side_m - EDGE_M))
    for number in range(count):
        x, y = EDGE_M + pitch * (np.array(divmod(number, columns)) + 0.5 + rng.uniform(-0.1, 0.1, 2))
        crowd.add(0, (float(x), float(y), float(rng.uniform(-math.pi, math.pi))), errand)
