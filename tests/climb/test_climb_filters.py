"""Filters of the climber: smoother, in time, and nothing broken that the path kept."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from tests.support.climb_cases import flat, problem_in, scripted_walk

from gambol.climb.climb import ClimbMotion, ClimbPath
from gambol.climb.environment_table import anchor_of
from gambol.climb.figure import FREE, LIMB_POINTS, LINKS, Figure
from gambol.climb.filters import smooth_and_time
from gambol.climb.filters.balance import toppling
from gambol.climb.filters.checks import may_be
from gambol.climb.filters.limits import MOST_ACCELERATION, MOST_SPEED, accelerations, speeds
from gambol.climb.filters.resample import along, ends_of, free_runs, hold
from gambol.climb.filters.tables import filter_tables
from gambol.climb.filters.timing import GO_ON_S, SET_OFF_S, events, nominal_durations, paced, places_of_frames
from gambol.climb.kernels.kinematics import place
from gambol.climb.problem import ClimbProblem
from gambol.world import Environment

FloatArray = NDArray[np.float64]

RATE_HZ = 60.0


@cache
def walk_case() -> tuple[ClimbProblem, ClimbPath, ClimbPath, ClimbMotion]:
    problem, path = problem_in(flat()), scripted_walk()
    return (problem, path, *smooth_and_time(problem, path, RATE_HZ))


@cache
def jitter_case() -> tuple[ClimbProblem, ClimbPath, ClimbPath, ClimbMotion]:
    problem = problem_in(flat())
    path = jittered(problem, scripted_walk())
    return (problem, path, *smooth_and_time(problem, path, RATE_HZ))


@cache
def gap_case() -> tuple[ClimbProblem, ClimbPath, ClimbPath, ClimbMotion]:
    """A walk through a gap: a beam closely above the head, and a sill that each foot is lifted over."""
    floor = flat()
    beam = np.array([(1.0, 1.84), (2.0, 1.84), (2.0, 2.4), (1.0, 2.4)])
    sill = np.array([(1.18, -0.1), (1.22, -0.1), (1.22, 0.05), (1.18, 0.05)])
    environment = Environment(floor.bounds, [*floor.polygons, beam, sill], floor.grasp_points)
    problem = problem_in(environment)
    path = scripted_walk()
    assert entered(problem, path) < 0.0, "the case itself is no good"
    return (problem, path, *smooth_and_time(problem, path, RATE_HZ))


CASES = {"walk": walk_case, "jitter": jitter_case, "gap": gap_case}


def jittered(problem: ClimbProblem, path: ClimbPath, seed: int = 1) -> ClimbPath:
    """Return a path three times as dense whose samples are off by chance, all constraints kept."""
    tables = filter_tables(problem)
    rng = np.random.default_rng(seed)
    path = along(tables, path, np.arange(0.0, len(path) - 0.99, 1.0 / 3.0))
    q = path.configurations.copy()
    points, margin = np.empty((12, 2)), np.full(10, 0.005)
    sizes = np.array([0.008, 0.006, 0.04, 0.05, *[0.08] * 4, *[0.03] * 4])
    for row in range(1, len(q) - 1):
        for smaller in (1.0, 0.5, 0.25, 0.1):
            trial = q[row] + smaller * sizes * rng.normal(size=12)
            if hold(tables, 1.0, path.grasps[row], trial) and may_be(
                tables, 1.0, path.modes[row], path.grasps[row], trial, margin, 1e9, points
            ):
                q[row] = trial
                break
    return ClimbPath(q, path.facings, path.modes, path.grasps, path.sources)


def entered(problem: ClimbProblem, path: ClimbPath, parts: int = 2) -> float:
    """Return how deep, in metres, links enter polygons at the worst; by other code than that of the filters."""
    figure = problem.figure.table
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in problem.environment.polygons])
    fine = along(filter_tables(problem), path, np.arange(0.0, len(path) - 1.0 + 1e-9, 1.0 / parts))
    points = np.empty((12, 2))
    worst = -np.inf
    for facing, q in zip(fine.facings, fine.configurations, strict=True):
        place(figure, facing, q, points)
        for number, (first, second) in enumerate(LINKS.values()):
            a, b = points[first], points[second]
            if number in (3, 5):  # without the hand
                b = a + (b - a) * (1.0 - figure.hand_length / figure.forearm)
            worst = max(worst, figure.radius[number] - shapely.LineString([a, b]).distance(solid))
    return float(worst)


def off_anchors(problem: ClimbProblem, path: ClimbPath) -> float:
    """Return how far the end of a limb that holds is from where it should be, at the worst."""
    worst = 0.0
    points = np.empty((12, 2))
    for facing, q, grasps in zip(path.facings, path.configurations, path.grasps, strict=True):
        place(problem.figure.table, facing, q, points)
        for limb, grasp in enumerate(grasps):
            if grasp != FREE:
                anchor = anchor_of(problem.environment.grasp_points[grasp], problem.figure, limb // 2, facing)
                worst = max(worst, float(np.hypot(*(points[LIMB_POINTS[limb]] - anchor))))
    return worst


def arc_heights(problem: ClimbProblem, path: ClimbPath) -> list[float]:
    """Return how high each swinging foot is lifted over where it was."""
    ends, _ = ends_of(filter_tables(problem), path.configurations, path.facings)
    return [
        float(ends[a : b + 1, foot, 1].max() - ends[a, foot, 1])
        for foot in (2, 3)
        for a, b in free_runs(path.grasps, foot)
        if a >= 0 and b < len(path)
    ]


def arm_swing(path: ClimbPath) -> FloatArray:
    """Return how far each upper arm swings, in radians."""
    arms = path.configurations[:, [4, 6]] - path.configurations[:, 2:3]
    return np.ptp(arms, axis=0)


@pytest.mark.parametrize("case", CASES)
def test_no_link_enters_anything_in_frames_or_between_them(case: str) -> None:
    problem, _, smooth, motion = CASES[case]()
    assert entered(problem, smooth) < 0.001
    assert entered(problem, motion.path) < 0.001


@pytest.mark.parametrize("case", CASES)
def test_what_holds_stays_where_it_holds(case: str) -> None:
    problem, _, smooth, motion = CASES[case]()
    assert off_anchors(problem, smooth) < 1e-4
    assert off_anchors(problem, motion.path) < 1e-4
    halves = along(filter_tables(problem), motion.path, np.arange(0.5, len(motion.path) - 1.0))
    assert off_anchors(problem, halves) < 1e-4


@pytest.mark.parametrize("case", CASES)
def test_the_same_holds_follow_each_other(case: str) -> None:
    _, path, smooth, motion = CASES[case]()
    np.testing.assert_array_equal(smooth.grasps, path.grasps)
    changes = [part.grasps[np.concatenate([[0], part.grasp_changes])] for part in (path, motion.path)]
    np.testing.assert_array_equal(changes[0], changes[1])


@pytest.mark.parametrize("case", CASES)
def test_joints_stay_within_their_limits_speeds_and_accelerations(case: str) -> None:
    problem, _, _, motion = CASES[case]()
    table, path = problem.figure.table, motion.path
    assert np.all(path.configurations >= table.low - 1e-6)
    assert np.all(path.configurations <= table.high + 1e-6)
    assert np.all(speeds(path, RATE_HZ) <= MOST_SPEED)
    assert np.all(accelerations(path, RATE_HZ) <= MOST_ACCELERATION)


@pytest.mark.parametrize("case", CASES)
def test_both_ends_are_as_they_were(case: str) -> None:
    _, path, smooth, motion = CASES[case]()
    for part in (smooth, motion.path):
        np.testing.assert_allclose(part.configurations[[0, -1]], path.configurations[[0, -1]], atol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_feet_keep_their_arcs_and_arms_their_swing(case: str) -> None:
    problem, path, smooth, motion = CASES[case]()
    plain = scripted_walk()
    for part in (smooth, motion.path):
        before, after = arc_heights(problem, path), arc_heights(problem, part)
        assert len(before) == len(after) > 0
        assert np.all(np.array(after) >= 0.7 * np.array(before))
        assert np.all(arm_swing(part) >= 0.7 * arm_swing(plain))


def test_a_jittered_path_loses_more_than_half_its_joint_travel() -> None:
    _, path, smooth, motion = jitter_case()
    assert smooth.joint_travel < 0.5 * path.joint_travel
    assert motion.path.joint_travel < 0.25 * path.joint_travel
    assert motion.path.joint_travel < 1.5 * scripted_walk().joint_travel


def test_a_walk_goes_on_steadily_at_the_pace_of_a_person() -> None:
    _, _, _, motion = walk_case()
    q = motion.path.configurations
    speed = np.diff(q[:, 0]) * RATE_HZ
    middle = (q[1:, 0] > 0.8) & (q[1:, 0] < 1.9)
    assert 0.9 < speed[middle].mean() < 1.6
    assert speed[middle].min() > 0.7 * speed[middle].mean(), "it stops at footfalls"
    heights = q[(q[:, 0] > 0.8) & (q[:, 0] < 1.9), 1]
    assert 0.02 < np.ptp(heights) < 0.09
    swings = [(b - a) / RATE_HZ for foot in (2, 3) for a, b in free_runs(motion.path.grasps, foot)]
    assert all(0.25 < swing < 1.2 for swing in swings)


def test_feet_leave_and_arrive_without_a_jerk() -> None:
    problem, _, _, motion = walk_case()
    ends, _ = ends_of(filter_tables(problem), motion.path.configurations, motion.path.facings)
    speed = np.hypot(*np.moveaxis(np.diff(ends, axis=0), -1, 0)) * RATE_HZ
    for foot in (2, 3):
        for a, b in free_runs(motion.path.grasps, foot):
            assert max(speed[a, foot], speed[b - 1, foot]) < 0.25 * speed[a:b, foot].max()


def test_the_same_seed_gives_the_same_motion() -> None:
    problem, path, smooth, motion = jitter_case()
    again, again_motion = smooth_and_time(problem, path, RATE_HZ)
    np.testing.assert_array_equal(again.configurations, smooth.configurations)
    np.testing.assert_array_equal(again_motion.path.configurations, motion.path.configurations)


def test_grasps_fall_on_whole_frames_whatever_the_rate() -> None:
    problem, path, _, _ = walk_case()
    tables = filter_tables(problem)
    times = paced(nominal_durations(tables, path, 1.0), np.ones(len(path) - 1), [])
    for rate in (24.0, 30.0, 120.0):
        places = places_of_frames(path, times, rate)
        assert np.all(np.isin(events(path), places))
        assert np.all(np.diff(places) > 0.0)
        assert len(places) == pytest.approx(times[-1] * rate, abs=3)


def test_pace_starts_and_ends_at_rest_and_keeps_to_its_limits() -> None:
    durations = np.full(200, 0.02)
    most = np.ones(200)
    most[100:110] = 0.3
    times = paced(durations, most, [])
    pace = durations / np.diff(times)
    assert pace[0] < 0.2 > pace[-1]
    assert np.all(pace <= np.minimum(1.0, most) + 1e-9)
    middles = 0.5 * (times[1:] + times[:-1])
    gain = np.abs(np.diff(pace)) / np.diff(middles)
    setting_off = (middles[1:] < 0.7) | (middles[1:] > times[-1] - 0.7)
    assert np.all(gain[setting_off] < 1.2 / SET_OFF_S)
    assert np.all(gain < 1.2 / GO_ON_S)


def test_a_turn_takes_about_a_second_and_nothing_else_moves() -> None:
    problem, path, _, _ = walk_case()
    last = path.part(len(path) - 1, len(path))
    facings = np.cos(np.linspace(0.0, np.pi, 12))
    turn = ClimbPath(
        np.repeat(last.configurations, 12, axis=0), facings, np.repeat(last.modes, 12),
        np.repeat(last.grasps, 12, axis=0), np.repeat(last.sources, 12),
    )  # fmt: skip
    q = turn.configurations.copy()
    q[:, 0] = anchor_of(problem.environment.grasp_points[last.grasps[0, 2]], problem.figure, 1)[0]
    tables = filter_tables(problem)
    assert hold(tables, 1.0, turn.grasps[0], q[0])
    q[:] = q[0]
    _, motion = smooth_and_time(problem, ClimbPath(q, facings, turn.modes, turn.grasps, turn.sources), RATE_HZ)
    assert 0.8 < motion.duration_s < 2.5
    assert np.all(np.diff(motion.path.facings) <= 1e-12)
    assert motion.path.facings[0] == 1.0
    assert motion.path.facings[-1] == -1.0
    np.testing.assert_allclose(motion.path.configurations, np.repeat(q[:1], len(motion.path), axis=0), atol=1e-9)


def test_toppling_says_how_far_a_body_at_rest_is_beside_its_feet() -> None:
    problem, path, _, _ = walk_case()
    tables = filter_tables(problem)
    still = path.part(0, 1)
    standing = ClimbPath(*(np.repeat(getattr(still, name), 30, axis=0) for name in still.__dataclass_fields__))
    ends, centres = ends_of(tables, standing.configurations, standing.facings)
    spans = np.repeat([[-0.06, 0.16]], 30, axis=0)
    moved = centres.copy()
    moved[:, 0] = -0.10
    push = toppling(standing, spans, moved, ends, RATE_HZ)
    np.testing.assert_allclose(push, 0.04 + 0.015, atol=1e-9)
    moved[:, 0] = 0.1
    assert not np.any(toppling(standing, spans, moved, ends, RATE_HZ))


@pytest.mark.slow
def test_a_path_of_one_or_two_samples_is_delivered() -> None:
    problem, path, _, _ = walk_case()
    for count in (1, 2):
        part = path.part(0, count)
        smooth, motion = smooth_and_time(problem, part, RATE_HZ)
        assert len(smooth) == count
        assert len(motion.path) >= count


def test_short_figures_walk_slower() -> None:
    figure = Figure("short", 1.55)
    problem = ClimbProblem(flat(), problem_in(flat()).start, problem_in(flat()).goal, figure)
    path = scripted_walk(figure=figure)
    _, motion = smooth_and_time(problem, path, RATE_HZ)
    assert off_anchors(problem, motion.path) < 1e-4
    assert motion.duration_s > walk_case()[3].duration_s * 0.95
