"""A walk made by code: footfalls first, then the pelvis, the legs by inverse kinematics, the rest last.

Angles and timings are textbook values of normal walking at 1.3 m/s; phases count from the contact of
the leg's own heel, as shares of a stride.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline, PchipInterpolator

from gambol.character.builtin import human_skeleton as human
from gambol.geometry import quaternion
from gambol.motion.joint_names import legs
from gambol.motion.motion import Motion
from gambol.motion.two_bone_ik import reach_targets

FloatArray = NDArray[np.float64]

STRIDE_M = 1.42
STRIDE_S = 1.09
TOE_OFF = 0.61  # phase at which the foot leaves the ground
HIP_HEIGHT_M = 0.883  # mean over the stride; straight legs would hold it at 0.93
HIP_RISE_M = 0.0175  # amplitude, lowest just after each contact
CONTACT_AHEAD_M = 0.335  # ankle before the hip at heel contact
FOOT_HALF_TRACK_M = 0.05
SWING_LIFT_M = 0.02  # more than the angles say, so that the toes pass two centimetres above the ground

#: Pitch of the foot (phase, degrees toes up), and thigh and knee in swing (phase, flexion, flexion).
FOOT_PITCH = (
    (0.0, 21), (0.12, 0), (0.32, 0), (0.50, -14), (0.61, -64), (0.64, -68), (0.73, -55), (0.81, -24), (0.92, 14),
)  # fmt: skip
SWING = ((0.73, 14, 63), (0.81, 26, 52), (0.92, 29, 16))

_Y = np.array([0.0, 1.0, 0.0])
_X = np.array([1.0, 0.0, 0.0])


def walk(*, strides: int = 3, rate_hz: float = 60.0) -> Motion:
    """Return a steady walk along +X that begins and ends at the left heel's contact.

    It is cyclic: the last frame repeats the first, one stride further for each stride.  The time
    of a stride is rounded so that the whole has a whole number of frames.
    """
    skeleton = human.human_skeleton()
    frames = round(strides * STRIDE_S * rate_hz) + 1
    phase = np.linspace(0.0, strides, frames)
    rotations = quaternion.identity(frames, skeleton.joint_count)
    hips, hips_turn = _pelvis(phase)
    rotations[:, 0] = hips_turn
    _trunk_and_arms(rotations, skeleton.index, phase)
    motion = Motion(skeleton, rate_hz, hips, rotations)
    for leg, offset, left in zip(legs(skeleton), (0.0, 0.5), (1.0, -1.0), strict=True):
        ankles, pitch, toes = _foot(phase - offset)
        ankles[:, 0] += offset * STRIDE_M
        ankles[:, 1] += FOOT_HALF_TRACK_M * left
        feet = quaternion.from_axis_angle(_Y, -pitch)
        motion = reach_targets(motion, leg, ankles, end_rotations=feet)
        turned = np.array(motion.rotations)
        turned[:, leg.toe] = quaternion.from_axis_angle(_Y, -toes)
        motion = motion.with_rotations(turned)
    return motion


def _wave(phase: FloatArray, amplitude: float, peak: float, harmonic: int = 1) -> FloatArray:
    """A cosine with its maximum at a phase of the left foot's stride."""
    return amplitude * np.cos(2.0 * np.pi * harmonic * (phase - peak))


def _pelvis(phase: FloatArray) -> tuple[FloatArray, FloatArray]:
    height = HIP_HEIGHT_M + human.HIPS_ABOVE_HIP_JOINTS_M + _wave(phase, HIP_RISE_M, 0.27, harmonic=2)
    sway = _wave(phase, 0.0225, 0.33)
    yaw = -_wave(phase, np.radians(4.5), 0.0)  # the left side is forward at left contact
    obliquity = _wave(phase, np.radians(4.0), 0.14)  # the side of the loaded leg is high
    turn = quaternion.multiply(quaternion.from_heading(yaw), quaternion.from_axis_angle(_X, obliquity))
    return np.column_stack((phase * STRIDE_M, sway, height)), turn


