from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.people import chain, horse, mirrored, person, with_fingers
from tests.support.strategies import motions, skeletons

from gambol.body.capsules import Body, cone_distance
from gambol.errors import InvalidInput
from gambol.files import read_bvh
from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton, mirror_partners
from gambol.motion.joint_names import COMMON_NAMES

BODIES = {
    "T-pose": person(),
    "arms down": person(arms_down_rad=np.pi / 2),
    "legs apart": person(legs_apart_rad=0.35),
    "fingers": with_fingers(person()),
    "horse": horse(),
    "chain": chain(7),
}


def at_rest(skeleton: Skeleton) -> Motion:
    rotations = quaternion.identity(1, skeleton.joint_count)
    return Motion(skeleton, 30.0, skeleton.offsets[:1], rotations)


def distance_from(body: Body, points: np.ndarray) -> np.ndarray:
    """How far points (P, 3) are from the nearest capsule at rest, negative inside."""
    capsules = body.rest_cones._replace(start_radius=body.radius, end_radius=body.radius)
    return np.min([cone_distance(points, capsules, part)[0] for part in range(body.part_count)], axis=0)


def parts_of(body: Body, *names: str) -> np.ndarray:
    return np.isin(body.joint, [body.skeleton.index(name) for name in names])


def assert_sound(body: Body) -> None:
    assert body.part_count >= 1
    assert np.all((body.joint >= 0) & (body.joint < body.skeleton.joint_count))
    for values in (body.start, body.end, body.start_radius, body.end_radius):
        assert np.all(np.isfinite(values))
    assert np.all(body.start_radius > 0.0)
    assert np.all(body.end_radius > 0.0)


@pytest.mark.parametrize("skeleton", BODIES.values(), ids=BODIES)
def test_capsules_cover_every_joint_and_tip(skeleton: Skeleton):
    body = Body.from_skeleton(skeleton)
    assert distance_from(body, skeleton.rest_positions).max() < 1e-9
    assert distance_from(body, skeleton.rest_tip_positions).max(initial=0.0) < 0.002


def test_captured_skeletons_are_covered_too(mocap):
    for file in sorted(mocap.glob("jog_forward/*.bvh"))[::4]:
        skeleton = read_bvh(file, unit="cmu").motion.skeleton
        body = Body.from_skeleton(skeleton)
        # A ball or a tip may lie on the surface, between the two rods of a foot or hand.
        assert distance_from(body, skeleton.rest_positions).max() < 0.002, file.name
        assert distance_from(body, skeleton.rest_tip_positions).max() < 0.005, file.name


def test_a_person_is_as_tall_as_the_skeleton_and_stands_on_the_floor():
    body = Body.from_skeleton(person())
    cones = body.rest_cones
    top = np.max(np.maximum(cones.start, cones.end)[:, 2] + body.radius)
    bottom = np.min(np.minimum(cones.start, cones.end)[:, 2] - body.radius)
    assert top == pytest.approx(1.75, abs=0.005)
    assert bottom == pytest.approx(0.0, abs=0.006)


def test_a_person_has_human_proportions():
    body = Body.from_skeleton(person())
    cones = body.rest_cones

    def breadth(axis: int, *names: str) -> float:
        which = parts_of(body, *names)
        low = np.minimum(cones.start, cones.end)[which, axis] - body.radius[which]
        high = np.maximum(cones.start, cones.end)[which, axis] + body.radius[which]
        return float(high.max() - low.min())

    assert 0.14 < breadth(1, "Head") < 0.18
    assert 0.20 < breadth(2, "Head") < 0.25
    assert 0.28 < breadth(1, "Spine2") < 0.40
    assert 0.18 < breadth(0, "Spine2") < 0.26
    assert 0.30 < breadth(1, "Hips") < 0.40
    assert 0.24 < breadth(0, "LeftFoot", "LeftToeBase") < 0.29
    assert 0.07 < breadth(1, "LeftFoot", "LeftToeBase") < 0.11
    assert 0.02 < breadth(2, "LeftHand") < 0.05


def test_the_face_looks_forward():
    body = Body.from_skeleton(person())
    cranium, jaw = np.flatnonzero(parts_of(body, "Head"))
    assert body.end[jaw, 0] > body.start[cranium, 0] + 0.02


def test_radii_follow_the_leg_not_the_unit():
    small, large = Body.from_skeleton(person()), Body.from_skeleton(person(scale=50.0))
    assert np.allclose(50.0 * small.radius, large.radius)
    assert np.allclose(50.0 * small.start, large.start, atol=1e-9)


def test_a_mirrored_skeleton_has_a_mirrored_body():
    body = Body.from_skeleton(with_fingers(person()))
    partners = np.array(mirror_partners(body.skeleton))
    cones = body.rest_cones

    def rows(joint, start, end):
        table = np.column_stack((joint, np.minimum(start, end), np.maximum(start, end), body.radius)).round(9) + 0.0
        return table[np.lexsort(table.T)]

    swapped = rows(partners[body.joint], mirrored(cones.start), mirrored(cones.end))
    assert np.allclose(rows(body.joint, cones.start, cones.end), swapped)


def test_parts_do_not_belong_to_bones_without_length(mocap):
    skeleton = read_bvh(mocap / "jog_forward" / "16_35.bvh", unit="cmu").motion.skeleton
    body = Body.from_skeleton(skeleton)
    for name in ("LHipJoint", "RHipJoint", "LeftFingerBase", "RightFingerBase"):
        assert not np.any(parts_of(body, name)), name


