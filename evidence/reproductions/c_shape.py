"""The C-shape: a deep local minimum between start and goal [L09 4.7.3]."""

from __future__ import annotations

import shapely

from gambol.search import Goal
from gambol.trees import Query
from gambol.trees.queries import TOLERANCE_M
from gambol.world import Footprint, Obstacle, World

WIDE_M, DEEP_M, THICK_M = 12.0, 6.0, 0.5
NEAR_M = 4.0  # from the open side to who looks into it, start or goal
GOAL_M = 16.0


def c_shape(bounds: tuple[float, float, float, float], *, opens_to_start: bool) -> Query:
    """Return a query whose straight way is shut by a C, open towards the start or towards the goal.

    A forward search begins at the start, a backward search at the goal: open to where a search begins, the C
    draws it in.  Both ways around are equally long, and the same for both.
    """
    middle = NEAR_M + 0.5 * DEEP_M if opens_to_start else GOAL_M - NEAR_M - 0.5 * DEEP_M
    back = middle + 0.5 * DEEP_M if opens_to_start else middle - 0.5 * DEEP_M
    obstacles = (
        Obstacle("back", Footprint.box(THICK_M, WIDE_M), (back, 0.0, 0.0)),
        Obstacle("left arm", Footprint.box(DEEP_M, THICK_M), (middle, 0.5 * WIDE_M, 0.0)),
        Obstacle("right arm", Footprint.box(DEEP_M, THICK_M), (middle, -0.5 * WIDE_M, 0.0)),
    )
    blocked = shapely.union_all([one.footprint.region(one.pose) for one in obstacles])
    return Query(0, World(bounds, obstacles), Goal(GOAL_M, 0.0, TOLERANCE_M), blocked)
