"""Whole trips in the core: every step may be played, costs are sums, goals are reached, the same in all threads."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
import shapely

from gambol.characters import Character, Step, check_steps, load_character
from gambol.characters.step import clip_of
from gambol.core import ffi, lib
from gambol.geometry import compose
from gambol.search import COST_UNIT, Goal, Problem, Traffic, may_be_last
from gambol.search.search import set_up
from gambol.trees import SearchTree, TreePlanner, grow_cheapest, grow_diverse
from gambol.trees.fit import edge_costs
from gambol.trees.trip_workspace import FOUND, STEP, Workspace
from gambol.trees.trips import Trips, trips_for
from gambol.world import Footprint, Mover, Obstacle, Terrain, Trajectory, World

NAMES = (
    "jog", "jog-left-15", "jog-right-15", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog",
    "start", "go", "stop", "short-stop", "stand", "jump-over", "crawl",
)  # fmt: skip
BOUNDS = (0.0, 0.0, 40.0, 40.0)


@pytest.fixture(scope="module")
def jogger() -> Character:
    return load_character("human").only(NAMES)


@pytest.fixture(scope="module")
def trees(jogger: Character) -> tuple[SearchTree, ...]:
    grown = (grow_cheapest(jogger, nodes=15_000, begins="stand"), grow_diverse(jogger, nodes=15_000, begins="jog-left"))
    return (*grown, grow_cheapest(jogger, nodes=15_000, begins="jog-left"))


class Setting(NamedTuple):
    """A kind of worlds."""

    boxes: int
    hurdles: int = 0
    has_hills: bool = False
    movers: int = 0
    waypoints: int = 0


SETTINGS = {
    "open": Setting(0),
    "boxes": Setting(40),
    "clutter": Setting(110),
    "hurdles": Setting(30, hurdles=12),
    "hills": Setting(25, has_hills=True),
    "movers": Setting(15, movers=6),
    "way-points": Setting(40, waypoints=2),
}


def world_of(setting: Setting, rng: np.random.Generator) -> World:
    things = [
        Obstacle(f"box {n}", Footprint.box(*rng.uniform(0.4, 2.2, 2)), (*rng.uniform(0, 40, 2), rng.uniform(0, 6)))
        for n in range(setting.boxes)
    ]
    things += [
        Obstacle(f"hurdle {n}", Footprint.box(0.15, rng.uniform(4, 9)), (*rng.uniform(0, 40, 2), rng.uniform(0, 6)),
                 0.0, 0.35)
        for n in range(setting.hurdles)
    ]  # fmt: skip
    times_s, heights_m = np.array([0.0, 60.0]), np.array([(0.0, 1.5), (0.0, 1.5)])
    movers = [
        Mover(f"cart {n}", Footprint.disc(0.6), Trajectory(times_s, rng.uniform(0, 40, (2, 3)), heights_m))
        for n in range(setting.movers)
    ]
    x, y = np.meshgrid(np.linspace(0, 40, 81), np.linspace(0, 40, 81))
    hills = Terrain((0.0, 0.0), 0.5, 0.6 * np.sin(0.3 * x + rng.uniform(0, 6)) * np.cos(0.25 * y))
    return World(BOUNDS, tuple(things), tuple(movers), terrain=hills if setting.has_hills else None)


def problems_of(setting: Setting, jogger: Character, seed: int, count: int) -> list[Problem]:
    """Return problems in one world whose starts are free."""
    rng = np.random.default_rng(seed)
    world, found = world_of(setting, rng), []
    traffic = Traffic.of(world, rate_hz=jogger.planning_rate_hz, horizon_s=60.0)
    while len(found) < count:
        places = rng.uniform(2.0, 38.0, (2 + setting.waypoints, 2)).tolist()
        legs = [Goal(x, y, rng.uniform(0.4, 1.5)) for x, y in places[1:]]
        if rng.random() < 0.3:
            legs[-1] = replace(legs[-1], heading_rad=rng.uniform(-3, 3), heading_tolerance_rad=0.7)
        problem = Problem(
            world, jogger, (*places[0], rng.uniform(-3, 3)), legs[-1], waypoints=tuple(legs[:-1]), traffic=traffic,
            begins=str(rng.choice(["stand", "jog-left"])), horizon_s=60.0,
            climb_cost=0.4 if setting.has_hills else 0.0, seed=int(rng.integers(1000)),
        )  # fmt: skip
        x, y, _ = problem.start
        gaps = [shapely.distance(one.footprint.region(one.pose), shapely.Point(x, y)) for one in world.obstacles]
        if min(gaps, default=9.0) > 1.0:
            found.append(problem)
    return found


def ends_of(problem: Problem, steps: tuple[Step, ...]) -> np.ndarray:
    """Return where and how the character is after each of some steps (N, 3)."""
    clips = [clip_of(problem.character, step) for step in steps]
    return np.array([compose(np.array(one.pose), clip.displacement) for one, clip in zip(steps, clips, strict=True)])


def at_goal(problem: Problem, goal: Goal, ends: np.ndarray, steps: tuple[Step, ...]) -> np.ndarray:
    """Return after which steps the character is as a goal says."""
    near = np.hypot(ends[:, 0] - goal.x, ends[:, 1] - goal.y) <= goal.tolerance_m + 1e-3
    may_end = may_be_last(problem.character, goal.behavior) if goal is problem.goal else None
    if may_end is not None:
        near &= may_end[[step.behavior for step in steps]]
    if goal.heading_rad is not None:
        turned = np.remainder(ends[:, 2] - goal.heading_rad + math.pi, math.tau) - math.pi
        near &= np.abs(turned) <= goal.heading_tolerance_rad + 1e-3
    return near


def cost_of(problem: Problem, steps: tuple[Step, ...]) -> int:
    """Return the cost of steps in whole units: of behaviors, of transitions, of climbing."""
    setting, edges = set_up(problem, around=False), edge_costs(problem.character)
    core, moves, total, before = setting.core, setting.moves, 0, None
    for step in steps:
        total += int(moves.cost[step.behavior] if before is None else edges[before, step.behavior])
        if problem.world.terrain is not None:
            clip = int(setting.actions.behavior_clips[step.behavior]) + step.clip
            same = int(moves.same[clip])
            total += int(lib.gb_clip_ground_cost(core.world.c, core.query.c, core.actions.c, same, *step.pose))
        before = step.behavior
    return total


def all_may_be_played(problem: Problem, steps: tuple[Step, ...]) -> bool:
    """Tell whether the core's own test of a single clip lets every step be played."""
    setting, samples = set_up(problem, around=False), ffi.new("int64_t *")
    core, moves = setting.core, setting.moves
    clips = [int(moves.same[int(setting.actions.behavior_clips[step.behavior]) + step.clip]) for step in steps]
    return all(
        lib.gb_clip_may_be_played(
            core.world.c, core.traffic.c, core.query.c, core.actions.c, core.moves.c, step.behavior, clip, *step.pose,
            step.frame, samples,
        )
        for step, clip in zip(steps, clips, strict=True)
    )  # fmt: skip


