"""The steady crawl on hands and knees: diagonal pairs, the hand a little before the knee.

A thigh is rigid, so the hips rise as they pass over a knee that bears them.  Where the hips are is
found from that; the rest hangs on them.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline
from tools.authoring import human_skeleton as human
from tools.authoring.actions.curves import ease
from tools.authoring.actions.cycle import Cycle
from tools.authoring.actions.knees import knees_below
from tools.authoring.figure import FigureTracks, hip_joints

from gambol.geometry.arrays import BoolArray, FloatArray

FRAMES = 64
STRIDE_M = 0.60
KNEE_STANCE, HAND_STANCE = 0.58, 0.62  # shares of the stride
KNEE_LANDS = (0.0, 0.5)  # phases, left and right
HAND_LANDS = (0.42, 0.92)
KNEE_HEIGHT_M = 0.07  # of the joint, on the ground
KNEE_AHEAD_M = 0.175  # of the hip, when it lands
KNEE_ASIDE_M = 0.095
ANKLE_HEIGHT_M = 0.06  # with the instep on the ground
WRIST_HEIGHT_M = 0.045
WRIST_AHEAD_M = 0.665  # of the pelvis, when it lands
WRIST_ASIDE_M = 0.165
HIP_PASSES_M = 0.515  # height of a hip whose knee swings through below it
TRAILING = np.radians(-147.0)  # pitch of a foot whose instep lies on the ground
CURLED = np.radians(-25.0)  # its toes
PITCH = np.radians(79.5)  # of the pelvis; the chest is nearly level
TRUNK_M = 0.47  # from pelvis to shoulders
LEVEL_SHOULDERS = 0.85  # share of the pelvis's roll that the spine takes back
FIXED_POINT_ROUNDS = 12
_KNEE_OFFSET_M = KNEE_AHEAD_M - human.HIPS_ABOVE_HIP_JOINTS_M  # from the pelvis, which lies ahead of the hips


@cache
def steady_crawl() -> Cycle:
    """Return the stride of the crawl that begins at the label "crawl", where the left knee lands."""
    phase = np.arange(FRAMES) / FRAMES
    tracks = _trunk(phase)
    knees = [_along(phase, KNEE_LANDS[side], KNEE_STANCE, _KNEE_OFFSET_M) for side in (0, 1)]
    _set_hips(tracks, phase, knees)
    _set_legs(tracks, phase, knees)
    _set_hands(tracks, phase)
    line = float(tracks.pelvis[0, 1])  # the pelvis sways about it, and shall be above the origin first
    for places in (tracks.pelvis, tracks.ankles, tracks.hands):
        assert places is not None
        places[..., 1] -= line
    planted = np.zeros((FRAMES, 6), dtype=bool)
    for side in (0, 1):
        planted[:, 2 * side + 1] = _swung(phase, KNEE_LANDS[side], KNEE_STANCE) == 0.0
        planted[:, 4 + side] = _swung(phase, HAND_LANDS[side], HAND_STANCE) == 0.0
    return Cycle(tracks, planted, STRIDE_M)


def knee_place(side: int, x_m: float) -> tuple[float, float]:
    """Return where a knee is on the ground at the label "crawl", with the pelvis at a place along the way.

    The left knee has just landed; the right one is about to leave.
    """
    ankle = steady_crawl().tracks.ankles[0, side]
    shin = np.sqrt(human.SHANK_M**2 - (KNEE_HEIGHT_M - ANKLE_HEIGHT_M) ** 2)
    return float(x_m + ankle[0] + shin), float(ankle[1])


def _swung(phase: ArrayLike, lands: float, stance: float) -> FloatArray:
    """Return how much of its swing a limb has behind it: 0 while it bears weight."""
    own = np.mod(np.asarray(phase, dtype=np.float64) - lands + 1e-9, 1.0)
    return np.maximum(own - stance, 0.0) / (1.0 - stance)


def _along(phase: FloatArray, lands: float, stance: float, ahead_m: float) -> FloatArray:
    """Return where a limb that lands ahead of the pelvis is along the way: it rests, then moves on by a stride."""
    strides = np.floor(phase - lands + 1e-9)
    return (lands + strides) * STRIDE_M + ahead_m + STRIDE_M * ease(_swung(phase, lands, stance), 0.0, 1.0)


def _wave(phase: FloatArray, amplitude: float, peak: float, harmonic: int = 1) -> FloatArray:
    return amplitude * np.cos(2.0 * np.pi * harmonic * (phase - peak))


def _trunk(phase: FloatArray) -> FigureTracks:
    """Sway toward the knee that bears weight, turn the pelvis with the knees, the chest with the hands."""
    degrees = np.radians(1.0)
    both, none = np.ones((FRAMES, 2)), np.zeros((FRAMES, 2))
    level = np.ones(FRAMES)
    pelvis_yaw, chest_yaw = _wave(phase, -5.0, 0.0), _wave(phase, 4.0, 0.95)
    return FigureTracks(
        pelvis=np.column_stack((STRIDE_M * phase, _wave(phase, 0.018, 0.29), 0.49 * level)),
        pelvis_yaw=pelvis_yaw * degrees,
        ankles=np.zeros((FRAMES, 2, 3)),
        foot_yaw=np.array(none),
        foot_pitch=np.array(none),
        toe_bend=CURLED * both,
        pelvis_pitch=PITCH * level,
        pelvis_roll=0.0 * level,
        pelvis_twist=0.0 * level,
        spine_flexion=10.0 * degrees * level,
        # The trunk lies: what turns the chest about the vertical is a roll of the spine.
        spine_roll=(pelvis_yaw - chest_yaw) * degrees,
        spine_yaw=0.0 * level,
        head_pitch=-22.0 * degrees * level,
        head_yaw=0.0 * level,
        head_roll=0.0 * level,
        upper_arm=80.0 * degrees * both,
        upper_arm_out=4.0 * degrees * both,
        upper_arm_turn=0.0 * both,
        elbow=30.0 * degrees * both,
        hands=np.zeros((FRAMES, 2, 3)),
        hands_weight=np.array(both),
        palm_yaw=np.array(none),
        palm_pitch=np.array(none),
    )


def _set_hips(tracks: FigureTracks, phase: FloatArray, knees: list[FloatArray]) -> None:
    """Raise and roll the pelvis so that each hip is a thigh's length from the knee that bears it."""
    bearing = [_swung(phase, KNEE_LANDS[side], KNEE_STANCE) == 0.0 for side in (0, 1)]
    for _ in range(FIXED_POINT_ROUNDS):
        # What raises the pelvis pitches it forward, so that the shoulders keep their height.
        tracks.pelvis_pitch = PITCH + (tracks.pelvis[:, 2] - tracks.pelvis[:, 2].mean()) / TRUNK_M
        hips = hip_joints(tracks)
        left, right = (_hip_height(phase, hips[:, side], knees[side], bearing[side], side) for side in (0, 1))
        tracks.pelvis[:, 2] += 0.5 * (left + right) - hips[..., 2].mean(axis=1)
        width = 2.0 * human.HIP_HALF_WIDTH_M * np.sin(tracks.track("pelvis_pitch"))
        tracks.pelvis_twist = np.arcsin((left - right) / width)
    tracks.spine_yaw = -LEVEL_SHOULDERS * tracks.track("pelvis_twist")


