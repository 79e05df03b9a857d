"""A goal or an obstacle dragged to and fro, and the whole way planned again at each place [LK06 5]."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.animate import Blends, play
from gambol.search import Plan, Planner, Problem, path_of
from gambol.search.edited import know_edited
from gambol.world import Obstacle

FAR_M, STEP_M = 1.5, 0.1  # to either side, and from one place to the next
TALL_M = 1.5  # obstacles that nobody gets over
MIDDLE = (0.2, 0.8)  # of a way: where the obstacle that is dragged lies beside it
Change = Callable[[Problem, float], Problem]  # a problem with something moved aside by so many metres


@dataclass(frozen=True, eq=False)
class Dragged:
    """What N places that something was dragged to took, in seconds of the processor, of which planning uses one."""

    whole_s: NDArray[np.float64]  # (N,) from the change to the plan, the changed world included
    world_s: NDArray[np.float64]  # (N,) of that, what is worked out about a changed world
    poses_s: NDArray[np.float64]  # (N,) of making every pose of the motion, which comes on top
    frames: NDArray[np.int64]  # (N,) of motion
    found: NDArray[np.bool_]  # (N,)
    fell_back: NDArray[np.bool_]  # (N,) a search had to go on where trees had no answer
    ways: int  # different sequences of behaviors

    @property
    def rate_hz(self) -> float:
        """Plans a second, by the median."""
        return 1.0 / float(np.median(self.whole_s))


def drag(problem: Problem, planner: Planner, change: Change, *, places: int, step_m: float = STEP_M) -> Dragged:
    """Drag something to some places, and plan at each as the viewer does: from the start on, nothing kept."""
    blends = Blends.of(problem.character)
    planner.solve(change(problem, step_m))  # what was never run is compiled
    taken, before = [], problem
    ways: set[tuple[str, ...]] = set()
    for _, aside_m in zip(range(places), asides(step_m), strict=False):
        begun = time.process_time()
        moved = change(problem, aside_m)
        if moved.world is not problem.world:
            know_edited(before.world, moved.world, moved.character)
        known = time.process_time()
        plan = planner.solve(moved)
        planned = time.process_time()
        if plan.steps:
            play(plan.character, plan.steps, blends=blends)
        posed = time.process_time()
        taken.append((planned - begun, known - begun, posed - planned, plan))
        ways.add(plan.behaviors)
        before = moved
    plans: list[Plan] = [plan for *_, plan in taken]
    return Dragged(
        *(np.array([one[number] for one in taken]) for number in range(3)),
        frames=np.array([plan.frame_count for plan in plans]),
        found=np.array([plan.found for plan in plans]),
        fell_back=np.array([plan.statistics.fell_back for plan in plans]),
        ways=len(ways),
    )


def asides(step_m: float = STEP_M) -> Iterator[float]:
    """Yield distances from where something was, to and fro between `FAR_M` on either side; never twice the same."""
    each = round(FAR_M / step_m)
    number = 0
    while True:
        number += 1
        yield step_m * (each - abs((number + each) % (4 * each) - 2 * each))


def goal_moved(problem: Problem, aside_m: float) -> Problem:
    """Return a problem with its goal moved aside."""
    return replace(problem, goal=replace(problem.goal, x=problem.goal.x + aside_m, y=problem.goal.y + 0.5 * aside_m))


def obstacle_moved(name: str) -> Change:
    """Return how to move the obstacle of a name aside."""

    def change(problem: Problem, aside_m: float) -> Problem:
        obstacles = tuple(_moved(one, aside_m) if one.name == name else one for one in problem.world.obstacles)
        return replace(problem, world=replace(problem.world, obstacles=obstacles))

    return change


def _moved(obstacle: Obstacle, aside_m: float) -> Obstacle:
    x, y, heading = obstacle.pose
    return replace(obstacle, pose=(x + aside_m, y + 0.5 * aside_m, heading))


def beside_the_way(problem: Problem, plan: Plan) -> Obstacle:
    """Return the tall obstacle that lies nearest to the middle part of a way."""
    path = path_of(plan)[:, :2]
    first, last = (math.floor(share * len(path)) for share in MIDDLE)
    way = shapely.LineString(path[first:last])
    tall = [one for one in problem.world.obstacles if one.bottom_m <= 0.0 and one.top_m >= TALL_M]
    return min(tall, key=lambda one: float(shapely.distance(way, one.footprint.region(one.pose))))
