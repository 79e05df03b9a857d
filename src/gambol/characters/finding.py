"""What a check says about a character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Finding:
    """Something about a character that will be seen or missed, and what to do about it.

    An error spoils motions or plans; a warning is worth a look.
    """

    kind: str  # such as "dead end"; the same for all findings of one check
    severity: Severity
    where: str  # a behavior, a clip, or a transition "source -> target"
    what: str
    hint: str

    def as_dict(self) -> dict[str, str]:
        """Return plain strings, ready for JSON."""
        return {
            "kind": self.kind, "severity": self.severity, "where": self.where, "what": self.what, "hint": self.hint,
        }  # fmt: skip
