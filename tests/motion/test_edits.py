from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.strategies import motions

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import quaternion
from gambol.motion import edits, joint_names
from gambol.motion.mirroring import mirror
from gambol.motion.motion import Motion
from gambol.motion.root_modes import add_ground_root, set_root_mode, stay_in_place
from gambol.motion.skeleton import Skeleton
from gambol.motion.travel import align_to_travel, path_length, set_heading, smooth_path, travel_heading

quick = settings(deadline=None, max_examples=40)

WALKER = Skeleton(
    ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot", "Spine"],
    [-1, 0, 1, 2, 0, 4, 5, 0],
    [
        [0, 0, 0.9], [0, 0.1, -0.05], [0, 0, -0.42], [0, 0, -0.42], [0, -0.1, -0.05],
        [0, 0, -0.43], [0, 0, -0.41], [0, 0, 0.3],
    ],
    [3, 6, 7],
    [[0.2, 0, 0], [0.2, 0, 0], [0, 0, 0.5]],
)  # fmt: skip


def walk(frames: int = 61, rate_hz: float = 60.0, speed: float = 1.2, turn: float = 0.0) -> Motion:
    t = np.arange(frames) / rate_hz
    heading = 0.05 * np.sin(2 * np.pi * t) + turn * t
    rotations = quaternion.identity(frames, WALKER.joint_count)
    rotations[:, 0] = quaternion.from_heading(heading)
    for joint, phase in ((1, 0.0), (4, np.pi)):
        rotations[:, joint] = quaternion.from_axis_angle([0, 1, 0], 0.4 * np.sin(2 * np.pi * t + phase))
        rotations[:, joint + 1] = quaternion.from_axis_angle([0, 1, 0], 0.5 + 0.4 * np.sin(2 * np.pi * t + phase))
    roots = np.column_stack((speed * t, 0.03 * np.sin(2 * np.pi * t), 0.9 + 0.02 * np.sin(4 * np.pi * t)))
    return Motion(WALKER, rate_hz, roots, rotations)


def reach(motion: Motion) -> np.ndarray:
    return np.linalg.norm(np.diff(motion.world_positions, axis=0), axis=-1)


def test_a_cut_keeps_its_frames_and_its_margins():
    motion = walk()
    piece = edits.cut(motion, 10, 20, margin=8)
    assert piece.frame_count == 27
    assert np.array_equal(piece.rotations[8:-8], motion.rotations[10:21])
    for first, last, margin in ((-1, 5, 0), (5, 4, 0), (0, 61, 0), (4, 20, 8), (30, 58, 8)):
        with pytest.raises(InvalidInput, match="frames 0 to 60"):
            edits.cut(motion, first, last, margin=margin)


@given(motions(translations=True), st.sampled_from([24.0, 30.0, 60.0, 120.0, 97.3]))
@quick
def test_resampling_keeps_the_timing_and_the_first_pose(motion, rate_hz):
    other = edits.resample(motion, rate_hz)
    assert other.rate_hz == rate_hz
    assert other.duration_s <= motion.duration_s + 1e-9
    assert other.duration_s > motion.duration_s - 1.0 / rate_hz - 1e-9
    assert np.allclose(other.world_positions[0], motion.world_positions[0])


def test_doubling_the_rate_keeps_every_old_frame():
    motion = walk()
    double = edits.resample(motion, 120.0)
    assert double.frame_count == 121
    assert np.allclose(double.world_positions[::2], motion.world_positions)
    assert np.allclose(edits.resample(double, 60.0).world_positions, motion.world_positions)


def test_retiming_keeps_the_ends_and_the_way():
    motion = walk()
    fast = edits.retime(motion, speed=1.5)
    assert fast.frame_count == 41
    assert fast.duration_s == pytest.approx(motion.duration_s / 1.5)
    assert np.allclose(fast.world_positions[[0, -1]], motion.world_positions[[0, -1]])
    assert edits.retime(motion, duration_s=2.0).frame_count == 121
    with pytest.raises(InvalidInput, match="either"):
        edits.retime(motion)
    with pytest.raises(InvalidInput, match="positive"):
        edits.retime(motion, speed=0.0)


