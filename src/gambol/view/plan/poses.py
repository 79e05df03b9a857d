"""Poses along a plan, straight from its clips: as good as the finished motion to the eye, but for feet and joins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.characters.clip import Clip
from gambol.characters.step import clip_of
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.search.plan import Plan
from gambol.world.terrain import Terrain


def clip_poses(
    plan: Plan, frames: NDArray[np.integer], terrain: Terrain | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return positions (N, J, 3) and rotations (N, J, 4) of all joints in the world, at planning frames of a plan."""
    ends = np.cumsum([clip_of(plan.character, step).duration for step in plan.steps])
    numbers = np.minimum(np.searchsorted(ends, frames, side="right"), len(plan.steps) - 1)
    steps = [plan.steps[number] for number in numbers]
    clips = [clip_of(plan.character, step) for step in steps]
    own = [
        clip.margin + (int(frame) - int(ends[number]) + clip.duration) * clip.frames_per_step
        for clip, frame, number in zip(clips, frames, numbers, strict=True)
    ]
    return placed(clips, own, np.array([step.pose for step in steps]), terrain)


def placed(
    clips: Sequence[Clip], frames: Sequence[int], begun: FloatArray, terrain: Terrain | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return positions (N, J, 3) and rotations (N, J, 4) of all joints, at frames of clips begun at poses (N, 3)."""
    turn = quaternion.from_heading(begun[:, 2])[:, None]
    here = np.stack([clip.motion.world_positions[frame] for clip, frame in zip(clips, frames, strict=True)])
    facing = np.stack([clip.motion.world_rotations[frame] for clip, frame in zip(clips, frames, strict=True)])
    positions = quaternion.rotate(turn, here)
    positions[..., :2] += begun[:, None, :2]
    if terrain is not None:
        positions[..., 2] += terrain.height(positions[:, 0, :2])[:, None]
    return positions, quaternion.multiply(turn, facing)
