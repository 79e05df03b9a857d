"""What the core finds in trees, against going through all nodes at a goal and all clips on the way to each."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from evidence.reproductions.sub_goals.fan import fan_out
from tests.support.hills import plane

from gambol.characters import Character, load_character
from gambol.core import ffi, lib
from gambol.search import Goal
from gambol.search.moves import COST_UNIT, moves_of
from gambol.trees import LookUp, SearchTree, grow_exhaustive
from gambol.trees.fit import edge_costs, fit
from gambol.trees.trace_back import placed
from gambol.world import Footprint, Mover, Obstacle, Trajectory, World

JOGS = ("jog", "jog-left-30", "jog-right-50", "short-jog", "jump-over")
BOUNDS = (-8.0, -8.0, 8.0, 8.0)


@pytest.fixture(scope="module")
def jogger() -> Character:
    return load_character("human").only(JOGS)


@pytest.fixture(scope="module")
def tree(jogger: Character) -> SearchTree:
    return grow_exhaustive(jogger, depth=4, begins="jog-left")


def world(seed: int, *, moving: bool) -> World:
    rng = np.random.default_rng(seed)
    boxes = tuple(
        Obstacle(f"box {n}", Footprint.box(*rng.uniform(0.3, 1.5, 2)), (*rng.uniform(-8, 8, 2), rng.uniform(0, 6)))
        for n in range(12)
    )
    path = np.column_stack((rng.uniform(-6, 6, (4, 2)), np.zeros(4)))
    there = Trajectory(np.linspace(0.0, 6.0, 4), path, np.tile((0.0, 1.8), (4, 1)), "bounce")
    return World(BOUNDS, boxes, movers=(Mover("cart", Footprint.disc(0.4), there),) if moving else ())


class Oracle:
    """A look-up that saves nothing: every node at the goal, every clip of its path, played whole."""

    def __init__(self, look_up: LookUp, start: tuple[float, float, float], frame: int) -> None:
        self.look_up, self.tree, self.frame = look_up, look_up.tree, frame
        self.behavior = fit(look_up.tree, look_up.character).behavior[self.tree.clip_behavior[self.tree.clip]]
        self.poses = placed(self.tree.pose, start)
        self.may_be_played: dict[int, bool] = {0: True}

    def reaches(self, node: int, first: np.ndarray) -> bool:
        if node not in self.may_be_played:
            parent, tables = int(self.tree.parent[node]), self.look_up.tables.c
            clip, begun = int(tables.fit.clip_of[self.tree.clip[node]]), self.frame + int(self.tree.frame[parent])
            ends = begun + int(tables.actions.duration[clip])
            self.may_be_played[node] = bool(
                (first[self.behavior[node]] if parent == 0 else self.reaches(parent, first))
                and not (tables.query.has_traffic and ends > tables.query.horizon)
                and lib.gb_clip_may_be_played(
                    tables.world, tables.traffic, tables.query, tables.actions, tables.moves,
                    int(self.behavior[node]), clip, *self.poses[parent], begun, ffi.new("int64_t *"),
                )
            )  # fmt: skip
        return self.may_be_played[node]

    def cost(self, node: int, after: int | None) -> int:
        edges, path = edge_costs(self.look_up.character), self.tree.path_to(node)
        played = [int(self.behavior[one]) for one in path]
        alone = int(moves_of(self.look_up.character).cost[played[0]])
        begun = alone if after is None else int(edges[after, played[0]])
        return begun + sum(int(edges[before, then]) for before, then in pairwise(played))

    def best(self, goal: Goal, first: np.ndarray, last: np.ndarray, after: int | None) -> float:
        away = np.hypot(self.poses[:, 0] - goal.x, self.poses[:, 1] - goal.y) <= goal.tolerance_m
        turned = np.angle(np.exp(1j * (self.poses[:, 2] - (goal.heading_rad or 0.0))))
        faces = np.abs(turned) <= goal.heading_tolerance_rad if goal.heading_rad is not None else True
        nodes = np.flatnonzero(away & faces & last[self.behavior])
        costs = [self.cost(int(node), after) for node in nodes if node > 0 and self.reaches(int(node), first)]
        return min(costs) * COST_UNIT if costs else np.inf


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("weights", [{}, {"jump-over": 0.2, "jog": 1.6}])
def test_the_answer_is_the_cheapest_of_all_paths(jogger: Character, tree: SearchTree, moving: bool, weights) -> None:
    rng, found = np.random.default_rng(4), 0
    figure = jogger.with_weights(weights)
    for seed in range(3):
        asked = LookUp(tree, figure, world(seed, moving=moving))
        for number in range(40):
            start = (*rng.uniform(-5, 5, 2).tolist(), float(rng.uniform(-3, 3)))
            away, turn, frame = rng.uniform(2, 8), start[2] + rng.uniform(-0.8, 0.8), int(rng.integers(0, 300))
            goal = Goal(
                start[0] + away * np.cos(turn), start[1] + away * np.sin(turn), float(rng.choice([0.3, 0.5, 1.6])),
                heading_rad=turn if number % 3 == 0 else None, heading_tolerance_rad=0.5,
            )  # fmt: skip
            first, last = rng.random(len(JOGS)) < 0.8, rng.random(len(JOGS)) < 0.7
            after = None if number % 2 else int(rng.integers(len(JOGS)))
            answer = asked.one(start, goal, frame=frame, first=first, last=last, after=after)
            allowed = first if after is None else first & (edge_costs(figure)[after] >= 0)
            expected = Oracle(asked, start, frame).best(goal, allowed, last, after)
            assert answer.cost == pytest.approx(expected, abs=1e-9)
            found += answer.found
    assert found > 15


@pytest.mark.parametrize("on_hills", [False, True])
def test_a_fan_is_every_behavior_that_may_be_played(jogger: Character, tree: SearchTree, on_hills: bool) -> None:
    rng, found = np.random.default_rng(5), 0
    place = replace(world(0, moving=True), terrain=plane(0.1, 0.15) if on_hills else None)
    asked = LookUp(tree, jogger, place, climb_cost=2.0)
    setting, tables = asked.setting, asked.tables.c
    left, bottom, right, top = place.bounds
    for _ in range(40):
        pose = (*rng.uniform((left, bottom), (right, top)).tolist(), float(rng.uniform(-3, 3)))
        fan = fan_out(setting, np.arange(len(JOGS), dtype=np.int32), pose, 30)
        played = dict(zip(fan.behaviors.tolist(), range(len(fan.behaviors)), strict=True))
        for behavior, one in enumerate(jogger.behaviors):
            number = played.get(behavior)
            clips = range(len(one.clips)) if number is None else [int(fan.clips[number])]
            for clip in clips:
                of_all = int(setting.moves.same[setting.actions.behavior_clips[behavior] + clip])
                may = lib.gb_clip_may_be_played(
                    tables.world, tables.traffic, tables.query, tables.actions, tables.moves, behavior, of_all, *pose,
                    30, ffi.new("int64_t *"),
                )  # fmt: skip
                assert may or number is None
                if number is not None:
                    climbed = lib.gb_clip_ground_cost(tables.world, tables.query, tables.actions, of_all, *pose)
                    assert fan.costs[number] == pytest.approx(one.cost(jogger.cost_by) + climbed * COST_UNIT, abs=1e-6)
                    expected = placed(setting.actions.displacement[None, of_all], pose)[0]
                    np.testing.assert_allclose(fan.poses[number], expected, atol=1e-12)
                    assert fan.frames[number] == 30 + one.clips[clip].duration
                    found += 1
    assert found > 40
