from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray
from tests.support.climb_cases import (
    SAMPLES_A_STEP,
    bars,
    box,
    flat,
    floor_points,
    problem_in,
    scripted_walk,
    scripted_walk_motion,
    wall_points,
)
from tests.support.climb_environments import random_problem

from gambol.climb import FIGURES, FREE, ClimbMotion, ClimbPath, ClimbProblem, Figure, Mode
from gambol.climb.kernels.kinematics import centre_of_mass, place, reach
from gambol.climb.modes import ALLOWED, LEAST_HELD
from gambol.errors import InvalidInput
from gambol.judges.climb_figure import CAPSULES, anchors_of, capsules_of, mass_centres, points_of
from gambol.judges.climb_gravity import spans
from gambol.judges.climb_report import ClimbReport
from gambol.judges.climb_solids import Solids
from gambol.judges.climbs import judge_climb
from gambol.world import Environment, GraspPoint

FloatArray = NDArray[np.float64]
seeds = st.integers(0, 2**32 - 1)

WALK = scripted_walk_motion()
PROBLEM = problem_in(flat())


def edited(motion: ClimbMotion, **arrays: ArrayLike) -> ClimbMotion:
    return replace(motion, path=replace(motion.path, **arrays))


def with_polygon(problem: ClimbProblem, corners: ArrayLike) -> ClimbProblem:
    world = problem.environment
    return replace(problem, environment=Environment(world.bounds, [*world.polygons, corners], world.grasp_points))


def with_points(*points: GraspPoint) -> ClimbProblem:
    return replace(PROBLEM, environment=PROBLEM.environment.with_grasp_points(points))


def still(
    q: FloatArray, grasps: list[int], mode: Mode = Mode.WALK, facing: float = 1.0, frames: int = 60
) -> ClimbMotion:
    """Return a motion that does nothing."""
    path = ClimbPath(
        np.tile(q, (frames, 1)),
        np.full(frames, facing),
        np.full(frames, mode, dtype=np.int32),
        np.tile(np.array(grasps, dtype=np.int32), (frames, 1)),
        np.zeros(frames, dtype=np.int32),
    )
    return ClimbMotion(path, 60.0)


def standing(lean: float = 0.05) -> FloatArray:
    """Return a posture with both ankles over x = 0."""
    q = np.zeros(12)
    q[1:3] = 0.90, lean
    for foot in (2, 3):
        assert reach(Figure().table, 1.0, q, foot, 0.0, 0.07)
    return q


def hanging(angle_rad: float) -> FloatArray:
    """Return a straight posture whose hands are at (2, 2.05) and whose body is at an angle from below them."""
    q = np.zeros(12)
    q[2] = -angle_rad
    q[4:8:2] = 3.0
    hands = points_of(Figure(), np.ones(1), q[None])[0, 5]
    q[:2] += (2.0, 2.05) - hands
    return q


def rules(report: ClimbReport) -> set[str]:
    return {found.rule for found in report.illegal}


def test_a_walk_made_by_hand_is_clean() -> None:
    report = judge_climb(PROBLEM, WALK)
    assert report.is_clean, report.lines()
    assert (report.collisions, report.touches, report.drifting, report.over_limit) == (0, 0, 0, 0)
    # Ankles are 7 cm above the floor and shanks 5.8 cm thick.
    assert -12.5 < report.entry_mm.value < -11.0
    assert "shank" in report.entry_mm.what
    assert report.gravity.outside_at_rest > 0  # it walks by falling from foot to foot
    assert [(stretch.mode, stretch.first, stretch.last) for stretch in report.modes] == [("walk", 0, report.frames - 1)]


def test_the_report_is_json_with_the_counts_of_a_plan() -> None:
    written = json.loads(json.dumps(judge_climb(PROBLEM, WALK).as_dict()))
    assert {
        "collisions": 0,
        "touches": 0,
        "illegal_transitions": 0,
        "frames": len(WALK.path),
    }.items() <= written.items()


