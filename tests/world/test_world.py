"""Obstacles, movers and worlds as values: what they mean and what they refuse."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.errors import InvalidInput, UnknownName
from gambol.world.world import Footprint, Mover, Obstacle, Special, Trajectory, World

DISC = Footprint.disc(0.5)


def random_trajectory(rng: np.random.Generator, repeat: str) -> Trajectory:
    count = int(rng.integers(2, 6))
    bottoms = rng.uniform(-1.0, 1.0, count)
    return Trajectory(
        rng.uniform(-3.0, 3.0) + np.cumsum(rng.uniform(0.1, 2.0, count)),
        rng.normal(scale=3.0, size=(count, 3)),
        np.stack((bottoms, bottoms + rng.uniform(0.1, 2.0, count)), axis=1),
        repeat,
    )


def played_by_hand(trajectory: Trajectory, time_s: float) -> np.ndarray:
    """Follow a trajectory leg by leg from its first time on, counting down what is left."""
    times = list(trajectory.times_s)
    rows = np.hstack((trajectory.poses, trajectory.heights_m))
    left, leg, forwards = time_s - times[0], 0, True
    while left > 0.0:
        if forwards and leg == len(times) - 1:
            if trajectory.repeat == "once":
                break
            forwards = trajectory.repeat == "loop"
            leg = 0 if forwards else leg
        elif not forwards and leg == 0:
            forwards = True
        following = leg + 1 if forwards else leg - 1
        length = abs(times[following] - times[leg])
        if left < length:
            return rows[leg] + left / length * (rows[following] - rows[leg])
        left -= length
        leg = following
    return rows[leg]


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 2**32 - 1).map(np.random.default_rng),
    st.sampled_from(["once", "loop", "bounce"]),
    st.floats(-5.0, 60.0),
)
def test_a_trajectory_rests_begins_anew_or_runs_back(rng: np.random.Generator, repeat: str, time_s: float) -> None:
    trajectory = random_trajectory(rng, repeat)
    expected = played_by_hand(trajectory, time_s)
    if repeat == "loop":  # at its end it is in two places
        share = max(time_s - trajectory.times_s[0], 0.0) / trajectory.period_s % 1.0
        if time_s > trajectory.times_s[0] and min(share, 1.0 - share) < 1e-9:
            return
    pose, heights = trajectory.at(time_s)
    np.testing.assert_allclose(np.concatenate((pose, heights)), expected, atol=1e-8)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1).map(np.random.default_rng), st.sampled_from(["loop", "bounce"]))
def test_a_trajectory_is_the_same_a_period_later(rng: np.random.Generator, repeat: str) -> None:
    trajectory = random_trajectory(rng, repeat)
    times = trajectory.times_s[0] + trajectory.period_s * rng.uniform(0.01, 0.99, 20)
    for one, other in zip(trajectory.at(times), trajectory.at(times + 3.0 * trajectory.period_s), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_a_trajectory_answers_for_many_times_at_once() -> None:
    trajectory = Trajectory(
        np.array([0.0, 2.0]), np.array([[0.0, 0, 0], [4.0, 0, math.pi]]), np.array([[0.0, 1], [0, 3]])
    )
    poses, heights = trajectory.at([[0.0, 1.0], [2.0, 9.0]])
    np.testing.assert_allclose(poses[..., 0], [[0.0, 2.0], [4.0, 4.0]])
    np.testing.assert_allclose(heights[..., 1], [[1.0, 2.0], [3.0, 3.0]])


def test_only_a_world_in_which_something_gets_anywhere_changes() -> None:
    heights = np.array([[0.0, 1.0], [0.0, 1.0]])
    still = Trajectory(np.array([0.0, 1.0]), np.zeros((2, 3)), heights)
    rising = replace(still, heights_m=heights + [[0.0, 0.0], [0.5, 0.5]])
    assert not World((0.0, 0.0, 1.0, 1.0), movers=(Mover("rock", DISC, still),)).changes
    assert World((0.0, 0.0, 1.0, 1.0), movers=(Mover("rock", DISC, still), Mover("lift", DISC, rising))).changes


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"times_s": []}, "at least one time"),
        ({"times_s": [0.0, 0.0]}, "increase"),
        ({"times_s": [0.0, math.nan]}, "finite"),
        ({"poses": np.zeros((3, 3))}, "needs poses"),
        ({"heights_m": [[0.0, 1.0], [1.0, 1.0]]}, "above its bottoms"),
        ({"times_s": [0.0], "poses": np.zeros((1, 3)), "heights_m": [[0.0, 1.0]], "repeat": "loop"}, "at least two"),
    ],
)
def test_a_trajectory_that_is_none_is_refused(change: dict[str, object], says: str) -> None:
    fine = Trajectory(np.array([0.0, 1.0]), np.zeros((2, 3)), np.array([[0.0, 1.0], [0.0, 1.0]]))
    with pytest.raises(InvalidInput, match=says):
        replace(fine, **change)


def test_an_unknown_way_to_repeat_is_refused_with_a_hint() -> None:
    with pytest.raises(UnknownName, match="bounce"):
        Trajectory(np.array([0.0]), np.zeros((1, 3)), np.array([[0.0, 1.0]]), "bounse")


@pytest.mark.parametrize(("bottom_m", "top_m"), [(1.0, 1.0), (2.0, 1.0), (math.nan, 1.0), (0.0, math.inf)])
def test_an_obstacle_without_heights_is_refused_by_its_name(bottom_m: float, top_m: float) -> None:
    with pytest.raises(InvalidInput, match=r"'wall'.*top must be above"):
        Obstacle("wall", DISC, (0.0, 0.0, 0.0), bottom_m, top_m)


@pytest.mark.parametrize("pose", [(0.0, 0.0), (0.0, math.nan, 0.0)])
def test_an_obstacle_nowhere_is_refused_by_its_name(pose: tuple[float, ...]) -> None:
    with pytest.raises(InvalidInput, match=r"'wall'.*\(x, y, heading\)"):
        Obstacle("wall", DISC, pose)  # type: ignore[arg-type]


@pytest.mark.parametrize("size_m", [-0.1, math.nan, math.inf])
def test_a_region_that_reaches_nowhere_is_refused(size_m: float) -> None:
    with pytest.raises(InvalidInput, match="near region"):
        Special("jump", size_m)
    with pytest.raises(InvalidInput, match="within region"):
        Special("jump", 1.0, size_m)


@pytest.mark.parametrize(
    "bounds", [(0.0, 0.0, 0.0, 1.0), (0.0, 2.0, 1.0, 1.0), (0.0, 0.0, 1.0), (0.0, 0.0, math.nan, 1.0)]
)
def test_bounds_around_nothing_are_refused(bounds: tuple[float, ...]) -> None:
    with pytest.raises(InvalidInput, match="bounds are"):
        World(bounds)  # type: ignore[arg-type]


def test_two_things_of_one_name_are_refused() -> None:
    wall = Obstacle("wall", DISC)
    door = Mover("wall", DISC, Trajectory(np.array([0.0]), np.zeros((1, 3)), np.array([[0.0, 1.0]])))
    with pytest.raises(InvalidInput, match="unique names, not wall"):
        World((0.0, 0.0, 1.0, 1.0), (wall,), (door,))


def test_an_obstacle_drawn_where_it_stands_needs_no_pose():
    corners = [(4.0, 1.0), (6.0, 1.0), (5.0, 3.0)]
    (piece,) = Obstacle("pond", Footprint.polygon(corners)).pieces
    assert set(map(tuple, piece.corners.tolist())) == set(corners)
