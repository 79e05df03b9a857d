"""The top stage of a job: one payload for each task that made a USD file."""

from __future__ import annotations

from pathlib import Path

from gambol.bake.baking import Baked
from gambol.bake.task import Task
from gambol.deliver.registry import USD
from gambol.files.usd.write_shots import Shot, write_shots

SUFFIX = ".usda"  # ending of the top stage


def write_top_stage(baked: Baked) -> Path | None:
    """Write FOLDER/NAME.usda, which refers to the shots of a job; None if it has none."""
    found = [_shot(baked, task) for task in baked.job.tasks if task.key not in baked.failures]
    shots = [shot for shot in found if shot is not None]
    if not shots:
        return None
    path = baked.store.folder / f"{baked.job.name}{SUFFIX}"
    write_shots(path, shots)
    return path


def _shot(baked: Baked, task: Task) -> Shot | None:
    """Return a task's first USD file; None: it made none, because no character moves or none was asked for."""
    if not any(suffix in USD for suffix in task.write):
        return None
    result = baked.store.result(task.key)
    suffixes = [suffix for suffix in task.write if suffix in USD]
    names = [name for suffix in suffixes for name in result["files"] if name.endswith(suffix)]
    if not names:
        return None
    path = (baked.store.place_of(task.key) / names[0]).relative_to(baked.store.folder).as_posix()
    x0, y0, x1, y1 = result["summary"]["bounds_m"]
    return Shot(task.label, path, (x0, y0, x1, y1))