def test_helpers_above_the_hips_get_no_parts():
    human = person()
    below = Skeleton(
        ("floor", *human.names),
        [-1, 0, *(human.parents[1:] + 1)],
        [(0.0, 0.0, 0.0), *human.offsets],
        human.tip_parents + 1,
        human.tip_offsets,
    )
    with_helper, without = Body.from_skeleton(below), Body.from_skeleton(human)
    assert np.array_equal(with_helper.joint, without.joint + 1)
    assert np.allclose(with_helper.radius, without.radius)


def test_bones_inside_the_flesh_get_no_parts_of_their_own():
    human = person()
    twist = Skeleton(
        (*human.names, "LeftArmTwist", "LeftEye"),
        [*human.parents, human.index("LeftArm"), human.index("Head")],
        [*human.offsets, (0.0, 0.15, 0.0), (0.04, 0.02, 0.08)],
        human.tip_parents,
        human.tip_offsets,
    )
    assert np.array_equal(Body.from_skeleton(twist).joint, Body.from_skeleton(human).joint)


def test_tails_and_tools_of_a_person_are_wrapped():
    human = person()
    armed = Skeleton(
        (*human.names, "Tail", "Tail1"),
        [*human.parents, human.index("Hips"), human.joint_count],
        [*human.offsets, (-0.3, 0.0, 0.0), (-0.4, 0.0, -0.2)],
        human.tip_parents,
        human.tip_offsets,
    )
    body = Body.from_skeleton(armed)
    assert np.any(parts_of(body, "Tail"))
    assert np.any(parts_of(body, "Tail1"))  # made up beyond the last joint


def test_an_animal_is_stout_in_the_trunk_and_thin_at_the_ends():
    body = Body.from_skeleton(horse())
    radius = {name: body.radius[parts_of(body, name)].max() for name in ("loin", "near_stifle", "near_hock", "tail")}
    assert radius["loin"] > 2.0 * radius["near_stifle"] > 2.0 * radius["near_hock"]
    assert radius["tail"] < 0.5 * radius["loin"]


def test_a_single_joint_is_a_ball():
    body = Body.from_skeleton(Skeleton(["Only"], [-1], [(1.0, 2.0, 3.0)]))
    assert body.part_count == 1
    assert np.array_equal(body.start, body.end)


def test_placing_a_body_at_rest_gives_its_rest_positions():
    body = Body.from_skeleton(with_fingers(person()))
    starts, ends = body.place(at_rest(body.skeleton))
    assert np.allclose(starts[0], body.rest_cones.start)
    assert np.allclose(ends[0], body.rest_cones.end)


@settings(deadline=None, max_examples=30)
@given(motions(translations=False))
def test_parts_keep_their_length_and_stay_with_their_joint(motion: Motion):
    body = Body.from_skeleton(motion.skeleton)
    starts, ends = body.place(motion)
    assert starts.shape == ends.shape == (motion.frame_count, body.part_count, 3)
    lengths = np.linalg.norm(body.end - body.start, axis=1)
    assert np.allclose(np.linalg.norm(ends - starts, axis=2), lengths, atol=1e-9)
    joints = motion.world_positions[:, body.joint]
    assert np.allclose(np.linalg.norm(starts - joints, axis=2), np.linalg.norm(body.start, axis=1), atol=1e-9)


@settings(deadline=None, max_examples=60)
@given(skeletons(max_joints=40), st.sampled_from((1e-4, 1e-3, 1.0, 100.0, 1e5)))
def test_any_skeleton_of_any_size_has_a_body(skeleton: Skeleton, scale: float):
    scaled = Skeleton(
        skeleton.names,
        skeleton.parents,
        scale * skeleton.offsets,
        skeleton.tip_parents,
        scale * skeleton.tip_offsets,
    )
    body = Body.from_skeleton(scaled)
    assert_sound(body)
    joints_with_bones = np.flatnonzero(np.isin(np.arange(scaled.joint_count), body.joint))
    assert distance_from(body, scaled.rest_positions[joints_with_bones]).max() < 1e-9 * scale


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from((0.0, 0.02, 0.1, 0.3, 1.0)))
def test_common_names_on_impossible_proportions_still_give_a_body(seed: int, noise: float):
    rng = np.random.default_rng(seed)
    human = with_fingers(person())
    offsets = human.offsets + rng.normal(scale=noise, size=human.offsets.shape)
    offsets[rng.random(len(offsets)) < rng.choice((0.0, 0.2, 1.0))] = 0.0
    tips = human.tip_offsets * rng.choice((0.0, 1.0, 5.0))
    assert_sound(Body.from_skeleton(Skeleton(human.names, human.parents, offsets, human.tip_parents, tips)))


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_common_names_on_a_nonsensical_tree_still_give_a_body(seed: int):
    rng = np.random.default_rng(seed)
    names = list(rng.permutation(COMMON_NAMES))
    parents = [-1, *(int(rng.integers(0, joint)) for joint in range(1, len(names)))]
    assert_sound(Body.from_skeleton(Skeleton(names, parents, rng.normal(scale=0.3, size=(len(names), 3)))))


def test_a_motion_of_another_skeleton_is_refused():
    with pytest.raises(InvalidInput, match="expected the body's own"):
        Body.from_skeleton(person()).place(at_rest(horse()))


def test_a_body_without_thickness_is_refused():
    skeleton = chain(2)
    with pytest.raises(InvalidInput, match="positive"):
        Body(skeleton, [0], [(0, 0, 0)], [(0, 0, 1)], [0.1], [0.0])
    with pytest.raises(InvalidInput, match="does not exist"):
        Body(skeleton, [2], [(0, 0, 0)], [(0, 0, 1)], [0.1], [0.1])
    with pytest.raises(InvalidInput, match="at least one part"):
        Body(skeleton, [], np.zeros((0, 3)), np.zeros((0, 3)), [], [])
