"""The trunk: pelvis, back, neck and head, with the small turns of walking."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.climb.body.curves import rounded
from gambol.climb.body.head import NECK_SHARE
from gambol.climb.body.holding import Holding
from gambol.climb.body.kernels.pitch import ArmLengths, distances
from gambol.climb.body.lanes import lane
from gambol.climb.body.limbs import unit
from gambol.climb.body.planar import PlanarPoses
from gambol.climb.environment_table import FLOOR
from gambol.climb.kernels.field import DistanceField
from gambol.climb.modes import Mode
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.skeleton import Skeleton

UP, LEFT = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
PELVIS_RAD, CHEST_RAD = -0.28, 0.22  # turned for a metre that the left foot is ahead of the right one
SWAY_M = 0.016  # of an adult's pelvis, towards the foot that bears
EASE_S = 0.09
#: How much farther than the planar figure one leans on straight arms, how palms are tilted, and how far they reach.
MORE_LEAN = np.arange(0.0, 0.42, 0.03)
PALM_RAD = 0.2
EASY_REACH = 0.995
#: Shoulders give by so much as an arm gets straight from so much on; more for a hand that holds, as the back turns too
#: then: a stretched arm with less would press fingers into a wall to keep the palm on it.
STRETCHED_FROM, GIVES_RAD, HOLDING_GIVES_RAD = 0.80, 0.42, 0.58
STRAIGHT_LEG = 0.9998
JOINTS = ("Hips", "Spine", "Spine1", "Spine2")


class Trunk(NamedTuple):
    """Orientations of the trunk's joints in the body's space (F, 4) by name, and where its parts are (F, 3)."""

    rotations: dict[str, FloatArray]
    root: FloatArray
    hips: tuple[FloatArray, FloatArray]  # left and right hip joint
    shoulders: tuple[FloatArray, FloatArray]  # left and right shoulder joint, not yet reaching out
    collars: tuple[FloatArray, FloatArray]  # where the collar bones begin


def trunk_poses(
    skeleton: Skeleton,
    poses: PlanarPoses,
    feet: tuple[Holding, Holding],
    walking: FloatArray,
    rate_hz: float,
    size: float,
) -> Trunk:
    """Return the trunk at every frame; hip joints and shoulders are in the plane where the figure has them."""
    apart = np.clip((poses.ankles[0] - poses.ankles[1])[:, 0] / size, -0.8, 0.8) * walking
    sway = SWAY_M * size * walking * (feet[0].is_held.astype(float) - feet[1].is_held)
    sway = rounded(sway, np.ones(len(sway)), frames=EASE_S * rate_hz)
    pitch = quaternion.from_axis_angle(LEFT, poses.lean)
    rotations: dict[str, FloatArray] = {}
    for joint, share in zip(JOINTS, (0.0, 0.35, 0.7, 1.0), strict=True):
        yaw = apart * (PELVIS_RAD + share * (CHEST_RAD - PELVIS_RAD))
        rotations[joint] = quaternion.multiply(quaternion.from_axis_angle(UP, yaw), pitch)
    neck = poses.head - poses.lean
    rotations["Neck"] = quaternion.from_axis_angle(LEFT, poses.lean + NECK_SHARE * neck)
    rotations["Head"] = quaternion.from_axis_angle(LEFT, poses.head)

    def offset(name: str) -> FloatArray:
        return skeleton.offsets[skeleton.index(name)]

    middle = np.stack((np.zeros(len(sway)), sway, poses.pelvis[:, 1]), axis=-1)
    up_leg = offset("LeftUpLeg") * (0.0, 0.0, 1.0)
    root = middle - quaternion.rotate(rotations["Hips"], up_leg)
    hips = tuple(root + quaternion.rotate(rotations["Hips"], offset(f"{side}UpLeg")) for side in ("Left", "Right"))
    chest = root
    for joint, parent in zip(JOINTS[1:], JOINTS, strict=False):
        chest = chest + quaternion.rotate(rotations[parent], offset(joint))
    spine = rotations["Spine2"]
    collars = tuple(chest + quaternion.rotate(spine, offset(f"{side}Shoulder")) for side in ("Left", "Right"))
    shoulders = tuple(
        collar + quaternion.rotate(spine, offset(f"{side}Arm"))
        for collar, side in zip(collars, ("Left", "Right"), strict=True)
    )
    return Trunk(rotations, root, (hips[0], hips[1]), (shoulders[0], shoulders[1]), (collars[0], collars[1]))


def reach_out(
    collar: FloatArray,
    shoulder: FloatArray,
    palm: FloatArray,
    arm: ArmLengths,
    holding: Holding,
    rate_hz: float,
) -> tuple[FloatArray, FloatArray]:
    """Return shoulder joints (F, 3) that go with nearly straight arms, and how the collar bones turn (F, 4)."""
    to_palm, bone = palm - shoulder, shoulder - collar
    length = arm.upper + arm.lower + arm.palm
    stretched = np.clip((np.linalg.norm(to_palm, axis=-1) / length - STRETCHED_FROM) / (1.0 - STRETCHED_FROM), 0.0, 1.0)
    gives = lane(holding, np.full(len(palm), HOLDING_GIVES_RAD), np.full(len(palm), GIVES_RAD), rate_hz=rate_hz)
    angle = gives * stretched * stretched * (3.0 - 2.0 * stretched)
    turn = quaternion.exp(angle[:, None] * np.cross(unit(bone), unit(to_palm)))
    return collar + quaternion.rotate(turn, bone), turn


def leaned_to_palms(
    poses: PlanarPoses,
    hands: tuple[Holding, Holding],
    arm: ArmLengths,
    head: tuple[float, float, float],
    field: DistanceField,
    rate_hz: float,
) -> PlanarPoses:
    """Return poses that lean farther forward where straight arms would not let palms be flat on a floor.

    head: how far the neck is from the pelvis and the head's middle from the neck, and the room that a head needs.
    """
    length = np.hypot(poses.shoulder[:, 0], poses.shoulder[:, 1] - poses.pelvis[:, 1])
    more = np.zeros(len(length))
    for palm, holding in zip(poses.hands, hands, strict=True):
        pressed = np.flatnonzero(holding.surface == FLOOR)
        tilt = holding.along[pressed] - PALM_RAD
        wrist = palm[pressed] - arm.palm * np.stack((np.cos(tilt), np.sin(tilt)), axis=-1)
        needed = np.full(len(pressed), MORE_LEAN[-1])
        for extra in MORE_LEAN[::-1]:
            lean = poses.lean[pressed] + extra
            ahead, up = length[pressed] * np.sin(lean), poses.pelvis[pressed, 1] + length[pressed] * np.cos(lean)
            reaches = np.hypot(wrist[:, 0] - ahead, wrist[:, 1] - up) < EASY_REACH * (arm.upper + arm.lower)
            needed[reaches] = extra
        more[pressed] = np.maximum(more[pressed], needed)
    if not np.any(more):
        return poses
    around = 2 * round(0.1 * rate_hz) + 1
    more = scipy.ndimage.maximum_filter1d(more, around)
    more = np.minimum(more, scipy.ndimage.minimum_filter1d(_room_to_lean(poses, head, field), 2 * around))
    lean = poses.lean + rounded(more, np.ones(len(more)), frames=0.1 * rate_hz)
    shoulder = np.stack((length * np.sin(lean), poses.pelvis[:, 1] + length * np.cos(lean)), axis=-1)
    return poses._replace(lean=lean, shoulder=shoulder)


def _room_to_lean(poses: PlanarPoses, head: tuple[float, float, float], field: DistanceField) -> FloatArray:
    """Return how much farther forward one may lean (F,) before the head enters something."""
    torso, to_head, room = head
    most = np.zeros(len(poses.lean))
    free = np.ones(len(most), dtype=bool)
    for extra in MORE_LEAN[1:]:
        lean = poses.lean + extra
        ahead = torso * np.sin(lean) + to_head * np.sin(poses.head)
        up = poses.pelvis[:, 1] + torso * np.cos(lean) + to_head * np.cos(poses.head)
        away = np.empty(len(most))
        distances(field, poses.pelvis[:, 0] + poses.facing * ahead, up, away)
        free &= away > room
        most[free] = extra
    return most


def walking_share(
    modes: NDArray[np.int32], hands: tuple[Holding, Holding], facing: FloatArray, rate_hz: float
) -> FloatArray:
    """Return how far it is a plain walk (F,), eased: hands free and not in a turn."""
    walks = (modes == Mode.WALK) & ~hands[0].is_held & ~hands[1].is_held & (np.abs(facing) >= 1.0)
    return np.clip(rounded(walks.astype(float), np.where(walks, 1.0, 50.0), frames=0.15 * rate_hz), 0.0, 1.0)


def within_legs(
    walking: FloatArray,
    place: Callable[[FloatArray], Trunk],
    ankles: tuple[FloatArray, FloatArray],
    feet: tuple[Holding, Holding],
    leg_m: float,
    rate_hz: float,
) -> FloatArray:
    """Return how far it is a walk (F,), less where a pelvis that turns and sways would leave a foot out of reach.

    place: the trunk that goes with such shares.  ankles: (F, 3) each, in the body's space.
    """
    most = np.zeros(len(walking))
    for share in (0.25, 0.5, 0.75, 1.0):
        hips = place(share * walking).hips
        reaches = np.ones(len(walking), dtype=bool)
        for hip, ankle, holding in zip(hips, ankles, feet, strict=True):
            reaches &= ~holding.is_held | (np.linalg.norm(hip - ankle, axis=-1) < STRAIGHT_LEG * leg_m)
        most[reaches] = share
    if np.all(most == 1.0):
        return walking
    around = round(0.1 * rate_hz)
    most = scipy.ndimage.minimum_filter1d(most, 4 * around + 1)
    weights = np.hanning(2 * around + 3)[1:-1]
    return walking * np.asarray(
        scipy.ndimage.convolve1d(most, weights / weights.sum(), mode="nearest"), dtype=np.float64
    )
