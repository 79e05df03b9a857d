from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.hills import HILLS, as_steep, hill_called, plane, rolling, terrain_of
from tests.support.sequences import captured, random_names, velocity_jumps

from gambol.animate.ground.plane import bridge, plane_under, tilt
from gambol.animate.playing import play, realized_contacts
from gambol.animate.terrain import over_terrain
from gambol.animate.terrain_report import terrain_contact_report
from gambol.characters import load_character
from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.motion import Contacts, Motion, edits, hinge_axis, legs, point_positions
from gambol.world import Terrain

START = (-6.0, 1.3, 0.2)
SEQUENCES = {
    "jog": ("human", ("go", "jog", "jog-left-30", "short-stop")),
    "walk": ("human", ("start-walk", "walk-left-30", "walk", "stop-walk")),
    "jump": ("human", ("jog", "jump-over", "jump-two-foot")),
    "crawl": ("human", ("jog", "duck-deep", "crawl")),
    "turn": ("human", ("stand", "spot-left-180", "side-left", "back")),
    "gallop": ("horse", ("start", "gallop", "gallop-left-20", "halt")),
    "ride": ("skateboarder", ("start", "push", "glide-left-45", "jump-high", "stop")),
}


@cache
def level_motion(name: str) -> tuple[Motion, Contacts]:
    character, behaviors = SEQUENCES[name]
    built = load_character(character)
    return play(built, behaviors, start=START), realized_contacts(built, behaviors)


@cache
def on_hill(name: str, hill: str) -> Motion:
    motion, contacts = level_motion(name)
    return over_terrain(motion, contacts, hill_called(hill))


every_motion = pytest.mark.parametrize("name", SEQUENCES)
every_hill = pytest.mark.parametrize("hill", HILLS)


@every_motion
def test_over_level_ground_nothing_changes(name: str):
    motion, contacts = level_motion(name)
    same = over_terrain(motion, contacts, plane(0.0, 0.0))
    np.testing.assert_array_equal(same.root_positions, motion.root_positions)
    np.testing.assert_array_equal(same.rotations, motion.rotations)
    raised = over_terrain(motion, contacts, Terrain((0.0, 0.0), 1.0, np.full((2, 2), 1.5)))
    np.testing.assert_allclose(raised.world_positions, motion.world_positions + [0.0, 0.0, 1.5], atol=1e-9)


@every_motion
def test_where_the_ground_around_is_level_hills_elsewhere_change_nothing(name: str):
    motion, contacts = level_motion(name)
    elsewhere = terrain_of(lambda x, y: np.where(y > 25.0, 3.0, 0.0))
    result = over_terrain(motion, contacts, elsewhere)
    np.testing.assert_allclose(result.world_positions, motion.world_positions, atol=1e-6)


@every_hill
@every_motion
def test_planted_feet_stand_on_the_ground_and_lie_along_it(name: str, hill: str):
    motion, contacts = level_motion(name)
    terrain = hill_called(hill)
    report = terrain_contact_report(on_hill(name, hill), contacts, terrain, level=motion)
    assert len(report.soles) >= 2
    assert report.worst("height_error_cm") < 0.5  # one centimetre is asked for
    assert report.worst("tilt_deg") < 3.0  # under a sole of 17 cm the ground may curve by more
    assert report.worst("swing_depth_cm") < 0.5
    assert report.wheel_error_cm is None or report.wheel_error_cm < 1.0
    level = terrain_contact_report(motion, contacts, plane(0.0, 0.0), level=motion)
    assert report.worst("slide_cm_s") < level.worst("slide_cm_s") + 1.5


@every_hill
@pytest.mark.parametrize("name", ["jog", "walk", "jump", "turn"])
def test_heels_and_balls_are_as_high_above_the_ground_as_in_a_standing_person(name: str, hill: str):
    _, contacts = level_motion(name)
    result = on_hill(name, hill)
    for side in ("Left", "Right"):
        ankle, toe = (result.skeleton.index(side + joint) for joint in ("Foot", "ToeBase"))
        heels = result.world_positions[:, ankle] + quaternion.rotate(
            result.world_rotations[:, ankle], np.array([-0.0455, 0.0, -0.07])
        )
        for part, places, resting in (("heel", heels, 0.0), ("toe", result.world_positions[:, toe], 0.026)):
            planted = contacts.planted[:, contacts.index(f"{side.lower()}_{part}")]
            heights = places[:, 2] - hill_called(hill).height(places)
            assert planted.any()
            assert np.abs(heights[planted] - resting).max() < 0.01


@every_hill
@every_motion
def test_the_root_stays_on_its_way_in_the_plane(name: str, hill: str):
    np.testing.assert_array_equal(
        on_hill(name, hill).root_positions[:, :2], level_motion(name)[0].root_positions[:, :2]
    )


@every_hill
@every_motion
def test_joints_never_jump(name: str, hill: str):
    assert velocity_jumps(on_hill(name, hill)).max() < 1.35 * velocity_jumps(level_motion(name)[0]).max()


