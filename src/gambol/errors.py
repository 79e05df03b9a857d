"""Every error this package raises on purpose, on one screen.

What was wrong, what was expected, and what is near.  `assert` guards our own
guarantees; these guard what others hand us.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path


class GambolError(Exception):
    """Anything Gambol reports on purpose; `where` names the file, line or key concerned."""

    where: str = ""


class InvalidInput(GambolError, ValueError):
    """A value handed to Gambol cannot be used as it is."""


class UnknownName(InvalidInput):
    """A joint, format or other name that does not exist; says which one is near."""

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        near = get_close_matches(name, known, n=1)
        shown = ", ".join(sorted(known)[:12]) + (", …" if len(known) > 12 else "")
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {shown}"
        super().__init__(f"no {kind} {name!r}; {hint}")
        self.where = name


class FileProblem(GambolError):
    """A file cannot be read or written; knows the file and the line."""

    def __init__(self, message: str, *, path: Path | str | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = None if path is None else Path(path)
        self.line = line
        self.where = ":".join(str(part) for part in (path, line) if part is not None)
        super().__init__(f"{self.where}: {message}" if self.where else message)

    def in_file(self, path: Path | str) -> FileProblem:
        """Return this problem with the file's name filled in (parsers see only text)."""
        return type(self)(self.message, path=path, line=self.line)


class MalformedFile(FileProblem, InvalidInput):
    """The contents are not what the format requires."""


class UnreadableFile(FileProblem):
    """The file is missing, a folder, too large or not permitted."""


class MissingExtra(GambolError, ImportError):
    """A capability needs an optional dependency that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional dependency: pip install 'gambol[{extra}]'")
        self.where = extra
