from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, hypot, pi, sin

import numpy as np
import pytest
from tests.support.bodies import HIGH, LOW, RADIUS, instants

from gambol.characters import Character, check_steps, load_character
from gambol.errors import InvalidInput, UnknownName
from gambol.search.astar import AStar
from gambol.search.plan import Outcome
from gambol.search.problem import Goal, Problem
from gambol.search.replan import FollowResult, follow
from gambol.search.sighting import Sighting, extrapolate
from gambol.world import Footprint, Obstacle, World

TICK_S = 1.0 / 240.0
BALL_M = 0.4
MARGIN_M, THINK_S = 0.15, 0.1


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("crowd")


class Wanderer:
    """A ball at a steady speed whose way bends to one side or the other, anew every two seconds."""

    def __init__(self, rng: np.random.Generator, *, at: tuple[float, float], heading: float, bend: float) -> None:
        self.speed = 0.8
        rates = np.repeat(rng.uniform(-bend, bend, 60), round(2.0 / TICK_S))
        headings = heading + np.cumsum(rates) * TICK_S
        steps = self.speed * TICK_S * np.stack((np.cos(headings), np.sin(headings)), axis=1)
        self.places = np.array(at) + np.cumsum(steps, axis=0)
        self.headings, self.rates = headings, rates

    def place(self, time_s: float) -> np.ndarray:
        return self.places[round(time_s / TICK_S)]

    def sighting(self, time_s: float) -> Sighting:
        tick = round(time_s / TICK_S)
        heading = float(self.headings[tick])
        velocity = (self.speed * cos(heading), self.speed * sin(heading))
        x, y = self.places[tick]
        return Sighting("ball", Footprint.disc(BALL_M), (x, y, heading), velocity, float(self.rates[tick]))


def least_gap(result: FollowResult, place: Callable[[float], np.ndarray], radius_m: float) -> float:
    """Return how near a body comes to a disc that fills all heights, frame by frame."""
    frames, cylinders = instants(result.character, result.steps)
    least = np.inf
    for frame, body in zip(frames, cylinders, strict=True):
        there = body[body[:, HIGH] > body[:, LOW]]
        away = np.hypot(*(there[:, :2] - place(frame / result.character.planning_rate_hz)).T)
        least = min(least, float((away - there[:, RADIUS]).min()) - radius_m)
    return least


@pytest.mark.parametrize("turn_rate", [0.0, 0.7, -1.3])
def test_what_is_seen_is_expected_to_keep_its_speed_and_turn_rate(turn_rate: float):
    seen = Sighting("ball", Footprint.disc(0.3), (1.0, -2.0, 0.4), (0.5, 1.0), turn_rate)
    mover = extrapolate(seen, at_s=7.0, for_s=4.0, margin_m=0.1)
    ticks = 40_000
    angles = turn_rate * 4.0 * (np.arange(ticks) + 0.5) / ticks
    x = 1.0 + float(np.mean(0.5 * np.cos(angles) - 1.0 * np.sin(angles))) * 4.0
    y = -2.0 + float(np.mean(0.5 * np.sin(angles) + 1.0 * np.cos(angles))) * 4.0
    poses, _ = mover.trajectory.at([7.0, 11.0])
    np.testing.assert_allclose(poses[0], seen.pose)
    np.testing.assert_allclose(poses[1], (x, y, 0.4 + 4.0 * turn_rate), atol=1e-6)
    assert mover.footprint.pieces[0].radius_m == pytest.approx(0.4)


