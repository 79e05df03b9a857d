"""What becomes of a scene: from it to motions, judged and written, through all rooms."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, overload

from gambol.deliver.registry import Delivery, WriteOptions, deliver
from gambol.errors import InvalidInput
from gambol.judges.report import Report
from gambol.motion.motion import Motion
from gambol.scenes.scene import Scene
from gambol.search.plan import Outcome


class Progress(Protocol):
    """A function that hears what is being done, which share of it is done, and perhaps a detail."""

    def __call__(self, what: str, share: float, detail: str = "", /) -> None: ...


def silent(what: str, share: float, detail: str = "", /) -> None:
    """Ignore progress."""


@dataclass(frozen=True, eq=False)
class Performance(ABC):
    """What became of a scene; each kind adds what only it has: plans, a recording, climbs."""

    scene: Scene
    report: Report | None = field(default=None, kw_only=True)  # None: not judged
    timings: Mapping[str, float] = field(default_factory=dict, kw_only=True)  # seconds by the clock, by stage

    @property
    def kind(self) -> str:
        return self.scene.kind

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Names of the characters, in the order of the cast."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome:
        """Found if everyone arrives that can be expected to; otherwise what became of the first that does not."""

    @property
    @abstractmethod
    def own_motions(self) -> dict[str, Motion]:
        """Motions by name, of the characters that move; each ends when its character has arrived."""

    @property
    @abstractmethod
    def motions(self) -> dict[str, Motion]:
        """Motions by name on the world's clock: all begin at time 0 and end together."""

    @property
    @abstractmethod
    def reasons(self) -> dict[str, str]:
        """Why a character does not arrive, by name; empty where it does."""

    @abstractmethod
    def judged(self, say: Progress) -> Report:
        """Judge the motions as they are delivered."""

    @abstractmethod
    def characters_json(self) -> list[dict[str, Any]]:
        """Return a row for each character, as `--json` prints them."""

    @abstractmethod
    def without_times(self) -> Self:
        """Return the same performance without times by the clock, which differ from run to run."""

    @property
    def is_clean(self) -> bool:
        """Whether everyone arrives, and the judge, if asked, found nothing."""
        return self.outcome is Outcome.FOUND and (self.report is None or self.report.is_clean)

    @property
    def trouble(self) -> list[str]:
        """Lines about the characters that do not arrive and about what the judge found; empty if clean."""
        report = self.report
        if report is None or report.is_clean:
            return self._not_arrived()
        return [*self._not_arrived(), f"check: {report.summary}", *(f"  {line}" for line in report.findings)]

    def save(
        self, *paths: Path | str, options: WriteOptions | None = None, progress: Progress | None = None
    ) -> Delivery:
        """Write files, each by its suffix, and return which were written and why others were not.

        Each file is whole or not there; folders are made.  docs/commands.md lists the suffixes of each kind of scene.
        """
        return deliver(self, [Path(path) for path in paths], options or WriteOptions(), progress or silent)

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` prints, without files."""
        return {
            "outcome": self.outcome.value,
            "scene": self.scene.name,
            "seed": self.scene.seed,
            "characters": self.characters_json(),
            "check": None if self.report is None else self.report.to_json(),
            "timings": dict(self.timings),
        }

    def _not_arrived(self) -> list[str]:
        return [f"{name}: {reason}" for name, reason in self.reasons.items() if reason]


Performed = TypeVar("Performed", bound=Performance, covariant=True)


class Stage(Protocol[Performed]):
    """A way to perform scenes of one kind: settings in the constructor, the scene in the call."""

    @property
    def kind(self) -> str: ...

    def run(self, scene: Scene, say: Progress) -> Performed:
        """Return what becomes of a scene, not judged yet."""
        ...


def check_kind(scene: Scene, kind: str) -> None:
    """Refuse a scene of another kind, or without a cast."""
    if scene.kind != kind:
        raise InvalidInput(
            f"scene {scene.name!r} is of the kind {scene.kind!r}, expected {kind!r}: `gambol {scene.kind}` performs it"
        )
    if not scene.cast and not scene.climbs:
        raise InvalidInput(f"scene {scene.name!r} has no cast: there is nobody to perform")


#: The stage that performs each kind of scene, unless another is given.
STAGES = {"plan": "plans:PlanStage", "crowd": "crowds:CrowdStage", "climb": "climbs:ClimbStage"}


@overload
def perform(
    scene: Scene, stage: Stage[Performed], *, check: bool = True, progress: Progress | None = None
) -> Performed: ...


@overload
def perform(
    scene: Scene, stage: None = None, *, check: bool = True, progress: Progress | None = None
) -> Performance: ...


def perform(
    scene: Scene, stage: Stage[Performance] | None = None, *, check: bool = True, progress: Progress | None = None
) -> Performance:
    """Perform a scene: plan, run or climb it, make motions, judge them as they will be delivered.

    stage: how; by default `PlanStage()`, `CrowdStage()` or `ClimbStage()`, by the scene's kind.
    check: whether the motions are judged; without it the performance has no report.
    progress: hears what is being done, and which share of it is done.

    >>> from gambol import load_scene, perform
    >>> performance = perform(load_scene("first"))
    >>> performance.outcome.value, performance.is_clean, list(performance.motions)
    ('found', True, ['Ann'])
    """
    say = progress or silent
    stage = stage or stage_of(scene.kind)
    check_kind(scene, stage.kind)
    performance = stage.run(scene, say)
    if not check:
        return performance
    begun = time.perf_counter()
    report = judge(performance, progress=say)
    timings = {**performance.timings, "check_s": time.perf_counter() - begun}
    return replace(performance, report=report, timings=timings)


def judge(performance: Performance, *, progress: Progress | None = None) -> Report:
    """Look for collisions, touches and what else is wrong in the motions that a performance delivers."""
    return performance.judged(progress or silent)


def stage_of(kind: str) -> Stage[Performance]:
    """Return the stage that performs a kind of scene by default."""
    module, _, name = STAGES[kind].partition(":")
    return getattr(import_module(f"gambol.stages.{module}"), name)()
