"""All kinds of tasks by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gambol.bake.kinds.climb import ClimbTasks, bake_climb
from gambol.bake.kinds.crowd import CrowdTasks, bake_crowd
from gambol.bake.kinds.kind import Summary, Tasks
from gambol.bake.kinds.plan import PlanTasks, bake_plan
from gambol.bake.kinds.queries import QueriesTasks, bake_queries
from gambol.bake.kinds.tree import TreeTasks, bake_tree
from gambol.bake.kinds.variation import VariationTasks, bake_variation
from gambol.bake.task import Task


class TaskKind(NamedTuple):
    """A kind of task."""

    model: type[Tasks]  # its table in a job file
    bake: Callable[[Task, Path, Path], Summary]  # does a task: (task, folder of its inputs, folder to write in)
    measures: tuple[str, ...]  # numbers of a summary whose means reports show


#: All kinds of tasks by their names in job files.
KINDS: dict[str, TaskKind] = {
    "plan": TaskKind(PlanTasks, bake_plan, ("duration_s", "cost", "expansions")),
    "crowd": TaskKind(CrowdTasks, bake_crowd, ("people", "arrived", "replans")),
    "climb": TaskKind(ClimbTasks, bake_climb, ("duration_s", "expansions")),
    "variation": TaskKind(VariationTasks, bake_variation, ("count", "change_rms_cm", "repeats")),
    "tree": TaskKind(TreeTasks, bake_tree, ("nodes", "mean_depth", "reach_m")),
    "queries": TaskKind(QueriesTasks, bake_queries, ("found_share", "mean_cost", "mean_steps", "mean_checks")),
}
