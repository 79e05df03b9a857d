"""The independent judge of delivered climbs: it checks frames and the time between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gambol.climb.climb import ClimbMotion, ClimbPath
from gambol.climb.figure import COORDINATES, FREE, LIMB_POINTS, LIMBS, Figure
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judges.climb_figure import CAPSULES, Capsules, anchors_of, between, capsules_of, mass_centres, points_of
from gambol.judges.climb_gravity import judge_gravity
from gambol.judges.climb_holds import illegal_holds, mode_stretches, runs
from gambol.judges.climb_report import (
    DRIFT_LIMIT_MM,
    ENTRY_LIMIT_MM,
    JOINT_LIMIT_RAD,
    ClimbReport,
    Illegal,
    Worst,
)
from gambol.judges.climb_solids import Solids
from gambol.world.environment import Environment, PlaneBounds

PARTS = 8  # >= 2: parts into which a doubtful interval between frames is cut; more looks closer
# A motion that exceeds one of these is taken as a jump; larger accepts faster motions.
JUMP_JOINT_SPEED = 15.0  # rad/s, > 0
JUMP_PELVIS_SPEED = 5.0  # m/s, > 0
JUMP_FACING_SPEED = 15.0  # 1/s, > 0
JUMP_JOINT_ACCELERATION = 1000.0  # rad/s², > 0
JUMP_PELVIS_ACCELERATION = 100.0  # m/s², > 0


def judge_climb(problem: ClimbProblem, motion: ClimbMotion) -> ClimbReport:
    """Return all findings about a climber's motion."""
    environment, figure, path = problem.environment, problem.figure, motion.path
    _check_input(environment, motion)
    points = points_of(figure, path.facings, path.configurations)
    middle = points_of(figure, *between(path, np.arange(len(path) - 1), np.full(len(path) - 1, 0.5)))
    anchors = anchors_of(environment, figure, path)
    centres = mass_centres(figure, points)
    entries = _entries(environment, figure, path, points, middle)
    drifts, between_drifts = _drifts(path, anchors, points, middle)
    over = _over_limits(figure, path)
    speeds, accelerations = _derivatives(motion)
    last = centres[-1]
    return ClimbReport(
        frames=len(path),
        rate_hz=motion.rate_hz,
        collisions=int(np.sum(entries.deepest_mm > ENTRY_LIMIT_MM)),
        touches=int(np.sum((entries.deepest_mm > 0.0) & (entries.deepest_mm <= ENTRY_LIMIT_MM))),
        entry_mm=entries.worst,
        beyond_mm=entries.beyond,
        drift_mm=_worst_drift(path, drifts, between_drifts, points, middle),
        drifting=int(np.sum(drifts > DRIFT_LIMIT_MM)) + int(np.sum(between_drifts > DRIFT_LIMIT_MM)),
        over_limit_rad=_worst_coordinate(over, path, 2),
        over_limit=int(np.sum(np.any(over > JOINT_LIMIT_RAD, axis=1))),
        illegal=tuple(
            sorted(
                [*illegal_holds(environment, path), *_jumps(motion, speeds, accelerations)], key=lambda one: one.first
            )
        ),
        largest_step=_worst_coordinate(speeds / motion.rate_hz, path, 0),
        joint_speed=_worst_coordinate(speeds[:, 2:], path, 2),
        joint_acceleration=_worst_coordinate(accelerations[:, 2:], path, 2),
        pelvis_speed=_worst_coordinate(speeds[:, :2], path, 0),
        pelvis_acceleration=_worst_coordinate(accelerations[:, :2], path, 0),
        gravity=judge_gravity(environment, figure, motion, anchors, centres),
        modes=mode_stretches(path),
        to_goal_m=float(np.hypot(last[0] - problem.goal.x, last[1] - problem.goal.z)),
    )


