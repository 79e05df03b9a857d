"""Tasks of the kind "plan": a scene's cast, planned, animated and checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gambol.bake.kinds.kind import Each, Summary
from gambol.bake.kinds.scenes import SceneTasks, read_scene
from gambol.bake.task import Scalar, Task
from gambol.deliver import SUFFIXES, deliver
from gambol.plan.choice import default_planner, planner_named
from gambol.plan.plan import Plan
from gambol.plan.planner import Planner
from gambol.scene.scene import Scene
from gambol.synthesis.perform import perform


class PlanTasks(SceneTasks):
    """Scenes of the kind plan, as by `gambol plan`."""

    SWEPT: ClassVar = ("planner", "weight", "budget", "check")
    SUFFIXES: ClassVar = SUFFIXES
    OF_KIND: ClassVar = "plan"

    planner: Each[str] = ""
    """By default "improved" for one character and "weighted" for several."""
    weight: Each[float] | None = None
    """Of the cost left, for the planners "weighted" and "truncated"."""
    budget: Each[int] | None = None
    """Most expansions for each character, in place of what the scene says."""
    check: Each[bool] = True
    """Whether the delivered motions are checked."""

    def refuse(self, scene: Scene) -> None:
        for settings, _ in self.combinations():
            _planner(settings, len(scene.cast))


def bake_plan(task: Task, inputs: Path, folder: Path) -> Summary:
    scene = read_scene(task, inputs)
    budget = task.settings["budget"]
    performance = perform(
        scene,
        planner=_planner(task.settings, len(scene.cast)),
        max_expansions=None if budget is None else int(budget),
        check=bool(task.settings["check"]),
    )
    delivery = deliver(performance, [folder / f"{scene.name}{suffix}" for suffix in task.write])
    report = performance.report
    pairs = zip(performance.names, performance.plans, strict=True)
    return {
        "outcome": performance.outcome.value,
        "clean": performance.is_clean,
        "characters": [_character(name, plan) for name, plan in pairs],
        "check": None if report is None else report.to_json(),
        "duration_s": performance.ends_s,
        "skipped": list(delivery.skipped),
    }


def _planner(settings: Mapping[str, Scalar], characters: int) -> Planner:
    name, weight = str(settings["planner"] or default_planner(characters)), settings["weight"]
    return planner_named(name, weight=None if weight is None else float(weight), characters=characters)


def _character(name: str, plan: Plan) -> dict[str, Any]:
    return {
        "name": name,
        "outcome": plan.outcome.value,
        "reason": plan.reason,
        "cost": plan.cost if np.isfinite(plan.cost) else None,
        "bound": plan.bound if np.isfinite(plan.bound) else None,
        "duration_s": plan.duration_s,
        "expansions": plan.statistics.expansions,
    }
