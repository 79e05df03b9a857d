"""What every locomotion clip of the built-in human promises."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest
from tools.authoring.authored import AuthoredClip
from tools.authoring.human_skeleton import human_skeleton
from tools.authoring.locomotion import clips
from tools.authoring.locomotion.gait import LABELS
from tools.authoring.locomotion.timeline import StepPlan, ease, make_timeline, plateau
from tools.authoring.mass import GRAVITY_M_S2, centre_of_mass

from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.motion import legs, mirror, point_positions, sole_points

LEG_M = 0.86
FANS = {name: clip for gait in ("slow", "walk", "fast", "jog") for name, clip in clips.fan(gait).items()}
ALL = clips.all_clips() | clips.small_moves() | clips.angled_starts() | FANS


@pytest.fixture(params=ALL.values(), ids=ALL.keys())
def clip(request: pytest.FixtureRequest) -> AuthoredClip:
    return request.param


def knees(clip: AuthoredClip) -> np.ndarray:
    """Return the flexion (F, 2) of both knees in degrees, negative where they bend backward."""
    positions, rotations = clip.motion.world_positions, clip.motion.rotations
    flexions = []
    for leg in legs(clip.motion.skeleton):
        span = np.linalg.norm(positions[:, leg.end] - positions[:, leg.root], axis=1)
        flexion = np.degrees(2.0 * np.arccos(np.clip(span / LEG_M, 0.0, 1.0)))
        # Shins turn about +Y against the thigh, which takes the foot back.
        flexions.append(flexion * np.sign(rotations[:, leg.middle, 0] * rotations[:, leg.middle, 2]))
    return np.stack(flexions, axis=1)


def reaches(clip: AuthoredClip) -> np.ndarray:
    positions = clip.motion.world_positions
    return np.stack(
        [
            np.linalg.norm(positions[:, leg.end] - positions[:, leg.root], axis=1) / LEG_M
            for leg in legs(clip.motion.skeleton)
        ],
        axis=1,
    )


def label_states(clip: AuthoredClip) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Return label, joint positions and velocities at both ends, seen from the path's pose there."""
    states = []
    for label, frame in ((clip.begins, clip.margin), (clip.ends, clip.motion.frame_count - 1 - clip.margin)):
        joints = np.array(clip.motion.world_positions[frame - 1 : frame + 2])
        joints[..., :2] = planar.apply(planar.invert(clip.path[frame]), joints[..., :2])
        states.append((label, joints[1], 0.5 * clip.motion.rate_hz * (joints[2] - joints[0])))
    return states


def test_planted_points_do_not_move(clip: AuthoredClip):
    points = point_positions(clip.motion, clip.contacts.points)
    planted = clip.contacts.planted
    moved = np.linalg.norm(np.diff(points, axis=0), axis=-1)[planted[1:] & planted[:-1]]
    assert moved.max() < 3e-4


def test_nothing_gets_below_the_ground_and_planted_feet_are_on_it(clip: AuthoredClip):
    skeleton = clip.motion.skeleton
    soles = [point_positions(clip.motion, sole_points(skeleton, leg))[..., 2] for leg in legs(skeleton)]
    assert min(sole.min() for sole in soles) > -1e-3
    for leg, sole in zip(legs(skeleton), soles, strict=True):
        heel = clip.contacts.planted[:, clip.contacts.index(f"{leg.side}_heel")]
        toe = clip.contacts.planted[:, clip.contacts.index(f"{leg.side}_toe")]
        assert np.abs(sole[heel, 0]).max() < 1e-3
        assert np.abs(sole[toe, 1] - 0.026).max() < 1e-3


def test_flat_feet_do_not_turn(clip: AuthoredClip):
    for leg in legs(clip.motion.skeleton):
        flat = np.all(
            [clip.contacts.planted[:, clip.contacts.index(f"{leg.side}_{part}")] for part in ("heel", "toe")], axis=0
        )
        turns = np.abs(np.diff(clip.motion.world_rotations[:, leg.end], axis=0)).max(axis=1)
        assert turns[flat[1:] & flat[:-1]].max(initial=0.0) < 1e-6


