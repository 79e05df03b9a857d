"""What the judge found in a stretch of a crowd's time, told apart by whether an edit brought it about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gambol.crowd import Edit
from gambol.crowd.edits import OUT_S
from gambol.judges import CrowdReport, attribute


class Hit(NamedTuple):
    """Someone is in something that an edit has put there, until it is out for good."""

    who: int
    thing: str
    begin_s: float
    end_s: float

    @property
    def seconds(self) -> float:
        return self.end_s - self.begin_s


class Verdict(NamedTuple):
    """Findings of one stretch of time."""

    counts: dict[str, int]
    hits: list[Hit]  # attributed to edits
    wrong: list[tuple[str, str]]  # class and message of what nothing excuses

    @classmethod
    def of(cls, report: CrowdReport, edits: Sequence[Edit], rate_hz: float, *, most_s: float = OUT_S) -> Verdict:
        """Tell apart what edits excuse: that someone is in something for at most so many seconds."""
        explained, rest = attribute(report, edits, rate_hz=rate_hz, most_s=most_s)
        hits = [
            Hit(one.found.who, one.found.thing, round(one.since_s, 3), round(one.found.end_s, 3)) for one in explained
        ]
        wrong = [("Touch", str(touch)) for touch in rest.touches]
        wrong += [("Collision", f"{one}, from {one.begin_s:.2f} to {one.end_s:.2f} s") for one in rest.collisions]
        wrong += [("IllegalTransition", str(one)) for one in rest.illegal_transitions]
        counts = {
            "frames": report.frames,
            "touches": len(report.touches),
            "collisions": len(rest.collisions),
            "illegal_transitions": len(report.illegal_transitions),
            "hits": len(hits),
        }
        return cls(counts, hits, wrong)

    def failures(self, chunk: int, recipe: str, *, most: int = 20) -> list[dict[str, Any]]:
        """Return what the soak's tally lists as failures."""
        return [
            {"input": chunk, "error": error, "message": message[:300], "recipe": recipe}
            for error, message in self.wrong[:most]
        ]
