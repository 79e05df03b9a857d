"""Tasks of the kind "plan": a scene's cast, planned, animated and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from gambol.bake.kinds.kind import Each, Summary, count_or_none, number_or_none
from gambol.bake.kinds.scenes import SceneTasks, read_scene
from gambol.bake.kinds.sources import Sources
from gambol.bake.kinds.trees import kept_tree_file
from gambol.bake.task import Scalar, Task
from gambol.deliver.registry import check_targets
from gambol.planners import default_planner, planner_named
from gambol.scenes.scene import Scene
from gambol.search.plan import Plan
from gambol.search.planner import Planner
from gambol.stages.performance import perform
from gambol.stages.plans import PlanStage
from gambol.trees.tree import SearchTree

TREE = "tree"  # first part of the settings that name trees; and the planner that needs them


class PlanTasks(SceneTasks):
    """Scenes of the kind plan, as by `gambol plan`."""

    SWEPT: ClassVar = ("planner", "weight", "budget", "check")
    OF_KIND: ClassVar = "plan"

    planner: Each[str] = ""
    """The planner, by default "improved" for one character and "weighted" for several."""
    weight: Each[Annotated[float, Field(ge=1.0)]] | None = None
    """Weight of the cost left, for the planners "weighted" and "truncated"."""
    budget: Each[Annotated[int, Field(ge=1)]] | None = None
    """Expansions for each character at most, in place of the scene's number."""
    check: Each[bool] = True
    """Whether the delivered motions are checked."""
    trees: list[str] = Field(default_factory=list)
    """Tree files for the planner "tree", or patterns; by default each machine grows trees, and keeps them."""

    def more_files(self, sources: Sources) -> dict[str, Path]:
        paths = sources.paths(self.trees, "trees")
        for number, path in paths:
            with sources.about("trees", number):
                kept_tree_file(path)
        return {f"{TREE}_{count}": path for count, (_, path) in enumerate(paths)}

    def refuse(self, scene: Scene, write: tuple[str, ...], sources: Sources) -> None:
        check_targets("plan", [Path(f"{scene.name}{suffix}") for suffix in write])
        with sources.about("planner"):
            for settings, _ in self.combinations():
                _planner(settings, len(scene.cast), None if not self.trees else ())


def bake_plan(task: Task, inputs: Path, folder: Path) -> Summary:
    scene = read_scene(task, inputs)
    named = [str(value) for key, value in task.settings.items() if key.startswith(f"{TREE}_")]
    trees = [kept_tree_file(inputs / name) for name in named] or None
    planner = _planner(task.settings, len(scene.cast), trees)
    stage = PlanStage(planner, count_or_none(task.settings["budget"]))
    performance = perform(scene, stage, check=bool(task.settings["check"])).without_times()
    delivery = performance.save(*(folder / f"{scene.name}{suffix}" for suffix in task.write))
    report = performance.report
    pairs = zip(performance.names, performance.plans, strict=True)
    return {
        "outcome": performance.outcome.value,
        "clean": performance.is_clean,
        "characters": [_character(name, plan) for name, plan in pairs],
        "check": None if report is None else report.to_json(),
        "duration_s": performance.ends_s,
        "cost": _finite(sum(plan.cost for plan in performance.plans)),
        "expansions": sum(plan.statistics.expansions for plan in performance.plans),
        "bounds_m": list(scene.world.bounds),
        "skipped": [_without_folder(words, folder) for words in delivery.skipped],
    }


def _planner(settings: Mapping[str, Scalar], characters: int, trees: Sequence[SearchTree] | None) -> Planner:
    name = str(settings["planner"] or default_planner(characters))
    weight = number_or_none(settings["weight"])
    # An empty list stands for trees that are not read yet.
    return planner_named(name, weight=weight, trees=trees or None if name == TREE else trees, characters=characters)


def _without_folder(words: str, folder: Path) -> str:
    """Return words about a file without the folder in which it would have been written."""
    return words.replace(f"{folder}/", "")


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _character(name: str, plan: Plan) -> dict[str, Any]:
    return {
        "name": name,
        "outcome": plan.outcome.value,
        "reason": plan.reason,
        "cost": _finite(plan.cost),
        "bound": _finite(plan.bound),
        "duration_s": plan.duration_s,
        "expansions": plan.statistics.expansions,
    }
