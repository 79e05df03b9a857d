"""Check that a character allows its steps, and that its delivered motion follows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.characters.step import Step
from gambol.geometry import planar
from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.judges.report import IllegalTransition
from gambol.motion.motion import Motion

PLACE_TOLERANCE_M = 1e-3  # m, > 0: a step may begin this far from the end of the one before it, for rounding
HEADING_TOLERANCE_RAD = 1e-3  # rad, > 0: the same for the heading
ROOT_TOLERANCE_M = 0.02  # m, > 0: a delivered root may be this far from its steps; larger accepts more
TIME_TOLERANCE_FRAMES = 0.01  # delivered frames, > 0: a motion's start and length may differ this much from its steps'


def find_illegal(
    name: str, character: Character, steps: Sequence[Step], motion: Motion, start_s: float
) -> list[IllegalTransition]:
    """Return all mistakes in a performer's steps, and all places where its motion does not follow them.

    Transitions come from the behaviors' labels and the character's list, not from planners' tables.
    Steps that do not exist are reported alone: nothing else can be checked.
    """

    def illegal(number: int, reason: str) -> IllegalTransition:
        return IllegalTransition(name, number, steps[number].frame / character.planning_rate_hz, reason)

    unknown = [illegal(number, reason) for number, reason in _unknown_steps(character, steps)]
    if unknown:
        return unknown
    clips = [character.behaviors[step.behavior].clips[step.clip] for step in steps]
    first_clip = np.cumsum([0, *(len(behavior.clips) for behavior in character.behaviors)])
    played = Played(
        np.array([first_clip[step.behavior] + step.clip for step in steps]),
        np.array([step.frame for step in steps]),
        np.array([step.pose for step in steps]),
    )
    found = broken_joins(character, played, np.arange(1, len(steps)))
    found += _strayed_motion(character, steps, clips, motion, start_s)
    return [illegal(number, reason) for number, reason in sorted(found)]


def _unknown_steps(character: Character, steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
    for number, step in enumerate(steps):
        if not 0 <= step.behavior < len(character.behaviors):
            yield number, f"character {character.name!r} has no behavior {step.behavior}"
        elif not 0 <= step.clip < len(character.behaviors[step.behavior].clips):
            behavior = character.behaviors[step.behavior]
            yield number, f"behavior {behavior.name!r} has no clip {step.clip}"


class Played(NamedTuple):
    """Steps in a row, of one character or of several of a kind."""

    clip: Int64Array  # (S,) counted through all behaviors
    frame: Int64Array  # (S,)
    pose: FloatArray  # (S, 3)


def broken_joins(character: Character, played: Played, second: Int64Array) -> list[tuple[int, str]]:
    """Return those of some steps that may not follow the step before, or do not begin where and when it ends."""
    behaviors, allowed = character.behaviors, _allowed(character)
    behavior = np.repeat(np.arange(len(behaviors)), [len(one.clips) for one in behaviors])
    clips = [clip for one in behaviors for clip in one.clips]
    ends, duration = np.array([clip.path[-1] for clip in clips]), np.array([clip.duration for clip in clips])
    one, two = played.clip[second - 1], played.clip[second]
    source, target = behavior[one], behavior[two]
    expected = planar.compose(played.pose[second - 1], ends[one])
    away = np.linalg.norm(played.pose[second, :2] - expected[:, :2], axis=1)
    turned = np.abs(planar.wrap_angle(played.pose[second, 2] - expected[:, 2]))
    late = played.frame[second] - played.frame[second - 1] - duration[one]
    found = []
    for n in np.flatnonzero(~allowed[source, target]):
        found.append((int(second[n]), f"{behaviors[target[n]].name!r} may not follow {behaviors[source[n]].name!r}"))
    joined = (away <= PLACE_TOLERANCE_M) & (turned <= HEADING_TOLERANCE_RAD) & (late == 0)
    for n in np.flatnonzero(~joined):
        off = f"{away[n]:.3f} m, {np.degrees(turned[n]):.1f}° and {late[n]} frames off"
        begins = f"{behaviors[target[n]].name!r} begins {off} from where {behaviors[source[n]].name!r} ends"
        found.append((int(second[n]), begins))
    return found


def _allowed(character: Character) -> BoolArray:
    """Return which behavior may follow which (B, B)."""
    behaviors = character.behaviors
    index = {behavior.name: number for number, behavior in enumerate(behaviors)}
    allowed = np.zeros((len(behaviors), len(behaviors)), dtype=bool)
    if character.labels_connect:
        begins = np.array([behavior.begins for behavior in behaviors])
        allowed |= np.array([behavior.ends for behavior in behaviors])[:, None] == begins
    for transition in character.transitions:
        allowed[index[transition.source], index[transition.target]] = True
    return allowed


def _strayed_motion(
    character: Character, steps: Sequence[Step], clips: Sequence[Clip], motion: Motion, start_s: float
) -> Iterator[tuple[int, str]]:
    tolerance_s = TIME_TOLERANCE_FRAMES / motion.rate_hz
    planned_start_s = steps[0].frame / character.planning_rate_hz
    if abs(planned_start_s - start_s) > tolerance_s:
        yield 0, f"the steps begin at {planned_start_s:.3f} s, the motion at {start_s:.3f} s"
    planned_s = sum(clip.duration for clip in clips) / character.planning_rate_hz
    if abs(planned_s - motion.duration_s) > tolerance_s:
        yield len(steps) - 1, f"the steps last {planned_s:.3f} s, the motion {motion.duration_s:.3f} s"
    delivered_s = np.arange(motion.frame_count) / motion.rate_hz
    begin_s = 0.0
    for number, (step, clip) in enumerate(zip(steps, clips, strict=True)):
        roots = clip.motion.root_positions[clip.margin : clip.motion.frame_count - clip.margin, :2]
        expected = planar.apply(step.pose, roots)
        times = begin_s + np.arange(len(roots)) / clip.motion.rate_hz
        delivered = np.column_stack([np.interp(times, delivered_s, motion.root_positions[:, axis]) for axis in (0, 1)])
        away = float(np.hypot(*(delivered - expected).T).max())
        if not away <= ROOT_TOLERANCE_M:
            name = character.behaviors[step.behavior].name
            yield number, f"the delivered root is up to {100 * away:.1f} cm from where {name!r} has it"
        begin_s += clip.duration / character.planning_rate_hz