def _check_input(environment: Environment, motion: ClimbMotion) -> None:
    path = motion.path
    if len(path) == 0:
        raise InvalidInput("a climb needs at least one frame to be judged")
    if not (np.isfinite(motion.rate_hz) and motion.rate_hz > 0.0):
        raise InvalidInput(f"a climb's rate must be a positive number of frames a second, not {motion.rate_hz}")
    if not (np.all(np.isfinite(path.configurations)) and np.all(np.isfinite(path.facings))):
        raise InvalidInput("configurations and facings of a climb must be finite numbers")
    count = len(environment.grasp_points)
    if np.any((path.grasps < FREE) | (path.grasps >= count)):
        raise InvalidInput(f"a climb holds a grasp point that is not among the environment's {count}")
    if np.any((path.modes < 0) | (path.modes >= len(Mode))):
        raise InvalidInput(f"modes of a climb are 0 to {len(Mode) - 1}, not {sorted(set(path.modes.tolist()))}")


class Entries(NamedTuple):
    """How deep a figure enters polygons or leaves the bounds."""

    deepest_mm: FloatArray  # (F,) in a frame or between it and the next, for polygons and bounds
    worst: Worst  # into polygons
    beyond: Worst  # beyond the bounds


def _entries(
    environment: Environment, figure: Figure, path: ClimbPath, points: FloatArray, middle: FloatArray
) -> Entries:
    solids = Solids(environment.polygons)
    capsules = capsules_of(figure, points)
    clear = _clearances(solids, capsules)
    beyond = -_room(environment.bounds, capsules)
    deepest = 1000.0 * np.maximum(-clear.min(axis=1), beyond.max(axis=1))
    worst = _deepest(solids, capsules, clear, np.arange(len(path), dtype=np.float64))
    # A capsule comes no nearer than its ends travel, so most intervals between frames need no closer look.
    moved = capsules_of(figure, middle)
    travel = _farthest(capsules, moved, slice(None, -1)) + _farthest(capsules, moved, slice(1, None))
    doubtful = np.any(clear[:-1] + clear[1:] < 1.1 * travel, axis=1)
    intervals = np.repeat(np.flatnonzero(doubtful), PARTS - 1)
    if len(intervals):
        shares = np.tile(np.arange(1, PARTS) / PARTS, len(intervals) // (PARTS - 1))
        inner = capsules_of(figure, points_of(figure, *between(path, intervals, shares)))
        inner_clear = _clearances(solids, inner)
        np.maximum.at(deepest, intervals, -1000.0 * inner_clear.min(axis=1))
        worst = max(worst, _deepest(solids, inner, inner_clear, intervals + shares), key=lambda one: one.value)
    frame, at = np.unravel_index(np.argmax(beyond), beyond.shape)
    where = capsules.ends[frame, at]
    value = float(1000.0 * beyond[frame, at])
    return Entries(deepest, worst, Worst(value, float(frame), CAPSULES[at], float(where[0]), float(where[1])))


def _clearances(solids: Solids, capsules: Capsules) -> FloatArray:
    """Return the clearance of every capsule in every frame (F, C)."""
    shape = capsules.starts.shape[:2]
    radii = np.broadcast_to(capsules.radii, shape)
    return solids.clearances(capsules.starts.reshape(-1, 2), capsules.ends.reshape(-1, 2), radii.ravel()).reshape(shape)


def _room(bounds: PlaneBounds, capsules: Capsules) -> FloatArray:
    """Return how far capsules (F, C) are inside the bounds, metres; negative outside."""
    low = np.minimum(capsules.starts, capsules.ends) - bounds[:2]
    high = bounds[2:] - np.maximum(capsules.starts, capsules.ends)
    return np.minimum(low, high).min(axis=2) - capsules.radii


def _farthest(capsules: Capsules, moved: Capsules, frames: slice) -> FloatArray:
    """Return how far the ends of each capsule move at most, (F - 1, C)."""
    from_starts = np.linalg.norm(capsules.starts[frames] - moved.starts, axis=2)
    return np.maximum(from_starts, np.linalg.norm(capsules.ends[frames] - moved.ends, axis=2))


def _deepest(solids: Solids, capsules: Capsules, clear: FloatArray, frames: FloatArray) -> Worst:
    row, at = np.unravel_index(np.argmin(clear), clear.shape)
    x, z = solids.nearest_point(capsules.starts[row, at], capsules.ends[row, at])
    return Worst(float(-1000.0 * clear[row, at]), float(frames[row]), CAPSULES[at], x, z)


def _drifts(
    path: ClimbPath, anchors: FloatArray, points: FloatArray, middle: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the distances of holding limbs from their anchors, mm: in frames (F, 4) and half-way (F - 1, 4)."""
    at_frames = np.linalg.norm(points[:, LIMB_POINTS] - anchors, axis=2)
    half_way = np.linalg.norm(middle[:, LIMB_POINTS] - anchors[1:], axis=2)
    half_way[path.grasps[1:] != path.grasps[:-1]] = 0.0
    return 1000.0 * np.nan_to_num(at_frames), 1000.0 * np.nan_to_num(half_way)


def _worst_drift(
    path: ClimbPath, drifts: FloatArray, between_drifts: FloatArray, points: FloatArray, middle: FloatArray
) -> Worst:
    def worst(values: FloatArray, places: FloatArray, later: float) -> Worst:
        if values.max(initial=0.0) <= 0.0:
            return Worst()
        frame, limb = (int(index) for index in np.unravel_index(np.argmax(values), values.shape))
        grasp = path.grasps[frame, limb]
        before = path.grasps[frame - 1, limb] if frame > 0 else grasp
        after = path.grasps[frame + 1, limb] if frame + 1 < len(path) else grasp
        does = "takes" if before != grasp else "leaves" if after != grasp else "holds"
        x, z = places[frame, LIMB_POINTS[limb]]
        return Worst(
            float(values[frame, limb]), frame + later, f"{LIMBS[limb]} {does} point {grasp}", float(x), float(z)
        )

    return max(worst(drifts, points, 0.0), worst(between_drifts, middle, 0.5), key=lambda one: one.value)


def _over_limits(figure: Figure, path: ClimbPath) -> FloatArray:
    """Return how far lean and joints (F, 10) are beyond their limits, radians; negative inside."""
    angles, table = path.configurations[:, 2:], figure.table
    return np.maximum(table.low[2:] - angles, angles - table.high[2:])


def _derivatives(motion: ClimbMotion) -> tuple[FloatArray, FloatArray]:
    """Return speeds into each frame and accelerations around each frame (F, 12); 0 where there are none."""
    configurations = motion.path.configurations
    speeds, accelerations = np.zeros_like(configurations), np.zeros_like(configurations)
    speeds[1:] = np.abs(np.diff(configurations, axis=0)) * motion.rate_hz
    if len(configurations) > 2:
        accelerations[1:-1] = np.abs(np.diff(configurations, 2, axis=0)) * motion.rate_hz**2
    return speeds, accelerations


def _worst_coordinate(values: FloatArray, path: ClimbPath, first: int) -> Worst:
    frame, at = (int(index) for index in np.unravel_index(np.argmax(values), values.shape))
    x, z = path.configurations[frame, :2]
    return Worst(float(values[frame, at]), frame, COORDINATES[first + at], float(x), float(z))


def _jumps(motion: ClimbMotion, speeds: FloatArray, accelerations: FloatArray) -> Iterator[Illegal]:
    """Yield the frames in which a coordinate or the facing jumps."""
    for at, name in enumerate(COORDINATES):
        speed, acceleration = (
            (JUMP_PELVIS_SPEED, JUMP_PELVIS_ACCELERATION) if at < 2 else (JUMP_JOINT_SPEED, JUMP_JOINT_ACCELERATION)
        )
        jumps = (speeds[:, at] > speed) | (accelerations[:, at] > acceleration)
        for first, last in runs(jumps):
            step = speeds[first : last + 2, at].max() / motion.rate_hz  # the step after belongs to it too
            yield Illegal("jump", first, last, f"{name} moves by {step:.3f} {'m' if at < 2 else 'rad'} in a frame")
    turning = np.abs(np.diff(motion.path.facings, prepend=motion.path.facings[0])) * motion.rate_hz
    for first, last in runs(turning > JUMP_FACING_SPEED):
        yield Illegal("jump", first, last, "the figure turns round at once")
