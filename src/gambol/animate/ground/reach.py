"""Let a body give way so that its limbs reach the ground, smoothly in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from gambol.animate.ground.carriage import Carriage, carried, trunk_of
from gambol.animate.ground.footings import Footing, end_places
from gambol.geometry.arrays import FloatArray
from gambol.motion.figure import hoofed_legs
from gambol.motion.motion import Motion

STRAIGHT = 0.97  # of a limb's length: farther none stretches for the ground, unless it did before;
RELAXED_AT = 0.2  # and the steeper the ground the less so, up to this rise per metre, where it does not
AROUND_STANCE_S = 0.05  # how long before and after a stance that holds too
SINK_S, HOOFED_SINK_S = 0.2, 0.1  # how long before and after a limb needs it the body gives way; a gallop is hasty
DEEPEST = 0.5  # of the limb's length that it gives way at most
SINK_FOR_FORE = 0.5  # of what a horse's fore legs miss, that the whole body sinks; its pitch does the rest
PITCHING_ROUNDS, WITHIN_M = 6, 2e-4  # at most so many, until no limb misses more than this
SHORTEST_TRUNK_M = 0.2  # seen from above, for its pitch to bring hands to the ground


def give_way(
    motion: Motion, borne: Carriage, legs: Sequence[Footing], hands: Callable[[Motion], Sequence[Footing]]
) -> Carriage:
    """Return a carriage from which legs and hands reach what they stand on.

    The root sinks until legs reach; what hands and fore legs still miss is made up for by the trunk's pitch.

    hands: returns where hands go, given the motion as the body is carried.
    """
    fore = [leg for leg in legs if leg.sole.limb in hoofed_legs(motion.skeleton)[2:]]
    hind = [leg for leg in legs if leg.sole.limb not in hoofed_legs(motion.skeleton)[2:]]
    frames = max(1, round((HOOFED_SINK_S if fore else SINK_S) * motion.rate_hz))
    result = carried(motion, borne)
    missing = np.maximum(_missing(motion, result, hind), SINK_FOR_FORE * _missing(motion, result, fore))
    borne = borne._replace(rise=borne.rise - _envelope(missing, frames))
    reach = np.maximum(np.sum(trunk_of(motion)[:, :2] * borne.ahead, axis=1), SHORTEST_TRUNK_M)
    for _ in range(PITCHING_ROUNDS):
        result = carried(motion, borne)
        missing = _missing(motion, result, [*fore, *hands(result)])
        if not np.any(missing > WITHIN_M):
            break
        pitch = _envelope(missing, frames) / reach
        borne = borne._replace(lean=borne.lean - pitch[:, None] * borne.ahead)
    return borne


def _missing(motion: Motion, result: Motion, footings: Sequence[Footing]) -> FloatArray:
    """Return how much lower limbs must begin (F,) to reach what they stand on."""
    need = np.zeros(motion.frame_count)
    hoofed = hoofed_legs(motion.skeleton)
    for footing in footings:
        limb = footing.sole.limb
        tops, middles, ends = (result.world_positions[:, joint] for joint in (limb.root, limb.middle, limb.end))
        length = np.linalg.norm(middles - tops, axis=1) + np.linalg.norm(ends - middles, axis=1)
        beyond = np.maximum(np.linalg.norm(ends - tops, axis=1) - STRAIGHT * length, 0.0)
        held = footing.held
        if limb not in hoofed:  # a horse's legs have a third bone to give
            beyond *= 1.0 - np.minimum(footing.steepness / RELAXED_AT, 1.0)
            held = maximum_filter1d(held, 2 * round(AROUND_STANCE_S * motion.rate_hz) + 1, mode="constant")
        ways = end_places(motion, footing) - tops
        level = np.linalg.norm(ways[:, :2], axis=1)
        upright = np.sqrt(np.maximum((STRAIGHT * length + beyond) ** 2 - level**2, 0.0))
        missing = np.minimum(-ways[:, 2] - upright, DEEPEST * length)
        need = np.maximum(need, np.where(held, missing, 0.0))
    return np.where(need > 1e-9, need, 0.0)


def _envelope(need: FloatArray, reach: int) -> FloatArray:
    """Return a smooth curve (F,) that is nowhere below, and rises so many frames before it must."""
    # The smoothing looks no farther than the maximum before it, so that nothing is rounded off.
    highest = maximum_filter1d(need, 2 * reach + 1, mode="nearest")
    return gaussian_filter1d(highest, reach / 3.0, radius=reach, mode="nearest")
