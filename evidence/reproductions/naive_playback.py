"""Plans played as C20 plays them: the poses of a delivered motion on a root that goes another way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from gambol.characters import clip_of
from gambol.geometry import planar, quaternion
from gambol.motion import Motion
from gambol.search import Plan, path_of

FloatArray = NDArray[np.float64]
BLEND_S = 0.25  # in which an engine goes over from one clip's speed to the next


def planned_path(plan: Plan, motion: Motion) -> FloatArray:
    """Return the planned poses (F, 3) at the motion's own frames."""
    poses = path_of(plan)
    times = np.arange(len(poses)) / plan.character.planning_rate_hz
    return CubicSpline(times, poses)(np.arange(motion.frame_count) / motion.rate_hz)


def state_frames(plan: Plan, motion: Motion) -> NDArray[np.int64]:
    """Return the motion's frames at which states begin, and the one at which the last ends."""
    lengths = [clip_of(plan.character, step).duration for step in plan.steps]
    frames = np.concatenate(([0], np.cumsum(lengths))) * motion.rate_hz / plan.character.planning_rate_hz
    return np.rint(frames).astype(np.int64)


def straight_path(planned: FloatArray, states: NDArray[np.int64]) -> FloatArray:
    """Return a root that goes straight and evenly from state to state, turning as evenly [C20 1.3]."""
    frames = np.arange(len(planned))
    return np.stack([np.interp(frames, states, planned[states, axis]) for axis in range(3)], axis=1)


def engine_path(planned: FloatArray, states: NDArray[np.int64], rate_hz: float) -> FloatArray:
    """Return a root moved by its clips' own speeds, which an engine blends where one clip follows another [C20 3].

    For the first quarter of a second of a state its speed and turning come gradually from those at which the state
    before ended.  Each state is begun where the one before it led, not where the plan has it.
    """
    moves = planar.relative(planned[:-1], planned[1:])
    blended = np.array(moves)
    window = max(1, round(BLEND_S * rate_hz))
    for state in states[1:-1]:
        length = min(window, len(moves) - state)
        share = (np.arange(length) / window)[:, None]
        blended[state : state + length] = (1.0 - share) * moves[state - 1] + share * moves[state : state + length]
    path = np.empty_like(planned)
    path[0] = planned[0]
    for frame, move in enumerate(blended):
        path[frame + 1] = planar.compose(path[frame], move)
    return path


def moved_to(motion: Motion, planned: FloatArray, path: FloatArray) -> Motion:
    """Return a motion with all its poses, carried along another way than the planned one."""
    change = planar.relative(planned, np.column_stack((motion.root_positions[:, :2], planned[:, 2])))
    places = planar.compose(path, change)
    roots = np.array(motion.root_positions)
    roots[:, :2] = places[:, :2]
    rotations = np.array(motion.rotations)
    turn = quaternion.from_heading(path[:, 2] - planned[:, 2])
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    return replace(motion, root_positions=roots, rotations=rotations)
