"""Scenes of the kind crowd, split in space."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gambol.crowd.crowd import DEFAULT_BUDGET
from gambol.crowd.split.ray_host import RayHost
from gambol.crowd.split.split_crowd import Here, Host, Opening, SplitCrowd
from gambol.errors import UnknownName
from gambol.geometry.arrays import FloatArray
from gambol.scenes.scene import Scene
from gambol.stages.crowd_report import RunFacts
from gambol.stages.crowds import (
    COUNTS,
    DEFAULT_S,
    SAY_FRAMES,
    SETTLING_FRAMES,
    CrowdPerformance,
    check_seconds,
    performed,
)
from gambol.stages.performance import Progress

ACTORS = ("here", "ray")  # where regions may live
DEFAULT_REGIONS = 4


@dataclass(frozen=True)
class SplitCrowdStage:
    """Run a crowd for a time, split in space into regions; what happens is judged as one crowd.

    seconds: more than 0, at most 36,000.
    regions: strips of about one width across the world's longer side.
    actors: "here" for this process, "ray" for one Ray actor each; what happens is the same.
    address: of a Ray cluster; None: one is started for the time being.
    cuts, budget, lanes: see `SplitCrowd`.
    threads: that the judge uses.
    """

    seconds: float = DEFAULT_S
    regions: int = DEFAULT_REGIONS
    actors: str = "ray"
    address: str | None = None
    cuts: Sequence[float] | None = None
    budget: int = DEFAULT_BUDGET
    lanes: bool = True
    threads: int = 1
    kind = "crowd"

    def __post_init__(self) -> None:
        check_seconds(self.seconds)

    def run(self, scene: Scene, say: Progress) -> CrowdPerformance:
        say("opening the world", 0.0)
        host = host_of(self.actors, address=self.address)
        with SplitCrowd(
            scene, regions=self.regions, host=host, budget=self.budget, lanes=self.lanes, cuts=self.cuts
        ) as crowd:
            course = _run(crowd, max(math.ceil(self.seconds * crowd.rate_hz), 1), say)
            say("counting", 0.0)
            recording, waiting = crowd.recording(), crowd.waiting_to_appear
        counts = {name: _total(course.figures, name) for name in (*COUNTS, "handed_over")}
        run = RunFacts(
            scene=scene.name,
            seed=scene.seed,
            threads=self.regions,
            reservations="swept",
            lanes=self.lanes,
            run_s=course.run_s,
            ms_per_frame=float(np.mean(course.frame_ms)),
            slow_ms=float(np.quantile(course.frame_ms, 0.95)),
            stage_ms=course.stage_ms,
            replans=_total(course.figures, "committed"),
            counts=counts | {"regions": self.regions},
            waiting_to_appear=waiting,
        )
        return performed(scene, recording, run, self.threads)


def host_of(actors: str, *, address: str | None = None) -> Callable[[Opening], Host]:
    """Return what opens regions where they are to live."""
    if actors not in ACTORS:
        raise UnknownName("place for the regions of a crowd", actors, ACTORS)
    return Here if actors == "here" else partial(RayHost, address=address)


class _Course(NamedTuple):
    """How a run went on the clock; frames and stages once settled."""

    run_s: float
    frame_ms: FloatArray  # ms of a frame, averaged over the frames between two reports
    stage_ms: dict[str, float]  # a frame, in all regions together
    figures: list[dict[str, Any]]  # counts of each region at the end


def _run(crowd: SplitCrowd, frames: int, say: Progress) -> _Course:
    """Let frames pass; messages are waited for after each few of them, so that times are those of these."""
    settling = min(SETTLING_FRAMES, frames // 2)
    begun, before, spent_ms = time.perf_counter(), crowd.figures(), [0.0]
    while crowd.frame < frames:
        if crowd.frame == settling:
            before, spent_ms = crowd.figures(), []
        last = settling if crowd.frame < settling else frames
        some, clock = min(SAY_FRAMES, last - crowd.frame), time.perf_counter()
        crowd.advance(some)
        crowd.settle()
        spent_ms.append(1000.0 * (time.perf_counter() - clock) / some)
        say("running", crowd.frame / frames, f"{crowd.time_s:.0f} s, {spent_ms[-1]:.1f} ms a frame")
    figures = crowd.figures()
    stage_ms = {
        stage: 1000.0
        * sum(after["seconds"][stage] - first["seconds"][stage] for first, after in zip(before, figures, strict=True))
        / (frames - settling)
        for stage in figures[0]["seconds"]
    }
    return _Course(time.perf_counter() - begun, np.array(spent_ms), stage_ms, figures)


def _total(figures: list[dict[str, Any]], name: str) -> int:
    """Return what all regions have counted; of the most in one frame, the most."""
    values = [one[name] for one in figures]
    return max(values) if name == "most_look_ups" else sum(values)
