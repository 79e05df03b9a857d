"""The search: rates in open and crowded worlds, against old's, straight lines and a thousandfold database."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

import numpy as np
import shapely

from evidence.benchmarks.sides import Sides, both_sides
from evidence.benchmarks.timing import Row, median_seconds
from evidence.benchmarks.trips import told
from gambol.characters import Character, load_character
from gambol.scenes import load_scene
from gambol.search import AStar, Goal, Problem
from gambol.search.search import Search, set_up
from gambol.world import Footprint, Obstacle, World

SIZE_M = 40.0
OCCUPIED = 0.17
EXPANSIONS = 60_000
COPIES = 1_000  # of 119 clips: more than a hundred thousand


def run() -> list[Row]:
    human = load_character("human")
    rows = [_rate(human.subset("lk05"), share) for share in (0.0, OCCUPIED)]
    with both_sides() as sides:
        rows += [_beside_old(sides, share) for share in (0.0, OCCUPIED)]
    return [*rows, *_straight_lines(), _large_database(human)]


def crowded_world(share: float, *, seed: int = 3) -> World:
    """Return a square world with boxes at any angle that cover a share of it, free around two corners."""
    rng = np.random.default_rng(seed)
    kept_free = [shapely.Point(3.0, 3.0).buffer(3.0), shapely.Point(SIZE_M - 3.0, SIZE_M - 3.0).buffer(3.0)]
    covered: shapely.Geometry = shapely.Polygon()
    obstacles: list[Obstacle] = []
    while covered.area < share * SIZE_M**2:
        footprint = Footprint.box(*(float(side) for side in rng.uniform(0.5, 3.0, 2)))
        x, y, heading = (float(value) for value in (*rng.uniform(0.0, SIZE_M, 2), rng.uniform(0.0, np.pi)))
        region = footprint.region((x, y, heading))
        if not any(region.intersects(free) for free in kept_free):
            obstacles.append(Obstacle(f"box {len(obstacles)}", footprint, (x, y, heading)))
            covered = covered.union(region)
    return World((0.0, 0.0, SIZE_M, SIZE_M), tuple(obstacles))


def problem_in(world: World, character: Character) -> Problem:
    return Problem(world, character, (3.0, 3.0, 0.8), Goal(SIZE_M - 3.0, SIZE_M - 3.0))


def _rate(character: Character, share: float) -> Row:
    setting = set_up(problem_in(crowded_world(share), character))

    def search(most: int = EXPANSIONS) -> Search:
        found = Search(setting)
        found.run(most)
        return found

    seconds = median_seconds(search, runs=5)
    statistics = search().statistics()
    return Row(
        f"A* of {character.name} ({statistics.generated / statistics.expansions:.0f} successors), "
        f"{SIZE_M:.0f} × {SIZE_M:.0f} m, {share:.0%} occupied",
        f"{statistics.expansions / seconds:,.0f} expansions/s",
        f"{statistics.collision_samples / seconds:,.0f} collision samples/s",
        f"{statistics.bytes_used / statistics.nodes:.0f} bytes a node",
        f"the first {statistics.expansions:,} expansions; arrays grow by doubling, so bytes include spare room",
    )


def _beside_old(sides: Sides, share: float) -> Row:
    """Time the search of the human with all behaviors, in these sources and in old ones."""
    sides.ask(what="world", name="crowded", told=told(crowded_world(share)))
    query = {"start": [3.0, 3.0, 0.8], "goal": [SIZE_M - 3.0, SIZE_M - 3.0]}
    for most in (1_000, EXPANSIONS):  # compile first
        new, old = sides.ask(what="expand", world="crowded", query=query, most=most)
    return Row(
        f"A* of human ({new['generated'] / new['expansions']:.0f} successors), {SIZE_M:.0f} × {SIZE_M:.0f} m, "
        f"{share:.0%} occupied",
        f"{1e3 * new['expansions'] / new['ms']:,.0f} expansions/s",
        f"{1e3 * old['expansions'] / old['ms']:,.0f} expansions/s (old)",
        f"{old['ms'] / old['expansions'] / new['ms'] * new['expansions']:.2f}",
        f"the first {new['expansions']:,} expansions; {1e3 * new['samples'] / new['ms']:,.0f} collision samples/s",
    )


def _straight_lines() -> list[Row]:
    rows: list[Row] = []
    for name in ("maze", "search"):
        scene = load_scene(name)
        problem = replace(scene.problem(scene.cast[0]), max_expansions=5_000_000)
        for weight in (1.0, 1.5):
            around, straight = AStar(weight=weight), AStar(weight=weight, around=False)
            plans = around.solve(problem), straight.solve(problem)
            ours, other = (_seconds_to_new_goals(planner, problem) for planner in (around, straight))
            rows.append(
                Row(
                    f"scene {name}, weight {weight:g}: bound around obstacles, against straight lines",
                    f"{ours * 1e3:.1f} ms, {plans[0].statistics.expansions:,} expansions, cost {plans[0].cost:.1f}",
                    f"{other * 1e3:.1f} ms, {plans[1].statistics.expansions:,} expansions, cost {plans[1].cost:.1f}",
                    f"{other / ours:.1f}",
                    "a new goal each time, a millimetre on: the field is spread anew",
                )
            )
    return rows


def _seconds_to_new_goals(planner: AStar, problem: Problem) -> float:
    """Return the median processor time of plans in a known world, each to a goal that was never asked for."""
    seconds = []
    for number in range(1, 4):
        elsewhere = replace(problem.goal, x=problem.goal.x + 1e-3 * number)
        begun = time.process_time()
        planner.solve(replace(problem, goal=elsewhere))
        seconds.append(time.process_time() - begun)
    return statistics.median(seconds)


def _large_database(character: Character) -> Row:
    """Compare with a character each of whose clips is listed a thousand times [LK05 4]."""
    behaviors = tuple(replace(behavior, clips=behavior.clips * COPIES) for behavior in character.behaviors)
    large = replace(character, behaviors=behaviors)
    world = crowded_world(OCCUPIED)
    settings = [set_up(problem_in(world, each)) for each in (character, large)]
    small_s, large_s = (median_seconds(lambda s=s: Search(s).run(EXPANSIONS), runs=5) for s in settings)
    clips = sum(len(behavior.clips) for behavior in large.behaviors)
    return Row(
        f"a database of {clips:,} clips, against {clips // COPIES}",
        f"{large_s * 1e3:.0f} ms",
        f"{small_s * 1e3:.0f} ms",
        f"{large_s / small_s:.2f} times as long",
        f"{EXPANSIONS:,} expansions; LK05: from about 2 s to 4 s",
    )
