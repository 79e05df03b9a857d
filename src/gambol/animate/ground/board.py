"""A board that rolls over the ground."""

from __future__ import annotations

import numpy as np

from gambol.animate.ground.plane import Plane, smooth, tilt
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.figure import board_joint, board_of
from gambol.motion.motion import Motion
from gambol.world.terrain import Terrain

ROLLING_SMOOTHING_S = 0.02  # s, > 0: standard deviation that smooths the ground under wheels; larger cuts bumps


def rolling_plane(motion: Motion, terrain: Terrain) -> Plane | None:
    """Return the plane on which a figure's board rolls, or would roll if it were down; None without a board."""
    board = board_of(motion.skeleton)
    if board is None:
        return None
    front, back = (motion.world_positions[:, motion.skeleton.index(name), :2] for name in board.trucks)
    ahead = front - back
    length = np.linalg.norm(ahead, axis=1, keepdims=True)
    ahead = ahead / np.maximum(length, 1e-9)
    left = np.column_stack((-ahead[:, 1], ahead[:, 0]))
    aside = board.half_track_m * left
    wheels = terrain.height(np.stack((front + aside, front - aside, back + aside, back - aside), axis=1))
    along = 0.5 * (wheels[:, 0] + wheels[:, 1] - wheels[:, 2] - wheels[:, 3])[:, None] / np.maximum(length, 1e-9)
    across = 0.25 * (wheels[:, 0] - wheels[:, 1] + wheels[:, 2] - wheels[:, 3])[:, None] / board.half_track_m
    ground = np.column_stack((wheels.mean(axis=1), along * ahead + across * left))
    ground = smooth(ground, ROLLING_SMOOTHING_S * motion.rate_hz)
    return Plane(np.column_stack((0.5 * (front + back), ground[:, 0])), ground[:, 1:])


def lay_board(motion: Motion, plane: Plane, result: Motion, rotations: FloatArray, translations: FloatArray) -> None:
    """Set local rotation and translation of the board so that it lies on the plane as it lay on level ground."""
    board = board_joint(motion.skeleton)
    above = int(motion.skeleton.parents[board])
    back = quaternion.conjugate(result.world_rotations[:, above])
    place = plane.carry(motion.world_positions[:, board])
    translations[:, board] = quaternion.rotate(back, place - result.world_positions[:, above])
    turned = quaternion.multiply(tilt(plane.gradient), motion.world_rotations[:, board])
    rotations[:, board] = quaternion.multiply(back, turned)
