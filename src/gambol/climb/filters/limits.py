"""How fast joints may turn: what motions at a rate are held to."""

from __future__ import annotations

import numpy as np

from gambol.climb.climb import ClimbPath
from gambol.geometry.arrays import FloatArray, frozen_array

#: Metres a second for the pelvis, radians a second for the rest, in the order of the coordinates.  Walking, knees reach
#: 7 rad/s and hips 4 (from the angles of a normal stride); people reach twice that when they hurry.
MOST_SPEED = frozen_array([3.0, 3.0, 4.0, 5.0, 12.0, 14.0, 12.0, 14.0, 10.0, 14.0, 10.0, 14.0])
#: The same, a second squared.  A pelvis that gains 1 g is thrown; a shank swings through at 100 rad/s² in a walk,
#: and a foot's fall is sharper still.
MOST_ACCELERATION = frozen_array([12.0, 12.0, 40.0, 60.0, 200.0, 300.0, 200.0, 300.0, 200.0, 300.0, 200.0, 300.0])


def speeds(path: ClimbPath, rate_hz: float) -> FloatArray:
    """Return the speed of every coordinate (F - 1, 12) between frames."""
    return np.abs(np.diff(path.configurations, axis=0)) * rate_hz


def accelerations(path: ClimbPath, rate_hz: float) -> FloatArray:
    """Return the acceleration of every coordinate (F - 2, 12) at the frames between the first and the last."""
    return np.abs(np.diff(path.configurations, n=2, axis=0)) * rate_hz**2


def haste(path: ClimbPath, rate_hz: float) -> FloatArray:
    """Return by which factor each frame (F,) is too fast; 1 or less where it is not."""
    hurry = np.zeros(len(path))
    if len(path) > 1:
        share = (speeds(path, rate_hz) / MOST_SPEED).max(axis=1)
        hurry[:-1] = np.maximum(hurry[:-1], share)
        hurry[1:] = np.maximum(hurry[1:], share)
    if len(path) > 2:
        hurry[1:-1] = np.maximum(hurry[1:-1], np.sqrt((accelerations(path, rate_hz) / MOST_ACCELERATION).max(axis=1)))
    return hurry
