from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tools.authoring.walk import walk

from gambol.errors import InvalidInput, UnknownName
from gambol.files import read_bvh
from gambol.geometry import quaternion
from gambol.motion import edits
from gambol.motion.contacts import Contacts, contact_points, detect_contacts, point_positions
from gambol.motion.motion import Motion
from gambol.motion.retargeting import retarget
from gambol.motion.skeleton import Skeleton


def bone_directions(motion: Motion, joints: list[int]) -> np.ndarray:
    bones = motion.world_positions[:, joints] - motion.world_positions[:, motion.skeleton.parents[joints]]
    return bones / np.linalg.norm(bones, axis=-1, keepdims=True)


def in_other_rest_pose(skeleton: Skeleton, turns: dict[str, np.ndarray]) -> Skeleton:
    """Return the same bones in a rest pose in which some joints are turned."""
    pose = quaternion.identity(1, skeleton.joint_count)
    for name, turn in turns.items():
        pose[0, skeleton.index(name)] = turn
    posed = Motion(skeleton, 1.0, skeleton.offsets[:1], pose)
    positions = posed.world_positions[0]
    parents = skeleton.parents
    offsets = positions - np.where(parents[:, None] < 0, 0.0, positions[parents])
    return Skeleton(skeleton.names, parents, offsets, skeleton.tip_parents, skeleton.tip_offsets)


def planted_slide_cm_s(motion: Motion, contacts: Contacts) -> float:
    points = point_positions(motion, contacts.points)[..., :2]
    speeds = 100.0 * motion.rate_hz * np.linalg.norm(np.diff(points, axis=0), axis=-1)
    still = contacts.planted[1:] & contacts.planted[:-1]
    return float(speeds[still].mean())


def test_a_motion_retargeted_to_its_own_skeleton_is_the_same_motion():
    motion = walk(strides=2)
    same = retarget(motion, motion.skeleton)
    assert np.abs(same.world_positions - motion.world_positions).max() < 0.01


def test_bones_keep_their_directions_whatever_the_rest_pose():
    motion = walk(strides=1)
    down = {
        "LeftArm": quaternion.from_axis_angle([1, 0, 0], -np.radians(45)),
        "RightArm": quaternion.from_axis_angle([1, 0, 0], np.radians(45)),
    }
    a_pose = in_other_rest_pose(motion.skeleton, down)
    other = retarget(motion, a_pose)
    joints = [motion.skeleton.index(name) for name in ("LeftForeArm", "RightForeArm", "LeftHand", "Spine1", "Head")]
    assert np.allclose(bone_directions(other, joints), bone_directions(motion, joints), atol=1e-6)


def test_a_figure_that_faces_elsewhere_at_rest_is_turned_as_a_whole():
    motion = walk(strides=1)
    quarter = quaternion.from_heading(np.pi / 2)
    skeleton = motion.skeleton
    aside = Skeleton(
        skeleton.names, skeleton.parents, quaternion.rotate(quarter, skeleton.offsets),
        skeleton.tip_parents, quaternion.rotate(quarter, skeleton.tip_offsets),
    )  # fmt: skip
    result = retarget(motion, aside)
    assert np.abs(result.world_positions - motion.world_positions).max() < 0.01
    undone = quaternion.multiply(motion.world_rotations, quaternion.conjugate(quarter))
    assert np.degrees(quaternion.angle(result.world_rotations, undone)).max() < 3.0
    assert np.abs(result.tip_positions - motion.tip_positions).max() < 0.01


def test_a_smaller_body_takes_shorter_steps_and_its_feet_stay_on_the_ground():
    motion = walk(strides=3)
    small = edits.scale(motion, 0.7).skeleton
    result = retarget(motion, small)
    way = np.ptp(result.root_positions[:, 0])
    assert way == pytest.approx(0.7 * np.ptp(motion.root_positions[:, 0]), rel=1e-6)
    assert np.abs(result.world_positions - edits.scale(motion, 0.7).world_positions).max() < 0.01
    contacts = detect_contacts(motion)
    assert planted_slide_cm_s(result, Contacts(contact_points(small), contacts.planted, contacts.ground)) < 1.0


def test_joints_may_be_listed_in_another_order():
    motion = walk(strides=1)
    skeleton = motion.skeleton
    # The legs before the arms: still every parent before its children.
    order = sorted(range(skeleton.joint_count), key=lambda joint: ("Leg" not in skeleton.names[joint], joint))
    order = [0, *[joint for joint in order if joint != 0]]
    fixed = [joint for joint in order if "Foot" not in skeleton.names[joint] and "Toe" not in skeleton.names[joint]]
    order = fixed + [joint for joint in range(skeleton.joint_count) if joint not in fixed]
    parents = [-1 if joint == 0 else order.index(int(skeleton.parents[joint])) for joint in order]
    shuffled = Skeleton([skeleton.names[joint] for joint in order], parents, skeleton.offsets[order])
    result = retarget(motion, shuffled)
    assert np.abs(result.world_positions - motion.world_positions[:, order]).max() < 0.01


def test_skeletons_that_do_not_fit_are_told_apart_by_the_joint():
    motion = walk(strides=1)
    skeleton = motion.skeleton
    renamed = Skeleton(
        [name.replace("LeftFoot", "LeftFeet") for name in skeleton.names], skeleton.parents, skeleton.offsets
    )
    with pytest.raises(UnknownName, match="did you mean 'LeftFoot'"):
        retarget(motion, renamed)
    parents = skeleton.parents.copy()
    parents[skeleton.index("Head")] = 0
    with pytest.raises(InvalidInput, match="'Head' hangs on 'Neck'"):
        retarget(motion, Skeleton(skeleton.names, parents, skeleton.offsets))
    with pytest.raises(InvalidInput, match="lacks joints"):
        retarget(motion, Skeleton(skeleton.names[:3], skeleton.parents[:3], skeleton.offsets[:3]))


@pytest.mark.parametrize(
    ("take", "body"),
    [("var_walk/35_05.bvh", "jog_forward/108_04.bvh"), ("jog_forward/108_04.bvh", "jog_forward/16_35.bvh")],
)
def test_captures_of_one_subject_walk_on_the_legs_of_another_without_sliding(mocap: Path, take: str, body: str):
    motion = read_bvh(mocap / take).motion
    target = read_bvh(mocap / body).motion.skeleton
    result = retarget(motion, target)
    contacts = detect_contacts(motion)
    moved = Contacts(contact_points(target), contacts.planted, contacts.ground)
    assert planted_slide_cm_s(result, moved) < 0.25 * planted_slide_cm_s(motion, contacts)
    assert np.array_equal(result.skeleton.offsets, target.offsets)
