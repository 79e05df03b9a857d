from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from evidence.soak.brute_force import BruteForce
from evidence.soak.planner_optimality import OptimalityJob, examine
from evidence.soak.planning_problems import KINDS, random_figure, random_problem
from evidence.soak.run import run_job
from evidence.soak.search_variants import VARIANTS, means, scenes_run

from gambol.characters import Annotation, Character, clip_of, highest_hurdle, load_character, lowest_beam
from gambol.core import lib
from gambol.errors import InvalidInput
from gambol.search.astar import Anytime, AStar
from gambol.search.plan import Outcome, Plan
from gambol.search.problem import Goal, Problem
from gambol.search.search import NEVER, StateTable, set_up
from gambol.search.traffic import Traffic
from gambol.world import Footprint, Mover, Obstacle, Special, Trajectory, World

ROOT = Path(__file__).resolve().parent.parent.parent
UNIT = 1e-6


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("lk05")


@pytest.fixture(scope="module")
def figure() -> Character:
    return random_figure(np.random.default_rng(3))


def wall(
    name: str, x: float, y: float, length_m: float, width_m: float, *, bottom_m: float = 0.0, top_m: float = 3.0
) -> Obstacle:
    return Obstacle(name, Footprint.box(length_m, width_m), (x, y, 0.0), bottom_m, top_m)


def room(x: float, y: float, half_m: float) -> tuple[Obstacle, ...]:
    """Return four walls around a place."""
    long_m = 2.0 * half_m + 0.1
    return (
        wall("east", x + half_m, y, 0.1, long_m),
        wall("north", x, y + half_m, long_m, 0.1),
        wall("west", x - half_m, y, 0.1, long_m),
        wall("south", x, y - half_m, long_m, 0.1),
    )


# Against brute force


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_variant_keeps_what_it_promises_as_brute_force_shows(kind: str):
    solved = 0
    for seed in range(6):
        found = examine(random_problem(seed, kind=kind))
        assert found.wrong == [], f"problem {seed}"
        solved += found.answer.cost is not None
    assert solved > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "seeds"),
    [
        ("plain", range(4)),
        ("tagged", range(4)),
        ("hilly", range(4)),
        ("sealed", (3, 25, 29, 30)),
    ],  # rooms with a way in
)
def test_the_lower_bound_is_never_above_what_is_left_from_any_state(kind: str, seeds: Sequence[int]):
    compared = 0
    for seed in seeds:
        problem = random_problem(seed, kind=kind)
        left = BruteForce(problem).costs_left(most_states=2000)
        for around in (True, False):
            query = set_up(problem, around=around).core.query
            for state, cost in left or []:
                bound = int(lib.gb_query_cost_left(query.c, state.leg, state.x, state.y))
                assert bound <= cost or (bound == NEVER and math.isinf(cost))
                compared += math.isfinite(cost)
    assert compared > 0


def test_a_behavior_asked_for_at_the_end_is_not_shadowed_by_a_cheaper_one(figure: Character):
    """Two behaviors that lead to the same place, after which the same may follow, and only the dearer may be last."""
    cheap = figure.behavior("forward")
    dear = replace(cheap, name="stately", label="stately", weight=3.0 * cheap.weight)
    character = Character("pair", figure.skeleton, figure.planning_rate_hz, (cheap, dear))
    reach = float(cheap.clips[0].displacement[0])
    goal = Goal(1.0 + 2.0 * reach, 1.0, 0.05, behavior="stately")
    for exact in (True, False):
        plan = AStar(exact=exact).solve(Problem(World((0, 0, 4, 2)), character, (1.0, 1.0, 0.0), goal))
        assert plan.found
        assert plan.behaviors[-1] == "stately"


def test_when_one_sets_out_makes_no_difference_where_nothing_moves():
    """States that differ in time alone are one there, so which clip is played must not depend on time."""
    several = 0
    for seed in (10, 11, 15, 25, 31, 35):
        problem = random_problem(seed, kind="plain")
        early, late = (AStar(exact=True).solve(replace(problem, start_frame=frame)) for frame in (0, 13))
        assert early.outcome == late.outcome
        assert [(step.behavior, step.clip, step.pose, step.frame + 13) for step in early.steps] == [
            (step.behavior, step.clip, step.pose, step.frame) for step in late.steps
        ]
        several += any(step.clip > 0 for step in early.steps)
    assert several > 0