def test_knees_bend_forward_and_legs_stay_within_reach(clip: AuthoredClip):
    assert reaches(clip).max() <= 0.996
    assert knees(clip).min() > 5.0
    assert knees(clip).max() < 110.0


def test_feet_do_not_cross_each_other(clip: AuthoredClip):
    left, right = legs(clip.motion.skeleton)
    positions = clip.motion.world_positions[clip.inside]
    shares = np.linspace(0.0, 1.0, 7)[:, None]

    def along(near: int, far: int) -> np.ndarray:
        return positions[:, near, None] * (1.0 - shares) + positions[:, far, None] * shares

    for part in ("end toe", "middle end"):
        one, other = (along(*(getattr(leg, joint) for joint in part.split())) for leg in (left, right))
        assert np.linalg.norm(one[:, :, None] - other[:, None], axis=-1).min() > 0.07


def test_in_flight_the_body_falls_freely(clip: AuthoredClip):
    aloft = ~clip.contacts.planted.any(axis=1)[1:-1]
    if not aloft.any():
        assert "jog" not in clip.name
        return
    height = centre_of_mass(clip.motion)[:, 2]
    fall = np.diff(height, 2) * clip.motion.rate_hz**2
    assert fall[aloft] == pytest.approx(-GRAVITY_M_S2, rel=0.05)


def test_the_path_is_the_roots_and_does_what_the_name_says(clip: AuthoredClip):
    assert np.array_equal(clip.path[:, :2], clip.motion.root_positions[:, :2])
    turn = np.degrees(clip.path[-1 - clip.margin, 2])
    words = clip.name.split("-")
    said = float(words[-1]) if words[-1].isdigit() else 0.0
    assert turn == pytest.approx(said if "left" in words[1:] and words[-2] == "left" else -said, abs=1e-6)
    assert np.abs(np.diff(clip.path[:, 2])).max() < np.radians(4.0)


def test_clips_are_smooth_inside(clip: AuthoredClip):
    accelerations = np.linalg.norm(np.diff(clip.motion.world_positions, 2, axis=0), axis=-1) * clip.motion.rate_hz**2
    assert accelerations.max() < 210.0


def test_poses_and_velocities_at_equal_labels_agree_across_all_clips():
    states = defaultdict(list)
    for clip in ALL.values():
        for label, pose, velocity in label_states(clip):
            states[label].append((pose, velocity))
    assert set(states) == set(LABELS)
    for found in states.values():
        poses, velocities = (np.array(values) for values in zip(*found, strict=True))
        assert np.linalg.norm(poses - poses[0], axis=-1).max() < 1e-3
        # Half of this is the foot that lands within the frame: a difference over two frames blurs it.  Who holds
        # back or speeds up within the stride leans a little already: up to 3 % of a joint's own speed.
        usual = np.median(velocities, axis=0)
        limits = np.maximum(0.025, 0.03 * np.linalg.norm(usual, axis=-1))
        assert np.all(np.linalg.norm(velocities - usual, axis=-1) < limits)


def test_margins_go_on_as_the_labels_own_cycle():
    steady = {label: ALL[name] for label, name in (("jog-left", "jog"), ("walk-left", "walk"), ("fast-left", "fast"))}
    for clip in ALL.values():
        if clip.begins in steady:
            own = steady[clip.begins].motion.world_positions
            assert np.abs(clip.motion.world_positions[: clip.margin + 1] - own[: clip.margin + 1]).max() < 1e-5


def test_the_stand_is_at_rest():
    for clip in ALL.values():
        for label, _, velocity in label_states(clip):
            if label == "stand":
                assert np.linalg.norm(velocity, axis=-1).max() < 0.012


def test_left_and_right_turns_on_the_spot_and_side_steps_are_mirror_images():
    for one, other in (
        ("spot-left-22", "spot-right-22"),
        ("spot-left-90", "spot-right-90"),
        ("spot-left-180", "spot-right-180"),
        ("side-left", "side-right"),
    ):
        difference = mirror(ALL[one].motion).world_positions - ALL[other].motion.world_positions
        assert np.abs(difference).max() < 1e-3


