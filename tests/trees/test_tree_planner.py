"""Plans by look-up: legal, clean at full rate, the same every time, and honest where there is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from evidence.soak.planning_problems import random_figure
from evidence.soak.scene_generator import Limits, random_scene
from tests.support.command_line import runner
from tests.support.small_scenes import ALONE

from gambol.characters import Character, Step, Transition, check_steps, load_character, place_steps
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import compose
from gambol.planners import IMPROVE_STATES, planner_named
from gambol.scenes import Actor, Scene
from gambol.search import AStar, Goal, Outcome, Plan, Problem
from gambol.stages import PlanStage, perform
from gambol.trees.cheapest import grow_cheapest
from gambol.trees.diverse import grow_diverse
from gambol.trees.exhaustive import grow_exhaustive
from gambol.trees.planner import TreePlanner
from gambol.trees.roots import root_labels, trees_for
from gambol.trees.tree import SearchTree
from gambol.world import Footprint, Mover, Obstacle, Trajectory, World

JOGS = ("jog", "jog-left-15", "jog-right-15", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog")
OTHERS = ("start", "go", "stop", "short-stop", "stand", "jump-over", "jump", "duck", "duck-deep", "crawl")
MOST_MORE = 4  # times as many states as asked for, that a plan far from what was estimated is improved by
BOUNDS = (0.0, 0.0, 40.0, 20.0)


@pytest.fixture(scope="module")
def jogger() -> Character:
    return load_character("human").only([*JOGS, *OTHERS])


@pytest.fixture(scope="module")
def trees(jogger: Character) -> tuple[SearchTree, ...]:
    return tuple(
        grow(jogger, nodes=20_000, begins=label)
        for label in ("stand", "jog-left")
        for grow in (grow_cheapest, grow_diverse)
    )


@pytest.fixture(scope="module")
def lk06() -> Character:
    return load_character("human").subset("lk06-21")


@pytest.fixture(scope="module")
def forest(lk06: Character) -> tuple[SearchTree, ...]:
    return tuple(grow_cheapest(lk06, nodes=10_000, begins=label) for label in root_labels(lk06))


def boxes(seed: int, count: int = 25) -> World:
    rng = np.random.default_rng(seed)
    things = [
        Obstacle(
            f"box {n}", Footprint.box(*rng.uniform(0.4, 2.5, 2)), (*rng.uniform((4, 0), (36, 20)), rng.uniform(0, 6))
        )
        for n in range(count)
    ]
    return World(BOUNDS, tuple(one for one in things if np.hypot(one.pose[0] - 37.0, one.pose[1] - 10.0) > 2.5))


def across(jogger: Character, world: World, **changes: object) -> Problem:
    return replace(Problem(world, jogger, (2.0, 10.0, 0.0), Goal(37.0, 10.0)), **changes)  # pyright: ignore


def wall(height_m: float = 3.0, bottom_m: float = 0.0) -> Obstacle:
    """From side to side at x = 20."""
    return Obstacle("wall", Footprint.box(0.2, 20.0), (20.0, 10.0, 0.0), bottom_m, height_m)


def end_of(plan: Plan) -> np.ndarray:
    step = plan.steps[-1]
    clip = plan.character.behaviors[step.behavior].clips[step.clip]
    return compose(np.array(step.pose), clip.displacement)


def counted(plan: Plan) -> float:
    """What a plan's behaviors and the transitions between them cost on level ground."""
    figure, played = plan.character, [step.behavior for step in plan.steps]
    own = sum(figure.behaviors[one].cost(figure.cost_by) for one in played)
    return own + float(figure.transition_costs[played[:-1], played[1:]].sum())


