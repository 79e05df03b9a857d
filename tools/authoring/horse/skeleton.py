"""The built-in horse's skeleton: withers 1.55 m high, standing square.

Proportions in head lengths h = withers / 2.5 = 0.62 m: body 2.5 h, trunk depth h, hock to ground h.
Names are riders': a fore leg has shoulder (blade), upper and lower arm, cannon, pastern and hoof,
a hind leg thigh, gaskin, cannon, pastern and hoof.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from gambol.motion.contacts import ContactPoint
from gambol.motion.skeleton import Skeleton

WITHERS_M = 1.55
TOE = (0.070, 0.0, -0.080)  # of a hoof, from its joint
HEEL = (-0.045, 0.0, -0.080)
LEGS = ("LeftHind", "RightHind", "LeftFore", "RightFore")  # in the order of the gallop's footfalls, right lead

#: Joint, its parent, and where it is at rest: ahead of the middle of the trunk, left, above the ground.
TRUNK = (
    ("Hips", "", (-0.40, 0.0, 1.33)),
    ("Spine", "Hips", (-0.17, 0.0, 1.35)),  # where the loin bends
    ("Spine1", "Spine", (0.10, 0.0, 1.32)),
    ("Spine2", "Spine1", (0.36, 0.0, 1.30)),
    ("Neck", "Spine2", (0.62, 0.0, 1.27)),
    ("Neck1", "Neck", (0.83, 0.0, 1.53)),
    ("Head", "Neck1", (1.00, 0.0, 1.80)),
    ("Tail", "Hips", (-0.70, 0.0, 1.40)),
    ("Tail1", "Tail", (-0.82, 0.0, 1.24)),
    ("Tail2", "Tail1", (-0.87, 0.0, 0.98)),
)
FORE = (
    ("Shoulder", "Spine2", (0.38, 0.10, 1.42)),
    ("Upper", "Shoulder", (0.63, 0.15, 1.07)),
    ("Lower", "Upper", (0.43, 0.15, 0.91)),
    ("Cannon", "Lower", (0.44, 0.15, 0.48)),
    ("Pastern", "Cannon", (0.43, 0.15, 0.19)),
    ("Hoof", "Pastern", (0.49, 0.15, 0.08)),
)
HIND = (
    ("Thigh", "Hips", (-0.54, 0.14, 1.23)),
    ("Gaskin", "Thigh", (-0.27, 0.14, 0.93)),
    ("Cannon", "Gaskin", (-0.61, 0.14, 0.57)),
    ("Pastern", "Cannon", (-0.59, 0.14, 0.20)),
    ("Hoof", "Pastern", (-0.53, 0.14, 0.08)),
)
TIPS = (
    ("Head", (0.40, 0.0, -0.45)),  # the muzzle
    ("Tail2", (-0.01, 0.0, -0.34)),
)


@cache
def horse_skeleton() -> Skeleton:
    """Return 32 joints; toe and heel of each hoof are tips."""
    joints = list(TRUNK)
    tips = list(TIPS)
    for leg in LEGS:
        left = 1.0 if leg.startswith("Left") else -1.0
        for part, parent, (x, y, z) in HIND if leg.endswith("Hind") else FORE:
            above = parent if parent in ("Hips", "Spine2") else leg + parent
            joints.append((leg + part, above, (x, left * y, z)))
        tips += [(f"{leg}Hoof", TOE), (f"{leg}Hoof", HEEL)]
    names = [name for name, _, _ in joints]
    places = np.array([place for _, _, place in joints])
    parents = [names.index(parent) if parent else -1 for _, parent, _ in joints]
    offsets = np.array(
        [place - places[parent] if parent >= 0 else place for place, parent in zip(places, parents, strict=True)]
    )
    return Skeleton(names, parents, offsets, [names.index(name) for name, _ in tips], [offset for _, offset in tips])


class LegJoints(NamedTuple):
    """Indices of a leg's joints."""

    is_hind: bool
    shoulder: int  # -1 for a hind leg
    bones: tuple[int, int, int]  # upper, lower, cannon; or thigh, gaskin, cannon
    pastern: int
    hoof: int


@cache
def leg_joints() -> tuple[LegJoints, ...]:
    """Return the joints of the four legs, in the order of LEGS."""
    index = horse_skeleton().index
    found = []
    for leg in LEGS:
        is_hind = leg.endswith("Hind")
        parts = ("Thigh", "Gaskin", "Cannon") if is_hind else ("Upper", "Lower", "Cannon")
        bones = (index(leg + parts[0]), index(leg + parts[1]), index(leg + parts[2]))
        shoulder = -1 if is_hind else index(f"{leg}Shoulder")
        found.append(LegJoints(is_hind, shoulder, bones, index(f"{leg}Pastern"), index(f"{leg}Hoof")))
    return tuple(found)


@cache
def hoof_points() -> tuple[ContactPoint, ...]:
    """Return the points by which the horse stands: the toes, over which hooves also roll as they leave."""
    names = ("left_hind_hoof", "right_hind_hoof", "left_fore_hoof", "right_fore_hoof")
    return tuple(ContactPoint(name, leg.hoof, TOE) for name, leg in zip(names, leg_joints(), strict=True))