@pytest.mark.parametrize(("depth_mm", "is_collision"), [(2.0, True), (0.5, False)])
def test_a_link_in_a_polygon_is_told_with_its_depth_and_place(depth_mm: float, is_collision: bool) -> None:
    capsules = capsules_of(PROBLEM.figure, points_of(PROBLEM.figure, WALK.path.facings, WALK.path.configurations))
    head = CAPSULES.index("head")
    crowns = capsules.ends[:, head, 1] + capsules.radii[head]
    ceiling = crowns.max() - depth_mm / 1000.0
    report = judge_climb(with_polygon(PROBLEM, box(-1.0, ceiling, 9.0, 2.9)), WALK)
    assert report.entry_mm.value == pytest.approx(depth_mm, abs=0.05)
    assert report.entry_mm.what == "head"
    assert report.entry_mm.frame == pytest.approx(np.argmax(crowns), abs=1.0)
    frames_inside = int(np.sum(crowns - ceiling > (0.001 if is_collision else 0.0)))
    assert frames_inside <= (report.collisions if is_collision else report.touches) <= frames_inside + 10
    assert report.is_clean != is_collision


def test_what_is_met_between_frames_is_found() -> None:
    coarse = ClimbPath(*(getattr(WALK.path, name)[::5] for name in ClimbPath.__dataclass_fields__))
    motion = ClimbMotion(coarse, WALK.rate_hz / 5)
    figure = PROBLEM.figure
    heads = points_of(figure, coarse.facings, coarse.configurations)[:, 3]
    middle = points_of(figure, np.ones(1), coarse.configurations[10:12].mean(axis=0)[None])[0, 3]
    tip = middle[1] + figure.table.radius[1] - 0.010
    spike = [(middle[0], tip), (middle[0] + 0.0005, 2.9), (middle[0] - 0.0005, 2.9)]
    assert np.hypot(*(heads - (middle[0], tip)).T).min() > figure.table.radius[1] + 0.002  # frames do not meet it
    report = judge_climb(with_polygon(PROBLEM, spike), motion)
    assert 10.0 - 1e-6 <= report.entry_mm.value < 10.5  # somewhat deeper, as the head rises
    assert 10.0 < report.entry_mm.frame < 11.0
    assert report.collisions == 1


def test_a_torso_wholly_inside_is_deeper_than_its_radius() -> None:
    report = judge_climb(with_polygon(PROBLEM, box(1.0, 0.5, 2.0, 2.5)), WALK)
    assert report.entry_mm.value > 400.0
    assert report.collisions > 20


def test_leaving_the_bounds_is_a_finding() -> None:
    world = PROBLEM.environment
    low = replace(PROBLEM, environment=Environment((-1.0, -0.5, 9.0, 1.7), world.polygons, world.grasp_points))
    report = judge_climb(low, WALK)
    assert report.beyond_mm.value > 10.0
    assert report.beyond_mm.what == "head"
    assert not report.is_clean
    assert report.collisions > 0


def test_a_grasp_that_drifts_is_found() -> None:
    configurations = WALK.path.configurations.copy()
    configurations[50, 0] += 0.002
    report = judge_climb(PROBLEM, edited(WALK, configurations=configurations))
    assert report.drift_mm.value == pytest.approx(2.0, abs=0.01)
    assert (report.drift_mm.frame, report.drift_mm.what) == (50.0, "left_foot holds point 3")
    assert not report.is_clean
    assert report.drifting >= 1


def test_a_grasp_taken_before_the_foot_is_there_is_found() -> None:
    grasps = WALK.path.grasps.copy()
    landing = 2 * SAMPLES_A_STEP
    grasps[landing - 3] = grasps[landing]
    grasps[landing - 2] = grasps[landing - 1] = grasps[landing]
    report = judge_climb(PROBLEM, edited(WALK, grasps=grasps))
    assert report.drift_mm.what.startswith("left_foot takes point")
    assert report.drift_mm.frame == landing - 3
    assert not report.is_clean


