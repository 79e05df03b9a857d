"""Poses along a plan, straight from its clips: as good as the finished motion to the eye, but for feet and joins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.character.step import clip_of
from gambol.geometry import quaternion
from gambol.plan.plan import Plan
from gambol.world.terrain import Terrain

FloatArray = NDArray[np.float64]


def clip_poses(
    plan: Plan, frames: NDArray[np.integer], terrain: Terrain | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return positions (N, J, 3) and rotations (N, J, 4) of all joints in the world, at planning frames of a plan."""
    ends = np.cumsum([clip_of(plan.character, step).duration for step in plan.steps])
    positions, rotations = [], []
    for frame in np.asarray(frames):
        number = min(int(np.searchsorted(ends, frame, side="right")), len(plan.steps) - 1)
        step = plan.steps[number]
        clip = clip_of(plan.character, step)
        gone = int(frame) - (int(ends[number]) - clip.duration)
        own = clip.margin + gone * clip.frames_per_step
        x, y, heading = step.pose
        turn = quaternion.from_heading(heading)
        placed = quaternion.rotate(turn, clip.motion.world_positions[own]) + (x, y, 0.0)
        if terrain is not None:
            placed[:, 2] += terrain.height(placed[0, :2])
        positions.append(placed)
        rotations.append(quaternion.multiply(turn, clip.motion.world_rotations[own]))
    return np.array(positions), np.array(rotations)
