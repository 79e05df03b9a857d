"""Run a scene of a crowd: people appear, go about their errands and leave; then judge what is delivered."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.crowd import DEFAULT_BUDGET, Crowd
from gambol.crowd.errand import Errand
from gambol.crowd.judge import judge
from gambol.crowd.judge_report import CrowdReport
from gambol.crowd.recording import Recording
from gambol.crowd.recording_statistics import statistics
from gambol.crowd.report import Run, RunReport
from gambol.errors import InvalidInput
from gambol.scene.aims import Aim, Follow, Visit, Wander
from gambol.scene.scene import Actor, Scene

FloatArray = NDArray[np.float64]
SETTLING_FRAMES = 30  # at first everybody plans at once, and what was never run is compiled
SAY_FRAMES = 10
COUNTS = ("look_ups", "committed", "lost", "not_found", "tests", "routes", "most_look_ups")
RETRY_FRAMES = 6  # after which who found no room to appear tries again
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


def errand_of(aim: Aim) -> Errand:
    """Return the errand of a scene's aim; of places with several tolerances the least holds."""
    match aim:
        case Visit(places=places, then=then):
            points = [(place.x, place.y) for place in places]
            tolerance_m = min(place.tolerance_m for place in places)
            if then == "repeat":
                return Errand.around(points, tolerance_m=tolerance_m)
            return Errand.along(points, then=then, tolerance_m=tolerance_m)
        case Wander(area=area, count=count, then=then):
            return Errand.wander(area, count=count, then=then)
        case Follow(who=who, distance_m=distance_m):
            return Errand.follow(who, distance_m=distance_m)


def goals_of(aim: Aim | None) -> int:
    """Return after how many arrivals someone is done; 0 for never."""
    assert aim is not None
    errand = errand_of(aim)
    return 0 if errand.is_endless else len(errand.points) or errand.count or 0


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


class _Waiting(NamedTuple):
    """Someone who is to appear; the order is that of time, leaders before followers."""

    frame: int
    rank: int
    number: int  # in the cast
    actor: Actor


class Entrance:
    """Those of the cast who are not in the world yet."""

    def __init__(self, scene: Scene, crowd: Crowd) -> None:
        self.crowd = crowd
        self.ids: dict[str, int] = {}
        leaders = {actor.name: actor.aim.who for actor in scene.cast if isinstance(actor.aim, Follow)}
        self.waiting = sorted(
            _Waiting(math.ceil(actor.appears_s * crowd.rate_hz), _rank(actor.name, leaders), number, actor)
            for number, actor in enumerate(scene.cast)
        )

    def __len__(self) -> int:
        return len(self.waiting)

    def admit(self) -> None:
        """Let those appear whose time it is, who find room, and whose leader, if they have one, was there."""
        now = self.crowd.frame
        if not self.waiting or self.waiting[0].frame > now:
            return
        due = [one for one in self.waiting if one.frame <= now]
        turned_away = [one._replace(frame=now + RETRY_FRAMES) for one in due if not self._enters(one.actor)]
        self.waiting = sorted([*self.waiting[len(due) :], *turned_away])

    def _enters(self, actor: Actor) -> bool:
        assert actor.aim is not None
        errand = errand_of(actor.aim)
        if isinstance(actor.aim, Follow):
            if actor.aim.who not in self.ids:
                return False
            if self.ids[actor.aim.who] not in self.crowd.ids:  # it has left: there is nothing to do but stand
                errand = Errand.to(*actor.start[:2])
        if self.crowd.frame > 0 and self.crowd.obstruction(actor.character, actor.start) is not None:
            return False
        self.ids[actor.name] = self.crowd.add(
            actor.character, actor.start, errand, name=actor.name, group=actor.company
        )  # fmt: skip
        return True


def _rank(name: str, leaders: Mapping[str, str]) -> int:
    """Return how many go before someone, each following the next."""
    rank = 0
    while name in leaders:
        name, rank = leaders[name], rank + 1
    return rank


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