@pytest.mark.parametrize("name", SETTINGS)
def test_trips_hold_what_they_say_by_every_step(jogger: Character, trees: tuple[SearchTree, ...], name: str) -> None:
    found = 0
    for seed in (1, 2):
        for problem in problems_of(SETTINGS[name], jogger, seed, 8):
            plan = TreePlanner(trees).solve(problem)
            assert all_may_be_played(problem, plan.steps)  # also where they lead only near the goal
            assert plan.cost == pytest.approx(cost_of(problem, plan.steps) * COST_UNIT, abs=1e-9)
            if not plan.found:
                continue
            found += 1
            check_steps(jogger, plan.steps)
            assert np.allclose(plan.steps[0].pose, problem.start)
            ends, after = ends_of(problem, plan.steps), 0
            for goal in problem.waypoints:
                reached = np.flatnonzero(at_goal(problem, goal, ends, plan.steps)[after:])
                assert len(reached)
                after += int(reached[0])
            assert at_goal(problem, problem.goal, ends, plan.steps)[-1]
    assert found >= 6


@pytest.mark.parametrize("name", SETTINGS)
def test_many_trips_are_the_same_as_one_by_one_in_any_number_of_threads(
    jogger: Character, trees: tuple[SearchTree, ...], name: str
) -> None:
    problems = problems_of(SETTINGS[name], jogger, 3, 6)
    planner = TreePlanner(trees)
    alone = [planner.solve(problem) for problem in problems]
    for threads in (1, 3):
        many = planner.solve_many(problems, threads=threads)
        assert [(plan.outcome, plan.cost, plan.steps) for plan in many] == [
            (plan.outcome, plan.cost, plan.steps) for plan in alone
        ]


