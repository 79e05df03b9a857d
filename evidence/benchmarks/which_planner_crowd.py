"""Crowds beside planners: each query's way gone alone, a hundred who cross, and a frame of many."""

from __future__ import annotations

import statistics
import time
from typing import Any

from evidence.benchmarks.crowd_memory import array_bytes
from gambol.characters import Character, load_character
from gambol.crowd import Crowd, Entrance, Errand
from gambol.errors import InvalidInput
from gambol.scenes import load_scene
from gambol.search import AStar, Problem, plan_group
from gambol.trees import TreePlanner
from gambol.world import World

SUBSET = "crowd"
LONGEST_S = 120.0
CROSSING = "crossing"
FRAMES_OF = ("crowd-150", "plaza")
WARM_UP, FRAMES = 150, 150


def measure(solved: list[tuple[str, Problem, float]]) -> dict[str, Any]:
    """Return all that is said of crowds; solved: problems and what A*'s plans of them cost."""
    human = load_character("human").subset(SUBSET)
    _alone(World((0.0, 0.0, 8.0, 4.0)), human, (2.0, 2.0, 0.0), [(6.0, 2.0)])  # compile
    return {"alone": _all_alone(solved, human), "crossing": _crossing(human), "frames": _frames()}


def _all_alone(solved: list[tuple[str, Problem, float]], human: Character) -> dict[str, Any]:
    """Send somebody alone on the way of each problem that crowds know: level ground, nothing that moves."""
    level = [(name, p, cost) for name, p, cost in solved if p.world.terrain is None and not p.world.movers]
    ratios: dict[str, float] = {}
    frames_us: list[float] = []
    for name, problem, cost in level:
        places = [(goal.x, goal.y) for goal in (*problem.waypoints, problem.goal)]
        went = _alone(problem.world, human, problem.start, places)
        if went is not None:
            ratios[name] = went[0] / cost
            frames_us.append(went[1])
    return {
        "of": len(level),
        "found": len(ratios),
        "frame_us": statistics.median(frames_us),
        "cost_mean": statistics.mean(ratios.values()),
        "cost_worst": max(ratios.values()),
        "cost_worst_in": max(ratios, key=lambda name: ratios[name]),
        "not_found": sorted(name for name, _, _ in level if name not in ratios),
    }


def _alone(
    world: World, human: Character, start: tuple[float, float, float], places: list[tuple[float, float]]
) -> tuple[float, float] | None:
    """Return what the clips cost that somebody plays until it arrives, and microseconds a frame; None: it does not."""
    try:
        crowd = Crowd(world, [human], seed=0)
        crowd.add(human, start, Errand.along(places))
    except InvalidInput:
        return None
    begun = time.process_time()
    while crowd.statistics.arrivals < len(places) and crowd.time_s < LONGEST_S:
        crowd.step()
    if crowd.statistics.arrivals < len(places):
        return None
    seconds = time.process_time() - begun
    cost = sum(human.behaviors[step.behavior].cost(human.cost_by) for step in crowd.recording().steps(0))
    return cost, 1e6 * seconds / crowd.frame


def _crossing(human: Character) -> dict[str, Any]:
    """Lead everybody of one scene across, by prioritised plans and as a crowd."""
    scene = load_scene(CROSSING)
    problems = {actor.name: scene.problem(actor) for actor in scene.cast}
    rows: dict[str, Any] = {}
    for name, planner in (("group, weighted A*, 1.5", AStar(weight=1.5)), ("group, default trees", TreePlanner())):
        plan_group(problems, planner)  # sets the world up, grows trees
        begun = time.process_time()
        group = plan_group(problems, planner)
        seconds = time.process_time() - begun
        arrive_s = [plan.duration_s for plan in group.plans if plan.found]
        rows[name] = _row(seconds, len(problems), group.arrived, arrive_s)
    crowd = Crowd(scene.world, [human], seed=scene.seed)
    for name, problem in problems.items():
        goal = problem.goal
        crowd.add(human, problem.start, Errand.to(goal.x, goal.y, tolerance_m=goal.tolerance_m), name=name)
    begun = time.process_time()
    while crowd.statistics.arrivals < len(problems) and crowd.time_s < LONGEST_S:
        crowd.step()
    seconds = time.process_time() - begun
    frames = crowd.recording().arrivals[:, 1]
    rows["crowd"] = _row(seconds, len(problems), crowd.statistics.arrivals, [float(f) / crowd.rate_hz for f in frames])
    return rows


def _row(seconds: float, count: int, arrived: int, arrive_s: list[float]) -> dict[str, Any]:
    last_s = max(arrive_s)
    return {
        "of": count,
        "arrived": arrived,
        "planned_s": seconds,
        "each_ms": 1e3 * seconds / count,
        "frame_us": 1e6 * seconds / sum(arrive_s) / 30.0,
        "mean_s": statistics.mean(arrive_s),
        "last_s": last_s,
    }


def _frames() -> dict[str, Any]:
    """Time frames of crowds that ship, without poses."""
    rows: dict[str, Any] = {}
    for name in FRAMES_OF:
        scene = load_scene(name)
        begun = time.process_time()
        kinds = list({id(actor.character): actor.character for actor in scene.cast}.values())
        crowd = Crowd(scene.world, kinds, seed=scene.seed)
        entrance = Entrance(scene, crowd)
        entrance.admit()
        set_up_s = time.process_time() - begun
        for _ in range(WARM_UP):
            entrance.admit()
            crowd.step()
        times = []
        for _ in range(FRAMES):
            begun = time.process_time()
            crowd.step()
            times.append(time.process_time() - begun)
        count = len(scene.cast)
        rows[name] = {
            "characters": count,
            "frame_ms": 1e3 * statistics.mean(times),
            "each_us": 1e6 * statistics.mean(times) / count,
            "set_up_ms": 1e3 * set_up_s,
            "bytes_each": array_bytes(crowd) / count,
        }
    return rows
