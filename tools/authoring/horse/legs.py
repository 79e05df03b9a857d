"""Four legs by inverse kinematics: each folds in one way, as its tendons have it, and swings as a whole.

A horse's hind leg folds by its reciprocal apparatus: stifle and hock bend together.  A fore leg
stands with its knee locked and gives at shoulder and elbow; only when it is shortened more does the
knee bend.  So a leg of three bones has one way to be as long as it must, and that is looked up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from tools.authoring.horse.skeleton import TOE, LegJoints, horse_skeleton, leg_joints

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion

_X, _Y = np.eye(3)[:2]
FOLD_STEPS = 400
# Flexion in degrees of fore legs from stretched to folded: elbow, knee (carpus) from the share at which it yields.
ELBOW, KNEE, KNEE_FROM = (7.0, 118.0), (2.0, 112.0), 0.40
# Flexion of hind legs: stifle, hock.
STIFLE, HOCK = (26.0, 140.0), (4.0, 98.0)
SHOULDER_SHARE = 0.5  # of a fore leg's swing that the shoulder blade takes
SOFT = 0.993  # of a leg's length: beyond, asking for more brings less and less


class HoofTrack(NamedTuple):
    """A hoof, frame by frame, in the world."""

    toe: FloatArray  # (F, 3) metres
    yaw: FloatArray  # (F,)
    pitch: FloatArray  # (F,) toe up
    pastern: FloatArray  # (F,) pitch of the pastern: positive where the fetlock sinks


@dataclass(frozen=True, eq=False)
class Fold:
    """How long a leg is from its top to the fetlock, and which way its bones point, as it folds.

    Angles count from straight down, forward is positive.
    """

    length: FloatArray  # (N,) metres, falling
    bones: FloatArray  # (N, 3) angles of the bones, seen from the line from top to fetlock
    rest: FloatArray  # (3,) angles of the bones at rest


@cache
def fold_of(*, hind: bool) -> Fold:
    """Tabulate how a fore or a hind leg folds."""
    leg = leg_joints()[0 if hind else 2]
    rest = horse_skeleton().rest_positions
    joints = [*leg.bones, leg.pastern]
    steps = np.diff(rest[joints], axis=0)
    lengths, angles = np.linalg.norm(steps, axis=1), np.arctan2(steps[:, 0], -steps[:, 2])
    share = np.linspace(0.0, 1.0, FOLD_STEPS)
    if hind:
        first, second = (np.radians(low + share * (high - low)) for low, high in (STIFLE, HOCK))
        turned = np.column_stack((np.zeros(FOLD_STEPS), -first, second - first))
    else:
        elbow = np.radians(ELBOW[0] + share * (ELBOW[1] - ELBOW[0]))
        yielding = np.clip((share - KNEE_FROM) / (1.0 - KNEE_FROM), 0.0, 1.0)
        knee = np.radians(KNEE[0] + yielding**1.5 * (KNEE[1] - KNEE[0]))
        turned = np.column_stack((np.zeros(FOLD_STEPS), elbow, elbow - knee))
    ahead, below = np.sin(turned) @ lengths, np.cos(turned) @ lengths
    return Fold(np.hypot(ahead, below), turned - np.arctan2(ahead, below)[:, None], angles)


def pose_legs(motion: Motion, hooves: tuple[HoofTrack, ...]) -> Motion:
    """Return the motion with all four hooves where their tracks have them, as far as legs reach."""
    rotations = np.array(motion.rotations)
    skeleton = motion.skeleton
    for leg, hoof in zip(leg_joints(), hooves, strict=True):
        if not leg.is_hind:
            rotations[:, leg.shoulder] = _shoulder_turn(motion, leg, hoof)
    motion = motion.with_rotations(rotations)
    trunk = motion.world_rotations
    for leg, hoof in zip(leg_joints(), hooves, strict=True):
        above = trunk[:, skeleton.parents[leg.bones[0]]]
        forward = quaternion.rotate(trunk[:, skeleton.index("Hips" if leg.is_hind else "Spine2")], _X)
        world = [
            *_leg_turns(motion, leg, hoof, forward),
            _upright(hoof.yaw, hoof.pastern),
            _upright(hoof.yaw, hoof.pitch),
        ]
        for joint, turn in zip((*leg.bones, leg.pastern, leg.hoof), world, strict=True):
            rotations[:, joint] = quaternion.multiply(quaternion.conjugate(above), turn)
            above = turn
    return motion.with_rotations(rotations)


def hoof_joint(hoof: HoofTrack) -> FloatArray:
    """Return where the joint in a hoof is (F, 3)."""
    return hoof.toe - quaternion.rotate(_upright(hoof.yaw, hoof.pitch), np.array(TOE))


def _upright(yaw: FloatArray, pitch: FloatArray) -> FloatArray:
    return quaternion.multiply(quaternion.from_heading(yaw), quaternion.from_axis_angle(_Y, -pitch))


def _shoulder_turn(motion: Motion, leg: LegJoints, hoof: HoofTrack) -> FloatArray:
    """Turn the shoulder blade with the leg, by a share of its swing."""
    parent = motion.skeleton.parents[leg.shoulder]
    back = quaternion.conjugate(motion.world_rotations[:, parent])
    away = quaternion.rotate(back, hoof_joint(hoof) - motion.world_positions[:, leg.shoulder])
    rest = motion.skeleton.rest_positions
    usual = rest[leg.hoof] - rest[leg.shoulder]
    swing = np.arctan2(away[:, 0], -away[:, 2]) - np.arctan2(usual[0], -usual[2])
    return quaternion.from_axis_angle(_Y, -SHOULDER_SHARE * swing)


def _leg_turns(motion: Motion, leg: LegJoints, hoof: HoofTrack, forward: FloatArray) -> list[FloatArray]:
    """Return the world orientations of a leg's three bones that put its fetlock where hoof and pastern want it."""
    fold = fold_of(hind=leg.is_hind)
    skeleton = motion.skeleton
    fetlock = hoof_joint(hoof) - quaternion.rotate(_upright(hoof.yaw, hoof.pastern), skeleton.offsets[leg.hoof])
    way = fetlock - motion.world_positions[:, leg.bones[0]]
    across = np.cross(-way, forward)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    plane = quaternion.from_matrix(np.stack((forward, across, np.cross(forward, across)), axis=-1))
    local = quaternion.rotate(quaternion.conjugate(plane), way)
    swing = np.arctan2(local[:, 0], -local[:, 2])
    length = _soft(np.linalg.norm(way, axis=1), fold.length[0])
    turns = []
    for bone in range(3):
        angle = swing + np.interp(-length, -fold.length, fold.bones[:, bone])
        turns.append(quaternion.multiply(plane, quaternion.from_axis_angle(_Y, fold.rest[bone] - angle)))
    return turns


def _soft(wanted: FloatArray, longest: float) -> FloatArray:
    """Return leg lengths that approach the longest one but never pass it."""
    start, room = SOFT * longest, (1.0 - SOFT) * longest
    beyond = np.maximum(wanted - start, 0.0)
    return np.minimum(wanted, start) + room * -np.expm1(-beyond / room)
