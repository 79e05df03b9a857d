"""What a look-up did, read back from its notes, against a replay that tests every clip whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gambol.characters import Character, load_character
from gambol.core import ffi, lib
from gambol.search import AStar, Goal, Problem
from gambol.trees.cheapest import grow_cheapest
from gambol.trees.diverse import grow_diverse
from gambol.trees.exhaustive import grow_exhaustive
from gambol.trees.look_up import Found, LookUp
from gambol.trees.planner import TreePlanner
from gambol.trees.question import Question
from gambol.trees.region import Region
from gambol.trees.trace_back import placed, question_struct, trace_back
from gambol.trees.tree import SearchTree
from gambol.world import Footprint, Obstacle, World

NAMES = (
    "jog", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog", "jump-over",
    "start", "go", "stop", "short-stop", "stand",
)  # fmt: skip
BOUNDS = (-20.0, -20.0, 20.0, 20.0)


@pytest.fixture(scope="module")
def jogger() -> Character:
    return load_character("human").only(NAMES)


@pytest.fixture(scope="module")
def trees(jogger: Character) -> tuple[SearchTree, ...]:
    region = Region.disc(16.0)
    return (
        grow_cheapest(jogger, nodes=12_000, begins="stand"),
        grow_cheapest(jogger, nodes=12_000, begins="jog-left"),
        grow_diverse(jogger, nodes=12_000, begins="jog-left", region=region),
    )


@pytest.fixture(scope="module")
def boxes() -> World:
    rng = np.random.default_rng(8)
    things = [
        Obstacle(f"box {n}", Footprint.box(*rng.uniform(0.4, 2.0, 2)), (*rng.uniform(-15, 15, 2), rng.uniform(0, 6)))
        for n in range(60)
    ]
    return World(BOUNDS, tuple(one for one in things if np.hypot(*one.pose[:2]) > 3.0))


class Replay:
    """The same question without any of the look-up's ways to save time: whole clips, in the order of cost."""

    def __init__(self, question: Question) -> None:
        self.question, self.tree = question, question.look_up.tree
        self._known: dict[int, bool] = {}
        self._poses = placed(self.tree.pose, question.start)

    def clip_is_free(self, node: int) -> bool:
        if node not in self._known:
            tables, asked = self.question.look_up.tables, question_struct(self.question)
            self._known[node] = bool(lib.gb_tree_edge_is_free(tables.c, asked.c, node, ffi.new("int64_t *")))
        return self._known[node]

    def path_is_free(self, node: int) -> bool:
        return all(self.clip_is_free(one) for one in self.tree.path_to(node))

    def at_goal(self) -> np.ndarray:
        """Return the nodes at the goal, from the cheapest on."""
        goal, poses = self.question.goal, self._poses
        near = np.hypot(poses[:, 0] - goal.x, poses[:, 1] - goal.y) <= goal.tolerance_m
        if goal.heading_rad is not None:
            turned = np.angle(np.exp(1j * (poses[:, 2] - goal.heading_rad)))
            near &= np.abs(turned) <= goal.heading_tolerance_rad
        near[0] = False
        nodes = np.flatnonzero(near & self.question.last[self.tree.clip_behavior[self.tree.clip]])
        return nodes[np.argsort(self.tree.cost[nodes], kind="stable")]


def questions(look_up: LookUp, count: int) -> list[Question]:
    rng = np.random.default_rng(9)
    moving = np.array([one.ends != "stand" for one in look_up.character.behaviors])
    asked: list[Question] = []
    for number in range(count):
        x, y, heading = (*rng.uniform(-10, 10, 2), rng.uniform(-np.pi, np.pi))
        turn, away_m = heading + rng.uniform(-1.0, 1.0), rng.uniform(2.0, 12.0)
        goal = Goal(x + away_m * np.cos(turn), y + away_m * np.sin(turn), rng.choice([0.3, 0.5, 1.6]))
        goal = replace(goal, heading_rad=turn, heading_tolerance_rad=0.8) if number % 3 == 0 else goal
        last = np.ones_like(moving) if number % 2 else moving
        asked.append(Question(look_up, (float(x), float(y), float(heading)), 0, goal, None, last))
    return asked


