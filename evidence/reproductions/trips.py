"""Random trips through a world, and what LK06's tables say of planning them."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely

from evidence.reproductions.core_clock import core_clock
from evidence.reproductions.item import Say
from evidence.reproductions.subjects import HUB
from gambol.characters import Character
from gambol.search import AStar, Goal, Plan, Planner, Problem
from gambol.world import World

CLEAR_M = 1.0  # between an obstacle and a start or goal
FARTHEST_TRY = 100_000
WARMING = 5  # other trips that each planner plans before the clock runs
MOST_ASIDE_RAD = math.radians(45.0)  # of a start: how far it faces away from the goal
DIRECT_M, CORRIDOR_M = 6.0, 0.8  # of a trivial trip: how far straight ahead, and how much room on either side


@dataclass(frozen=True)
class Trips:
    """Starts and goals at random in a world, those that can be planned at all.

    They begin in mid-jog, where a tree's root stands for whatever was played before, roughly facing the goal as
    the papers' trees of forward motions do, and end at rest.
    """

    world: World
    count: int
    seed: int
    budget: int  # expansions of a search
    least_m: float = 10.0  # from start to goal
    least_s: float = 0.0  # of a motion that weighted A* finds

    def problems(self, character: Character, *, trivial: bool = False) -> Iterator[Problem]:
        """Return problems in random places; trivial: with the goal straight ahead and nothing between."""
        solid = shapely.union_all([one.footprint.region(one.pose) for one in self.world.obstacles])
        found = 0
        for number in range(FARTHEST_TRY):
            problem = self._draw(solid, character, number, trivial)
            plan = None if problem is None else AStar(weight=1.5).solve(problem)
            if problem is None or plan is None or not plan.found or plan.duration_s < self.least_s:
                continue
            yield problem
            found += 1
            if found == self.count:
                return

    def _draw(self, solid: shapely.Geometry, character: Character, number: int, trivial: bool) -> Problem | None:
        world = self.world
        rng = np.random.default_rng((self.seed, number, int(trivial)))
        least_x, least_y, greatest_x, greatest_y = world.bounds
        corners = (least_x + CLEAR_M, least_y + CLEAR_M), (greatest_x - CLEAR_M, greatest_y - CLEAR_M)
        x, y = (float(value) for value in rng.uniform(*corners))
        goal_x, goal_y = (float(value) for value in rng.uniform(*corners))
        heading = math.atan2(goal_y - y, goal_x - x) + float(rng.uniform(-MOST_ASIDE_RAD, MOST_ASIDE_RAD))
        if not trivial and math.hypot(goal_x - x, goal_y - y) < self.least_m:
            return None
        if trivial:
            goal_x, goal_y = x + DIRECT_M * math.cos(heading), y + DIRECT_M * math.sin(heading)
            inside = shapely.box(*world.bounds).buffer(-CLEAR_M)
            way = shapely.LineString([(x, y), (goal_x, goal_y)])
            if shapely.distance(way, solid) < CORRIDOR_M or not shapely.contains(inside, way):
                return None
        if shapely.distance(shapely.MultiPoint([(x, y), (goal_x, goal_y)]), solid) < CLEAR_M:
            return None
        return Problem(world, character, (x, y, heading), Goal(goal_x, goal_y), begins=HUB, max_expansions=self.budget)


class Taken(NamedTuple):
    """A plan, and the processor time that it took."""

    plan: Plan
    solve_s: float  # of `solve()` from Python, all that it prepares for the problem included
    core_s: float  # of that in the core: of the one call for a whole trip, or of the search


class Measures(NamedTuple):
    """Means over the trips compared: what a column of LK06's tables says, and more."""

    runtime_us: float  # `solve()` from Python
    output_us: float
    speed_up: float
    us_per_frame: float
    path_cost: float
    success: float  # percent of all trips
    median_us: float  # runtime
    core_us: float
    core_median_us: float
    search_mb: float  # that the search took, trees apart
    look_ups: float
    states: float  # expanded
    samples: float  # instants of clips looked up in the world
    expansions_per_s: float  # of a search


def take_all(problems: Sequence[Problem], planners: dict[str, Planner], say: Say) -> dict[str, list[Taken]]:
    """Return every planner's plans and times; each asks for another goal first, so that the world is known to it."""
    taken: dict[str, list[Taken]] = {label: [] for label in planners}
    with core_clock() as clock:
        for number, problem in enumerate(problems):
            for index, (label, planner) in enumerate(planners.items()):
                say(f"planning: {label}", (number + index / len(planners)) / len(problems))
                if number == 0:
                    for other in problems[1 : 1 + WARMING] or problems:
                        planner.solve(other)
                clock.seconds, begun = 0.0, time.process_time()
                plan = planner.solve(problem)
                solve_s = time.process_time() - begun
                core_s = clock.seconds if clock.seconds > 0.0 else min(solve_s, plan.statistics.time_s)
                taken[label].append(Taken(plan, solve_s, core_s))
    return taken


def plan_all(problems: Sequence[Problem], planners: dict[str, Planner], say: Say) -> dict[str, list[Plan]]:
    """Return every planner's plans."""
    return {label: [one.plan for one in taken] for label, taken in take_all(problems, planners, say).items()}


def measures_of(taken: Sequence[Taken], chosen: Sequence[int]) -> Measures:
    """Return the means over some of the trips."""
    kept = [taken[number] for number in chosen]
    success = 100.0 * float(np.mean([one.plan.found for one in taken]))
    if not kept:
        return Measures(**dict.fromkeys(Measures._fields, math.nan))._replace(success=success)
    times, core = np.array([one.solve_s for one in kept]), np.array([one.core_s for one in kept])
    runtime, output = float(times.mean()), float(np.mean([one.plan.duration_s for one in kept]))
    spent = [one.plan.statistics for one in kept]
    return Measures(
        runtime_us=1e6 * runtime,
        output_us=1e6 * output,
        speed_up=output / runtime,
        us_per_frame=1e6 * runtime / float(np.mean([one.plan.frame_count for one in kept])),
        path_cost=float(np.mean([one.plan.cost for one in kept])),
        success=success,
        median_us=1e6 * float(np.median(times)),
        core_us=1e6 * float(core.mean()),
        core_median_us=1e6 * float(np.median(core)),
        search_mb=float(np.mean([one.bytes_used for one in spent])) / 1e6,
        look_ups=float(np.mean([one.look_ups for one in spent])),
        states=float(np.mean([one.expansions for one in spent])),
        samples=float(np.mean([one.collision_samples for one in spent])),
        expansions_per_s=float(np.mean([one.expansions for one in spent])) / float(core.mean()),
    )
