"""The built-in skateboarder: rider and board move as one, and as gravity has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.support.clip_joints import bend, check_realized, clears, highest, label_poses, lowest, margins
from tools.authoring.authored import MARGIN, RATE_HZ, AuthoredClip
from tools.authoring.mass import GRAVITY_M_S2
from tools.authoring.skateboarder import skateboarder_clips
from tools.authoring.skateboarder.feet import BACK_ANKLE, FRONT_ANKLE
from tools.authoring.skateboarder.ollie import HIGH, LOW
from tools.authoring.skateboarder.posture import GLIDE_M_S, ROLL_M_S
from tools.authoring.skateboarder.rider import centre_of_mass

from gambol.body import Body, build_skin
from gambol.characters import PARTS, check_character, load_character, part_segments
from gambol.files import read_motion, write_motion
from gambol.geometry import quaternion
from gambol.motion import legs, measure_quality, scale, slide_speeds

CLIPS = skateboarder_clips()
BY_NAME = {clip.name: clip for clip in CLIPS}
SKELETON = CLIPS[0].motion.skeleton
BODY = Body.from_skeleton(SKELETON)
RIDES = [clip for clip in CLIPS if clip.name.split("-")[0] in ("glide", "duck", "roll")]


def each_clip(clips: object = CLIPS) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("clip", clips, ids=lambda clip: clip.name)  # type: ignore[arg-type]


def on_board(clip: AuthoredClip, joint: str) -> np.ndarray:
    """Return where a joint is, as seen from the board."""
    motion, board = clip.motion, SKELETON.index("Board")
    away = motion.world_positions[:, SKELETON.index(joint)] - motion.world_positions[:, board]
    return quaternion.rotate(quaternion.conjugate(motion.world_rotations[:, board]), away)


SMALL_MOVES = [clip for clip in CLIPS if clip.name.startswith(("scoot", "pivot"))]


def test_there_are_eleven_states_in_the_subset_of_the_paper_and_more_to_stop_and_to_live_in_crowds():
    character = load_character("skateboarder")
    assert len(character.subset("lk05").behaviors) == 11
    assert {b.begins for b in character.subset("lk05").behaviors} == {"glide"}
    assert {b.ends for b in character.subset("lk05").behaviors} == {"glide"}
    slow = {clip.name for clip in CLIPS if "roll" in (clip.begins, clip.ends)}
    more = {"stop", "stand", "stand-short", "start", *slow, *(clip.name for clip in SMALL_MOVES)}
    assert {b.name for b in character.behaviors} - set(character.subsets["lk05"]) == more
    slow_or_special = {"jump-low", "jump-high", "duck", "duck-low", "stop-and-wait", "stand"}
    assert {b.name for b in character.behaviors} - set(character.subsets["crowd"]) == slow_or_special


@pytest.mark.parametrize("label", ["glide", "roll", "stand"])
def test_clips_agree_at_their_labels_in_pose_and_velocity(label: str):
    poses = label_poses(CLIPS, label)
    _, reference = poses[0]
    for name, motion in poses:
        assert np.abs(motion.world_positions[2] - reference.world_positions[2]).max() < 1e-6, name
        steps, expected = (np.diff(m.world_positions[1:4], axis=0) * RATE_HZ for m in (motion, reference))
        assert np.abs(steps - expected).max() < 0.05, name


@pytest.mark.parametrize("label", ["glide", "roll", "stand"])
def test_margins_go_on_as_the_label_does(label: str):
    for group in margins(CLIPS, label):
        for motion in group:
            assert np.abs(motion.world_positions - group[0].world_positions).max() < 1e-6


@each_clip()
def test_a_clip_goes_where_its_name_says(clip: AuthoredClip):
    turn = np.degrees(clip.path[-1 - MARGIN, 2])
    words = clip.name.split("-")
    expected = {"left": 1.0, "right": -1.0}[words[1]] * float(words[2]) if len(words) == 3 and words[2].isdigit() else 0
    assert turn == pytest.approx(expected, abs=1e-6)
    assert clip.motion.root_positions[MARGIN, :2] == pytest.approx([0.0, 0.0], abs=1e-9)


@each_clip()
def test_the_front_foot_never_leaves_the_board(clip: AuthoredClip):
    place = on_board(clip, "LeftFoot")
    slid = place - np.array(FRONT_ANKLE)
    assert np.abs(slid[:, 1:]).max() < 1e-3
    assert np.abs(slid[:, 0]).max() < (0.08 if clip.name.startswith("jump") else 1e-3)


@each_clip([*RIDES, BY_NAME["jump-low"], BY_NAME["jump-high"]])
def test_the_back_foot_is_fixed_to_the_board_while_riding(clip: AuthoredClip):
    assert np.abs(on_board(clip, "RightFoot") - np.array(BACK_ANKLE)).max() < 1e-3


def test_ankles_are_as_far_apart_as_riders_have_them():
    assert 0.32 <= np.linalg.norm(np.array(FRONT_ANKLE) - np.array(BACK_ANKLE)) <= 0.41


@each_clip([clip for clip in CLIPS if clip.contacts.planted.any()])
def test_a_foot_on_the_ground_does_not_slide(clip: AuthoredClip):
    assert np.nanmax(slide_speeds(clip.motion, clip.contacts)) < 1e-3


@each_clip()
def test_nothing_gets_below_the_ground(clip: AuthoredClip):
    assert lowest(clip.motion, BODY).min() > -0.005
    assert clip.motion.tip_positions[..., 2].min() > -0.005


@each_clip([clip for clip in CLIPS if not clip.name.startswith(("jump", "pivot"))])
def test_the_board_rolls_on_its_four_wheels(clip: AuthoredClip):
    wheels = clip.motion.tip_positions[:, -4:, 2]
    assert np.abs(wheels).max() < 2e-3


@each_clip([clip for clip in CLIPS if clip.name.startswith("pivot")])
def test_a_board_is_turned_on_its_back_wheels_with_both_feet_on_it(clip: AuthoredClip):
    wheels = clip.motion.tip_positions[:, -4:]
    assert np.abs(wheels[:, 2:, 2]).max() < 2e-3
    axle = clip.motion.world_positions[:, SKELETON.index("BackTruck")]
    assert np.abs(axle - axle[0]).max() < 1e-6
    assert 0.04 < wheels[:, :2, 2].max() < 0.12
    turns = np.abs(np.diff(clip.path[:, 2])) > np.radians(0.02)
    assert not clip.contacts.planted[1:][turns].any()
    assert np.abs((on_board(clip, "RightFoot") - np.array(BACK_ANKLE))[1:][turns]).max() < 1e-3
    level = wheels[:, :2, 2].max(axis=1)[1:] < 1e-3
    assert np.mean(turns & level) < 0.04  # but for moments, wheels that turn do not stand


@each_clip(SMALL_MOVES)
def test_small_moves_lead_from_a_stand_to_a_stand_close_by(clip: AuthoredClip):
    assert clip.begins == clip.ends == "stand"
    assert np.linalg.norm(clip.path[-1 - MARGIN, :2]) < (1.2 if clip.name.startswith("scoot") else 0.55)
    assert clip.duration_s <= 2.2


@each_clip([clip for clip in CLIPS if clip.name.startswith(("glide", "duck", "push", "roll"))])
def test_the_board_heads_where_it_goes(clip: AuthoredClip):
    board = clip.motion.world_positions[:, SKELETON.index("Board"), :2]
    way = np.diff(board, axis=0)
    heading = 0.5 * (clip.path[1:, 2] + clip.path[:-1, 2])
    assert np.arctan2(way[:, 1], way[:, 0]) == pytest.approx(heading, abs=1e-3)
    speed = np.linalg.norm(way, axis=1) * RATE_HZ
    usual = ROLL_M_S if clip.begins == "roll" else GLIDE_M_S
    assert speed == pytest.approx(usual, abs=0.3 if clip.name == "push" else 1e-3)


def test_a_slow_roll_begins_and_ends_within_two_and_a_half_metres():
    way = sum(BY_NAME[name].path[-1 - MARGIN, 0] for name in ("start-slow", "stop-slow"))
    assert 2.0 < way < 2.5
    assert BY_NAME["speed-up"].begins == BY_NAME["slow-down"].ends == "roll"
    assert BY_NAME["speed-up"].ends == BY_NAME["slow-down"].begins == "glide"


@each_clip()
def test_knees_bend_forward_and_never_too_far(clip: AuthoredClip):
    for leg in legs(SKELETON):
        knee = np.degrees(bend(clip.motion, (leg.root, leg.middle, leg.end)))
        assert knee.min() > 8.0
        assert knee.max() < 135.0
        hinge = np.cross(
            clip.motion.world_positions[:, leg.middle] - clip.motion.world_positions[:, leg.root],
            clip.motion.world_positions[:, leg.end] - clip.motion.world_positions[:, leg.middle],
        )
        left = quaternion.rotate(clip.motion.world_rotations[:, leg.root], np.array([0.0, 1.0, 0.0]))
        assert np.sum(hinge * left, axis=1).min() > 0.0


def test_gliding_looks_as_measured_on_a_rider():
    motion = BY_NAME["glide"].motion
    for leg in legs(SKELETON):
        knee = np.degrees(bend(motion, (leg.root, leg.middle, leg.end)))
        assert knee.min() > 35.0
        assert knee.max() < 62.0
    facing = np.degrees(np.abs(quaternion.heading(motion.rotations[:, 0])))
    assert facing.min() > 60.0
    assert facing.max() < 95.0


@pytest.mark.parametrize("name", ["glide-left-45", "glide-right-45"])
def test_the_rider_leans_into_turns_as_the_forces_ask(name: str):
    clip = BY_NAME[name]
    mass, board = centre_of_mass(clip.motion), clip.motion.world_positions[:, SKELETON.index("Board")]
    middle = clip.motion.frame_count // 2
    heading = clip.path[middle, 2]
    aside = (mass - board)[middle, :2] @ [-np.sin(heading), np.cos(heading)]
    lean = np.degrees(np.arctan2(aside, mass[middle, 2]))
    rate = (clip.path[middle + 1, 2] - clip.path[middle - 1, 2]) * RATE_HZ / 2.0
    assert lean == pytest.approx(np.degrees(np.arctan(GLIDE_M_S * rate / GRAVITY_M_S2)), abs=0.5)
    assert 6.0 < abs(lean) < 15.0


@pytest.mark.parametrize(("name", "height"), [("jump-low", LOW), ("jump-high", HIGH)])
def test_rider_and_board_fall_freely_while_no_wheel_touches_the_ground(name: str, height: object):
    motion = BY_NAME[name].motion
    wheels = motion.tip_positions[:, -4:, 2].min(axis=1)
    first = MARGIN + height.take_off  # type: ignore[attr-defined]
    flight = slice(first + 1, first + height.flight)  # type: ignore[attr-defined]
    assert wheels[flight].min() > 0.01
    falling = np.diff(centre_of_mass(motion)[:, 2], 2) * RATE_HZ**2
    assert falling[flight.start : flight.stop - 2] == pytest.approx(-GRAVITY_M_S2, rel=0.02)
    level = np.diff(centre_of_mass(motion)[:, :2], 2, axis=0) * RATE_HZ**2
    assert np.abs(level[flight.start : flight.stop - 2]).max() < 0.1


@pytest.mark.parametrize(("name", "height_m"), [("jump-low", 0.15), ("jump-high", 0.30)])
def test_jumps_clear_bars_a_hand_thick(name: str, height_m: float):
    clip = BY_NAME[name]
    assert clears(clip.motion, BODY, 0.10) > height_m
    planned = load_character("skateboarder").behavior(name).clips[0]
    instant = planned.event
    assert planned.shape.lowest[instant] > height_m
    assert instant == round((clip.event - MARGIN) / 2)  # type: ignore[operator]


@pytest.mark.parametrize(("name", "height_m"), [("duck", 1.05), ("duck-low", 0.90)])
def test_ducks_get_below_what_they_claim(name: str, height_m: float):
    clip = BY_NAME[name]
    low = np.flatnonzero(highest(clip.motion, BODY) < height_m)
    assert low[-1] - low[0] + 1 == len(low)
    assert len(low) / RATE_HZ * GLIDE_M_S > 1.0  # metres that roll by
    assert clip.event in low


def test_braking_and_setting_off_are_within_a_riders_means():
    stop = np.linalg.norm(
        np.diff(BY_NAME["stop"].motion.world_positions[:, SKELETON.index("Board"), :2], axis=0), axis=1
    )
    assert -3.0 < np.diff(stop).min() * RATE_HZ**2 < -1.5
    assert stop[-MARGIN:].max() < 1e-9


def test_the_board_is_part_of_body_and_skin_and_of_both_feets_shape():
    board = [SKELETON.index(name) for name in ("Board", "FrontTruck", "BackTruck")]
    assert set(board) <= set(BODY.joint.tolist())
    skin = build_skin(BODY)
    on_it = np.isin(skin.joints[:, 0], board)
    assert 0.15 < on_it.mean() < 0.5
    assert np.all(skin.weights[on_it, 0] > 0.999)
    length, width, _ = np.ptp(skin.vertices[on_it], axis=0)
    assert length == pytest.approx(0.80, abs=0.02)
    assert width == pytest.approx(0.21, abs=0.02)
    segments = part_segments(BODY)
    parts = {PARTS[part] for part in segments.part[np.isin(BODY.joint[segments.capsule], board)]}
    assert parts == {"left foot", "right foot"}


@pytest.mark.parametrize("extension", ["bvh", "glb", "usda"])
def test_exports_keep_the_board_below_the_feet(tmp_path: Path, extension: str):
    motion = BY_NAME["jump-low"].motion
    path = tmp_path / f"ride.{extension}"
    write_motion(path, motion)
    again = read_motion(path).motion
    board = again.skeleton.index("Board")
    assert again.world_positions[:, board] == pytest.approx(
        motion.world_positions[:, SKELETON.index("Board")], abs=1e-3
    )


def test_a_larger_rider_has_a_larger_board():
    large = Body.from_skeleton(scale(BY_NAME["glide"].motion, 2.0).skeleton)
    assert large.start == pytest.approx(2.0 * BODY.start, abs=1e-9)
    assert large.radius == pytest.approx(2.0 * BODY.radius, abs=1e-9)


def test_realized_sequences_neither_slide_nor_jump_nor_leave_their_swept_shapes():
    check_realized(load_character("skateboarder"), 6)


def test_the_character_passes_its_check():
    assert check_character(load_character("skateboarder")) == []


def test_a_board_that_moves_is_no_bone_that_stretches():
    assert measure_quality(BY_NAME["jump-low"].motion).bone_length_drift_mm == pytest.approx(0.0, abs=1e-9)


def test_in_a_crowd_all_behaviors_can_be_reached_and_left_and_standing_takes_a_second():
    crowd = load_character("skateboarder").subset("crowd")
    reach = np.isfinite(crowd.transition_costs)
    for _ in range(len(reach)):
        reach = reach | (reach.astype(int) @ reach.astype(int) > 0)
    assert reach.all()
    assert crowd.behavior("stand-short").clips[0].duration == 30
