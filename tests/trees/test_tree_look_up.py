"""Look-ups in search trees: sound, complete within the tree, the cheapest first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from evidence.soak.tree_look_ups import SMALL_TREES, examine

from gambol.animate import play
from gambol.body import Body
from gambol.characters import Character, check_steps, load_character
from gambol.errors import InvalidInput
from gambol.judges import Performer, check_motions
from gambol.search import Goal, Traffic
from gambol.trees.diverse import grow_diverse
from gambol.trees.exhaustive import grow_exhaustive
from gambol.trees.look_up import Found, LookUp
from gambol.trees.region import Region
from gambol.trees.tree import SearchTree
from gambol.world import Footprint, Mover, Obstacle, Trajectory, World

JOGS = ("jog", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog", "jump-over")
BOUNDS = (-20.0, -20.0, 20.0, 20.0)


@pytest.fixture(scope="module")
def jogger() -> Character:
    return load_character("human").only(JOGS)


@pytest.fixture(scope="module")
def tree(jogger: Character) -> SearchTree:
    return grow_diverse(jogger, nodes=20_000, region=Region.disc(16.0), begins="jog-left")


@pytest.fixture(scope="module")
def boxes() -> World:
    rng = np.random.default_rng(8)
    things = [
        Obstacle(f"box {n}", Footprint.box(*rng.uniform(0.4, 2.0, 2)), (*rng.uniform(-15, 15, 2), rng.uniform(0, 6)))
        for n in range(60)
    ]
    return World(BOUNDS, tuple(one for one in things if np.hypot(*one.pose[:2]) > 3.0))


def queries(count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(9)
    starts = np.column_stack((rng.uniform(-10, 10, (count, 2)), rng.uniform(-np.pi, np.pi, count)))
    away, turn = rng.uniform(2, 12, count), starts[:, 2] + rng.uniform(-1.0, 1.0, count)
    return starts, starts[:, :2] + away[:, None] * np.column_stack((np.cos(turn), np.sin(turn)))


@pytest.mark.slow
@pytest.mark.parametrize("builder", SMALL_TREES)
def test_what_is_found_is_the_cheapest_of_all_paths_that_may_be_played(builder: str):
    first = list(SMALL_TREES).index(builder)
    counts: dict[str, int] = {}
    for seed in range(first, first + 12 * len(SMALL_TREES), len(SMALL_TREES)):
        findings = examine(seed)
        assert findings.wrong == []
        for what in findings.counts:
            counts[what] = counts.get(what, 0) + 1
    assert sum(counts.values()) == 12
    assert all(what.startswith(builder) for what in counts)


def test_answers_are_the_same_one_by_one_in_a_batch_and_in_threads(jogger: Character, tree: SearchTree, boxes: World):
    starts, goals = queries(300)  # more than a byte has stamps for
    asked = LookUp(tree, jogger, boxes)
    batch = asked.many(starts, goals)
    threaded = asked.many(starts, goals, threads=3)
    again = LookUp(tree, jogger, boxes)
    single = [again.one(tuple(start), Goal(*goal)) for start, goal in zip(starts, goals, strict=True)]
    assert 50 < batch.found.sum() < 300
    for other in (threaded.nodes, [one.node for one in single]):
        np.testing.assert_array_equal(batch.nodes, other)
    np.testing.assert_array_equal(batch.costs, threaded.costs)
    np.testing.assert_array_equal(batch.outcomes, threaded.outcomes)
    assert batch.counts == threaded.counts


def test_paths_are_legal_end_at_the_goal_and_are_clean_at_full_rate(jogger: Character, tree: SearchTree, boxes: World):
    starts, goals = queries(60)
    asked = LookUp(tree, jogger, boxes)
    answers = asked.many(starts, goals)
    body = Body.from_skeleton(jogger.skeleton)
    checked = 0
    for number in np.flatnonzero(answers.found)[:12]:
        steps = asked.steps(int(answers.nodes[number]), tuple(starts[number]))
        check_steps(jogger, steps)
        x, y, _ = tree.pose[answers.nodes[number]].astype(float)
        cosine, sine = np.cos(starts[number, 2]), np.sin(starts[number, 2])
        end = starts[number, :2] + (cosine * x - sine * y, sine * x + cosine * y)
        assert np.hypot(*(end - goals[number])) <= 0.5
        motion = play(jogger, steps)
        report = check_motions(boxes, [Performer("one", motion, body, steps=steps, character=jogger)])
        assert report.is_clean, report.summary
        checked += 1
    assert checked >= 8


def test_a_thin_wall_between_the_points_that_are_looked_at_is_not_passed(jogger: Character):
    """The papers' node and mid-time checks tunnel through it."""
    straight = grow_exhaustive(jogger.only(["jog"]), depth=3, begins="jog-left")
    step = float(straight.pose[1, 0]) if straight.parent[1] == 0 else float(np.sort(straight.pose[:, 0])[1])
    for share in (0.25, 0.4, 0.75, 0.9):
        wall = Obstacle("wall", Footprint.box(0.02, 6.0), (step * (1.0 + share), 0.0, 0.0))
        asked = LookUp(straight, jogger, World(BOUNDS, (wall,)))
        assert not asked.one((0.0, 0.0, 0.0), Goal(3.0 * step, 0.0)).found
    assert LookUp(straight, jogger, World(BOUNDS)).one((0.0, 0.0, 0.0), Goal(3.0 * step, 0.0)).found


