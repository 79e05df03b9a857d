"""Time plans and look-ups in worlds that are told, in processor time: the same script in any state of the sources."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from lines import serve
from names import (
    IS_OLD,
    Anytime,
    AStar,
    Character,
    Footprint,
    Goal,
    LookUp,
    Mover,
    Obstacle,
    Plan,
    Problem,
    Region,
    Search,
    SearchTree,
    SweptShape,
    Trajectory,
    TreePlanner,
    World,
    action_table,
    grow_diverse,
    load_character,
    load_scene,
    may_be_last,
    rest_label,
    set_up,
    trees_for,
)

#: Eight behaviors that may all follow each other.
EIGHT = (
    "jog", "jog-left-15", "jog-right-15", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog",
)  # fmt: skip
HUB = "jog-left"  # how each of them begins
DISC_M, DISC_HIGH_M = 0.3, 1.8
REACH_M = 16.0
WORLDS: dict[str, World] = {}


def world_of(told: dict[str, Any]) -> World:
    """Make a world of boxes (length, width, x, y, heading, bottom, top) and of boxes that go to and fro."""
    boxes = [
        Obstacle(f"box {n}", Footprint.box(length, width), (x, y, heading), bottom, top)
        for n, (length, width, x, y, heading, bottom, top) in enumerate(told["boxes"])
    ]
    movers = [
        Mover(f"mover {n}", Footprint.box(0.6, 0.4), Trajectory(
            np.array([0.0, seconds]), np.array([[x, y, 0.0], [to_x, to_y, 0.0]]), np.tile((0.0, 1.5), (2, 1)), "bounce"
        ))
        for n, (x, y, to_x, to_y, seconds) in enumerate(told.get("movers", ()))
    ]  # fmt: skip
    return World(tuple(told["bounds"]), tuple(boxes), tuple(movers))


def put_world(name: str, told: dict[str, Any]) -> None:
    """Keep a world under a name; nothing is laid out yet."""
    WORLDS.clear()
    WORLDS[name] = world_of(told)


@cache
def character(name: str) -> Character:
    """Return the human; as one of eight behaviors, with its own body or with a disc instead of it."""
    human = load_character("human")
    if name == "human":
        return human
    eight = human.only(EIGHT)
    if name == "eight":
        return eight
    behaviors = tuple(replace(one, clips=tuple(map(_with_disc, one.clips))) for one in eight.behaviors)
    return replace(eight, behaviors=behaviors)


def _with_disc(clip: Any) -> Any:
    instants, parts = clip.duration + 1, clip.shape.radius.shape[1]
    radius, high = np.zeros((instants, parts)), np.zeros((instants, parts))
    radius[:, 0], high[:, 0] = DISC_M, DISC_HIGH_M
    return replace(clip, shape=SweptShape(np.zeros((instants, parts, 2)), radius, np.zeros_like(high), high))


def planner_of(told: dict[str, Any]) -> Any:
    """Return a planner: {"kind": "A*", ...} with the class's own settings; a fallback is the weight of an A*."""
    settings = {name: value for name, value in told.items() if name != "kind"}
    if "fallback" in settings:
        settings["fallback"] = AStar(weight=settings["fallback"])
    return {"A*": AStar, "anytime": Anytime, "trees": TreePlanner}[told["kind"]](**settings)


class Watched:
    """The core's library, which counts the processor time of whole trips."""

    def __init__(self, library: Any) -> None:
        self._library, self.seconds = library, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name)

    def gb_trip_solve(self, trip: Any) -> int:
        begun = time.process_time()
        outcome = self._library.gb_trip_solve(trip)
        self.seconds += time.process_time() - begun
        return outcome


def watched_library() -> Watched | None:
    """Return the library as trips call it; None where there is no core that does whole trips."""
    if IS_OLD or find_spec("gambol.trees.trip_workspace") is None:
        return None
    workspace = import_module("gambol.trees.trip_workspace")
    if not isinstance(workspace.lib, Watched):
        workspace.lib = Watched(workspace.lib)
    return workspace.lib