def test_grasps_are_held_half_way_between_frames_too() -> None:
    coarse = ClimbPath(*(getattr(WALK.path, name)[::5] for name in ClimbPath.__dataclass_fields__))
    report = judge_climb(PROBLEM, ClimbMotion(coarse, WALK.rate_hz / 5))
    assert report.drift_mm.value > 3.0
    assert report.drift_mm.frame % 1.0 == 0.5
    assert not report.is_clean


def test_a_joint_beyond_its_limit_is_found() -> None:
    configurations = WALK.path.configurations.copy()
    configurations[:, 3] = (PROBLEM.figure.table.high[3] + 0.01) * np.sin(np.linspace(0.0, np.pi, len(configurations)))
    report = judge_climb(PROBLEM, edited(WALK, configurations=configurations))
    assert report.over_limit_rad.value == pytest.approx(0.01, abs=1e-4)
    assert report.over_limit_rad.what == "neck"
    assert report.over_limit > 0
    assert not report.is_clean
    assert not report.illegal


def test_hands_on_what_only_bears_load_are_found_when_climbing_but_not_when_crawling() -> None:
    grasps = WALK.path.grasps.copy()
    grasps[30:40, 0] = 4
    for mode, is_found in ((Mode.CLIMB, True), (Mode.CRAWL, False)):
        modes = np.full(len(grasps), mode, dtype=np.int32)
        kinds = [
            one for one in judge_climb(PROBLEM, edited(WALK, grasps=grasps, modes=modes)).illegal if one.rule == "kind"
        ]
        found = [(one.first, one.last) for one in kinds]
        assert found == ([(30, 39)] if is_found else [])