@pytest.mark.parametrize("seed", range(4))
def test_no_collision_while_movers_stay_within_the_margin_of_where_they_were_expected(human: Character, seed: int):
    rng = np.random.default_rng(seed)
    balls = [
        Wanderer(rng, at=(x, side * 5.0), heading=-side * 0.5 * pi, bend=0.15)
        for x in (-6.0, -2.0, 2.0, 6.0)
        for side in (rng.choice([-1.0, 1.0]),)
    ]
    looks: list[float] = []

    def observe(time_s: float) -> list[Sighting]:
        looks.append(time_s)
        return [ball.sighting(time_s) for ball in balls]

    problem = Problem(World((-12.0, -12.0, 12.0, 12.0)), human, (-10.0, 0.0, 0.0), Goal(10.0, 0.0), horizon_s=60.0)
    result = follow(problem, observe, think_s=THINK_S, margin_m=MARGIN_M)
    assert result.arrived
    check_steps(human, result.steps)
    end_s = instants(human, result.steps)[0][-1] / human.planning_rate_hz
    for look, until in zip(looks, [*(look + THINK_S for look in looks[1:]), end_s], strict=True):
        for ball in balls:  # the condition
            expected = extrapolate(ball.sighting(look), at_s=look, for_s=9.0, margin_m=0.0).trajectory
            times = np.linspace(look, until, 8)
            strayed = expected.at(times)[0][:, :2] - [ball.place(time) for time in times]
            assert np.hypot(*strayed.T).max() <= MARGIN_M
    assert min(least_gap(result, ball.place, BALL_M) for ball in balls) > 0.0


def test_a_mover_that_turns_onto_the_way_is_evaded(human: Character):
    """It comes along beside the way, and turns to run down it from the front."""
    turn_s = 2.0

    def place(time_s: float) -> np.ndarray:
        before, after = min(time_s, turn_s), max(time_s - turn_s, 0.0)
        return np.array([6.0 - 0.8 * after, 1.6 - 0.8 * before])

    def observe(time_s: float) -> list[Sighting]:
        velocity = (0.0, -0.8) if time_s < turn_s else (-0.8, 0.0)
        x, y = place(time_s)
        return [Sighting("ball", Footprint.disc(BALL_M), (x, y, 0.0), velocity)]

    problem = Problem(World((-12.0, -6.0, 12.0, 6.0)), human, (-10.0, 0.0, 0.0), Goal(10.0, 0.0), horizon_s=60.0)
    result = follow(problem, observe)
    assert result.arrived
    assert result.evasions > 0
    assert least_gap(result, place, BALL_M) > 0.0


def test_who_is_faster_than_a_commitment_is_not_evaded(human: Character):
    """It stands beside the way and darts out when the character comes by: the condition does not hold."""
    problem = Problem(World((-12.0, -6.0, 12.0, 6.0)), human, (-10.0, 0.0, 0.0), Goal(10.0, 0.0), horizon_s=60.0)
    alone = follow(problem, lambda time_s: [])
    frames, cylinders = instants(human, alone.steps)
    meeting = int(np.argmin(np.abs(cylinders[:, 6, 0])))
    dart_s = frames[meeting] / human.planning_rate_hz - 0.2

    def place(time_s: float) -> np.ndarray:
        return np.array([0.0, max(1.6 - 8.0 * max(time_s - dart_s, 0.0), 0.0)])

    def observe(time_s: float) -> list[Sighting]:
        velocity = (0.0, -8.0) if place(time_s)[1] < 1.6 else (0.0, 0.0)
        return [Sighting("ball", Footprint.disc(BALL_M), (*place(time_s), 0.0), velocity)]

    assert least_gap(follow(problem, observe), place, BALL_M) < 0.0


def closed_until(open_s: float) -> Callable[[float], list[Sighting]]:
    """Return a gate that stands across a corridor and is then gone."""
    return lambda time_s: (
        [Sighting("gate", Footprint.box(0.3, 4.0), (0.0, 0.0, 0.0))] if time_s < open_s else []
    )  # fmt: skip


def corridor(character: Character) -> Problem:
    walls = tuple(Obstacle(f"wall {y:+g}", Footprint.box(24.0, 1.0), (0.0, y, 0.0)) for y in (-2.0, 2.0))
    world = World((-12.0, -2.5, 12.0, 2.5), obstacles=walls)
    return Problem(world, character, (-9.0, 0.0, 0.0), Goal(9.0, 0.0), horizon_s=60.0, max_expansions=400)


def test_where_there_is_no_way_it_stands_until_there_is_one(human: Character):
    result = follow(corridor(human), closed_until(9.0))
    assert result.arrived
    assert result.stops > 0
    check_steps(human, result.steps)
    frames, cylinders = instants(human, result.steps)
    before = frames < 9.0 * human.planning_rate_hz
    assert (cylinders[before][:, :, 0] + cylinders[before][:, :, RADIUS]).max() < -0.15