def judged(problem: Problem, planner: TreePlanner) -> Plan:
    """Plan, and have the full-rate check judge the motion."""
    actor = Actor(
        "one", problem.character, problem.start, problem.goal, problem.waypoints,
        start_s=problem.start_frame / problem.character.planning_rate_hz, horizon_s=problem.horizon_s,
    )  # fmt: skip
    performance = perform(Scene("test", problem.world, (actor,)), PlanStage(planner))
    assert performance.report is not None
    assert performance.report.is_clean, performance.report
    return performance.plans[0]


@pytest.mark.parametrize("seed", range(4))
def test_plans_among_boxes_are_legal_clean_and_end_at_the_goal(
    jogger: Character, trees: tuple[SearchTree, ...], seed: int
) -> None:
    plan = judged(across(jogger, boxes(seed)), TreePlanner(trees))
    assert plan.found, plan.reason
    check_steps(jogger, plan.steps)
    assert np.hypot(*(end_of(plan)[:2] - (37.0, 10.0))) <= 0.5
    assert jogger.behaviors[plan.steps[-1].behavior].ends == "stand"
    assert plan.cost == pytest.approx(counted(plan), abs=1e-4)
    assert not plan.statistics.fell_back
    assert plan.statistics.look_ups > 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 8, 11, 14])
def test_plans_in_random_scenes_are_clean_whoever_arrives(
    lk06: Character, forest: tuple[SearchTree, ...], seed: int
) -> None:
    scene = random_scene(seed, lk06, Limits.of(load_character("human")))
    performance = perform(scene, PlanStage(TreePlanner(forest, most_expansions=100)))
    assert performance.report is not None
    assert performance.report.is_clean
    for plan in performance.plans:
        assert plan.found == (plan.reason == "")
        if plan.found:
            check_steps(lk06, plan.steps)