@given(motions(), st.tuples(*[st.floats(-20, 20)] * 3))
@quick
def test_moving_a_motion_moves_every_joint_rigidly(motion, pose):
    moved = edits.move(motion, pose)
    expected = quaternion.rotate(quaternion.from_heading(pose[2]), motion.world_positions) + [pose[0], pose[1], 0.0]
    assert np.allclose(moved.world_positions, expected, atol=1e-6)


@given(motions(), st.floats(0.01, 100.0))
@quick
def test_scaling_multiplies_every_position(motion, factor):
    assert np.allclose(edits.scale(motion, factor).world_positions, factor * motion.world_positions)


def test_joined_motions_go_on_where_the_last_one_ended_without_a_jump():
    first, second = walk(turn=0.8), edits.move(walk(speed=1.6), [5.0, -3.0, 2.0])
    crouched = Motion(WALKER, 60.0, second.root_positions - [0, 0, 0.1], second.rotations)
    joined = edits.join([first, crouched, first])
    assert joined.frame_count == 61 + 60 + 60
    largest = max(reach(part).max() for part in (first, crouched))
    # Ten centimetres of height over a half second of blending add 0.3 m/s at the steepest.
    assert reach(joined).max() < largest + 0.35 / 60.0
    assert path_length(joined) == pytest.approx(2 * path_length(first) + path_length(crouched), rel=1e-3)
    hard = edits.join([first, crouched], blend_s=0.0)
    assert reach(hard).max() > 0.09


def test_joint_translations_are_eased_over_a_join_too():
    moved = np.tile(WALKER.offsets, (61, 1, 1))
    stretched = moved.copy()
    stretched[:, 7, 2] += 0.2
    first, second = (Motion(WALKER, 60.0, walk().root_positions, walk().rotations, t) for t in (moved, stretched))
    for pair in ([first, second], [walk(), second]):
        assert np.abs(np.diff(edits.join(pair).translations[:, 7, 2])).max() < 0.02


def test_too_many_frames_are_refused_before_they_are_made():
    with pytest.raises(InvalidInput, match="more than the"):
        edits.resample(walk(), 1e12)
    with pytest.raises(InvalidInput, match="more than the"):
        edits.retime(walk(), speed=1e-9)


def test_joining_other_skeletons_or_rates_is_an_error():
    with pytest.raises(InvalidInput, match="same skeleton"):
        edits.join([walk(), edits.scale(walk(), 2.0)])
    with pytest.raises(InvalidInput, match="same rate"):
        edits.join([walk(), edits.resample(walk(), 30.0)])
    with pytest.raises(InvalidInput, match="nothing"):
        edits.join([])


@given(motions(max_frames=8, translations=True))
@quick
def test_a_cyclic_motion_ends_in_the_pose_it_began_with(motion):
    if motion.frame_count < 2:
        return
    cycle = edits.make_cyclic(motion)
    assert np.all(quaternion.angle(cycle.rotations[0, 1:], cycle.rotations[-1, 1:]) < 1e-6)
    assert cycle.root_positions[0, 2] == pytest.approx(cycle.root_positions[-1, 2])
    tilt = [
        quaternion.multiply(quaternion.from_heading(-quaternion.heading(q)), q) for q in cycle.rotations[[0, -1], 0]
    ]
    assert np.allclose(cycle.root_positions[:, :2], motion.root_positions[:, :2])
    assert quaternion.angle(tilt[0], tilt[1]) < 1e-6


