"""Check that the characters of a recording allow its steps, for all steps at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.crowd.recording import Recording
from gambol.geometry.arrays import Int64Array
from gambol.judges.crowd_figures import Kind
from gambol.judges.legality import ROOT_TOLERANCE_M, Played, broken_joins
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
