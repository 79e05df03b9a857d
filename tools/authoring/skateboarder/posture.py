"""How a rider holds the body: numbers that a person can think in, keyed over time.

Regular stance: the left foot is in front, the rider faces to the right of the way.  Angles are
degrees; yaws count from the direction of travel to the left, so that a rider who looks to the right
has negative ones.  Pairs are left and right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from tools.authoring.keyframes import keyed

from gambol.geometry.arrays import FloatArray

Pair = tuple[float, float]

GLIDE_M_S = 2.5
ROLL_M_S = 1.1  # among others


class Posture(NamedTuple):
    """One way to hold the body; the pelvis is wherever the centre of mass comes to lie as it should."""

    mass_height_m: float = 0.96  # of the centre of mass, above the ground
    mass_ahead_m: float = -0.035  # of the centre of mass, from the board's middle, at constant speed
    mass_aside_m: float = 0.0  # to the left
    pelvis_yaw: float = -72.0
    pelvis_pitch: float = 10.0  # the way the pelvis faces
    pelvis_roll: float = 0.0  # right side down
    chest_yaw: float = -52.0
    flexion: float = 12.0  # of the spine
    side_bend: float = 0.0  # of the spine, to the right
    head_yaw: float = -12.0
    head_pitch: float = 6.0  # chin down
    arm_swing: Pair = (8.0, -6.0)
    arm_out: Pair = (30.0, 32.0)
    arm_turn: Pair = (25.0, 20.0)
    elbow: Pair = (35.0, 38.0)


GLIDE = Posture()


def keyed_posture(keys: Sequence[tuple[float, Posture]], times: FloatArray) -> dict[str, FloatArray]:
    """Return each of a posture's numbers as a track (F,) or (F, 2); angles in radians."""
    tracks = {}
    for field in Posture._fields:
        track = keyed([(when, getattr(posture, field)) for when, posture in keys], times)
        tracks[field] = track if field.endswith("_m") else np.radians(track)
    return tracks


def between(one: Posture, other: Posture, share: float) -> Posture:
    """Return a posture some share of the way from one to another."""
    fields: dict[str, Any] = {
        name: np.add((1.0 - share) * np.array(a), share * np.array(b)).tolist()
        for name, a, b in zip(Posture._fields, one, other, strict=True)
    }
    return Posture(**fields)