def test_mirroring_twice_is_the_identity_and_once_swaps_the_feet():
    motion = walk(turn=0.5)
    once = mirror(motion)
    left, right = (motion.skeleton.index(name) for name in ("LeftFoot", "RightFoot"))
    assert np.allclose(mirror(once).rotations, motion.rotations, atol=1e-9)
    assert np.allclose(once.root_positions, motion.root_positions * [1, -1, 1])
    # The legs' bones differ by a centimetre, so that mirrored feet are where they were within that.
    assert np.abs(once.world_positions[:, right] - motion.world_positions[:, left] * [1, -1, 1]).max() < 0.015
    assert np.allclose(once.skeleton.offsets, motion.skeleton.offsets)


def test_names_find_their_partner_on_the_other_side():
    pairs = {
        "LeftArm": "RightArm", "lfemur": "rfemur", "RHipJoint": "LHipJoint", "thigh_l": "thigh_r", "hand.R": "hand.L",
        "Bip01 L Thigh": "Bip01 R Thigh", "mixamorig:LeftLeg": "mixamorig:RightLeg", "Hips": "Hips",
        "leftHand": "rightHand",
    }  # fmt: skip
    assert {name: joint_names.mirrored_name(name) for name in pairs} == pairs
    assert joint_names.common_name("mixamorig:LeftUpLeg") == "LeftUpLeg"
    assert joint_names.common_name("calf_r") == "RightLeg"
    with pytest.raises(UnknownName, match="did you mean 'mixamo'"):
        joint_names.name_map("mixammo")


def test_travel_not_the_hips_says_which_way_a_motion_goes():
    motion = edits.move(walk(), [3.0, 4.0, 1.1])
    assert travel_heading(motion) == pytest.approx(1.1, abs=0.01)
    aligned = align_to_travel(motion)
    assert np.allclose(aligned.root_positions[0, :2], 0.0)
    assert aligned.root_positions[-1, 1] == pytest.approx(0.0, abs=1e-9)
    assert travel_heading(edits.move(walk(speed=0.0), [0, 0, 0.7])) == pytest.approx(0.7, abs=0.01)
    turned = set_heading(motion, -0.4, frame=10)
    assert quaternion.heading(turned.rotations[10, 0]) == pytest.approx(-0.4)
    assert np.allclose(turned.root_positions[10], motion.root_positions[10])


def test_a_ground_root_carries_the_travel_and_leaves_every_joint_in_place():
    motion = edits.move(walk(turn=0.6), [1.0, 2.0, 0.3])
    grounded = add_ground_root(motion)
    assert grounded.skeleton.names[:2] == ("Root", "Hips")
    assert np.allclose(grounded.world_positions[:, 1:], motion.world_positions)
    assert np.allclose(grounded.tip_positions, motion.tip_positions)
    assert np.all(grounded.root_positions[:, 2] == 0.0)
    assert (
        np.abs(np.diff(grounded.root_positions, n=2, axis=0)).max()
        < np.abs(np.diff(motion.root_positions, n=2, axis=0)).max()
    )


def test_a_figure_that_stays_in_place_keeps_its_sway_but_not_its_travel():
    motion = edits.move(walk(turn=0.6), [1.0, 2.0, 0.3])
    still = stay_in_place(motion)
    assert np.abs(still.root_positions[:, :2]).max() < 0.06
    assert np.abs(quaternion.heading(still.rotations[:, 0])).max() < 0.1
    assert np.allclose(still.root_positions[:, 2], motion.root_positions[:, 2])
    with pytest.raises(UnknownName, match="did you mean 'inplace'"):
        set_root_mode(motion, "in-place")


def test_a_straight_steady_path_is_smoothed_to_itself():
    poses = smooth_path(edits.take(walk(), slice(0, 1)))
    assert poses.shape == (1, 3)
    straight = Motion(WALKER, 60.0, np.outer(np.arange(50), [0.02, 0.01, 0.0]), quaternion.identity(50, 8))
    assert np.allclose(smooth_path(straight)[:, :2], straight.root_positions[:, :2])
