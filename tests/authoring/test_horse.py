"""The built-in horse: four hooves in a gallop's order, planted while they stand, under a trunk that falls freely."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.support.clip_joints import check_realized, label_poses, lowest, margins
from tools.authoring.authored import FRAMES_PER_STEP, RATE_HZ, AuthoredClip
from tools.authoring.horse import horse_clips
from tools.authoring.horse.clips import MARGIN
from tools.authoring.horse.gait import GALLOP_M_S, WALK_M_S, WALK_STRIDE_STEPS
from tools.authoring.horse.legs import fold_of
from tools.authoring.horse.mass import centre_of_mass
from tools.authoring.horse.skeleton import FORE, HIND, LEGS, WITHERS_M, horse_skeleton, leg_joints
from tools.authoring.mass import GRAVITY_M_S2

from gambol.body import Body, build_skin
from gambol.characters import PARTS, check_character, load_character, part_segments
from gambol.geometry import planar, quaternion
from gambol.motion import mirror, point_positions, runs, scale, slide_speeds
from gambol.search import may_be_last, rest_label

CLIPS = horse_clips()
BY_NAME = {clip.name: clip for clip in CLIPS}
GALLOPS = CLIPS[:5]
WALKS = [clip for clip in CLIPS if clip.name.split("-")[0] == "walk"]
SMALL_MOVES = [clip for clip in CLIPS if clip.name.startswith(("step", "spot"))]
SKELETON = horse_skeleton()
BODY = Body.from_skeleton(SKELETON)
LH, RH, LF, RF = range(4)


def each_clip(clips: object = CLIPS) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("clip", clips, ids=lambda clip: clip.name)  # type: ignore[arg-type]


def flexion(clip: AuthoredClip, leg: int) -> np.ndarray:
    """Return how far both inner joints of a leg are bent the way they can, radians (F, 2)."""
    joints = leg_joints()[leg]
    points = clip.motion.world_positions[:, [*joints.bones, joints.pastern]]
    forward = quaternion.rotate(clip.motion.world_rotations[:, 0], np.array([1.0, 0.0, 0.0]))
    up = quaternion.rotate(clip.motion.world_rotations[:, 0], np.array([0.0, 0.0, 1.0]))
    bones = np.diff(points, axis=1)
    angles = np.arctan2(np.einsum("fbc,fc->fb", bones, forward), -np.einsum("fbc,fc->fb", bones, up))
    upper, lower, cannon = np.unwrap(angles, axis=0).T
    return np.column_stack((upper - lower, cannon - lower) if joints.is_hind else (lower - upper, lower - cannon))


def test_there_are_five_gallops_in_the_subset_of_the_paper_and_more_states_to_halt_and_to_walk():
    character = load_character("horse")
    assert character.subsets["lk05"] == tuple(clip.name for clip in GALLOPS)
    walking = {"start-walk", "stop-walk", "stand-short", *(clip.name for clip in (*WALKS, *SMALL_MOVES))}
    assert set(character.subsets["crowd"]) == walking
    others = {b.name for b in character.behaviors} - set(character.subsets["lk05"]) - walking
    assert others == {"halt", "stand", "start"}
    assert all(clip.margin == MARGIN == 12 for clip in CLIPS)


def test_the_horse_has_the_proportions_of_a_horse():
    head = WITHERS_M / 2.5
    points = build_skin(BODY).vertices
    near_withers = points[(np.abs(points[:, 0] - 0.40) < 0.1) & (np.abs(points[:, 1]) < 0.05)]
    assert near_withers[:, 2].max() == pytest.approx(WITHERS_M, abs=0.03)
    lower_arm, hock = FORE[2][2], HIND[2][2]
    assert WITHERS_M - lower_arm[2] == pytest.approx(head, abs=0.05)  # depth of the trunk, to the elbow
    assert hock[2] == pytest.approx(head, abs=0.06)  # from the ground to the hock
    muzzle = SKELETON.tip_offsets[list(SKELETON.tip_parents).index(SKELETON.index("Head"))]
    assert np.linalg.norm(muzzle) == pytest.approx(head, abs=0.05)


@pytest.mark.parametrize("label", ["gallop", "stand", "walk"])
def test_clips_agree_at_their_labels_in_pose_and_velocity(label: str):
    poses = label_poses(CLIPS, label)
    _, reference = poses[0]
    for name, motion in poses:
        assert np.abs(motion.world_positions[2] - reference.world_positions[2]).max() < 1e-6, name
        steps, expected = (np.diff(m.world_positions[1:4], axis=0) * RATE_HZ for m in (motion, reference))
        assert np.abs(steps - expected).max() < 0.1, name


@pytest.mark.parametrize("label", ["gallop", "stand", "walk"])
def test_margins_go_on_as_the_label_does(label: str):
    for group in margins(CLIPS, label):
        for motion in group:
            assert np.abs(motion.world_positions - group[0].world_positions).max() < 1e-6


@each_clip()
def test_a_clip_turns_as_its_name_says(clip: AuthoredClip):
    words = clip.name.split("-")
    expected = {"left": 1.0, "right": -1.0}[words[1]] * float(words[2]) if len(words) == 3 else 0.0
    assert np.degrees(clip.path[-1 - MARGIN, 2]) == pytest.approx(expected, abs=1e-6)


@each_clip([*GALLOPS, *WALKS])
def test_gallops_and_walks_keep_their_speed(clip: AuthoredClip):
    inside = clip.motion.root_positions[clip.inside, :2]
    length = np.linalg.norm(np.diff(inside, axis=0), axis=1).sum()
    speed = GALLOP_M_S if clip in GALLOPS else WALK_M_S
    assert length / clip.duration_s == pytest.approx(speed, rel=0.04)


@each_clip(WALKS)
def test_a_walk_has_four_beats_each_hind_hoof_followed_by_the_fore_hoof_of_its_side(clip: AuthoredClip):
    falls = sorted((first, leg) for leg in range(4) for first, _ in runs(clip.contacts.planted[:, leg]) if first > 0)
    following = {LH: LF, LF: RH, RH: RF, RF: LH}
    assert len(falls) >= 4
    for (at, before), (then, after) in pairwise(falls):
        assert after == following[before]
        assert then - at == pytest.approx(WALK_STRIDE_STEPS * FRAMES_PER_STEP / 4.0, abs=1.01)
    assert set(clip.contacts.planted.sum(axis=1).tolist()) <= {2, 3}


def test_a_walk_can_be_begun_and_ended_within_three_metres():
    ways = {name: BY_NAME[name].path[-1 - MARGIN, 0] for name in ("start-walk", "stop-walk")}
    assert sum(ways.values()) < 3.0
    assert all(0.8 < way < 1.8 for way in ways.values())
    assert BY_NAME["start-walk"].begins == BY_NAME["stop-walk"].ends == "stand"
    assert BY_NAME["start-walk"].ends == BY_NAME["stop-walk"].begins == "walk"


@each_clip(SMALL_MOVES)
def test_small_moves_step_with_every_hoof_from_a_stand_to_a_stand_close_by(clip: AuthoredClip):
    assert clip.begins == clip.ends == "stand"
    assert np.linalg.norm(clip.path[-1 - MARGIN, :2]) < 1.05
    planted = clip.contacts.planted
    assert not planted.all(axis=0).any()
    assert planted.sum(axis=1).min() >= 2
    assert planted[[0, -1]].all()


def test_steps_ahead_and_back_go_so_far():
    assert BY_NAME["step-ahead"].path[-1 - MARGIN, :2] == pytest.approx([0.95, 0.0], abs=0.03)
    assert BY_NAME["step-back"].path[-1 - MARGIN, :2] == pytest.approx([-0.75, 0.0], abs=0.03)


@each_clip([clip for clip in CLIPS if clip.name.startswith("spot")])
def test_a_turn_on_the_spot_is_about_the_middle_of_the_trunk(clip: AuthoredClip):
    middle = planar.apply(clip.path, np.array([0.40, 0.0]))
    assert np.abs(middle - middle[0]).max() < 0.06


@each_clip([*WALKS, *SMALL_MOVES])
def test_hooves_do_not_step_on_each_other(clip: AuthoredClip):
    hooves = clip.motion.world_positions[:, [leg.hoof for leg in leg_joints()]]
    apart = np.linalg.norm(hooves[:, :, None] - hooves[:, None], axis=-1)
    assert apart[:, *np.triu_indices(4, 1)].min() > 0.11


@each_clip(GALLOPS)
def test_hooves_fall_in_the_order_of_a_right_lead_gallop(clip: AuthoredClip):
    falls = sorted((first, leg) for leg in range(4) for first, _ in runs(clip.contacts.planted[:, leg]) if first > 0)
    order = [leg for _, leg in falls]
    following = {LH: RH, RH: LF, LF: RF, RF: LH}
    assert all(after == following[before] for before, after in pairwise(order))
    assert len(order) >= 4


def test_a_stride_has_the_phases_of_the_measured_gallop():
    planted = BY_NAME["gallop"].contacts.planted
    first = {leg: next(first for first, _ in runs(planted[:, leg]) if first >= MARGIN) for leg in range(4)}
    phases = [(first[leg] - first[LH]) / 30.0 for leg in range(4)]
    assert phases == pytest.approx([0.0, 0.19, 0.42, 0.58], abs=1.01 / 30.0)
    stances = [np.mean([last - first + 1 for first, last in runs(planted[6:-6, leg])][:1]) for leg in (LH, LF)]
    assert stances[0] / RATE_HZ == pytest.approx(0.143, abs=1.01 / RATE_HZ)
    stride = slice(first[LH], first[LH] + 30)
    in_air = ~planted[stride].any(axis=1)
    assert len(runs(in_air)) == 1  # one suspension,
    assert runs(in_air)[0][0] / 30.0 == pytest.approx(0.84, abs=0.05)  # after the leading fore leg


@each_clip()
def test_planted_hooves_do_not_slide(clip: AuthoredClip):
    assert np.nanmax(slide_speeds(clip.motion, clip.contacts)) < 1e-3
    points = point_positions(clip.motion, clip.contacts.points)
    assert np.abs(points[..., 2][clip.contacts.planted]).max() < 1e-3


@each_clip()
def test_nothing_gets_below_the_ground(clip: AuthoredClip):
    assert clip.motion.tip_positions[..., 2].min() > -0.006
    assert lowest(clip.motion, BODY).min() > -0.02


@each_clip(GALLOPS)
def test_the_centre_of_mass_falls_freely_in_the_suspension(clip: AuthoredClip):
    falling = np.diff(centre_of_mass(clip.motion)[:, 2], 2) * RATE_HZ**2
    in_air = ~clip.contacts.planted.any(axis=1)
    inside = in_air[1:-1] & in_air[:-2] & in_air[2:]
    assert inside.any()
    assert falling[inside] == pytest.approx(-GRAVITY_M_S2, rel=0.10)


@each_clip()
def test_legs_bend_the_way_they_can(clip: AuthoredClip):
    for leg in range(4):
        joints = np.degrees(flexion(clip, leg))
        assert joints.min() > -1.0, LEGS[leg]
        assert joints.max() < 145.0, LEGS[leg]


@each_clip()
def test_stifle_and_hock_bend_together(clip: AuthoredClip):
    for leg in (LH, RH):
        stifle, hock = flexion(clip, leg).T
        assert np.corrcoef(stifle, hock)[0, 1] > 0.98 or np.ptp(stifle) < 0.05


def test_knees_are_straight_under_load_and_folded_in_swing():
    clip = BY_NAME["gallop"]
    for leg in (LF, RF):
        knee = np.degrees(flexion(clip, leg)[:, 1])
        planted = clip.contacts.planted[:, leg]
        middles = [(first + last) // 2 for first, last in runs(planted)]
        assert knee[middles].max() < 15.0
        assert knee[~planted].max() > 60.0


def test_legs_fold_steadily():
    for hind in (False, True):
        fold = fold_of(hind=hind)
        assert np.all(np.diff(fold.length) < 0.0)


@pytest.mark.parametrize(("name", "side"), [("gallop-left-20", 1.0), ("gallop-right-20", -1.0)])
def test_the_horse_leans_into_turns(name: str, side: float):
    clip = BY_NAME[name]
    up = quaternion.rotate(clip.motion.world_rotations[:, SKELETON.index("Spine1")], np.array([0.0, 0.0, 1.0]))
    middle = clip.motion.frame_count // 2
    heading = clip.path[middle, 2]
    lean = np.degrees(np.arcsin(up[middle, :2] @ [-np.sin(heading), np.cos(heading)]))
    assert 12.0 < side * lean < 30.0


def test_a_halt_slows_down_no_harder_than_a_horse_can_with_its_croup_low():
    clip = BY_NAME["halt"]
    way = np.linalg.norm(np.diff(clip.motion.root_positions[:, :2], axis=0), axis=1) * RATE_HZ
    smooth = np.convolve(way, np.full(30, 1.0 / 30.0), mode="valid")
    assert -4.5 < np.diff(smooth).min() * RATE_HZ < -2.5
    standing = BY_NAME["stand"].motion.root_positions[0, 2]
    assert 0.10 < standing - clip.motion.root_positions[:, 2].min() < 0.20
    assert clip.contacts.planted[-MARGIN:].all()
    assert 12.0 < clip.path[-1 - MARGIN, 0] < 18.0


def test_body_skin_and_swept_shape_are_a_horses():
    skin = build_skin(BODY)
    length, width, height = np.ptp(skin.vertices, axis=0)
    assert length == pytest.approx(2.35, abs=0.15)
    assert width == pytest.approx(0.61, abs=0.05)
    assert height == pytest.approx(1.98, abs=0.10)
    segments = part_segments(BODY)
    assert set(segments.part.tolist()) == set(range(len(PARTS)))
    standing = load_character("horse").behavior("stand").clips[0].shape
    assert standing.radius.max() < 0.65
    assert standing.highest.max() < 2.05


def test_a_horse_of_another_size_has_a_body_of_that_size():
    large = Body.from_skeleton(scale(BY_NAME["stand"].motion, 1.2).skeleton)
    assert large.start == pytest.approx(1.2 * BODY.start, abs=1e-9)
    assert large.radius == pytest.approx(1.2 * BODY.radius, abs=1e-9)


def test_a_mirrored_gallop_has_the_left_lead():
    motion = mirror(BY_NAME["gallop"].motion)
    own, other = (SKELETON.index(name) for name in ("RightForeHoof", "LeftForeHoof"))
    there = motion.world_positions[:, other]
    here = BY_NAME["gallop"].motion.world_positions[:, own]
    assert there == pytest.approx(here * [1.0, -1.0, 1.0], abs=1e-9)


def test_realized_sequences_neither_slide_nor_jump_nor_leave_their_swept_shapes():
    check_realized(load_character("horse"), 6)


def test_the_character_passes_its_check():
    assert check_character(load_character("horse")) == []


def test_in_a_crowd_all_behaviors_can_be_reached_and_left_and_standing_takes_a_second():
    crowd = load_character("horse").subset("crowd")
    reach = np.isfinite(crowd.transition_costs)
    for _ in range(len(reach)):
        reach = reach | (reach.astype(int) @ reach.astype(int) > 0)
    assert reach.all()
    assert crowd.behavior("stand-short").clips[0].duration == 30


def test_a_character_is_at_rest_where_it_starts_from_be_it_at_a_walk():
    horse = load_character("horse")
    assert rest_label(horse.subset("crowd")) == "stand"
    both = horse.only(["walk", "start-walk", "start"])
    dozing = tuple(replace(one, begins="dozing") if one.name == "start-walk" else one for one in both.behaviors)
    assert rest_label(replace(both, behaviors=dozing[::-1])) == "stand"
    assert rest_label(horse.only(["gallop", "walk"])) is None
    standing = horse.only(["walk", "start-walk", "stand"])
    renamed = tuple(replace(one, name="go") if one.name == "start-walk" else one for one in standing.behaviors)
    assert rest_label(replace(standing, behaviors=renamed)) == "stand"  # nothing starts: it is where it stands
    may_end = may_be_last(horse.subset("crowd"), None)
    named = zip(horse.subsets["crowd"], may_end, strict=True)
    assert {name for name, may in named if not may} == {
        "start-walk", "walk", *(f"walk-{side}-{angle}" for side in ("left", "right") for angle in (20, 45))
    }  # fmt: skip
