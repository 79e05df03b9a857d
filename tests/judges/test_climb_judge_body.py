from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.climb_cases import box, flat, problem_in, scripted_walk

from gambol.body import Body
from gambol.characters import load_character
from gambol.climb import FREE, ClimbMotion, ClimbProblem
from gambol.errors import InvalidInput
from gambol.judges.climb_body import judge_climb_body
from gambol.motion import Motion
from gambol.world import Environment

FRAMES = 5
SKELETON = load_character("human").skeleton
PROBLEM = problem_in(flat())


def at_rest(roots: NDArray[np.float64]) -> Motion:
    """Return the human with arms spread, at places of the hips."""
    rotations = np.zeros((len(roots), SKELETON.joint_count, 4))
    rotations[..., 0] = 1.0
    return Motion(SKELETON, 60.0, roots, rotations)


def standing(raised_m: float = 0.0) -> Motion:
    return at_rest(np.tile(SKELETON.rest_positions[0] + (0.0, 0.0, raised_m), (FRAMES, 1)))


def with_box(*corners: float) -> ClimbProblem:
    world = PROBLEM.environment
    polygons = [*world.polygons, box(*corners)]
    return replace(PROBLEM, environment=Environment(world.bounds, polygons, world.grasp_points))


def held(*grasps: int) -> ClimbMotion:
    return ClimbMotion(replace(scripted_walk().part(0, FRAMES), grasps=np.tile(np.array(grasps), (FRAMES, 1))), 60.0)


def test_depth_is_that_of_the_deepest_capsule_seen_from_the_side() -> None:
    motion = standing(-0.03)
    body = Body.from_skeleton(SKELETON)
    starts, ends = body.place(motion)
    lowest = np.minimum(starts[..., 2], ends[..., 2]) - body.radius
    report = judge_climb_body(PROBLEM, motion)
    assert report.entry_cm.value == pytest.approx(-100.0 * lowest.min(), abs=1e-6)
    assert "Foot" in report.entry_cm.what or "Toe" in report.entry_cm.what
    assert (report.collisions, report.is_clean) == (FRAMES, False)


def test_polygons_go_on_without_end_in_depth() -> None:
    problem, here = with_box(0.2, 0.05, 0.5, 0.1), standing(-0.01)
    beside = at_rest(here.root_positions + (0.0, 5.0, 0.0))
    assert judge_climb_body(problem, beside).entry_cm.value == pytest.approx(
        judge_climb_body(problem, here).entry_cm.value
    )


@pytest.mark.parametrize(("depth_cm", "is_clean"), [(0.5, True), (2.0, False)])
def test_toes_in_a_step_count_beyond_a_centimetre(depth_cm: float, is_clean: bool) -> None:
    motion = standing(0.001)
    body = Body.from_skeleton(SKELETON)
    starts, ends = body.place(motion)
    tips = (np.maximum(starts[0, :, 0], ends[0, :, 0]) + body.radius).max()
    report = judge_climb_body(with_box(tips - depth_cm / 100.0, -0.1, tips + 1.0, 0.3), motion)
    assert report.entry_cm.value == pytest.approx(depth_cm, abs=1e-6)
    assert "Toe" in report.entry_cm.what
    assert (report.is_clean, report.collisions == 0, report.touches > 0) == (is_clean, is_clean, is_clean)


def test_what_is_met_half_way_between_frames_counts() -> None:
    roots = np.tile(SKELETON.rest_positions[0] + (0.0, 0.0, 0.1), (2, 1))
    roots[:, 0] = -0.6, 0.6
    clear = judge_climb_body(with_box(-0.01, 1.0, 0.01, 1.1), at_rest(roots[:1]))
    assert clear.is_clean
    report = judge_climb_body(with_box(-0.01, 1.0, 0.01, 1.1), at_rest(roots))
    assert report.entry_cm.frame == 0.5
    assert (report.collisions, report.is_clean) == (1, False)


def test_a_foot_that_moves_while_it_holds_slides() -> None:
    still, climb = standing(), held(FREE, FREE, 0, 0)
    assert judge_climb_body(PROBLEM, still, climb).slide_cm.value == 0.0
    roots = still.root_positions.copy()
    roots[:, 0] += np.linspace(0.0, 0.02, FRAMES)
    sliding = at_rest(roots)
    report = judge_climb_body(PROBLEM, sliding, climb)
    assert report.slide_cm.value == pytest.approx(2.0, abs=1e-6)
    assert (report.slide_cm.what, report.slide_cm.frame) == ("left_foot on point 0", FRAMES - 1)
    assert judge_climb_body(PROBLEM, sliding, held(FREE, FREE, FREE, FREE)).slide_cm.value == 0.0
    assert judge_climb_body(PROBLEM, sliding).slide_cm.value == 0.0


def test_a_body_with_other_frames_than_its_climb_is_refused() -> None:
    with pytest.raises(InvalidInput, match="frames"):
        judge_climb_body(PROBLEM, at_rest(standing().root_positions[:2]), held(FREE, FREE, 0, 0))
