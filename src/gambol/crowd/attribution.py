"""Which of the judge's findings an edit explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gambol.crowd.edits import OUT_S, Edit
from gambol.crowd.judge_report import CrowdCollision, CrowdReport

SPARE_FRAMES = 1.5  # a delivered frame belongs to the planning frames before and after it


def attribute(
    report: CrowdReport, edits: Sequence[Edit], *, rate_hz: float = 30.0
) -> tuple[tuple[CrowdCollision, ...], CrowdReport]:
    """Return the collisions that edits explain, and the report of all that none does.

    An edit explains that somebody is in what it has put there if they held a trajectory that met it when it took
    effect and had no better one since, and if they are out again within two seconds.  It never explains a touch.
    """
    explained = tuple(found for found in report.collisions if explaining_edit(found, edits, rate_hz) is not None)
    known = set(map(id, explained))
    others = tuple(found for found in report.collisions if id(found) not in known)
    return explained, replace(report, collisions=others)


def explaining_edit(found: CrowdCollision, edits: Sequence[Edit], rate_hz: float) -> Edit | None:
    """Return the edit that explains a collision, or None."""
    if found.end_s - found.begin_s > OUT_S:
        return None
    begin, end = found.begin_s * rate_hz, found.end_s * rate_hz
    for edit in edits:
        hit = edit.hits.get(found.who)
        if edit.name != found.thing or hit is None or edit.frame is None:
            continue
        last = end if hit.last_frame is None else hit.last_frame
        if begin >= hit.first_frame - SPARE_FRAMES and end <= last + SPARE_FRAMES:
            return edit
    return None
