"""What was asked for of a running crowd's world, and whom it met."""

from __future__ import annotations

from dataclasses import dataclass, field

WHEN = ("clear", "soon", "now")


@dataclass
class Hit:
    """Somebody is in what an edit has put there: from which frame to which.

    Both may be to come.  The last is None as long as no way out is known.
    """

    first_frame: int
    last_frame: int | None


@dataclass
class Edit:
    """What was asked for and what became of it."""

    number: int
    kind: str  # "add", "move", "remove", "throw", "drive" or "take"
    name: str
    when: str  # one of WHEN
    asked_frame: int
    frame: int | None = None  # at which it took effect
    until: int | None = None  # frame from which on another edit holds for the same name, or it is gone
    dropped: bool = False  # another one came before it took effect
    hits: dict[int, list[Hit]] = field(default_factory=dict)  # by the number of who was met, in order

    @property
    def is_pending(self) -> bool:
        return self.frame is None and not self.dropped

    @property
    def is_clear(self) -> bool:
        """Whether it has taken effect and nobody is in it any more or about to be."""
        return self.frame is not None and all(hits[-1].last_frame is not None for hits in self.hits.values())
