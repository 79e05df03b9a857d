"""Ways on level ground to where a climb begins and from where it ends, planned with the built-in human."""

from __future__ import annotations

import numpy as np

from gambol.animate.playing import play
from gambol.characters.character import Character
from gambol.characters.step import clip_of
from gambol.characters.store import load_character
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.motion import edits
from gambol.motion.contacts import leg_length
from gambol.motion.motion import Motion
from gambol.motion.retargeting import retarget
from gambol.motion.skeleton import same_bones
from gambol.search.astar import AStar
from gambol.search.plan import Plan
from gambol.search.problem import Goal, Problem
from gambol.world.world import Pose, World

MARGIN_M = 4.0  # of the ground around start and goal
STOP = "stand"
STRAIGHT_RAD = 0.15  # how far from a climb's own heading one may arrive
NEAR_M = 0.3  # of the place; then the whole way is moved to end there exactly


def approach_to(climb: Motion, start: Pose, *, seed: int = 0, character: Character | None = None) -> Motion:
    """Return a way from about a pose (x, y, heading) to the climb's first frame: it comes to a stop there.

    The way is planned to end near, and moved as a whole to end exactly there: its beginning moves along by as much.
    """
    character = load_character("human") if character is None else character
    there = standing_pose(climb, 0)
    ratio = _size(climb, character)
    begins = _scaled(planar.relative(there, start), 1.0 / ratio)
    goal = Goal(0.0, 0.0, NEAR_M, 0.0, STRAIGHT_RAD, STOP)
    plan = _solved(begins, goal, character, seed, "to where the climb begins")
    last = plan.steps[-1]
    ends = planar.compose(last.pose, clip_of(character, last).displacement)
    motion = edits.move(play(character, plan.steps), planar.invert(ends))
    return _at(_on(motion, climb, character), there, at_end=True, height_m=ground_height(climb, 0))


def onward_from(
    climb: Motion, goal: Goal | tuple[float, float], *, seed: int = 0, character: Character | None = None
) -> Motion:
    """Return a way from the climb's last frame, standing on the ground it ended on, to a goal in the ground plane."""
    character = load_character("human") if character is None else character
    goal = goal if isinstance(goal, Goal) else Goal(*goal)
    here = standing_pose(climb, -1)
    ratio = _size(climb, character)
    x, y, heading = _scaled(planar.relative(here, (goal.x, goal.y, goal.heading_rad or 0.0)), 1.0 / ratio).tolist()
    wished = Goal(
        x, y, goal.tolerance_m / ratio, None if goal.heading_rad is None else heading, goal.heading_tolerance_rad,
        goal.behavior,
    )  # fmt: skip
    plan = _solved(np.zeros(3), wished, character, seed, "onward from where the climb ends")
    motion = play(character, plan.steps)
    return _at(_on(motion, climb, character), here, at_end=False, height_m=ground_height(climb, -1))


def standing_pose(climb: Motion, frame: int) -> FloatArray:
    """Return where a figure stands (x, y, heading): between its hips, the way it faces, which is along +x or -x."""
    pose = edits.planar_pose(climb, frame)
    pose[1] = 0.0
    pose[2] = np.pi * np.round(pose[2] / np.pi)
    return pose


def ground_height(climb: Motion, frame: int) -> float:
    """Return how high the ground is on which a figure stands: below its lower ankle."""
    skeleton = climb.skeleton
    ankles = [skeleton.index(name) for name in ("LeftFoot", "RightFoot")]
    rest = skeleton.rest_positions[ankles[0], 2]
    return float(climb.world_positions[frame, ankles, 2].min() - rest)


def _solved(start: FloatArray, goal: Goal, character: Character, seed: int, where: str) -> Plan:
    corners = np.array([start[:2], (goal.x, goal.y)])
    low, high = corners.min(axis=0) - MARGIN_M, corners.max(axis=0) + MARGIN_M
    world = World((*low.tolist(), *high.tolist()))
    x, y, heading = start.tolist()
    plan = AStar().solve(Problem(world, character, (x, y, heading), goal, seed=seed))
    if not plan.found:
        raise InvalidInput(f"no way {where} was found on level ground: {plan.reason}")
    return plan


def _on(motion: Motion, climb: Motion, character: Character) -> Motion:
    """Return a ground motion on the climber's own skeleton, at its rate."""
    if not same_bones(character.skeleton, climb.skeleton):
        motion = retarget(motion, climb.skeleton)
    else:
        motion = Motion(climb.skeleton, motion.rate_hz, motion.root_positions, motion.rotations)
    return motion if motion.rate_hz == climb.rate_hz else edits.resample(motion, climb.rate_hz)


def _at(motion: Motion, pose: FloatArray, *, at_end: bool, height_m: float) -> Motion:
    """Carry a motion that ends, or begins, at the origin to a pose on ground of some height."""
    frame = -1 if at_end else 0
    own = np.array([*motion.root_positions[frame, :2], 0.0])
    moved = edits.move(motion, planar.compose(pose, planar.invert(own)))
    roots = moved.root_positions + (0.0, 0.0, height_m)
    return Motion(moved.skeleton, moved.rate_hz, roots, moved.rotations)


def _size(climb: Motion, character: Character) -> float:
    return leg_length(climb.skeleton) / leg_length(character.skeleton)


def _scaled(pose: FloatArray, factor: float) -> FloatArray:
    return np.array([pose[0] * factor, pose[1] * factor, pose[2]])
