"""What hangs loose: arms come down when there is nothing to hold, legs swing below a body that hangs by its hands."""

from __future__ import annotations

import math

import numpy as np
import scipy

from gambol.climb.climb import ClimbPath
from gambol.climb.modes import Mode
from gambol.geometry.arrays import BoolArray, FloatArray

#: Where a walker's arms swing, in radians: the upper arm forward from hanging, and the elbow.
UPPER_LOW, UPPER_HIGH, ELBOW_HIGH = -0.7, 0.65, 0.9
DOWN_S = 0.5  # in which an arm comes down from a hold, and goes up to one
SOFT_S = 0.12
#: A leg as a pendulum below a hip that is accelerated: its length, damping (share of critical) and farthest swing.
LEG_M, DAMPING, FARTHEST = 0.5, 0.3, 0.35
GRAVITY_M_S2 = 9.81


def arms_down(
    base: ClimbPath, values: FloatArray, a: int, b: int, held: tuple[bool, bool], rate_hz: float
) -> FloatArray:
    """Return a free arm's joints (F, 2) of frames a to b, brought down where one walks.

    held: whether the hand holds something at the first and the last of them.
    """
    lean = base.configurations[a : b + 1, 2]
    low = np.stack([lean + UPPER_LOW, np.zeros(len(values))], axis=1)
    high = np.stack([lean + UPPER_HIGH, np.full(len(values), ELBOW_HIGH)], axis=1)
    lowered = np.clip(values, low, high)
    off = np.where((base.modes[a : b + 1] == Mode.WALK)[:, None], lowered - values, 0.0)
    if not np.any(off):
        return values
    frames = np.arange(b - a + 1) / (DOWN_S * rate_hz)
    share = np.ones(len(values))
    if held[0] or a == 0:  # the first frame of all stays as it is
        share = np.minimum(share, frames)
    if held[1]:
        share = np.minimum(share, frames[::-1])
    share = np.clip(share, 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    soft = scipy.ndimage.gaussian_filter1d(off, SOFT_S * rate_hz, axis=0, mode="nearest")
    return values + share[:, None] * soft


def swing_legs(base: ClimbPath, reaching: BoolArray, q: FloatArray, rate_hz: float) -> None:
    """Let free legs trail and lead below a body that swings, as its pelvis sets off and slows down."""
    loose = (base.modes == Mode.SWING) & np.all((base.grasps[:, 2:] < 0) & ~reaching[:, 2:], axis=1)
    if not np.any(loose):
        return
    forward = q[:, 0] * base.facings
    speed = np.gradient(scipy.ndimage.gaussian_filter1d(forward, 0.1 * rate_hz, mode="nearest"), 1.0 / rate_hz)
    push = np.where(loose, np.gradient(speed, 1.0 / rate_hz), 0.0)
    stiff = GRAVITY_M_S2 / LEG_M
    damping = 2.0 * DAMPING * math.sqrt(stiff)
    angle, turning = 0.0, 0.0
    swing = np.zeros(len(q))
    for row in range(len(q)):
        turning += (-stiff * angle - damping * turning - push[row] / LEG_M) / rate_hz
        angle += turning / rate_hz
        swing[row] = FARTHEST * math.tanh(angle / FARTHEST)
    fade = scipy.ndimage.gaussian_filter1d(_inner(loose, round(0.35 * rate_hz)), 0.1 * rate_hz, mode="nearest")
    for hip in (8, 10):
        q[:, hip] += fade * swing


def _inner(flags: BoolArray, count: int) -> FloatArray:
    """Return 1 where flags are set for a number of frames before and after, else 0."""
    unset = np.concatenate([[0], np.cumsum(~flags)])
    rows = np.arange(len(flags))
    before, after = np.maximum(0, rows - count), np.minimum(len(flags), rows + count + 1)
    return (unset[after] == unset[before]).astype(np.float64)
