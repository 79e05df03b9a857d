"""Postures that show what each comfort heuristic asks for: each is bent step by step from ideal to bad."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gambol.climb.environment_table import anchor_of
from gambol.climb.figure import FREE, Figure
from gambol.climb.kernels.comfort import (
    BALANCE,
    COMFY_LIMBS,
    HAND_DOWN,
    HEAD_UP,
    HEURISTICS,
    KEEPS_BEND,
    KNEES_DOWN,
    LEGS_HANG,
    LIMB_COUNTER,
    UPRIGHT_SPINE,
)
from gambol.climb.kernels.kinematics import reach
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray
from gambol.world.environment import Environment, GraspPoint

Grasps = tuple[int, int, int, int]
Pose = Callable[[float], FloatArray]

FIGURE = Figure()
UP, LEFT = (0.0, 1.0), (-1.0, 0.0)
WALL_X = 0.55


def _box(low_x: float, low_z: float, high_x: float, high_z: float) -> list[tuple[float, float]]:
    return [(low_x, low_z), (high_x, low_z), (high_x, high_z), (low_x, high_z)]


FLOOR = Environment(
    (-1.2, -0.12, 1.2, 2.3),
    [_box(-1.2, -0.12, 1.2, 0.0)],
    [GraspPoint(x, 0.0, "load-bearing", UP) for x in (-0.3, 0.0, 0.3)],
)
GROUND = Environment(FLOOR.bounds, FLOOR.polygons, [GraspPoint(x, 0.0, "load-bearing", UP) for x in (-0.48, 0.36)])
WALL = Environment(
    (-1.2, -0.12, 1.2, 2.3),
    [_box(WALL_X, -0.12, 1.2, 2.3)],
    [GraspPoint(WALL_X, z, "hybrid", LEFT) for z in (0.02, 0.22, 1.35)],
)
BARS = Environment((-1.2, -0.12, 1.2, 2.3), [], [GraspPoint(x, 2.12, "pendent") for x in (-0.12, 0.12)])


@dataclass(frozen=True, eq=False)
class Case:
    """A heuristic and a posture that one number bends."""

    which: int  # of HEURISTICS
    mode: Mode
    environment: Environment
    grasps: Grasps
    pose: Pose
    low: float  # range of the number
    high: float
    good: float
    bad: float
    about: str  # what the number is

    @property
    def name(self) -> str:
        return HEURISTICS[self.which]


def _held(environment: Environment, grasps: Grasps, q: FloatArray) -> FloatArray:
    """Put hands and feet where they hold something."""
    for limb, hold in enumerate(grasps):
        if hold != FREE:
            x, z = anchor_of(environment.grasp_points[hold], FIGURE, limb // 2)
            if not reach(FIGURE.table, 1.0, q, limb, x, z):
                raise AssertionError(f"limb {limb} does not reach its hold")
    return q


def _standing(x: float, z: float, lean: float = 0.06) -> FloatArray:
    return np.array([x, z, lean, -lean, 0.05, 0.35, 0.05, 0.35, 0.0, 0.0, 0.0, 0.0])


TOGETHER: Grasps = (FREE, FREE, 1, 1)
STRIDE: Grasps = (FREE, FREE, 2, 0)
ONE_HAND: Grasps = (0, FREE, FREE, FREE)
FOUR: Grasps = (2, 2, 1, 0)
KNEELING: Grasps = (1, 1, 0, 0)
HANGING: Grasps = (0, 1, FREE, FREE)
LEG = 0.845  # of a standing figure


def _leaning(beside: float) -> FloatArray:
    """Stand with the pelvis beside the feet."""
    return _held(FLOOR, TOGETHER, _standing(beside, 0.07 + math.sqrt(LEG**2 - beside**2)))


def _bowing(lean: float) -> FloatArray:
    """Stand with the torso leaning, the pelvis moved back for balance."""
    back = 0.30 * math.sin(lean)
    return _held(FLOOR, TOGETHER, _standing(-back, 0.07 + math.sqrt(LEG**2 - back**2), lean))


def _striding(offset: float) -> FloatArray:
    """Stride; the arms swing by an angle off that against the legs."""
    q = _held(FLOOR, STRIDE, _standing(0.0, 0.86))
    lean = q[2]
    for side, sign in ((0, 1.0), (1, -1.0)):
        thigh = q[10 - 2 * side] - lean
        q[4 + 2 * side] = lean + 0.75 * thigh - 0.06 + sign * offset
        q[5 + 2 * side] = 0.35 + 0.3 * max(0.0, q[4 + 2 * side] - lean)
    return q


def _crouching(bend: float) -> FloatArray:
    """Stand with the knees bent by an angle."""
    thigh, shank = FIGURE.table.thigh, FIGURE.table.shank
    length = math.sqrt(thigh**2 + shank**2 + 2.0 * thigh * shank * math.cos(bend))
    lean = 0.06 + 0.25 * bend
    back = 0.16 * bend
    return _held(FLOOR, TOGETHER, _standing(-back, 0.07 + math.sqrt(length**2 - back**2), lean))


def _nodding(neck: float) -> FloatArray:
    q = _held(FLOOR, TOGETHER, _standing(0.0, 0.9, 0.0))
    q[3] = neck
    return q


def _waving(raised: float) -> FloatArray:
    """Hang by one hand, the other is raised by an angle."""
    q = _held(BARS, ONE_HAND, np.array([-0.08, 1.04, 0.0, -0.1, 0, 0, 0, 0, 0.12, 0.4, 0.12, 0.4]))
    q[6], q[7] = 0.15 + raised, 0.4
    return q


def _crawling(raised: float) -> FloatArray:
    """Crawl with the hips raised, and the knees off the ground with them; the shoulders stay above the hands."""
    z = 0.49 + raised
    lean = math.acos((0.57 - z) / FIGURE.table.shoulder)
    x = 0.38 - FIGURE.table.shoulder * math.sin(lean)
    q = np.array([x, z, lean, -0.7, 0, 0, 0, 0, 0, 0, 0, 0])
    return _held(GROUND, KNEELING, q)


def _swinging(raised: float) -> FloatArray:
    """Hang; the legs are raised by an angle."""
    q = _held(BARS, HANGING, np.array([-0.02, 1.03, 0.0, -0.1, 0, 0, 0, 0, 0, 0, 0, 0], dtype=np.float64))
    q[8] = q[10] = 0.12 + raised
    q[9] = q[11] = 0.4
    return q


def _pulling(bend: float) -> FloatArray:
    """Climb with the arms bent by an angle: the less, the farther the body is from the wall."""
    table, (x, z) = FIGURE.table, anchor_of(WALL.grasp_points[2], FIGURE, 0)
    upper, lower = table.upper_arm, table.forearm
    length = math.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * math.cos(bend))
    shoulder = 0.76 + table.shoulder
    q = np.array([x - math.sqrt(length**2 - (z - shoulder) ** 2), 0.76, 0.0, -0.2, 0, 0, 0, 0, 0, 0, 0, 0])
    return _held(WALL, FOUR, q)


CASES = (
    Case(BALANCE, Mode.WALK, FLOOR, TOGETHER, _leaning, -0.20, 0.32, 0.04, 0.26, "pelvis ahead of the feet, m"),
    Case(UPRIGHT_SPINE, Mode.WALK, FLOOR, TOGETHER, _bowing, -0.5, 1.0, 0.06, 0.85, "lean of the torso, rad"),
    Case(LIMB_COUNTER, Mode.WALK, FLOOR, STRIDE, _striding, -0.9, 0.9, 0.0, 0.65, "arms off their swing, rad"),
    Case(COMFY_LIMBS, Mode.WALK, FLOOR, TOGETHER, _crouching, 0.09, 1.5, 0.18, 1.3, "bend of the knees, rad"),
    Case(HEAD_UP, Mode.WALK, FLOOR, TOGETHER, _nodding, -0.9, 0.9, 0.0, 0.8, "neck forward, rad"),
    Case(HAND_DOWN, Mode.SWING, BARS, ONE_HAND, _waving, -0.6, 1.9, 0.0, 1.5, "free arm raised, rad"),
    Case(KNEES_DOWN, Mode.CRAWL, GROUND, KNEELING, _crawling, 0.0, 0.30, 0.0, 0.29, "hips raised, m"),
    Case(LEGS_HANG, Mode.SWING, BARS, HANGING, _swinging, -0.5, 1.4, 0.0, 0.8, "free legs raised, rad"),
    Case(KEEPS_BEND, Mode.CLIMB, WALL, FOUR, _pulling, 0.08, 1.2, 0.9, 0.08, "bend of the arms, rad"),
)
