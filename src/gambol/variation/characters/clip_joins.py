"""Keep the ends of a clip's variants near the clip's, where they meet other clips.

Transition labels promise how clips begin and end.  Poses that differ by a few centimetres blend unseen: a variant's
first and last frames may differ a little, but no join of the character may fail its check.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.characters.character import Character
from gambol.characters.check import pose_limit, velocity_limit
from gambol.characters.check_joins import Ends, join_mismatches
from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import ADULT_LEG_M, leg_length

MOST_POSE_M = 0.03  # metres, mean over an adult's joints: ends that differ by less blend unseen
MOST_VELOCITY_M_S = 0.3  # metres a second: the same for the joints' velocities
EASE_S = 0.25  # seconds within which a variation comes and goes; larger: more gently


class Allowance(NamedTuple):
    """How far an end of a variant may be from the original's, as means over the joints."""

    pose_m: float
    velocity_m_s: float

    def share(self, before: Ends, after: Ends) -> float:
        """Return the share of an end's change that is allowed, 0 to 1."""
        pose = float(np.linalg.norm(after.positions - before.positions, axis=-1).mean())
        velocity = float(np.linalg.norm(after.velocities - before.velocities, axis=-1).mean())
        return min(1.0, self.pose_m / max(pose, 1e-9), self.velocity_m_s / max(velocity, 1e-9))


def allowances(character: Character) -> dict[str, tuple[Allowance, Allowance]]:
    """Return for every behavior how far its variants may be from its clips at their beginning, and at their end.

    That is half of what the character's joins leave of its check's limits: both clips of a join may be variants.
    """
    size = leg_length(character.skeleton) / ADULT_LEG_M
    most = Allowance(MOST_POSE_M * size, MOST_VELOCITY_M_S * float(np.sqrt(size)))
    firsts = {behavior.name: most for behavior in character.behaviors}
    lasts = dict(firsts)
    for mismatch in join_mismatches(character):
        left = Allowance(
            max(0.0, 0.5 * (pose_limit(size) - mismatch.pose_m)),
            max(0.0, 0.5 * (velocity_limit(mismatch, size) - mismatch.velocity_m_s)),
        )
        for ends, name in ((lasts, mismatch.source), (firsts, mismatch.target)):
            ends[name] = Allowance(*np.minimum(ends[name], left).tolist())
    return {name: (firsts[name], lasts[name]) for name in firsts}


def eased(frames: int, margin: int, rate_hz: float, first: float, last: float) -> FloatArray:
    """Return weights (F,) of a variation: `first` and `last` at the ends and outside them, and 1 in between.

    The ends are the frames `margin` from either end of the motion.
    """
    at = np.arange(frames)
    reach = max(1.0, min(EASE_S * rate_hz, 0.5 * (frames - 1 - 2 * margin)))
    weights = np.ones(frames)
    for distance, end in ((at - margin, first), (frames - 1 - margin - at, last)):
        share = np.clip(distance / reach, 0.0, 1.0)
        rise = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        weights *= end + (1.0 - end) * rise
    return weights
