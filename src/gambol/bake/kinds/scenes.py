"""What tasks about scenes have in common: which scenes, which seeds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from gambol.bake.inputs import Gathered, plain_path
from gambol.bake.kinds.kind import Seeds, Tasks, seeds_of
from gambol.bake.task import Task
from gambol.errors import InvalidInput
from gambol.scene.file import load_scene
from gambol.scene.scene import Scene
from gambol.scene.shipped import shipped_path


class SceneTasks(Tasks):
    """Scenes times seeds times settings."""

    OF_KIND: ClassVar[str]

    scenes: list[str] = Field(min_length=1)
    """Scene files beside the job's file, patterns such as "scenes/*.toml", or names that `gambol scenes` lists."""
    seeds: Seeds = 1
    """How many, from 0 on; or a list of them; or a range such as "10-19"."""
    motions: str | None = None
    """Folder of motion files, for character files that the scenes name."""

    def tasks(self, beside: Path, gathered: Gathered) -> Iterator[Task]:
        write, seeds = self.suffixes(), seeds_of(self.seeds)
        motions = None if self.motions is None else plain_path(beside / self.motions)
        for path in self._paths(beside):
            scene, inputs, root = gathered.read(partial(load_scene, path, motions=motions), path, folder=motions)
            if scene.kind != self.OF_KIND:
                raise InvalidInput(f"scenes: {scene.name!r} is of the kind {scene.kind!r}, not {self.OF_KIND!r}")
            self.refuse(scene)
            source = plain_path(path).relative_to(root).as_posix()
            folder = None
            if motions is not None and motions.is_relative_to(root):
                folder = motions.relative_to(root).as_posix()
            for settings, told in self.combinations():
                for seed in seeds:
                    label = f"{self.name or scene.name}{told}-seed-{seed}"
                    yield Task(self.kind, label, source, {**settings, "seed": seed, "motions": folder}, write, inputs)

    def refuse(self, scene: Scene) -> None:
        """Raise where a scene cannot be baked with these settings."""

    def _paths(self, beside: Path) -> Iterator[Path]:
        for name in self.scenes:
            if not name.endswith(".toml"):
                yield beside / name if (beside / name).exists() else shipped_path(name)
            elif any(sign in name for sign in "*?["):
                found = sorted(beside.glob(name))
                if not found:
                    raise InvalidInput(f"scenes: no file beside the job is like {name!r}")
                yield from found
            else:
                yield beside / name


def read_scene(task: Task, inputs: Path) -> Scene:
    """Read a task's scene from where its inputs are laid out."""
    seed, motions = task.settings["seed"], task.settings["motions"]
    assert isinstance(seed, int)
    return load_scene(inputs / task.source, motions=None if motions is None else inputs / str(motions), seed=seed)