def test_a_way_point_may_be_the_goal_itself(figure: Character):
    goal = Goal(2.0, 1.0, 0.3)
    plan = AStar().solve(Problem(World((0, 0, 3, 2)), figure, (0.8, 1.0, 0.0), goal, (goal,)))
    assert plan.found


# The variants


def scene(human: Character, seed: int) -> Problem:
    """Return a problem with a few boxes for the human to go around."""
    rng = np.random.default_rng(seed)
    boxes = tuple(
        Obstacle(
            f"box {number}",
            Footprint.box(float(rng.uniform(1.0, 4.0)), float(rng.uniform(0.5, 2.0))),
            (float(rng.uniform(3.0, 12.0)), float(rng.uniform(0.0, 15.0)), float(rng.uniform(0.0, 3.0))),
        )
        for number in range(6)
    )
    return Problem(World((0, 0, 15, 15), boxes), human, (1.0, 7.5, 0.0), Goal(14.0, 7.5))


@pytest.mark.slow
def test_anytime_gets_better_and_its_bounds_with_it(human: Character):
    plans = list(Anytime().improvements(scene(human, 1)))
    assert len(plans) > 1
    assert all(plan.found for plan in plans)
    for earlier, later in pairwise(plans):
        assert later.cost <= earlier.cost
        assert later.bound <= earlier.bound
        assert later.statistics.expansions >= earlier.statistics.expansions
    assert plans[-1].cost <= AStar(weight=3.0).solve(scene(human, 1)).cost


def test_anytime_stops_at_its_budget_with_the_best_so_far(human: Character):
    problem = scene(human, 1)
    first = next(iter(Anytime().improvements(problem)))
    short = replace(problem, max_expansions=first.statistics.expansions + 5)
    plan = Anytime().solve(short)
    assert plan.found
    assert plan.statistics.expansions <= short.max_expansions


@pytest.mark.slow
def test_from_astar_to_truncated_to_inflated_trees_shrink_and_astar_is_the_cheapest():
    """Which of the other two is dearer differs from scene to scene: that takes the soak's hundred."""
    mean = means([runs for _, runs in scenes_run(8, VARIANTS)], tuple(VARIANTS))
    for what in ("nodes", "expansions"):
        assert mean[f"astar_{what}"] > mean[f"truncated_{what}"] > mean[f"inflated_{what}"]
    assert mean["astar_cost"] <= min(mean["truncated_cost"], mean["inflated_cost"])


def test_the_soak_counts_what_brute_force_found(tmp_path: Path):
    record = run_job(OptimalityJob(problems=4, chunk_size=2), tmp_path)
    assert record.is_finished
    assert record.tally.failures == []
    assert record.tally.inputs == record.tally.accepted == 4
    assert sum(count for name, count in record.tally.counts.items() if name.startswith("brute force")) == 4


def test_a_wrong_setting_is_refused():
    for weight, keep in ((0.9, 0), (math.nan, 0), (1.0, -1)):
        with pytest.raises(InvalidInput):
            AStar(weight=weight, keep=keep)
    for weights in ((), (1.0, 2.0), (2.0, 2.0), (0.5,)):
        with pytest.raises(InvalidInput):
            Anytime(weights=weights)


