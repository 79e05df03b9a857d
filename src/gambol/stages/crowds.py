"""Scenes of the kind crowd: characters appear, go about their errands and leave."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gambol.crowd.crowd import DEFAULT_BUDGET, Crowd
from gambol.crowd.entrance import Entrance, goals_of
from gambol.crowd.recording import Recording
from gambol.crowd.recording_statistics import statistics
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judges.crowd_report import CrowdReport
from gambol.judges.crowds import judge_crowd
from gambol.kernels import jit
from gambol.motion.motion import Motion
from gambol.scenes.scene import Scene
from gambol.search.plan import Outcome
from gambol.stages.crowd_report import RunFacts, RunReport, plain_fare
from gambol.stages.performance import Performance, Progress

SETTLING_FRAMES = 30  # frames at the start, in which everybody plans at once, that times leave out
SAY_FRAMES = 10  # frames between two words about progress
COUNTS = ("look_ups", "committed", "lost", "not_found", "tests", "routes", "most_look_ups")
DEFAULT_S = 60.0
LONGEST_S = 36_000.0


@dataclass(frozen=True, eq=False)
class CrowdPerformance(Performance):
    """What happened in a crowd, and how it got on."""

    recording: Recording
    course: RunReport
    threads: int = 1  # >= 1: threads of the judge; the report is the same

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(actor.name for actor in self.scene.cast)

    @property
    def outcome(self) -> Outcome:
        return self.course.outcome

    @property
    def reasons(self) -> dict[str, str]:
        return {fare.name: fare.reason for fare in self.course.fares}

    @property
    def own_motions(self) -> dict[str, Motion]:
        """Motions by name, of the characters that appeared, from when each appears until it leaves."""
        return {name: self.recording.motion(number) for number, name in enumerate(self.recording.names)}

    @property
    def motions(self) -> dict[str, Motion]:
        """The same as `own_motions`: nobody stands where it is not there; `recording.motion_start_s` says when."""
        return self.own_motions

    def judged(self, say: Progress) -> CrowdReport:
        say("checking", 0.0)
        return judge_crowd(
            self.recording,
            self.scene.world,
            threads=self.threads,
            progress=lambda share: say("checking", share),
        )

    def characters_json(self) -> list[dict[str, Any]]:
        return [plain_fare(fare) for fare in self.course.fares]

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` prints, without files; of many characters only those that did not arrive."""
        return self.course.to_json(self.report)

    def without_times(self) -> CrowdPerformance:
        run = self.course.run._replace(run_s=0.0, ms_per_frame=0.0, slow_ms=0.0, stage_ms={})
        return replace(self, course=replace(self.course, run=run), timings={})

    def _not_arrived(self) -> list[str]:
        return self.course.not_arrived()


@dataclass(frozen=True)
class CrowdStage:
    """Run a crowd for a time.

    seconds: more than 0, at most 36,000.
    budget, threads, reservations, lanes: see `Crowd`.
    """

    seconds: float = DEFAULT_S
    budget: int = DEFAULT_BUDGET
    threads: int = 1
    reservations: str = "swept"
    lanes: bool = True
    kind = "crowd"

    def __post_init__(self) -> None:
        check_seconds(self.seconds)

    def run(self, scene: Scene, say: Progress) -> CrowdPerformance:
        say("opening the world", 0.0)
        kinds = list({id(actor.character): actor.character for actor in scene.cast}.values())
        crowd = Crowd(
            scene.world,
            kinds,
            seed=scene.seed,
            budget=self.budget,
            threads=self.threads,
            reservations=self.reservations,
            lanes=self.lanes,
            scene=scene.text or scene.name,
        )
        entrance = Entrance(scene, crowd)
        watch = _Watch(crowd, frames=max(math.ceil(self.seconds * crowd.rate_hz), 1))
        begun = jit.seconds()
        for frame in range(watch.frames):
            entrance.admit()
            watch.step()
            if frame % SAY_FRAMES == SAY_FRAMES - 1:
                say("running", frame / watch.frames, f"{crowd.time_s:.0f} s, {watch.recent_ms:.1f} ms a frame")
        run_s = jit.seconds() - begun
        say("counting", 0.0)
        run = RunFacts(
            scene=scene.name,
            seed=scene.seed,
            threads=self.threads,
            reservations=self.reservations,
            lanes=self.lanes,
            run_s=run_s,
            ms_per_frame=float(watch.settled_ms.mean()),
            slow_ms=float(np.quantile(watch.settled_ms, 0.95)),
            stage_ms=watch.stage_ms,
            replans=crowd.statistics.committed,
            counts={name: getattr(crowd.statistics, name) for name in COUNTS},
            waiting_to_appear=len(entrance),
        )
        return performed(scene, crowd.recording(), run, self.threads)


def performed(scene: Scene, recording: Recording, run: RunFacts, threads: int) -> CrowdPerformance:
    """Sum up what happened; the recording then says from which files its characters are."""
    sources = {id(actor.character): actor.source for actor in scene.cast}
    listed = tuple(sources.get(id(character), "") for character in recording.characters)
    recording = replace(recording, sources=listed) if any(listed) else recording
    aims = {actor.name: actor.aim for actor in scene.cast}
    goals = np.array([goals_of(aims[name]) for name in recording.names], dtype=np.int64)
    course = RunReport.of(recording, run, goals=goals, statistics=statistics(recording, goals=goals))
    return CrowdPerformance(scene, recording, course, threads, timings={"run_s": run.run_s})


def check_seconds(seconds: float) -> None:
    if not 0.0 < seconds <= LONGEST_S:
        raise InvalidInput(f"a crowd runs for more than 0 and at most {LONGEST_S:g} seconds, not {seconds:g}")


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
        begun = jit.seconds()
        self.crowd.step()
        self.spent_ms.append(1000.0 * (jit.seconds() - begun))

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