def test_what_moves_is_met_at_the_right_time(jogger: Character):
    straight = grow_exhaustive(jogger.only(["jog"]), depth=3, begins="jog-left")
    end = float(straight.pose[:, 0].max())
    # A wall that is in the way for the first four seconds, then gone.
    times, heights = np.array([0.0, 4.0, 4.5]), np.tile((0.0, 2.0), (3, 1))
    poses = np.array([(0.5 * end, 0.0, 0.0), (0.5 * end, 0.0, 0.0), (0.5 * end, 15.0, 0.0)])
    gate = Mover("gate", Footprint.box(0.2, 4.0), Trajectory(times, poses, heights, "once"))
    world = World(BOUNDS, movers=(gate,))
    asked = LookUp(straight, jogger, world, traffic=Traffic.of(world, rate_hz=30.0, horizon_s=60.0), horizon_s=60.0)
    goal = Goal(end, 0.0)
    assert not asked.one((0.0, 0.0, 0.0), goal, frame=0).found
    assert asked.one((0.0, 0.0, 0.0), goal, frame=150).found


def test_preferences_count_in_full_and_what_a_character_cannot_do_is_not_done(jogger: Character):
    tree = grow_exhaustive(jogger, depth=4, begins="jog-left")
    hurdle = Obstacle("hurdle", Footprint.box(0.2, 39.9), (6.0, 0.0, 0.0), 0.0, 0.3)
    world = World(BOUNDS, (hurdle,))
    start, goal = (0.0, 0.0, 0.0), Goal(11.0, 0.0, tolerance_m=1.5)

    def answer(character: Character) -> tuple[list[str], float]:
        asked = LookUp(tree, character, world)
        found = asked.one(start, goal)
        return [character.behaviors[step.behavior].name for step in asked.steps(found.node, start)], found.cost

    usual, usual_cost = answer(jogger)
    assert "jump-over" in usual
    cheap, cheap_cost = answer(jogger.with_weights({"jump-over": 0.1}))
    assert cheap_cost < usual_cost
    assert cheap_cost == pytest.approx(_cost(jogger.with_weights({"jump-over": 0.1}), cheap), abs=1e-4)
    without = jogger.only([name for name in JOGS if name != "jump-over"])
    assert not LookUp(tree, without, world).one(start, goal).found


def _cost(character: Character, names: list[str]) -> float:
    return sum(character.behavior(name).cost(character.cost_by) for name in names)


