"""Modes of locomotion, and which limb may hold what in each [KP00 3.4, figure 8]."""

from __future__ import annotations

from enum import IntEnum

from gambol.world.environment import GraspKind

HAND, FOOT = 0, 1  # kinds of limbs


class Mode(IntEnum):
    """A way to move."""

    WALK = 0
    CLIMB = 1
    SWING = 2
    CRAWL = 3

    @property
    def label(self) -> str:
        return self.name.lower()


#: Which kinds of grasp points hands and feet may hold in each mode.  Hands press on what bears load when crawling.
ALLOWED: dict[Mode, tuple[frozenset[GraspKind], frozenset[GraspKind]]] = {
    Mode.WALK: (frozenset(), frozenset({"load-bearing", "hybrid"})),
    Mode.CLIMB: (frozenset({"pendent", "hybrid"}), frozenset({"load-bearing", "hybrid"})),
    Mode.SWING: (frozenset({"pendent", "hybrid"}), frozenset({"load-bearing", "hybrid"})),
    Mode.CRAWL: (frozenset({"load-bearing", "hybrid"}), frozenset({"load-bearing", "hybrid"})),
}
#: The least that is held at any time, as (hands, feet, hands and feet together).
LEAST_HELD: dict[Mode, tuple[int, int, int]] = {
    Mode.WALK: (0, 1, 1),
    Mode.CLIMB: (0, 0, 2),
    Mode.SWING: (1, 0, 1),
    Mode.CRAWL: (0, 1, 2),
}