def test_each_clip_listed_a_thousand_times_gives_the_same_plan_with_as_many_expansions(human: Character):
    def times(count: int) -> Character:
        return replace(
            human,
            behaviors=tuple(
                replace(behavior, clips=tuple(clip for clip in behavior.clips for _ in range(count)))
                for behavior in human.behaviors
            ),
        )

    one, many = (AStar(weight=1.2).solve(scene(times(count), 2)) for count in (1, 1000))
    assert one.found
    assert [(step.behavior, step.pose, step.frame) for step in one.steps] == [
        (step.behavior, step.pose, step.frame) for step in many.steps
    ]
    assert [step.clip for step in one.steps] == [step.clip // 1000 for step in many.steps]
    assert one.cost == many.cost
    assert one.statistics.expansions == many.statistics.expansions
    assert one.statistics.collision_samples == many.statistics.collision_samples


def digests() -> list[str]:
    """Return a hash of everything but the timings of some plans."""
    planners = (AStar(trace=True), AStar(weight=2.0, keep=15, trace=True), Anytime(trace=True), AStar(exact=True))
    problems = [random_problem(seed, kind=kind) for seed in (0, 1) for kind in ("plain", "moving", "hilly")]
    found: list[str] = []
    for plan in (planner.solve(problem) for problem in problems for planner in planners):
        said = (plan.outcome, plan.reason, plan.steps, plan.cost, plan.bound, plan.statistics.expansions)
        tree = () if plan.trace is None else (plan.trace.poses, plan.trace.costs, plan.trace.parents)
        found.append(hashlib.sha256(repr(said).encode() + b"".join(array.tobytes() for array in tree)).hexdigest())
    return found


def test_the_same_plan_byte_for_byte_again_and_in_another_process_under_load():
    once = digests()
    assert digests() == once
    code = "import json, test_astar; print(json.dumps(test_astar.digests()))"
    places = os.pathsep.join([str(Path(__file__).parent), str(ROOT), os.environ.get("PYTHONPATH", "")])
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        other = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": places}, capture_output=True, check=True
        )
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert json.loads(other.stdout) == once


# Failure is an answer


def test_a_sealed_room_is_said_to_separate_start_and_goal(human: Character):
    plan = AStar().solve(
        Problem(World((0, 0, 20, 20), room(14.0, 14.0, 2.0)), human, (4.0, 4.0, 0.5), Goal(14.0, 14.0))
    )
    assert plan.outcome is Outcome.UNREACHABLE
    assert plan.reason == "obstacles that nobody crosses separate start and goal"
    assert plan.statistics.expansions == 0
    assert plan.steps == ()


def test_a_room_that_is_left_by_no_clip_though_its_walls_have_gaps_is_looked_through(figure: Character):
    walls = room(1.5, 1.5, 0.9)[1:]  # the eastern side is closed by posts too near to each other
    posts = tuple(wall(f"post {n}", 2.4, 0.7 + 0.3 * n, 0.05, 0.05) for n in range(6))
    world = World((0, 0, 4, 3), (*walls, *posts))
    plan = AStar(exact=True, around=False).solve(Problem(world, figure, (1.5, 1.5, 0.0), Goal(3.4, 1.5, 0.3)))
    assert plan.outcome is Outcome.UNREACHABLE
    assert plan.reason.startswith(f"all {plan.statistics.expansions:,} states that can be reached were looked at")
    assert plan.reason.endswith("and none is at the goal")
    looked_closer = AStar(around=False).solve(Problem(world, figure, (1.5, 1.5, 0.0), Goal(3.4, 1.5, 0.3)))
    assert looked_closer.reason == plan.reason  # with the table on it ends by merging identical states only
    few = Problem(world, figure, (1.5, 1.5, 0.0), Goal(3.4, 1.5, 0.3), max_expansions=plan.statistics.expansions + 9)
    rough = AStar(around=False).solve(few)
    assert rough.outcome is Outcome.UNREACHABLE
    assert "counted as one" in rough.reason  # where the budget does not allow that it is not as certain, and says so


def test_a_goal_in_a_wall_is_blocked(human: Character):
    block = wall("block", 14.0, 14.0, 4.0, 4.0)
    plan = AStar().solve(Problem(World((0, 0, 20, 20), (block,)), human, (4.0, 4.0, 0.0), Goal(14.0, 14.0)))
    assert plan.outcome is Outcome.GOAL_BLOCKED
    assert plan.reason.startswith("the goal (14.00, 14.00) lies where no body can be")


def test_a_goal_outside_the_bounds_is_blocked(human: Character):
    plan = AStar().solve(Problem(World((0, 0, 20, 20)), human, (4.0, 4.0, 0.0), Goal(30.0, 14.0)))
    assert plan.outcome is Outcome.GOAL_BLOCKED
    assert plan.reason == "the goal (30.00, 14.00) lies outside the world's bounds"


