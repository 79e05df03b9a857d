"""Tasks of the kind "crowd": a scene of many characters, run for some time and judged."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gambol.bake.kinds.kind import Each, Summary
from gambol.bake.kinds.scenes import SceneTasks, read_scene
from gambol.bake.kinds.sources import Sources
from gambol.bake.task import Scalar, Task
from gambol.crowd.crowd import DEFAULT_BUDGET
from gambol.crowd.table import DEFAULT_RATE_HZ
from gambol.deliver.registry import WriteOptions, check_targets
from gambol.scenes.scene import Scene
from gambol.stages.crowds import LONGEST_S, CrowdPerformance, CrowdStage
from gambol.stages.performance import Stage, perform
from gambol.stages.split_crowds import SplitCrowdStage

MOST_REGIONS = 1000  # >= 1: regions of a crowd; larger: thinner strips


class CrowdTasks(SceneTasks):
    """Scenes of the kind crowd, as by `gambol crowd`."""

    SWEPT: ClassVar = ("seconds", "budget", "lanes", "reservations", "regions", "check", "table_rate_hz", "instanced")
    LEFT_OUT: ClassVar = (".json",)  # the report has times in it, which differ each time
    OF_KIND: ClassVar = "crowd"

    seconds: Each[Annotated[float, Field(gt=0.0, le=LONGEST_S)]] = 60.0
    """How long it runs."""
    budget: Each[Annotated[int, Field(ge=1)]] = DEFAULT_BUDGET
    """Look-ups in a planning frame, at most."""
    lanes: Each[bool] = True
    """Whether one-way lanes are laid at passages and crossings."""
    reservations: Each[Literal["swept", "gridmap"]] = "swept"
    """How characters reserve room: by the clips' swept shapes, or by discs at some instants."""
    regions: Each[Annotated[int, Field(ge=1, le=MOST_REGIONS)]] = 1
    """Strips that the crowd is split into; on a Ray cluster each strip is an actor."""
    check: Each[bool] = True
    """Whether the delivered motions are judged."""
    table_rate_hz: Annotated[float, Field(gt=0.0)] = DEFAULT_RATE_HZ
    """Rows a second of .csv and .parquet files."""
    instanced: bool = True
    """Whether USD files describe each kind of character once; false for programs that cannot take instances."""

    def refuse(self, scene: Scene, write: tuple[str, ...], sources: Sources) -> None:
        with sources.about("write"):
            check_targets("crowd", [Path(f"{scene.name}{suffix}") for suffix in write], characters=len(scene.cast))
        for settings, _ in self.combinations():
            if settings["regions"] != 1 and settings["reservations"] != "swept":
                sources.wrong('several regions need the reservations "swept"; gridmap is for one region', "regions")
                break


def bake_crowd(task: Task, inputs: Path, folder: Path) -> Summary:
    scene, settings = read_scene(task, inputs), task.settings
    rate_hz, instanced = float(settings["table_rate_hz"] or 0.0), bool(settings["instanced"])
    performance = perform(scene, _stage(settings), check=bool(settings["check"])).without_times()
    delivery = performance.save(
        *(folder / f"{scene.name}{suffix}" for suffix in task.write),
        options=WriteOptions(table_rate_hz=rate_hz, instanced=instanced),
    )
    return {
        **_told(performance),
        "duration_s": settings["seconds"],
        "bounds_m": list(scene.world.bounds),
        "skipped": list(delivery.skipped),
    }


def _stage(settings: Mapping[str, Scalar]) -> Stage[CrowdPerformance]:
    seconds, budget = float(settings["seconds"] or 0.0), int(settings["budget"] or 0)
    lanes, regions = bool(settings["lanes"]), int(settings["regions"] or 1)
    if regions == 1:
        return CrowdStage(seconds, budget, lanes=lanes, reservations=str(settings["reservations"]))
    ray = sys.modules.get("ray")
    actors = "ray" if ray is not None and ray.is_initialized() else "here"  # what happens is the same
    return SplitCrowdStage(seconds, regions, actors, budget=budget, lanes=lanes)


def _told(performance: CrowdPerformance) -> Summary:
    course = performance.course
    return {
        "outcome": performance.outcome.value,
        "clean": performance.is_clean,
        "people": len(course.fares),
        "arrived": course.statistics.arrived,
        "unfinished": len(course.unfinished),
        "unreachable": len(course.unreachable),
        "waiting_to_appear": course.run.waiting_to_appear,
        "replans": course.run.replans,
        "counts": dict(course.run.counts),
        "statistics": course.statistics.to_json(),
        "check": None if performance.report is None else performance.report.to_json(),
    }
