"""KP00 measured again: what every item shows, and what must be true of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidence.reproductions import (
    kp00_ablation,
    kp00_figure_1,
    kp00_figure_3,
    kp00_figure_6,
    kp00_figure_7,
    kp00_figure_9,
    kp00_figure_12,
    kp00_figure_13,
    kp00_figure_14,
    kp00_figures_10_11,
    kp00_grasp_points,
    kp00_times,
)
from evidence.reproductions.climb_runs import PAPER, STANCES, climbed, median
from evidence.reproductions.free_problems import dead_end
from evidence.reproductions.free_trace import Act, traced
from evidence.reproductions.imported_body import angles_on_body
from evidence.reproductions.report import Report
from evidence.reproductions.rpp_parameters import measured_chances, measured_free_share, measured_neighbours
from evidence.reproductions.three_links import LINK_M, bent_pipe, clearances, placed, solve_links
from evidence.tests.quick_items import check_item, quick
from gambol.judges import judge_climb_body

NAMES = (
    "kp00-times", "kp00-figure-1", "kp00-figure-3", "kp00-figure-6", "kp00-figure-7", "kp00-ablation", "kp00-figure-9",
    "kp00-figures-10-11", "kp00-figure-12", "kp00-figure-13", "kp00-figure-14", "kp00-grasp-points",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_an_item_shows_all_its_claims_and_explains_what_is_worse(name: str, tmp_path: Path):
    check_item(name, tmp_path)


def number(report: Report, table: str, label: str, column: str) -> float:
    value = report.table(table).entry(label, column).ours
    assert isinstance(value, (int, float))
    return value


def test_the_course_is_computed_in_less_than_the_papers_minutes():
    report = quick("kp00-times").report
    assert 0.0 < number(report, kp00_times.WHOLE, kp00_times.COURSE, kp00_times.MINUTES) < 10.0
    assert number(report, kp00_times.WHOLE, kp00_times.COURSE, kp00_times.FRAMES) > 1000


def test_both_cores_solve_what_is_easy_and_only_stances_the_course():
    report = quick("kp00-times").report
    for name in (STANCES, PAPER):
        assert number(report, kp00_times.CORES, "climb-flat", f"{name}: {kp00_times.FOUND}") == 1
    found = {name: number(report, kp00_times.CORES, kp00_times.COURSE, f"{name}: {kp00_times.FOUND}")
             for name in (STANCES, PAPER)}  # fmt: skip
    assert found == {STANCES: 1, PAPER: 0}
    assert any("worse" in sentence for sentence in report.differences)


def test_the_middle_of_some_numbers():
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([4.0, 1.0]) == 2.5


def test_the_course_is_solved_with_all_modes_and_is_clean():
    report = quick("kp00-figure-1").report
    assert number(report, kp00_figure_1.SETTING, kp00_figure_1.USED, "ours") == 4
    judged = report.table(kp00_figure_1.JUDGED)
    assert judged.rows
    for one in judged.rows:
        assert number(report, kp00_figure_1.JUDGED, one.label, kp00_figure_1.CLEAN) == 1
        assert number(report, kp00_figure_1.JUDGED, one.label, kp00_figure_1.COLLISIONS) == 0
    shares = [number(report, kp00_figure_1.MODES, one.label, kp00_figure_1.SHARE)
              for one in report.table(kp00_figure_1.MODES).rows]  # fmt: skip
    assert sum(shares) == pytest.approx(100.0)
    assert min(shares) > 0.0


def test_the_change_from_climbing_to_walking_breaks_nothing():
    report = quick("kp00-figure-13").report
    assert len(report.table(kp00_figure_13.CHANGE).rows) == kp00_figure_13.QUICK_SEEDS
    assert number(report, "constraints", kp00_figure_13.CONSTRAINTS, "ours") == 0
    for kind in (kp00_figure_13.WITHIN, kp00_figure_13.BETWEEN):
        assert 0.0 < number(report, kp00_figure_13.EDGES, kind, kp00_figure_13.SHARE) <= 100.0


def test_smoothing_shortens_what_joints_turn_and_keeps_grasps():
    report = quick("kp00-figures-10-11").report
    for one in report.table(kp00_figures_10_11.TRAVEL).rows:
        of = [number(report, kp00_figures_10_11.TRAVEL, one.label, column)
              for column in (kp00_figures_10_11.PLANNED, kp00_figures_10_11.SMOOTHED)]  # fmt: skip
        assert of[1] < of[0]
        assert number(report, kp00_figures_10_11.TRAVEL, one.label, kp00_figures_10_11.SAME) == 1
        assert number(report, kp00_figures_10_11.TRAVEL, one.label, kp00_figures_10_11.DRIFT) < 1.0


def test_in_time_the_speed_jumps_less_than_with_one_configuration_a_frame():
    report = quick("kp00-figures-10-11").report
    for one in report.table(kp00_figures_10_11.SPEED).rows:
        of = [number(report, kp00_figures_10_11.SPEED, one.label, column)
              for column in (kp00_figures_10_11.ONE_TO_ONE, kp00_figures_10_11.DELIVERED)]  # fmt: skip
        assert of[1] < 0.5 * of[0]


def test_three_links_keep_their_lengths_and_clear_of_everything():
    problem = bent_pipe(1)
    path = solve_links(problem)
    assert path.found
    assert np.allclose(path.rows[0], problem.start)
    assert np.allclose(path.rows[-1], problem.goal)
    assert np.allclose(np.linalg.norm(np.diff(placed(path.rows), axis=1), axis=2), LINK_M)
    assert path.least_clearance_m > 0.0
    inside = problem.start + (2.0, 1.5, 0.0, 0.0, 0.0)
    assert clearances(problem, inside[None])[0] < 0.0
    report = quick("kp00-figure-3").report
    assert number(report, kp00_figure_3.SEARCHES, "seed 1", kp00_figure_3.FOUND) == 1


def test_going_back_leads_to_a_configuration_of_a_random_walk_and_is_followed_by_another():
    trace = traced(dead_end(4))
    assert trace.found
    assert trace.count(Act.BACK) > 0
    for at, piece in enumerate(trace.pieces):
        if piece.act != Act.BACK:
            continue
        assert trace.pieces[at + 1].act == Act.WALK
        walked = np.concatenate([one.rows[1:] for one in trace.pieces[:at] if one.act == Act.WALK])
        assert np.any(np.all(walked == piece.rows[1], axis=1))


def test_parameters_of_random_walks_and_of_the_map_are_the_papers():
    chances = measured_chances(4000)
    for chance in (chances.raised, chances.lowered, chances.left):
        assert chance == pytest.approx(1.0 / 3.0, abs=0.02)
    assert chances.most <= 1.0
    assert chances.unlike_even < 0.03
    assert measured_free_share() == pytest.approx(0.5, abs=1e-6)
    assert measured_neighbours() == 4


def test_random_walks_do_less_where_something_is_held():
    report = quick("kp00-figure-6").report
    freely, holding = (number(report, kp00_figure_6.ROLE, label, kp00_figure_6.SHARE)
                       for label in (kp00_figure_6.FREELY, kp00_figure_6.HOLDING))  # fmt: skip
    assert holding < 0.5 * freely


def test_every_step_of_a_walk_holds_one_foot_then_both_then_the_other():
    report = quick("kp00-figure-7").report
    feet = [number(report, kp00_figure_7.DRAWN, one.label, kp00_figure_7.FEET)
            for one in report.table(kp00_figure_7.DRAWN).rows]  # fmt: skip
    assert feet == [1, 1, 2, 1]
    left = [number(report, kp00_figure_7.DRAWN, one.label, kp00_figure_7.LEFT_M)
            for one in report.table(kp00_figure_7.DRAWN).rows]  # fmt: skip
    assert left[1] < left[0]
    assert left[3] < left[2]
    steps, follow = (number(report, kp00_figure_7.ALL, label, "ours")
                     for label in ("steps", "of these hold one foot, that one, both, the other"))  # fmt: skip
    assert steps == follow > 0


def test_the_second_pass_keeps_key_points_and_shortens_limbs():
    report = quick("kp00-figure-9").report
    for one in report.table(kp00_figure_9.LIMBS_TABLE).rows:
        assert number(report, kp00_figure_9.LIMBS_TABLE, one.label, kp00_figure_9.MOVED) == 0.0
        assert number(report, kp00_figure_9.LIMBS_TABLE, one.label, kp00_figure_9.OTHERS) == 0.0
        assert number(report, kp00_figure_9.LIMBS_TABLE, one.label, kp00_figure_9.KEPT) < 100.0


def test_our_body_stays_out_of_things_into_which_imported_angles_lead():
    report = quick("kp00-figure-12").report

    def worst(way: str, column: str) -> float:
        return number(report, kp00_figure_12.BODIES, f"all scenes, {way}", column)

    assert worst(kp00_figure_12.OURS, kp00_figure_12.ENTRY) <= 1.0
    assert worst(kp00_figure_12.OURS, kp00_figure_12.SLIDE) < 1.0
    assert worst(kp00_figure_12.IMPORTED, kp00_figure_12.ENTRY) > 1.0
    assert worst(kp00_figure_12.OTHER, kp00_figure_12.SLIDE) > 10.0


def test_imported_angles_have_the_planar_figures_hips_and_hold_as_steadily():
    climb = climbed("climb-bars")
    assert climb.motion is not None
    body = angles_on_body(climb.problem, climb.motion)
    hips = [body.skeleton.index(f"{side}UpLeg") for side in ("Left", "Right")]
    middle = body.world_positions[:, hips].mean(axis=1)
    assert np.allclose(middle[:, [0, 2]], climb.motion.path.configurations[:, :2], atol=1e-6)
    assert judge_climb_body(climb.problem, body, climb.motion).slide_cm.value < 1e-6


def test_stances_pass_where_the_papers_core_and_limbs_alone_are_stuck():
    report = quick("kp00-figure-14").report
    table = report.table(kp00_figure_14.CASES)
    for scene in (kp00_figure_14.WITH, kp00_figure_14.WITHOUT):
        assert table.entry(f"{scene}, {STANCES}", kp00_figure_14.FOUND).ours == "1 of 1"
        assert table.entry(f"{scene}, {kp00_figure_14.LIMBS_ONLY}", kp00_figure_14.FOUND).ours == "0 of 1"
    assert table.entry(f"{kp00_figure_14.FORK}, {PAPER}", kp00_figure_14.FOUND).ours == "0 of 1"
    assert table.entry(f"{kp00_figure_14.FORK}, {STANCES}", kp00_figure_14.FOUND).ours == "1 of 1"


def test_without_heuristics_the_papers_core_leans_and_postures_are_worse():
    report = quick("kp00-ablation").report
    leans = [number(report, kp00_ablation.LEANING, name, kp00_ablation.LEAN)
             for name in (kp00_ablation.WITH_ALL, kp00_ablation.WITH_NONE)]  # fmt: skip
    assert leans[1] > 2.0 * leans[0]
    worse, usual = (number(report, kp00_ablation.SWITCHED, case, kp00_ablation.DISCOMFORT)
                    for case in (kp00_ablation.ALL, kp00_ablation.NOTHING))  # fmt: skip
    assert worse > usual


def test_many_grasp_points_do_not_make_steps_mincing():
    report = quick("kp00-grasp-points").report
    few, many = (number(report, kp00_grasp_points.ABUNDANCE, f"climb-flat, {times} times, {STANCES}",
                        kp00_grasp_points.STRIDE) for times in kp00_grasp_points.QUICK.times)  # fmt: skip
    assert many > 0.75 * few
