"""The core's search against the same search in plain Python: node by node, in the same order."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from evidence.soak.planning_problems import KINDS, random_problem
from tests.core.plain_search import PlainSearch

from gambol.core import lib
from gambol.search import memory
from gambol.search.problem import Goal, Problem
from gambol.search.search import EXHAUSTED, FOUND, NEVER, STOPPED, Search, set_up
from gambol.world import Footprint, Obstacle, World
from gambol.world.standing import world_struct

MOST = 1500
VARIANTS = ({}, {"weight": 1.7}, {"exact": True}, {"weight": 1.3, "ceiling": 4_000_000})


def both(problem: Problem, **variant) -> tuple[Search, PlainSearch]:
    setting = set_up(problem)
    search = Search(setting, **variant)
    plain = PlainSearch(setting, search.settings)
    search.run(MOST)
    plain.run(MOST)
    return search, plain


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_same_nodes_in_the_same_order_at_the_same_costs(kind: str, variant: dict):
    found = 0
    for seed in range(4):
        search, plain = both(random_problem(seed, kind=kind), **variant)
        trace, statistics = search.trace(), search.statistics()
        assert statistics.expansions == len(plain.expanded)
        assert len(trace.parents) == len(plain.nodes)
        assert trace.parents.tolist() == [node.parent for node in plain.nodes]
        assert trace.behaviors.tolist() == [node.behavior for node in plain.nodes]
        assert trace.frames.tolist() == [node.frame for node in plain.nodes]
        poses = np.array([(node.x, node.y, node.heading) for node in plain.nodes])
        assert np.allclose(trace.poses, poses, rtol=0, atol=1e-12)
        costs = np.round(trace.costs / 1e-6).astype(np.int64) - [node.cost for node in plain.nodes]
        rounding = 0 if kind != "hilly" else len(plain.nodes)  # heights are added up in another order
        assert np.abs(costs).max() <= rounding
        assert set(np.flatnonzero(trace.expanded).tolist()) == plain.closed
        assert int(search.counts.goal_node) == plain.goal_node
        assert search.status == (FOUND if plain.goal_node >= 0 else EXHAUSTED if plain.is_exhausted else STOPPED)
        found += plain.goal_node >= 0
    assert found > 0 or kind == "sealed"


@pytest.mark.parametrize("kind", ["plain", "sealed", "moving"])
def test_the_least_open_cost_is_that_of_an_open_node_that_still_counts(kind: str):
    for seed in range(6):
        setting = set_up(random_problem(seed, kind=kind))
        search = Search(setting)
        plain = PlainSearch(setting, search.settings)
        search.run(40)
        plain.run(40)
        waiting = [-number for _, number in plain.open]
        alive = [n for n in waiting if n == 0 or plain.visited[plain._state(plain.nodes[n])] == n]
        costs = [plain.nodes[n].cost + plain.nodes[n].left for n in alive if n not in plain.closed]
        assert int(lib.gb_search_least_open(search._core.c, NEVER)) == min(costs, default=NEVER)


@pytest.mark.parametrize("kind", ["plain", "tagged"])
def test_what_is_left_is_the_straight_line_or_the_field_whichever_is_more(kind: str):
    for seed in range(6):
        problem = random_problem(seed, kind=kind)
        setting, rng = set_up(problem), np.random.default_rng(seed)
        query, core = setting.query, setting.core.query
        for _ in range(50):
            leg = int(rng.integers(len(query.goals)))
            x, y = rng.uniform(-0.5, 4.0, 2)
            u, v = (x - query.field_x0) / query.field_cell, (y - query.field_y0) / query.field_cell
            way = lib.gb_field_way_left(query.fields[leg].core.c, u, v) if query.fields else 0.0
            goal_x, goal_y, tolerance = query.goals[leg, :3]
            straight = max(0.0, math.hypot(goal_x - x, goal_y - y) - tolerance) * query.cost_per_chord
            found = lib.gb_query_cost_left(core.c, leg, x, y)
            if way >= 5e17:
                assert found == NEVER
            else:
                around = way * query.field_cell * query.cost_per_way
                assert found == pytest.approx(max(straight, around) + query.later[leg], abs=1.0)


def test_the_world_is_laid_out_only_where_the_search_gets_to():
    problem = random_problem(1, kind="plain")
    boxes = [Obstacle(f"box {x}", Footprint.box(1.0, 1.0), (x, 20.0, 0.0)) for x in range(5, 100, 5)]
    world = World((0.0, 0.0, 100.0, 100.0), tuple(boxes))
    asked = replace(problem, world=world, start=(10.0, 10.0, 0.0), goal=Goal(30.0, 10.0, 0.5), waypoints=())
    search = Search(set_up(asked), weight=1.5)
    assert search.run(200_000) == FOUND
    squares = world_struct(world).kept["squares"].kept["is_known"]
    side = 100.0 / len(squares)
    assert 0 < squares.sum() < 0.25 * squares.size
    for step in search.steps():
        assert squares[int(step.pose[1] / side), int(step.pose[0] / side)]


def test_a_search_that_grows_its_memory_finds_what_one_with_room_finds(monkeypatch: pytest.MonkeyPatch):
    problem = random_problem(2, kind="plain")
    roomy = Search(set_up(problem))
    roomy.run(MOST)
    monkeypatch.setattr(memory, "NODES_AT_FIRST", 64)
    monkeypatch.setattr(memory, "_FREE", [])
    narrow = Search(set_up(problem))
    narrow.run(MOST)
    assert narrow.trace().parents.tolist() == roomy.trace().parents.tolist()
    assert narrow.steps() == roomy.steps()
    del narrow
    again = Search(set_up(problem))
    again.run(MOST)
    assert again.trace().parents.tolist() == roomy.trace().parents.tolist()


@pytest.mark.parametrize("kind", ["plain", "sealed", "hilly"])
@pytest.mark.parametrize("room", [1, 16_384])
def test_what_is_merged_counts_exactly_however_late_it_is_worked_out(kind: str, room: int):
    for seed in range(4):
        problem = random_problem(seed, kind=kind)
        late, now = Search(set_up(problem), weight=1.3), Search(set_up(problem), weight=1.3, ceiling=NEVER - 1)
        late._core.c.memory.doubt_room = room
        for search in (late, now):  # with a ceiling nothing is guessed
            search.run(MOST)
        assert late.has_merged == now.has_merged
        assert late.expansions == now.expansions
        assert min(late.lower_bound(), NEVER - 1) == now.lower_bound()
        assert late.steps(nearest=True) == now.steps(nearest=True)
