"""What all kinds of tasks share: a table of a job file that stands for tasks, with seeds and settings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from pydantic import BeforeValidator, Discriminator, Field, Tag

from gambol.bake.kinds.sources import Sources
from gambol.bake.task import Scalar, Task
from gambol.errors import InvalidInput
from gambol.extras import check_suffix
from gambol.files.entries import Entry

Value = TypeVar("Value")
Summary = dict[str, Any]
LARGEST_SEED = 2**63 - 1  # the largest seed
MOST_SEEDS = 1_000_000  # >= 1: seeds of a table


if TYPE_CHECKING:
    Each = Value | list[Value]
else:

    class Each:
        """A value, or a list of values, one after another.  An error about a single value does not speak of a list."""

        def __class_getitem__(cls, value: Any) -> Any:
            one_by_one = BeforeValidator(_as_list, json_schema_input_type=value | list[value])
            return Annotated[list[value], Field(min_length=1), one_by_one]


def _as_list(value: object) -> object:
    return value if isinstance(value, list) else [value]


def _form(value: object) -> str | None:
    if isinstance(value, bool):
        return None
    return next((kind.__name__ for kind in (int, str, list) if isinstance(value, kind)), None)


Seeds = Annotated[
    Annotated[int, Field(ge=1, le=MOST_SEEDS), Tag("int")]
    | Annotated[str, Tag("str")]
    | Annotated[list[int], Tag("list")],
    Discriminator(
        _form,
        custom_error_type="seeds",
        custom_error_message='Input should be a number of seeds, a list of them, or a range such as "10-19"',
    ),
]


class Tasks(Entry):
    """A table `[[tasks]]` of a job file: all combinations of what it lists."""

    #: The keys that may list several values; each is a setting of a task.
    SWEPT: ClassVar[tuple[str, ...]] = ()
    #: Suffixes of files that tasks of this kind can make.
    SUFFIXES: ClassVar[tuple[str, ...]] = ()

    kind: str
    """The kind of task."""
    name: Annotated[str, Field(pattern=r"^\w[\w .-]*$")] | None = None
    """First part of the tasks' names; by default the name of the scene, character or clips."""
    write: list[str] = Field(default_factory=list)
    """Files that each task makes, by their suffixes, such as "glb"."""
    seeds: Seeds = 1
    """Number of seeds, from 0 on; or a list of them; or a range such as "10-19"."""

    @abstractmethod
    def tasks(self, sources: Sources) -> Iterator[Task]:
        """Yield all tasks; mistakes go to the sources, by their keys."""

    def suffixes(self, sources: Sources) -> tuple[str, ...]:
        """Return the suffixes of `write`, each with its dot; an unknown one is a mistake."""
        found = tuple(suffix if suffix.startswith(".") else f".{suffix}" for suffix in self.write)
        for number, suffix in enumerate(found):
            if suffix not in self.known_suffixes():
                there = ", ".join(self.known_suffixes())
                sources.wrong(
                    f"tasks of the kind {self.kind!r} make no {suffix} files; there are: {there}", "write", number
                )
            elif suffix in found[:number]:
                sources.wrong(f"{suffix} is listed twice", "write", number)
            with sources.about("write", number):
                check_suffix(suffix)
        return found

    @classmethod
    def known_suffixes(cls) -> tuple[str, ...]:
        """Return the suffixes of files that such tasks can make."""
        return cls.SUFFIXES

    def seeded(self, sources: Sources) -> list[int]:
        """Return the seeds."""
        with sources.about("seeds"):
            return seeds_of(self.seeds)
        return []

    def called(self, source: str, several: Sequence[Any]) -> str:
        """Return the first part of a task's name.  several: all sources that share the table's name."""
        if self.name is None:
            return source
        return f"{self.name}-{source}" if len(several) > 1 else self.name

    def combinations(self) -> Iterator[tuple[dict[str, Scalar], str]]:
        """Yield all settings, each with a text that tells them apart from the others."""
        lists = [_listed(getattr(self, name)) for name in self.SWEPT]
        for values in product(*lists):
            settings = dict(zip(self.SWEPT, values, strict=True))
            told = [
                f"{name}-{value}"
                for (name, value), options in zip(settings.items(), lists, strict=True)
                if len(options) > 1
            ]
            yield settings, "".join(f"-{one}" for one in told)


def seed_label(name: str, seed: int) -> str:
    """Return the name of a task with a seed."""
    return f"{name}-seed-{seed}"


def number_or_none(value: Scalar) -> float | None:
    return None if value is None else float(value)


def count_or_none(value: Scalar) -> int | None:
    return None if value is None else int(value)


def _listed(value: Any) -> list[Scalar]:
    return list(value) if isinstance(value, list) else [value]


def seeds_of(seeds: Seeds) -> list[int]:
    """Return seeds: a number of them from 0 on, a list, or a range such as "10-19"."""
    if isinstance(seeds, int):
        return list(range(seeds))
    if isinstance(seeds, str):
        first, dash, last = seeds.partition("-")
        if not (dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
            raise InvalidInput(f'a range is written as "10-19", not {seeds!r}')
        if int(last) - int(first) >= MOST_SEEDS:
            raise InvalidInput(f"{seeds} are more than a million")
        seeds = list(range(int(first), int(last) + 1))
    if not seeds:
        raise InvalidInput("the list is empty: there is nothing to bake")
    for seed in seeds:
        if not 0 <= seed <= LARGEST_SEED:
            raise InvalidInput(f"a seed is a whole number from 0 to 2^63 - 1, not {seed}")
    if len(set(seeds)) < len(seeds):
        raise InvalidInput("a seed is listed twice")
    return seeds
