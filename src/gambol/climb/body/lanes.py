"""How far to the side of the plane hands and feet are: fixed while they hold, eased in between."""

from __future__ import annotations

import numpy as np

from gambol.climb.body.curves import rounded
from gambol.climb.body.holding import Holding
from gambol.geometry.arrays import FloatArray

PINNED = 1e7  # weight of what is held, beside what is free
EASE_S = 0.10


def lane(holding: Holding, held: FloatArray, free: FloatArray, *, rate_hz: float) -> FloatArray:
    """Return a distance or angle (F,): what each hold wants at its first frame; else the free one."""
    wanted, weight = np.array(free), np.full(len(free), 1.0)
    for first, last in holding.runs:
        wanted[first : last + 1] = held[first]
        weight[first : last + 1] = PINNED
    return rounded(wanted, weight, frames=EASE_S * rate_hz)


def within_reach(holding: Holding, wanted: FloatArray, middle: float, room: FloatArray) -> FloatArray:
    """Return lanes (F,) for holds, none farther from the limb's own joint than there is room (F,) while it holds."""
    held = np.array(wanted)
    for first, last in holding.runs:
        most = float(room[first : last + 1].min())
        held[first : last + 1] = np.clip(wanted[first], middle - most, middle + most)
    return held
