"""A climb and the ways before and after it as one motion: feet stay where they stand, nothing jumps."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.climb_cases import flat, problem_in, scripted_walk, scripted_walk_motion

from gambol.climb.body import full_motion
from gambol.climb.climb import ClimbMotion
from gambol.climb.figure import FIGURES
from gambol.climb.ground import approach_to, ground_height, onward_from, standing_pose
from gambol.climb.joined import join, settle
from gambol.climb.problem import ClimbProblem
from gambol.errors import InvalidInput
from gambol.motion import Motion, edits
from gambol.search import Goal

FloatArray = NDArray[np.float64]

RAISED_M = 2.5
AWAY_M = 4.0


@cache
def climb() -> Motion:
    """Return a walk made by hand as the climb, at the rate of the clips."""
    walk = scripted_walk_motion(4)
    return full_motion(problem_in(flat()), ClimbMotion(walk.path, 60.0))


@cache
def raised() -> Motion:
    """Return the same, ending on higher ground."""
    motion = climb()
    t = np.linspace(0.0, 1.0, motion.frame_count)[:, None]
    heights = RAISED_M * t * t * (3.0 - 2.0 * t)
    return Motion(motion.skeleton, motion.rate_hz, motion.root_positions + heights * (0.0, 0.0, 1.0), motion.rotations)


@cache
def ground_ways() -> tuple[Motion, Motion]:
    x = float(raised().root_positions[-1, 0])
    return approach_to(raised(), (-AWAY_M, 0.5, 0.0)), onward_from(raised(), Goal(x + AWAY_M, 0.0))


@cache
def joined() -> Motion:
    approach, onward = ground_ways()
    return join(approach, raised(), onward)


def feet(motion: Motion) -> FloatArray:
    """Return the ankles (2, F, 3)."""
    return np.array([motion.world_positions[:, motion.skeleton.index(name)] for name in ("LeftFoot", "RightFoot")])


def test_the_approach_ends_standing_where_the_climb_begins() -> None:
    approach, _ = ground_ways()
    np.testing.assert_allclose(approach.root_positions[-1, :2], standing_pose(raised(), 0)[:2], atol=1e-6)
    assert np.hypot(*(approach.root_positions[0, :2] - (-AWAY_M, 0.5))) < 0.7
    speed = np.linalg.norm(np.diff(approach.world_positions[-6:], axis=0), axis=-1).max() * approach.rate_hz
    assert speed < 0.1


def test_the_way_onward_is_on_the_ground_where_the_climb_ended() -> None:
    _, onward = ground_ways()
    assert ground_height(raised(), -1) == pytest.approx(RAISED_M, abs=1e-3)
    lowest = feet(onward)[..., 2].min()
    assert lowest == pytest.approx(RAISED_M + 0.07, abs=0.015)
    assert onward.root_positions[-1, 0] == pytest.approx(raised().root_positions[-1, 0] + AWAY_M, abs=0.6)


def test_each_part_is_in_the_joined_motion_as_it_is() -> None:
    approach, onward = ground_ways()
    whole, middle = joined().world_positions, raised().world_positions
    np.testing.assert_allclose(whole[: approach.frame_count], approach.world_positions, atol=1e-9)
    np.testing.assert_allclose(whole[-onward.frame_count :], onward.world_positions, atol=1e-9)
    begins = approach.frame_count + settle(approach, raised()).frame_count - 2
    np.testing.assert_allclose(whole[begins : begins + len(middle)], middle, atol=1e-9)


def test_nothing_jumps_where_parts_meet() -> None:
    approach, onward = ground_ways()
    steps = np.linalg.norm(np.diff(joined().world_positions, axis=0), axis=-1)
    for before, after in ((approach, raised()), (raised(), onward)):
        bridge = settle(before, after)
        inner = np.linalg.norm(np.diff(bridge.world_positions, axis=0), axis=-1)
        assert inner.max() < 0.05
        np.testing.assert_allclose(bridge.world_positions[0], before.world_positions[-1], atol=2e-3)
        np.testing.assert_allclose(bridge.world_positions[-1], after.world_positions[0], atol=2e-3)
    jolts = np.linalg.norm(np.diff(joined().world_positions, 2, axis=0), axis=-1) * joined().rate_hz ** 2
    first, last = approach.frame_count, joined().frame_count - onward.frame_count
    assert jolts[first - 4 : first + 4].max() < 60.0
    assert jolts[last - 4 : last + 4].max() < 60.0
    assert steps.max() < 0.12


def test_feet_do_not_slide_while_the_figure_settles() -> None:
    approach, onward = ground_ways()
    for before, after in ((approach, raised()), (raised(), onward)):
        bridge = settle(before, after)
        ground = ground_height(after, 0)
        for ankle in feet(bridge):
            low = (ankle[:, 2] - ground < 0.073)[1:]
            speed = np.linalg.norm(np.diff(ankle[:, :2], axis=0), axis=-1) * bridge.rate_hz
            assert speed[low].max(initial=0.0) < 0.1
            assert (ankle[:, 2] - ground).min() > 0.065


def test_only_one_foot_steps_at_a_time() -> None:
    approach, onward = ground_ways()
    for before, after in ((approach, raised()), (raised(), onward)):
        bridge = settle(before, after)
        heights = feet(bridge)[..., 2] - ground_height(after, 0)
        assert np.all(heights.min(axis=0) < 0.074)


def test_a_climb_alone_stays_as_it_is() -> None:
    assert join(None, climb(), None) is climb()


def test_ways_that_do_not_meet_are_refused() -> None:
    far = edits.move(climb(), (5.0, 0.0, 0.0))
    with pytest.raises(InvalidInput, match="must meet"):
        join(far, climb(), None)


def test_a_child_is_fetched_at_its_own_size() -> None:
    figure = FIGURES["child"]
    problem = problem_in(flat())
    problem = ClimbProblem(problem.environment, problem.start, problem.goal, figure)
    motion = full_motion(problem, ClimbMotion(scripted_walk(3, figure), 60.0))
    approach = approach_to(motion, (-3.0, 0.0, 0.0))
    assert approach.skeleton is motion.skeleton
    assert approach.root_positions[0, 0] == pytest.approx(-3.0, abs=0.6)
    whole = join(approach, motion, None)
    assert feet(whole)[..., 2].min() > figure.table.ankle - 0.015
