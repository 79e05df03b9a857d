"""Feet, hooves and hands, each with the points that rest on the ground."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import BoolArray
from gambol.motion.contacts import ContactPoint, Contacts, foot_points, sole_points
from gambol.motion.figure import hoofed_legs
from gambol.motion.joint_names import Limb, arms, legs
from gambol.motion.skeleton import Skeleton


class Sole(NamedTuple):
    """The end of a limb that may stand on the ground."""

    limb: Limb
    is_arm: bool
    joint: int  # the joint that lies along the ground: ankle, wrist, or a hoof's
    front: ContactPoint  # ball of the foot, toe of the hoof, wrist
    back: ContactPoint | None  # heel
    lowest: tuple[ContactPoint, ...]  # points that must not sink into the ground
    planted: BoolArray  # (F, 2) whether front and back rest on the ground

    @property
    def is_planted(self) -> BoolArray:
        """Frames in which front or back rests on the ground (F,)."""
        return self.planted[:, 0] | self.planted[:, 1]

    @property
    def is_flat(self) -> BoolArray:
        """Frames in which both rest on the ground (F,)."""
        return self.planted[:, 0] & self.planted[:, 1]


def standing_soles(skeleton: Skeleton, contacts: Contacts) -> tuple[Sole, ...]:
    """Return the soles of all legs, then the hands that are planted at some time."""
    found = []
    for leg in legs(skeleton):
        points = foot_points(skeleton, leg)
        front, back = (points[1], points[0]) if len(points) == 2 else (points[0], None)
        lowest = sole_points(skeleton, leg)
        found.append(Sole(leg, False, leg.end, front, back, lowest, _planted(contacts, front, back)))
    for leg in hoofed_legs(skeleton):
        index = contacts.index(f"{leg.side}_hoof")
        if index >= 0:
            front, back = contacts.points[index], _heel(skeleton, leg.toe, f"{leg.side}_heel")
            lowest = (front,) if back is None else (front, back)
            found.append(Sole(leg, False, leg.toe, front, back, lowest, _planted(contacts, front, back)))
    for arm in arms(skeleton):
        index = contacts.index(f"{arm.side}_hand")
        if index >= 0 and contacts.planted[:, index].any():
            front = contacts.points[index]
            found.append(Sole(arm, True, arm.end, front, None, (front,), _planted(contacts, front, None)))
    return tuple(found)


def _planted(contacts: Contacts, *points: ContactPoint | None) -> BoolArray:
    columns = np.zeros((len(contacts.planted), len(points)), dtype=bool)
    for number, point in enumerate(points):
        index = -1 if point is None else contacts.index(point.name)
        if index >= 0:
            columns[:, number] = contacts.planted[:, index]
    return columns


def _heel(skeleton: Skeleton, hoof: int, name: str) -> ContactPoint | None:
    """Return the hindmost tip of a hoof."""
    tips = skeleton.tip_offsets[skeleton.tip_parents == hoof]
    if len(tips) < 2:
        return None
    x, y, z = (float(value) for value in tips[np.argmin(tips[:, 0])])
    return ContactPoint(name, hoof, (x, y, z))
