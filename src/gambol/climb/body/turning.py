"""Feet in a turn round: they step where they stand, one after the other, instead of sliding through each other."""

from __future__ import annotations

import numpy as np

from gambol.climb.body.curves import eased
from gambol.geometry.arrays import FloatArray

#: Steps of left and right foot: from and to which share of the turn, and where they lead, in half turns.
STEPS = (
    ((0.06, 0.36, 0.55), (0.58, 0.82, 1.0)),
    ((0.34, 0.60, 0.75), (0.80, 0.97, 1.0)),
)
LIFT = 0.045  # of a step, in statures of an adult in metres


def stepping(side: int, progress: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far a foot (0: left, 1: right) is turned, in radians, and how high it is lifted beside its share.

    progress: (F,) of the body's turn, from 0 to 1.
    """
    turn, lift = np.zeros_like(progress), np.zeros_like(progress)
    before = 0.0
    for first, last, to in STEPS[side]:
        share = np.clip((progress - first) / (last - first), 0.0, 1.0)
        turn += (to - before) * np.pi * eased(share)
        lift += np.sin(np.pi * share) ** 2
        before = to
    return turn, LIFT * lift