@every_hill
@pytest.mark.parametrize("name", ["jog", "walk", "jump", "crawl", "turn", "ride"])
def test_knees_neither_bend_backwards_nor_lock(name: str, hill: str):
    motion, result = level_motion(name)[0], on_hill(name, hill)
    for leg in legs(motion.skeleton):
        axis = quaternion.rotate(result.world_rotations[:, leg.root], hinge_axis(motion, leg))
        hips, knees, ankles = (result.world_positions[:, joint] for joint in (leg.root, leg.middle, leg.end))
        bends = np.sum(np.cross(knees - hips, ankles - knees) * axis, axis=1)
        assert bends.min() > 0.0
        straight = [
            np.linalg.norm(m.world_positions[:, leg.end] - m.world_positions[:, leg.root], axis=1).max()
            for m in (motion, result)
        ]
        length = motion.skeleton.bone_lengths[leg.middle] + motion.skeleton.bone_lengths[leg.end]
        assert straight[1] <= max(straight[0], 0.996 * length) + 1e-9


@every_hill
@pytest.mark.parametrize("name", ["jog", "walk", "turn"])
def test_who_walks_upright_stays_upright(name: str, hill: str):
    motion, result = level_motion(name)[0], on_hill(name, hill)
    chest = motion.skeleton.index("Spine2")
    angles = quaternion.angle(motion.world_rotations[:, chest], result.world_rotations[:, chest])
    assert np.degrees(angles.max()) < 6.0


def test_who_runs_uphill_leans_forward_and_downhill_backward():
    motion, contacts = level_motion("jog")
    neck = motion.skeleton.index("Neck")
    ahead = np.array([np.cos(START[2]), np.sin(START[2])])

    def reach(result: Motion) -> float:
        return float((((result.world_positions[:, neck] - result.root_positions)[:60, :2]) @ ahead).mean())

    up, down = (over_terrain(motion, contacts, plane(*(slope * ahead))) for slope in (0.3, -0.3))
    assert reach(down) + 0.01 < reach(motion) < reach(up) - 0.01


def test_on_all_fours_knees_and_hands_are_on_the_ground_and_the_back_follows_it():
    human = load_character("human")
    motion, contacts = play(human, ["crawl-cycle"] * 3), realized_contacts(human, ["crawl-cycle"] * 3)
    for terrain in (plane(0.3, 0.0), plane(-0.15, 0.1), rolling(4.0, steepest=0.15)):
        result = over_terrain(motion, contacts, terrain)
        knees = [leg.middle for leg in legs(motion.skeleton)]
        places = result.world_positions[:, knees]
        heights = places[..., 2] - terrain.height(places)
        assert np.abs(heights - motion.world_positions[:, knees, 2]).max() < 0.035
        report = terrain_contact_report(result, contacts, terrain, level=motion)
        assert [sole.name for sole in report.soles if sole.planted_frames] == [
            "left foot", "right foot", "left hand", "right hand",
        ]  # fmt: skip
        chest = motion.skeleton.index("Spine2")
        rise = result.world_positions[:, chest, 2] - result.root_positions[:, 2]
        rise -= motion.world_positions[:, chest, 2] - motion.root_positions[:, 2]
        ground = terrain.height(result.world_positions[:, chest]) - terrain.height(result.root_positions)
        assert np.abs(rise - ground).max() < 0.06


@settings(deadline=None, max_examples=8)
@given(
    rise=st.floats(-50.0, 50.0),
    pose=st.tuples(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0)),
    slope=st.floats(0.0, 0.3),
)
def test_a_hill_elsewhere_carries_the_motion_elsewhere(rise: float, pose: tuple[float, float, float], slope: float):
    motion, contacts = level_motion("walk")
    here = over_terrain(motion, contacts, plane(slope, 0.0))
    gradient = slope * np.array([np.cos(pose[2]), np.sin(pose[2])])
    height = rise - float(gradient @ pose[:2])
    there_terrain = terrain_of(lambda x, y: height + gradient[0] * x + gradient[1] * y)
    there = over_terrain(edits.move(motion, pose), contacts, there_terrain)
    expected = edits.move(here, pose).world_positions + [0.0, 0.0, rise]
    np.testing.assert_allclose(there.world_positions, expected, atol=1e-6)


def test_steps_are_realized_over_the_terrain_that_is_given():
    name, behaviors = SEQUENCES["jog"]
    direct = play(load_character(name), behaviors, start=START, terrain=hill_called("bumps"))
    np.testing.assert_array_equal(direct.world_positions, on_hill("jog", "bumps").world_positions)


def test_captures_stand_on_hills_too(mocap):
    character = captured(mocap)
    for seed in range(4):
        names = random_names(character, np.random.default_rng(seed), 6)
        motion, contacts = play(character, names, start=START), realized_contacts(character, names)
        for terrain in map(hill_called, HILLS):
            report = terrain_contact_report(over_terrain(motion, contacts, terrain), contacts, terrain, level=motion)
            assert report.worst("height_error_cm") < 1.0
            assert report.worst("swing_depth_cm") < 1.0


