"""How a figure regrasps on the ground: walking, crawling, and what leads from one to the other.

Each rule tries to do what an edge of the state machine says; False where a precondition fails or a way is not free.
"""

from __future__ import annotations

import numpy as np

from gambol.climb.climb import Source
from gambol.climb.environment_table import WALL
from gambol.climb.figure import FREE
from gambol.climb.modes import Mode
from gambol.climb.paper.attempt import LONG_EASE_STEPS, Attempt
from gambol.climb.paper.surroundings import Surroundings
from gambol.geometry.arrays import FloatArray

STRIDE_M, LEAST_STRIDE_M, MINCING_STRIDE_M, MOST_STRIDE_M = 0.6, 0.4, 0.12, 1.0
LOW_M, STANDING_M = 1.6, 1.75  # of head-room: below it one crawls, above it one stands up
CRAWL_AHEAD_M = 1.0
#: How an adult bows to put the hands down: pelvis ahead of and above the feet, lean.
BOWS = ((0.0, 0.50, 1.4), (-0.1, 0.55, 1.5), (0.15, 0.45, 1.4), (0.0, 0.45, 1.2))
REACH_OUT_M, LEAST_CRAWL_M, MINCING_CRAWL_M, MOST_CRAWL_M = 0.4, 0.25, 0.1, 0.75
HANDS, FEET = (0, 1), (2, 3)


def step(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Walk on: the free or rear foot comes before the other, which is then let go."""
    scale, facing = around.tables.scale, around.tables.facing
    held = [limb for limb in FEET if attempt.grasps[limb] != FREE]
    front = max(held, key=lambda limb: facing * attempt.end(limb)[0])
    moving = FEET[1] if front == FEET[0] else FEET[0]
    front_x = attempt.end(front)[0]
    if facing * (attempt.centre[0] - front_x) < 0.0:
        return False
    gain = around.ahead(front_x)
    nearer = around.body_potential < around.body_potential[attempt.grasps[front]] - 0.05
    least = scale * (LEAST_STRIDE_M if eager else MINCING_STRIDE_M)
    footholds = around.candidates(
        attempt, moving, Mode.WALK, gain, (least, scale * MOST_STRIDE_M), scale * STRIDE_M,
        nearer & (around.tables.grasps.surface != WALL),
    )  # fmt: skip
    if not around.take_one(attempt, moving, footholds):
        return False
    attempt.settle()
    return attempt.let_go(front)


def stand_on_both(around: Surroundings, attempt: Attempt) -> bool:
    """Put a free foot down beside the other."""
    for limb in FEET:
        if attempt.grasps[limb] == FREE:
            gain = around.ahead(attempt.end(5 - limb)[0])
            scale = around.tables.scale
            nearby = around.candidates(attempt, limb, Mode.WALK, gain, (-0.5 * scale, 0.5 * scale), 0.0)
            if not around.take_one(attempt, limb, nearby):
                return False
    return True


def get_down(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Walk to crawl: crouch on both feet, then put the hands down ahead."""
    scale = around.tables.scale
    if around.least_head_room(attempt, CRAWL_AHEAD_M) >= LOW_M * scale or not stand_on_both(around, attempt):
        return False
    _be_in(attempt, Mode.CRAWL)
    if not any(attempt.assume(posture) for posture in _bowed(attempt)):
        return False
    for hand in HANDS:
        gain = around.ahead(float(attempt.q[0]))
        holds = around.candidates(attempt, hand, Mode.CRAWL, gain, (0.0, 1.2 * scale), 0.6 * scale)
        if not around.take_one(attempt, hand, holds):
            return False
    attempt.settle()
    return True


def _bowed(attempt: Attempt) -> list[FloatArray]:
    """Return postures with the pelvis low, the torso nearly level and the arms hanging."""
    scale, facing = attempt.tables.scale, attempt.tables.facing
    feet = np.array([attempt.end(foot) for foot in FEET])
    x, z = feet.mean(axis=0)[0], feet[:, 1].min()
    arms = [0.3, 0.0]
    return [
        np.array(
            [x + facing * scale * ahead, z + scale * up, lean, -0.5, lean + arms[0], 0.3, lean + arms[1], 0.3]
            + list(attempt.q[8:])
        )
        for ahead, up, lean in BOWS
    ]


def crawl(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Crawl on: the limb that lags most comes forward."""
    tables, scale, facing = around.tables, around.tables.scale, around.tables.facing
    points = tables.points(attempt.q)
    middles = {0: points[1, 0], 1: points[1, 0], 2: points[0, 0] - 0.4 * scale * facing}
    middles[3] = middles[2]
    lag = {limb: facing * (middles[limb] - attempt.end(limb)[0]) for limb in range(4)}
    for limb in sorted(range(4), key=lambda limb: -lag[limb]):
        gain = around.ahead(attempt.end(limb)[0])
        room = around.ahead(middles[limb]) < (0.5 if limb < 2 else 0.3) * scale
        held = attempt.grasps[limb]
        if held != FREE and tables.grasps.surface[held] == WALL:  # a foot that is still below an edge comes up
            gain, room = float(around.hold_potential[held]) - around.hold_potential, True
        least = scale * (LEAST_CRAWL_M if eager else MINCING_CRAWL_M)
        holds = around.candidates(
            attempt, limb, Mode.CRAWL, gain, (least, scale * MOST_CRAWL_M), scale * REACH_OUT_M, room
        )
        if around.take_one(attempt, limb, holds):
            attempt.settle()
            return True
    return False


def stand_up(around: Surroundings, attempt: Attempt, eager: bool) -> bool:
    """Crawl to walk: feet under the body, balance with the hands still held, let go, straighten up."""
    scale = around.tables.scale
    if around.least_head_room(attempt, CRAWL_AHEAD_M) < STANDING_M * scale:
        return False
    for foot in FEET:
        gain = around.ahead(float(attempt.q[0]))
        holds = around.candidates(attempt, foot, Mode.CRAWL, gain, (-0.3 * scale, 0.3 * scale), 0.0)
        around.take_one(attempt, foot, holds)
    return release_hands(attempt)


def release_hands(attempt: Attempt) -> bool:
    """Balance over the feet with the hands still held, let them go, straighten up: to walking."""
    if any(attempt.grasps[foot] == FREE for foot in FEET):
        return False
    bearing = attempt.grasps.copy()
    bearing[list(HANDS)] = FREE
    low, high = attempt.tables.span(bearing, Mode.WALK)
    # The rear hand may hold the body back: it goes first, if need be.
    for hand in (None, min(HANDS, key=lambda hand: attempt.tables.facing * attempt.end(hand)[0])):
        if hand is not None and not (attempt.grasps[1 - hand] != FREE and attempt.let_go(hand)):
            return False
        attempt.settle(Mode.WALK, left_out=HANDS, steps=LONG_EASE_STEPS)
        if low <= attempt.centre[0] <= high:
            break
    else:
        return False
    held = [hand for hand in HANDS if attempt.grasps[hand] != FREE]
    for hand in held:
        if not attempt.let_go(hand, Mode.WALK if hand == held[-1] else None):
            return False
    attempt.settle(steps=LONG_EASE_STEPS)
    return True


def _be_in(attempt: Attempt, mode: Mode) -> None:
    attempt.mode = mode
    attempt.trail.add(attempt.q, mode, attempt.grasps, Source.MACHINE)
