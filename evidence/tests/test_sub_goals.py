"""The papers' planner by sub-goals: legal plans, what is kept of paths, where sub-goals lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evidence.reproductions.sub_goals import SubGoalPlanner
from evidence.reproductions.sub_goals.guide import Guide, Spent
from evidence.reproductions.sub_goals.trip import Traveller, Trip, joined, sub_goals
from evidence.reproductions.sub_goals.way import Way
from gambol.characters import Character, check_steps, load_character, place_steps
from gambol.search import COST_UNIT, AStar, Goal, Outcome, Problem, coarse_map
from gambol.trees import SearchTree, grow_cheapest, grow_diverse
from gambol.world import Footprint, Obstacle, World

BOUNDS = (0.0, 0.0, 40.0, 20.0)
NAMES = (
    "jog", "jog-left-15", "jog-right-15", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog",
    "start", "go", "stop", "short-stop", "stand", "jump-over", "jump", "crawl",
)  # fmt: skip


@pytest.fixture(scope="module")
def jogger() -> Character:
    return load_character("human").only(NAMES)


@pytest.fixture(scope="module")
def trees(jogger: Character) -> tuple[SearchTree, ...]:
    growers = (grow_cheapest, grow_diverse)
    return tuple(grow(jogger, nodes=20_000, begins=label) for label in ("stand", "jog-left") for grow in growers)


def boxes(seed: int, count: int = 25) -> World:
    rng = np.random.default_rng(seed)
    things = [
        Obstacle(f"box {n}", Footprint.box(*rng.uniform(0.4, 2.5, 2)),
                 (*rng.uniform((4, 0), (36, 20)), rng.uniform(0, 6)))
        for n in range(count)
    ]  # fmt: skip
    return World(BOUNDS, tuple(one for one in things if np.hypot(one.pose[0] - 37.0, one.pose[1] - 10.0) > 2.5))


def across(jogger: Character, world: World, **changes: object) -> Problem:
    return replace(Problem(world, jogger, (2.0, 10.0, 0.0), Goal(37.0, 10.0)), **changes)  # pyright: ignore


def hurdle() -> Obstacle:
    """From side to side at x = 20."""
    return Obstacle("hurdle", Footprint.box(0.2, 20.0), (20.0, 10.0, 0.0), 0.0, 0.35)


@pytest.mark.parametrize("seed", range(3))
def test_plans_are_legal_cost_what_the_search_counts_and_keep_their_parts(
    jogger: Character, trees: tuple[SearchTree, ...], seed: int
) -> None:
    problem = across(jogger, boxes(seed), waypoints=(Goal(14.0, 12.0),))
    plan = SubGoalPlanner(trees, trace=True).solve(problem)
    better = SubGoalPlanner(trees, improve=150).solve(problem)
    assert plan.found
    assert better.cost <= plan.cost
    for one in (plan, better):
        check_steps(jogger, one.steps)
        assert one.cost == pytest.approx(Guide(problem, trees).cost(one.steps) * COST_UNIT)
    assert plan.journey is not None
    parts = plan.journey.parts
    assert tuple(step for part in parts for step in part.steps) == plan.steps
    assert [part.end for part in parts[:-1]] == [part.start for part in parts[1:]]
    assert [part.question.goal for part in parts if part.question is not None][-1] == problem.goal


def test_where_look_ups_run_out_the_fallback_goes_on_from_where_they_led(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    problem = across(jogger, boxes(0))
    alone = SubGoalPlanner(trees, most_look_ups=8).solve(problem)
    assert alone.outcome is Outcome.OUT_OF_BUDGET
    assert alone.statistics.look_ups <= 8
    plan = SubGoalPlanner(trees, most_look_ups=8, fallback=AStar(weight=1.5)).solve(problem)
    assert plan.found
    assert plan.statistics.fell_back
    assert plan.steps[: len(alone.steps)] == alone.steps


@given(hnp.arrays(bool, st.integers(1, 12)).filter(lambda array: array.any()), st.integers(1, 20))
def test_what_is_kept_ends_where_a_tree_goes_on(goes_on: np.ndarray, wanted: int) -> None:
    count = joined(goes_on, wanted)
    assert 1 <= count <= len(goes_on)
    assert goes_on[count - 1]
    at_least = min(wanted, len(goes_on))
    if goes_on[at_least - 1 :].any():
        assert count >= at_least
        assert not goes_on[at_least - 1 : count - 1].any()
    else:
        assert not goes_on[count:].any()


def test_of_a_path_to_a_mark_two_states_are_kept_and_all_up_to_what_is_special(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    problem = across(jogger, World(BOUNDS))
    guide = Guide(problem, trees)
    moving = place_steps(jogger, ["jog"] * 7, start=problem.start)
    for steps, is_marked, expected in (
        (moving, False, len(moving)),
        (moving, True, 2),
        ((*moving[:3], replace(moving[3], behavior=jogger.index("jump")), *moving[4:]), True, 4),
    ):
        trip, traveller = Trip([]), Traveller(guide, Spent(10), sub_goal_m=11.0)
        assert traveller._keep(trip, 0, Way(0.0, tuple(steps)), is_marked)
        assert len(trip.steps) == expected


def test_sub_goals_lie_straight_behind_the_next_crossing_too(jogger: Character) -> None:
    route = coarse_map(World(BOUNDS, (hurdle(),)), jogger).route((15.0, 10.0), (37.0, 10.0))
    assert route is not None
    found = sub_goals(route, 11.0)
    behind = [one for one in found if 21.0 < one.x < 25.0 and one.tolerance_m > 1.0]
    assert len(behind) == 1
    assert abs(behind[0].onward_rad) < 1e-9
    assert all(not (19.5 < one.x < 20.5) for one in found)
