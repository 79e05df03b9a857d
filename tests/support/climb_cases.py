"""Small environments for the climber with grasp points placed by hand, and a walk made by hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.climb import (
    FREE,
    ClimbGoal,
    ClimbMotion,
    ClimbPath,
    ClimbProblem,
    ClimbStart,
    Figure,
    Mode,
    Source,
    anchor_of,
)
from gambol.climb.kernels.kinematics import reach
from gambol.climb.modes import FOOT
from gambol.world import Environment, GraspKind, GraspPoint

FloatArray = NDArray[np.float64]

UP = (0.0, 1.0)
LEFT = (-1.0, 0.0)
SAMPLES_A_STEP = 20
WALK_RATE_HZ = 36.0


def box(low_x: float, low_z: float, high_x: float, high_z: float) -> FloatArray:
    return np.array([(low_x, low_z), (high_x, low_z), (high_x, high_z), (low_x, high_z)])


def floor_points(xs: ArrayLike, z: float = 0.0, kind: GraspKind = "load-bearing") -> list[GraspPoint]:
    return [GraspPoint(float(x), z, kind, UP) for x in np.atleast_1d(np.asarray(xs, dtype=np.float64))]


def wall_points(
    x: float, zs: ArrayLike, kind: GraspKind = "hybrid", normal: tuple[float, float] = LEFT
) -> list[GraspPoint]:
    return [GraspPoint(x, float(z), kind, normal) for z in np.asarray(zs, dtype=np.float64)]


def bars(xs: ArrayLike, z: float, kind: GraspKind = "pendent") -> list[GraspPoint]:
    return [GraspPoint(float(x), z, kind) for x in np.asarray(xs, dtype=np.float64)]


def flat(length_m: float = 8.0) -> Environment:
    """Return a floor with a point every 0.3 m, the first at x = 0."""
    return Environment(
        (-1.0, -0.5, length_m + 1.0, 3.0),
        [box(-1.0, -0.5, length_m + 1.0, 0.0)],
        floor_points(0.3 * np.arange(int(length_m / 0.3) + 1)),
    )


def wall_with_top(height_m: float = 2.6) -> Environment:
    """Return a wall at x = 3 with holds every 0.3 m, and a floor on top of it."""
    return Environment(
        (-1.0, -0.5, 7.0, height_m + 3.0),
        [box(-1.0, -0.5, 7.0, 0.0), box(3.0, 0.0, 7.0, height_m)],
        [
            *floor_points(np.arange(0.0, 2.9, 0.3)),
            *wall_points(3.0, np.arange(0.35, height_m - 0.05, 0.3)),
            *floor_points([3.08, 3.3], height_m, "hybrid"),
            *floor_points(np.arange(3.6, 6.8, 0.3), height_m),
        ],
    )


def tunnel(headroom_m: float = 1.0) -> Environment:
    """Return a floor with a low ceiling over it from x = 2.5 to 5.5."""
    return Environment(
        (-1.0, -0.5, 9.0, 3.5),
        [box(-1.0, -0.5, 9.0, 0.0), box(2.5, headroom_m, 5.5, 3.5)],
        floor_points(np.arange(0.0, 8.5, 0.25)),
    )


def bars_over_pit() -> Environment:
    """Return a pit from x = 2 to 5 with bars over it."""
    return Environment(
        (-1.0, -2.5, 8.0, 3.5),
        [box(-1.0, -2.5, 2.0, 0.0), box(2.0, -2.5, 5.0, -2.0), box(5.0, -2.5, 8.0, 0.0)],
        [
            *floor_points(np.arange(0.0, 2.0, 0.3)),
            *floor_points(np.arange(5.1, 7.8, 0.3)),
            *bars(np.arange(1.8, 5.3, 0.35), 1.95),
        ],
    )


def problem_in(
    environment: Environment, start_x: float = 0.0, goal_x: float = 6.0, goal_z: float = 1.0, seed: int = 0
) -> ClimbProblem:
    return ClimbProblem(environment, ClimbStart(start_x, 0.0), ClimbGoal(goal_x, goal_z), seed=seed)


def small_problems() -> dict[str, ClimbProblem]:
    """Return one problem in each of the small environments."""
    return {
        "flat": problem_in(flat()),
        "wall": problem_in(wall_with_top(), goal_x=5.0, goal_z=2.6 + 1.0),
        "tunnel": problem_in(tunnel(), goal_x=7.5),
        "bars": problem_in(bars_over_pit(), goal_x=7.0),
    }


def scripted_walk(steps: int = 6, figure: Figure | None = None) -> ClimbPath:
    """Return a walk over `flat()`: a short step, steps of 0.6 m, and one that brings the feet together.

    Double support at every `SAMPLES_A_STEP`-th sample; the swinging foot is on an arc, arms swing against the legs.
    """
    figure = figure or Figure()
    points = flat().grasp_points
    holds = _footfalls(steps)  # (steps + 1, 2) grasp points under left and right foot at double support
    anchors = np.array([[anchor_of(points[hold], figure, FOOT) for hold in pair] for pair in holds])
    middles = anchors[:, :, 0].mean(axis=1)
    count = steps * SAMPLES_A_STEP + 1
    grasps = np.full((count, 4), FREE, dtype=np.int32)
    configurations = np.zeros((count, 12))
    pelvis_x = _through(middles, SAMPLES_A_STEP)
    for index in range(count):
        step, sample = divmod(index, SAMPLES_A_STEP)
        feet = anchors[step].copy()
        grasps[index, 2:] = holds[step]
        if sample > 0:
            swinging = _swinging(step)
            feet[swinging] = _arc(anchors[step, swinging], anchors[step + 1, swinging], sample / SAMPLES_A_STEP)
            grasps[index, 2 + swinging] = FREE
        configurations[index] = _posture(figure, pelvis_x[index], feet)
    return ClimbPath(
        configurations,
        np.ones(count),
        np.full(count, Mode.WALK, dtype=np.int32),
        grasps,
        np.full(count, Source.MACHINE, dtype=np.int32),
    )


def scripted_walk_motion(steps: int = 6) -> ClimbMotion:
    """Return that walk in time: about 1.1 m/s."""
    return ClimbMotion(scripted_walk(steps), WALK_RATE_HZ)


def _swinging(step: int) -> int:
    """Return which foot a step moves: the right one first."""
    return 1 - step % 2


def _footfalls(steps: int) -> NDArray[np.intp]:
    """Return the points under both feet, 0.3 m apart at first, then 0.6 m; the last step closes."""
    holds = [[0, 0]]
    for step in range(steps):
        pair = list(holds[-1])
        ahead = 0 if step == steps - 1 else 1 if step == 0 else 2
        pair[_swinging(step)] = pair[1 - _swinging(step)] + ahead
        holds.append(pair)
    return np.array(holds)


def _through(keys: FloatArray, samples: int) -> FloatArray:
    """Return values through the keys, `samples` apart, with continuous slopes and at rest at both ends."""
    slopes = np.zeros_like(keys)
    slopes[1:-1] = 0.5 * (keys[2:] - keys[:-2])
    t = np.arange(samples) / samples
    start, end = (1 + 2 * t) * (1 - t) ** 2, t * t * (3 - 2 * t)
    leave, arrive = t * (1 - t) ** 2, t * t * (t - 1)
    between = [
        start * keys[i] + end * keys[i + 1] + leave * slopes[i] + arrive * slopes[i + 1] for i in range(len(keys) - 1)
    ]
    return np.concatenate([*between, keys[-1:]])


def _arc(left: FloatArray, taken: FloatArray, t: float) -> FloatArray:
    eased = t * t * (3.0 - 2.0 * t)
    return left + eased * (taken - left) + np.array([0.0, 0.1 * np.sin(np.pi * t) ** 2])


def _posture(figure: Figure, pelvis_x: float, feet: FloatArray) -> FloatArray:
    """Return a walking posture with its ankles at both points: the pelvis as high as nearly straight legs let it."""
    table = figure.table
    away = np.abs(feet[:, 0] - pelvis_x)
    leg = 0.99 * (table.thigh + table.shank)
    q = np.zeros(12)
    q[0] = pelvis_x
    # A soft minimum over the legs, so that its height has no corners.
    heights = feet[:, 1] + np.sqrt(leg**2 - away**2)
    q[1] = -np.log(np.exp(-40.0 * heights).sum()) / 40.0
    q[2] = 0.05
    for side in range(2):
        if not reach(table, 1.0, q, 2 + side, feet[side, 0], feet[side, 1]):
            raise AssertionError(f"the foot does not reach {feet[side]} from {q[:2]}")
    for side in range(2):
        opposite_thigh = q[10 - 2 * side] - q[2]
        q[4 + 2 * side] = q[2] + 0.55 * opposite_thigh - 0.1
        q[5 + 2 * side] = 0.3
    return q
