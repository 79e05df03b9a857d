"""Threads that share a world: while one lays it out others get right answers, and plans do not depend on threads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from evidence.soak.planning_problems import random_figure, random_problem
from evidence.soak.tree_look_ups import SMALL_TREES

from gambol.core import Struct, lib
from gambol.search import AStar, Goal, Problem
from gambol.trees import LookUp, TreePlanner
from gambol.world import Footprint, Obstacle, World
from gambol.world.standing import prepare, world_struct

SIDE_M = 50.0


@pytest.fixture(autouse=True)
def eager_threads() -> Iterator[None]:
    """Let threads take turns as often as Python can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


def crowded_world() -> World:
    rng = np.random.default_rng(1)
    boxes = tuple(
        Obstacle(
            f"box {n}", Footprint.box(*rng.uniform(0.5, 3.0, 2)), (*rng.uniform(0.0, SIDE_M, 2), rng.uniform(0.0, 3.0))
        )
        for n in range(200)
    )
    return World((0.0, 0.0, SIDE_M, SIDE_M), boxes)


def answers(world: Struct, places: list[list[float]]) -> list[int]:
    return [lib.gb_world_disc_is_free(world.c, x, y, 0.4, 0.0, 1.8, -1) for x, y in places]


def test_what_is_asked_while_another_thread_lays_a_world_out_is_answered_right():
    places = np.random.default_rng(2).uniform(1.0, SIDE_M - 1.0, (1500, 2)).tolist()
    known = crowded_world()
    prepare(known, known.bounds)
    expected = answers(world_struct(known), places)
    assert answers(world_struct(crowded_world()), places) == expected  # nothing laid out
    for _ in range(12):
        world = crowded_world()
        struct = world_struct(world)

        def lay_out(world: World = world) -> None:
            for x in np.arange(0.0, SIDE_M, 4.0):
                prepare(world, (float(x), 0.0, float(x) + 4.0, SIDE_M))

        thread = threading.Thread(target=lay_out)
        thread.start()
        while thread.is_alive():
            assert answers(struct, places) == expected
        thread.join()


def test_threads_that_lay_out_one_world_at_once_leave_it_whole():
    places = np.random.default_rng(3).uniform(1.0, SIDE_M - 1.0, (3000, 2)).tolist()
    known = crowded_world()
    prepare(known, known.bounds)
    expected = answers(world_struct(known), places)
    for seed in range(8):
        world, rng = crowded_world(), np.random.default_rng(seed)
        corners = rng.uniform(0.0, SIDE_M - 6.0, (300, 2)).tolist()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda at, world=world: prepare(world, (*at, at[0] + 6.0, at[1] + 6.0)), corners))
        assert answers(world_struct(world), places) == expected


def problems(count: int) -> list[Problem]:
    """Return problems in one world."""
    first, rng = random_problem(3, kind="plain"), np.random.default_rng(4)
    _, _, width, depth = first.world.bounds
    places = rng.uniform(0.3, [width - 0.3, depth - 0.3], (count, 2, 2)).tolist()
    return [replace(first, start=(*start, 0.3), goal=Goal(*goal, 0.3)) for start, goal in places]


@pytest.mark.parametrize("kind", ["search", "trees"])
def test_plans_made_by_several_threads_in_one_world_are_those_made_by_one(kind: str):
    figure = random_figure(np.random.default_rng(5))
    trees = [SMALL_TREES["diverse"](figure, label, 7) for label in dict.fromkeys(b.begins for b in figure.behaviors)]
    planner = AStar(weight=1.3) if kind == "search" else TreePlanner(trees=trees)
    one = [planner.solve(replace(each, character=figure)) for each in problems(24)]
    for _ in range(3):
        asked = [replace(each, character=figure) for each in problems(24)]
        with ThreadPoolExecutor(4) as pool:
            many = list(pool.map(planner.solve, asked))
        assert [(plan.outcome, plan.cost, plan.steps) for plan in many] == [
            (plan.outcome, plan.cost, plan.steps) for plan in one
        ]
    assert sum(plan.found for plan in one) > 4


def test_look_ups_of_several_threads_in_one_world_are_those_of_one():
    first = random_problem(3, kind="plain")
    figure = random_figure(np.random.default_rng(5))
    tree, rng = SMALL_TREES["diverse"](figure, figure.behaviors[0].begins, 7), np.random.default_rng(6)
    _, _, width, depth = first.world.bounds
    starts = np.column_stack((rng.uniform(0.2, [width - 0.2, depth - 0.2], (200, 2)), rng.uniform(-3.0, 3.0, 200)))
    goals = rng.uniform(0.2, [width - 0.2, depth - 0.2], (200, 2))

    def ask(world: World) -> list[int]:
        return LookUp(tree, figure, world).many(starts, goals, tolerance_m=0.3).nodes.tolist()

    expected = ask(random_problem(3, kind="plain").world)
    for _ in range(5):
        world = random_problem(3, kind="plain").world
        with ThreadPoolExecutor(4) as pool:
            assert all(found == expected for found in pool.map(ask, [world] * 4))
