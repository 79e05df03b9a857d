"""Jobs for the tests of baking, and an engine that works at them in this very process."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import numpy as np
from tests.support.statues import write_course
from tests.support.variation_walks import walks

from gambol.bake import Attempt, Baked, Gathered, Job, Store, Task, bake, bake_here, lay_out, load_job
from gambol.files import write_bvh

#: Two statues, of whom one has nowhere to go; they are planned in no time.
SCENE = """
name = "yard"
[world]
bounds = [0, 0, 16, 10]
[[obstacles]]
name = "pillar"
at = [7, 5]
radius_m = 0.6
[[cast]]
name = "Ann"
character = "statue.toml"
start = [2, 3]
goal = [12, 3]
[[cast]]
name = "Bob"
character = "statue.toml"
start = [2, 7]
goal = [13, 7]
"""

SMALL_CROWD = """
name = "hall"
kind = "crowd"
[world]
bounds = [0, 0, 12, 8]
[[groups]]
name = "east"
count = 2
starts = { line = [[2, 2], [2, 6]] }
goals = { line = [[10, 2], [10, 6]] }
"""

PLAN = """
[[tasks]]
kind = "plan"
scenes = ["yard.toml"]
seeds = 2
write = ["usda"]
"""

TREE = """
[[tasks]]
kind = "tree"
characters = ["statue.toml"]
begins = "rolling"
nodes = [100, 300]
reach_m = 8.0
"""

VARIATION = """
[[tasks]]
kind = "variation"
name = "walk"
clips = ["walks/*.bvh"]
amount = [0.5, 1.0]
count = 2
cyclic = true
write = ["variation", "bvh", "usdc"]
"""


class Here:
    """An engine of one worker: this process."""

    name, slots = "here", 1

    def __init__(self, store: Store, gathered: Gathered, workers: int | None = None, **options: object) -> None:
        self._store, self._gathered = store, gathered
        self._queue: deque[Task] = deque()

    def submit(self, task: Task) -> None:
        self._queue.append(task)

    def wait(self) -> Attempt:
        task = self._queue.popleft()
        contents = self._gathered.contents(task.inputs)
        inputs = lay_out(self._store.inputs, task.inputs, contents.__getitem__)
        return bake_here(self._store.folder, inputs, task, task.key)

    def close(self) -> None:
        self._queue.clear()


def write_files(folder: Path) -> Path:
    """Write a character, scenes and motions that jobs are about."""
    write_course(folder)
    (folder / "yard.toml").write_text(SCENE)
    (folder / "hall.toml").write_text(SMALL_CROWD)
    (folder / "walks").mkdir()
    for number, example in enumerate(walks(3)):
        write_bvh(folder / "walks" / f"walk{number}.bvh", example.motion)
    rows = ["x_m,y_m,heading_deg,goal_x_m,goal_y_m", "2,3,0,8,3", "2,3,0,8,5", "2,3,90,100,3"]
    (folder / "queries.csv").write_text("\n".join(rows) + "\n")
    return folder


def job_in(folder: Path, tables: str, *, name: str = "job") -> Job:
    return load_job(job_file(folder, tables, name=name))


def job_file(folder: Path, tables: str, *, name: str = "job") -> Path:
    path = folder / f"{name}.job.toml"
    path.write_text(f'name = "{name}"\n{tables}')
    return path


def bake_in(folder: Path, job: Job, *, retries: int = 0) -> Baked:
    store = Store(folder)
    return bake(job, store, Here(store, job.gathered), retries=retries)


def files_of(folder: Path) -> dict[str, bytes]:
    """Return all that is baked in a folder: results, manifests, tables and stages, but what has times in it."""
    places = [folder / "results", *folder.glob("*.json"), *folder.glob("*.csv"), *folder.glob("*.usda")]
    paths = [path for place in places for path in (place.rglob("*") if place.is_dir() else [place])]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.is_file()}


def rounded(values: object) -> np.ndarray:
    return np.round(np.asarray(values, dtype=float), 6)