def _hip_height(phase: FloatArray, hip: FloatArray, knee: FloatArray, bearing: BoolArray, side: int) -> FloatArray:
    level = np.hypot(hip[:, 0] - knee, hip[:, 1] - _aside(KNEE_ASIDE_M, side))
    over_knee = KNEE_HEIGHT_M + np.sqrt(human.THIGH_M**2 - level**2)
    passing = np.mod(KNEE_LANDS[side] + 0.5 * (1.0 + KNEE_STANCE), 1.0)
    keys = sorted([*zip(phase[bearing], over_knee[bearing], strict=True), (float(passing), HIP_PASSES_M)])
    whens, heights = np.array([*keys, (keys[0][0] + 1.0, keys[0][1])]).T
    return CubicSpline(whens, heights, bc_type="periodic")(np.mod(phase - whens[0], 1.0) + whens[0])


def _set_legs(tracks: FigureTracks, phase: FloatArray, knees: list[FloatArray]) -> None:
    """Put the knees down below the hips, and let shins and feet trail behind them."""
    hips = hip_joints(tracks)
    resting = np.arcsin((ANKLE_HEIGHT_M - KNEE_HEIGHT_M) / human.SHANK_M)
    for side in (0, 1):
        aside = _aside(KNEE_ASIDE_M, side)
        level = np.hypot(hips[:, side, 0] - knees[side], hips[:, side, 1] - aside)
        height = hips[:, side, 2] - np.sqrt(human.THIGH_M**2 - level**2)
        swung = _swung(phase, KNEE_LANDS[side], KNEE_STANCE)
        lift = np.radians(5.0) * 16.0 * (swung * (1.0 - swung)) ** 2
        shin = human.SHANK_M * np.column_stack((-np.cos(resting + lift), np.zeros(FRAMES), np.sin(resting + lift)))
        tracks.ankles[:, side] = np.column_stack((knees[side], np.full(FRAMES, aside), height)) + shin
        tracks.foot_pitch[:, side] = TRAILING - lift
    tracks.knee_yaw = knees_below(tracks)


def _set_hands(tracks: FigureTracks, phase: FloatArray) -> None:
    assert tracks.hands is not None
    assert tracks.palm_yaw is not None
    assert tracks.palm_pitch is not None
    for side in (0, 1):
        swung = _swung(phase, HAND_LANDS[side], HAND_STANCE)
        lift = 16.0 * (swung * (1.0 - swung)) ** 2
        along = _along(phase, HAND_LANDS[side], HAND_STANCE, WRIST_AHEAD_M)
        aside = np.full(FRAMES, _aside(WRIST_ASIDE_M, side))
        tracks.hands[:, side] = np.column_stack((along, aside, WRIST_HEIGHT_M + 0.065 * lift))
        tracks.palm_yaw[:, side] = _aside(-0.12, side)
        tracks.palm_pitch[:, side] = np.radians(-8.0 - 20.0 * lift)


def _aside(distance: float, side: int) -> float:
    return distance if side == 0 else -distance
