"""Climbs made by hand: stances one after the other, one limb at a time, and a turn round on the spot."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.climb import FREE, ClimbMotion, ClimbPath, ClimbProblem, FigureTable, Mode, Source, grasp_table
from gambol.climb.kernels.kinematics import reach

FloatArray = NDArray[np.float64]

RATE_HZ = 60.0


@dataclass(frozen=True)
class Stance:
    """What is held, and where the trunk is."""

    mode: Mode
    x: float  # of the pelvis
    z: float
    lean: float
    grasps: tuple[int, int, int, int]
    neck: float = 0.0
    joints: tuple[float, ...] = (0.1, 0.3, 0.1, 0.3, 0.2, 0.3, 0.2, 0.3)  # of limbs that hold nothing
    bulge: tuple[float, float] = (0.0, 0.0)  # how far a limb that gets here comes off its straight way


def nearest(problem: ClimbProblem, x: float, z: float) -> int:
    """Return the grasp point nearest to a place."""
    return int(np.argmin([np.hypot(point.x - x, point.z - z) for point in problem.environment.grasp_points]))


def climb_through(
    problem: ClimbProblem, stances: list[Stance], facing: float = 1.0, seconds: float = 0.6
) -> ClimbMotion:
    """Return a motion through stances; what is held is held exactly, what changes goes over in an arc."""
    table = problem.figure.table
    anchor = grasp_table(problem.environment, problem.figure).anchor[0 if facing > 0 else 1]
    samples = round(seconds * RATE_HZ)
    rows: list[tuple[FloatArray, int, tuple[int, ...]]] = []
    for one, two in pairwise(stances):
        for step in range(samples):
            t = step / samples
            ease = t * t * t * (10 - 15 * t + 6 * t * t)
            q = np.empty(12)
            q[:4] = [(1 - ease) * getattr(one, k) + ease * getattr(two, k) for k in ("x", "z", "lean", "neck")]
            q[4:] = (1 - ease) * np.array(one.joints) + ease * np.array(two.joints)
            held = [a if (a == b or step == 0) else FREE for a, b in zip(one.grasps, two.grasps, strict=True)]
            for limb, (a, b) in enumerate(zip(one.grasps, two.grasps, strict=True)):
                kind = 0 if limb < 2 else 1
                if a != FREE and b != FREE:
                    off = np.sin(np.pi * t) ** 2 * np.array(two.bulge) if a != b else 0.0
                    target = (1 - ease) * anchor[a, kind] + ease * anchor[b, kind] + off
                    if not reach(table, facing, q, limb, target[0], target[1]):
                        raise AssertionError(f"limb {limb} does not reach {target} from {q[:3]}, {one} to {two}")
                elif a != b:
                    _leave_or_take(table, facing, q, limb, anchor[max(a, b), kind], ease if b != FREE else 1 - ease)
            rows.append((q, int(one.mode), tuple(held)))
    last = stances[-1]
    q = rows[-1][0].copy()
    q[:4] = (last.x, last.z, last.lean, last.neck)
    q[4:] = last.joints
    for limb, grasp in enumerate(last.grasps):
        if grasp != FREE:
            assert reach(table, facing, q, limb, *anchor[grasp, 0 if limb < 2 else 1])
    rows.append((q, int(last.mode), last.grasps))
    return _motion(rows, np.full(len(rows), facing))


def _leave_or_take(
    table: FigureTable, facing: float, q: FloatArray, limb: int, place: FloatArray, share: float
) -> None:
    """Go a share of the way from the free joints of a limb to those that hold a place."""
    free = q[4 + 2 * limb : 6 + 2 * limb].copy()
    if not reach(table, facing, q, limb, place[0], place[1]):
        raise AssertionError(f"limb {limb} does not reach {place} from {q[:3]}")
    q[4 + 2 * limb : 6 + 2 * limb] = (1 - share) * free + share * q[4 + 2 * limb : 6 + 2 * limb]


def turn_round(problem: ClimbProblem, point: int, facing: float = 1.0, seconds: float = 1.2) -> ClimbMotion:
    """Return a turn on a floor's grasp point, standing before and after it."""
    table = problem.figure.table
    anchor = grasp_table(problem.environment, problem.figure).anchor[0 if facing > 0 else 1]
    x, z = anchor[point, 1]
    t = np.concatenate((np.zeros(20), np.linspace(0.0, 1.0, round(seconds * RATE_HZ)), np.ones(20)))
    facings = facing * np.cos(np.pi * t * t * (3 - 2 * t))
    facings[t == 1.0] = -facing
    rows: list[tuple[FloatArray, int, tuple[int, ...]]] = []
    for _ in t:
        q = np.zeros(12)
        q[0], q[1], q[4:8] = x, z + 0.985 * (table.thigh + table.shank), (0.05, 0.25, 0.05, 0.25)
        assert reach(table, 1.0, q, 2, x, z)
        assert reach(table, 1.0, q, 3, x, z)
        rows.append((q, int(Mode.WALK), (FREE, FREE, point, point)))
    return _motion(rows, facings)


