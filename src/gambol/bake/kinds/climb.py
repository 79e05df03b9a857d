"""Tasks of the kind "climb": a scene's climbers, planned, animated and judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gambol.bake.kinds.kind import Each, Summary, count_or_none
from gambol.bake.kinds.scenes import SceneTasks, read_scene
from gambol.bake.task import Task
from gambol.deliver.climbs import SUFFIXES, deliver_climb
from gambol.stages.climber import Climber
from gambol.stages.climbs import ClimbPerformance, perform_climb


class ClimbTasks(SceneTasks):
    """Scenes of the kind climb, as by `gambol climb`."""

    SWEPT: ClassVar = ("core", "budget", "smoothing", "check")
    SUFFIXES: ClassVar = SUFFIXES
    OF_KIND: ClassVar = "climb"

    core: Each[Literal["stances", "paper"]] = "stances"
    """The core that finds climbs."""
    budget: Each[Annotated[int, Field(ge=1)]] | None = None
    """Changes of grasp that may be tried for each climber, in place of the scene's number."""
    smoothing: Each[bool] = True
    """Whether climbs are smoothed."""
    check: Each[bool] = True
    """Whether motions are judged."""


def bake_climb(task: Task, inputs: Path, folder: Path) -> Summary:
    scene, settings = read_scene(task, inputs), task.settings
    performance = perform_climb(
        scene,
        Climber(core=str(settings["core"]), smoothing=bool(settings["smoothing"])),
        max_stances=count_or_none(settings["budget"]),
        check=bool(settings["check"]),
    )
    performance = _without_times(performance)
    delivery = deliver_climb(performance, [folder / f"{scene.name}{suffix}" for suffix in task.write])
    return {
        "outcome": performance.outcome.value,
        "clean": performance.is_clean,
        "characters": [
            {
                "name": climbed.name,
                "outcome": climbed.outcome.value,
                "reason": climbed.reason,
                "duration_s": climbed.duration_s,
                "expansions": climbed.expansions,
            }
            for climbed in performance.climbs
        ],
        "check": None if performance.check is None else performance.check.to_json(),
        "duration_s": max(climbed.duration_s for climbed in performance.climbs),
        "expansions": sum(climbed.expansions for climbed in performance.climbs),
        "bounds_m": list(scene.world.bounds),
        "skipped": [words.replace(f"{folder}/", "") for words in delivery.skipped],
    }


def _without_times(performance: ClimbPerformance) -> ClimbPerformance:
    """Return a performance without the times of planning, which differ each time."""
    climbs = tuple(replace(one, climb=replace(one.climb, plan_time_s=0.0)) for one in performance.climbs)
    return replace(performance, climbs=climbs)
