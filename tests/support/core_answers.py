"""Digests of what the core answers to fixed questions, one for each kind: `python -m tests.support.core_answers`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable

import numpy as np
from evidence.soak.planning_problems import KINDS, random_figure, random_problem
from evidence.soak.tree_look_ups import SMALL_TREES
from tests.support.random_worlds import random_place, random_world

from gambol.core import lib
from gambol.search import Anytime, AStar, Plan
from gambol.trees import LookUp, TreePlanner
from gambol.world.standing import world_struct


def world_answers() -> Iterable[object]:
    """Ask worlds about points and cylinders."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        known = random_world(rng, 12, annotated=0.3, hilly=seed % 2 == 1)
        world = world_struct(known.world)
        for _ in range(300):
            x, y = random_place(rng)
            radius, low = rng.uniform(0.0, 2.0), rng.uniform(-0.2, 2.0)
            yield lib.gb_world_clearance(world.c, x, y)
            yield lib.gb_world_blocking_obstacle(world.c, x, y, radius, low, low + 0.5, -1)
            yield lib.gb_world_ground_height(world.c, x, y)
            yield lib.gb_world_distance_to_obstacle(world.c, int(rng.integers(12)), x, y)


def of_plan(plan: Plan) -> tuple[object, ...]:
    statistics = plan.statistics
    took = statistics.expansions, statistics.nodes, statistics.collision_samples
    return str(plan.outcome), plan.cost, plan.bound, plan.steps, took


def search_answers() -> Iterable[object]:
    """Solve small problems of all kinds by several variants."""
    for kind in KINDS:
        for seed in range(4):
            for planner in (AStar(), AStar(weight=1.6), AStar(weight=2.0, keep=15), AStar(exact=True), Anytime()):
                yield of_plan(planner.solve(random_problem(seed, kind=kind)))


def look_up_answers() -> Iterable[object]:
    """Look small trees up in small worlds."""
    for seed in range(8):
        rng, problem = np.random.default_rng(seed), random_problem(seed, kind="plain")
        begins = "rest" if any(one.name == "start" for one in problem.character.behaviors) else "go"
        tree = SMALL_TREES["diverse"](problem.character, begins, seed)
        _, _, width, depth = problem.world.bounds
        starts = np.column_stack((rng.uniform(0.2, [width - 0.2, depth - 0.2], (100, 2)), rng.uniform(-3.0, 3.0, 100)))
        goals = rng.uniform(0.2, [width - 0.2, depth - 0.2], (100, 2))
        found = LookUp(tree, problem.character, problem.world).many(starts, goals, tolerance_m=0.3)
        yield found.nodes.tolist(), found.costs.tolist(), found.outcomes.tolist(), tuple(found.counts)


def trip_answers() -> Iterable[object]:
    """Plan by look-up, with trees of a small figure."""
    figure = random_figure(np.random.default_rng(5))
    labels = dict.fromkeys(one.begins for one in figure.behaviors)
    trees = [SMALL_TREES["diverse"](figure, label, 7) for label in labels]
    for seed in range(12):
        problem = random_problem(seed, kind="plain")
        asked = type(problem)(problem.world, figure, problem.start, problem.goal)
        yield of_plan(TreePlanner(trees=trees).solve(asked))


ANSWERS: dict[str, Callable[[], Iterable[object]]] = {
    "worlds": world_answers, "searches": search_answers, "look-ups": look_up_answers, "trips": trip_answers
}  # fmt: skip


def digests() -> dict[str, str]:
    """Return a hash of all answers of each kind."""
    return {
        name: hashlib.sha256("\n".join(map(repr, answers())).encode()).hexdigest()[:16]
        for name, answers in ANSWERS.items()
    }


if __name__ == "__main__":
    print(json.dumps(digests()))
