"""Steady ways of moving, as tables: when feet land and leave, how the legs swing, what the trunk and arms do.

Phases are shares of a stride.  A leg's and an arm's own tables count from the contact of the foot on
that side, all others from the contact of the left foot.  Angles are degrees here and nowhere else:
flexion, forward and toes up are positive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from gambol.geometry.arrays import FloatArray


@dataclass(frozen=True)
class Wave:
    """A mean and a cosine with its maximum at a phase, once or several times a stride."""

    mean: float = 0.0
    amplitude: float = 0.0
    peak: float = 0.0
    harmonic: int = 1

    def __call__(self, phase: ArrayLike) -> FloatArray:
        turns = self.harmonic * (np.asarray(phase, dtype=np.float64) - self.peak)
        return self.mean + self.amplitude * np.cos(2.0 * np.pi * turns)


@dataclass(frozen=True)
class Gait:
    """A steady way of moving straight ahead."""

    name: str
    speed_m_s: float
    stride_frames: int  # at 60 Hz, even
    stance: float  # share of the stride for which a foot is on the ground
    ahead_m: float  # of the pelvis: where the ankle of a landing foot will stand
    landing_m_s: tuple[float, float]  # forward and upward, of the ankle in the last instant before contact
    half_track_m: float  # ankles stand so far to the side of the line of travel
    pitch: tuple[tuple[float, float], ...]  # (phase, foot pitch), contact first, toe-off among them
    swing: tuple[tuple[float, float, float], ...]  # (phase, thigh, knee) between toe-off and contact
    hip_height_m: float  # walking: mean; jogging: at contact
    height: Wave = Wave()  # of the pelvis, metres about its mean; a gait with flight has its own
    is_ballistic: bool = False  # in flight the body falls freely, in stance it bounces
    sway: Wave = Wave()  # of the pelvis to the left, metres
    surge: Wave = Wave()  # of the pelvis ahead of steady travel, metres
    shift_m: float = 0.0  # how far the pelvis goes over the one foot that stands, in single steps
    toe_out: float = 7.0
    pelvis_yaw: Wave = Wave()
    pelvis_roll: Wave = Wave()
    pelvis_pitch: Wave = Wave()
    chest_yaw: Wave = Wave()  # as seen from outside, not relative to the pelvis
    chest_roll: Wave = Wave()
    spine_flexion: Wave = Wave()
    head_pitch: Wave = Wave()  # relative to the world: chin down
    upper_arm: Wave = Wave()  # relative to the chest
    upper_arm_out: float = 7.0
    upper_arm_turn: float = 10.0
    elbow: Wave = Wave(15.0)

    @property
    def stride_m(self) -> float:
        return self.speed_m_s * self.stride_frames / 60.0


#: Feet side by side, at rest; what swings says how it steps from there.
STAND = Gait(
    "stand",
    speed_m_s=0.0,
    stride_frames=60,
    stance=0.58,
    ahead_m=-0.035,
    landing_m_s=(0.0, -0.1),
    half_track_m=0.11,
    pitch=(
        (0.0, 6.0),
        (0.08, 0.0),
        (0.38, 0.0),
        (0.50, -14.0),
        (0.58, -34.0),
        (0.66, -36.0),
        (0.78, -14.0),
        (0.90, 4.0),
    ),
    swing=((0.70, 11.0, 40.0), (0.82, 20.0, 40.0), (0.92, 16.0, 26.0)),
    hip_height_m=0.922,
    shift_m=0.065,
    pelvis_pitch=Wave(1.0),
    spine_flexion=Wave(1.0),
    upper_arm=Wave(-2.0),
    upper_arm_out=8.0,
    upper_arm_turn=12.0,
    elbow=Wave(16.0),
)

#: Stepping backward: toes first, and the heel last to leave.
BACK = replace(
    STAND,
    name="back",
    pitch=((0.0, -24.0), (0.10, 0.0), (0.40, 0.0), (0.50, 6.0), (0.58, 14.0), (0.68, 6.0), (0.80, -8.0), (0.92, -22.0)),
    swing=((0.70, 16.0, 36.0), (0.82, 15.0, 38.0), (0.92, 10.0, 27.0)),
)

WALK = Gait(
    "walk",
    speed_m_s=1.3,
    stride_frames=66,
    stance=0.61,
    ahead_m=0.352,
    landing_m_s=(0.55, -0.15),
    half_track_m=0.05,
    pitch=(
        (0.0, 21.0), (0.12, 0.0), (0.32, 0.0), (0.41, -2.0), (0.50, -13.0), (0.56, -39.0), (0.61, -65.0),
        (0.645, -80.0), (0.69, -75.0), (0.73, -58.0), (0.81, -23.0), (0.92, 14.0),
    ),
    swing=((0.665, -2.0, 51.0), (0.73, 14.0, 63.0), (0.81, 26.0, 52.0), (0.90, 30.0, 27.0), (0.955, 28.5, 15.5)),
    hip_height_m=0.888,
    height=Wave(0.0, 0.021, 0.27, 2),
    sway=Wave(0.0, 0.0225, 0.33),
    surge=Wave(0.0, 0.007, 0.14, 2),
    pelvis_yaw=Wave(0.0, -4.5, 0.0),
    pelvis_roll=Wave(0.0, 4.5, 0.14),
    pelvis_pitch=Wave(2.0, 1.0, 0.05, 2),
    chest_yaw=Wave(0.0, 4.5, 0.02),
    chest_roll=Wave(0.0, -1.0, 0.14),
    spine_flexion=Wave(1.5, 0.6, 0.08, 2),
    head_pitch=Wave(1.0, 1.2, 0.10, 2),
    upper_arm=Wave(-2.0, 12.5, 0.5),
    upper_arm_out=8.0,
    upper_arm_turn=12.0,
    elbow=Wave(28.0, 9.0, 0.55),
)  # fmt: skip

SLOW_WALK = replace(
    WALK,
    name="slow",
    speed_m_s=0.8,
    stride_frames=80,
    stance=0.65,
    ahead_m=0.278,
    landing_m_s=(0.40, -0.12),
    half_track_m=0.06,
    pitch=(
        (0.0, 16.0), (0.13, 0.0), (0.36, 0.0), (0.46, -3.0), (0.54, -11.0), (0.60, -32.0), (0.65, -55.0),
        (0.685, -69.0), (0.72, -65.0), (0.76, -50.0),
        (0.84, -20.0), (0.93, 10.0),
    ),
    swing=((0.70, -0.5, 47.0), (0.76, 11.0, 56.0), (0.84, 22.0, 46.0), (0.91, 25.5, 28.0), (0.96, 24.0, 18.0)),
    hip_height_m=0.902,
    height=Wave(0.0, 0.0125, 0.28, 2),
    sway=Wave(0.0, 0.034, 0.33),
    surge=Wave(0.0, 0.008, 0.14, 2),
    pelvis_yaw=Wave(0.0, -4.0, 0.0),
    pelvis_roll=Wave(0.0, 3.8, 0.14),
    chest_yaw=Wave(0.0, 3.6, 0.02),
    upper_arm=Wave(-2.0, 7.5, 0.5),
    elbow=Wave(20.0, 5.0, 0.55),
)  # fmt: skip

FAST_WALK = replace(
    WALK,
    name="fast",
    speed_m_s=1.8,
    stride_frames=56,
    stance=0.58,
    ahead_m=0.40,
    landing_m_s=(0.75, -0.20),
    half_track_m=0.045,
    pitch=(
        (0.0, 24.0), (0.11, 0.0), (0.29, 0.0), (0.38, -3.0), (0.46, -13.0), (0.53, -42.0), (0.58, -68.0),
        (0.615, -83.0), (0.66, -78.0), (0.70, -62.0),
        (0.79, -26.0), (0.91, 16.0),
    ),
    swing=((0.635, -4.0, 53.0), (0.70, 15.0, 68.0), (0.79, 30.0, 58.0), (0.89, 34.5, 30.0), (0.95, 33.0, 17.5)),
    hip_height_m=0.874,
    height=Wave(0.0, 0.0265, 0.26, 2),
    sway=Wave(0.0, 0.0175, 0.33),
    surge=Wave(0.0, 0.006, 0.14, 2),
    pelvis_yaw=Wave(0.0, -6.5, 0.0),
    pelvis_roll=Wave(0.0, 5.5, 0.14),
    pelvis_pitch=Wave(3.0, 1.2, 0.05, 2),
    chest_yaw=Wave(0.0, 6.0, 0.02),
    spine_flexion=Wave(2.5, 0.8, 0.08, 2),
    upper_arm=Wave(-4.0, 18.0, 0.5),
    elbow=Wave(33.0, 13.0, 0.55),
)  # fmt: skip

JOG = Gait(
    "jog",
    speed_m_s=2.6,
    stride_frames=44,
    stance=16.0 / 44.0,
    ahead_m=0.170,
    landing_m_s=(0.5, -0.45),
    half_track_m=0.035,
    pitch=(
        (0.0, -8.0), (0.06, 0.0), (0.17, 0.0), (0.26, -19.0), (0.32, -42.0), (0.3636, -62.0), (0.42, -83.0),
        (0.50, -85.0), (0.58, -70.0), (0.68, -46.0), (0.78, -20.0), (0.90, -2.0),
    ),
    swing=(
        (0.42, -15.0, 40.0), (0.50, -3.0, 66.0), (0.58, 12.0, 82.0), (0.67, 24.0, 85.0), (0.76, 30.5, 72.0),
        (0.86, 31.0, 48.0), (0.94, 27.5, 31.0),
    ),
    hip_height_m=0.902,
    is_ballistic=True,
    sway=Wave(0.0, 0.012, 0.22),
    toe_out=5.0,
    pelvis_yaw=Wave(0.0, 4.0, 0.03),
    pelvis_roll=Wave(0.0, 4.5, 0.12),
    pelvis_pitch=Wave(5.0, 1.5, 0.18, 2),
    chest_yaw=Wave(0.0, 13.0, 0.04),
    chest_roll=Wave(0.0, -2.0, 0.16),
    spine_flexion=Wave(3.0, 1.5, 0.20, 2),
    head_pitch=Wave(2.0, 1.5, 0.20, 2),
    upper_arm=Wave(-22.0, 19.0, 0.53),
    upper_arm_out=13.0,
    upper_arm_turn=13.0,
    elbow=Wave(103.0, 9.0, 0.55),
)  # fmt: skip

#: The same jogger a few strides later: a little looser, and a little more upright.
LOOSE_JOG = replace(
    JOG,
    name="loose jog",
    half_track_m=0.042,
    sway=Wave(0.0, 0.017, 0.22),
    chest_yaw=Wave(0.0, 15.0, 0.05),
    pelvis_roll=Wave(0.0, 5.2, 0.12),
    spine_flexion=Wave(1.5, 1.8, 0.20, 2),
    head_pitch=Wave(0.0, 1.5, 0.20, 2),
    upper_arm=Wave(-19.0, 24.0, 0.54),
    upper_arm_out=16.0,
    elbow=Wave(97.0, 13.0, 0.56),
)
TIGHT_JOG = replace(
    JOG,
    name="tight jog",
    half_track_m=0.030,
    chest_yaw=Wave(0.0, 10.5, 0.04),
    spine_flexion=Wave(5.0, 1.2, 0.20, 2),
    head_pitch=Wave(4.0, 1.5, 0.20, 2),
    upper_arm=Wave(-25.0, 15.0, 0.52),
    upper_arm_out=11.0,
    upper_arm_turn=18.0,
    elbow=Wave(110.0, 6.0, 0.55),
)


@dataclass(frozen=True)
class Label:
    """An instant of a steady gait at which clips begin and end."""

    name: str
    gait: Gait
    phase: float  # 0: the left foot lands; 0.5: the right foot lands


LABELS: Mapping[str, Label] = MappingProxyType(
    {
        label.name: label
        for label in (
            Label("stand", STAND, 0.0),
            Label("slow-left", SLOW_WALK, 0.0),
            Label("walk-left", WALK, 0.0),
            Label("fast-left", FAST_WALK, 0.0),
            Label("jog-left", JOG, 0.0),
            Label("jog-right", JOG, 0.5),
        )
    }
)
