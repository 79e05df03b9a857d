"""Let a body sink and pitch, smoothly in time, until its limbs reach the ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gambol.animate.ground.carriage import Carriage, carried, trunk_of
from gambol.animate.ground.footings import Footing, end_places
from gambol.geometry.arrays import FloatArray
from gambol.geometry.smoothing import envelope, highest_near
from gambol.motion.figure import hoofed_legs
from gambol.motion.motion import Motion

STRAIGHT = 0.97  # share of a limb's length, 0..1: a limb stretches no farther, unless it did so before
RELAXED_AT = 0.2  # rise per metre, > 0: on ground as steep as this no limb stretches farther, even if it did before
AROUND_STANCE_S = 0.05  # s, >= 0: limbs must also reach this long before and after a stance
SINK_S = 0.2  # s, > 0: the body sinks this long before a limb needs it; larger is smoother
HOOFED_SINK_S = 0.1  # s, > 0: the same for a horse: a gallop leaves less time
DEEPEST = 0.5  # share of a limb's length, 0..1: the most that the body sinks for it
SINK_FOR_FORE = 0.5  # share of what a horse's fore legs miss, 0..1: the body sinks by it; its pitch does the rest
PITCHING_ROUNDS = 6  # rounds, >= 1: the most for the trunk's pitch; more brings limbs closer
WITHIN_M = 2e-4  # m, > 0: pitching ends when no limb misses by more
SHORTEST_TRUNK_M = 0.2  # m, > 0, seen from above: the trunk counts as at least this long; larger pitches less


def give_way(
    motion: Motion, borne: Carriage, legs: Sequence[Footing], hands: Callable[[Motion], Sequence[Footing]]
) -> Carriage:
    """Return a carriage from which legs and hands reach the ground they stand on.

    The root sinks until legs reach.  Then the trunk pitches until hands and fore legs reach.

    hands: returns where hands go for a motion whose body is adapted to the ground.
    """
    fore = [leg for leg in legs if leg.sole.limb in hoofed_legs(motion.skeleton)[2:]]
    hind = [leg for leg in legs if leg.sole.limb not in hoofed_legs(motion.skeleton)[2:]]
    frames = max(1, round((HOOFED_SINK_S if fore else SINK_S) * motion.rate_hz))
    result = carried(motion, borne)
    missing = np.maximum(_missing(motion, result, hind), SINK_FOR_FORE * _missing(motion, result, fore))
    borne = borne._replace(rise=borne.rise - envelope(missing, frames))
    reach = np.maximum(np.sum(trunk_of(motion)[:, :2] * borne.ahead, axis=1), SHORTEST_TRUNK_M)
    for _ in range(PITCHING_ROUNDS):
        result = carried(motion, borne)
        missing = _missing(motion, result, [*fore, *hands(result)])
        if not np.any(missing > WITHIN_M):
            break
        pitch = envelope(missing, frames) / reach
        borne = borne._replace(lean=borne.lean - pitch[:, None] * borne.ahead)
    return borne


def _missing(motion: Motion, result: Motion, footings: Sequence[Footing]) -> FloatArray:
    """Return how much lower limbs must begin (F,), metres, to reach the ground they stand on."""
    need = np.zeros(motion.frame_count)
    hoofed = hoofed_legs(motion.skeleton)
    for footing in footings:
        limb = footing.sole.limb
        tops, middles, ends = (result.world_positions[:, joint] for joint in (limb.root, limb.middle, limb.end))
        length = np.linalg.norm(middles - tops, axis=1) + np.linalg.norm(ends - middles, axis=1)
        beyond = np.maximum(np.linalg.norm(ends - tops, axis=1) - STRAIGHT * length, 0.0)
        held = footing.held
        if limb not in hoofed:  # a horse's legs have a third bone that bends
            beyond *= 1.0 - np.minimum(footing.steepness / RELAXED_AT, 1.0)
            held = highest_near(held, round(AROUND_STANCE_S * motion.rate_hz))
        ways = end_places(motion, footing) - tops
        level = np.linalg.norm(ways[:, :2], axis=1)
        upright = np.sqrt(np.maximum((STRAIGHT * length + beyond) ** 2 - level**2, 0.0))
        missing = np.minimum(-ways[:, 2] - upright, DEEPEST * length)
        need = np.maximum(need, np.where(held, missing, 0.0))
    return np.where(need > 1e-9, need, 0.0)
