"""Big crowds split in space, over Ray actors: no touch, across borders too, judged at full rate minute by minute."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from evidence.soak.crowd_verdict import Verdict
from evidence.soak.tally import Tally
from gambol.crowd import SplitCrowd
from gambol.judges import judge_crowd
from gambol.scenes import Scene, parse_scene
from gambol.stages.split_crowds import host_of

BLOCKS = ((16, 10), (12, 12), (20, 6), (10, 16))  # metres; four by four of them stand about
EDGE_M = 1.0  # where nobody starts or is sent
MOST_IN_GROUP = 10_000  # of a scene file
SAY_FRAMES = 300


def square(people: int, density: float, seed: int) -> Scene:
    """Return the scene of a square with sixteen blocks on which so many wander, so many a square metre."""
    side_m = round((people / density) ** 0.5, 1)
    text = [
        f'name = "square-{people}"', 'kind = "crowd"', f"seed = {seed}", "[world]",
        f"bounds = [0, 0, {side_m}, {side_m}]",
    ]  # fmt: skip
    for number in range(16):
        row, column = divmod(number, 4)
        size = [min(length, side_m / 25.0) for length in BLOCKS[(row + column) % 4]]
        at = [side_m * (column + 0.45 + 0.03 * row) / 4.0, side_m * (row + 0.45 + 0.03 * column) / 4.0]
        text += [
            "[[obstacles]]", f'name = "block {number + 1}"', f"at = [{at[0]:.2f}, {at[1]:.2f}]",
            f"size = [{size[0]:g}, {size[1]:g}]", f"heading_deg = {15 * (number % 4)}",
        ]  # fmt: skip
    high = side_m - EDGE_M
    groups = -(-people // MOST_IN_GROUP)
    for group in range(groups):
        from_x, to_x = (EDGE_M + (high - EDGE_M) * number / groups for number in (group, group + 1))
        text += [
            "[[groups]]", f'name = "human {group}"', f"count = {people // groups}",
            f"starts = {{ area = [{from_x:.1f}, {EDGE_M}, {to_x:.1f}, {high:.1f}] }}", "spacing_m = 1.8",
            "jitter_m = 0.45", f"wander = {{ area = [{EDGE_M}, {EDGE_M}, {high:.1f}, {high:.1f}] }}",
        ]  # fmt: skip
    return parse_scene("\n".join([*text, ""]))


@dataclass(frozen=True)
class CrowdRegionsJob:
    """One crowd that runs for some time; each slice of it is judged at full rate and is a row of the result."""

    name: str
    summary: str
    people: int
    seconds: float
    regions: int = 4
    actors: str = "ray"
    density: float = 0.1  # of people on a square metre
    slice_s: float = 60.0
    seed: int = 1
    threads: int = 2  # that judge

    @cached_property
    def scene(self) -> Scene:
        return square(self.people, self.density, self.seed)

    @property
    def chunk_count(self) -> int:
        return max(round(self.seconds / self.slice_s), 1)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.chunk_count, "people": self.people, "regions": self.regions,
            "actors": self.actors, "density": self.density, "seconds_simulated": self.seconds, "slice_s": self.slice_s,
            "seed": self.seed,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[CrowdRegionsSession]:
        session = CrowdRegionsSession(self)
        try:
            yield session
        finally:
            session.close()


@dataclass
class CrowdRegionsSession:
    """Holds the crowd of the last slice, and goes on with it where it can; else earlier slices pass again, unjudged."""

    job: CrowdRegionsJob
    _crowd: SplitCrowd | None = field(default=None, repr=False)
    _next: int = 0
    _before: list[dict[str, Any]] = field(default_factory=list, repr=False)

    def run_chunk(self, chunk: int) -> Tally:
        begun = time.perf_counter()
        if self._crowd is None or self._next > chunk:
            self.close()
            self._crowd = SplitCrowd(
                self.job.scene, regions=self.job.regions, host=host_of(self.job.actors, address=None)
            )  # fmt: skip
            self._next, self._before = 0, self._crowd.figures()
        while self._next < chunk:
            self._pass(self._crowd)
            self._before = self._crowd.figures()
            self._close_slice(self._crowd)
        row, verdict = self._run_slice(self._crowd)
        took = time.perf_counter() - begun
        return Tally(
            inputs=1, accepted=0 if verdict.wrong else 1, failures=verdict.failures(chunk, f"slice {chunk}"),
            slowest_s=took, slowest_input=chunk, seconds=took, peak_mb=max(row["resident_mb"]),
            counts=Counter({**verdict.counts, "arrivals": row["arrivals"], "handed_over": row["handed_over"]}),
            rows={f"{chunk:02d}": row},
        )  # fmt: skip

    def close(self) -> None:
        if self._crowd is not None:
            self._crowd.close()
        self._crowd = None

    @property
    def _slice_frames(self) -> int:
        assert self._crowd is not None
        return round(self.job.slice_s * self._crowd.rate_hz)

    def _run_slice(self, crowd: SplitCrowd) -> tuple[dict[str, Any], Verdict]:
        first, last = self._next * self._slice_frames, (self._next + 1) * self._slice_frames
        frames, clock = crowd.frame, time.perf_counter()
        self._pass(crowd)
        frames, run_s = crowd.frame - frames, time.perf_counter() - clock
        recording = crowd.recording()
        clock = time.perf_counter()
        report = judge_crowd(
            recording, self.job.scene.world, from_s=first / crowd.rate_hz, until_s=last / crowd.rate_hz,
            threads=self.job.threads,
        )  # fmt: skip
        judge_s = time.perf_counter() - clock
        verdict = Verdict.of(report, (), crowd.rate_hz)
        after = crowd.figures()
        arrivals, processes = recording.arrivals[:, 1], (one["process"] for one in after)
        row = {
            "until_s": last / crowd.rate_hz,
            "present": [one["present"] for one in after],
            **verdict.counts,
            "arrivals": int(((arrivals >= first) & (arrivals < last)).sum()),
            "handed_over": _sum(after, "handed_over") - _sum(self._before, "handed_over"),
            "ghosts": [one["ghosts"] for one in after],
            "clock_ms": round(1000.0 * run_s / frames, 2),
            "exchange_ms": [
                round(1000.0 * (b["seconds"]["exchange"] - a["seconds"]["exchange"]) / frames, 2)
                for a, b in zip(self._before, after, strict=True)
            ],
            "judge_s": round(judge_s, 1),
            "resident_mb": [resident_mb(process) for process in dict.fromkeys((os.getpid(), *processes))],
        }
        self._before = after
        self._close_slice(crowd)
        return row, verdict

    def _pass(self, crowd: SplitCrowd) -> None:
        """Let the next slice pass, and some more: how a clip ends is known when the next has begun."""
        last = (self._next + 1) * self._slice_frames + crowd.longest_clip + 1
        while crowd.frame < last:
            crowd.advance(min(SAY_FRAMES, last - crowd.frame))
        crowd.settle()

    def _close_slice(self, crowd: SplitCrowd) -> None:
        self._next += 1
        crowd.cut_log(self._next * self._slice_frames)


def _sum(figures: Sequence[dict[str, Any]], name: str) -> int:
    return sum(one[name] for one in figures)


def resident_mb(process: int) -> float:
    """Return how much memory a process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)


def crowd_regions_jobs() -> list[CrowdRegionsJob]:
    return [
        CrowdRegionsJob(
            "crowd-regions-20000", "20,000 over four Ray actors for ten minutes: no touches, across borders too",
            people=20_000, seconds=600.0,
        ),
        CrowdRegionsJob(
            "crowd-regions-2000", "2,000 over four Ray actors for an hour: no touches, across borders too",
            people=2_000, seconds=3600.0,
        ),
    ]  # fmt: skip
