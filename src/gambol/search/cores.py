"""How near the root of a body surely cannot come to anything that stands in a world."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.world.standing import Standing

ROUNDING_M = 1e-5  # metres: more than single precision is off
MOST_KNOWN = 16  # kept for each character

_KNOWN: WeakKeyDictionary[Character, dict[tuple[float, float], NDArray[np.float32]]] = WeakKeyDictionary()


def sure_cores(character: Character, stands: Standing) -> NDArray[np.float32]:
    """Return the radii (S,) of `core_radii`, rounded down, worked out once for all worlds of the same heights."""
    known, heights = _KNOWN.setdefault(character, {}), filled_heights(stands)
    if heights not in known:
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[heights] = (core_radii(stands, action_table(character)) - ROUNDING_M).astype(np.float32)
    return known[heights]


def core_radii(stands: Standing, actions: ActionTable) -> NDArray[np.float64]:
    """Return how near the root of each instant (S,) surely cannot come to any obstacle of a world.

    That is the widest part around the root, of those at heights that all obstacles fill.
    """
    bottom, top = filled_heights(stands)
    at_height = (actions.part_low < top) & (bottom < actions.part_high) & (actions.part_low < actions.part_high)
    around = actions.part_radius - np.linalg.norm(actions.part_offset, axis=-1)
    return np.where(at_height & (bottom < top), around, 0.0).max(axis=1)


def filled_heights(stands: Standing) -> tuple[float, float]:
    """Return the heights between which all obstacles are."""
    return float(stands.pieces.bottom.max(initial=-np.inf)), float(stands.pieces.top.min(initial=np.inf))