def _foot(phase: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a foot's ankle path (F, 3) about the line of travel, its pitch and the bend of its toes."""
    times, degrees = np.array([*FOOT_PITCH, (1.0, FOOT_PITCH[0][1])]).T
    cycle = np.floor(phase)
    local = phase - cycle
    pitch_at = PchipInterpolator(times, np.radians(degrees))
    pitch = pitch_at(local)
    path = _swing_path(pitch_at)
    ankles = np.where((local <= TOE_OFF)[:, None], _stance_ankle(local, pitch), path(np.maximum(local, TOE_OFF)))
    ankles[:, 0] += cycle * STRIDE_M
    # While the foot rolls over its ball the toes stay flat; in swing they straighten, late enough to clear the ground.
    release = np.clip((local - TOE_OFF) / 0.3, 0.0, 1.0)
    return ankles, pitch, -np.minimum(pitch, 0.0) * (1.0 - release**2 * (3.0 - 2.0 * release))


def _stance_ankle(local: FloatArray, pitch: FloatArray) -> FloatArray:
    """Pin the heel while the toes come down, then the ball while the heel comes up."""
    over_heel = _turned(pitch, human.HEEL_BEHIND_ANKLE_M, human.ANKLE_HEIGHT_M)
    over_ball = _turned(pitch, -human.BALL_AHEAD_M, human.ANKLE_HEIGHT_M - human.BALL_HEIGHT_M)
    contact = _turned(np.radians(FOOT_PITCH[0][1]), human.HEEL_BEHIND_ANKLE_M, human.ANKLE_HEIGHT_M)
    heel_x = CONTACT_AHEAD_M - contact[0]
    ball_x = heel_x + human.HEEL_BEHIND_ANKLE_M + human.BALL_AHEAD_M
    on_heel = over_heel + [heel_x, 0.0]
    on_ball = over_ball + [ball_x, human.BALL_HEIGHT_M]
    xz = np.where((pitch > 0.0)[:, None], on_heel, on_ball)
    return np.column_stack((xz[:, 0], np.zeros(len(local)), xz[:, 1]))


def _swing_path(pitch_at: PchipInterpolator) -> CubicSpline:
    """Return the ankle's way (x, y, z) from toe-off to the next contact, smooth at both ends."""
    step = 1e-4

    def stance(at: float) -> FloatArray:
        local = np.array([at])
        return _stance_ankle(local, pitch_at(local))[0]

    points = [(TOE_OFF, *stance(TOE_OFF))]
    for at, thigh, knee in SWING:
        upper, lower = np.radians(thigh), np.radians(thigh - knee)
        x = human.THIGH_M * np.sin(upper) + human.SHANK_M * np.sin(lower)
        hip = HIP_HEIGHT_M + SWING_LIFT_M + _wave(np.array(at), HIP_RISE_M, 0.27, harmonic=2)
        z = hip - human.THIGH_M * np.cos(upper) - human.SHANK_M * np.cos(lower)
        points.append((at, at * STRIDE_M + x, 0.0, z))
    points.append((1.0, *(stance(0.0) + [STRIDE_M, 0.0, 0.0])))
    leaving = (stance(TOE_OFF) - stance(TOE_OFF - step)) / step
    landing = (stance(step) - stance(0.0)) / step
    table = np.array(points)
    ends = ((1, leaving), (1, landing))
    return CubicSpline(table[:, 0], table[:, 1:], bc_type=ends)  # pyright: ignore[reportArgumentType]


def _turned(pitch: FloatArray, x: float, z: float) -> FloatArray:
    """Turn a point of the foot's side view (x forward, z up) by its pitch, toes up."""
    cosine, sine = np.cos(pitch), np.sin(pitch)
    return np.stack((x * cosine - z * sine, x * sine + z * cosine), axis=-1)


def _trunk_and_arms(rotations: FloatArray, index: Callable[[str], int], phase: FloatArray) -> None:
    """Turn the chest against the pelvis, keep the head steady and swing the arms opposite the legs."""
    pelvis_yaw = -_wave(phase, np.radians(4.5), 0.0)
    chest_yaw = _wave(phase, np.radians(4.5), 0.0)
    for name, share in (("Spine", 0.15), ("Spine1", 0.35), ("Spine2", 0.50)):
        yaw = quaternion.from_heading(share * (chest_yaw - pelvis_yaw))
        level = quaternion.from_axis_angle(_X, -share * _wave(phase, np.radians(4.0), 0.14))
        lean = quaternion.from_axis_angle(_Y, np.full(len(phase), share * np.radians(3.0)))
        rotations[:, index(name)] = quaternion.multiply(quaternion.multiply(yaw, level), lean)
    steady = quaternion.from_axis_angle(_Y, np.full(len(phase), -np.radians(1.5)))
    for name in ("Neck", "Head"):
        rotations[:, index(name)] = quaternion.multiply(quaternion.from_heading(-0.45 * chest_yaw), steady)
    for side, left, forward in (("Left", 1.0, 0.5), ("Right", -1.0, 0.0)):
        swing = np.radians(-3.5) + _wave(phase, np.radians(13.0), forward)
        elbow = np.radians(27.0) + _wave(phase, np.radians(9.0), forward + 0.05)
        hang = quaternion.from_axis_angle(_X, -left * np.radians(80.0))
        rotations[:, index(f"{side}Arm")] = quaternion.multiply(quaternion.from_axis_angle(_Y, -swing), hang)
        bend = quaternion.multiply(quaternion.from_axis_angle(_Y, -elbow), hang)
        rotations[:, index(f"{side}ForeArm")] = quaternion.multiply(quaternion.conjugate(hang), bend)