@pytest.mark.parametrize(
    ("name", "ahead_m", "aside_m", "most_s"),
    [
        ("ahead", 0.45, 0.0, 1.25),
        ("ahead-short", 0.25, 0.0, 1.1),
        ("back", -0.6, 0.0, 1.75),
        ("side-left", 0.0, 0.35, 1.2),
        ("spot-left-22", 0.0, 0.0, 1.1),
    ],
)
def test_small_moves_go_where_they_say_each_foot_stepping_in_turn(
    name: str, ahead_m: float, aside_m: float, most_s: float
):
    clip = ALL[name]
    assert clip.begins == clip.ends == "stand"
    assert clip.duration_s <= most_s
    assert clip.path[-1 - clip.margin, :2] == pytest.approx([ahead_m, aside_m], abs=1e-3)
    standing = clip.contacts.planted[:, :4].reshape(-1, 2, 2).any(axis=2)
    assert standing.any(axis=1).all()
    assert not standing.all(axis=0).any()


def test_steps_of_one_jog_are_mirror_images():
    mirrored = mirror(ALL["step-left-left-5"].motion).world_positions
    assert np.abs(mirrored - ALL["step-right-right-5"].motion.world_positions).max() < 1e-3


@pytest.mark.parametrize(
    ("name", "speed", "steps_per_minute", "stance", "pelvis_cm", "knee"),
    [
        ("slow", 0.8, 90, 0.65, (2.0, 3.5), (50, 66)),
        ("walk", 1.3, 110, 0.61, (3.0, 5.0), (58, 68)),
        ("fast", 1.8, 130, 0.58, (4.0, 6.5), (60, 75)),
        ("jog", 2.6, 162, 0.38, (6.5, 9.5), (80, 100)),
    ],
)
def test_gait_figures_are_a_persons(
    name: str,
    speed: float,
    steps_per_minute: float,
    stance: float,
    pelvis_cm: tuple[float, float],
    knee: tuple[float, float],
):
    clip = ALL[name]
    seconds = clip.duration_s
    assert clip.path[-1 - clip.margin, 0] / seconds == pytest.approx(speed, rel=0.005)
    assert 120.0 / seconds == pytest.approx(steps_per_minute, rel=0.03)
    planted = clip.contacts.planted[clip.inside][:-1, :2].any(axis=1)
    assert planted.mean() == pytest.approx(stance, abs=0.03)
    low, high = pelvis_cm
    assert low < 100.0 * np.ptp(clip.motion.root_positions[clip.inside, 2]) < high
    assert knee[0] < knees(clip).max() < knee[1]


def test_a_jogging_ankle_folds_up_behind():
    left = legs(human_skeleton())[0]
    heights = ALL["jog"].motion.world_positions[:, left.end, 2]
    assert 0.27 < heights.max() < 0.38


def test_a_stop_sinks_and_leans_back_and_a_start_leans_forward():
    def lean(clip: AuthoredClip) -> np.ndarray:
        index = clip.motion.skeleton.index
        trunk = clip.motion.world_positions[:, index("Neck")] - clip.motion.world_positions[:, index("Hips")]
        return np.degrees(np.arctan2(trunk[:, 0], trunk[:, 2]))

    assert lean(ALL["stop"]).min() < -6.0
    assert lean(ALL["start"]).max() > 18.0
    sunk = ALL["stop"].motion.root_positions[-1, 2] - ALL["stop"].motion.root_positions[ALL["stop"].inside, 2].min()
    assert 0.08 < sunk < 0.16


