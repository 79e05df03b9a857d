from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import atan2, pi

import numpy as np
import pytest
from tests.support.bodies import gap, held, instants

from gambol.animate import play
from gambol.body import Body
from gambol.characters import Character, check_steps, load_character, place_steps
from gambol.errors import InvalidInput
from gambol.judges import Performer, check_motions
from gambol.search.astar import AStar
from gambol.search.group import GroupPlan, plan_group
from gambol.search.kernels.traffic import disc_blocking_thing
from gambol.search.meetings import things_met_on_the_way
from gambol.search.plan import Outcome, Plan
from gambol.search.problem import Goal, Problem
from gambol.search.traffic import Traffic
from gambol.world import Footprint, Mover, Obstacle, Trajectory, World

FEW = 3000


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("crowd")


@pytest.fixture(scope="module")
def runner() -> Character:
    """One that cannot stand: it has to set out when it should."""
    return load_character("human").subset("lk05")


def crossing(character: Character, count: int, *, side_m: float = 24.0, seed: int = 0) -> dict[str, Problem]:
    """Return as many on each of four sides, who want to get to the other side, mixed."""
    rng, world = np.random.default_rng(seed), World((0.0, 0.0, side_m, side_m))
    problems = {}
    for side, name in enumerate(["west", "south", "east", "north"]):
        places = np.linspace(4.0, side_m - 4.0, count)
        for number, (here, there) in enumerate(zip(places, rng.permutation(places), strict=True)):
            turn = side * 0.5 * pi
            ends = np.array([[2.0, here], [side_m - 2.0, there]]) - 0.5 * side_m
            (x, y), (goal_x, goal_y) = ends @ np.array(
                [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
            ) + 0.5 * side_m  # fmt: skip
            start = (x, y, atan2(goal_y - y, goal_x - x))
            problems[f"{name}-{number}"] = Problem(world, character, start, Goal(goal_x, goal_y, 0.7), seed=number)
    return problems


def least_gap(problems: dict[str, Problem], group: GroupPlan) -> float:
    """Return how near any two of a group come to each other, by brute force."""
    tracks = [
        instants(problem.character, plan.steps) if plan.steps else held(problem.character, stance)
        for problem, plan, stance in zip(problems.values(), group.plans, group.stances, strict=True)
    ]
    return min(gap(one, two) for one, two in combinations(tracks, 2))


@pytest.mark.parametrize("seed", [0, 1])
def test_all_of_a_crossing_arrive_and_no_two_bodies_ever_meet(human: Character, seed: int):
    problems = crossing(human, 4, seed=seed)
    group = plan_group(problems)
    assert group.names == tuple(problems)
    assert group.arrived == len(problems)
    assert group.reasons == {}
    for plan, problem in zip(group.plans, problems.values(), strict=True):
        check_steps(human, plan.steps)
        assert plan.steps[0].pose == problem.start
    assert least_gap(problems, group) > 0.0


@pytest.mark.slow
def test_those_who_cannot_wait_arrive_too_some_of_them_by_setting_out_later(runner: Character):
    problems = crossing(runner, 7, side_m=22.0)
    group = plan_group(problems)
    assert group.arrived == len(problems)
    assert any(plan.steps[0].frame > 0 for plan in group.plans)
    assert least_gap(problems, group) > 0.0


def test_delivered_motions_of_a_group_pass_the_full_rate_check(human: Character):
    problems = crossing(human, 2, side_m=16.0)
    group = plan_group(problems)
    performers = []
    for name, plan in zip(group.names, group.plans, strict=True):
        motion = play(human, plan.steps)
        start_s = plan.steps[0].frame / human.planning_rate_hz
        performers.append(Performer(name, motion, Body.from_skeleton(motion.skeleton), start_s, plan.steps, human))
    assert check_motions(next(iter(problems.values())).world, performers).is_clean


def test_the_same_problems_have_the_same_plans(human: Character):
    problems = crossing(human, 3)
    one, two = plan_group(problems), plan_group(problems)
    assert [plan.steps for plan in one.plans] == [plan.steps for plan in two.plans]
    assert one.order == two.order
    assert one.attempts == two.attempts


def test_who_arrives_first_in_a_doorway_lets_those_through_who_have_to_pass(human: Character):
    walls = tuple(
        Obstacle(f"wall {y:+g}", Footprint.box(0.3, 4.4), (0.0, y, 0.0)) for y in (-2.8, 2.8)
    )  # a door of 1.2 m between them
    world = World((-10.0, -5.0, 10.0, 5.0), obstacles=walls)
    stays = Problem(world, human, (-5.0, 2.0, 0.0), Goal(0.0, 0.0, 0.3), horizon_s=40.0)
    passes = Problem(world, human, (-8.0, 0.0, 0.0), Goal(7.0, 0.0), horizon_s=40.0)
    problems = {"stays": stays, "passes": passes}
    group = plan_group(problems, expansions=FEW)
    assert group.order == (0, 1)
    assert group.arrived == 2
    assert group.rounds > 1
    through = next(step.frame for step in group.plans[1].steps if step.pose[0] > 0.5) / human.planning_rate_hz
    assert through < group.plans[0].duration_s
    assert least_gap(problems, group) > 0.0


def test_who_cannot_arrive_stands_at_its_start_and_the_others_go_around_it(human: Character):
    block = Obstacle("block", Footprint.box(2.0, 2.0), (0.0, 6.0, 0.0))
    world = World((-10.0, -8.0, 10.0, 8.0), obstacles=(block,))
    problems = {
        "lost": Problem(world, human, (0.0, 0.0, 0.0), Goal(0.0, 6.0, 0.4)),
        "east": Problem(world, human, (-8.0, 0.0, 0.0), Goal(8.0, 0.0)),
        "west": Problem(world, human, (8.0, 1.5, pi), Goal(-8.0, 0.0)),
    }
    group = plan_group(problems)
    lost = group.plans[0]
    assert group.arrived == 2
    assert lost.outcome is Outcome.GOAL_BLOCKED
    assert lost.steps == ()
    assert "stays at its start" in group.reasons["lost"]
    assert group.stances[0].pose == problems["lost"].start
    assert least_gap(problems, group) > 0.0


def test_nobody_passes_through_who_stands_in_the_only_way(human: Character):
    walls = tuple(Obstacle(f"wall {y:+g}", Footprint.box(16.0, 3.5), (0.0, y, 0.0)) for y in (-2.25, 2.25))
    world = World((-10.0, -4.0, 10.0, 4.0), obstacles=walls)  # a corridor of 1 m
    problems = {
        "lost": Problem(world, human, (0.0, 0.0, 0.0), Goal(0.0, 3.0, 0.4), horizon_s=30.0),
        "east": Problem(world, human, (-9.0, 0.0, 0.0), Goal(9.0, 0.0), horizon_s=30.0),
    }
    group = plan_group(problems, expansions=FEW)
    assert group.arrived == 0
    assert set(group.reasons) == {"lost", "east"}
    assert all(plan.steps == () for plan in group.plans)


@pytest.mark.slow
def test_humans_horses_and_skateboarders_share_a_world():
    characters = [load_character(name) for name in ("human", "horse", "skateboarder")]
    world = World((-40.0, -12.0, 40.0, 12.0))
    problems = {
        character.name: Problem(world, character, (-30.0, y, 0.0), Goal(30.0, -y, 2.0))
        for character, y in zip(characters, (-4.0, 0.0, 4.0), strict=True)
    }
    group = plan_group(problems)
    assert group.arrived == 3
    assert least_gap(problems, group) > 0.0


def test_a_group_without_order_is_refused(human: Character):
    problem = Problem(World((-5.0, -5.0, 5.0, 5.0)), human, (0.0, 0.0, 0.0), Goal(3.0, 0.0))
    with pytest.raises(InvalidInput, match="at least one"):
        plan_group({})
    with pytest.raises(InvalidInput, match="same world"):
        plan_group({"one": problem, "two": replace(problem, world=World((-5.0, -5.0, 5.0, 5.0)))})
    with pytest.raises(InvalidInput, match="same traffic"):
        plan_group({"one": problem, "two": problem.with_traffic(Traffic.of(problem.world))})
    with pytest.raises(InvalidInput, match="'two' would stand in 'one'"):
        plan_group({"one": problem, "two": replace(problem, start=(0.1, 0.1, 0.0))})


def test_what_is_taken_out_of_the_traffic_is_met_no_more(human: Character):
    world = World((-10.0, -10.0, 10.0, 10.0))
    steps = place_steps(human, ["start", "jog", "jog", "stop"], start=(-4.0, 0.0, 0.0))
    across = place_steps(human, ["start", "jog", "jog", "stop"], start=(0.0, -4.0, 0.5 * pi))
    traffic = Traffic.of(world)
    thing = traffic.add_body(human, steps, name="first")
    brute = gap(instants(human, steps), instants(human, across)) <= 0.0
    assert bool(things_met_on_the_way(world, traffic, human, across, [thing])) is brute is True
    problem = Problem(world, human, (-4.0, 0.0, 0.0), Goal(4.0, 0.0), traffic=traffic)
    assert AStar().solve(problem).outcome is Outcome.START_BLOCKED
    traffic.remove(thing)
    assert things_met_on_the_way(world, traffic, human, across, [thing]) == []
    assert AStar().solve(problem).found


def narrow(*, length_m: float) -> World:
    walls = tuple(Obstacle(f"wall {y:+g}", Footprint.box(length_m, 3.5), (0.0, y, 0.0)) for y in (-2.25, 2.25))
    return World((-10.0, -4.0, 14.0, 4.0), obstacles=walls)  # a corridor of 1 m


@pytest.mark.parametrize("patience_s", [10.0, 30.0])
def test_nobody_passes_through_who_may_not_set_out_yet(human: Character, patience_s: float):
    world = narrow(length_m=8.0)
    waits = Problem(world, human, (0.0, 0.0, 0.0), Goal(11.0, 3.0, 0.7), start_frame=300, horizon_s=60.0)
    passes = Problem(world, human, (-7.0, 0.0, 0.0), Goal(11.0, -3.0, 0.7), horizon_s=patience_s)
    problems = {"waits": waits, "passes": passes}
    group = plan_group(problems, expansions=FEW)
    assert group.plans[0].found
    assert group.plans[1].found == (patience_s > 10.0)
    assert least_gap(problems, group) > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_late_starters_among_retries_meet_nobody_while_they_wait(runner: Character, seed: int):
    rng = np.random.default_rng(seed)
    problems = {
        name: replace(problem, start_frame=int(rng.integers(0, 200)), horizon_s=30.0)
        for name, problem in crossing(runner, 7, side_m=18.0, seed=seed).items()
    }
    group = plan_group(problems, expansions=FEW)
    assert group.rounds > 1
    assert group.arrived > len(problems) // 2
    assert least_gap(problems, group) > 0.0


def test_a_plan_that_runs_into_somebody_is_none_whatever_the_planner_says(human: Character):
    """A planner that looks at nothing that moves."""

    class Blind:
        def solve(self, problem: Problem) -> Plan:
            return AStar(weight=1.5).solve(replace(problem, traffic=Traffic.of(problem.world)))

    world = World((-10.0, -10.0, 10.0, 10.0))
    problems = {
        "east": Problem(world, human, (-8.0, 0.0, 0.0), Goal(8.0, 0.0)),
        "west": Problem(world, human, (8.0, 0.0, pi), Goal(-8.0, 0.0)),
    }
    group = plan_group(problems, Blind(), retries=0)
    assert group.arrived <= 1
    assert least_gap(problems, group) > 0.0


def test_whose_start_is_blocked_is_said_to_be_left_out(human: Character):
    block = Obstacle("block", Footprint.box(2.0, 2.0), (0.0, 6.0, 0.0))
    world = World((-10.0, -8.0, 10.0, 8.0), obstacles=(block,))
    problems = {
        "stuck": Problem(world, human, (0.0, 6.0, 0.0), Goal(0.0, 0.0)),
        "east": Problem(world, human, (-8.0, 0.0, 0.0), Goal(8.0, 0.0)),
    }
    group = plan_group(problems)
    assert group.plans[0].outcome is Outcome.START_BLOCKED
    assert "left out" in group.reasons["stuck"]


def test_who_is_gone_is_met_no_more(human: Character):
    """By the look-up of the search and by the one for whole ways."""
    world, traffic = World((0.0, 0.0, 20.0, 8.0)), Traffic.of(World((0.0, 0.0, 20.0, 8.0)))
    path = Trajectory(np.array([1.0, 5.0]), np.array([[10.0, 0.5, 0.0], [10.0, 4.0, 0.0]]), np.array([[0.0, 2.0]] * 2))
    thing = traffic.add_mover(Mover("bike", Footprint.disc(0.3), path), stays=False)
    last = traffic.last_change_frame
    for y, frame, met in ((0.5, 0, True), (4.0, last, True), (4.0, last + 1, False), (4.0, 400, False)):
        assert (disc_blocking_thing(traffic.table, 10.0, y, 0.2, 0.0, 1.0, frame) == thing) is met
    assert disc_blocking_thing(traffic.table, 10.0, 0.5, 0.2, 0.0, 1.0, last + 1) < 0
    for start_frame, met in ((last + 1, []), (last - 60, [thing])):
        steps = place_steps(human, ["start", "jog", "jog", "jog", "stop"], start=(6.0, 4.0, 0.0), frame=start_frame)
        assert things_met_on_the_way(world, traffic, human, steps, [thing], standing=False) == met