@pytest.mark.slow
def test_what_is_read_back_is_what_a_replay_of_whole_clips_finds(
    jogger: Character, trees: tuple[SearchTree, ...], boxes: World
) -> None:
    found = hemmed_in = 0
    for tree in trees:
        for question in questions(LookUp(tree, jogger, boxes), 120):
            trace, replay = trace_back(question), Replay(question)
            if trace.answer.outcome is Found.SHUT:
                assert not len(trace.tried) + len(trace.free) + len(trace.blocked)
                continue
            at_goal = replay.at_goal()
            chosen = next((int(node) for node in at_goal if replay.path_is_free(int(node))), None)
            assert (chosen is not None) == trace.answer.found
            least = np.inf if chosen is None else tree.cost[chosen]
            assert trace.answer.node < 0 or tree.cost[trace.answer.node] == least
            if trace.answer.outcome is Found.HEMMED_IN:  # which ends a look-up early
                hemmed_in += 1
            else:
                assert set(at_goal[tree.cost[at_goal] < least]) <= set(trace.tried)
            assert set(trace.tried) <= set(at_goal[tree.cost[at_goal] <= least])
            assert all(replay.path_is_free(int(node)) for node in trace.free)
            assert not any(replay.path_is_free(int(node)) for node in trace.blocked)
            found += trace.answer.found
    assert 60 < found < 300
    assert hemmed_in > 0


def test_a_trace_stops_where_a_clip_meets_something_and_all_behind_it_is_blocked(
    jogger: Character, trees: tuple[SearchTree, ...], boxes: World
) -> None:
    passed = 0
    for tree in trees:
        for question in questions(LookUp(tree, jogger, boxes), 60):
            trace, replay = trace_back(question), Replay(question)
            stopped, blocked = set(trace.stopped.tolist()), set(trace.blocked.tolist())
            assert stopped <= blocked
            assert not any(replay.clip_is_free(node) for node in stopped)
            assert all(int(tree.parent[node]) in blocked for node in blocked - stopped)
            for node in set(trace.tried.tolist()) & blocked:
                assert stopped & set(tree.path_to(node))
            assert set(trace.way.tolist()) <= set(trace.free.tolist())
            passed += len(blocked - stopped)
    assert passed > 500


def course(jogger: Character, world: World, **changes: object) -> Problem:
    return replace(Problem(world, jogger, (-18.0, -17.0, 0.8), Goal(17.0, 17.0)), **changes)  # pyright: ignore


@pytest.mark.parametrize("improved", [0, 200])
def test_a_plan_that_is_traced_keeps_what_it_is_made_of(
    jogger: Character, trees: tuple[SearchTree, ...], boxes: World, improved: int
) -> None:
    problem = course(jogger, boxes, waypoints=(Goal(0.0, 0.0, 1.0),))
    plan = TreePlanner(trees, improve=improved, trace=True).solve(problem)
    assert plan.found
    assert TreePlanner(trees, improve=improved).solve(problem).steps == plan.steps
    assert plan.journey is not None
    parts = plan.journey.parts
    assert len(parts) >= 4
    assert tuple(step for part in parts for step in part.steps) == plan.steps
    assert [part.begins for part in parts] == np.cumsum([0, *(len(part.steps) for part in parts[:-1])]).tolist()
    assert [part.start for part in parts] == [part.steps[0].pose for part in parts]
    assert [part.end for part in parts[:-1]] == [part.start for part in parts[1:]]
    assert all(len(part.steps) == 1 for part in parts if part.look_up is None)
    assert {part.look_up.tree for part in parts if part.look_up is not None} <= set(trees)
    answered = [part for part in parts if part.question is not None]
    assert answered[-1] is parts[-1]
    for part in answered:
        assert part.question is not None
        assert part.question.goal in (*problem.waypoints, problem.goal)
        again = part.question.steps(trace_back(part.question).answer.node)  # by Python's sines: the last bit may differ
        assert [(one.behavior, one.clip, one.frame) for one in again] == [
            (one.behavior, one.clip, one.frame) for one in part.steps
        ]
        np.testing.assert_allclose([one.pose for one in again], [one.pose for one in part.steps], rtol=0.0, atol=1e-9)


def test_a_plan_that_is_not_traced_keeps_nothing(
    jogger: Character, trees: tuple[SearchTree, ...], boxes: World
) -> None:
    assert TreePlanner(trees).solve(course(jogger, boxes)).journey is None
    assert AStar(weight=2.0, trace=True).solve(course(jogger, boxes)).journey is None


def test_where_trees_lead_no_farther_the_question_in_vain_is_kept(jogger: Character, boxes: World) -> None:
    thin = (grow_exhaustive(jogger, depth=2, begins="stand"),)
    plan = TreePlanner(thin, most_expansions=3, trace=True).solve(course(jogger, boxes))
    assert not plan.found
    assert plan.journey is not None
    question = plan.journey.in_vain
    assert question is not None
    assert question.look_up.tree is thin[0]
    assert not trace_back(question).answer.found
