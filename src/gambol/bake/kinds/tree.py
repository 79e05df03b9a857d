"""Tasks of the kind "tree": search trees, grown from characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from gambol.bake.kinds.characters import character_of, read_character, subset_of
from gambol.bake.kinds.kind import Each, Summary, Tasks, seed_label
from gambol.bake.kinds.sources import Sources
from gambol.bake.task import Scalar, Task
from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.trees.audit import audit_tree
from gambol.trees.cache import check_settings, grown_tree
from gambol.trees.describe import summarize_tree
from gambol.trees.file import write_tree
from gambol.trees.region import Region

SUFFIX = ".tree"  # ending of tree files
Builder = Literal[
    "exhaustive", "pruned", "diverse", "surviving", "cheapest", "green-kelly", "inner-product", "inclusion-exclusion",
    "survivor",
]  # fmt: skip


class TreeTasks(Tasks):
    """Characters times builders and their settings, as by `gambol tree grow`."""

    SWEPT: ClassVar = ("subset", "builder", "nodes", "depth", "reach_m", "begins", "check")
    SUFFIXES: ClassVar = (SUFFIX, ".png")

    characters: list[str] = Field(min_length=1)
    """Character files beside the job's file, or names of characters that ship."""
    motions: str | None = None
    """Folder of motion files, for character files."""
    subset: Each[str] | None = None
    """A subset of each character's behaviors; by default all."""
    builder: Each[Builder] = "diverse"
    """How nodes are chosen."""
    nodes: Each[Annotated[int, Field(ge=2)]] | None = None
    """Number of nodes, at most."""
    depth: Each[Annotated[int, Field(ge=1)]] | None = None
    """Clips in a row at most, for all but diverse, surviving and cheapest."""
    reach_m: Each[Annotated[float, Field(gt=0.0)]] | None = None
    """Distance from the root at most, for diverse, surviving and cheapest."""
    begins: Each[str] | None = None
    """Transition label of the root; by default any behavior may come first."""
    check: bool = True
    """Whether everything in the tree is computed again and compared."""
    write: list[str] = Field(default_factory=lambda: ["tree"])
    """The tree, and a picture of it: "tree", "png"."""

    def tasks(self, sources: Sources) -> Iterator[Task]:
        write, seeds = self.suffixes(sources), self.seeded(sources)
        motions = sources.folder(self.motions, "motions")
        with sources.about("builder"):
            for settings, _ in self.combinations():
                check_settings(str(settings["builder"]), _growth(settings))
        if sources.found_mistakes:
            return
        for number, name in enumerate(self.characters):
            with sources.about("characters", number):
                named = read_character(sources, name, motions)
                for settings, told in self.combinations():
                    _refuse(named.character, settings)
                    for seed in seeds:
                        label = seed_label(f"{self.called(named.character.name, self.characters)}{told}", seed)
                        own = {**settings, "seed": seed, "character": named.source, "motions": named.motions}
                        yield Task(self.kind, label, named.source, own, write, named.inputs)


def bake_tree(task: Task, inputs: Path, folder: Path) -> Summary:
    character, settings = character_of(task, inputs), task.settings
    own = {**_growth(settings), "begins": settings["begins"], "seed": settings["seed"]}
    tree = grown_tree(character, str(settings["builder"]), own)
    problems = audit_tree(tree, character) if settings["check"] else []
    path = folder / f"{character.name.replace('/', '-')}{SUFFIX}"
    if SUFFIX in task.write:
        write_tree(path, tree)
    if ".png" in task.write:
        from gambol.pictures.tree_picture import tree_picture

        tree_picture(path.with_suffix(".png"), tree, character)
    return {
        "outcome": "grown",
        "clean": not problems if settings["check"] else None,
        "problems": problems,
        **summarize_tree(tree),
    }


def _growth(settings: Mapping[str, Scalar]) -> dict[str, Any]:
    """Return the keywords of the builder."""
    given: dict[str, Any] = {"nodes": settings["nodes"], "depth": settings["depth"]}
    reach = settings["reach_m"]
    if reach is not None:
        cheapest = settings["builder"] == "cheapest"
        given |= {"reach_m": reach} if cheapest else {"region": Region.disc(float(reach))}
    return {name: value for name, value in given.items() if value is not None}


def _refuse(character: Character, settings: Mapping[str, Scalar]) -> None:
    """Raise if a character has no such subset, or no such label to begin at."""
    subset, begins = settings["subset"], settings["begins"]
    whose = subset_of(character, None if subset is None else str(subset))
    labels = sorted({one.begins for one in whose.behaviors})
    if begins is not None and begins not in labels:
        raise InvalidInput(f"no behavior of {whose.name!r} begins at {begins!r}; there are: {', '.join(labels)}")
