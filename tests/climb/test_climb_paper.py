"""The paper's core: what is held stays held, nothing is entered, and each source of motion does what it says."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.support.climb_cases import box, flat, floor_points, problem_in, small_problems

from gambol.climb.climb import ClimbMotion, Source
from gambol.climb.figure import FREE, Figure, figure_named
from gambol.climb.kernels.chance import chance_state
from gambol.climb.kernels.comfort import log_discomfort
from gambol.climb.kernels.field import clearance
from gambol.climb.kernels.kinematics import place
from gambol.climb.kernels.steps import THIRDS, limb_end, motion_is_clear, vary
from gambol.climb.modes import Mode
from gambol.climb.paper.attempt import LEAST_DECREASE_M, Attempt
from gambol.climb.paper.core import PaperCore
from gambol.climb.paper.machine import EDGES
from gambol.climb.paper.start import starting_attempt
from gambol.climb.paper.tables import WIDTH_M, Tables, step_widths
from gambol.climb.problem import ClimbGoal, ClimbProblem, ClimbStart
from gambol.errors import InvalidInput
from gambol.judges import judge_climb
from gambol.search import Outcome
from gambol.world import Environment


def searched(problem, max_steps=400):
    found = PaperCore(max_steps=max_steps).search(problem)
    assert found.path is not None, found.reason
    return found, found.path


def started(problem, seed=0) -> Attempt:
    attempt = starting_attempt(Tables.of(problem), problem.start, chance_state(seed))
    assert isinstance(attempt, Attempt), attempt
    return attempt


def check(problem, path):
    """Everything that must be true of a raw path."""
    tables = Tables.of(problem)
    for q, grasps in zip(path.configurations, path.grasps, strict=True):
        for limb in np.flatnonzero(grasps != FREE):
            anchor = tables.anchor[grasps[limb], 0 if limb < 2 else 1]
            np.testing.assert_allclose(limb_end(tables.figure, tables.facing, q, int(limb)), anchor, atol=1e-6)
    report = judge_climb(problem, ClimbMotion(path, 30.0))
    assert report.collisions == 0, report.entry_mm
    assert report.over_limit == 0
    assert [wrong for wrong in report.illegal if wrong.rule != "jump"] == []
    points = np.array([tables.points(q) for q in path.configurations])
    assert np.abs(np.diff(points, axis=0)).max() < 0.2  # close enough to play
    edges = {(edge.start, edge.end) for edge in EDGES}
    for before, after in zip(path.modes[:-1], path.modes[1:], strict=True):
        assert before == after or (before, after) in edges


@pytest.mark.parametrize("seed", range(4))
def test_flat_ground_is_walked(seed):
    problem = problem_in(flat(), seed=seed)
    found, path = searched(problem)
    assert found.outcome == Outcome.FOUND, found.reason
    assert np.all(path.modes == Mode.WALK)
    assert {Source.MACHINE, Source.DESCENT, Source.COMFORT} <= set(path.sources.tolist())
    check(problem, path)
    x, z = Tables.of(problem).centre(path.configurations[-1])
    assert np.hypot(x - problem.goal.x, z - problem.goal.z) <= problem.goal.tolerance_m
    feet = path.grasps[:, 2:]
    taken = [
        feet[row, side] for row in range(1, len(path)) for side in (0, 1) if feet[row, side] != feet[row - 1, side]
    ]
    strides = np.diff([problem.environment.grasp_points[point].x for point in taken if point != FREE])
    assert 0.35 <= np.median(strides) <= 0.85


def test_walking_goes_left_too_and_children_walk():
    problem = ClimbProblem(flat(), ClimbStart(6.0, 0.0, facing=-1), ClimbGoal(1.0, 1.0))
    found, path = searched(problem)
    assert found.outcome == Outcome.FOUND, found.reason
    check(problem, path)
    child = ClimbProblem(flat(), ClimbStart(0.0, 0.0), ClimbGoal(4.0, 0.65), figure_named("child"))
    found, path = searched(child, 800)
    assert found.outcome == Outcome.FOUND, found.reason
    check(child, path)


@pytest.mark.parametrize("name", ["wall", "tunnel", "bars"])
def test_elsewhere_whatever_is_found_is_sound(name):
    problem = small_problems()[name]
    _, path = searched(problem, 150)
    check(problem, path)
    expected = {"wall": Mode.CLIMB, "tunnel": Mode.CRAWL, "bars": Mode.SWING}[name]
    assert expected in path.modes


def test_the_same_seed_gives_the_same_path():
    first, second, other = (searched(problem_in(flat(), seed=seed))[1] for seed in (3, 3, 4))
    assert first.configurations.tobytes() == second.configurations.tobytes()
    assert first.grasps.tobytes() == second.grasps.tobytes()
    assert first.configurations.tobytes() != other.configurations.tobytes()


def test_where_footholds_end_it_walks_at_random_goes_back_and_says_how_far_it_came():
    floor = flat()
    near = floor.with_grasp_points([point for point in floor.grasp_points if not 1.6 < point.x < 4.0])
    found, path = searched(problem_in(near), 300)
    assert found.outcome == Outcome.OUT_OF_BUDGET
    assert found.statistics["backtracks"] > 0
    assert found.statistics["random_walks"] >= 5 * found.statistics["backtracks"]
    assert found.statistics["rows"]["random_walk"] > 0
    assert 2.5 < found.statistics["nearest_m"] < 5.0
    assert f"{found.statistics['backtracks']} times going back" in found.reason
    check(problem_in(near), path)


def test_descent_lowers_the_potential_with_feet_held():
    attempt = started(problem_in(flat()))
    values = [attempt.tables.potential_of(attempt.q)]
    for _ in range(200):
        if not attempt.descend():
            break
        values.append(attempt.tables.potential_of(attempt.q))
    assert len(values) > 5
    assert np.all(np.diff(values) <= -LEAST_DECREASE_M)
    assert len(values) < 150  # with both feet held it soon comes to a local minimum


def test_posture_correction_lowers_the_discomfort():
    attempt = started(problem_in(flat()))
    assert attempt.walk_at_random()
    tables = attempt.tables
    low, high = tables.span(attempt.grasps, Mode.WALK)

    def discomfort(q):
        points, x = tables.points(q), tables.centre(q)[0]
        return log_discomfort(
            tables.figure, tables.field, tables.usage, int(Mode.WALK), q, points, x, low, high, attempt.grasps
        )

    before = len(attempt.trail)
    first = discomfort(attempt.q)
    attempt.settle()
    assert {row[3] for row in attempt.trail.rows[before:]} == {int(Source.COMFORT)}
    assert discomfort(attempt.q) < 0.5 * first


def test_a_carried_foot_arrives_and_nothing_else_moves():
    attempt = started(problem_in(flat()))
    while not attempt.copy().take(2, 1):
        assert attempt.descend()  # leans forward until the next point is within reach
    attempt = attempt.copy()
    before, held = attempt.q.copy(), attempt.grasps.copy()
    assert attempt.take(2, 1)
    others = [at for at in range(12) if at not in (8, 9)]
    for q, _, _, source in attempt.trail.rows:
        np.testing.assert_array_equal(q[others], before[others])
        assert source == Source.MACHINE
    np.testing.assert_allclose(attempt.end(2), attempt.tables.anchor[1, 1], atol=1e-9)
    assert attempt.grasps.tolist() == [FREE, FREE, 1, held[3]]
    assert attempt.trail.rows[0][2][2] == FREE  # let go first
    assert not attempt.take(2, 8)  # too far for two links: the pelvis does not follow
    assert not attempt.take(0, 1)  # hands hold nothing in walking
    assert attempt.let_go(2)
    assert not attempt.let_go(3)  # the last foot


def test_no_coordinate_alone_moves_a_point_farther_than_its_width_says():
    generator = np.random.default_rng(0)
    for figure in (Figure(), figure_named("child")):
        widths = step_widths(figure)
        table = figure.table
        farthest = 0.0
        for _ in range(100):
            low, high = np.maximum(table.low, -1.0), np.minimum(table.high, 1.0)
            q = generator.uniform(low, high)
            points, moved = np.empty((12, 2)), np.empty((12, 2))
            place(table, 1.0, q, points)
            for at in range(12):
                place(table, 1.0, q + widths * (np.arange(12) == at), moved)
                farthest = max(farthest, float(np.linalg.norm(moved - points, axis=1).max()))
        assert 0.8 * WIDTH_M < farthest <= WIDTH_M + 1e-9


def test_random_changes_leave_a_third_and_keep_grasps_and_limits():
    attempt = started(problem_in(flat()))
    tables, trial, state = attempt.tables, np.empty(12), chance_state(1)
    nothing, targets = np.full(4, FREE, dtype=np.int32), np.zeros((4, 2))
    middle = 0.5 * (np.maximum(tables.figure.low, -1.0) + np.minimum(tables.figure.high, 1.0))
    changes = []
    for _ in range(2000):
        assert vary(tables.figure, 1.0, middle, nothing, targets, tables.widths, 1.0, THIRDS, state, trial)
        changes.append((trial - middle) / tables.widths)
    changes = np.array(changes)
    assert np.abs(changes).max() <= 1.0 + 1e-9
    np.testing.assert_allclose((np.abs(changes) < 1e-12).mean(axis=0), 1 / 3, atol=0.05)
    np.testing.assert_allclose((changes > 1e-12).mean(axis=0), 1 / 3, atol=0.05)
    np.testing.assert_allclose(np.abs(changes).mean(axis=0), 1 / 3, atol=0.03)  # a half of two thirds
    held = tables.targets(attempt.grasps)
    found = 0
    for _ in range(300):
        if vary(tables.figure, 1.0, attempt.q, attempt.grasps, held, tables.widths, 1.0, THIRDS, state, trial):
            found += 1
            for limb in (2, 3):
                np.testing.assert_allclose(limb_end(tables.figure, 1.0, trial, limb), held[limb], atol=1e-9)
            assert np.all(trial[2:] >= tables.figure.low[2:] - 1e-9)
            assert np.all(trial[2:] <= tables.figure.high[2:] + 1e-9)
    assert found > 100


def test_a_motion_said_to_be_clear_is_clear_all_along():
    environment = Environment(
        (-1.0, -0.5, 4.0, 3.0), [box(-1.0, -0.5, 4.0, 0.0), box(0.9, 0.6, 1.1, 1.0)], floor_points([0.0])
    )
    tables = Tables.of(problem_in(environment, goal_x=3.0))
    generator = np.random.default_rng(3)
    nothing, targets = np.full(4, FREE, dtype=np.int32), np.zeros((4, 2))
    told = {True: 0, False: 0}
    for _ in range(150):
        start, end = (
            generator.uniform([0.2, 1.0, -0.5, -0.5, *[-0.5, 0.0] * 4], [1.8, 2.0, 1.0, 0.5, *[1.5, 1.5] * 4])
            for _ in "ab"
        )
        end = start + 0.4 * (end - start)
        if clearance(tables.figure, tables.field, tables.points(start), 0.005) < 0.005:
            continue
        says = motion_is_clear(tables.figure, tables.field, 1.0, start, end, nothing, targets, 0.005)
        least = min(
            clearance(tables.figure, tables.field, tables.points(start + share * (end - start)), -1.0)
            for share in np.linspace(0.0, 1.0, 150)
        )
        told[says] += 1
        assert least > 0.0 if says else least < 0.005 + 1e-9
    assert min(told.values()) > 5


def test_the_machine_has_a_self_loop_in_each_mode_and_a_way_into_and_out_of_each():
    pairs = {(edge.start, edge.end) for edge in EDGES}
    assert len({edge.name for edge in EDGES}) == len(EDGES) == len(pairs)
    for mode in Mode:
        assert (mode, mode) in pairs
        assert any(start == mode != end for start, end in pairs)
        assert any(end == mode != start for start, end in pairs)
        preferences = [edge.preference for edge in EDGES if edge.start == mode]
        assert len(set(preferences)) == len(preferences)  # none is ambiguous
    assert all(edge.when and edge.action for edge in EDGES)


def test_what_cannot_be_says_why():
    floor = flat()
    away = PaperCore().search(ClimbProblem(floor, ClimbStart(0.0, 2.5), ClimbGoal(6.0, 1.0)))
    assert away.outcome == Outcome.START_BLOCKED
    assert "no grasp point for a foot" in away.reason
    low = Environment(floor.bounds, [*floor.polygons, box(-1.0, 0.9, 1.0, 1.2)], floor.grasp_points)
    tight = PaperCore().search(problem_in(low))
    assert tight.outcome == Outcome.START_BLOCKED
    assert "no room" in tight.reason
    shut = Environment(floor.bounds, [*floor.polygons, box(3.0, 0.0, 3.3, 3.0)], floor.grasp_points)
    closed = PaperCore().search(problem_in(shut))
    assert closed.outcome == Outcome.UNREACHABLE
    inside = PaperCore().search(ClimbProblem(shut, ClimbStart(0.0, 0.0), ClimbGoal(3.15, 1.0)))
    assert inside.outcome == Outcome.GOAL_BLOCKED
    late = PaperCore().search(dataclasses.replace(problem_in(floor), time_limit_s=0.0))
    assert late.outcome == Outcome.OUT_OF_BUDGET
    with pytest.raises(InvalidInput, match="one step or more"):
        PaperCore(max_steps=0)