def test_a_gate_that_closes_in_front_of_a_runner_stops_it_at_rest(human: Character):
    closed = closed_until(1e9)
    problem = replace(corridor(human), horizon_s=12.0)
    result = follow(problem, lambda time_s: closed(time_s) if time_s > 2.0 else [])
    assert result.outcome is Outcome.PARTIAL
    assert "12 s" in result.reason
    check_steps(human, result.steps)
    assert human.behaviors[result.steps[-1].behavior].ends == "stand"
    _, cylinders = instants(human, result.steps)
    assert (cylinders[..., 0] + cylinders[..., RADIUS]).max() < -0.15


def test_way_points_are_passed_in_their_order_and_once(human: Character):
    world = World((-12.0, -12.0, 12.0, 12.0))
    passed = (Goal(0.0, 6.0, 0.8), Goal(6.0, 0.0, 0.8))
    result = follow(Problem(world, human, (-9.0, 0.0, 0.0), Goal(0.0, -6.0), passed), lambda time_s: [])
    assert result.arrived
    ends = [step.pose for step in result.steps[1:]]
    at = [next(n for n, end in enumerate(ends) if hypot(end[0] - g.x, end[1] - g.y) <= g.tolerance_m) for g in passed]
    assert at == sorted(at)


def test_the_same_sights_lead_to_the_same_steps(human: Character):
    problem = corridor(human)
    assert follow(problem, closed_until(5.0)).steps == follow(problem, closed_until(5.0)).steps


def test_a_plan_goes_on_from_the_behavior_played_before(human: Character):
    problem = Problem(World((-9.0, -9.0, 9.0, 9.0)), human, (-5.0, 0.0, 0.0), Goal(5.0, 0.0), after="jog")
    plan = AStar().solve(problem)
    assert plan.found
    assert plan.behaviors[0] in human.successors("jog")
    with pytest.raises(UnknownName):
        replace(problem, after="joggg")


def test_times_and_sights_that_make_no_sense_are_refused(human: Character):
    with pytest.raises(InvalidInput, match="commit_s"):
        follow(corridor(human), lambda time_s: [], commit_s=-1.0)
    with pytest.raises(InvalidInput, match="expect_s"):
        follow(corridor(human), lambda time_s: [], expect_s=0.0)
    with pytest.raises(InvalidInput, match="finite"):
        Sighting("ball", Footprint.disc(0.3), (0.0, 0.0, 0.0), (np.nan, 0.0))


def test_what_is_expected_lasts_as_long_as_what_is_committed_to(human: Character):
    """What is forgotten sooner could be run into by steps that cannot be cut short."""
    longest_s = max(clip.duration for one in human.behaviors for clip in one.clips) / human.planning_rate_hz
    with pytest.raises(InvalidInput, match="expect_s"):
        follow(corridor(human), lambda time_s: [], commit_s=0.5, think_s=0.1, expect_s=longest_s + 0.5)
    assert follow(corridor(human), lambda time_s: [], commit_s=0.5, think_s=0.1, expect_s=longest_s + 0.7).arrived


@pytest.mark.parametrize("name", ["human", "skateboarder", "horse"])
def test_by_default_all_shipped_characters_expect_for_long_enough(name: str):
    character = load_character(name)
    problem = Problem(World((-30.0, -30.0, 30.0, 30.0)), character, (-15.0, 0.0, 0.0), Goal(15.0, 0.0, 3.0))
    assert follow(problem, lambda time_s: []).arrived


def test_who_comes_out_of_a_run_does_not_stand_still_in_the_middle_of_it(human: Character):
    """What is in the way is too near to come to rest before it, and nobody stops in the middle of a jog."""
    problem = replace(corridor(human), after="jog", horizon_s=6.0)
    gate = Sighting("gate", Footprint.box(0.3, 4.0), (-8.0, 0.0, 0.0))
    result = follow(problem, lambda time_s: [gate])
    assert result.steps[0].frame == problem.start_frame
    assert human.behaviors[result.steps[0].behavior].name in human.successors("jog")
