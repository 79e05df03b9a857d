"""What all kinds of tasks about scenes share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from gambol.bake.inputs import plain_path
from gambol.bake.kinds.characters import kept_character
from gambol.bake.kinds.kind import Tasks, seed_label
from gambol.bake.kinds.sources import Sources, check_portable, relative_to
from gambol.bake.task import Task
from gambol.deliver.registry import suffixes_of
from gambol.errors import InvalidInput
from gambol.scenes.file import load_scene
from gambol.scenes.find import shipped_path
from gambol.scenes.scene import Scene


class SceneTasks(Tasks):
    """Scenes times seeds times settings."""

    OF_KIND: ClassVar[str]
    LEFT_OUT: ClassVar[tuple[str, ...]] = ()  # suffixes of files that differ from run to run

    scenes: list[str] = Field(min_length=1)
    """Scene files beside the job's file, patterns such as "scenes/*.toml", or names from `gambol scenes`."""
    motions: str | None = None
    """Folder of motion files, for character files that the scenes name."""

    def tasks(self, sources: Sources) -> Iterator[Task]:
        write, seeds = self.suffixes(sources), self.seeded(sources)
        motions = sources.folder(self.motions, "motions")
        paths = sources.paths(self.scenes, "scenes", shipped=shipped_path)
        beside = self.more_files(sources)
        if sources.found_mistakes:
            return
        for number, path in paths:
            with sources.about("scenes", number):
                read = partial(load_scene, path, motions=motions)
                scene, inputs, root = sources.gathered.read(read, path, *beside.values(), folder=motions)
                if scene.kind != self.OF_KIND:
                    raise InvalidInput(f"{scene.name!r} is of the kind {scene.kind!r}, not {self.OF_KIND!r}")
                check_portable(sources, inputs, motions)
                self.refuse(scene, write, sources)
                source = relative_to(root, plain_path(path)) or ""
                fixed = {"motions": relative_to(root, motions)}
                fixed |= {name: relative_to(root, one) for name, one in beside.items()}
                for settings, told in self.combinations():
                    for seed in seeds:
                        label = seed_label(f"{self.called(scene.name, paths)}{told}", seed)
                        yield Task(self.kind, label, source, {**settings, "seed": seed, **fixed}, write, inputs)

    @classmethod
    def known_suffixes(cls) -> tuple[str, ...]:
        return tuple(suffix for suffix in suffixes_of(cls.OF_KIND) if suffix not in cls.LEFT_OUT)

    def more_files(self, sources: Sources) -> dict[str, Path]:
        """Return the files that every task reads beside its scene, by the settings that name them."""
        return {}

    def refuse(self, scene: Scene, write: tuple[str, ...], sources: Sources) -> None:
        """Raise, or tell the sources, why a scene cannot be baked with these settings."""


def read_scene(task: Task, inputs: Path) -> Scene:
    """Read a task's scene from the folder of its inputs."""
    seed, motions = task.settings["seed"], task.settings["motions"]
    assert isinstance(seed, int)
    folder = None if motions is None else inputs / str(motions)
    return load_scene(inputs / task.source, motions=folder, seed=seed, open_file=kept_character)
