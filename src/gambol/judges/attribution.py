"""Which edit caused a collision, and how long the character took to get out of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gambol.crowd.edit import Edit, Hit
from gambol.crowd.edits import OUT_S
from gambol.judges.crowd_report import CrowdCollision, CrowdReport

# A planning frame covers half a frame before and after it; a collision begins and ends with a delivered frame, and
# delivered frames are at least as frequent.
SPARE_FRAMES = 1.0 + 1e-6  # planning frames, >= 0: a collision may be this much longer than the hit that explains it
STANDING = ("add", "move")  # edits after which a thing stays in its place
GONE = ("remove", "take")  # edits that remove a thing


@dataclass(frozen=True)
class Overlap:
    """The part of a collision during which one edit holds for the thing."""

    found: CrowdCollision  # its times are those of the part
    edit: Edit | None  # the edit that caused it; None: no edit did
    since_s: float  # when the character first entered the thing that this edit placed

    @property
    def seconds(self) -> float:
        """How long the character took to get out."""
        return self.found.end_s - self.since_s


def attribute(
    report: CrowdReport, edits: Sequence[Edit], *, rate_hz: float = 30.0, most_s: float = OUT_S
) -> tuple[tuple[Overlap, ...], CrowdReport]:
    """Return the collisions that edits explain, and the report of all others.

    An edit explains a collision with the thing it placed if the character had a trajectory through it when the edit
    took effect and found no better one since, and if the character gets out within `most_s`.  It never explains a
    touch.
    """
    overlaps = find_overlaps(report.collisions, edits, rate_hz=rate_hz)
    explained = tuple(one for one in overlaps if one.edit is not None and one.seconds <= most_s)
    known = set(map(id, explained))
    others = tuple(one.found for one in overlaps if id(one) not in known)
    return explained, replace(report, collisions=others)


def find_overlaps(collisions: Iterable[CrowdCollision], edits: Sequence[Edit], *, rate_hz: float) -> list[Overlap]:
    """Return all collisions, split where another edit of the thing takes effect, each with the edit that explains."""
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
    """Yield the parts of a collision in order, each with the edit that holds during it, or None."""
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
    """Return whether one of an edit's hits lasts as long as the collision."""
    begin, end = found.begin_s * rate_hz, found.end_s * rate_hz
    for first, last in _joined(edit.hits.get(found.who, [])):
        if first - SPARE_FRAMES <= begin and end <= last + SPARE_FRAMES:
            return True
    return False


def _joined(hits: Iterable[Hit]) -> list[tuple[int, float]]:
    """Return first and last frames of hits; hits are joined if only a delivered frame lies between them."""
    joined: list[tuple[int, float]] = []
    for hit in hits:
        last = math.inf if hit.last_frame is None else hit.last_frame
        if joined and hit.first_frame <= joined[-1][1] + 2.0 * SPARE_FRAMES:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((hit.first_frame, last))
    return joined
