"""The points of a body that may rest on the ground: heels, toes, hands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.joint_names import Limb, arms, legs
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

ADULT_LEG_M = 0.8  # metres from hip to ankle of an adult
# Skeletons have no heel: it is placed as in a foot of average shape.
HEEL_BEHIND = 0.35  # how far behind the ankle the heel is, as a share of the way from ankle to ball over the ground
HEEL_BELOW = 0.20  # how far below the ball joint the heel is, as a share of the same way


class ContactPoint(NamedTuple):
    """A point fixed to a joint."""

    name: str  # "left_heel", "left_toe", "right_heel", "right_toe", "left_hand", "right_hand"
    joint: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)  # metres, in the joint's frame

    @property
    def is_hand(self) -> bool:
        return self.name.endswith("_hand")


def contact_points(skeleton: Skeleton) -> tuple[ContactPoint, ...]:
    """Return the points of a skeleton's feet and hands that may touch the ground, feet first."""
    feet = [point for leg in legs(skeleton) for point in foot_points(skeleton, leg)]
    return (*feet, *(ContactPoint(f"{arm.side}_hand", arm.end) for arm in arms(skeleton)))


def foot_points(skeleton: Skeleton, leg: Limb) -> tuple[ContactPoint, ...]:
    """Return a foot's heel and toe (its ball joint), or only its ankle, as heel, where nothing hangs on that.

    The heel is placed as in a foot of average shape that stands flat in the rest pose: a landing foot rolls on the
    heel, not about the ankle.
    """
    toe = _toe(skeleton, leg)
    if toe is None:
        return (ContactPoint(f"{leg.side}_heel", leg.end),)
    ball = skeleton.rest_positions[toe.joint] + np.array(toe.offset) - skeleton.rest_positions[leg.end]
    below = float(ball[2] - HEEL_BELOW * np.hypot(ball[0], ball[1]))
    heel = (float(-HEEL_BEHIND * ball[0]), float(-HEEL_BEHIND * ball[1]), below)
    return ContactPoint(f"{leg.side}_heel", leg.end, heel), toe


def sole_points(skeleton: Skeleton, leg: Limb) -> tuple[ContactPoint, ...]:
    """Return the points whose lowest is the foot's lowest: heel, toe and the tips beyond the toe."""
    below = skeleton.is_below(leg.end)
    tips = [
        ContactPoint(f"{leg.side}_tip", int(joint), _triple(offset))
        for joint, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True)
        if below[joint]
    ]
    return (*foot_points(skeleton, leg), *tips)


def point_positions(motion: Motion, points: tuple[ContactPoint, ...]) -> FloatArray:
    """Return the places of points in the world, (F, P, 3)."""
    joints = np.array([point.joint for point in points], dtype=np.intp)
    offsets = np.array([point.offset for point in points]).reshape(-1, 3)
    return motion.world_positions[:, joints] + quaternion.rotate(motion.world_rotations[:, joints], offsets)


def leg_length(skeleton: Skeleton) -> float:
    """Return the longest leg's length from hip to ankle; an adult's for a figure without legs."""
    rest = skeleton.rest_positions
    lengths = [
        np.linalg.norm(rest[leg.middle] - rest[leg.root]) + np.linalg.norm(rest[leg.end] - rest[leg.middle])
        for leg in legs(skeleton)
    ]
    return float(max(lengths, default=0.0)) or ADULT_LEG_M


def _toe(skeleton: Skeleton, leg: Limb) -> ContactPoint | None:
    """Find the ball of a foot: the toe joint by name, else any joint or tip that hangs on the ankle."""
    name = f"{leg.side}_toe"
    if leg.toe >= 0 and skeleton.parents[leg.toe] == leg.end:
        return ContactPoint(name, leg.toe)
    for child in skeleton.children(leg.end):
        if skeleton.bone_lengths[child] > 0.0:
            return ContactPoint(name, int(child))
    for joint, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True):
        if joint == leg.end and np.any(offset != 0.0):
            return ContactPoint(name, leg.end, _triple(offset))
    return None


def _triple(offset: FloatArray) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in offset)
    return x, y, z
