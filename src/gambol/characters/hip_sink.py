"""Lower the hips where legs would not reach their footfalls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.geometry.smoothing import envelope
from gambol.motion.joint_names import Limb
from gambol.motion.motion import Motion
from gambol.motion.two_bone_ik import REACH

EASE_S = 0.1  # s, > 0: the hips begin to sink this long before a leg needs it; larger is smoother
DEEPEST_M = 0.12  # m, > 0: the most that hips sink


class Footing(NamedTuple):
    """Where a leg's foot should be in each frame."""

    leg: Limb
    ankles: FloatArray  # (F, 3) metres


def sink_hips(motion: Motion, footings: Sequence[Footing], *, before: Motion, span: tuple[int, int]) -> Motion:
    """Lower the root smoothly inside the span until its legs reach, at most by 12 cm.

    before: the motion from which the footings were made; a leg may be as straight as in it.
    """
    need = np.zeros(motion.frame_count)
    for leg, ankles in footings:
        hips = motion.world_positions[:, leg.root]
        longest = _longest(before, leg)
        level = np.linalg.norm(ankles[:, :2] - hips[:, :2], axis=1)
        upright = np.sqrt(np.maximum(longest**2 - level**2, 0.0))
        need = np.maximum(need, hips[:, 2] - ankles[:, 2] - upright)
    need = np.minimum(need, DEEPEST_M)
    if not np.any(need > 0.0):
        return motion
    reach = max(1, round(EASE_S * motion.rate_hz))
    first, last = span
    frames = np.arange(motion.frame_count)
    from_ends = np.clip(np.minimum(frames - first, last - frames) / reach, 0.0, 1.0)
    window = from_ends**2 * (3.0 - 2.0 * from_ends)
    sink = envelope(need, reach) * window
    return replace(motion, root_positions=motion.root_positions - sink[:, None] * [0.0, 0.0, 1.0])


def _longest(motion: Motion, leg: Limb) -> float:
    """Return how far a leg may stretch, metres: nearly straight, or as straight as it ever is in a motion."""
    hip, knee, ankle = (motion.world_positions[:, joint] for joint in (leg.root, leg.middle, leg.end))
    bones = np.linalg.norm(knee - hip, axis=1)[0] + np.linalg.norm(ankle - knee, axis=1)[0]
    shown = float(np.linalg.norm(ankle - hip, axis=1).max())
    return max(shown, (2.0 * REACH - 1.0) * float(bones))
