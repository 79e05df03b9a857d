"""From a course, the trunk's tracks and the hooves' to a motion of the built-in horse."""

from __future__ import annotations

import numpy as np
from tools.authoring.authored import RATE_HZ
from tools.authoring.course import Course
from tools.authoring.horse.legs import HoofTrack, pose_legs
from tools.authoring.horse.mass import centre_of_mass
from tools.authoring.horse.skeleton import horse_skeleton
from tools.authoring.horse.trunk import TrunkTracks

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion

_X, _Y = np.eye(3)[:2]
MIDDLE_M = 1.30  # height of the middle of the trunk at rest, which is above the course
SETTLED_M = 1e-9
MOST_ROUNDS = 60
GIVE = 0.85  # how far the centre of mass follows the trunk, about
NECK_SHARES = (("Neck", 0.6), ("Neck1", 0.4))


def assemble_horse(course: Course, trunk: TrunkTracks, hooves: tuple[HoofTrack, ...]) -> Motion:
    """Pose the horse, with its trunk as high as puts the centre of mass where it shall be."""
    height = trunk.mass_height_m + 0.05
    for _ in range(MOST_ROUNDS):
        motion = pose_legs(_pose_trunk(course, trunk, height), hooves)
        missing = trunk.mass_height_m - centre_of_mass(motion)[:, 2]
        if np.abs(missing).max() < SETTLED_M:
            return motion
        height = height + missing / GIVE
    raise AssertionError("a horse cannot be posed: its legs do not reach")


def _pose_trunk(course: Course, trunk: TrunkTracks, height: FloatArray) -> Motion:
    """Return the horse with its legs as at rest."""
    skeleton = horse_skeleton()
    rotations = quaternion.identity(len(course.times), skeleton.joint_count)

    def turn(name: str, *, up: FloatArray | float = 0.0, left: FloatArray | float = 0.0) -> None:
        rotations[:, skeleton.index(name)] = quaternion.multiply(quaternion.from_heading(left), _raised(up))

    banked = quaternion.from_euler(np.column_stack((course.pose[:, 2], np.zeros(len(height)), -trunk.bank)), "ZYX")
    barrel = quaternion.multiply(banked, _raised(trunk.pitch))
    hips = quaternion.multiply(barrel, _raised(trunk.tuck))
    rotations[:, 0] = hips
    turn("Spine", up=-trunk.tuck, left=0.4 * trunk.bend)
    for name in ("Spine1", "Spine2"):
        turn(name, left=0.3 * trunk.bend)
    for name, share in NECK_SHARES:
        turn(name, up=share * trunk.neck, left=0.4 * trunk.look)
    turn("Head", up=trunk.head, left=0.2 * trunk.look)
    for name in ("Tail", "Tail1", "Tail2"):
        turn(name, up=-trunk.tail, left=trunk.sway)
    # The middle of the trunk leans over the course; the loin joint hangs on it, and the hips on that.
    middle = course.place(np.column_stack((np.zeros(len(height)), height * np.tan(trunk.bank), height)))
    rest = skeleton.rest_positions
    loin = middle + quaternion.rotate(barrel, rest[skeleton.index("Spine")] - np.array([0.0, 0.0, MIDDLE_M]))
    return Motion(
        skeleton, RATE_HZ, loin - quaternion.rotate(hips, skeleton.offsets[skeleton.index("Spine")]), rotations
    )


def _raised(angle: FloatArray | float) -> FloatArray:
    """Turn the front of something up."""
    return quaternion.from_axis_angle(_Y, -np.asarray(angle))
