"""Check that a character allows its steps, and that its delivered motion follows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.characters.step import Step
from gambol.geometry.arrays import FloatArray
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
    found = [*_broken_joins(character, steps, clips), *_strayed_motion(character, steps, clips, motion, start_s)]
    return [illegal(number, reason) for number, reason in sorted(found)]


def _unknown_steps(character: Character, steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
    for number, step in enumerate(steps):
        if not 0 <= step.behavior < len(character.behaviors):
            yield number, f"character {character.name!r} has no behavior {step.behavior}"
        elif not 0 <= step.clip < len(character.behaviors[step.behavior].clips):
            behavior = character.behaviors[step.behavior]
            yield number, f"behavior {behavior.name!r} has no clip {step.clip}"


def _broken_joins(character: Character, steps: Sequence[Step], clips: Sequence[Clip]) -> Iterator[tuple[int, str]]:
    granted = {(transition.source, transition.target) for transition in character.transitions}
    for number in range(1, len(steps)):
        before, after = steps[number - 1], steps[number]
        source, target = character.behaviors[before.behavior], character.behaviors[after.behavior]
        by_label = character.labels_connect and source.ends == target.begins
        if not by_label and (source.name, target.name) not in granted:
            yield number, f"{target.name!r} may not follow {source.name!r}"
        x, y, heading = _end(before, clips[number - 1])
        away = float(np.hypot(after.pose[0] - x, after.pose[1] - y))
        turned = abs(float(np.angle(np.exp(1j * (after.pose[2] - heading)))))
        late = after.frame - before.frame - clips[number - 1].duration
        if not (away <= PLACE_TOLERANCE_M and turned <= HEADING_TOLERANCE_RAD and late == 0):
            yield (
                number,
                (
                    f"{target.name!r} begins {away:.3f} m, {np.degrees(turned):.1f}° and {late} frames off from where "
                    f"{source.name!r} ends"
                ),
            )


def _end(step: Step, clip: Clip) -> tuple[float, float, float]:
    """Return the pose at which a step ends."""
    x, y = _placed(step, clip.path[-1:, :2])[0]
    return float(x), float(y), step.pose[2] + float(clip.path[-1, 2])


def _placed(step: Step, points: FloatArray) -> FloatArray:
    """Return points (N, 2) of a clip, placed by the step."""
    x, y, heading = step.pose
    turned = (points[:, 0] + 1j * points[:, 1]) * np.exp(1j * heading)
    return np.column_stack((turned.real + x, turned.imag + y))


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
        expected = _placed(step, roots)
        times = begin_s + np.arange(len(roots)) / clip.motion.rate_hz
        delivered = np.column_stack([np.interp(times, delivered_s, motion.root_positions[:, axis]) for axis in (0, 1)])
        away = float(np.hypot(*(delivered - expected).T).max())
        if not away <= ROOT_TOLERANCE_M:
            name = character.behaviors[step.behavior].name
            yield number, f"the delivered root is up to {100 * away:.1f} cm from where {name!r} has it"
        begin_s += clip.duration / character.planning_rate_hz
