"""How fast feet slide on a moving board, whether the board is part of the figure or was never captured."""

from __future__ import annotations

import numpy as np

from gambol.characters.clip import Clip
from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import point_positions
from gambol.motion.figure import board_joint
from gambol.motion.quality import SLIDE_WINDOW_S

ON_BOARD_M = 0.03  # m, > 0: a riding foot is at most this far above or below its median height
STEPPING_M_S = 0.5  # m/s, > 0: a riding foot is slower than this on the board; a faster one steps


def is_ride(clip: Clip) -> bool:
    """Return whether a clip's feet stand on a board, captured or not."""
    return clip.riding or board_joint(clip.motion.skeleton) >= 0


def ride_slide_speeds(clip: Clip) -> FloatArray:
    """Return how fast the points of riding feet slide on the board, metres a second (F, P); NaN if they do not ride.

    A board that was not captured is assumed to make the rigid motion that is nearest to that of all riding
    points; the rest of each point's motion is slide.  One foot alone therefore never slides.  A foot that
    is lifted or faster than half a metre a second steps and does not ride.
    """
    motion, points = clip.motion, clip.contacts.points
    positions = point_positions(motion, points)
    joint = board_joint(motion.skeleton)
    if joint >= 0:
        onto_board = quaternion.conjugate(motion.world_rotations[:, joint, None])
        positions = quaternion.rotate(onto_board, positions - motion.world_positions[:, joint, None])
    riding = _riding(positions[..., 2], clip.contacts.planted)
    riding[:, [point.is_hand for point in points]] = False
    half = max(1, round(0.5 * SLIDE_WINDOW_S * motion.rate_hz))
    speeds = np.full(riding.shape, np.nan)
    for frame in range(half, len(positions) - half):
        on = riding[frame - half] & riding[frame] & riding[frame + half]
        if on.sum() >= 2:
            before, after = positions[frame - half, on, :2], positions[frame + half, on, :2]
            moved = before if joint >= 0 else _moved_rigidly(before, after)
            speeds[frame, on] = np.linalg.norm(after - moved, axis=-1) * motion.rate_hz / (2 * half)
    return np.where(speeds < STEPPING_M_S, speeds, np.nan)


def _riding(heights: FloatArray, planted: BoolArray) -> BoolArray:
    """Mark points near their median height (F, P) that are not on the ground."""
    return (np.abs(heights - np.median(heights, axis=0)) < ON_BOARD_M) & ~planted


def _moved_rigidly(before: FloatArray, after: FloatArray) -> FloatArray:
    """Return points (N, 2) after the rigid motion that is nearest to their own motion."""
    a, b = before - before.mean(axis=0), after - after.mean(axis=0)
    angle = np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum())
    cosine, sine = np.cos(angle), np.sin(angle)
    return a @ np.array([[cosine, sine], [-sine, cosine]]) + after.mean(axis=0)
