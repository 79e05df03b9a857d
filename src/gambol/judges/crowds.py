"""The independent judge of crowds: it checks delivered motions at full rate, stretch by stretch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from gambol.crowd.recording import Recording
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judges.crowd_blocks import Inspector, Setting, tabulate_setting
from gambol.judges.crowd_figures import Figures, Kind, Steps, tabulate_figures
from gambol.judges.crowd_legality import find_illegal_steps
from gambol.judges.crowd_report import CrowdCollision, CrowdReport, CrowdTouch, join_reports
from gambol.judges.findings import LAST, Findings, place_of
from gambol.judges.report import BOUNDS
from gambol.judges.rows import CAPSULE, DEPTH, FIRST, MOMENT, OTHER_CAPSULE, SECOND, TIME
from gambol.judges.tables import COLLISION_DEPTH_M, check_depth
from gambol.world.world import World

__all__ = ["CrowdCollision", "CrowdReport", "CrowdTouch", "join_reports", "judge_crowd"]

FRAME_TOLERANCE = 1e-6  # frames, > 0: a time this close to a planning frame is the frame's
LATER = np.iinfo(np.int32).max  # a frame after all others


def judge_crowd(
    recording: Recording,
    world: World,
    *,
    from_s: float = 0.0,
    until_s: float | None = None,
    edits: Sequence[tuple[int, World]] = (),
    collision_depth_m: float = COLLISION_DEPTH_M,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> CrowdReport:
    """Judge a crowd as `check_motions` judges motions, for thousands of characters and many minutes.

    Each character's motion is that of `Recording.motion`: its clips and the blends between them at their own rate,
    from its first frame to its last; before and after, the character is not there.  Bodies are capsules that move
    straight between frames, and nothing is missed between frames.  Collisions, touches and illegal transitions are
    defined as in `check_motions`; each has a first and a last time.  This code shares nothing with planners: it uses
    delivered frames, capsules and exact geometry.

    Memory does not grow with the time, except for the recording and the findings.

    from_s, until_s: the part of the recording to judge, extended to whole planning frames; `join_reports` joins the
    reports of parts.  The end of a recording that still grows is final only when its playing clips have ended:
    the next clips change their blends.
    edits: worlds that each replace the one before from a planning frame on, in order.
    threads: number of threads; the report is the same.
    progress: called with the share of the time that is judged.
    """
    first, last = _frames(recording, from_s, until_s)
    figures, steps, kinds = tabulate_figures(recording)
    frames = [frame for frame, _ in edits]
    if frames != sorted(frames):
        raise InvalidInput(f"edits must be in the order of their frames, not {frames}")
    inspector = Inspector(figures, steps, threads)
    things: dict[str, int] = {}
    collisions, touches = Findings(), Findings()
    for stretch, entered, touched in inspector.look(
        _settings(world, edits, first, last, recording.rate_hz, check_depth(collision_depth_m))
    ):
        names = (*stretch.setting.names, BOUNDS)  # LEAVES is the last
        entered[:, SECOND] = [things.setdefault(names[int(thing)], len(things)) for thing in entered[:, SECOND]]
        collisions.add(entered)
        touches.add(touched)
        if progress is not None:
            progress((stretch.frame_to - first) / (last - first))
    at_end = last == recording.frames - 1
    return CrowdReport(
        _collisions(recording, kinds, list(things), collisions.joined()),
        _touches(recording, kinds, figures.ticks_per_step, touches.joined()),
        find_illegal_steps(recording, kinds, steps.join, first, LATER if at_end else last),
        _frame_count(recording, steps, figures, first, last, at_end),
        first / recording.rate_hz,
        last / recording.rate_hz,
    )


def _frames(recording: Recording, from_s: float, until_s: float | None) -> tuple[int, int]:
    """Return the planning frames between which to judge."""
    end_s = max(recording.duration_s, 0.0) if until_s is None else until_s
    if not (np.isfinite(from_s) and np.isfinite(end_s) and 0.0 <= from_s <= end_s):
        raise InvalidInput(
            f"a part of a recording begins at 0 s or later and ends after that, not {from_s} to {end_s} s"
        )
    last = max(recording.frames - 1, 0)
    first = int(np.floor(from_s * recording.rate_hz + FRAME_TOLERANCE))
    return min(first, last), min(int(np.ceil(end_s * recording.rate_hz - FRAME_TOLERANCE)), last)


def _settings(
    world: World, edits: Sequence[tuple[int, World]], first: int, last: int, rate_hz: float, depth_m: float
) -> Iterator[Setting]:
    changes = [(first, world), *((max(frame, first), edited) for frame, edited in edits), (last, world)]
    for (begin, current), (end, _) in pairwise(changes):
        if begin < min(end, last):
            yield tabulate_setting(current, begin, min(end, last), rate_hz, depth_m)


def _collisions(
    recording: Recording, kinds: Sequence[Kind], things: Sequence[str], rows: FloatArray
) -> tuple[CrowdCollision, ...]:
    found = []
    for row in rows:
        who, thing = int(row[FIRST]), things[int(row[SECOND])]
        kind = kinds[recording.kind[who]]
        rate_hz = recording.rate_hz * kind.blends.clips[0].frames_per_step
        after = 0 if thing == BOUNDS else 1  # departures are found in frames, collisions in intervals between frames
        contact = recording.names[who], thing, float(row[TIME]), float(row[DEPTH]), place_of(row)
        times = float(row[MOMENT] / rate_hz), float((row[LAST] + after) / rate_hz)
        found.append(CrowdCollision(*contact, _part(kind, row[CAPSULE]), who, *times))
    return tuple(sorted(found, key=lambda one: (one.time_s, one.who, one.thing)))


def _touches(
    recording: Recording, kinds: Sequence[Kind], ticks_per_step: int, rows: FloatArray
) -> tuple[CrowdTouch, ...]:
    rate_hz, found = recording.rate_hz * ticks_per_step, []
    for row in rows:
        who, whom = int(row[FIRST]), int(row[SECOND])
        parts = _part(kinds[recording.kind[who]], row[CAPSULE]), _part(kinds[recording.kind[whom]], row[OTHER_CAPSULE])
        contact = recording.names[who], recording.names[whom], float(row[TIME]), float(row[DEPTH]), place_of(row)
        times = float(row[MOMENT] / rate_hz), float((row[LAST] + 1) / rate_hz)
        found.append(CrowdTouch(*contact, *parts, who, whom, *times))
    return tuple(found)


def _part(kind: Kind, capsule: float) -> str:
    return kind.body.skeleton.names[kind.body.joint[int(capsule)]]


def _frame_count(recording: Recording, steps: Steps, figures: Figures, first: int, last: int, at_end: bool) -> int:
    """Return the number of delivered frames after one planning frame and until another, and of first frames."""
    ends = recording.until.astype(np.int64) - 1
    passed = np.maximum(np.minimum(ends, last) - np.maximum(steps.begin, first), 0)
    there = (steps.end >= 0) & (ends >= steps.begin)
    begun = there & (steps.begin >= first) & ((steps.begin <= last) if at_end else (steps.begin < last))
    return int((figures.frames_per_step[steps.kind] * passed * there).sum() + begun.sum())