def test_more_states_never_make_a_trip_dearer(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    gained = 0
    for problem in problems_of(SETTINGS["boxes"], jogger, 4, 8):
        costs = [TreePlanner(trees, improve=states).solve(problem).cost for states in (0, 10, 100)]
        assert costs[0] + 1e-9 >= costs[1]
        assert costs[0] + 1e-9 >= costs[2]
        gained += costs[2] < costs[0] - 1e-9
    assert gained > 0


def test_the_edges_of_a_trip_are_paths_of_trees_and_single_steps(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    kinds: set[bool] = set()
    for problem in problems_of(SETTINGS["hurdles"], jogger, 5, 8):
        tripped = trips_for(problem, trees).solve(problem, most_expansions=300, improve=30, trace=True)
        if tripped.outcome != FOUND:
            continue
        assert sum(edge.cost for edge in tripped.edges) == tripped.cost
        assert sum(edge.steps for edge in tripped.edges) == len(tripped.steps)
        begins = 0
        for edge in tripped.edges:
            steps = tripped.steps[begins : begins + edge.steps]
            begins += edge.steps
            assert steps[0].pose == edge.start.pose
            end = ends_of(problem, steps)[-1]
            assert np.allclose(end[:2], edge.end.pose[:2], atol=1e-3)
            assert math.cos(end[2] - edge.end.pose[2]) > 1.0 - 1e-6
            assert steps[-1].behavior == edge.end.behavior
            kinds.add(edge.tree < 0)
            if edge.tree < 0:
                assert len(steps) == 1
                continue
            # The path is one of the tree's, from its root on: the same clips in turn, from child to child.
            tree, node = trees[edge.tree], 0
            for step in steps:
                children = np.flatnonzero(tree.parent == node)
                children = children[children > 0]
                named = [tree.behaviors[tree.clip_behavior[tree.clip[child]]].name for child in children]
                chosen = [int(child) for child, name in zip(children, named, strict=True)
                          if name == jogger.behaviors[step.behavior].name]  # fmt: skip
                assert chosen
                node = chosen[0] if len(chosen) == 1 else _child_at(tree, chosen, edge.start.pose, step, problem)
    assert kinds == {False, True}


def _child_at(tree: SearchTree, chosen: list[int], start: tuple[float, float, float], step: Step, problem: Problem):
    """Return which of some nodes a step leads to."""
    x, y, heading = start
    cosine, sine = math.cos(heading), math.sin(heading)
    end = ends_of(problem, (step,))[0]
    ahead = cosine * (end[0] - x) + sine * (end[1] - y), cosine * (end[1] - y) - sine * (end[0] - x)
    return min(chosen, key=lambda node: float(np.hypot(*(tree.pose[node, :2] - ahead))))


def test_steps_are_written_as_far_as_there_is_room(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    (problem,) = problems_of(SETTINGS["boxes"], jogger, 6, 1)
    workspace = Workspace(Trips(problem, trees))
    tripped = workspace.solve(problem, 300, 20, False)
    assert tripped.outcome == FOUND
    trip, count = workspace.trip.c, len(tripped.steps)
    node = trip.counts.goal_node
    for room in (0, 1, count - 1, count, count + 3):
        steps = ffi.new("gb_trip_step[]", max(room, 1))
        assert lib.gb_trip_steps(trip, node, steps, room) == count
        if room >= count:
            poses = [row[:3] for row in STEP.iter_unpack(ffi.buffer(steps, count * STEP.size))]
            assert poses == [step.pose for step in tripped.steps]
    assert lib.gb_trip_steps(trip, 0, ffi.new("gb_trip_step[]", 1), 1) == 0  # the start


def test_a_workspace_that_has_answered_answers_as_a_new_one(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    problems = problems_of(SETTINGS["clutter"], jogger, 7, 6)
    used = Workspace(Trips(problems[0], trees))
    for problem in problems:
        anew = Workspace(used.trips)
        assert used.solve(problem, 120, 20, True)._replace(samples=0) == anew.solve(problem, 120, 20, True)._replace(
            samples=0
        )
