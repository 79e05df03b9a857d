"""Judge an answer by plain geometry, sharing nothing with planners, tables or grids."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely

from gambol.characters import Character, Step
from gambol.trees import Query
from gambol.world import Pose

SLACK_M = 1e-6
JOIN_M = 1e-4  # metres or radians: a tree's poses are 32 bits wide


def fault(query: Query, character: Character, steps: Sequence[Step], radius_m: float) -> str:
    """Return what is wrong with a disc of a radius playing these steps, or nothing."""
    ends: Pose | None = None
    before: int | None = None
    places: list[np.ndarray] = []
    for step in steps:
        behavior = character.behaviors[step.behavior]
        if before is not None and not np.isfinite(character.transition_costs[before, step.behavior]):
            return f"{behavior.name} may not follow {character.behaviors[before].name}"
        x, y, heading = step.pose
        if ends is not None and not _meets(ends, step.pose):
            return f"{behavior.name} does not begin where the step before ended"
        cosine, sine = math.cos(heading), math.sin(heading)
        way = behavior.clips[step.clip].path
        places.append(
            np.column_stack((x + cosine * way[:, 0] - sine * way[:, 1], y + sine * way[:, 0] + cosine * way[:, 1]))
        )
        ends = (float(places[-1][-1, 0]), float(places[-1][-1, 1]), heading + float(way[-1, 2]))
        before = step.behavior
    if ends is None:
        return "no steps"
    gap = shapely.distance(shapely.MultiPoint(np.concatenate(places)), query.blocked)
    if gap < radius_m - SLACK_M:
        return f"the body enters an obstacle by {radius_m - gap:.3f} m"
    if math.hypot(ends[0] - query.goal.x, ends[1] - query.goal.y) > query.goal.tolerance_m + JOIN_M:
        return "it does not end at the goal"
    return ""


def _meets(ends: Pose, begins: Pose) -> bool:
    turned = math.remainder(begins[2] - ends[2], 2.0 * math.pi)
    return math.hypot(begins[0] - ends[0], begins[1] - ends[1]) <= JOIN_M and abs(turned) <= JOIN_M
