"""How a crowd flows on an open plaza, from nearly empty to half a person a square metre."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from evidence.soak.crowd_verdict import Verdict
from evidence.soak.crowd_watch import Watch
from evidence.soak.tally import Tally
from gambol.characters import Character, load_character
from gambol.crowd import Crowd, Errand
from gambol.judges import judge_crowd
from gambol.world import World

DENSITIES = (0.03, 0.05, 0.1, 0.15, 0.25, 0.35, 0.5)  # characters a square metre
ALONE = "alone"
ALONE_RUNS = 20  # with different goals
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
    alone_runs: int = ALONE_RUNS

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
            "seed": self.seed, "alone_runs": self.alone_runs,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[DensitySession]:
        yield DensitySession(self, load_character("human").subset("crowd"))


@dataclass
class DensitySession:
    """Runs one density after another."""

    job: DensityJob
    human: Character

    def run_chunk(self, chunk: int) -> Tally:
        begun = time.perf_counter()
        if chunk == 0:
            name, (row, verdict) = ALONE, self._run_alone()
        else:
            density = self.job.densities[chunk - 1]
            name, (row, verdict) = f"{density:.2f}", self._run(round(density * self.job.side_m**2), self.job.seed)
        took = time.perf_counter() - begun
        return Tally(
            inputs=1, accepted=0 if verdict.wrong else 1, failures=verdict.failures(chunk, name), slowest_s=took,
            slowest_input=chunk, seconds=took, rows={name: row},
        )  # fmt: skip

    def _run_alone(self) -> tuple[dict[str, Any], Verdict]:
        """Return the figures of one character alone: the means, and the longest stand, of several."""
        runs = [self._run(1, seed) for seed in range(self.job.seed, self.job.seed + self.job.alone_runs)]
        rows = [row for row, _ in runs]
        mean = {name: round(float(np.mean([row[name] for row in rows])), 3) for name in rows[0]}
        findings = {name: sum(row[name] for row in rows) for name in runs[0][1].counts}
        longest = {"characters": 1, "longest_stand_s": max(row["longest_stand_s"] for row in rows)}
        wrong = [one for _, verdict in runs for one in verdict.wrong]
        return {**mean, **findings, **longest}, Verdict(findings, [], wrong)

    def _run(self, count: int, seed: int) -> tuple[dict[str, Any], Verdict]:
        job = self.job
        world = World((0.0, 0.0, job.side_m, job.side_m))
        crowd = Crowd(world, [self.human], seed=seed)
        _fill(crowd, count, job.side_m, seed)
        rate = crowd.rate_hz
        frames = round(job.seconds * rate)
        watch = Watch(crowd, most=count, frames=frames, settling_frames=round(job.settling_s * rate))
        settled = 0
        while crowd.frame < frames:
            watch.step()
            if crowd.frame == watch.settling_frames:
                settled = crowd.statistics.arrivals
        arrivals = crowd.statistics.arrivals - settled
        report = judge_crowd(crowd.recording(), world, from_s=job.seconds - job.judged_s)
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
