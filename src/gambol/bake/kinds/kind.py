"""What every kind of task has: a table of a job file that stands for tasks, and a function that does one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import Field

from gambol.bake.inputs import Gathered
from gambol.bake.task import Scalar, Task
from gambol.errors import InvalidInput
from gambol.io.entries import Entry

Value = TypeVar("Value")
Each = Value | list[Value]  # a list: each of its values in turn
Seeds = Annotated[int, Field(ge=1, le=1_000_000)] | str | list[int]
Summary = dict[str, Any]
LARGEST_SEED = 2**63 - 1


class Tasks(Entry):
    """A table `[[tasks]]` of a job file: all combinations of what it lists."""

    #: What is multiplied, one after the other; each is a setting of a task.
    SWEPT: ClassVar[tuple[str, ...]] = ()
    #: Suffixes of files that tasks of this kind can make.
    SUFFIXES: ClassVar[tuple[str, ...]] = ()

    kind: str
    """What is done."""
    name: str | None = None
    """First part of the names of its files; by default that of the scene, character or clips."""
    write: list[str] = Field(default_factory=list)
    """Files that each task makes, by their suffixes, such as "glb"."""

    @abstractmethod
    def tasks(self, beside: Path, gathered: Gathered) -> Iterator[Task]:
        """Yield all tasks; files are looked for beside the job's file."""

    def suffixes(self) -> tuple[str, ...]:
        """Return what is written as suffixes; an unknown one is an error."""
        found = tuple(suffix if suffix.startswith(".") else f".{suffix}" for suffix in self.write)
        for suffix in found:
            if suffix not in self.SUFFIXES:
                raise InvalidInput(
                    f"write: tasks of the kind {self.kind!r} make no {suffix} files; there are: "
                    + ", ".join(self.SUFFIXES)
                )
        return found

    def combinations(self) -> Iterator[tuple[dict[str, Scalar], str]]:
        """Yield all settings, with what tells them apart from the others in a word or two."""
        lists = [_listed(getattr(self, name)) for name in self.SWEPT]
        for values in product(*lists):
            settings = dict(zip(self.SWEPT, values, strict=True))
            told = [
                f"{name}-{value}"
                for (name, value), options in zip(settings.items(), lists, strict=True)
                if len(options) > 1
            ]
            yield settings, "".join(f"-{one}" for one in told)


def _listed(value: Any) -> list[Scalar]:
    return list(value) if isinstance(value, list) else [value]


def seeds_of(seeds: Seeds) -> list[int]:
    """Return seeds: a number of them from 0 on, a list, or a range such as "10-19"."""
    if isinstance(seeds, int):
        return list(range(seeds))
    if isinstance(seeds, str):
        first, dash, last = seeds.partition("-")
        if not (dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
            raise InvalidInput(f'seeds: a range is written as "10-19", not {seeds!r}')
        if int(last) - int(first) >= 1_000_000:
            raise InvalidInput(f"seeds: {seeds} are more than a million")
        seeds = list(range(int(first), int(last) + 1))
    for seed in seeds:
        if not 0 <= seed <= LARGEST_SEED:
            raise InvalidInput(f"seeds: a seed is a whole number from 0 to 2^63 - 1, not {seed}")
    if len(set(seeds)) < len(seeds):
        raise InvalidInput("seeds: one is listed twice")
    return seeds
