"""How a figure regrasps on holds: climbing, swinging, and what leads there and away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import Source
from gambol.climb.environment_table import BAR, CEILING, FLOOR, WALL
from gambol.climb.figure import FREE
from gambol.climb.modes import Mode
from gambol.climb.paper.attempt import LONG_EASE_STEPS, Attempt
from gambol.climb.paper.ground_rules import FEET, HANDS, release_hands, stand_on_both
from gambol.climb.paper.surroundings import Surroundings
from gambol.geometry.arrays import FloatArray

WITHIN_M = 0.85  # of the neck: wall holds that one takes from the ground
CLIMB_M, LEAST_CLIMB_M, MINCING_CLIMB_M, MOST_CLIMB_M = 0.45, 0.25, 0.08, 0.9
SPAN_M, LEAST_SPAN_M, MINCING_SPAN_M, MOST_SPAN_M = 0.4, 0.3, 0.1, 0.75
FEET_BEHIND_M = 1.3  # how much farther from the goal feet are than hands, when none lags


def start_climbing(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Walk or crawl to climb: both hands take holds on a wall ahead, near the neck and nearer to the goal."""
    if eager:
        return False
    tables, scale = around.tables, around.tables.scale
    neck = tables.points(attempt.q)[2]
    grasps = tables.grasps
    far = np.hypot(grasps.x - neck[0], grasps.z - neck[1])
    faces = (grasps.surface == WALL) & (grasps.normal[:, 0] * tables.facing < 0.0)
    rung = (grasps.surface == BAR) & grasps.allowed[Mode.CLIMB, :, 1]
    near = (faces | rung) & (far <= WITHIN_M * scale)
    near &= around.hold_potential < tables.potential_of(attempt.q) + 0.3 * scale
    for hand in HANDS:
        if attempt.grasps[hand] != FREE and not attempt.can_spare(hand):
            return False
        above = grasps.z - neck[1]
        holds = around.candidates(attempt, hand, Mode.CLIMB, above, (-0.6 * scale, 0.9 * scale), 0.2 * scale, near)
        if not around.take_one(attempt, hand, holds, Mode.CLIMB):
            return False
    attempt.settle()
    return True


