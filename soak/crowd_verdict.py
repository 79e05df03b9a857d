"""What the judge found in a stretch of a crowd's time, told apart by whether an edit brought it about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gambol.crowd.edits import Edit
from gambol.crowd.judge_report import CrowdCollision, CrowdReport

SLACK_FRAMES = 2  # by which what is delivered may be met before or after what was planned
CLEARED_S = 2.0  # within which everyone is out of what an edit has put onto them
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
        excused = [one for one in report.collisions if is_attributed(one, edits, rate_hz)]
        bare = [one for one in report.collisions if one not in excused]
        hits = [Hit(one.who, one.thing, round(one.begin_s, 3), round(one.end_s, 3)) for one in excused]
        wrong = [("Touch", str(touch)) for touch in report.touches]
        wrong += [("Collision", str(one)) for one in bare]
        wrong += [("IllegalTransition", str(one)) for one in report.illegal_transitions]
        wrong += [("SlowToClear", f"{hit}: {hit.seconds:.2f} s") for hit in hits if hit.seconds > CLEARED_S]
        counts = {
            "frames": report.frames,
            "touches": len(report.touches),
            "collisions": len(bare),
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


def is_attributed(collision: CrowdCollision, edits: Sequence[Edit], rate_hz: float) -> bool:
    """Tell whether the crowd itself says that an edit put this thing onto this character for all of this time."""
    begin, end = collision.begin_s * rate_hz, collision.end_s * rate_hz
    for edit in edits:
        hit = edit.hits.get(collision.who) if edit.name == collision.thing else None
        if hit is None or begin < hit.first_frame - SLACK_FRAMES:
            continue
        if hit.last_frame is None or end <= hit.last_frame + SLACK_FRAMES:
            return True
    return False


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