def test_a_goal_or_way_point_that_asks_for_what_nobody_does_is_blocked(human: Character):
    world = World((0, 0, 20, 20))
    for goal, waypoints, what in (
        (Goal(9.0, 9.0, behavior="fly"), (), "the goal"),
        (Goal(9.0, 9.0), (Goal(5.0, 5.0, behavior="fly"),), "the way-point"),
    ):
        plan = AStar().solve(Problem(world, human, (4.0, 4.0, 0.0), goal, waypoints))
        assert plan.outcome is Outcome.GOAL_BLOCKED
        assert plan.reason.startswith(what)
        assert "asks for a behavior 'fly'" in plan.reason


def test_a_start_in_a_box_is_blocked_by_the_box(human: Character):
    crate = wall("crate", 4.0, 4.0, 1.0, 1.0)
    plan = AStar().solve(Problem(World((0, 0, 20, 20), (crate,)), human, (4.0, 4.0, 0.0), Goal(14.0, 14.0)))
    assert plan.outcome is Outcome.START_BLOCKED
    assert plan.reason == "the body at the start (4.00, 4.00) meets 'crate'"


def test_a_start_across_the_bounds_is_blocked_by_them(human: Character):
    plan = AStar().solve(Problem(World((0, 0, 20, 20)), human, (0.05, 4.0, 0.0), Goal(14.0, 14.0)))
    assert plan.outcome is Outcome.START_BLOCKED
    assert "meets the bounds" in plan.reason


def test_a_start_that_something_moves_through_is_blocked_by_it(human: Character):
    rolling = Mover(
        "ball", Footprint.disc(0.5),
        Trajectory(np.array([0.0, 5.0]), np.array([[4, 4, 0], [9, 9, 0]]), np.array([[0, 1], [0, 1]])),
    )  # fmt: skip
    world = World((0, 0, 20, 20), movers=(rolling,))
    plan = AStar().solve(Problem(world, human, (4.0, 4.0, 0.0), Goal(14.0, 14.0)))
    assert plan.outcome is Outcome.START_BLOCKED
    assert "meets 'ball'" in plan.reason


def test_no_behavior_that_may_come_first_is_a_blocked_start(human: Character):
    problem = Problem(World((0, 0, 20, 20)), human, (4.0, 4.0, 0.0), Goal(9.0, 9.0), begins="in mid-air")
    plan = AStar().solve(problem)
    assert plan.outcome is Outcome.START_BLOCKED
    assert "'in mid-air'" in plan.reason


def test_out_of_budget_the_steps_lead_nearer_to_the_goal(human: Character):
    problem = replace(scene(human, 3), max_expansions=60)
    plan = AStar().solve(problem)
    assert plan.outcome is Outcome.OUT_OF_BUDGET
    assert plan.reason == "60 expansions ended the search; the steps lead as near to the goal as it came"
    assert plan.steps
    end = clip_of(human, plan.steps[-1]).place(np.array(plan.steps[-1].pose))[-1]
    goal = problem.goal
    assert math.dist(end[:2], (goal.x, goal.y)) < math.dist(problem.start[:2], (goal.x, goal.y)) - 1.0


def test_a_time_limit_ends_with_a_part_of_a_plan(human: Character):
    plan = AStar(time_limit_s=0.0, around=False).solve(
        Problem(World((0, 0, 60, 60), room(50.0, 50.0, 5.0)), human, (4.0, 4.0, 0.0), Goal(50.0, 50.0))
    )
    assert plan.outcome is Outcome.PARTIAL
    assert plan.reason.startswith("the time limit")


def test_a_gate_that_never_stays_open_is_unreachable_within_the_horizon(figure: Character):
    """Nobody gets through a gap in which something swings for ever."""
    barrier = (wall("south", 1.5, 0.4, 0.1, 0.8), wall("north", 1.5, 1.6, 0.1, 0.8))
    swing = Mover(
        "swing", Footprint.box(0.5, 0.5),
        Trajectory(np.array([0.0, 0.2]), np.array([[1.45, 1, 0], [1.55, 1, 0]]), np.array([[0, 3], [0, 3]]), "bounce"),
    )  # fmt: skip
    problem = Problem(
        World((0, 0, 3, 2), barrier, (swing,)), figure, (0.6, 1.0, 0.0), Goal(2.4, 1.0, 0.3), horizon_s=2.5
    )
    plan = AStar(exact=True).solve(problem)
    assert plan.outcome is Outcome.UNREACHABLE
    assert "within 2.5 s" in plan.reason
    assert BruteForce(problem).solve().cost is None


