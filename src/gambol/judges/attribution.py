"""Which edit brought about what the judge has found, and how long it took until they were out again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gambol.crowd.edit import Edit, Hit
from gambol.crowd.edits import OUT_S
from gambol.judges.crowd_report import CrowdCollision, CrowdReport

# A frame of planning stands for half a frame before and after it, and a collision begins and ends with a delivered
# frame, of which there are at least as many.
SPARE_FRAMES = 1.0 + 1e-6
STANDING = ("add", "move")  # edits that put something where it stays
GONE = ("remove", "take")


@dataclass(frozen=True)
class Overlap:
    """Somebody is in something: a stretch of a collision during which one and the same edit holds for that thing."""

    found: CrowdCollision  # from when until when is that of the stretch
    edit: Edit | None  # that has brought it about; None: nothing has
    since_s: float  # when they first came into what this edit has put there, in order to get out of it for good

    @property
    def seconds(self) -> float:
        """How long it took until they were out of it."""
        return self.found.end_s - self.since_s


def attribute(
    report: CrowdReport, edits: Sequence[Edit], *, rate_hz: float = 30.0, most_s: float = OUT_S
) -> tuple[tuple[Overlap, ...], CrowdReport]:
    """Return the collisions that edits explain, and the report of all that none does.

    An edit explains that somebody is in what it has put there if they held a trajectory that met it when it took
    effect and had no better one since, and if they are out within some time.  It never explains a touch.
    """
    overlaps = find_overlaps(report.collisions, edits, rate_hz=rate_hz)
    explained = tuple(one for one in overlaps if one.edit is not None and one.seconds <= most_s)
    known = set(map(id, explained))
    others = tuple(one.found for one in overlaps if id(one) not in known)
    return explained, replace(report, collisions=others)


def find_overlaps(collisions: Iterable[CrowdCollision], edits: Sequence[Edit], *, rate_hz: float) -> list[Overlap]:
    """Return all collisions, parted where another edit begins to hold for what is met, each with what explains it."""
    by_name: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.frame is not None and edit.kind not in GONE:
            by_name.setdefault(edit.name, []).append(edit)
    first_s: dict[tuple[int, int], float] = {}
    overlaps = []
    for found in sorted(collisions, key=lambda one: one.begin_s):
        for part, edit in _parts(found, by_name.get(found.thing, ()), rate_hz):
            since_s = part.begin_s
            if edit is not None and not _explains(edit, part, rate_hz):
                edit = None
            elif edit is not None and edit.kind in STANDING:
                since_s = first_s.setdefault((edit.number, found.who), part.begin_s)
            overlaps.append(Overlap(part, edit, since_s))
    return overlaps


def _parts(
    found: CrowdCollision, edits: Iterable[Edit], rate_hz: float
) -> Iterable[tuple[CrowdCollision, Edit | None]]:
    """Yield the parts of a collision during which one edit holds, in order, and those in which none does."""
    begin_s = found.begin_s
    for edit in edits:
        assert edit.frame is not None
        from_s = max(edit.frame / rate_hz, begin_s)
        until_s = min(math.inf if edit.until is None else edit.until / rate_hz, found.end_s)
        if until_s <= from_s:
            continue
        if from_s > begin_s:
            yield replace(found, begin_s=begin_s, end_s=from_s), None
        yield replace(found, begin_s=from_s, end_s=until_s), edit
        begin_s = until_s
    if begin_s < found.end_s:
        yield replace(found, begin_s=begin_s), None


def _explains(edit: Edit, found: CrowdCollision, rate_hz: float) -> bool:
    """Tell whether an edit has met someone for as long as a collision lasts."""
    begin, end = found.begin_s * rate_hz, found.end_s * rate_hz
    for first, last in _joined(edit.hits.get(found.who, [])):
        if first - SPARE_FRAMES <= begin and end <= last + SPARE_FRAMES:
            return True
    return False


def _joined(hits: Iterable[Hit]) -> list[tuple[int, float]]:
    """Return first and last frames; hits that a delivered frame may lie between are one."""
    joined: list[tuple[int, float]] = []
    for hit in hits:
        last = math.inf if hit.last_frame is None else hit.last_frame
        if joined and hit.first_frame <= joined[-1][1] + 2.0 * SPARE_FRAMES:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((hit.first_frame, last))
    return joined
