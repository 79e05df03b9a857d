"""The best way by going through all of them, in plain Python and shapely: what a search is held against.

Nothing is shared with planners, their tables or their grids.  The body is one upright disc, as in the papers;
every instant of every clip must be clear of obstacles and inside the bounds.
"""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import dataclass

import numpy as np
import shapely

from gambol.characters import Character
from gambol.search import Problem
from gambol.world import Pose

SAME = 1e-6  # metres and radians: states nearer than this are one


@dataclass(frozen=True)
class Answer:
    """What was found."""

    cost: float | None  # None: there is no way, or it was given up
    is_certain: bool  # False: given up
    states: int  # that were looked at


def cheapest_way(problem: Problem, radius_m: float, *, most_states: int) -> Answer:
    """Look at states in the order of their cost until one is at the goal, none is left, or there are too many."""
    character = problem.character
    solid = shapely.union_all([one.footprint.region(one.pose) for one in problem.world.obstacles])
    shapely.prepare(solid)
    x0, y0, x1, y1 = problem.world.bounds
    room = (x0 + radius_m, y0 + radius_m, x1 - radius_m, y1 - radius_m)
    costs = [behavior.cost(character.cost_by) for behavior in character.behaviors]
    first = [number for number, one in enumerate(character.behaviors) if one.begins == problem.begins]
    numbers = itertools.count()
    waiting: list[tuple[float, int, Pose, int]] = [(0.0, next(numbers), problem.start, -1)]
    done: set[tuple[int, ...]] = set()
    while waiting:
        cost, _, pose, behavior = heapq.heappop(waiting)
        if (key := _key(pose, behavior)) in done:
            continue
        done.add(key)
        away = math.hypot(problem.goal.x - pose[0], problem.goal.y - pose[1])
        if behavior >= 0 and away <= problem.goal.tolerance_m:
            return Answer(cost, True, len(done))
        if len(done) >= most_states:
            return Answer(None, False, len(done))
        for following in first if behavior < 0 else _successors(character, behavior):
            places = character.behaviors[following].clips[0].place(np.array(pose))
            if _is_clear(places[:, :2], solid, room, radius_m):
                x, y, heading = (float(value) for value in places[-1])
                heapq.heappush(waiting, (cost + costs[following], next(numbers), (x, y, heading), following))
    return Answer(None, True, len(done))


def _key(pose: Pose, behavior: int) -> tuple[int, ...]:
    return round(pose[0] / SAME), round(pose[1] / SAME), round(pose[2] % math.tau / SAME), behavior


def _successors(character: Character, behavior: int) -> list[int]:
    return np.flatnonzero(np.isfinite(character.transition_costs[behavior])).tolist()


def _is_clear(
    places: np.ndarray, solid: shapely.Geometry, room: tuple[float, float, float, float], radius_m: float
) -> bool:
    inside = (places >= room[:2]).all() and (places <= room[2:]).all()
    if not inside:
        return False
    return bool(shapely.is_empty(solid)) or float(shapely.distance(shapely.MultiPoint(places), solid)) >= radius_m
