"""How a horse's gaits go: the gallop, and what it slows down through.

Phases count strides from the contact of the left hind hoof; the lead is right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

GALLOP_M_S = 9.0
STRIDE_STEPS = 15  # planning frames of a gallop's stride
STRIDE_S = 0.5
#: Where in the stride clips join: in the middle of the suspension, when no hoof is on the ground.
LABEL_PHASE = 0.92


class Footfalls(NamedTuple):
    """The stride of a gait; four numbers are for left hind, right hind, left fore and right fore."""

    speed_m_s: float
    stride_s: float
    contacts: tuple[float, float, float, float]  # phases
    stance: tuple[float, float, float, float]  # share of the stride that a hoof is on the ground
    passing: tuple[float, float, float, float]  # share of the stance after which the leg stands as at rest
    half_width_m: tuple[float, float]  # from the middle to hind and fore hooves


#: From a halt through trot and canter to the gallop; phases in between are as much in between as the speed.
FOOTFALLS = (
    Footfalls(0.0, 0.90, (-0.2, 0.30, 0.30, 0.80), (0.66, 0.66, 0.66, 0.66), (0.50, 0.50, 0.50, 0.50), (0.14, 0.15)),
    Footfalls(2.8, 0.68, (-0.2, 0.30, 0.30, 0.80), (0.46, 0.46, 0.46, 0.46), (0.50, 0.50, 0.50, 0.50), (0.12, 0.12)),
    Footfalls(5.5, 0.58, (0.0, 0.27, 0.31, 0.60), (0.40, 0.40, 0.36, 0.36), (0.47, 0.45, 0.46, 0.54), (0.10, 0.10)),
    # Stances of 143 and 131 ms; suspension from 84 % of the stride on.
    Footfalls(9.0, STRIDE_S, (0.0, 0.19, 0.42, 0.58), (0.286, 0.286, 0.262, 0.262), (0.46, 0.44, 0.46, 0.58),
              (0.09, 0.08)),
)  # fmt: skip


class GaitTracks(NamedTuple):
    """A gait that changes with the pace, frame by frame."""

    stride_s: FloatArray  # (F,)
    contacts: FloatArray  # (F, 4)
    stance: FloatArray  # (F, 4)
    passing: FloatArray  # (F, 4)
    half_width_m: FloatArray  # (F, 2)


def gait_at(pace: FloatArray) -> GaitTracks:
    """Return how the stride goes at paces (F,), the speeds that the legs are made for."""
    speeds = [falls.speed_m_s for falls in FOOTFALLS]

    def column(name: str) -> FloatArray:
        values = np.array([getattr(falls, name) for falls in FOOTFALLS]).reshape(len(speeds), -1)
        return np.column_stack([np.interp(pace, speeds, track) for track in values.T])

    return GaitTracks(column("stride_s")[:, 0], *(column(name) for name in GaitTracks._fields[1:]))
