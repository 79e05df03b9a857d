"""A step: one clip of a character, placed at a pose and a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.core import lib
from gambol.errors import InvalidInput
from gambol.geometry import planar

PLACE_TOLERANCE_M = 1e-3  # m, > 0: a step may begin this far from the end of the one before it, for rounding
HEADING_TOLERANCE_RAD = 1e-3  # rad, > 0: the same for the heading
SHOWN = 12  # names: the most that a message lists
SEED_BITS = (1 << 63) - 1  # mask: the bits of a seed that count, so that it fits a signed 64-bit number


@dataclass(frozen=True)
class Step:
    """One clip of a behavior, played from a pose and a frame on."""

    behavior: int  # index into the character's behaviors
    clip: int  # index into the behavior's clips
    pose: tuple[float, float, float]  # x, y in metres and heading in radians where the clip begins
    frame: int  # planning frame at which it begins


def place_steps(
    character: Character,
    names: Sequence[str],
    *,
    start: tuple[float, float, float] = (0.0, 0.0, 0.0),
    frame: int = 0,
    seed: int = 0,
) -> tuple[Step, ...]:
    """Play behaviors one after another; each begins where the one before it ends.

    Only the seed, the number of the step and the behavior decide which of the behavior's clips is played.
    """
    steps: list[Step] = []
    pose = np.array(start, dtype=np.float64)
    for number, name in enumerate(names):
        behavior = character.index(name)
        clips = character.behaviors[behavior].clips
        chosen = lib.gb_clip_choose(seed & SEED_BITS, number, behavior, len(clips))
        steps.append(Step(behavior, chosen, (float(pose[0]), float(pose[1]), float(pose[2])), frame))
        pose = planar.compose(pose, clips[chosen].displacement)
        frame += clips[chosen].duration
    check_steps(character, steps)
    return tuple(steps)


def clip_of(character: Character, step: Step) -> Clip:
    """Return the clip that a step plays."""
    return character.behaviors[step.behavior].clips[step.clip]


def check_steps(character: Character, steps: Sequence[Step]) -> None:
    """Refuse steps that do not exist, may not follow one another, or do not begin where the step before ends."""
    if not steps:
        raise InvalidInput("a sequence needs at least one behavior")
    for number, step in enumerate(steps):
        if not 0 <= step.behavior < len(character.behaviors):
            raise InvalidInput(f"step {number}: character {character.name!r} has no behavior {step.behavior}")
        behavior = character.behaviors[step.behavior]
        if not 0 <= step.clip < len(behavior.clips):
            raise InvalidInput(f"step {number}: behavior {behavior.name!r} has no clip {step.clip}")
    played = np.array([step.behavior for step in steps])
    forbidden = ~np.isfinite(character.transition_costs[played[:-1], played[1:]])
    for number in np.flatnonzero(forbidden)[:1]:
        source, target = (character.behaviors[played[n]].name for n in (number, number + 1))
        following = character.successors(source)
        shown = ", ".join(following[:SHOWN]) + (", …" if len(following) > SHOWN else "")
        raise InvalidInput(
            f"step {number + 1}: {target!r} may not follow {source!r}; after it may come: {shown or 'nothing'}"
        )
    _check_places(character, steps)


def _check_places(character: Character, steps: Sequence[Step]) -> None:
    clips = [clip_of(character, step) for step in steps]
    poses = np.array([step.pose for step in steps], dtype=np.float64).reshape(-1, 3)
    ends = planar.compose(poses, np.array([clip.displacement for clip in clips]))
    gaps = planar.relative(ends[:-1], poses[1:])
    away, turned = np.linalg.norm(gaps[:, :2], axis=1), np.abs(planar.wrap_angle(gaps[:, 2]))
    frames = np.array([step.frame for step in steps])
    late = frames[1:] - frames[:-1] - np.array([clip.duration for clip in clips[:-1]], dtype=np.int64)
    wrong = ~((away <= PLACE_TOLERANCE_M) & (turned <= HEADING_TOLERANCE_RAD) & (late == 0))
    for number in np.flatnonzero(wrong)[:1]:
        source, target = (character.behaviors[steps[n].behavior].name for n in (number, number + 1))
        raise InvalidInput(
            f"step {number + 1} ({target!r}) begins {away[number]:.3f} m, {np.degrees(turned[number]):.1f}° and "
            f"{late[number]} frames off from where {source!r} before it ends"
        )
