"""The files of a job, and a list of its mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from gambol.bake.inputs import Gathered, Inputs, plain_path
from gambol.errors import FileProblem, InvalidInput, MissingExtra
from gambol.files.entries import Problems, parse_toml
from gambol.files.toml_lines import Key

PATTERN = "*?["  # a name with one of these signs is a pattern for several files


class Sources(NamedTuple):
    """The files beside a job's file, for one of its tables."""

    beside: Path
    gathered: Gathered
    problems: Problems
    key: Key  # the key of the table

    @property
    def found_mistakes(self) -> bool:
        """Whether the job has any mistakes: then files that take long need not be read."""
        return bool(self.problems)

    def wrong(self, message: str, *key: str | int) -> None:
        """Add a mistake in an entry of the table."""
        self.problems.add((*self.key, *key), message)

    @contextmanager
    def about(self, *key: str | int) -> Iterator[None]:
        """Turn an error inside into a mistake in an entry of the table."""
        try:
            yield
        except (InvalidInput, FileProblem, MissingExtra) as error:
            self.wrong(str(error), *key)

    def folder(self, name: str | None, *key: str | int) -> Path | None:
        """Return a folder beside the job's file; one that is not there is a mistake."""
        if name is None:
            return None
        folder = plain_path(self.beside / name)
        if not folder.is_dir():
            self.wrong(f"there is no folder {folder}", *key)
        return folder

    def paths(
        self, names: Sequence[str], key: str, *, shipped: Callable[[str], Path] | None = None
    ) -> list[tuple[int, Path]]:
        """Return the files of names, each with the number of its name.

        A name is that of a file beside the job's file, or a pattern for several files.  shipped: finds a name that has
        no suffix and is no file.
        """
        found: list[tuple[int, Path]] = []
        for number, name in enumerate(names):
            with self.about(key, number):
                found += [(number, path) for path in self.named(name, shipped)]
        return found

    def path(self, name: str, *, shipped: Callable[[str], Path] | None = None) -> Path:
        """Return the one file of a name; a pattern for several files is an error."""
        found = self.named(name, shipped)
        if len(found) > 1:
            raise InvalidInput(f"expected one file; {name!r} stands for {len(found)}")
        return found[0]

    def named(self, name: str, shipped: Callable[[str], Path] | None = None) -> list[Path]:
        """Return the files of a name, or raise."""
        path = self.beside / name
        if not path.exists() and any(sign in name for sign in PATTERN):
            if Path(name).is_absolute():
                raise InvalidInput(f"a pattern is for files beside the job, not for {name!r}")
            matches = sorted(one for one in self.beside.glob(name) if one.is_file())
            if not matches:
                raise InvalidInput(f"no file beside the job is like {name!r}")
            return [plain_path(match) for match in matches]
        if shipped is not None and not path.exists() and not Path(name).suffix:
            return [shipped(name)]
        return [plain_path(path)]


def relative_to(root: Path, path: Path | None) -> str | None:
    """Return a path's name below a common folder; None: it is not below it, and no task reads it."""
    if path is None or not path.is_relative_to(root):
        return None
    return path.relative_to(root).as_posix()


def check_portable(sources: Sources, inputs: Inputs, motions: Path | None) -> None:
    """Raise if inputs name files by an absolute path or a variable: such files do not travel."""
    for name, data in sources.gathered.contents(inputs).items():
        if not name.endswith(".toml"):
            continue
        for key, text in _texts(parse_toml(data.decode("utf-8-sig"))):
            if key == "motions" and motions is None and "$" in text:
                raise InvalidInput(f'{name} has its motions in {text}: name that folder as "motions" of the tasks')
            if key == "motions" and motions is not None:
                continue
            if Path(text).is_absolute() and Path(text).exists():
                raise InvalidInput(f"{name} names {text}: only files by relative paths travel with tasks")


def _texts(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield all texts in a table, each with its key."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _texts(one, str(name))
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, key)
