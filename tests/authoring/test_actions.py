from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tools.authoring.actions.clips import FAN, all_actions, jump_fan
from tools.authoring.actions.crawl import crawl_cycle, crawl_in, crawl_out
from tools.authoring.actions.crawl_cycle import steady_crawl
from tools.authoring.actions.mass_path import Flight, MassPoint, Support, travel
from tools.authoring.authored import FRAMES_PER_STEP, AuthoredClip
from tools.authoring.locomotion.clips import jogs
from tools.authoring.locomotion.joined import joined
from tools.authoring.mass import GRAVITY_M_S2, centre_of_mass

from gambol.body import Body
from gambol.geometry import quaternion
from gambol.motion import Motion, arms, edits, legs, point_positions, runs, sole_points

CLIPS = all_actions() | jump_fan()
LEAPS = [name for name in CLIPS if name.startswith("jump") and "two-foot" not in name]
TWO_FOOT = [name for name in CLIPS if "two-foot" in name]
ACTIONS = pytest.mark.parametrize("clip", list(CLIPS.values()), ids=list(CLIPS))
HURDLE_M = 0.20  # thick
STEP_M = 0.02  # at which profiles are sampled
ALONG = 17  # points of a capsule that stand for all of it


def label_pose(label: str) -> tuple[Motion, int]:
    """A motion of the label's own cycle, and the frame of the label in it."""
    clip = crawl_cycle() if label == "crawl" else jogs()["jog"]
    return clip.motion, clip.margin


def flights(clip: AuthoredClip) -> list[tuple[int, int]]:
    """First and last frames of the times in which nothing rests on the ground."""
    return [(first, last) for first, last in runs(~clip.contacts.planted.any(axis=1)) if last - first >= 2]


def jump_flight(clip: AuthoredClip) -> tuple[int, int]:
    assert clip.event is not None
    return next((first, last) for first, last in flights(clip) if first <= clip.event <= last)


def profile(motion: Motion, *, of: str) -> tuple[np.ndarray, np.ndarray]:
    """Places along +X, and the highest or lowest height that any part of the body ever has there."""
    body = Body.from_skeleton(motion.skeleton)
    starts, ends = body.place(motion)
    share = np.linspace(0.0, 1.0, ALONG)[:, None]
    points = starts[:, :, None] + share * (ends - starts)[:, :, None]
    radius = np.broadcast_to(body.radius[:, None], points.shape[:3]).ravel()
    x, z = points[..., 0].ravel(), points[..., 2].ravel()
    sign = 1.0 if of == "tops" else -1.0
    places = np.arange(x.min() - 0.2, x.max() + 0.2, STEP_M)
    reach = int(np.ceil(radius.max() / STEP_M)) + 1
    heights = np.full(len(places), -np.inf)
    for column in range(-reach, reach + 1):
        at = np.round((x - places[0]) / STEP_M).astype(int) + column
        away = places[np.clip(at, 0, len(places) - 1)] - x
        covers = (at >= 0) & (at < len(places)) & (np.abs(away) <= radius)
        height = sign * z[covers] + np.sqrt(radius[covers] ** 2 - away[covers] ** 2)
        np.maximum.at(heights, at[covers], height)
    return places, sign * heights


def deepest_passage(motion: Motion, height_m: float) -> float:
    """How deep a bar at a height may be for the whole body to pass below it."""
    places, tops = profile(motion, of="tops")
    crossed = (places > motion.root_positions[0, 0]) & (places < motion.root_positions[-1, 0])
    low = runs((tops < height_m) & crossed)
    return max((STEP_M * (last - first) for first, last in low), default=0.0)


def highest_hurdle(motion: Motion) -> float:
    """How high a hurdle may be that the body clears at its best place."""
    places, bottoms = profile(motion, of="bottoms")
    crossed = (places > motion.root_positions[0, 0] + 0.6) & (places < motion.root_positions[-1, 0] - 0.6)
    width = int(np.ceil(HURDLE_M / STEP_M)) + 1
    across = np.lib.stride_tricks.sliding_window_view(np.where(crossed, bottoms, -np.inf), width)
    return float(across.min(axis=1).max())