def problem_of(world: World, query: dict[str, Any], **changes: Any) -> Problem:
    return Problem(world, character("human"), tuple(query["start"]), Goal(*query["goal"]), **changes)


def timed(function: Callable[[], Plan]) -> dict[str, Any]:
    """Return a plan's figures and the processor time that it took."""
    core = watched_library()
    if core is not None:
        core.seconds = 0.0
    begun = time.process_time()
    plan = function()
    seconds = time.process_time() - begun
    statistics = plan.statistics
    return {
        "ms": 1e3 * seconds,
        "core_ms": 0.0 if core is None else 1e3 * core.seconds,
        "search_ms": 1e3 * statistics.time_s,
        "set_up_ms": 1e3 * statistics.setup_time_s,
        "found": bool(plan.found),
        "cost": float(plan.cost) if plan.found else None,
        "expansions": int(statistics.expansions),
        "look_ups": int(getattr(statistics, "look_ups", 0)),
        "fell_back": bool(getattr(statistics, "fell_back", False)),
    }


def solve(
    world: str, queries: list[dict[str, Any]], planner: dict[str, Any], repeats: int = 1, expansions: int = 1_000_000
) -> list[dict[str, Any]]:
    """Solve queries one after another, each as often as asked; the last time counts."""
    chosen, found = planner_of(planner), []
    for query in queries:
        problem = problem_of(WORLDS[world], query, max_expansions=expansions)
        found.append([timed(lambda p=problem: chosen.solve(p)) for _ in range(repeats)][-1])
    return found


def solve_many(
    world: str, queries: list[dict[str, Any]], threads: int, planner: dict[str, Any]
) -> dict[str, Any] | None:
    """Solve queries at once, on the clock; None where that cannot be asked."""
    chosen = planner_of(planner)
    if not hasattr(chosen, "solve_many"):
        return None
    problems = [problem_of(WORLDS[world], query) for query in queries]
    chosen.solve_many(problems[:4], threads=threads)
    begun, spent = time.perf_counter(), time.process_time()
    plans = chosen.solve_many(problems, threads=threads)
    took, spent = time.perf_counter() - begun, time.process_time() - spent
    return {"trips": len(plans), "s": took, "processor_s": spent, "found": sum(bool(plan.found) for plan in plans)}


def first_plan(told: dict[str, Any], query: dict[str, Any], planner: dict[str, Any]) -> dict[str, Any]:
    """Solve one query in a world whose objects are made and of which nothing else is known."""
    world, chosen = world_of(told), planner_of(planner)
    problem = problem_of(world, query)
    return timed(lambda: chosen.solve(problem))


def expand(world: str, query: dict[str, Any], most: int, repeats: int = 3) -> dict[str, Any]:
    """Time the search alone, set up beforehand."""
    setting = set_up(problem_of(WORLDS[world], query))
    seconds, search = [], Search(setting)
    for _ in range(repeats):
        search = Search(setting)
        begun = time.process_time()
        search.run(most)
        seconds.append(time.process_time() - begun)
    statistics = search.statistics()
    return {
        "ms": 1e3 * float(np.median(seconds)), "expansions": statistics.expansions, "generated": statistics.generated,
        "samples": statistics.collision_samples, "cost": search.goal_cost() if search.status == 1 else None,
    }  # fmt: skip


@cache
def tree(nodes: int) -> SearchTree:
    """Return a diverse tree of the eight behaviors, grown with the disc."""
    return grow_diverse(character("disc"), nodes=nodes, region=Region.half_disc(REACH_M), begins=HUB)