def climb(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Climb on: the limb that lags most, by the way left to the goal, goes on; the others hold."""
    scale = around.tables.scale
    left = around.hold_potential
    lag: dict[int, float] = {}
    for limb in range(4):
        grasp = attempt.grasps[limb]
        lag[limb] = 1e6 if grasp == FREE else float(left[grasp]) - (0.0 if limb < 2 else FEET_BEHIND_M * scale)
    for limb in sorted(range(4), key=lambda limb: -lag[limb]):
        if attempt.grasps[limb] != FREE and not attempt.can_spare(limb):
            continue
        if attempt.grasps[limb] == FREE:
            others = [attempt.grasps[other] for other in (HANDS if limb < 2 else FEET) if other != limb]
            base = float(left[others[0]]) if others[0] != FREE else around.tables.potential_of(attempt.q)
            gain, limits = base - left, (-0.8 * scale, scale * MOST_CLIMB_M)
        else:
            gain = float(left[attempt.grasps[limb]]) - left
            limits = scale * (LEAST_CLIMB_M if eager else MINCING_CLIMB_M), scale * MOST_CLIMB_M
        holds = around.candidates(attempt, limb, Mode.CLIMB, gain, limits, scale * CLIMB_M)
        if around.take_one(attempt, limb, holds):
            attempt.settle()
            return True
    return False


def stand_on_top(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Climb to walk: both feet on floors, balance with the hands still held, let go."""
    surface = around.tables.grasps.surface
    if eager or any(attempt.grasps[foot] == FREE or surface[attempt.grasps[foot]] != FLOOR for foot in FEET):
        return False
    return release_hands(attempt)


def crawl_on_top(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Climb to crawl: both hands rest on a floor that they may press on, a foot at least is held."""
    grasps = around.tables.grasps
    for hand in HANDS:
        grasp = attempt.grasps[hand]
        if eager or grasp == FREE or grasps.surface[grasp] != FLOOR or not grasps.allowed[Mode.CRAWL, grasp, 0]:
            return False
    attempt.mode = Mode.CRAWL
    attempt.trail.add(attempt.q, attempt.mode, attempt.grasps, Source.MACHINE)
    attempt.settle(steps=LONG_EASE_STEPS)
    return True


def start_swinging(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Walk to swing: both hands take bars or holds overhead, the feet let go."""
    if eager:
        return False
    tables, scale = around.tables, around.tables.scale
    if not stand_on_both(around, attempt):
        return False
    attempt.settle()
    shoulder_x = float(tables.points(attempt.q)[1, 0])
    for hand in HANDS:
        gain = around.ahead(shoulder_x)
        holds = around.candidates(
            attempt, hand, Mode.SWING, gain, (-0.2 * scale, 0.6 * scale), (0.35, 0.0)[hand] * scale, _overhead(around)
        )
        if not around.take_one(attempt, hand, holds, Mode.SWING):
            return False
    return hang(around, attempt, eager)


def hang(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Climb to swing: with both hands on holds overhead the feet let go."""
    overhead = _overhead(around)
    if eager or any(attempt.grasps[hand] == FREE or not overhead[attempt.grasps[hand]] for hand in HANDS):
        return False
    for foot in FEET:
        if attempt.grasps[foot] != FREE and not attempt.let_go(foot, Mode.SWING):
            return False
    attempt.settle()
    return True


def swing(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Swing on: hand over hand, the rear one past the front one."""
    scale, facing = around.tables.scale, around.tables.facing
    if not eager:
        for foot in FEET:
            if attempt.grasps[foot] != FREE:
                attempt.let_go(foot)
    held = [hand for hand in HANDS if attempt.grasps[hand] != FREE]
    front = max(held, key=lambda hand: facing * attempt.end(hand)[0])
    gain = around.ahead(attempt.end(front)[0])
    least = scale * (LEAST_SPAN_M if eager else MINCING_SPAN_M)
    nearer = around.hold_potential < around.hold_potential[attempt.grasps[front]]
    holds = around.candidates(
        attempt, 1 - front, Mode.SWING, gain, (least, scale * MOST_SPAN_M), scale * SPAN_M, nearer & _overhead(around)
    )
    if not around.take_one(attempt, 1 - front, holds):
        return False
    attempt.settle()
    return True


def come_down(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Swing to walk: both feet take a floor nearer to the goal, balance with the hands still held, let go."""
    if _feet_take(around, attempt, FLOOR, Mode.SWING, least=2):
        return release_hands(attempt)
    if eager:
        return False
    # Else the body comes above a floor first, as far as the front hand lets it.
    tables, scale = around.tables, around.tables.scale
    rear = min(HANDS, key=lambda hand: tables.facing * attempt.end(hand)[0])
    if all(attempt.grasps[hand] != FREE for hand in HANDS):
        attempt.let_go(rear)
    grasps = tables.grasps
    left = tables.potential_of(attempt.q) + 0.1 * scale
    below = (grasps.surface == FLOOR) & tables.fits[:, 1] & grasps.allowed[Mode.SWING, :, 1]
    below &= (around.body_potential < left) & (np.hypot(*(tables.anchor[:, 1] - attempt.q[:2]).T) < 1.3 * scale)
    return any(
        attempt.assume(posture) and _feet_take(around, attempt, FLOOR, Mode.SWING, least=2) and release_hands(attempt)
        for grasp in np.flatnonzero(below)
        for posture in _above(attempt, int(grasp))
    )


def _above(attempt: Attempt, grasp: int) -> list[FloatArray]:
    """Return postures with the pelvis a leg's length above a foothold, or a little behind."""
    tables = attempt.tables
    x, z = tables.anchor[grasp, 1]
    up = 0.95 * (tables.figure.thigh + tables.figure.shank)
    postures: list[FloatArray] = []
    for behind in (0.0, 0.1, 0.2):
        for lean in (0.0, -0.3, 0.3, -0.6):
            posture = attempt.q.copy()
            posture[:3] = x - tables.facing * tables.scale * behind, z + up, lean
            posture[8:] = 0.5 + lean, 1.0, 0.5 + lean, 1.0  # legs drawn up
            postures.append(posture)
    return postures


def come_to_a_wall(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Swing to climb: the feet take holds on a wall."""
    if eager or not _feet_take(around, attempt, WALL, Mode.CLIMB, least=1):
        return False
    attempt.settle()
    return attempt.mode == Mode.CLIMB


def _feet_take(around: Surroundings, attempt: Attempt, surface: int, mode: Mode, least: int) -> bool:
    tables, scale = around.tables, around.tables.scale
    gain = tables.potential_of(attempt.q) - around.body_potential
    taken = 0
    for foot in FEET:
        if attempt.grasps[foot] != FREE and tables.grasps.surface[attempt.grasps[foot]] == surface:
            taken += 1
            continue
        holds = around.candidates(
            attempt, foot, mode, gain, (-0.1 * scale, 2.0 * scale), 0.4 * scale, tables.grasps.surface == surface
        )
        taken += around.take_one(attempt, foot, holds, mode)
    return taken >= least


def _overhead(around: Surroundings) -> NDArray[np.bool_]:
    surface = around.tables.grasps.surface
    return (surface == BAR) | (surface == CEILING)