@ACTIONS
@pytest.mark.parametrize("end", ["first", "last"])
def test_pose_and_velocity_at_the_ends_are_the_label_s(clip: AuthoredClip, end: str):
    at = clip.margin if end == "first" else clip.motion.frame_count - 1 - clip.margin
    own = edits.move(clip.motion, (0.0, 0.0, -clip.path[at, 2]))
    other, there = label_pose(clip.begins if end == "first" else clip.ends)
    shift = np.array([*(other.root_positions[there, :2] - own.root_positions[at, :2]), 0.0])
    near = slice(at - 1, at + 2)
    theirs = other.world_positions[there - 1 : there + 2]
    ours = own.world_positions[near] + shift
    assert np.abs(ours[1] - theirs[1]).max() < 1e-3
    velocity = 0.5 * clip.motion.rate_hz * ((ours[2] - ours[0]) - (theirs[2] - theirs[0]))
    assert np.abs(velocity).max() < 0.02
    assert np.degrees(quaternion.angle(own.rotations[at], other.rotations[there])).max() < 0.1


@ACTIONS
def test_margins_go_on_as_the_label_s_cycle(clip: AuthoredClip):
    last = clip.motion.frame_count - 1
    for label, at, first in ((clip.begins, clip.margin, 0), (clip.ends, last - clip.margin, last - clip.margin)):
        other, there = label_pose(label)
        frames = first + np.arange(clip.margin)
        turn = quaternion.angle(clip.motion.rotations[frames, 1:], other.rotations[frames - at + there, 1:])
        assert np.degrees(turn).max() < 0.5


@ACTIONS
def test_what_rests_on_the_ground_does_not_move(clip: AuthoredClip):
    points = point_positions(clip.motion, clip.contacts.points)
    for index in range(len(clip.contacts.points)):
        for first, last in runs(clip.contacts.planted[:, index]):
            spread = np.ptp(points[first : last + 1, index, :2], axis=0)
            assert spread.max() < 1e-3, clip.contacts.points[index].name


@ACTIONS
def test_feet_and_bodies_stay_above_the_ground(clip: AuthoredClip):
    for leg in legs(clip.motion.skeleton):
        soles = point_positions(clip.motion, sole_points(clip.motion.skeleton, leg))
        assert soles[..., 2].min() > -0.002
    body = Body.from_skeleton(clip.motion.skeleton)
    starts, ends = body.place(clip.motion)
    assert (np.minimum(starts, ends)[..., 2] - body.radius).min() > -0.02


@ACTIONS
def test_no_leg_or_arm_is_ever_quite_straight(clip: AuthoredClip):
    for limb in (*legs(clip.motion.skeleton), *arms(clip.motion.skeleton)):
        root, joint, end = (clip.motion.world_positions[:, i] for i in (limb.root, limb.middle, limb.end))
        length = np.linalg.norm(joint - root, axis=1) + np.linalg.norm(end - joint, axis=1)
        assert (np.linalg.norm(end - root, axis=1) / length).max() <= 0.9961


@ACTIONS
def test_knees_and_elbows_bend_the_right_way(clip: AuthoredClip):
    # Shins fold about the thigh's left, forearms about an axis that is up in the T-pose's left arm, down in its right.
    hinges = [(leg, (0.0, 1.0, 0.0)) for leg in legs(clip.motion.skeleton)]
    hinges += [(arm, (0.0, 0.0, -1.0 if arm.side == "left" else 1.0)) for arm in arms(clip.motion.skeleton)]
    for limb, axis in hinges:
        root, joint, end = (clip.motion.world_positions[:, i] for i in (limb.root, limb.middle, limb.end))
        bend = np.cross(joint - root, end - joint)
        hinge = quaternion.rotate(clip.motion.world_rotations[:, limb.root], np.array(axis))
        assert (np.sum(bend * hinge, axis=1) / np.linalg.norm(bend, axis=1)).min() > 0.7


@ACTIONS
def test_bodies_in_the_air_fall_freely(clip: AuthoredClip):
    fall = np.diff(centre_of_mass(clip.motion), 2, axis=0) * clip.motion.rate_hz**2
    for first, last in flights(clip):
        inside = fall[first : last - 1, 2]
        assert np.abs(inside + GRAVITY_M_S2).max() < 0.1 * GRAVITY_M_S2


