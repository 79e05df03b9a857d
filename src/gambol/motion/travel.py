"""The way of a motion: its direction of travel, never that of one frame's hips."""

from __future__ import annotations

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.geometry.smoothing import gaussian
from gambol.motion.edits import move, planar_pose
from gambol.motion.motion import Motion

LEAST_TRAVEL_M = 0.10  # metres from start to end: a root that moves less stays in place


def travel_heading(motion: Motion) -> float:
    """Return the mean direction of travel; for a motion that stays in place, its mean heading."""
    way = motion.root_positions[-1, :2] - motion.root_positions[0, :2]
    if np.linalg.norm(way) >= LEAST_TRAVEL_M:
        return float(np.arctan2(way[1], way[0]))
    headings = quaternion.heading(motion.rotations[:, 0])
    return float(np.arctan2(np.sin(headings).mean(), np.cos(headings).mean()))


def align_to_travel(motion: Motion) -> Motion:
    """Move a motion so that it starts at the origin and travels along +X on average."""
    start = np.array([*motion.root_positions[0, :2], travel_heading(motion)])
    return move(motion, planar.invert(start))


def set_heading(motion: Motion, heading_rad: float, *, frame: int = 0) -> Motion:
    """Turn the motion about its root at a frame so that the root's heading there is the given one."""
    if not -motion.frame_count <= frame < motion.frame_count:
        raise InvalidInput(f"no frame {frame}; the motion has frames 0 to {motion.frame_count - 1}")
    pose = planar_pose(motion, frame)
    target = np.array([pose[0], pose[1], heading_rad])
    return move(motion, planar.compose(target, planar.invert(pose)))


def path_length(motion: Motion) -> float:
    """Return the length of the root's way in the ground plane, in metres."""
    return float(np.linalg.norm(np.diff(motion.root_positions[:, :2], axis=0), axis=1).sum())


def smooth_path(motion: Motion, *, smoothing_s: float = 0.3) -> FloatArray:
    """Return the root's planar poses (F, 3) without the sway of single steps.

    A Gaussian of the given standard deviation smooths them; a point reflection continues them past the ends, so that a
    straight steady walk gives a straight steady path.
    """
    headings = np.unwrap(quaternion.heading(motion.rotations[:, 0]))
    poses = np.column_stack((motion.root_positions[:, :2], headings))
    reach = int(np.ceil(4.0 * smoothing_s * motion.rate_hz))
    if motion.frame_count < 2:
        return poses
    padded = np.pad(poses, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    return gaussian(padded, smoothing_s * motion.rate_hz)[reach:-reach]