def test_bodies_lean_into_their_turns():
    for side, sign in (("left", 1.0), ("right", -1.0)):
        clip = ALL[f"jog-{side}-90"]
        standing = clip.contacts.planted[:, :4]
        points = point_positions(clip.motion, clip.contacts.points)[:, :4]
        masses = centre_of_mass(clip.motion)
        speed = np.linalg.norm(np.gradient(clip.path[:, :2], axis=0), axis=1) * clip.motion.rate_hz
        ideal = np.arctan(speed * np.gradient(clip.path[:, 2]) * clip.motion.rate_hz / GRAVITY_M_S2)
        hard = np.flatnonzero((sign * ideal > np.radians(15.0)) & standing.any(axis=1))
        arms = np.array([masses[frame] - points[frame, standing[frame]].mean(axis=0) for frame in hard])
        leans = np.arctan2(planar.rotate(-clip.path[hard, 2], arms[:, :2])[:, 1], arms[:, 2])
        assert 0.6 < leans.mean() / ideal[hard].mean() < 1.0


@pytest.mark.parametrize("name", clips.angled_starts())
def test_who_sets_out_at_an_angle_looks_there_first_and_is_sooner_than_by_turning_on_the_spot(name: str):
    clip = ALL[name]
    ahead, side, angle = name.rsplit("-", 2)
    sign = 1.0 if side == "left" else -1.0
    assert clip.begins == "stand"
    assert clip.ends == ALL[ahead].ends
    assert clip.duration_s <= ALL[ahead].duration_s + 0.45
    assert clip.duration_s < ALL[ahead].duration_s + ALL["spot-left-22"].duration_s
    x, y, _ = clip.path[-1 - clip.margin]
    assert 0.4 < np.degrees(np.arctan2(sign * y, x)) / float(angle) < 1.0
    turned = sign * np.degrees(clip.path[clip.inside, 2])
    head = clip.motion.world_rotations[clip.inside, clip.motion.skeleton.index("Head")]
    looks = sign * np.degrees(quaternion.heading(head))
    between = (turned > 0.1 * float(angle)) & (turned < 0.7 * float(angle))
    assert np.all((looks - turned)[between] > 2.0)


def test_joined_clips_must_agree_at_their_labels():
    waiting = ALL["stop-and-wait"]
    assert waiting.begins == waiting.ends == "jog-left"
    assert waiting.duration_s == pytest.approx(sum(ALL[name].duration_s for name in ("stop", "stand", "go")))
    with pytest.raises(InvalidInput, match="begins at"):
        clips.joined("odd", (ALL["jog"], ALL["stand"]))


def test_a_plan_must_end_where_it_says():
    with pytest.raises(InvalidInput, match="do not end at"):
        StepPlan("odd", "jog-left", "jog-left", 22, 0.75)


def test_a_timeline_covers_the_declared_way():
    plan = StepPlan("far", "walk-left", "walk-left", 70, 2.0, distance_m=3.0, turn_deg=20.0)
    timeline = make_timeline(plan)
    inside = (timeline.times >= 0.0) & (timeline.times <= plan.frames)
    way = np.linalg.norm(np.diff(timeline.pose[inside, :2], axis=0), axis=1).sum()
    assert way == pytest.approx(3.0, abs=1e-3)
    assert timeline.phase_at([0.0, plan.frames]) == pytest.approx([0.0, 2.0])
    assert np.degrees(timeline.pose_at(plan.frames)[2]) == pytest.approx(20.0)


def test_easing_starts_and_ends_at_rest():
    shares = np.linspace(-0.2, 1.2, 1401)
    for curve in (ease(shares), plateau(shares)):
        for order in (1, 2):
            slopes = np.diff(curve, order) / (shares[1] - shares[0]) ** order
            at_ends = [np.abs(slopes[np.abs(shares[: len(slopes)] - end) < 2e-3]).max() for end in (0.0, 1.0)]
            assert max(at_ends) < 0.1
    assert np.all(np.diff(ease(shares)) >= -1e-12)


def test_clips_have_whole_planning_frames_and_names_of_their_own():
    assert all((clip.motion.frame_count - 1 - 2 * clip.margin) % 2 == 0 for clip in ALL.values())
    for one, other in itertools.combinations(
        (clips.jogs, clips.short_jogs, clips.walks, clips.stands, clips.changes), 2
    ):
        assert not set(one()) & set(other())
