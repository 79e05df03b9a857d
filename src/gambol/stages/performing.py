"""From a scene to motions, judged: the corridor through all rooms."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import overload

from gambol.judges.report import Report
from gambol.kernels import clock
from gambol.scenes.scene import Scene
from gambol.stages.performance import Performance, Performed, Progress, Stage, check_kind, silent

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
    begun = clock.seconds()
    report = judge(performance, progress=say)
    timings = {**performance.timings, "check_s": clock.seconds() - begun}
    return replace(performance, report=report, timings=timings)


def judge(performance: Performance, *, progress: Progress | None = None) -> Report:
    """Look for collisions, touches and what else is wrong in the motions that a performance delivers."""
    return performance.judged(progress or silent)


def stage_of(kind: str) -> Stage[Performance]:
    """Return the stage that performs a kind of scene by default."""
    module, _, name = STAGES[kind].partition(":")
    return getattr(import_module(f"gambol.stages.{module}"), name)()
