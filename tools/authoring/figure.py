"""From tracks a person can think in (feet, pelvis, angles) to a motion of the built-in human.

Order: footfalls, pelvis, legs by inverse kinematics, spine, head, arms.  All angles are radians;
flexion, forward and toes up are positive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from tools.authoring import human_skeleton as human

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion import joint_names
from gambol.motion.motion import Motion
from gambol.motion.two_bone_ik import reach_targets

LEFT, RIGHT = 0, 1
_X, _Y = np.eye(3)[:2]
# How flexion and turning are shared along the spine, bottom to top.
_SPINE = (("Spine", 0.50, 0.15), ("Spine1", 0.30, 0.35), ("Spine2", 0.20, 0.50))


@dataclass
class FigureTracks:
    """Everything that is keyed, by frame; index 0 is left, 1 is right.

    Pelvis, feet and hand targets are in the world; spine, neck and arms are relative to what they
    hang on.
    """

    pelvis: FloatArray  # (F, 3) metres, the Hips joint
    pelvis_yaw: FloatArray  # (F,)
    ankles: FloatArray  # (F, 2, 3) metres, where the ankle joints shall be
    foot_yaw: FloatArray  # (F, 2)
    foot_pitch: FloatArray  # (F, 2) toes up
    toe_bend: FloatArray  # (F, 2) toes up, relative to the foot
    pelvis_pitch: FloatArray | None = None  # (F,) forward
    pelvis_roll: FloatArray | None = None  # (F,) right side down is positive
    pelvis_twist: FloatArray | None = None  # (F,) about the trunk's own length; the same as yaw when upright
    foot_roll: FloatArray | None = None  # (F, 2) about the foot's own long axis
    knee_yaw: FloatArray | None = None  # (F, 2) where the knees point, relative to the pelvis
    spine_flexion: FloatArray | None = None  # (F,) of the whole spine, forward
    spine_yaw: FloatArray | None = None  # (F,) of the chest relative to the pelvis
    spine_roll: FloatArray | None = None  # (F,)
    head_pitch: FloatArray | None = None  # (F,) of the head relative to the chest, chin down is positive
    head_yaw: FloatArray | None = None  # (F,)
    head_roll: FloatArray | None = None  # (F,)
    upper_arm: FloatArray | None = None  # (F, 2) swing from hanging, forward
    upper_arm_out: FloatArray | None = None  # (F, 2) away from the body
    upper_arm_turn: FloatArray | None = None  # (F, 2) about its own length, so that a bent forearm points inward
    elbow: FloatArray | None = None  # (F, 2) flexion
    hands: FloatArray | None = None  # (F, 2, 3) metres; where given, the wrists are put there
    hands_weight: FloatArray | None = None  # (F, 2) 0 keeps the swinging arm, 1 reaches the target
    palm_yaw: FloatArray | None = None  # (F, 2) where given, hands at their targets have the palm down, fingers so
    palm_pitch: FloatArray | None = None  # (F, 2) fingertips up
    palms_weight: FloatArray | None = None  # (F, 2) how far palms are turned so; as the hands' weight where not given

    @property
    def frame_count(self) -> int:
        return len(self.pelvis)

    def track(self, name: str, *shape: int) -> FloatArray:
        """Return a track, or zeros where it is not keyed."""
        values = getattr(self, name)
        return np.zeros((self.frame_count, *shape)) if values is None else np.asarray(values, dtype=np.float64)


def assemble(tracks: FigureTracks, rate_hz: float) -> Motion:
    """Pose the built-in human by its tracks, one frame each."""
    skeleton = human.human_skeleton()
    if tracks.ankles.shape != (tracks.frame_count, 2, 3):
        raise InvalidInput(f"ankles of shape (F, 2, 3) expected, not {tracks.ankles.shape}")
    rotations = quaternion.identity(tracks.frame_count, skeleton.joint_count)
    rotations[:, 0] = pelvis_rotations(tracks)
    _pose_spine(rotations, skeleton.index, tracks)
    _pose_arms(rotations, skeleton.index, tracks)
    for side, leg in enumerate(joint_names.legs(skeleton)):
        rotations[:, leg.root] = quaternion.from_heading(tracks.track("knee_yaw", 2)[:, side])
    motion = Motion(skeleton, rate_hz, tracks.pelvis, rotations)
    feet = _turn(tracks.foot_yaw, -tracks.foot_pitch, tracks.track("foot_roll", 2))
    for side, leg in enumerate(joint_names.legs(skeleton)):
        motion = reach_targets(motion, leg, tracks.ankles[:, side], end_rotations=feet[:, side])
        turned = np.array(motion.rotations)
        turned[:, leg.toe] = quaternion.from_axis_angle(_Y, -tracks.toe_bend[:, side])
        motion = motion.with_rotations(turned)
    return _reach_with_hands(motion, tracks)


def pelvis_rotations(tracks: FigureTracks) -> FloatArray:
    """Return the orientation of the pelvis in the world (F, 4)."""
    tilted = _turn(tracks.pelvis_yaw, tracks.track("pelvis_pitch"), tracks.track("pelvis_roll"))
    return quaternion.multiply(tilted, quaternion.from_heading(tracks.track("pelvis_twist")))


def hip_joints(tracks: FigureTracks) -> FloatArray:
    """Return where the hip joints are in the world (F, 2, 3)."""
    aside, below = human.HIP_HALF_WIDTH_M, human.HIPS_ABOVE_HIP_JOINTS_M
    offsets = np.array([[0.0, aside, -below], [0.0, -aside, -below]])
    return tracks.pelvis[:, None] + quaternion.rotate(pelvis_rotations(tracks)[:, None], offsets)


def _turn(yaw: FloatArray, pitch: FloatArray, roll: FloatArray) -> FloatArray:
    """Compose heading, forward pitch and roll (right side down) into rotations."""
    tilt = quaternion.multiply(quaternion.from_axis_angle(_Y, pitch), quaternion.from_axis_angle(_X, roll))
    return quaternion.multiply(quaternion.from_heading(yaw), tilt)


def _pose_spine(rotations: FloatArray, index: Callable[[str], int], tracks: FigureTracks) -> None:
    flexion, yaw, roll = (tracks.track(name) for name in ("spine_flexion", "spine_yaw", "spine_roll"))
    for name, bend, turn in _SPINE:
        rotations[:, index(name)] = _turn(turn * yaw, bend * flexion, bend * roll)
    head = _turn(*(0.5 * tracks.track(name) for name in ("head_yaw", "head_pitch", "head_roll")))
    rotations[:, index("Neck")] = head
    rotations[:, index("Head")] = head


def _pose_arms(rotations: FloatArray, index: Callable[[str], int], tracks: FigureTracks) -> None:
    """Let the arms hang from their T-pose, then swing them and bend the elbows forward."""
    names = ("upper_arm", "upper_arm_out", "upper_arm_turn", "elbow")
    swing, out, turn, elbow = (tracks.track(name, 2) for name in names)
    for side, (name, left) in enumerate((("Left", 1.0), ("Right", -1.0))):
        hang = quaternion.from_axis_angle(_X, -left * (0.5 * np.pi - out[:, side]))
        straight = quaternion.from_axis_angle(_X, np.full(tracks.frame_count, -left * 0.5 * np.pi))
        inward = quaternion.multiply(hang, quaternion.from_axis_angle(_Y, turn[:, side]))
        rotations[:, index(f"{name}Arm")] = quaternion.multiply(quaternion.from_axis_angle(_Y, -swing[:, side]), inward)
        bend = quaternion.multiply(quaternion.from_axis_angle(_Y, -elbow[:, side]), straight)
        rotations[:, index(f"{name}ForeArm")] = quaternion.multiply(quaternion.conjugate(straight), bend)


def _reach_with_hands(motion: Motion, tracks: FigureTracks) -> Motion:
    if tracks.hands is None:
        return motion
    weights = np.ones((tracks.frame_count, 2)) if tracks.hands_weight is None else tracks.hands_weight
    for side, arm in enumerate(joint_names.arms(motion.skeleton)):
        if not np.any(weights[:, side] > 0.0):
            continue
        wrists = motion.world_positions[:, arm.end]
        targets = wrists + weights[:, side, None] * (tracks.hands[:, side] - wrists)
        hands = motion.world_rotations[:, arm.end]
        if tracks.palm_yaw is not None:
            flatness = weights if tracks.palms_weight is None else tracks.palms_weight
            hands = quaternion.slerp(hands, _flat_palm(tracks, side), flatness[:, side])
        motion = reach_targets(motion, arm, targets, end_rotations=hands)
    return motion


def _flat_palm(tracks: FigureTracks, side: int) -> FloatArray:
    """Return the orientation in the world of a hand with its palm down; at rest its fingers point outward."""
    fingers = _turn(tracks.track("palm_yaw", 2)[:, side], -tracks.track("palm_pitch", 2)[:, side], np.zeros(1))
    return quaternion.multiply(fingers, quaternion.from_heading(-0.5 * np.pi if side == LEFT else 0.5 * np.pi))
