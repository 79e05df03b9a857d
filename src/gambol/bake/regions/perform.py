"""Run a scene of a crowd split in space, and judge what is delivered, borders or no borders."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from gambol.bake.regions.ray_host import RayHost
from gambol.crowd.crowd import DEFAULT_BUDGET
from gambol.crowd.perform import (
    COUNTS,
    SAY_FRAMES,
    SETTLING_FRAMES,
    Progress,
    check_scene,
    goals_of,
    judged,
    with_sources,
)
from gambol.crowd.recording import Recording
from gambol.crowd.recording_statistics import statistics
from gambol.crowd.report import Run, RunReport
from gambol.crowd.split import Here, Host, Opening, SplitCrowd
from gambol.errors import UnknownName
from gambol.scene.scene import Scene

ACTORS = ("here", "ray")  # where regions may live
DEFAULT_REGIONS = 4


def perform_split_crowd(
    scene: Scene,
    seconds: float,
    *,
    regions: int = DEFAULT_REGIONS,
    actors: str = "ray",
    address: str | None = None,
    cuts: Sequence[float] | None = None,
    budget: int = DEFAULT_BUDGET,
    lanes: bool = True,
    check: bool = True,
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[Recording, RunReport]:
    """Run a scene for a time, split into regions, and return what happened and how it went; see `perform_crowd`.

    regions: strips of about one width across the world's longer side.
    actors: "here" for this process, "ray" for one Ray actor each; what happens is the same.
    address: of a Ray cluster; None: one is started for the time being.
    cuts, budget, lanes: see `SplitCrowd`.
    check: whether the delivered motions are judged, as one crowd.
    threads: that check.
    """
    check_scene(scene, seconds)
    say = progress or (lambda what, share, detail: None)
    say("opening the world", 0.0, "")
    host = host_of(actors, address=address)
    with SplitCrowd(scene, regions=regions, host=host, budget=budget, lanes=lanes, cuts=cuts) as crowd:
        frames = max(math.ceil(seconds * crowd.rate_hz), 1)
        begun, settled_s, before = time.perf_counter(), 0.0, crowd.figures()
        spent_ms: list[float] = []
        settling = min(SETTLING_FRAMES, frames // 2)
        while crowd.frame < frames:
            last = settling if crowd.frame < settling else frames
            some = min(SAY_FRAMES, last - crowd.frame)
            clock = time.perf_counter()
            crowd.advance(some)
            if crowd.frame == settling:
                before, settled_s = crowd.figures(), time.perf_counter() - begun
            elif crowd.frame > settling:
                spent_ms.append(1000.0 * (time.perf_counter() - clock) / some)
            detail = f"{crowd.time_s:.0f} s" + (f", {spent_ms[-1]:.1f} ms a frame" if spent_ms else "")
            say("running", crowd.frame / frames, detail)
        figures = crowd.figures()
        run_s = time.perf_counter() - begun
        say("counting", 0.0, "")
        recording = with_sources(crowd.recording(), scene)
        run = Run(
            scene=scene.name,
            seed=scene.seed,
            threads=regions,
            reservations="swept",
            lanes=lanes,
            run_s=run_s,
            ms_per_frame=1000.0 * (run_s - settled_s) / max(frames - settling, 1),
            slow_ms=float(np.quantile(spent_ms, 0.95)),
            stage_ms=_stage_ms(before, figures, max(frames - settling, 1)),
            replans=_total(figures, "committed"),
            counts={
                **{name: _total(figures, name) for name in COUNTS},
                "regions": regions,
                "handed_over": _total(figures, "handed_over"),
            },
            waiting_to_appear=crowd.waiting_to_appear,
        )
    aims = {actor.name: actor.aim for actor in scene.cast}
    goals = np.array([goals_of(aims[name]) for name in recording.names], dtype=np.int64)
    return recording, RunReport.of(
        recording,
        run,
        goals=goals,
        statistics=statistics(recording, goals=goals),
        check=judged(recording, scene, threads, say) if check else None,
    )


def host_of(actors: str, *, address: str | None = None) -> Callable[[Opening], Host]:
    """Return what opens regions where they are to live."""
    if actors not in ACTORS:
        raise UnknownName("place for the regions of a crowd", actors, ACTORS)
    return Here if actors == "here" else partial(RayHost, address=address)


def _total(figures: list[dict[str, Any]], name: str) -> int:
    """Return what all regions have counted; of the most in one frame, the most."""
    values = [one[name] for one in figures]
    return max(values) if name == "most_look_ups" else sum(values)


def _stage_ms(before: list[dict[str, Any]], after: list[dict[str, Any]], frames: int) -> dict[str, float]:
    """Return the milliseconds of a frame by stage, in all regions together."""
    stages = after[0]["seconds"]
    return {
        stage: 1000.0
        * sum(b["seconds"][stage] - a["seconds"][stage] for a, b in zip(before, after, strict=True))
        / frames
        for stage in stages
    }
