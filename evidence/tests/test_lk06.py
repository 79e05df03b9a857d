"""LK06's items at a size of seconds: what holds for every one of them, and for each its own."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely

from evidence.reproductions import dragging, lk06_figure_4, lk06_figure_14, lk06_figure_15, lk06_gridmaps, lk06_poses
from evidence.reproductions.claim import claim
from evidence.reproductions.frequency_drawing import frequency_of
from evidence.reproductions.item import say_nothing
from evidence.reproductions.report import Table
from evidence.reproductions.shots import EDGE_M, RADIUS_M, Aim, watch, went_elsewhere
from evidence.reproductions.solution_drawing import Solution
from evidence.reproductions.subjects import HUB, lk06_character
from evidence.tests.quick_items import check_item, quick
from gambol.animate import play
from gambol.crowd import root_points
from gambol.scenes import load_scene
from gambol.trees import TreePlanner, grow_exhaustive

NAMES = ("lk06-figure-4", "lk06-gridmaps", "lk06-poses", "lk06-figure-14", "lk06-figure-15")


@pytest.mark.parametrize("name", NAMES)
def test_every_item_of_lk06_says_what_it_measured(name: str, tmp_path: Path):
    check_item(name, tmp_path)


def test_every_path_is_counted_once_and_in_its_own_cell():
    tree = grow_exhaustive(lk06_character(21), depth=2, begins=HUB)
    found = frequency_of(tree.pose[1:, :2], 0.28)
    assert found.count.sum() == len(tree) - 1
    corner, ahead = [(-0.3, -0.1), (-0.26, -0.2)], [(0.3, 0.6)] * 3
    small = frequency_of(corner + ahead, 0.25)
    assert (small.x0, small.y0) == (-0.5, -0.25)
    expected = np.zeros((4, 4), dtype=np.int64)  # rows are y, columns x
    expected[0, 0], expected[3, 3] = 2, 3
    assert (small.count == expected).all()
    assert (small.most, small.cells, small.above) == (3, 2, 0)


def numbers_of(table: Table, label: str) -> dict[str, float]:
    """Return the numbers of a row by their columns."""
    ours = {column: table.entry(label, column).ours for column in table.columns}
    return {column: float(value) for column, value in ours.items() if isinstance(value, (int, float))}


def test_the_pruned_tree_of_figure_4_covers_most_cells_of_the_exhaustive_one_with_fewer_paths():
    trees = quick("lk06-figure-4").report.table(lk06_figure_4.TREES)
    whole, pruned = numbers_of(trees, lk06_figure_4.EXHAUSTIVE), numbers_of(trees, lk06_figure_4.PRUNED)
    assert pruned["nodes"] < 0.3 * whole["nodes"]
    assert pruned["cells reached"] > 0.7 * whole["cells reached"]
    assert pruned["paths in the fullest cell"] < whole["paths in the fullest cell"]
    assert whole["% not behind"] > 90.0
    assert whole["MB with goal lists"] > whole["MB of nodes"] > 0.0


def test_figure_4_is_grown_to_the_papers_size():
    assert claim("lk06.fig4.depth").value == lk06_figure_4.FULL.depth
    assert claim("lk06.fig4.pruned.nodes").value == lk06_figure_4.FULL.nodes


# Grids


def test_finer_cells_mark_more_and_take_longer():
    table = quick("lk06-gridmaps").report.table(lk06_gridmaps.MAPPING)
    marked = [numbers_of(table, one.label)["cells marked"] for one in table.rows]
    times = [numbers_of(table, one.label)["times as long"] for one in table.rows]
    assert 3.0 < marked[1] / marked[0] < 4.5  # half the side, up to edges
    assert 6.0 < marked[2] / marked[0] < 10.0
    assert times[0] == 1.0
    assert times[2] > 2.0


# Poses


def test_a_pose_takes_less_than_the_papers_and_both_are_the_sum_of_their_parts():
    report = quick("lk06-poses").report
    poses, together = report.table(lk06_poses.POSES), report.table(lk06_poses.TOGETHER)
    blended, blending, live = (
        numbers_of(poses, label)[lk06_poses.US] for label in (lk06_poses.BLENDED, lk06_poses.BLENDING, lk06_poses.LIVE)
    )
    assert 0.0 < blended < blending, "blends made before are not made on the way"
    assert 0.0 < live < 10.0
    for one in together.rows:
        numbers = numbers_of(together, one.label)
        assert numbers[lk06_poses.BOTH] == pytest.approx(numbers[lk06_poses.PLANNING] + numbers[lk06_poses.POSING])
        assert numbers[lk06_poses.POSING] == pytest.approx(2.0 * blended), "two poses at 60 Hz for a planning frame"


# Dragging


def test_a_thing_is_dragged_to_and_fro_and_never_stays():
    places = [place for place, _ in zip(dragging.asides(0.5), range(24), strict=False)]
    assert max(places) == dragging.FAR_M
    assert min(places) == -dragging.FAR_M
    assert all(abs(later - sooner) == pytest.approx(0.5) for sooner, later in pairwise([0.0, *places]))


def test_the_obstacle_that_is_dragged_lies_beside_the_way_and_nothing_else_moves():
    problem = lk06_figure_14.problem_in("search")
    plan = TreePlanner().solve(problem)
    one = dragging.beside_the_way(problem, plan)
    assert one.top_m > dragging.TALL_M
    moved = dragging.obstacle_moved(one.name)(problem, 1.0).world
    changed = [new.name for old, new in zip(problem.world.obstacles, moved.obstacles, strict=True) if old != new]
    assert changed == [one.name]
    assert dragging.goal_moved(problem, 1.0).world is problem.world
    assert dragging.goal_moved(problem, 1.0).goal.x == problem.goal.x + 1.0


def test_dragging_plans_whole_ways_of_the_papers_lengths_again_and_again():
    report = quick("lk06-figure-14").report
    times, came = report.table(lk06_figure_14.DRAGGED), report.table(lk06_figure_14.CAME)
    for one in times.rows:
        took, got = numbers_of(times, one.label), numbers_of(came, one.label)
        assert got[lk06_figure_14.FOUND] == 100.0
        assert got[lk06_figure_14.WAYS] > 1, "what is dragged matters"
        assert took[lk06_figure_14.RATE] == pytest.approx(1000.0 / took[lk06_figure_14.WHOLE])
        assert took[lk06_figure_14.WORLD] <= took[lk06_figure_14.WHOLE] <= took[lk06_figure_14.SLOW]
        assert 0.0 < took[lk06_figure_14.SCREEN] < 28.0
        length = claim(f"lk06.fig14.{one.label.split(',')[0]}.frames").value
        assert isinstance(length, int)
        assert 0.7 * length < got[lk06_figure_14.FRAMES] < 1.2 * length
    assert numbers_of(times, "large, obstacle moved")[lk06_figure_14.WORLD] > 0.0
    resting = numbers_of(times, "large, goal moved")
    assert resting[lk06_figure_14.WORLD] < 0.1 * resting[lk06_figure_14.WHOLE], "the world is as it was"


def test_a_solution_shows_where_paths_of_trees_end():
    problem = lk06_figure_14.problem_in("search")
    plan = TreePlanner(trace=True).solve(problem)
    solution = Solution(problem, plan, play(plan.character, plan.steps), 1.0, "")
    assert len(solution.joins) > 1
    assert np.hypot(*(solution.joins[-1] - (problem.goal.x, problem.goal.y))) <= problem.goal.tolerance_m
    starts = {step.pose[:2] for step in plan.steps}
    assert all(tuple(join) in starts for join in solution.joins[:-1].tolist())


# Shots


def test_shots_leave_everybody_untouched_and_most_of_those_in_the_way_unhit():
    report = quick("lk06-figure-15").report
    safe = {one.label: one.entries[0].ours for one in report.table(lk06_figure_15.SAFE).rows}
    assert safe[lk06_figure_15.FOUND] == 0
    hit, would = safe[lk06_figure_15.HITS], safe[lk06_figure_15.AVOIDED]
    assert isinstance(hit, int)
    assert isinstance(would, int)
    assert hit < would, "they look"
    published = report.table(lk06_figure_15.PUBLISHED)
    assert published.entry("characters in one world", "ours").ours == 150
    times = report.table(lk06_figure_15.TIMES)
    for label in (lk06_figure_15.CALM, lk06_figure_15.SHOT):
        numbers = numbers_of(times, label)
        whole = numbers["mean ms"] + numbers["all poses, ms"]
        assert numbers["frames a second, poses included"] == pytest.approx(1000.0 / whole)
        assert numbers["ms to plan for one"] * numbers["planned for in a frame"] == pytest.approx(numbers["mean ms"])


def test_a_shot_begins_where_there_is_room_and_changes_nothing_before_it():
    scene = load_scene(lk06_figure_15.SCENE)
    calm = watch(scene, 60, say_nothing, warm_up=30)
    shot = watch(scene, 60, say_nothing, warm_up=30, shot_at=(20,), aim=Aim(calm, seed=1))
    (mover,) = shot.shots
    assert mover.trajectory.times_s[0] * 30.0 == pytest.approx(51.0)
    x0, y0, x1, y1 = scene.world.bounds
    for x, y, _ in mover.trajectory.poses:
        assert min(x - x0, y - y0, x1 - x, y1 - y) == pytest.approx(EDGE_M)
        assert all(shapely.distance(shapely.Point(x, y), one.footprint.region(one.pose)) >= RADIUS_M - 1e-9
                   for one in scene.world.obstacles)  # fmt: skip
    people = np.array([path[51] for path in root_points(calm.crowd.recording())])
    assert np.hypot(*(people - mover.trajectory.poses[0, :2]).T).min() > 2.0 * RADIUS_M
    assert went_elsewhere(shot, calm, 50) == 0
    assert went_elsewhere(shot, calm, 90) > 0