def test_truncation_that_drops_every_way_says_so():
    plans = [AStar(keep=1).solve(random_problem(seed, kind="plain")) for seed in range(12)]
    without = [plan for plan in plans if plan.outcome is Outcome.OUT_OF_BUDGET]
    assert without
    for plan in without:
        assert plan.reason.startswith("truncated search dropped every way that was left")


# Hurdles and beams


def corridor(human: Character, thing: Obstacle, *, depth_m: float = 4.0) -> Problem:
    """Return a corridor across which something stands, from one end to the other."""
    half = 0.5 * depth_m
    return Problem(
        World((0, -half, 20, half), (thing,)), human, (1.5, 0.0, 0.0), Goal(18.0, 0.0), max_expansions=200_000
    )


def across(bottom_m: float, top_m: float, *, thick_m: float = 0.2, width_m: float = 4.0) -> Obstacle:
    return wall("thing", 10.0, 0.0, thick_m, width_m, bottom_m=bottom_m, top_m=top_m)


def jumps_and_crawls(plan: Plan) -> set[str]:
    return {name.split("-")[0] for name in plan.behaviors} & {"jump", "crawl", "duck"}


@pytest.fixture(scope="module")
def highest_m(human: Character) -> float:
    return max(highest_hurdle(clip).height_m for behavior in human.behaviors for clip in behavior.clips)


@pytest.fixture(scope="module")
def lowest_m(human: Character) -> float:
    return min(lowest_beam(clip).height_m for behavior in human.behaviors for clip in behavior.clips)


def test_a_hurdle_is_jumped_and_a_higher_one_is_not_crossed(human: Character, highest_m: float):
    low = AStar(weight=1.2).solve(corridor(human, across(0.0, 0.7 * highest_m)))
    assert low.found
    assert "jump" in jumps_and_crawls(low)
    high = AStar(weight=1.2).solve(corridor(human, across(0.0, highest_m + 0.05)))
    assert high.outcome is Outcome.UNREACHABLE


def test_a_beam_is_passed_below_and_a_lower_one_is_not(human: Character, lowest_m: float):
    high = AStar(weight=1.2).solve(corridor(human, across(lowest_m + 0.1, 3.0)))
    assert high.found
    assert jumps_and_crawls(high) <= {"crawl", "duck"}
    assert jumps_and_crawls(high)
    low = AStar(weight=1.2).solve(corridor(human, across(lowest_m - 0.05, 3.0)))
    assert low.outcome is Outcome.UNREACHABLE


def test_what_cannot_be_crossed_is_gone_around(human: Character, highest_m: float, lowest_m: float):
    for bottom, top in ((0.0, highest_m + 0.05), (lowest_m - 0.05, 3.0)):
        plan = AStar(weight=1.2).solve(corridor(human, across(bottom, top), depth_m=10.0))
        assert plan.found
        assert not jumps_and_crawls(plan)
        assert max(abs(step.pose[1]) for step in plan.steps) > 2.0


# Annotations


@pytest.fixture(scope="module")
def tagged(human: Character) -> Character:
    """The human whose high jump is for obstacles annotated `jump` alone."""
    behaviors = tuple(
        replace(behavior, annotation=Annotation("jump")) if behavior.name == "jump-over" else behavior
        for behavior in human.behaviors
    )
    return replace(human, behaviors=behaviors).only([b.name for b in behaviors if b.name != "jump"])


def test_an_annotated_obstacle_is_crossed_from_its_near_region_with_the_event_within(tagged: Character):
    hurdle = replace(across(0.0, 0.9), special=Special("jump", near_m=2.0, within_m=0.3))
    plan = AStar(weight=1.2).solve(corridor(tagged, hurdle))
    assert plan.found
    jumps = [step for step in plan.steps if tagged.behaviors[step.behavior].name == "jump-over"]
    assert len(jumps) == 1
    clip = clip_of(tagged, jumps[0])
    assert 10.0 - 0.1 - jumps[0].pose[0] <= 2.0
    assert abs(clip.place(np.array(jumps[0].pose))[clip.event, 0] - 10.0) <= 0.1 + 0.3