def test_too_few_holds_are_found() -> None:
    grasps = WALK.path.grasps.copy()
    grasps[45:49] = FREE
    report = judge_climb(PROBLEM, edited(WALK, grasps=grasps))
    assert [(one.rule, one.first, one.last) for one in report.illegal] == [("least held", 45, 48)]
    assert not report.is_clean


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_findings_about_holds_agree_with_the_tables_read_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = with_points(*floor_points([0.0], kind="load-bearing"), *bars([1.0], 2.0), *bars([2.0], 2.0, "hybrid"))
    count = 40
    grasps, modes = rng.integers(-1, 3, (count, 4)), rng.integers(0, 4, count)
    path = replace(WALK.path.part(0, count), grasps=grasps, modes=modes)
    found = judge_climb(problem, ClimbMotion(path, 60.0)).illegal
    for frame in range(count):
        mode = Mode(modes[frame])
        held = [limb for limb in range(4) if grasps[frame, limb] != FREE]
        kinds = {limb: problem.environment.grasp_points[grasps[frame, limb]].kind for limb in held}
        hands = sum(limb < 2 for limb in held)
        forbidden = sum(kinds[limb] not in ALLOWED[mode][limb // 2] for limb in held)
        here = [one.rule for one in found if one.first <= frame <= one.last]
        assert here.count("kind") == forbidden
        least = LEAST_HELD[mode]
        is_enough = hands >= least[0] and len(held) - hands >= least[1] and len(held) >= least[2]
        assert ("least held" in here) == (not is_enough)


def test_a_teleport_along_the_grasp_points_is_a_jump() -> None:
    """Everything is as it should be, save that the figure is suddenly one grasp point further on."""
    frame = 2 * SAMPLES_A_STEP
    configurations, grasps = WALK.path.configurations.copy(), WALK.path.grasps.copy()
    configurations[frame:, 0] += 0.3
    grasps[frame:, 2:] += grasps[frame:, 2:] != FREE
    report = judge_climb(PROBLEM, edited(WALK, configurations=configurations, grasps=grasps))
    assert rules(report) == {"jump", "change"}
    assert report.largest_step.value == pytest.approx(0.3, abs=0.05)
    assert (report.largest_step.what, report.largest_step.frame) == ("x", frame)
    assert report.drift_mm.value < 1.0
    assert not report.is_clean


def test_speeds_and_accelerations_are_those_of_the_motion() -> None:
    t = np.arange(120) / 60.0
    q = np.tile(standing(), (120, 1))
    q[:, 3] = 0.5 * np.sin(4.0 * t)
    report = judge_climb(PROBLEM, edited(still(q[0], [FREE, FREE, 0, 0], frames=120), configurations=q))
    assert report.joint_speed.value == pytest.approx(2.0, rel=0.01)
    assert report.joint_acceleration.value == pytest.approx(8.0, rel=0.01)
    assert report.joint_speed.what == report.joint_acceleration.what == "neck"
    assert report.is_clean, report.lines()


def test_one_turns_round_on_both_feet_on_one_point_only() -> None:
    facings = np.cos(np.linspace(0.0, np.pi, 60))
    q = standing(0.0)
    q[8:] = 0.0
    q[1] = PROBLEM.figure.table.ankle + PROBLEM.figure.table.thigh + PROBLEM.figure.table.shank
    motion = still(q, [FREE, FREE, 0, 0])
    report = judge_climb(PROBLEM, edited(motion, facings=facings))
    assert report.is_clean, report.lines()
    at_once = judge_climb(PROBLEM, edited(motion, facings=np.sign(facings)))
    assert rules(at_once) == {"jump"}
    assert not at_once.is_clean
    apart = edited(motion, facings=facings, grasps=np.tile(np.array([FREE, FREE, 0, 1]), (60, 1)))
    assert "turn" in rules(judge_climb(PROBLEM, apart))
    climbing = edited(motion, facings=facings, modes=np.full(60, Mode.CLIMB))
    assert "turn" in rules(judge_climb(PROBLEM, climbing))


@pytest.mark.parametrize(("lean", "falls"), [(0.05, False), (0.3, False), (1.0, True), (-0.6, True)])
def test_who_leans_too_far_at_rest_falls(lean: float, falls: bool) -> None:
    report = judge_climb(PROBLEM, still(standing(lean), [FREE, FREE, 0, 0]))
    assert report.gravity.share == (1.0 if falls else 0.0)
    assert report.is_clean != falls
    if falls:
        assert 0.01 < report.gravity.worst.value < 0.4


def test_momentum_is_what_carries_a_walk() -> None:
    slow = judge_climb(PROBLEM, ClimbMotion(WALK.path, 2.0))
    assert slow.gravity.share > 0.2
    assert not slow.is_clean
    assert slow.gravity.outside_at_rest == judge_climb(PROBLEM, WALK).gravity.outside_at_rest


@pytest.mark.parametrize(("degrees", "falls"), [(0.0, False), (25.0, False), (-25.0, False), (40.0, True)])
def test_who_hangs_swings_no_farther_than_a_pendulum(degrees: float, falls: bool) -> None:
    problem = with_points(*bars([2.0], 2.05))
    q = hanging(0.0)
    points = points_of(problem.figure, np.ones(1), q[None])
    rest = np.arctan2(*(mass_centres(problem.figure, points)[0] - (2.0, 2.05)) * (1.0, -1.0))
    q = hanging(np.radians(degrees) - rest)
    report = judge_climb(problem, still(q, [0, 0, FREE, FREE], Mode.SWING))
    assert report.drift_mm.value < 1e-6
    assert (report.gravity.share > 0.0) == falls


def test_spans_are_those_of_the_rule_worked_by_hand() -> None:
    """Soles at 0 and 0.3, a hand that pulls at (1, 1.57) on a bar, a hand that presses, hands alone, nothing."""
    problem = with_points(*floor_points([0.0, 0.3]), *bars([1.0, 1.4], 1.57), *wall_points(2.0, [1.0]))
    grasps = [
        (FREE, FREE, 0, 1), (2, FREE, 0, 1), (2, 2, 0, 1), (2, 3, FREE, FREE), (1, FREE, 0, FREE),
        (FREE, FREE, FREE, FREE),
    ]  # fmt: skip
    modes = [Mode.WALK, Mode.CLIMB, Mode.CLIMB, Mode.SWING, Mode.CRAWL, Mode.WALK]
    path = replace(WALK.path.part(0, 6), grasps=np.array(grasps), modes=np.array(modes))
    anchors = anchors_of(problem.environment, problem.figure, path)
    span = spans(problem.environment, problem.figure, path, anchors)
    one, two = 0.45 * 1.5, 0.8 * 1.5
    low = [-0.06, -0.06 - one, -0.06 - two, 0.9, -0.06, np.inf]
    high = [0.46, 1.0 + one, 1.0 + two, 1.5, 0.3, -np.inf]
    np.testing.assert_allclose(span.low, low, atol=1e-12)
    np.testing.assert_allclose(span.high, high, atol=1e-12)


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_points_and_mass_are_where_the_planner_has_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = list(FIGURES.values())[rng.integers(len(FIGURES))]
    q, facings = rng.normal(size=(8, 12)), rng.uniform(-1.0, 1.0, 8)
    points = points_of(figure, facings, q)
    centres = mass_centres(figure, points)
    placed = np.empty((12, 2))
    for frame in range(8):
        place(figure.table, facings[frame], q[frame], placed)
        np.testing.assert_allclose(points[frame], placed, atol=1e-12)
        np.testing.assert_allclose(centres[frame], centre_of_mass(figure.table, placed), atol=1e-12)


@pytest.mark.slow
@given(seeds)
@settings(max_examples=15, deadline=None)
def test_clearances_agree_with_a_capsule_full_of_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    polygons = random_problem(seed, pieces=1).environment.polygons
    solids = Solids(polygons)
    corners = np.concatenate(polygons)
    low, high = corners.min(axis=0), corners.max(axis=0) + 0.5
    grid = 0.004
    for _ in range(4):
        start = rng.uniform(low, high)
        end = start + rng.uniform(-0.35, 0.35, 2)
        radius = rng.uniform(0.03, 0.12)
        clear = float(solids.clearances(start[None], end[None], np.array([radius]))[0])
        axis = start + np.linspace(0.0, 1.0, 200)[:, None] * (end - start)
        shapes = [shapely.Polygon(polygon) for polygon in polygons]
        signed = [np.where(s.covers(q := shapely.points(axis)), -s.exterior.distance(q), s.distance(q)) for s in shapes]
        assert clear == pytest.approx(min(np.min(signed), 0.5) - radius, abs=0.004)
        xs, zs = (np.arange(a - radius, b + radius, grid) for a, b in np.sort([start, end], axis=0).T)
        area = np.stack(np.meshgrid(xs, zs), axis=-1).reshape(-1, 2)
        filled = shapely.points(
            area[shapely.distance(shapely.LineString([start, end]), shapely.points(area)) <= radius]
        )
        nearest = min(np.min(shapely.distance(filled, shape)) for shape in shapes)
        if clear < 0.5 - radius - 1e-9:
            assert nearest == pytest.approx(max(clear, 0.0), abs=1.5 * grid)
        deepest = max(np.max(np.where(s.covers(filled), s.exterior.distance(filled), 0.0)) for s in shapes)
        assert deepest <= max(-clear, 0.0) + 1e-9 + 0.004


def test_what_cannot_be_judged_is_refused() -> None:
    bad = WALK.path.configurations.copy()
    bad[3, 4] = np.nan
    with pytest.raises(InvalidInput, match="finite"):
        judge_climb(PROBLEM, edited(WALK, configurations=bad))
    with pytest.raises(InvalidInput, match="grasp point"):
        judge_climb(PROBLEM, edited(WALK, grasps=np.full_like(WALK.path.grasps, 999)))
    with pytest.raises(InvalidInput, match="at least one frame"):
        judge_climb(PROBLEM, ClimbMotion(WALK.path.part(0, 0), 60.0))


def test_one_frame_alone_can_be_judged() -> None:
    assert judge_climb(PROBLEM, ClimbMotion(scripted_walk().part(0, 1), 60.0)).is_clean