@pytest.mark.parametrize("name", [*LEAPS, *TWO_FOOT])
def test_jumps_keep_their_level_speed_in_the_air(name: str):
    clip = CLIPS[name]
    first, last = jump_flight(clip)
    velocity = np.diff(centre_of_mass(clip.motion)[first : last + 1, :2], axis=0) * clip.motion.rate_hz
    assert np.ptp(velocity, axis=0).max() < 0.05
    assert 0.25 < (last - first + 2) / clip.motion.rate_hz < 0.6


@ACTIONS
def test_the_ground_never_pushes_harder_than_a_body_bears(clip: AuthoredClip):
    push = np.diff(centre_of_mass(clip.motion), 2, axis=0) * clip.motion.rate_hz**2 + [0.0, 0.0, GRAVITY_M_S2]
    assert np.linalg.norm(push, axis=1).max() < 6.0 * GRAVITY_M_S2


@pytest.mark.parametrize(
    ("name", "height_m"),
    [
        ("jump-over", 0.50), ("jump-over-far", 0.50), ("jump", 0.25), ("jump-loose", 0.30),
        ("jump-two-foot", 0.35), ("jump-two-foot-tight", 0.45),
    ],
)  # fmt: skip
def test_jumps_clear_the_hurdles_they_claim(name: str, height_m: float):
    assert highest_hurdle(CLIPS[name].motion) > height_m


@pytest.mark.parametrize("name", TWO_FOOT)
def test_both_feet_leave_the_ground_together_and_land_together(name: str):
    clip = CLIPS[name]
    first, last = jump_flight(clip)
    assert clip.contacts.planted[first - 1, [1, 3]].all()
    assert clip.contacts.planted[last + 1, [1, 3]].all()
    heights = clip.motion.world_positions[first:last, [leg.toe for leg in legs(clip.motion.skeleton)], 2]
    assert heights.max(axis=0).min() > 0.35