def test_a_special_behavior_is_never_used_away_from_what_it_is_for(tagged: Character):
    too_near = replace(across(0.0, 0.9), special=Special("jump", near_m=0.05, within_m=0.0))
    assert AStar(weight=1.2).solve(corridor(tagged, too_near)).outcome is Outcome.UNREACHABLE
    plain = AStar(weight=1.2).solve(corridor(tagged, across(0.0, 0.2)))
    assert "jump-over" not in plan_names(plain)


def plan_names(plan: Plan) -> set[str]:
    return set(plan.behaviors)


def test_annotated_and_derived_crossings_in_one_scene(tagged: Character, lowest_m: float):
    hurdle = replace(across(0.0, 0.9), name="hurdle", special=Special("jump", near_m=2.0, within_m=0.3))
    beam = wall("beam", 17.0, 0.0, 0.2, 4.0, bottom_m=lowest_m + 0.1, top_m=3.0)
    world = World((0, -2, 27, 2), (hurdle, beam))
    plan = AStar(weight=1.2).solve(Problem(world, tagged, (1.5, 0.0, 0.0), Goal(25.0, 0.0)))
    assert plan.found
    assert "jump-over" in plan.behaviors
    assert {"crawl", "duck"} & jumps_and_crawls(plan)


def test_a_body_of_one_fixed_radius_starts_where_its_disc_is_free(figure: Character):
    """Annotated with a small radius, a figure may stand where its arms would not fit."""
    thin = replace(
        figure.only(["forward"]),
        behaviors=(replace(figure.behavior("forward"), annotation=Annotation(radius_m=0.05)),),
        transitions=(),
    )
    walls = (wall("left", 1.5, 0.62, 3.0, 0.1), wall("right", 1.5, 0.38, 3.0, 0.1))
    problem = Problem(World((0, 0, 3, 1), walls), thin, (0.3, 0.5, 0.0), Goal(2.5, 0.5, 0.4))
    assert AStar().solve(problem).found
    wide = replace(problem, character=figure.only(["forward"]))
    assert AStar().solve(wide).outcome is Outcome.START_BLOCKED


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start_frame": -1}, "start_frame must be a whole number of at least 0"),
        ({"start_frame": 1.5}, "start_frame must be a whole number"),
        ({"max_expansions": math.nan}, "max_expansions must be a whole number"),
        ({"climb_cost": math.inf}, "must lie between 0 and"),
        ({"descend_cost": -1.0}, "must lie between 0 and"),
    ],
)
def test_numbers_that_make_no_problem_are_refused(figure: Character, changes: dict, message: str):
    with pytest.raises(InvalidInput, match=message):
        Problem(World((0, 0, 4, 3)), figure, (1.0, 1.0, 0.0), Goal(3.0, 1.0), **changes)


def test_a_goal_that_is_a_pair_of_numbers_is_refused(figure: Character):
    with pytest.raises(InvalidInput, match="a goal is a Goal"):
        Problem(World((0, 0, 4, 3)), figure, (1.0, 1.0, 0.0), (3.0, 1.0))


@pytest.mark.parametrize("table", [(math.nan, 0.1, 0.1), (0.0, 0.1, 0.1), (0.3, 1e-9, 0.1), (0.3, 0.1, -1.0)])
def test_a_table_without_room_for_states_is_refused(table: tuple[float, float, float]):
    with pytest.raises(InvalidInput):
        StateTable(*table)


def test_traffic_at_another_rate_is_refused(figure: Character):
    world = World((0, 0, 4, 3))
    traffic = Traffic.of(world, rate_hz=2.0 * figure.planning_rate_hz)
    with pytest.raises(InvalidInput, match="frames a second"):
        AStar().solve(Problem(world, figure, (1.0, 1.0, 0.0), Goal(3.0, 1.0), traffic=traffic))


def test_very_large_weights_change_costs_but_not_the_plan(human: Character):
    block = wall("block", 10.0, 6.0, 1.0, 6.0)
    problem = Problem(World((0, 0, 20, 14), (block,)), human, (3.0, 6.0, 0.0), Goal(17.0, 6.0))
    heavy = human.with_weights({behavior.name: 1e6 * behavior.weight for behavior in human.behaviors})
    plans = [AStar(weight=1.5).solve(replace(problem, character=each)) for each in (human, heavy)]
    assert plans[1].found
    assert plans[1].cost == pytest.approx(1e6 * plans[0].cost, rel=0.05)
