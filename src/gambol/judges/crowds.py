"""The independent judge of crowds: it checks delivered motions at full rate, stretch by stretch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.crowd.recording import Recording
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.judges.crowd_blocks import Inspector, Setting, tabulate_setting
from gambol.judges.crowd_figures import Figures, Kind, Steps, tabulate_figures
from gambol.judges.crowd_report import CrowdCollision, CrowdReport, CrowdTouch, join_reports
from gambol.judges.legality import ROOT_TOLERANCE_M, Played, broken_joins
from gambol.judges.report import BOUNDS, IllegalTransition
from gambol.judges.rows import CAPSULE, DEPTH, FIRST, LAST, MOMENT, OTHER_CAPSULE, SECOND, TIME, Findings, place_of
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
        _illegal_steps(recording, kinds, steps.join, first, LATER if at_end else last),
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


def _illegal_steps(
    recording: Recording, kinds: tuple[Kind, ...], join: NDArray[np.int32], after: int, until: int
) -> tuple[IllegalTransition, ...]:
    """Return all wrong joins of steps after one frame and until another.

    Transitions come from the behaviors' labels and the characters' lists; these and the tolerances are as in
    `check_motions`.
    """
    owner = np.repeat(np.arange(len(recording)), np.diff(recording.first_step))
    second = np.flatnonzero((recording.frame > after) & (recording.frame <= until))
    second = second[second > recording.first_step[owner[second]]]
    played = Played(recording.clip.astype(np.int64), recording.frame.astype(np.int64), recording.pose)
    found: list[tuple[int, str]] = []
    blends = 0
    for number, (character, kind) in enumerate(zip(recording.characters, kinds, strict=True)):
        own = second[recording.kind[owner[second]] == number]
        found += broken_joins(character, played, own)
        found += _strayed_roots(recording, character, kind, own, join[own - 1].astype(np.int64) - blends)
        blends += len(kind.blends.pairs)
    return tuple(
        IllegalTransition(
            recording.names[owner[step]],
            int(step - recording.first_step[owner[step]]),
            float(recording.frame[step]) / recording.rate_hz,
            reason,
        )
        for step, reason in sorted(found)
    )


def _strayed_roots(
    recording: Recording, character: Character, kind: Kind, second: Int64Array, blends: Int64Array
) -> list[tuple[int, str]]:
    """Return the steps from whose root the delivered root is too far away, around their joins."""
    behavior = np.repeat(np.arange(len(character.behaviors)), [len(one.clips) for one in character.behaviors])
    found = []
    for side, steps in enumerate((second - 1, second)):
        for n in np.flatnonzero(~(kind.strays[blends, side] <= ROOT_TOLERANCE_M)):
            name = character.behaviors[behavior[recording.clip[steps[n]]]].name
            away = 100 * kind.strays[blends[n], side]
            found.append((int(steps[n]), f"the delivered root is up to {away:.1f} cm from where {name!r} has it"))
    return found
