"""Every error that this package raises on purpose, on one screen.

An error says what was wrong, what was expected, and what is near.  `assert` guards our own
guarantees; these errors guard what others hand us.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

MOST_LISTED = 50  # mistakes: the most that one message lists; it counts the others


class GambolError(Exception):
    """Any error that Gambol raises on purpose."""

    where: str = ""  # the file, line or key concerned


class InvalidInput(GambolError, ValueError):
    """A value handed to Gambol cannot be used as it is."""


class UnknownName(InvalidInput):
    """A joint, format or other name that does not exist; the message suggests a near one."""

    def __init__(self, kind: str, name: str, known: Sequence[str], *, place: str = "") -> None:
        near = get_close_matches(name, known, n=1)
        shown = ", ".join(sorted(known)[:12]) + (", …" if len(known) > 12 else "")
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {shown}"
        there = f" {place}" if place else ""
        super().__init__(f"no {kind} {name!r}{there}; {hint}")
        self.where = name


class FileProblem(GambolError):
    """A file cannot be read or written; the error knows the file and the line."""

    def __init__(self, message: str, *, path: Path | str | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = None if path is None else Path(path)
        self.line = line
        self.where = ":".join(str(part) for part in (path, line) if part is not None)
        super().__init__(f"{self.where}: {message}" if self.where else message)

    def in_file(self, path: Path | str) -> FileProblem:
        """Return this problem with the file's name filled in: parsers see only text."""
        return type(self)(self.message, path=path, line=self.line)


class MalformedFile(FileProblem, InvalidInput):
    """The contents are not what the format requires."""


class EntryProblem(NamedTuple):
    """A mistake in one entry of a file that a person wrote."""

    key: str  # such as "behaviors[3].clips[0].first"; empty for the file as a whole
    message: str
    line: int | None = None

    def __str__(self) -> str:
        spot = ", ".join(part for part in (f"line {self.line}" if self.line is not None else "", self.key) if part)
        return f"{spot}: {self.message}" if spot else self.message


class InvalidEntries(MalformedFile):
    """Entries of a file are wrong; the message lists them, each with its key and line."""

    def __init__(self, problems: Sequence[EntryProblem], *, path: Path | str | None = None) -> None:
        self.problems = tuple(problems)
        if len(self.problems) == 1:
            problem = self.problems[0]
            key = f"{problem.key}: " if problem.key else ""
            super().__init__(f"{key}{problem.message}", path=path, line=problem.line)
        else:
            listed = "".join(f"\n  {problem}" for problem in self.problems[:MOST_LISTED])
            if len(self.problems) > MOST_LISTED:
                listed += f"\n  and {len(self.problems) - MOST_LISTED} more"
            super().__init__(f"{len(self.problems)} entries are wrong:{listed}", path=path)

    def in_file(self, path: Path | str) -> InvalidEntries:
        return InvalidEntries(self.problems, path=path)


class UnreadableFile(FileProblem):
    """The file is missing, a folder, too large or not permitted."""


class MissingExtra(GambolError, ImportError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional dependency: pip install 'gambol[{extra}]'")
        self.where = extra
