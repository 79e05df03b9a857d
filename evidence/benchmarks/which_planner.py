"""Planners side by side, on the same queries in the same run: time, cost, how many are found, memory, set-up.

Queries are those of the first three of the cast of every shipped scene of people who plan ahead, and starts and goals
at random in six of these scenes.  Times are processor times of one `solve`, all that it prepares included: to a new
goal in a known world; of the first query of each scene also as the first plan after the scene was loaded, when nothing
is known of world and character but the trees, and asked again.
What is found goes to `results/which_planner.json`, from which `which_planner_page` writes the tables of
docs/which_planner.md; `python -m evidence.benchmarks "which planner"` does all of it.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from evidence.benchmarks import which_planner_crowd
from evidence.benchmarks.timing import Row
from evidence.benchmarks.which_planner_page import RESULTS
from evidence.benchmarks.which_planner_page import main as write_page
from gambol.characters import Character
from gambol.core import Struct, lib
from gambol.planners import planner_named
from gambol.scenes import Scene, load_scene, shipped_scenes
from gambol.search import Anytime, AStar, Goal, Plan, Planner, Problem
from gambol.trees import BUILDERS, SearchTree, TreePlanner, trees_for
from gambol.world.standing import world_struct

OF_CAST = 3
RANDOM_SCENES = ("c20-static", "hurdles", "large", "maze", "office", "search")
RANDOM_EACH, SEED = 4, 11
ROOM_M, APART_M = 0.6, 5.0  # around random starts and goals, and between them
GROWN = "human"  # whose trees' growth is timed


class Query(NamedTuple):
    name: str
    problem: Problem


class First:
    """The first plan of a planner that finds better and better ones."""

    def __init__(self, planner: Anytime) -> None:
        self.planner = planner

    def solve(self, problem: Problem) -> Plan:
        return next(self.planner.improvements(problem))


#: By the names in the table; those of trees are made for each character.
PLANNERS: dict[str, Callable[[Character], Planner]] = {
    "A*": lambda _: AStar(),
    "weighted A*, 1.5": lambda _: AStar(weight=1.5),
    "weighted A*, 2": lambda _: AStar(weight=2.0),
    "truncated A*, 5,000 kept": lambda _: planner_named("truncated"),
    "anytime, first plan": lambda _: First(Anytime()),
    "anytime, 200,000 expansions more": lambda _: Anytime(improve=200_000),
    "improved (1.5, then 60,000 expansions)": lambda _: planner_named("improved"),
    "pruned trees": lambda character: TreePlanner(trees=grown("pruned", character)),
    "diverse trees": lambda character: TreePlanner(trees=grown("diverse", character)),
    "default trees (cheapest and diverse)": lambda _: TreePlanner(),
    "default trees, improved from 100 states": lambda _: planner_named("tree", fallback=False),
    "the same with the fallback": lambda _: planner_named("tree"),
}
BASE = "A*"


def run() -> list[Row]:
    load, begun = os.getloadavg()[0], time.perf_counter()
    found = {name: _measure(planner) for name, planner in PLANNERS.items()}
    results = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "minutes": (time.perf_counter() - begun) / 60.0,
        "queries": {"scenes": len(scene_names()), "of_cast": OF_CAST, "random_scenes": list(RANDOM_SCENES),
                    "random_each": RANDOM_EACH, "seed": SEED, "all": len(found[BASE])},
        "planners": {name: _summary(name, found) for name in PLANNERS},
        "growing": _growing(),
        **which_planner_crowd.measure(_costs(found)),
    }  # fmt: skip
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_page()
    return _rows(results)


def scene_names() -> list[str]:
    """Return the shipped scenes of people who plan ahead."""
    plans = [scene.name for scene in shipped_scenes() if scene.kind == "plan"]
    return [name for name in plans if load_scene(name).cast[0].character.name.startswith("human")]


def queries(scene: Scene) -> list[Query]:
    """Return what is asked in one scene."""
    asked = [Query(f"{scene.name}: {actor.name}", scene.problem(actor)) for actor in scene.cast[:OF_CAST]]
    return asked + (_random_queries(scene) if scene.name in RANDOM_SCENES else [])


def _random_queries(scene: Scene) -> list[Query]:
    """Return starts and goals with some room, a few metres apart; whether a way leads from one to the other is open."""
    rng, known = np.random.default_rng(SEED), world_struct(replace(scene.world))
    x0, y0, x1, y1 = scene.world.bounds
    first, asked = scene.problem(scene.cast[0]), []
    while len(asked) < RANDOM_EACH:
        x, y, goal_x, goal_y = (float(value) for value in rng.uniform((x0, y0, x0, y0), (x1, y1, x1, y1)))
        heading = float(rng.uniform(-np.pi, np.pi))
        apart = np.hypot(goal_x - x, goal_y - y)
        if apart >= APART_M and min(_room(known, x, y), _room(known, goal_x, goal_y)) >= ROOM_M:
            problem = replace(first, start=(x, y, heading), goal=Goal(goal_x, goal_y), waypoints=())
            asked.append(Query(f"{scene.name}: random {len(asked)}", problem))
    return asked


def _room(world: Struct, x: float, y: float) -> float:
    return float(lib.gb_world_clearance(world.c, x, y))


@cache
def _grown(builder: str, name: str, character: Character) -> tuple[SearchTree, ...]:
    """Return trees of one builder in place of the default ones: the same roots, behaviors and nodes in all."""
    default = [tree for tree in trees_for(character) if tree.builder == "diverse"]
    return tuple(
        BUILDERS[builder](character.only([one.name for one in tree.behaviors]), nodes=2 * len(tree), begins=tree.begins)
        for tree in default
    )


_BY_NAME: dict[str, Character] = {}


def grown(builder: str, character: Character) -> tuple[SearchTree, ...]:
    """Return the trees of one builder for a character, grown once for all of its name."""
    return _grown(builder, character.name, _BY_NAME.setdefault(character.name, character))


class Found(NamedTuple):
    """Of one query."""

    plan: Plan
    seconds: float  # to a new goal in a known world
    new_world_s: float | None  # as the first plan in a new world, for a new character; of one query a scene
    again_s: float | None  # asked once more; of one query a scene
    tree_bytes: int
    problem: Problem


def _measure(planner_for: Callable[[Character], Planner]) -> dict[str, Found]:
    """Ask everything, one scene after another."""
    found: dict[str, Found] = {}
    for name in scene_names():
        asked = queries(load_scene(name))
        first = asked[0].problem
        planner = planner_for(first.character)
        if isinstance(planner, TreePlanner):
            planner.prepare(first.character)
        if not found:
            planner.solve(replace(first, world=replace(first.world)))  # loads what is loaded once
        _, new_world_s = _timed(planner_for(first.character), replace(first, world=replace(first.world)))
        beside = Goal(*first.start[:2])
        planner_for(first.character).solve(replace(first, goal=beside, waypoints=()))  # now the world is known
        for number, query in enumerate(asked):
            planner = planner_for(query.problem.character)
            plan, seconds = _timed(planner, query.problem)
            again_s = _timed(planner, query.problem)[1] if number == 0 else None
            found[query.name] = Found(
                plan, seconds, new_world_s if number == 0 else None, again_s, _tree_bytes(planner, query.problem),
                query.problem,
            )  # fmt: skip
    return found


def _timed(planner: Planner, problem: Problem) -> tuple[Plan, float]:
    begun = time.process_time()
    plan = planner.solve(problem)
    return plan, time.process_time() - begun


def _tree_bytes(planner: Planner, problem: Problem) -> int:
    if not isinstance(planner, TreePlanner):
        return 0
    return sum(tree.bytes_used for tree in planner.trees or trees_for(problem.character))


def _costs(found: dict[str, dict[str, Found]]) -> list[tuple[str, Problem, float]]:
    """Return the problems that A* solves, with what its plans cost."""
    return [(name, one.problem, one.plan.cost) for name, one in found[BASE].items() if one.plan.found]


def _summary(name: str, found: dict[str, dict[str, Found]]) -> dict[str, Any]:
    own, base = found[name], found[BASE]
    both = [query for query in own if own[query].plan.found and base[query].plan.found]
    seconds = [one.seconds for one in own.values()]
    costs = [own[query].plan.cost / base[query].plan.cost for query in both]
    solvable = {query for one in found.values() for query, got in one.items() if got.plan.found}
    return {
        "found": sum(one.plan.found for one in own.values()),
        "of": len(solvable),
        "fell_back": sum(one.plan.statistics.fell_back for one in own.values()),
        "median_ms": 1e3 * statistics.median(seconds),
        "p95_ms": 1e3 * float(np.quantile(seconds, 0.95)),
        "times_faster": statistics.median(base[query].seconds / own[query].seconds for query in own),
        "cost_mean": statistics.mean(costs),
        "cost_worst": max(costs),
        "cost_worst_in": max(both, key=lambda query: own[query].plan.cost / base[query].plan.cost),
        "search_mb": max(one.plan.statistics.bytes_used for one in own.values()) / 1e6,
        "tree_mb": max(one.tree_bytes for one in own.values()) / 1e6,
        "new_world_ms": 1e3 * statistics.median(one.new_world_s for one in own.values() if one.new_world_s is not None),
        "again_ms": 1e3 * statistics.median(one.again_s for one in own.values() if one.again_s is not None),
        "first_ms": 1e3 * statistics.median(one.seconds for one in own.values() if one.again_s is not None),
        "not_found": sorted(query for query in solvable if not own[query].plan.found),
    }


def _growing() -> dict[str, float]:
    """Return how many seconds all trees of one character take to grow, by builder."""
    (character,) = (one for one in _BY_NAME.values() if one.name == GROWN)
    taken: dict[str, float] = {}
    for builder in ("pruned", "diverse", "cheapest"):
        begun = time.process_time()
        _grown.__wrapped__(builder, GROWN, character)
        taken[builder] = time.process_time() - begun
    return taken


def _rows(results: dict[str, Any]) -> list[Row]:
    base = results["planners"][BASE]
    return [
        Row(
            f"{name}: median time of a plan",
            f"{one['median_ms']:.1f} ms, {one['found']} of {one['of']} found",
            f"{base['median_ms']:.1f} ms, {base['found']} of {base['of']} found (A*)",
            f"{one['times_faster']:.2f}",
            f"new goals in known worlds; cost {one['cost_mean']:.2f} times A*'s on average, {one['cost_worst']:.2f} at "
            f"most; the first plan of a scene {one['new_world_ms']:.1f} ms; the same again {one['again_ms']:.1f} ms",
        )
        for name, one in results["planners"].items()
        if name != BASE
    ]


if __name__ == "__main__":
    for row in run():
        print(row.what, row.ours, row.other, row.ratio, row.note, sep=" | ")
