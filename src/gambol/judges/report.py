"""The findings of the full-rate check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Protocol

Place = tuple[float, float, float]
BOUNDS = "bounds"  # name of the thing with which a performer collides that leaves the world
MOST_LINES = 20  # findings, >= 1: the most that a summary lists


class Report(Protocol):
    """What every judge hands back."""

    @property
    def is_clean(self) -> bool: ...

    @property
    def frames(self) -> int:
        """The number of delivered frames that were judged."""
        ...

    @property
    def summary(self) -> str:
        """The counts, in a line."""
        ...

    @property
    def findings(self) -> list[str]:
        """What was found, a line each; empty if clean."""
        ...

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Collision:
    """A performer enters an obstacle or a mover, or leaves the bounds: one contact, at its deepest moment."""

    performer: str
    thing: str  # name of the obstacle or mover, or "bounds"
    time_s: float
    depth_m: float
    place: Place  # on the axis of the deepest capsule
    part: str  # joint of this capsule

    def __str__(self) -> str:
        where = "leaves the bounds" if self.thing == BOUNDS else f"enters {self.thing}"
        return f"{self.performer} {where} by {100 * self.depth_m:.1f} cm at {self.time_s:.2f} s ({self.part})"


@dataclass(frozen=True)
class Touch:
    """Two performers touch: one contact, at its deepest moment."""

    first: str
    second: str
    time_s: float
    depth_m: float
    place: Place  # between the axes of the two deepest capsules
    first_part: str  # joint of the first's capsule
    second_part: str

    def __str__(self) -> str:
        parts = f"{self.first_part}, {self.second_part}"
        return f"{self.first} touches {self.second} by {100 * self.depth_m:.1f} cm at {self.time_s:.2f} s ({parts})"


@dataclass(frozen=True)
class IllegalTransition:
    """A step that the character does not allow, or a motion that does not follow its steps."""

    performer: str
    step: int  # number of the wrong step
    time_s: float  # start of the step
    reason: str

    def __str__(self) -> str:
        return f"{self.performer}, step {self.step} at {self.time_s:.2f} s: {self.reason}"


@dataclass(frozen=True)
class CheckReport:
    """All findings about delivered motions; none, if clean."""

    collisions: tuple[Collision, ...]
    touches: tuple[Touch, ...]
    illegal_transitions: tuple[IllegalTransition, ...]
    frames: int  # number of checked delivered frames

    @property
    def is_clean(self) -> bool:
        return not (self.collisions or self.touches or self.illegal_transitions)

    @property
    def left_bounds(self) -> tuple[Collision, ...]:
        """Collisions in which a performer leaves the world's bounds."""
        return tuple(collision for collision in self.collisions if collision.thing == BOUNDS)

    @property
    def summary(self) -> str:
        """The counts, in a line."""
        return (
            f"{self.frames} frames: {len(self.collisions)} collisions, {len(self.touches)} touches, "
            f"{len(self.illegal_transitions)} illegal transitions"
        )

    @property
    def findings(self) -> list[str]:
        """What was found, a line each, the deepest first; of many only the first."""
        found = sorted((*self.collisions, *self.touches), key=lambda contact: -contact.depth_m)
        lines = [str(finding) for finding in (*self.illegal_transitions, *found)]
        more = [f"and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
        return [*lines[:MOST_LINES], *more]

    def to_json(self) -> dict[str, Any]:
        """Return the counts, and under `details` all findings."""
        found = {
            "collisions": self.collisions,
            "touches": self.touches,
            "illegal_transitions": self.illegal_transitions,
        }
        counts: dict[str, Any] = {key: len(findings) for key, findings in found.items()}
        details = {key: [asdict(finding) for finding in findings] for key, findings in found.items()}
        return {**counts, "frames": self.frames, "details": details}