@pytest.mark.parametrize("name", LEAPS)
def test_leaps_go_from_the_right_foot_onto_the_left_one(name: str):
    clip = CLIPS[name]
    first, last = jump_flight(clip)
    assert clip.contacts.planted[first - 1].tolist() == [False, False, False, True, False, False]
    assert clip.contacts.planted[last + 1].tolist() == [False, True, False, False, False, False]
    lead, trail = (clip.motion.world_positions[(first + last) // 2, leg.middle] for leg in legs(clip.motion.skeleton))
    ahead = np.array([np.cos(clip.path[first, 2]), np.sin(clip.path[first, 2])])
    assert (lead - trail)[:2] @ ahead > 0.4


@pytest.mark.parametrize(("name", "height_m"), [("duck", 1.20), ("duck-deep", 1.10)])
def test_ducks_pass_a_deep_beam_with_the_whole_body_below(name: str, height_m: float):
    assert deepest_passage(CLIPS[name].motion, height_m) > 0.9


def test_the_duck_s_head_stays_low_for_long_enough():
    motion = CLIPS["duck"].motion
    low = np.flatnonzero(motion.tip_positions[:, 0, 2] < 1.15)
    assert np.ptp(low) == len(low) - 1
    assert np.ptp(motion.root_positions[low, 0]) > 0.9


def test_everything_is_low_in_the_crawl():
    body = Body.from_skeleton(crawl_cycle().motion.skeleton)
    starts, ends = body.place(crawl_cycle().motion)
    assert (np.maximum(starts, ends)[..., 2] + body.radius).max() < 0.70


def test_crawls_pass_tunnels_as_long_as_one_wishes():
    passages = []
    for strides in (2, 4):
        crawl = joined("crawl", (crawl_in(), *[crawl_cycle()] * strides, crawl_out()))
        passages.append(deepest_passage(crawl.motion, 0.75))
    assert passages[0] > 1.0
    assert passages[1] - passages[0] == pytest.approx(2 * steady_crawl().stride_m, abs=0.05)
    assert deepest_passage(CLIPS["crawl"].motion, 0.75) == pytest.approx(passages[0])


def test_knees_that_bear_weight_stay_where_they_are():
    clip = crawl_cycle()
    for side, leg in enumerate(legs(clip.motion.skeleton)):
        knee = clip.motion.world_positions[:, leg.middle]
        for first, last in runs(clip.contacts.planted[:, 2 * side + 1]):
            assert np.ptp(knee[first : last + 1], axis=0).max() < 0.003
    assert knee[:, 2].min() > 0.065


def test_diagonal_hands_and_knees_go_together():
    planted = steady_crawl().planted
    landings = {
        name: int(np.flatnonzero(planted[:, point] & ~np.roll(planted[:, point], 1))[0])
        for name, point in (("left knee", 1), ("right knee", 3), ("left hand", 4), ("right hand", 5))
    }
    stride = steady_crawl().frame_count
    for hand, knee in (("right hand", "left knee"), ("left hand", "right knee")):
        before = (landings[knee] - landings[hand]) % stride
        assert 0 <= before <= 0.12 * stride
    assert 0.5 <= steady_crawl().stride_m * 60.0 / stride <= 0.7


@pytest.mark.parametrize("angle", FAN)
def test_the_fan_of_jumps_turns_on_the_ground_and_not_in_the_air(angle: int):
    side = "" if angle == 0 else f"-{'left' if angle > 0 else 'right'}-{abs(angle)}"
    clip = jump_fan()[f"jump{side}"]
    assert np.degrees(clip.path[-1 - clip.margin, 2]) == pytest.approx(angle, abs=0.01)
    first, last = jump_flight(clip)
    assert np.degrees(np.ptp(clip.path[first + 2 : last - 1, 2])) < 1.0
    turned = np.degrees(clip.path[(first + last) // 2, 2])
    assert turned == pytest.approx(0.5 * angle, abs=10.0)


def test_events_are_where_it_matters():
    for name, clip in CLIPS.items():
        assert clip.event is not None
        assert clip.margin < clip.event < clip.motion.frame_count - 1 - clip.margin
        if name.startswith("jump"):
            assert not clip.contacts.planted[clip.event].any()
        elif name.startswith("duck"):
            head = clip.motion.tip_positions[:, 0, 2]
            assert head[clip.event] < head.min() + 0.03


def test_straight_actions_end_on_the_line_they_began_on():
    for name, clip in all_actions().items():
        assert np.abs(clip.path[-1 - clip.margin, 1]) < 1e-6, name
        assert (clip.motion.frame_count - 1 - 2 * clip.margin) % FRAMES_PER_STEP == 0


def test_a_clip_s_labels_join_in_any_order():
    assert joined("twice", (CLIPS["jump"], CLIPS["duck"], CLIPS["jump-left-90"], CLIPS["crawl"])).ends == "jog-left"


def test_the_mass_falls_along_a_parabola_between_take_off_and_landing():
    rest = MassPoint(0.0, np.array([0.0, 0.0, 1.0]), np.array([2.0, 0.0, 0.0]), np.zeros(3))
    frames = np.arange(61.0)
    stages = (Support(10.0, 0.9, (2.0, 0.0)), Flight(20.0, 44.0, 1.0, 1.0, (2.0, 0.0)))
    path, place = travel(rest, stages, replace_frame(rest, 60.0), frames)
    time = (frames[20:45] - 20.0) / 60.0
    rise = 0.5 * GRAVITY_M_S2 * 0.4
    assert path[20:45, 2] == pytest.approx(1.0 + rise * time - 0.5 * GRAVITY_M_S2 * time**2)
    assert path[10, 2] == pytest.approx(0.9)
    assert place == pytest.approx([2.0, 0.0])


def replace_frame(point: MassPoint, frame: float) -> MassPoint:
    return point._replace(frame=frame)


def test_motions_are_continuous():
    for name, clip in CLIPS.items():
        turns = quaternion.angle(clip.motion.rotations[:-1], clip.motion.rotations[1:])
        assert np.degrees(turns).max() < 22.0, name
        assert replace(clip, name="copy").duration_s == clip.duration_s