def _motion(rows: list[tuple[FloatArray, int, tuple[int, ...]]], facings: FloatArray) -> ClimbMotion:
    configurations, modes, grasps = zip(*rows, strict=True)
    sources = np.full(len(rows), Source.MACHINE)
    return ClimbMotion(
        ClimbPath(np.array(configurations), facings, np.array(modes), np.array(grasps), sources), RATE_HZ
    )


def wall_climb(problem: ClimbProblem) -> ClimbMotion:
    """Return a few regrasps up the wall of `wall_with_top()`."""

    def hold(z: float) -> int:
        return nearest(problem, 3.0, z)

    def stance(x: float, z: float, hands: tuple[float, float], feet: tuple[float, float]) -> Stance:
        held = (hold(hands[0]), hold(hands[1]), hold(feet[0]), hold(feet[1]))
        return Stance(Mode.CLIMB, x, z, 0.3, held, bulge=(-0.12, 0.0))

    return climb_through(
        problem,
        [
            stance(2.49, 1.10, (1.85, 1.55), (0.35, 0.65)),
            stance(2.49, 1.13, (1.85, 1.85), (0.35, 0.65)),
            stance(2.47, 1.22, (1.85, 1.85), (0.95, 0.65)),
            stance(2.47, 1.36, (2.15, 1.85), (0.95, 0.65)),
        ],
    )


def crawl(problem: ClimbProblem) -> ClimbMotion:
    """Return some crawling through `tunnel()`."""

    def stance(x: float, places: tuple[float, float, float, float]) -> Stance:
        held = tuple(nearest(problem, place, 0.0) for place in places)
        return Stance(Mode.CRAWL, x, 0.51, 1.45, (held[0], held[1], held[2], held[3]), neck=-0.8, bulge=(0.0, 0.08))

    return climb_through(
        problem,
        [
            stance(3.00, (3.5, 3.5, 2.5, 2.75)),
            stance(3.05, (3.5, 3.75, 2.5, 2.75)),
            stance(3.15, (3.5, 3.75, 2.75, 2.75)),
            stance(3.25, (3.75, 3.75, 2.75, 2.75)),
        ],
    )


def hand_over_hand(problem: ClimbProblem) -> ClimbMotion:
    """Return some swinging below the bars of `bars_over_pit()`."""

    def stance(x: float, left: float, right: float) -> Stance:
        held = (nearest(problem, left, 2.05), nearest(problem, right, 2.05), FREE, FREE)
        return Stance(
            Mode.SWING, x, 1.02, -0.05, held, neck=-0.1, joints=(0, 0, 0, 0, 0.2, 0.3, 0.1, 0.4), bulge=(0.0, -0.1)
        )

    return climb_through(problem, [stance(2.4, 2.5, 2.5), stance(2.5, 2.5, 2.85), stance(2.7, 2.85, 2.85)])
