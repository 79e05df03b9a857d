"""The characters of tasks; each worker reads a character once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from gambol.bake.inputs import Inputs, plain_path
from gambol.bake.kinds.sources import Sources, check_portable, relative_to
from gambol.bake.task import Task
from gambol.characters.character import Character
from gambol.characters.store import is_character_file, load_character, shipped_character

KEPT = 8  # >= 1: characters, and subsets, that each worker keeps; larger: more memory


class Named(NamedTuple):
    """A character of a job, and the files it is read from."""

    character: Character
    source: str  # its file among the inputs, or the name of a character that ships
    motions: str | None  # the folder of its motions among the inputs
    inputs: Inputs
    root: Path  # the folder that names among the inputs are relative to


@lru_cache(maxsize=KEPT)
def kept_character(path: Path, *, motions: Path | None = None) -> Character:
    """Open a character's file once: files that are laid out for tasks never change."""
    return load_character(path, motions=motions)


@lru_cache(maxsize=KEPT)
def _subset(character: Character, name: str) -> Character:
    return character.subset(name)


def subset_of(character: Character, name: str | None) -> Character:
    """Return a subset of a character, always the same object; None: the character."""
    return character if name is None else _subset(character, name)


def read_character(
    sources: Sources, name: str, motions: Path | None, *more: Path, also: Callable[[], object] | None = None
) -> Named:
    """Read a character that a table names, with its files.

    more: files that travel with it.  also: a reader of further files that travel with it.
    """
    path = plain_path(sources.beside / name) if is_character_file(name) else None

    def read() -> Character:
        if also is not None:
            also()
        return load_character(path or name, motions=motions)

    character, inputs, root = sources.gathered.read(read, *more, *([] if path is None else [path]), folder=motions)
    check_portable(sources, inputs, motions)
    return Named(character, relative_to(root, path) or name, relative_to(root, motions), inputs, root)


def character_of(task: Task, inputs: Path) -> Character:
    """Return the character that a task's settings "character", "subset" and "motions" name."""
    name, subset, motions = (task.settings[key] for key in ("character", "subset", "motions"))
    if str(name) not in task.inputs.digests:
        return subset_of(shipped_character(str(name)), None if subset is None else str(subset))
    folder = None if motions is None else inputs / str(motions)
    return subset_of(kept_character(inputs / str(name), motions=folder), None if subset is None else str(subset))
