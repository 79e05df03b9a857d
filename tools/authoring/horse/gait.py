"""How a horse's gaits go: the gallop, what it slows down through, and the walk.

Phases count strides from the contact of the left hind hoof; the gallop's lead is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import FloatArray

GALLOP_M_S = 9.0
STRIDE_STEPS = 15  # planning frames of a gallop's stride
STRIDE_S = 0.5
WALK_M_S = 1.6
WALK_STRIDE_STEPS = 30


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


#: Four beats, each hind hoof followed by the fore hoof of its side; two or three hooves are on the ground.
WALK = Footfalls(WALK_M_S, 1.0, (0.0, 0.50, 0.25, 0.75), (0.62, 0.62, 0.60, 0.60), (0.49, 0.49, 0.57, 0.57),
                 (0.12, 0.12))  # fmt: skip
#: Stepping about, with hooves as far apart as they stand.
STEPPING = WALK._replace(speed_m_s=0.0, stride_s=0.85, passing=(0.50, 0.50, 0.50, 0.50), half_width_m=(0.14, 0.15))
#: Two beats: horses go back with diagonal legs together.
BACKING = STEPPING._replace(stride_s=1.0, contacts=(0.0, 0.50, 0.54, 0.04))


class Steady(NamedTuple):
    """A gait kept up, at an instant of which clips join."""

    speed_m_s: float
    footfalls: tuple[Footfalls, ...]
    stride_steps: int  # planning frames
    phase: float  # where in the stride clips join


STEADY: Mapping[str, Steady] = MappingProxyType(
    {
        # In the middle of the suspension, when no hoof is on the ground.
        "gallop": Steady(GALLOP_M_S, FOOTFALLS, STRIDE_STEPS, 0.92),
        # In the middle of the left fore leg's swing, when the others are on the ground.
        "walk": Steady(WALK_M_S, (WALK,), WALK_STRIDE_STEPS, 0.06),
    }
)


class GaitTracks(NamedTuple):
    """A gait that changes with the pace, frame by frame."""

    stride_s: FloatArray  # (F,)
    contacts: FloatArray  # (F, 4)
    stance: FloatArray  # (F, 4)
    passing: FloatArray  # (F, 4)
    half_width_m: FloatArray  # (F, 2)


def gait_at(pace: FloatArray, footfalls: tuple[Footfalls, ...]) -> GaitTracks:
    """Return how the stride goes at paces (F,), the speeds that the legs are made for, between some footfalls."""
    speeds = [falls.speed_m_s for falls in footfalls]

    def column(name: str) -> FloatArray:
        values = np.array([getattr(falls, name) for falls in footfalls]).reshape(len(speeds), -1)
        return np.column_stack([np.interp(pace, speeds, track) for track in values.T])

    return GaitTracks(column("stride_s")[:, 0], *(column(name) for name in GaitTracks._fields[1:]))
