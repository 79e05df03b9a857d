"""Check that the characters of a recording allow its steps, for all steps at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.crowd.recording import Recording
from gambol.geometry import planar
from gambol.geometry.arrays import Int64Array
from gambol.judges.crowd_figures import Kind
from gambol.judges.legality import HEADING_TOLERANCE_RAD, PLACE_TOLERANCE_M, ROOT_TOLERANCE_M
from gambol.judges.report import IllegalTransition


def find_illegal_steps(
    recording: Recording, kinds: tuple[Kind, ...], join: NDArray[np.int32], after: int, until: int
) -> tuple[IllegalTransition, ...]:
    """Return all wrong joins of steps after one frame and until another.

    Transitions come from the behaviors' labels and the characters' lists; these and the tolerances are as in
    `check_motions`.
    """
    owner = np.repeat(np.arange(len(recording)), np.diff(recording.first_step))
    second = np.flatnonzero((recording.frame > after) & (recording.frame <= until))
    second = second[second > recording.first_step[owner[second]]]
    found: list[tuple[int, str]] = []
    blends = 0
    for number, (character, kind) in enumerate(zip(recording.characters, kinds, strict=True)):
        own = second[recording.kind[owner[second]] == number]
        found += _illegal_joins(recording, character, own)
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


def _illegal_joins(recording: Recording, character: Character, second: Int64Array) -> list[tuple[int, str]]:
    """Return the steps that may not follow the step before, or do not begin where and when it ends."""
    behaviors, allowed = character.behaviors, _allowed(character)
    behavior = np.repeat(np.arange(len(behaviors)), [len(one.clips) for one in behaviors])
    clips = [clip for one in behaviors for clip in one.clips]
    ends, duration = np.array([clip.path[-1] for clip in clips]), np.array([clip.duration for clip in clips])
    one, two = (recording.clip[steps].astype(np.int64) for steps in (second - 1, second))
    source, target = behavior[one], behavior[two]
    expected = planar.compose(recording.pose[second - 1], ends[one])
    away = np.linalg.norm(recording.pose[second, :2] - expected[:, :2], axis=1)
    turned = np.abs(planar.wrap_angle(recording.pose[second, 2] - expected[:, 2]))
    late = recording.frame[second].astype(np.int64) - recording.frame[second - 1] - duration[one]
    found = [
        (int(second[n]), f"{behaviors[target[n]].name!r} may not follow {behaviors[source[n]].name!r}")
        for n in np.flatnonzero(~allowed[source, target])
    ]
    joined = (away <= PLACE_TOLERANCE_M) & (turned <= HEADING_TOLERANCE_RAD) & (late == 0)
    found += [
        (
            int(second[n]),
            f"{behaviors[target[n]].name!r} begins {away[n]:.3f} m, {np.degrees(turned[n]):.1f}° and {late[n]} frames "
            f"off from where {behaviors[source[n]].name!r} ends",
        )
        for n in np.flatnonzero(~joined)
    ]
    return found


def _allowed(character: Character) -> NDArray[np.bool_]:
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
