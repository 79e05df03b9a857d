"""Findings about a crowd, and how long each lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from gambol.judges.report import CheckReport, Collision, IllegalTransition, Touch

TIME_TOLERANCE_S = 1e-6  # s, > 0: contacts this close in time are one


@dataclass(frozen=True)
class CrowdCollision(Collision):
    """A character of a crowd enters something or leaves the bounds for some time; depth and place are the deepest.

    Its times are those of the character's last frame before it and first frame after it.
    """

    who: int  # the character's number in the recording
    begin_s: float
    end_s: float


@dataclass(frozen=True)
class CrowdTouch(Touch):
    """Two characters of a crowd touch for some time; depth and place are the deepest."""

    who: int  # the first's number in the recording
    whom: int  # the second's
    begin_s: float
    end_s: float


@dataclass(frozen=True)
class CrowdReport(CheckReport):
    """All findings about a crowd in a stretch of time."""

    collisions: tuple[CrowdCollision, ...]
    touches: tuple[CrowdTouch, ...]
    illegal_transitions: tuple[IllegalTransition, ...]
    frames: int  # number of judged delivered frames, of all characters
    from_s: float
    until_s: float


def join_reports(reports: Sequence[CrowdReport]) -> CrowdReport:
    """Return the report of the whole time from the reports of its parts, in order and without gaps.

    A contact that lasts from one part into the next is one finding.
    """
    return CrowdReport(
        _joined((found for report in reports for found in report.collisions), lambda found: (found.who, found.thing)),
        _joined((found for report in reports for found in report.touches), lambda found: (found.who, found.whom)),
        tuple(dict.fromkeys(found for report in reports for found in report.illegal_transitions)),
        sum(report.frames for report in reports),
        min((report.from_s for report in reports), default=0.0),
        max((report.until_s for report in reports), default=0.0),
    )


Contact = TypeVar("Contact", CrowdCollision, CrowdTouch)


def _joined(contacts: Iterable[Contact], key: Callable[[Contact], tuple]) -> tuple[Contact, ...]:
    kept: list[Contact] = []
    for contact in sorted(contacts, key=lambda found: (key(found), found.begin_s)):
        before = kept[-1] if kept else None
        if before is not None and key(before) == key(contact) and contact.begin_s <= before.end_s + TIME_TOLERANCE_S:
            deeper = contact if contact.depth_m > before.depth_m else before
            kept[-1] = replace(deeper, begin_s=before.begin_s, end_s=max(before.end_s, contact.end_s))
        else:
            kept.append(contact)
    return tuple(sorted(kept, key=lambda found: (found.time_s, *key(found))))
