"""The planar figure: ten links and nine joints [KP00 figure 2], in the proportions of the built-in human.

Seen from the side, in the plane of x (to the right) and z (up).  A *configuration* is twelve numbers:

0 x, 1 z           the pelvis, between the hip joints, in metres
2 lean             of the torso forward from upright, in radians, as all that follow
3 neck             of the head forward from the torso
4, 5 and 6, 7      left and right shoulder (forward and up from hanging along the torso) and elbow (bends forward)
8, 9 and 10, 11    left and right hip (forward from along the torso) and knee (bends backward)

*Forward* is +x for a figure that faces 1 and -x for one that faces -1.  In the course of a turn the facing is the
cosine of the angle turned: all forward distances are foreshortened by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray, frozen_array

#: What a configuration says: the place of the pelvis in the plane in metres, and the angles of joints in radians.
COORDINATES = (
    "x", "z", "lean", "neck",
    "left_shoulder", "left_elbow", "right_shoulder", "right_elbow",
    "left_hip", "left_knee", "right_hip", "right_knee",
)  # fmt: skip
#: Points of a posed figure; the two shoulders coincide, and so do the hips (the pelvis).
POINTS = (
    "pelvis", "shoulder", "neck", "head",
    "left_elbow", "left_hand", "right_elbow", "right_hand",
    "left_knee", "left_ankle", "right_knee", "right_ankle",
)  # fmt: skip
#: Links as pairs of points.
LINKS: dict[str, tuple[int, int]] = {
    "torso": (0, 2), "head": (2, 3),
    "left_upper_arm": (1, 4), "left_forearm": (4, 5), "right_upper_arm": (1, 6), "right_forearm": (6, 7),
    "left_thigh": (0, 8), "left_shank": (8, 9), "right_thigh": (0, 10), "right_shank": (10, 11),
}  # fmt: skip
#: Limbs, in the order in which grasps are listed: which limb holds which grasp point.
LIMBS = ("left_hand", "right_hand", "left_foot", "right_foot")
LIMB_POINTS = (5, 7, 9, 11)  # the point at each limb's end
FREE = -1  # a limb that holds nothing

ADULT_M = 1.75


class FigureTable(NamedTuple):
    """A figure as scalars and small arrays, for kernels.  Lengths in metres, angles in radians, masses as shares."""

    torso: float  # pelvis to neck
    shoulder: float  # pelvis to shoulders
    head: float  # neck to the middle of the skull; the crown is a radius beyond
    upper_arm: float
    forearm: float  # elbow to palm
    thigh: float
    shank: float  # knee to ankle
    ankle: float  # height of the ankle above the sole
    toes: float  # ankle to the tip of the toes
    palm: float  # of the palm's middle above what it rests on
    stature: float
    radius: FloatArray  # (10,) of the links, in the order of LINKS
    hand_radius: float  # of a forearm's last part, which is a hand
    hand_length: float
    low: FloatArray  # (12,) least coordinates; -inf for x and z
    high: FloatArray  # (12,)
    mass: FloatArray  # (10,) of the links, sum 1
    centre: FloatArray  # (10,) where along a link its mass is, from its first point


@dataclass(frozen=True)
class Figure:
    """A body for the climber: an adult's proportions at some stature, with limbs longer or shorter if wished."""

    name: str = "adult"
    stature_m: float = ADULT_M
    legs: float = 1.0  # length beside the adult's share of the stature
    arms: float = 1.0
    head: float = 1.0

    def __post_init__(self) -> None:
        if not 0.8 <= self.stature_m <= 2.5:
            raise InvalidInput(f"a figure's stature is 0.8 to 2.5 m, not {self.stature_m:g}")
        for what in ("legs", "arms", "head"):
            if not 0.7 <= getattr(self, what) <= 1.5:
                raise InvalidInput(f"a figure's {what} are 0.7 to 1.5 of an adult's share, not {getattr(self, what):g}")

    @property
    def scale(self) -> float:
        """Stature beside the adult's."""
        return self.stature_m / ADULT_M

    @cached_property
    def table(self) -> FigureTable:
        size = self.scale
        legs, arms = size * self.legs, size * self.arms
        skull = 0.09 * size * self.head
        head = 0.28 * size * self.head - skull
        # What legs and head have more, the torso has less, so that the stature is kept.
        torso = self.stature_m - 0.86 * legs - 0.07 * size - head - skull
        return FigureTable(
            torso=torso, shoulder=torso * 0.50 / 0.54, head=head,
            upper_arm=0.29 * arms, forearm=0.34 * arms, thigh=0.43 * legs, shank=0.43 * legs,
            ankle=0.07 * size, toes=0.20 * size, palm=0.03 * size, stature=self.stature_m,
            radius=frozen_array(size * np.array([0.115, 0.09 * self.head, *2 * ARM_RADII, *2 * LEG_RADII])),
            hand_radius=0.02 * size, hand_length=0.09 * size,
            low=frozen_array([-np.inf, -np.inf, *LOW]), high=frozen_array([np.inf, np.inf, *HIGH]),
            mass=frozen_array(np.array(MASSES) / sum(MASSES)), centre=frozen_array(CENTRES),
        )  # fmt: skip


#: Radii of an adult's upper arm and forearm, thigh and shank.
ARM_RADII = (0.055, 0.04)
LEG_RADII = (0.075, 0.058)
#: Limits from lean to right knee.  Hips and knees are wide, as the top of a wall asks for deep squats.
LOW = (-1.6, -0.9, -1.0, 0.0, -1.0, 0.0, -0.6, 0.0, -0.6, 0.0)
HIGH = (2.4, 0.9, 3.25, 2.6, 3.25, 2.6, 2.75, 2.7, 2.75, 2.7)
#: Shares of the mass [de Leva 1996]: torso, head; upper arm and forearm with hand, thigh and shank with foot, twice.
MASSES = (0.435, 0.069, 0.027, 0.022, 0.027, 0.022, 0.142, 0.057, 0.142, 0.057)
CENTRES = (0.53, 0.45, 0.58, 0.60, 0.58, 0.60, 0.41, 0.60, 0.41, 0.60)

#: Figures by name, as scene files call them.
FIGURES: dict[str, Figure] = {
    "adult": Figure(),
    "tall": Figure("tall", 1.95),
    "short": Figure("short", 1.55),
    "child": Figure("child", 1.20, legs=0.93, arms=0.95, head=1.25),
}


def figure_named(name: str) -> Figure:
    if name not in FIGURES:
        raise UnknownName("figure", name, tuple(FIGURES))
    return FIGURES[name]
