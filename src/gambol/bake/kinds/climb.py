"""Tasks of the kind "climb": a scene's climbers, planned, animated and judged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gambol.bake.kinds.kind import Each, Summary, count_or_none
from gambol.bake.kinds.scenes import SceneTasks, read_scene
from gambol.bake.task import Task
from gambol.stages.climber import Climber
from gambol.stages.climbs import ClimbStage
from gambol.stages.performance import perform


class ClimbTasks(SceneTasks):
    """Scenes of the kind climb, as by `gambol climb`."""

    SWEPT: ClassVar = ("core", "budget", "smoothing", "check")
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
    climber = Climber(core=str(settings["core"]), smoothing=bool(settings["smoothing"]))
    stage = ClimbStage(climber, count_or_none(settings["budget"]))
    performance = perform(scene, stage, check=bool(settings["check"])).without_times()
    delivery = performance.save(*(folder / f"{scene.name}{suffix}" for suffix in task.write))
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
        "check": None if performance.report is None else performance.report.to_json(),
        "duration_s": max(climbed.duration_s for climbed in performance.climbs),
        "expansions": sum(climbed.expansions for climbed in performance.climbs),
        "bounds_m": list(scene.world.bounds),
        "skipped": [words.replace(f"{folder}/", "") for words in delivery.skipped],
    }