def test_contacts_of_another_motion_are_refused():
    motion, _ = level_motion("jog")
    _, contacts = level_motion("walk")
    with pytest.raises(InvalidInput, match="frames"):
        over_terrain(motion, contacts, hill_called("up"))
    with pytest.raises(InvalidInput, match="frames"):
        terrain_contact_report(motion, contacts, hill_called("up"))


@pytest.mark.parametrize("is_compared", [True, False])
def test_the_report_finds_feet_that_float_or_sink(is_compared: bool):
    motion, contacts = level_motion("jog")
    terrain = hill_called("rolling, 2.5 m")
    result = on_hill("jog", "rolling, 2.5 m")
    level = motion if is_compared else None
    assert terrain_contact_report(result, contacts, terrain, level=level).worst("height_error_cm") < 0.5
    for off in (0.03, -0.03):
        moved = replace(result, root_positions=result.root_positions + [0.0, 0.0, off])
        report = terrain_contact_report(moved, contacts, terrain, level=level)
        assert report.worst("height_error_cm") == pytest.approx(3.0, abs=0.3)
    assert report.worst("swing_depth_cm") > 1.0


@pytest.mark.parametrize("is_compared", [True, False])
def test_the_report_finds_feet_that_do_not_lie_along_the_ground_and_feet_that_slide(is_compared: bool):
    motion, contacts = level_motion("turn")
    result, level = on_hill("turn", "up"), motion if is_compared else None
    assert terrain_contact_report(result, contacts, hill_called("up"), level=level).worst("tilt_deg") < 0.1
    rotations = np.array(result.rotations)
    foot = result.skeleton.index("LeftFoot")
    rotations[:, foot] = quaternion.multiply(
        rotations[:, foot], quaternion.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(10.0))
    )
    report = terrain_contact_report(result.with_rotations(rotations), contacts, hill_called("up"), level=level)
    assert report.soles[0].tilt_deg == pytest.approx(10.0, abs=0.1)
    assert report.soles[1].tilt_deg < 0.1
    drift = np.arange(result.frame_count)[:, None] / result.rate_hz * [0.2, 0.0, 0.06]  # along the slope of 0.3
    slid = replace(result, root_positions=result.root_positions + drift)
    report = terrain_contact_report(slid, contacts, hill_called("up"), level=level)
    assert report.worst("slide_cm_s") == pytest.approx(100.0 * np.hypot(0.2, 0.06), rel=0.01)
    assert report.worst("height_error_cm") < 0.5


def test_a_report_is_plain_numbers():
    motion, contacts = level_motion("ride")
    plain = terrain_contact_report(motion, contacts, plane(0.0, 0.0), level=motion).as_dict()
    assert plain["wheel_error_cm"] == pytest.approx(0.0, abs=1e-6)
    assert [sole["name"] for sole in plain["soles"]] == ["left foot", "right foot"]


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_plane_under_a_sole_meets_the_ground_at_heel_and_toe(seed: int):
    rng = np.random.default_rng(seed)
    terrain = as_steep(Terrain((-1.0, -1.0), 0.2, rng.normal(size=(11, 11))), 0.5)
    back = rng.uniform(-0.5, 0.5, 2)
    front = planar.apply(np.array([*back, rng.uniform(-np.pi, np.pi)]), np.array([0.17, 0.0]))
    under = plane_under(terrain, back, front, 0.04)
    ends = np.array([back, front])
    np.testing.assert_allclose(under.heights(ends), terrain.height(ends), atol=1e-12)
    normal = quaternion.rotate(tilt(under.gradient), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(normal[:2] / normal[2], -under.gradient, atol=1e-12)
    carried = under.carry(np.column_stack((ends, np.zeros(2))))
    np.testing.assert_allclose(carried[:, 2], under.heights(carried), atol=1e-12)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), frames=st.integers(3, 40))
def test_a_bridge_bends_least_of_all_curves(seed: int, frames: int):
    rng = np.random.default_rng(seed)
    values, held, fade = rng.normal(size=(frames, 2)), rng.random(frames) < 0.4, 6.0
    held[int(rng.integers(frames))] = True
    bend = np.diff(np.eye(frames), n=2, axis=0)
    grip = np.diag(1e6 * held)
    expected = np.linalg.solve(bend.T @ bend + grip + np.eye(frames) / fade**4, grip @ values)
    np.testing.assert_allclose(bridge(values, held, fade), expected, atol=1e-7)
    np.testing.assert_allclose(bridge(values, held, fade)[held], values[held], atol=1e-3)


def test_points_that_rest_do_so_on_one_plane_while_a_foot_rolls():
    motion, contacts = level_motion("walk")
    result = on_hill("walk", "rolling, 2.5 m")
    places = point_positions(result, contacts.points)
    toe = contacts.index("left_toe")
    planted = np.flatnonzero(contacts.planted[:, toe])
    stances = np.split(planted, np.flatnonzero(np.diff(planted) > 1) + 1)
    assert len(stances) >= 3
    for stance in stances:
        assert np.ptp(places[stance, toe], axis=0).max() < 0.001
    assert motion.frame_count == result.frame_count
