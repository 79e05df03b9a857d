"""Tasks of the kind "crowd": a scene of many, run for a time and judged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gambol.bake.kinds.kind import Each, Summary
from gambol.bake.kinds.scenes import SceneTasks, read_scene
from gambol.bake.task import Task
from gambol.crowd.crowd import DEFAULT_BUDGET
from gambol.crowd.perform import LONGEST_S, perform_crowd
from gambol.crowd.report import RunReport
from gambol.crowd.table import DEFAULT_RATE_HZ
from gambol.deliver_crowd import WRITERS, CrowdResult, check_crowd_targets, deliver_crowd
from gambol.scene.scene import Scene

REPORT = ".json"  # has times in it, which differ each time


class CrowdTasks(SceneTasks):
    """Scenes of the kind crowd, as by `gambol crowd`."""

    SWEPT: ClassVar = ("seconds", "budget", "lanes", "reservations", "check")
    SUFFIXES: ClassVar = tuple(suffix for suffix in WRITERS if suffix != REPORT)
    OF_KIND: ClassVar = "crowd"

    seconds: Each[Annotated[float, Field(gt=0.0, le=LONGEST_S)]] = 60.0
    """How long it runs."""
    budget: Each[Annotated[int, Field(ge=1)]] = DEFAULT_BUDGET
    """Look-ups in a planning frame."""
    lanes: Each[bool] = True
    """Whether one-way lanes are laid at passages and crossings."""
    reservations: Each[Literal["swept", "gridmap"]] = "swept"
    """By the clips' swept shapes, or by discs here and there."""
    check: Each[bool] = True
    """Whether the delivered motions are judged."""
    table_rate_hz: Annotated[float, Field(gt=0.0)] = DEFAULT_RATE_HZ
    """Rows a second of .csv and .parquet files."""

    def refuse(self, scene: Scene) -> None:
        check_crowd_targets([Path(f"{scene.name}{suffix}") for suffix in self.suffixes()], characters=len(scene.cast))


def bake_crowd(task: Task, inputs: Path, folder: Path) -> Summary:
    scene, settings = read_scene(task, inputs), task.settings
    recording, report = perform_crowd(
        scene,
        float(settings["seconds"] or 0.0),
        budget=int(settings["budget"] or 0),
        lanes=bool(settings["lanes"]),
        reservations=str(settings["reservations"]),
        check=bool(settings["check"]),
    )
    result = CrowdResult(scene.world, recording, report)
    delivery = deliver_crowd(result, [folder / f"{scene.name}{suffix}" for suffix in task.write])
    return {**_without_times(report), "duration_s": settings["seconds"], "skipped": list(delivery.skipped)}


def _without_times(report: RunReport) -> Summary:
    return {
        "outcome": report.outcome.value,
        "clean": report.is_clean,
        "people": len(report.fares),
        "arrived": report.statistics.arrived,
        "unfinished": len(report.unfinished),
        "unreachable": len(report.unreachable),
        "waiting_to_appear": report.run.waiting_to_appear,
        "replans": report.run.replans,
        "counts": dict(report.run.counts),
        "statistics": report.statistics.to_json(),
        "check": None if report.check is None else report.check.to_json(),
    }