def look_up(
    world: str, body: str, nodes: int, starts: list[list[float]], goals: list[list[float]], ones: int = 0
) -> dict[str, Any]:
    """Time distinct look-ups in one pass, the same again, and some of them one by one, from Python.

    The world is as new as when it was told, so that the first time is of a new world.
    """
    given, aims, singles = np.array(starts), np.array(goals), slice(0, ones)
    grown, one = tree(nodes), character(body)
    begun = time.process_time()
    asked = LookUp(grown, one, WORLDS[world])
    asked.one(tuple(given[0]), Goal(*aims[0]))
    new_world_ms = 1e3 * (time.process_time() - begun)
    few = slice(0, min(200, len(given)))
    asked.many(given[few] + (0.01, 0.01, 0.0), aims[few])
    us, answers = _microseconds(lambda: asked.many(given, aims), len(given))
    again_us, _ = _microseconds(lambda: asked.many(given, aims), len(given))
    pairs = [(tuple(start), Goal(*goal)) for start, goal in zip(starts[singles], goals[singles], strict=True)]
    one_us, _ = _microseconds(lambda: [asked.one(start, goal) for start, goal in pairs], max(1, ones))
    same_us, _ = _microseconds(lambda: asked.many(given[singles], aims[singles]), max(1, ones))
    return {
        "us": us, "again_us": again_us, "one_us": one_us, "same_us": same_us, "new_world_ms": new_world_ms,
        "found": int(answers.found.sum()), "visited": answers.counts.visited / len(given),
    }  # fmt: skip


def _microseconds(function: Callable[[], Any], count: int) -> tuple[float, Any]:
    """Return the processor time of one of `count` things done by a function, and what it returns."""
    begun = time.process_time()
    found = function()
    return 1e6 * (time.process_time() - begun) / count, found


def answered(
    world: str, kind: str, nodes: int, starts: list[list[float]], goals: list[list[float]], weight: float
) -> dict[str, Any]:
    """Tell which questions a single look-up answers, and which of them weighted A* solves.

    kind: "eight" or "disc": a diverse tree of the eight behaviors, in mid-jog; "human": the default trees at rest,
        where a question is answered if one of them answers it.
    """
    if kind == "human":
        one, begins = character("human"), None
        grown = [each for each in trees_for(one) if each.begins == rest_label(one)]
        last = may_be_last(one, None)
    else:
        one, begins, grown, last = character(kind), HUB, [tree(nodes)], None
    found = np.zeros(len(starts), bool)
    for each in grown:
        asked = LookUp(each, one, WORLDS[world])
        found |= asked.many(np.array(starts), np.array(goals), last=last).found
    search, most = AStar(weight=weight), 200_000
    solved = [
        search.solve(Problem(WORLDS[world], one, tuple(start), Goal(*goal), begins=begins, max_expansions=most)).found
        for start, goal in zip(starts, goals, strict=True)
    ]
    return {"answered": found.tolist(), "solved": [bool(one) for one in solved]}


def cast(name: str, count: int, planner: dict[str, Any], expansions: int = 1_000_000) -> list[dict[str, Any]]:
    """Plan for the first of a scene's cast, each alone: a new goal in a known world."""
    chosen, known = planner_of(planner), load_scene(name)
    problems = [replace(known.problem(actor), max_expansions=expansions) for actor in known.cast[:count]]
    first = problems[0]
    chosen.solve(replace(first, goal=Goal(*first.start[:2]), waypoints=()))
    return [{"name": one.name} | timed(lambda p=problem: chosen.solve(p))
            for one, problem in zip(known.cast, problems, strict=False)]  # fmt: skip


def digest() -> str:
    """Return a hash of the human's table: costs are of this one."""
    table = action_table(character("human"))
    return hashlib.md5(b"".join(np.ascontiguousarray(column).tobytes() for column in table)).hexdigest()


def main() -> None:
    json.loads(sys.argv[1])
    serve(
        {
            "world": put_world, "solve": solve, "solve many": solve_many, "first plan": first_plan, "expand": expand,
            "look up": look_up, "answered": answered, "cast": cast, "digest": digest,
        }
    )  # fmt: skip


if __name__ == "__main__":
    main()
