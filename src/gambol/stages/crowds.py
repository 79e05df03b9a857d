"""Run a scene of a crowd: people appear, go about their errands and leave; then judge what is delivered."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gambol.crowd.crowd import DEFAULT_BUDGET, Crowd
from gambol.crowd.entrance import Entrance, goals_of
from gambol.crowd.recording import Recording
from gambol.crowd.recording_statistics import statistics
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judge.crowd_report import CrowdReport
from gambol.judge.crowds import judge
from gambol.scenes.scene import Scene
from gambol.stages.crowd_report import Run, RunReport

SETTLING_FRAMES = 30  # at first everybody plans at once, and what was never run is compiled
SAY_FRAMES = 10
COUNTS = ("look_ups", "committed", "lost", "not_found", "tests", "routes", "most_look_ups")
LONGEST_S = 36_000.0
Progress = Callable[[str, float, str], None]  # what is being done, which share of it is, and what else there is to say


def perform_crowd(
    scene: Scene,
    seconds: float,
    *,
    budget: int = DEFAULT_BUDGET,
    threads: int = 1,
    reservations: str = "swept",
    lanes: bool = True,
    check: bool = True,
    progress: Progress | None = None,
) -> tuple[Recording, RunReport]:
    """Run a scene for a time, and return what happened and how it went.

    budget, threads, reservations, lanes: see `Crowd`.
    check: whether the delivered motions are judged; that takes longer than running.
    """
    check_scene(scene, seconds)
    say = progress or (lambda what, share, detail: None)
    say("opening the world", 0.0, "")
    kinds = list({id(actor.character): actor.character for actor in scene.cast}.values())
    crowd = Crowd(
        scene.world, kinds, seed=scene.seed, budget=budget, threads=threads, reservations=reservations, lanes=lanes,
        scene=scene.text or scene.name,
    )  # fmt: skip
    entrance = Entrance(scene, crowd)
    watch = _Watch(crowd, frames=max(math.ceil(seconds * crowd.rate_hz), 1))
    begun = time.perf_counter()
    for frame in range(watch.frames):
        entrance.admit()
        watch.step()
        if frame % SAY_FRAMES == SAY_FRAMES - 1:
            say("running", frame / watch.frames, f"{crowd.time_s:.0f} s, {watch.recent_ms:.1f} ms a frame")
    run_s = time.perf_counter() - begun
    say("counting", 0.0, "")
    recording = with_sources(crowd.recording(), scene)
    run = Run(
        scene=scene.name,
        seed=scene.seed,
        threads=threads,
        reservations=reservations,
        lanes=lanes,
        run_s=run_s,
        ms_per_frame=float(watch.settled_ms.mean()),
        slow_ms=float(np.quantile(watch.settled_ms, 0.95)),
        stage_ms=watch.stage_ms,
        replans=crowd.statistics.committed,
        counts={name: getattr(crowd.statistics, name) for name in COUNTS},
        waiting_to_appear=len(entrance),
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


def with_sources(recording: Recording, scene: Scene) -> Recording:
    """Return a recording that says from which files its characters are."""
    sources = {id(actor.character): actor.source for actor in scene.cast}
    listed = tuple(sources.get(id(character), "") for character in recording.characters)
    return replace(recording, sources=listed) if any(listed) else recording


class _Watch:
    """Lets frames pass and takes their times, all in milliseconds."""

    def __init__(self, crowd: Crowd, *, frames: int) -> None:
        self.crowd = crowd
        self.frames = frames
        self.spent_ms: list[float] = []
        self._first_settled = min(SETTLING_FRAMES, frames // 2)
        self._before: dict[str, float] = {}

    def step(self) -> None:
        if len(self.spent_ms) == self._first_settled:
            self._before = dict(self.crowd.statistics.seconds)
        begun = time.perf_counter()
        self.crowd.step()
        self.spent_ms.append(1000.0 * (time.perf_counter() - begun))

    @property
    def recent_ms(self) -> float:
        return float(np.mean(self.spent_ms[-SAY_FRAMES:]))

    @property
    def settled_ms(self) -> FloatArray:
        return np.array(self.spent_ms[self._first_settled :])

    @property
    def stage_ms(self) -> dict[str, float]:
        """A frame's, by stage, once settled."""
        frames = len(self.spent_ms) - self._first_settled
        seconds = self.crowd.statistics.seconds
        return {stage: 1000.0 * (spent - self._before[stage]) / frames for stage, spent in seconds.items()}


def check_scene(scene: Scene, seconds: float) -> None:
    if scene.kind != "crowd":
        raise InvalidInput(
            f"scene {scene.name!r} is of the kind {scene.kind!r}; only those of the kind 'crowd' are run"
            + {"plan": "; gambol plan plans this one", "climb": "; gambol climb climbs this one"}[scene.kind]
        )
    if not scene.cast:
        raise InvalidInput(f"scene {scene.name!r} has no cast: there is nobody to run")
    if not 0.0 < seconds <= LONGEST_S:
        raise InvalidInput(f"a crowd runs for more than 0 and at most {LONGEST_S:g} seconds, not {seconds:g}")


def judged(recording: Recording, scene: Scene, threads: int, say: Progress) -> CrowdReport:
    say("checking", 0.0, "")
    return judge(recording, scene.world, threads=threads, progress=lambda share: say("checking", share, ""))
