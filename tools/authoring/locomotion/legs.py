"""What one leg does in a steady gait, by the phase of its own stride, seen from the travelling body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline, PchipInterpolator
from tools.authoring import human_skeleton as human
from tools.authoring.authored import RATE_HZ
from tools.authoring.locomotion.gait import Gait
from tools.authoring.mass import GRAVITY_M_S2

from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import HEEL_BEHIND

# The points on which a foot rolls, from the ankle: forward and up.
HEEL = (-HEEL_BEHIND * human.BALL_AHEAD_M, -human.ANKLE_HEIGHT_M)
BALL = (human.BALL_AHEAD_M, human.BALL_HEIGHT_M - human.ANKLE_HEIGHT_M)


def turned(pitch: ArrayLike, x: float, z: float) -> FloatArray:
    """Turn a point of the foot's side view (x forward, z up) by its pitch, toes up; (..., 2)."""
    cosine, sine = np.cos(pitch), np.sin(pitch)
    return np.stack((x * cosine - z * sine, x * sine + z * cosine), axis=-1)


def ankle_over_sole(pitch: ArrayLike) -> FloatArray:
    """Return where the ankle of a foot on the ground is (..., 2): ahead of its place when flat, and up.

    Toes up, the foot stands on its heel; toes down, on its ball.
    """
    angle = np.asarray(pitch, dtype=np.float64)
    on_heel = turned(angle, -HEEL[0], -HEEL[1]) + [HEEL[0], 0.0]
    on_ball = turned(angle, -BALL[0], -BALL[1]) + [BALL[0], human.BALL_HEIGHT_M]
    return np.where((angle > 0.0)[..., None], on_heel, on_ball)


def lowest_ankle(pitch: FloatArray, toe_bend: FloatArray) -> FloatArray:
    """Return how high an ankle must be at least for heel, ball and toes to be clear of the ground."""
    heel, ball = turned(pitch, *HEEL)[..., 1], turned(pitch, *BALL)[..., 1]
    # The ball joint lies inside the foot, and so do the toes: their soles are below by as much as when flat.
    toes = ball + human.TOE_LENGTH_M * np.minimum(np.sin(pitch + toe_bend), 0.0)
    return np.maximum(-heel, human.BALL_HEIGHT_M - toes)


def hip_height(gait: Gait, phase: ArrayLike) -> FloatArray:
    """Return how high the hip joints are meant to be; a jog's solved height differs by what the limbs do."""
    if not gait.is_ballistic:
        return gait.hip_height_m + gait.height(phase)
    step_s = 0.5 * gait.stride_frames / RATE_HZ
    stance_s = gait.stance * gait.stride_frames / RATE_HZ
    time = np.mod(2.0 * np.asarray(phase, dtype=np.float64), 1.0) * step_s
    # On the ground the force is half a sine, as strong as carries the body through the whole step.
    push = GRAVITY_M_S2 * step_s / stance_s * 0.5 * np.pi
    middle = time - 0.5 * stance_s
    bounce = 0.5 * GRAVITY_M_S2 * (0.25 * stance_s**2 - middle**2)
    bounce = bounce - push * (stance_s / np.pi) ** 2 * np.cos(np.pi * middle / stance_s)
    aloft = time - stance_s
    flight = 0.5 * GRAVITY_M_S2 * aloft * (step_s - stance_s - aloft)
    return gait.hip_height_m + np.where(aloft < 0.0, bounce, flight)


@dataclass(frozen=True, eq=False)
class LegCurves:
    """Foot pitch over the whole stride, and the ankle's way while it swings."""

    pitch: PchipInterpolator  # radians, by phase
    ankle: CubicSpline  # (..., 3) ahead of the travelling body, outward and up, by phase from toe-off to contact


@cache
def leg_curves(gait: Gait) -> LegCurves:
    """Return a gait's leg, ready to be evaluated."""
    phases, degrees = np.array(gait.pitch).T
    whole = np.concatenate([phases + turn for turn in (-1.0, 0.0, 1.0)])
    pitch = PchipInterpolator(whole, np.radians(np.tile(degrees, 3)))

    def on_ground(phase: float) -> FloatArray:
        along, up = ankle_over_sole(pitch(phase))
        ahead = gait.ahead_m - gait.stride_m * phase + along * np.cos(np.radians(gait.toe_out))
        return np.array([ahead, gait.half_track_m + along * np.sin(np.radians(gait.toe_out)), up])

    points = [on_ground(gait.stance)]
    for phase, thigh, knee in gait.swing:
        upper, lower = np.radians(thigh), np.radians(thigh - knee)
        ahead = human.THIGH_M * np.sin(upper) + human.SHANK_M * np.sin(lower)
        below = human.THIGH_M * np.cos(upper) + human.SHANK_M * np.cos(lower)
        points.append(np.array([ahead, gait.half_track_m, float(hip_height(gait, phase)) - below]))
    points.append(on_ground(0.0))
    step = 1e-6
    leaving = (on_ground(gait.stance) - on_ground(gait.stance - step)) / step
    landing = (on_ground(step) - on_ground(0.0)) / step
    forward, upward = gait.landing_m_s
    landing = landing + np.array([forward, 0.0, upward]) * gait.stride_frames / RATE_HZ
    ankle = CubicSpline(
        [gait.stance, *(phase for phase, _, _ in gait.swing), 1.0],
        np.array(points),
        bc_type=((1, leaving), (1, landing)),  # pyright: ignore[reportArgumentType]  (the stub knows names only)
    )
    return LegCurves(pitch, ankle)