def test_a_character_with_other_clips_or_other_behaviors_is_refused(jogger: Character, tree: SearchTree):
    world = World(BOUNDS)
    jog = jogger.behavior("jog")
    other = replace(jogger, behaviors=(replace(jog, clips=jog.clips[:1]), *jogger.behaviors[1:]))
    with pytest.raises(InvalidInput, match="other clips for 'jog'"):
        LookUp(tree, other, world)
    with pytest.raises(InvalidInput, match="has no behavior that"):
        LookUp(tree, load_character("human").only(["stand"]), world)


def test_why_nothing_is_found_is_said(jogger: Character, tree: SearchTree):
    ring = [
        Obstacle(f"wall {n}", Footprint.box(0.3, 6.0), (3.0 * np.cos(a), 3.0 * np.sin(a), a))
        for n, a in enumerate(np.arange(4) * np.pi / 2.0)
    ]
    near = [replace(wall, pose=(0.4 * wall.pose[0], 0.4 * wall.pose[1], wall.pose[2])) for wall in ring]
    start = (0.0, 0.0, 0.0)
    assert LookUp(tree, jogger, World(BOUNDS)).one(start, Goal(19.0, 0.0)).outcome is Found.OUT_OF_REACH
    assert LookUp(tree, jogger, World(BOUNDS, tuple(near))).one(start, Goal(8.0, 0.0)).outcome is Found.SHUT
    stub = Obstacle("stub", Footprint.box(0.3, 3.0), (1.2, 0.0, 0.0))
    assert LookUp(tree, jogger, World(BOUNDS, (stub,))).one(start, Goal(8.0, 0.0, 1.0)).outcome is Found.HEMMED_IN


@pytest.mark.parametrize(
    ("starts", "goals", "settings", "message"),
    [
        (np.zeros((2, 2)), np.zeros((2, 2)), {}, "x, y, heading"),
        (np.zeros((2, 3)), np.zeros((3, 2)), {}, "for each of 2 starts"),
        (np.full((1, 3), np.nan), np.zeros((1, 2)), {}, "finite"),
        (np.zeros((1, 3)), np.zeros((1, 2)), {"tolerance_m": 0.0}, "tolerance"),
        (np.zeros((1, 3)), np.zeros((1, 2)), {"threads": 0}, "thread"),
        (np.zeros((1, 3)), np.zeros((1, 2)), {"frames": [-1]}, "frames"),
        (np.zeros((1, 3)), np.zeros((1, 2)), {"first": np.ones(3, dtype=bool)}, "each of 7 behaviors"),
    ],
)
def test_bad_queries_are_refused(jogger: Character, tree: SearchTree, starts, goals, settings, message: str):
    with pytest.raises(InvalidInput, match=message):
        LookUp(tree, jogger, World(BOUNDS)).many(starts, goals, **settings)


@pytest.mark.parametrize("tolerance_m", [30.0, 1e4, 1e300])
def test_a_goal_as_wide_as_the_world_is_reached_by_the_cheapest_clip(jogger: Character, tree: SearchTree, tolerance_m):
    answer = LookUp(tree, jogger, World(BOUNDS)).one((0.0, 0.0, 0.0), Goal(5.0, 0.0, tolerance_m))
    assert answer.cost == pytest.approx(tree.cost[1:].min() * 1e-6)


@pytest.mark.parametrize(
    ("start", "settings", "message"),
    [
        ((0.0, np.nan, 0.0), {}, "finite"),
        ((0.0, 0.0, 0.0), {"frame": -5}, "a frame"),
        ((0.0, 0.0, 0.0), {"frame": 2**62}, "a frame"),
        ((0.0, 0.0, 0.0), {"after": 99}, "no behavior 99"),
    ],
)
def test_a_bad_query_is_refused(jogger: Character, tree: SearchTree, start, settings, message: str):
    with pytest.raises(InvalidInput, match=message):
        LookUp(tree, jogger, World(BOUNDS)).one(start, Goal(5.0, 0.0), **settings)


def test_no_queries_have_no_answers(jogger: Character, tree: SearchTree):
    answers = LookUp(tree, jogger, World(BOUNDS)).many(np.zeros((0, 3)), np.zeros((0, 2)))
    assert len(answers.nodes) == 0
