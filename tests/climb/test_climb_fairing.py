"""What fairing does beyond smoothing: turns, double support, mending, arms that come down and legs that swing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.climb_cases import flat, problem_in, scripted_walk

from gambol.climb.climb import ClimbPath
from gambol.climb.filters import smooth_and_time
from gambol.climb.filters.checks import state_of
from gambol.climb.filters.double_support import with_double_support
from gambol.climb.filters.loose import arms_down, swing_legs
from gambol.climb.filters.mending import mend
from gambol.climb.filters.resample import along, ends_of, hold, turns
from gambol.climb.filters.tables import filter_tables
from gambol.climb.modes import Mode
from gambol.judges import judge_climb
from gambol.world import Environment

FloatArray = NDArray[np.float64]

RATE_HZ = 60.0


def still(path: ClimbPath, row: int, count: int) -> ClimbPath:
    """Return one sample of a path, many times."""
    part = path.part(row, row + 1)
    return ClimbPath(*(np.repeat(getattr(part, name), count, axis=0) for name in part.__dataclass_fields__))


def turn_on_the_spot() -> ClimbPath:
    """Return bowing, coming up, turning round, with the legs of the turn set straight by mistake, and bowing again."""
    tables = filter_tables(problem_in(flat()))
    stand = still(scripted_walk(), 0, 60)
    grasps = stand.grasps.copy()
    grasps[:, 3] = grasps[:, 2]
    foot_x = tables.anchor[0, grasps[0, 2], 1, 0]
    low = 0.06 * np.concatenate([1.0 - np.linspace(0.0, 1.0, 20), np.zeros(20), np.linspace(0.0, 1.0, 20)])
    facings = np.concatenate([np.ones(20), np.cos(np.linspace(0.0, np.pi, 20)), -np.ones(20)])
    q = stand.configurations.copy()
    q[:, 0], q[:, 1] = foot_x, tables.figure.ankle + 0.99 * 0.86 - low
    q[:, 2] = low
    for row in range(60):
        assert hold(tables, facings[row], grasps[row], q[row])
    q[20:40, 8:] = 0.0
    return ClimbPath(q, facings, stand.modes, grasps, stand.sources)


def test_legs_do_not_jump_into_and_out_of_a_turn() -> None:
    problem, path = problem_in(flat()), turn_on_the_spot()
    _, motion = smooth_and_time(problem, path, RATE_HZ)
    report = judge_climb(problem, motion)
    assert not report.illegal
    assert report.drifting == 0
    assert np.abs(np.diff(motion.path.configurations[:, 2:], axis=0)).max() < 0.12
    ((first, last),) = turns(motion.path.facings)
    assert (last - first) / RATE_HZ < 2.5


def test_a_slow_walker_keeps_the_rear_foot_for_longer() -> None:
    problem = problem_in(flat())
    tables = filter_tables(problem)
    walk = scripted_walk()
    slow = along(tables, walk, np.arange(0.0, len(walk) - 0.99, 0.25))
    held = with_double_support(tables, slow, RATE_HZ)
    more = np.sum((held.grasps >= 0) & (slow.grasps < 0))
    assert more > 10
    assert not np.any((held.grasps < 0) & (slow.grasps >= 0))
    before, after = (part.grasps[np.concatenate([[0], part.grasp_changes])] for part in (slow, held))
    np.testing.assert_array_equal(before, after)
    ends, _ = ends_of(tables, held.configurations, held.facings)
    for foot in (2, 3):
        rows = held.grasps[:, foot] >= 0
        anchors = tables.anchor[0, held.grasps[rows, foot], 1]
        np.testing.assert_allclose(ends[rows, foot], anchors, atol=1e-6)


def test_a_fast_walker_lifts_the_rear_foot_at_once() -> None:
    tables = filter_tables(problem_in(flat()))
    walk = scripted_walk()
    fast = with_double_support(tables, walk, 90.0)
    middle = slice(len(walk) // 3, 2 * len(walk) // 3)
    np.testing.assert_array_equal(fast.grasps[middle], walk.grasps[middle])


def test_a_body_below_a_beam_is_mended_by_as_much_as_it_lacks() -> None:
    floor = flat()
    path = still(scripted_walk(), 0, 3)
    bare = filter_tables(problem_in(floor))
    x, z = path.configurations[0, :2]
    crown = z + bare.figure.torso + bare.figure.head + bare.figure.radius[1]
    beam = np.array([(x - 1.0, crown - 0.02), (x + 1.0, crown - 0.02), (x + 1.0, 2.5), (x - 1.0, 2.5)])
    tables = filter_tables(problem_in(Environment(floor.bounds, [*floor.polygons, beam], floor.grasp_points)))
    clear, beside = state_of(tables, path.configurations, path.facings, path.modes, path.grasps)
    assert clear.min() < -0.01
    q = path.configurations.copy()
    ends, _ = ends_of(tables, q, path.facings)
    reaching, touched = np.zeros((3, 4), dtype=bool), np.zeros(3, dtype=np.int8)
    may_mend, margin = np.array([True, True, False]), np.full((3, 10), 0.003)
    for _ in range(4):
        mend(
            tables, may_mend, path.configurations, path.facings, path.modes, path.grasps, reaching, ends.copy(), margin,
            beside + 1e-3, ends, q, touched,
        )  # fmt: skip
    for row in range(3):
        hold(tables, 1.0, path.grasps[row], q[row])
    after, _ = state_of(tables, q, path.facings, path.modes, path.grasps)
    assert after[:2].min() > 0.002
    assert after[2].min() == pytest.approx(clear[2].min())
    assert np.abs(q - path.configurations)[:2, :2].max() < 0.08
    assert touched.tolist() == [1, 1, 0]


def test_raised_arms_come_down_in_a_walk_and_others_are_left_alone() -> None:
    path = still(scripted_walk(), 0, 120)
    raised, lowered = np.full((120, 2), (2.8, 0.3)), np.full((120, 2), (0.3, 0.3))
    lean = path.configurations[0, 2]
    down = arms_down(path, raised, 0, 119, (True, False), RATE_HZ)
    np.testing.assert_allclose(down[0], raised[0])
    assert np.all(down[45:, 0] - lean < 0.8)
    assert np.abs(np.diff(down, axis=0)).max() * RATE_HZ < 10.0
    np.testing.assert_array_equal(arms_down(path, lowered, 0, 119, (True, True), RATE_HZ), lowered)


def test_legs_trail_when_a_hanging_body_sets_off_and_rest_when_it_rests() -> None:
    walk = still(scripted_walk(), 0, 180)
    grasps = np.full((180, 4), -1, dtype=np.int32)
    path = ClimbPath(walk.configurations, np.ones(180), np.full(180, Mode.SWING, dtype=np.int32), grasps, walk.sources)
    reaching = np.zeros((180, 4), dtype=bool)
    q = path.configurations.copy()
    swing_legs(path, reaching, q, RATE_HZ)
    np.testing.assert_allclose(q, path.configurations, atol=1e-9)
    t = np.clip((np.arange(180) - 60.0) / 40.0, 0.0, 1.0)
    q[:, 0] += 0.6 * t * t * (3.0 - 2.0 * t)
    swing_legs(path, reaching, q, RATE_HZ)
    hips = q[:, 8] - path.configurations[:, 8]
    assert hips[60:90].min() < -0.05
    assert hips[85:130].max() > 0.05
    assert np.abs(hips).max() < 0.36
    assert np.abs(hips[:20]).max() < 1e-3