def test_a_goal_within_reach_is_found_from_the_start(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    problem = across(jogger, World(BOUNDS), goal=Goal(14.0, 12.0), begins="jog-left")
    plan = TreePlanner(trees[2:3], improve=0).solve(problem)
    assert plan.found
    assert plan.statistics.expansions == 1


def test_a_wide_goal_whose_edge_is_within_reach_is_looked_up_itself(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    problem = across(jogger, World((-20.0, -20.0, 40.0, 20.0)), start=(-15.0, 0.0, 0.0), goal=Goal(12.0, 1.0, 20.0))
    plan, best = TreePlanner(trees).solve(problem), AStar(weight=1.0).solve(problem)
    assert plan.found
    assert plan.cost <= 1.15 * best.cost


def charged_figure(seed: int) -> Character:
    """A figure with one clip for each behavior, whose transitions all cost something else."""
    rng = np.random.default_rng(seed)
    figure = random_figure(rng)
    going = [replace(one, clips=one.clips[:1]) for one in figure.behaviors if one.begins == one.ends == "go"]
    charged = [Transition(one.name, other.name, float(rng.uniform(0.0, 2.0))) for one in going for other in going]
    return replace(figure, behaviors=tuple(going), transitions=tuple(charged))


def ways(problem: Problem, counts: tuple[int, ...]) -> Iterator[tuple[float, tuple[Step, ...]]]:
    """Everything that ends at the goal after so many steps, and what it costs: the first transition is paid for."""
    figure = problem.character
    own = [one.cost(figure.cost_by) for one in figure.behaviors]
    for count in counts:
        for names in product([one.name for one in figure.behaviors], repeat=count):
            steps = place_steps(figure, names, start=problem.start)
            last = figure.behaviors[steps[-1].behavior].clips[0]
            x, y, _ = compose(np.array(steps[-1].pose), last.displacement)
            if np.hypot(x - problem.goal.x, y - problem.goal.y) <= problem.goal.tolerance_m:
                played = [step.behavior for step in steps]
                between = figure.transition_costs[played[:-1], played[1:]].sum()
                yield sum(own[behavior] for behavior in played) + between, steps


@pytest.mark.parametrize("after", [None, "forward"])
@pytest.mark.parametrize("seed", range(6))
def test_all_transitions_but_that_to_the_first_step_are_charged(seed: int, after: str | None) -> None:
    figure = charged_figure(seed)
    depth_2 = (grow_exhaustive(figure, depth=2),)
    reached = next(ways(Problem(World((-9.0, -9.0, 9.0, 9.0)), figure, (0.0, 0.0, 0.3), Goal(0.8, 0.5, 0.5)), (3,)))
    problem = Problem(
        World((-9.0, -9.0, 9.0, 9.0)), figure, (0.0, 0.0, 0.3), Goal(*reached[1][2].pose[:2], 0.5), after=after
    )
    plan = TreePlanner(depth_2, improve=500).solve(problem)
    assert plan.found
    assert plan.cost == pytest.approx(counted(plan), abs=1e-5)
    assert plan.cost >= min(cost for cost, _ in ways(problem, (1, 2, 3))) - 1e-5


def test_no_plan_costs_less_than_its_bound_says(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    problem = across(jogger, World(BOUNDS), goal=Goal(10.0, 12.0))
    plan, best = TreePlanner(trees).solve(problem), AStar(exact=True).solve(problem)
    assert best.cost <= plan.cost + 1e-9
    assert plan.cost <= plan.bound * best.cost + 1e-9


@pytest.mark.parametrize(("bottom", "top"), [(0.0, 0.35), (1.25, 3.0), (0.9, 3.0)])
def test_what_lies_all_across_is_jumped_over_ducked_under_or_crawled_under(
    jogger: Character, trees: tuple[SearchTree, ...], bottom: float, top: float
) -> None:
    plan = judged(across(jogger, World(BOUNDS, (wall(top, bottom),))), TreePlanner(trees))
    assert plan.found, plan.reason
    assert {jogger.behavior(name).kind for name in plan.behaviors} & {"jump", "low"}


def test_way_points_heading_and_last_behavior_are_kept(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    points = (Goal(10.0, 15.0), Goal(22.0, 5.0))
    goal = Goal(36.0, 10.0, heading_rad=0.5, heading_tolerance_rad=0.4, behavior="short-stop")
    plan = judged(across(jogger, boxes(2, 10), waypoints=points, goal=goal), TreePlanner(trees))
    assert plan.found, plan.reason
    ends = np.array([step.pose[:2] for step in plan.steps[1:]])
    passed = [int(np.argmax(np.hypot(*(ends - (point.x, point.y)).T) <= point.tolerance_m)) for point in points]
    for point, at in zip(points, passed, strict=True):
        assert np.hypot(*(ends[at] - (point.x, point.y))) <= point.tolerance_m
    assert passed == sorted(passed)
    assert abs(end_of(plan)[2] - 0.5) <= 0.4
    assert plan.behaviors[-1] == "short-stop"


def shuttle() -> Mover:
    poses = np.array([[20.0, 5.0, 0.0], [20.0, 15.0, 0.0]])
    trajectory = Trajectory(np.array([0.0, 5.0]), poses, np.array([[0.0, 2.0]] * 2), "bounce")
    return Mover("shuttle", Footprint.box(1.0, 6.0), trajectory)


@pytest.mark.parametrize("start_frame", [0, 45, 100])
def test_what_moves_is_met_at_no_time(jogger: Character, trees: tuple[SearchTree, ...], start_frame: int) -> None:
    world = World(BOUNDS, movers=(shuttle(),))
    plan = judged(across(jogger, world, start_frame=start_frame), TreePlanner(trees))
    assert plan.found, plan.reason
    assert plan.steps[0].frame == start_frame


def test_who_goes_on_after_a_behavior_makes_a_legal_transition(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    plan = TreePlanner(trees).solve(across(jogger, boxes(3), after="jog"))
    assert plan.found
    assert plan.behaviors[0] in jogger.successors("jog")


def test_the_same_problem_has_the_same_plan(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    for seed in range(3):
        problem = across(jogger, boxes(seed))
        one, two = (TreePlanner(trees, improve=40).solve(problem) for _ in range(2))
        assert one.steps == two.steps
        assert one.cost == two.cost
        assert one.statistics.look_ups == two.statistics.look_ups


def test_improvement_never_makes_a_plan_dearer_and_keeps_to_its_budget(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    gained = 0
    for seed in range(5):
        problem = across(jogger, boxes(seed))
        plain, better = (TreePlanner(trees, improve=budget).solve(problem) for budget in (0, 150))
        assert better.cost <= plain.cost + 1e-9
        assert better.statistics.expansions <= plain.statistics.expansions + MOST_MORE * 150
        check_steps(jogger, better.steps)
        gained += better.cost < plain.cost - 1e-9
    assert gained >= 2


def test_an_improved_plan_reaches_all_goals_in_turn(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    points = (Goal(12.0, 5.0), Goal(24.0, 14.0))
    problem = across(jogger, boxes(4), waypoints=points)
    for planner in (TreePlanner(trees, improve=0), TreePlanner(trees, improve=100)):
        plan = planner.solve(problem)
        assert plan.found
        check_steps(jogger, plan.steps)
        ends = np.array([step.pose[:2] for step in plan.steps[1:]])
        first, second = (np.flatnonzero(np.hypot(*(ends - (one.x, one.y)).T) <= one.tolerance_m) for one in points)
        assert len(first) > 0
        assert second.max() > first.min()


def test_many_problems_have_the_same_plans_whatever_the_threads(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    problems = [across(jogger, boxes(seed), start=(2.0, y, 0.0)) for seed in range(2) for y in (6.0, 10.0, 14.0)]
    alone = [TreePlanner(trees).solve(problem).steps for problem in problems]
    for threads in (1, 2, 3):
        assert [plan.steps for plan in TreePlanner(trees).solve_many(problems, threads=threads)] == alone
    with pytest.raises(InvalidInput, match="thread"):
        TreePlanner(trees).solve_many(problems, threads=0)


def test_where_the_tree_has_no_answer_the_fallback_goes_on(jogger: Character) -> None:
    thin = (grow_exhaustive(jogger, depth=2, begins="stand"),)
    problem = across(jogger, boxes(0))
    alone = TreePlanner(thin, most_expansions=2).solve(problem)
    assert alone.outcome is Outcome.OUT_OF_BUDGET  # no proof that there is no way: there is one
    assert "search may find" in alone.reason
    helped = judged(problem, TreePlanner(thin, fallback=AStar(weight=1.5), most_expansions=2))
    assert helped.found
    assert helped.statistics.fell_back
    assert helped.statistics.expansions > 0
    check_steps(jogger, helped.steps)


def test_what_the_trees_did_is_added_to_what_the_fallback_did(jogger: Character) -> None:
    thin, problem = (grow_exhaustive(jogger, depth=0, begins="stand"),), across(jogger, boxes(0))
    searched = AStar(weight=1.5).solve(problem).statistics
    alone = TreePlanner(thin, most_expansions=2).solve(problem).statistics
    helped = TreePlanner(thin, fallback=AStar(weight=1.5), most_expansions=2).solve(problem).statistics
    assert helped.fell_back
    assert helped.expansions == searched.expansions + alone.expansions
    assert helped.nodes == searched.nodes + alone.nodes


def test_what_nobody_crosses_is_said_to_be_between(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    plan = TreePlanner(trees).solve(across(jogger, World(BOUNDS, (wall(),))))
    assert plan.outcome is Outcome.UNREACHABLE
    assert "nobody crosses" in plan.reason
    assert plan.steps == ()


def test_blocked_starts_and_goals_are_said_to_be(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    block = Obstacle("block", Footprint.box(2.0, 2.0), (2.0, 10.0, 0.0))
    plan = TreePlanner(trees).solve(across(jogger, World(BOUNDS, (block,))))
    assert plan.outcome is Outcome.START_BLOCKED
    assert "'block'" in plan.reason
    block = Obstacle("block", Footprint.box(3.0, 3.0), (37.0, 10.0, 0.0))
    plan = TreePlanner(trees, fallback=AStar()).solve(across(jogger, World(BOUNDS, (block,))))
    assert plan.outcome is Outcome.GOAL_BLOCKED
    assert plan.statistics.expansions == 0


def test_a_goal_beyond_what_nobody_crosses_is_not_searched_for(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    problem = across(jogger, World(BOUNDS, (wall(),)), goal=Goal(10.0, 10.0), waypoints=(Goal(30.0, 10.0),))
    plan = TreePlanner(trees, fallback=AStar()).solve(problem)
    assert plan.outcome is Outcome.UNREACHABLE
    assert plan.statistics.expansions == 0


def test_what_the_trees_do_not_cross_single_steps_do(jogger: Character) -> None:
    no_jumps = jogger.only([one.name for one in jogger.behaviors if one.kind != "jump"])
    forest = tuple(grow_cheapest(no_jumps, nodes=5_000, begins=label) for label in ("stand", "jog-left"))
    problem = across(jogger, World(BOUNDS, (wall(0.35),)))
    plan = judged(problem, TreePlanner(forest))
    assert plan.found
    assert "jump" in {jogger.behavior(name).kind for name in plan.behaviors}
    alone = TreePlanner(forest).solve(replace(problem, character=no_jumps))
    assert alone.outcome is not Outcome.FOUND


@pytest.mark.parametrize("begins", ["stand", "jog-left"])
def test_a_tree_that_is_only_a_root_leaves_all_to_single_steps_and_the_fallback(jogger: Character, begins: str) -> None:
    root = (grow_exhaustive(jogger, depth=0, begins=begins, endings=()),)
    assert len(root[0]) == 1
    problem = across(jogger, World(BOUNDS))
    plan = TreePlanner(root, most_expansions=1).solve(problem)
    assert plan.outcome is Outcome.OUT_OF_BUDGET
    assert plan.reason
    helped = TreePlanner(root, fallback=AStar(weight=1.5), most_expansions=1).solve(problem)
    assert helped.found
    assert helped.statistics.fell_back


def test_a_start_where_no_tree_is_rooted_is_said_to_be(jogger: Character) -> None:
    never_stops = jogger.only([*JOGS, "start", "stand"])
    tree = grow_cheapest(never_stops, nodes=2_000, begins="stand")
    problem = across(never_stops, World(BOUNDS), begins="jog-left")
    plan = TreePlanner((tree,)).solve(problem)
    assert plan.outcome is Outcome.OUT_OF_BUDGET
    assert "no tree is rooted" in plan.reason
    assert "'jog-left'" in plan.reason
    assert plan.statistics.look_ups == 0
    assert TreePlanner((tree,)).solve(replace(problem, begins="stand")).statistics.look_ups > 0


def test_states_that_run_out_leave_a_way_that_leads_nearer(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    plan = TreePlanner(trees, most_expansions=2).solve(across(jogger, boxes(0)))
    assert plan.outcome is Outcome.OUT_OF_BUDGET
    assert plan.statistics.expansions == 2
    assert plan.steps
    assert end_of(plan)[0] > 5.0


def test_a_group_plans_with_trees(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    cast = [
        Actor(f"actor {n}", jogger, (3.0 if n % 2 else 37.0, 5.0 + 2.5 * n, 0.0 if n % 2 else np.pi),
              Goal(37.0 if n % 2 else 3.0, 12.5 - 2.5 * n + 2.5))
        for n in range(4)
    ]  # fmt: skip
    performance = perform(Scene("crossing", World(BOUNDS), tuple(cast)), PlanStage(TreePlanner(trees)))
    assert performance.is_clean


def test_rest_and_hubs_are_where_trees_are_rooted() -> None:
    assert root_labels(load_character("human")) == ("stand", "jog-left")
    assert root_labels(load_character("human").only(JOGS)) == ("jog-left",)


def test_characters_share_trees_only_if_all_is_alike_that_trees_grow_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("gambol.trees.cache.tree_folder", lambda: tmp_path)
    jogs = load_character("human").only(JOGS)
    first, *others = jogs.behaviors
    same = replace(jogs, behaviors=tuple(replace(one) for one in jogs.behaviors))
    assert trees_for(same, nodes=200) is trees_for(jogs, nodes=200)
    for changed in (
        replace(jogs, behaviors=(replace(first, kind="jump"), *others)),
        replace(jogs, behaviors=(replace(first, label="trot"), *others)),
        replace(jogs, behaviors=(replace(first, weight=2.0 * first.weight), *others)),
        replace(jogs, cost_by="chord" if jogs.cost_by == "path" else "path"),
    ):
        assert trees_for(changed, nodes=200) is not trees_for(jogs, nodes=200)


def test_the_cheapest_tree_grows_what_is_cheapest_of_all_paths() -> None:
    jogs = load_character("human").only(JOGS)
    everything = np.sort(grow_exhaustive(jogs, depth=5, begins="jog-left").cost)
    tree = grow_cheapest(jogs, nodes=400, cell_m=0.05, begins="jog-left")
    assert len(tree) == 400
    merged = 40  # paths that end in the same 5 cm and 30 degrees
    assert (np.sort(tree.cost)[:300] <= everything[: 300 + merged][-300:]).all()
    assert tree.cost.max() <= everything[400 + merged]


@pytest.mark.slow
def test_of_all_paths_to_a_place_the_cheapest_tree_has_one_that_costs_least() -> None:
    jogs = load_character("human").only(JOGS)
    everything = grow_exhaustive(jogs, depth=4, begins="jog-left")
    tree = grow_cheapest(jogs, nodes=3_000, cell_m=0.05, reach_m=8.0, begins="jog-left")
    assert np.hypot(tree.pose[:, 0], tree.pose[:, 1]).max() <= 8.0
    covered = everything.cost < tree.cost.max()
    near = covered & (np.hypot(everything.pose[:, 0], everything.pose[:, 1]) <= 7.5)
    assert near.sum() > 1_000
    for node in np.flatnonzero(near):
        away = np.hypot(*(tree.pose[:, :2] - everything.pose[node, :2]).T)
        turned = np.abs(np.angle(np.exp(1j * (tree.pose[:, 2] - everything.pose[node, 2]))))
        alike = (away <= 0.1) & (turned <= np.radians(31.0))
        assert alike.any()
        assert tree.cost[alike].min() <= everything.cost[node] + 1, node


def test_a_cheapest_tree_is_the_same_each_time_and_dearer_with_every_step() -> None:
    jogs = load_character("human").only(JOGS)
    tree, again = (grow_cheapest(jogs, nodes=5_000, reach_m=8.0, begins="jog-left") for _ in range(2))
    assert (tree.cost[1:] > tree.cost[tree.parent[1:]]).all()
    assert np.array_equal(tree.pose, again.pose)
    assert np.array_equal(tree.clip, again.clip)


def test_settings_are_checked(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    with pytest.raises(InvalidInput, match="at least one search tree"):
        TreePlanner(())
    for wrong in (trees[0], "human.safetensors", ["human.safetensors"], [Path("human.safetensors")], 3):
        with pytest.raises(InvalidInput, match="read_tree"):
            TreePlanner(wrong)  # pyright: ignore[reportArgumentType]
        with pytest.raises(InvalidInput, match="read_tree"):
            planner_named("tree", trees=wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(InvalidInput, match="fallback must be a planner"):
        TreePlanner(trees, fallback="astar")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InvalidInput, match="states are counted"):
        TreePlanner(trees, improve=-1)
    with pytest.raises(InvalidInput, match="states are counted"):
        TreePlanner(trees, most_expansions=0)
    with pytest.raises(InvalidInput, match="positive distance"):
        grow_cheapest(jogger, nodes=10, reach_m=-1.0)
    with pytest.raises(InvalidInput, match="cells"):
        grow_cheapest(jogger, nodes=10, cell_m=0.001)


def test_trees_of_another_character_are_refused(trees: tuple[SearchTree, ...]) -> None:
    horse = load_character("horse")
    with pytest.raises(InvalidInput):
        TreePlanner(trees).solve(Problem(World(BOUNDS), horse, (5.0, 10.0, 0.0), Goal(35.0, 10.0)))


def test_the_planner_has_a_name(trees: tuple[SearchTree, ...]) -> None:
    chosen = planner_named("tree", trees=trees, fallback=False)
    assert isinstance(chosen, TreePlanner)
    assert chosen.fallback is None
    assert chosen.trees == trees
    assert chosen.improve == IMPROVE_STATES
    with pytest.raises(InvalidInput, match="'tree'"):
        planner_named("astar", trees=trees)
    with pytest.raises(InvalidInput, match="time limit"):
        planner_named("tree", time_limit_s=1.0)
    with pytest.raises(UnknownName):
        planner_named("trees")


def test_the_command_grows_trees_before_it_plans_and_says_how_often_it_looked_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    told: list[str] = []
    known: dict[Character, tuple[SearchTree, ...]] = {}

    def grown(character: Character) -> tuple[SearchTree, ...]:
        if character not in known:
            told.append("grown")
            known[character] = tuple(grow_cheapest(character, nodes=5_000, begins=one) for one in ("stand", "jog-left"))
        return known[character]

    @contextmanager
    def bar(*, hidden: bool = False) -> Iterator[Callable[[str, float], None]]:
        yield lambda what, share: told.append(what)

    monkeypatch.setattr("gambol.trees.planner.trees_for", grown)
    monkeypatch.setattr("gambol.cli.performing.progress_bar", bar)
    run = runner(monkeypatch, capsys)
    scene = tmp_path / "scene.toml"
    scene.write_text(ALONE)
    code, out, _ = run("plan", scene, "--planner", "tree", "--json")
    assert code == 0
    assert told[:4] == ["reading the scene", "growing trees for human/lk05", "grown", "planning"]
    assert told.count("grown") == 1
    (ann,) = json.loads(out)["characters"]
    assert ann["look_ups"] > 0
    assert ann["fell_back"] is False
    monkeypatch.setenv("COLUMNS", "200")
    assert "look-ups" in run("plan", scene, "--planner", "tree", "--no-check")[1]
    assert "look-ups" not in run("plan", scene, "--planner", "weighted", "--no-check")[1]


def test_who_faces_the_wrong_way_in_a_maze_turns_round_and_gets_there():
    """The way back is longer than what the map looks at first; the other side of the wall is near the goal."""
    jogger = load_character("human").subset("lk06-13")
    corridor = [
        Obstacle("left", Footprint.box(0.5, 24.0), (6.0, 12.0, 0.0)),
        Obstacle("right", Footprint.box(0.5, 24.0), (12.0, 20.0, 0.0)),
    ]
    world = World((0.0, 0.0, 44.0, 32.0), tuple(corridor))
    grown = [grow_diverse(jogger, nodes=20_000, begins=label) for label in ("stand", "jog-left")]
    problem = Problem(world, jogger, (10.25, 20.5, 0.96), Goal(18.0, 27.0), begins="jog-left")
    plan = TreePlanner(grown).solve(problem)
    assert plan.found
    assert plan.steps[-1].pose[0] > 12.0
    assert min(step.pose[1] for step in plan.steps) < 9.0
    others = [replace(problem, start=start) for start in ((9.0, 14.0, 0.9), (9.0, 18.0, 0.9), (10.5, 22.0, 0.9))]
    assert all(one.found for one in map(TreePlanner(grown).solve, others))
