"""A problem that a check finds in a character."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Finding:
    """A problem of a character, and what to do about it.

    An error spoils motions or plans; a warning is worth a look.
    """

    kind: str  # name of the problem, such as "dead end"
    severity: Severity
    where: str  # a behavior, a clip, or a transition "source -> target"
    what: str
    hint: str

    def as_dict(self) -> dict[str, str]:
        """Return plain strings, ready for JSON."""
        return asdict(self)
