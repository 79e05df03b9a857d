"""Contact-free motion: it arrives, enters nothing, and goes back out of a dead end."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import shapely
from evidence.reproductions.free_problems import bent_corridor, dead_end, floating, two_blocks

from gambol.climb.climb import Source
from gambol.climb.figure import LINKS, Figure
from gambol.climb.kernels.kinematics import place
from gambol.climb.paper.free import CONTROL_POINTS, FreeProblem, solve_free
from gambol.climb.potential import ControlPotential
from gambol.errors import InvalidInput, UnknownName
from gambol.search import Outcome
from gambol.world import Environment


def points_of(problem, q):
    points = np.empty((12, 2))
    place(problem.figure.table, float(problem.facing), q, points)
    return points


def path_of(found):
    assert found.path is not None
    return found.path


def depth_m(problem, rows):
    """How deep links are in polygons at most, each as thick as it is but for the hands' part of the forearms."""
    solid = shapely.union_all([shapely.Polygon(corners) for corners in problem.environment.polygons])
    shapely.prepare(solid)
    radii = problem.figure.table.radius.copy()
    radii[[3, 5]] = problem.figure.table.hand_radius
    worst = -np.inf
    for q in rows:
        points = points_of(problem, q)
        links = shapely.linestrings([[points[a], points[b]] for a, b in LINKS.values()])
        worst = max(worst, float((radii - shapely.distance(solid, links)).max()))
    return worst


def between(rows):
    """Rows and what is half-way between them."""
    return np.concatenate([rows, 0.5 * (rows[1:] + rows[:-1])])


@pytest.fixture(scope="module")
def way_out():
    return solve_free(dead_end())


@pytest.mark.slow
def test_a_figure_goes_over_and_under_and_ends_in_the_posture_that_was_asked_for():
    for seed in range(3):
        problem = two_blocks(seed)
        found = solve_free(problem)
        assert found.outcome == Outcome.FOUND, found.reason
        path = path_of(found)
        np.testing.assert_array_equal(path.configurations[0], problem.start)
        np.testing.assert_allclose(path.configurations[-1], problem.goal, atol=1e-12)
        assert depth_m(problem, between(path.configurations)) < 0.0
        assert np.all(path.grasps == -1)


@pytest.mark.slow
def test_a_figure_folds_itself_through_a_bent_corridor_from_any_seed():
    for seed in range(5):
        problem = bent_corridor(seed)
        found = solve_free(problem)
        assert found.outcome == Outcome.FOUND, found.reason
        path = path_of(found)
        np.testing.assert_array_equal(path.configurations[0], problem.start)
        np.testing.assert_allclose(path.configurations[-1], problem.goal, atol=1e-12)
        assert depth_m(problem, between(path.configurations)) < 0.0
        points = np.array([points_of(problem, q) for q in path.configurations])
        pelvis = points[:, 0]
        in_the_shaft = (pelvis[:, 0] > 3.0) & (pelvis[:, 0] < 3.9) & (pelvis[:, 1] < 2.4)
        heights = np.linalg.norm(points[:, 3] - points[:, [9, 11]].mean(axis=1), axis=1)  # head to ankles
        assert heights[in_the_shaft].min() < 0.5 < 1.2 < min(heights[0], heights[-1])


def test_descent_lowers_the_potential_of_the_control_points():
    problem = two_blocks()
    path = path_of(solve_free(problem))
    chosen = problem.chosen
    potential = ControlPotential.of(problem.environment, points_of(problem, problem.goal)[chosen])
    values = np.array([potential.at(points_of(problem, q)[chosen]) for q in path.configurations])
    straight = 0.35 * len(CONTROL_POINTS)  # from there it goes straight to the goal, whatever the potential
    descends = (path.sources[1:] == Source.DESCENT) & (values[:-1] > straight)
    assert np.count_nonzero(descends) > 50
    assert np.all(np.diff(values)[descends] < 0.0)


def test_rows_are_near_each_other():
    path = path_of(solve_free(two_blocks()))
    points = np.array([points_of(two_blocks(), q) for q in path.configurations])
    assert np.linalg.norm(np.diff(points, axis=0), axis=2).max() < 0.3


def test_out_of_a_cave_whose_back_has_but_a_crack_it_goes_back(way_out):
    problem = dead_end()
    assert way_out.outcome == Outcome.FOUND, way_out.reason
    assert way_out.statistics["backtracks"] == len(way_out.backtracks) > 0
    in_the_cave = [back for back in way_out.backtracks if back.dead_end[0] > 3.0 and back.dead_end[1] > 2.0]
    assert in_the_cave
    # The way that was found leads under the cave, not through the crack.
    pelvis = way_out.path.configurations[:, :2]
    under = (pelvis[:, 0] > 3.3) & (pelvis[:, 0] < 4.4)
    assert np.all(pelvis[under & (pelvis[:, 0] > 4.2), 1] < 2.0)
    assert depth_m(problem, between(way_out.path.configurations)) < 0.0
    assert Source.RANDOM_WALK in way_out.path.sources


def test_going_back_leads_to_configurations_of_random_walks(way_out):
    """But for the first time there was always one, as each local minimum is left by a random walk."""
    kept = {row.tobytes() for row in way_out.path.configurations[way_out.path.sources == Source.RANDOM_WALK]}
    assert way_out.backtracks[-1].restart.tobytes() in kept


def test_the_same_seed_gives_the_same_path():
    first, second, other = (path_of(solve_free(two_blocks(seed))) for seed in (5, 5, 6))
    assert first.configurations.tobytes() == second.configurations.tobytes()
    assert first.configurations.tobytes() != other.configurations.tobytes()


def test_what_cannot_be_says_why():
    problem = two_blocks()
    assert solve_free(dataclasses.replace(problem, start=floating(2.75, 1.0))).outcome == Outcome.START_BLOCKED
    assert solve_free(dataclasses.replace(problem, goal=floating(5.0, 3.5))).outcome == Outcome.GOAL_BLOCKED
    shut = Environment((0.0, 0.0, 8.0, 5.0), [[(4.0, 0.0), (4.4, 0.0), (4.4, 5.0), (4.0, 5.0)]])
    closed = solve_free(FreeProblem(shut, floating(1.2, 1.5), floating(6.5, 1.5)))
    assert closed.outcome == Outcome.UNREACHABLE
    assert "no way" in closed.reason
    stuck = solve_free(dataclasses.replace(dead_end(), max_pieces=5))
    assert stuck.outcome == Outcome.OUT_OF_BUDGET
    assert stuck.path is not None


def test_bad_problems_are_refused():
    with pytest.raises(InvalidInput, match="joints beyond"):
        dataclasses.replace(two_blocks(), goal=floating(1.0, 2.0) + 4.0)
    with pytest.raises(UnknownName):
        dataclasses.replace(two_blocks(), control_points=("nose",))
    with pytest.raises(InvalidInput, match="finite"):
        FreeProblem(two_blocks().environment, np.zeros(3), floating(1.0, 2.0), Figure())
