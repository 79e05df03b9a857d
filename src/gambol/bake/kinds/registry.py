"""All kinds of tasks by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gambol.bake.kinds.climb import ClimbTasks, bake_climb
from gambol.bake.kinds.crowd import CrowdTasks, bake_crowd
from gambol.bake.kinds.kind import Summary, Tasks
from gambol.bake.kinds.plan import PlanTasks, bake_plan
from gambol.bake.task import Task


class Kind(NamedTuple):
    """A kind of task: its table in a job file, and what does one: (task, where its inputs are, where to write)."""

    model: type[Tasks]
    bake: Callable[[Task, Path, Path], Summary]


KINDS: dict[str, Kind] = {
    "plan": Kind(PlanTasks, bake_plan),
    "crowd": Kind(CrowdTasks, bake_crowd),
    "climb": Kind(ClimbTasks, bake_climb),
}
