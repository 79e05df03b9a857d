"""Tasks of the kind "crowd": a scene of many characters, run for some time and judged."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gambol.bake.kinds.kind import Each, Summary
from gambol.bake.kinds.scenes import SceneTasks, read_scene
from gambol.bake.kinds.sources import Sources
from gambol.bake.task import Scalar, Task
from gambol.crowd.crowd import DEFAULT_BUDGET
from gambol.crowd.recording import Recording
from gambol.crowd.table import DEFAULT_RATE_HZ
from gambol.deliver.crowds import WRITERS, CrowdResult, check_crowd_targets, deliver_crowd
from gambol.scenes.scene import Scene
from gambol.stages.crowd_report import RunReport
from gambol.stages.crowds import LONGEST_S, perform_crowd
from gambol.stages.split_crowds import perform_split_crowd

MOST_REGIONS = 1000  # >= 1: regions of a crowd; larger: thinner strips
REPORT = ".json"  # suffix of reports, which contain times and so differ each time


class CrowdTasks(SceneTasks):
    """Scenes of the kind crowd, as by `gambol crowd`."""

    SWEPT: ClassVar = ("seconds", "budget", "lanes", "reservations", "regions", "check", "table_rate_hz", "instanced")
    SUFFIXES: ClassVar = tuple(suffix for suffix in WRITERS if suffix != REPORT)
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
            check_crowd_targets([Path(f"{scene.name}{suffix}") for suffix in write], characters=len(scene.cast))
        for settings, _ in self.combinations():
            if settings["regions"] != 1 and settings["reservations"] != "swept":
                sources.wrong('several regions need the reservations "swept"; gridmap is for one region', "regions")
                break


def bake_crowd(task: Task, inputs: Path, folder: Path) -> Summary:
    scene, settings = read_scene(task, inputs), task.settings
    recording, report = _performed(scene, settings)
    rate_hz, instanced = float(settings["table_rate_hz"] or 0.0), bool(settings["instanced"])
    report = _without_times(report)
    result = CrowdResult(scene.world, recording, report, table_rate_hz=rate_hz, instanced=instanced)
    delivery = deliver_crowd(result, [folder / f"{scene.name}{suffix}" for suffix in task.write])
    return {
        **_told(report),
        "duration_s": settings["seconds"],
        "bounds_m": list(scene.world.bounds),
        "skipped": list(delivery.skipped),
    }


def _performed(scene: Scene, settings: Mapping[str, Scalar]) -> tuple[Recording, RunReport]:
    seconds, budget = float(settings["seconds"] or 0.0), int(settings["budget"] or 0)
    lanes, check, regions = bool(settings["lanes"]), bool(settings["check"]), int(settings["regions"] or 1)
    if regions == 1:
        reservations = str(settings["reservations"])
        return perform_crowd(scene, seconds, budget=budget, lanes=lanes, reservations=reservations, check=check)
    ray = sys.modules.get("ray")
    actors = "ray" if ray is not None and ray.is_initialized() else "here"  # the result is the same
    return perform_split_crowd(scene, seconds, regions=regions, actors=actors, budget=budget, lanes=lanes, check=check)


def _without_times(report: RunReport) -> RunReport:
    """Return a report without times, which differ each time."""
    return replace(report, run=report.run._replace(run_s=0.0, ms_per_frame=0.0, slow_ms=0.0, stage_ms={}))


def _told(report: RunReport) -> Summary:
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
