"""What the judge found in a stretch of a crowd's time, told apart by whether an edit brought it about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gambol.crowd.attribution import attribute
from gambol.crowd.edits import Edit
from gambol.crowd.judge_report import CrowdReport

JOIN_S = 0.05  # hits that follow each other so soon are one


class Hit(NamedTuple):
    """Someone is in something that an edit has put there."""

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
    def of(cls, report: CrowdReport, edits: Sequence[Edit], rate_hz: float) -> Verdict:
        explained, rest = attribute(report, edits, rate_hz=rate_hz)
        hits = [Hit(one.who, one.thing, round(one.begin_s, 3), round(one.end_s, 3)) for one in explained]
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


def joined_hits(hits: Iterable[Hit]) -> list[Hit]:
    """Join hits that go on from one stretch of time to the next."""
    joined: list[Hit] = []
    for hit in sorted(hits):
        last = joined[-1] if joined else None
        if last is not None and last[:2] == hit[:2] and hit.begin_s <= last.end_s + JOIN_S:
            joined[-1] = last._replace(end_s=max(last.end_s, hit.end_s))
        else:
            joined.append(hit)
    return joined
