"""A board that rolls over the ground."""

from __future__ import annotations

import numpy as np

from gambol.animate.ground.plane import Plane, smooth, tilt
from gambol.body.props import WHEEL_HALF_TRACK_M
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.props import BOARD, TRUCKS
from gambol.world.terrain import Terrain

ROLLING_SMOOTHING_S = 0.02  # s, > 0: standard deviation that smooths the ground under wheels; larger cuts bumps


def rolling_plane(motion: Motion, terrain: Terrain) -> Plane | None:
    """Return the plane below the wheels of a figure's board, frame by frame; None without a board."""
    skeleton = motion.skeleton
    if not all(name in skeleton for name in (BOARD, *TRUCKS)):
        return None
    front, back = (motion.world_positions[:, skeleton.index(name), :2] for name in TRUCKS)
    ahead = front - back
    length = np.linalg.norm(ahead, axis=1, keepdims=True)
    ahead = ahead / np.maximum(length, 1e-9)
    left = np.column_stack((-ahead[:, 1], ahead[:, 0]))
    aside = WHEEL_HALF_TRACK_M * left
    wheels = terrain.height(np.stack((front + aside, front - aside, back + aside, back - aside), axis=1))
    along = 0.5 * (wheels[:, 0] + wheels[:, 1] - wheels[:, 2] - wheels[:, 3])[:, None] / np.maximum(length, 1e-9)
    across = 0.25 * (wheels[:, 0] - wheels[:, 1] + wheels[:, 2] - wheels[:, 3])[:, None] / WHEEL_HALF_TRACK_M
    ground = np.column_stack((wheels.mean(axis=1), along * ahead + across * left))
    ground = smooth(ground, ROLLING_SMOOTHING_S * motion.rate_hz)
    return Plane(np.column_stack((0.5 * (front + back), ground[:, 0])), ground[:, 1:])


def lay_board(motion: Motion, plane: Plane, result: Motion, rotations: FloatArray, translations: FloatArray) -> None:
    """Write the board's local rotation and translation that put it on the plane as it was on level ground."""
    board = motion.skeleton.index(BOARD)
    above = int(motion.skeleton.parents[board])
    back = quaternion.conjugate(result.world_rotations[:, above])
    place = plane.carry(motion.world_positions[:, board])
    translations[:, board] = quaternion.rotate(back, place - result.world_positions[:, above])
    turned = quaternion.multiply(tilt(plane.gradient), motion.world_rotations[:, board])
    rotations[:, board] = quaternion.multiply(back, turned)
