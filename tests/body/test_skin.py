from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from tests.support.meshes import assert_closed, edges, volume
from tests.support.people import chain, horse, mirrored, person, with_fingers
from tests.support.strategies import skeletons

from gambol.body.capsules import Body, cone_distance
from gambol.body.skin import Skin, build_skin
from gambol.errors import InvalidInput
from gambol.files import read_bvh
from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton, mirror_partners

CELL_M = 0.015  # about the distance between a person's vertices

SMOOTH = {
    "T-pose": person(),
    "A-pose": person(arms_down_rad=0.8),
    "legs apart": person(legs_apart_rad=0.35),
    "horse": horse(),
    "tiny": person(scale=0.001),
    "huge": person(scale=60.0),
}
PIECEWISE = {
    "arms along the trunk": person(arms_down_rad=np.pi / 2),
    "legs together": person(legs_apart_rad=-0.1),
    "bones on one another": Skeleton("abcd", [-1, 0, 1, 2], [(0, 0, 0), (0, 0, 1), (0, 0, -0.9), (0, 0, 0.8)]),
}


@pytest.fixture(scope="module")
def skins() -> dict[str, Skin]:
    return {name: build_skin(Body.from_skeleton(skeleton)) for name, skeleton in (SMOOTH | PIECEWISE).items()}


def piece_count(skin: Skin) -> int:
    """Closed surfaces without handles have two vertices and triangles more than edges, each."""
    return (len(skin.vertices) - len(skin.triangles) // 2) // 2


def assert_sound(skin: Skin) -> None:
    assert_closed(skin.triangles)
    assert volume(skin.vertices, skin.triangles) > 0.0
    assert np.all(np.isfinite(skin.vertices))
    assert np.allclose(np.linalg.norm(skin.normals, axis=1), 1.0)
    assert skin.joints.shape == skin.weights.shape == (len(skin.vertices), 4)
    assert np.all(skin.weights >= 0.0)
    assert np.allclose(skin.weights.sum(axis=1), 1.0)
    assert np.all(skin.joints[skin.weights == 0.0] == 0)
    assert np.all(np.diff(skin.weights, axis=1) <= 0.0)
    assert np.all((skin.joints >= 0) & (skin.joints < skin.skeleton.joint_count))


def influence(skin: Skin, name: str) -> np.ndarray:
    """The weight of a joint at every vertex."""
    return np.sum(np.where(skin.joints == skin.skeleton.index(name), skin.weights, 0.0), axis=1)


def posed(skeleton: Skeleton, **rotations: np.ndarray) -> Motion:
    local = quaternion.identity(1, skeleton.joint_count)
    for name, rotation in rotations.items():
        local[0, skeleton.index(name)] = rotation
    return Motion(skeleton, 30.0, skeleton.offsets[:1], local)


@pytest.mark.parametrize("name", [*SMOOTH, *PIECEWISE])
def test_skins_are_closed_and_their_weights_are_what_gltf_wants(skins, name):
    assert_sound(skins[name])


@pytest.mark.parametrize("name", SMOOTH)
def test_a_clear_rest_pose_gives_one_smooth_surface(skins, name):
    assert piece_count(skins[name]) == 1
    assert 5_000 <= len(skins[name].vertices) <= 15_000


@pytest.mark.parametrize("name", PIECEWISE)
def test_a_rest_pose_with_limbs_together_gives_a_mannequin(skins, name):
    assert piece_count(skins[name]) == Body.from_skeleton(PIECEWISE[name]).part_count
    assert np.all(skins[name].weights[:, 0] == 1.0)


def test_a_person_weighs_what_people_weigh(skins):
    skin = skins["T-pose"]
    assert 0.050 < volume(skin.vertices, skin.triangles) < 0.090
    assert skin.vertices[:, 2].max() == pytest.approx(1.75, abs=0.01)
    assert skin.vertices[:, 2].min() == pytest.approx(0.0, abs=0.01)


def test_captured_skeletons_get_smooth_skins_of_human_volume(mocap):
    for subject in ("16_35", "35_17", "108_04", "127_06"):
        skin = build_skin(
            Body.from_skeleton(read_bvh(mocap / f"jog_forward/{subject}.bvh", unit="cmu").motion.skeleton)
        )
        assert_sound(skin)
        assert piece_count(skin) == 1, subject
        assert 0.040 < volume(skin.vertices, skin.triangles) < 0.090, subject


@pytest.mark.parametrize("name", SMOOTH)
def test_normals_point_out_of_the_body(skins, name):
    skin = skins[name]
    body = Body.from_skeleton(SMOOTH[name])
    size = np.ptp(skin.vertices, axis=0).max()
    outside = skin.vertices + 0.02 * size * skin.normals
    inside = skin.vertices - 0.002 * size * skin.normals
    distances = [
        np.min([cone_distance(points, body.rest_cones, part)[0] for part in range(body.part_count)], axis=0)
        for points in (outside, inside)
    ]
    assert np.mean(distances[0] > distances[1]) > 0.99


def test_the_skin_stays_close_to_the_capsules(skins):
    body = Body.from_skeleton(SMOOTH["T-pose"])
    capsules = body.rest_cones._replace(start_radius=body.radius, end_radius=body.radius)
    vertices = skins["T-pose"].vertices
    away = np.min([cone_distance(vertices, capsules, part)[0] for part in range(body.part_count)], axis=0)
    assert away.max() < 0.015
    assert np.mean(away > 0.005) < 0.05


@pytest.mark.parametrize("name", ["T-pose", "A-pose", "legs apart"])
def test_a_symmetric_body_has_a_symmetric_skin(skins, name):
    skin = skins[name]
    distance, partner = cKDTree(skin.vertices).query(mirrored(skin.vertices))
    assert distance.max() < CELL_M
    partners = np.array(mirror_partners(skin.skeleton))
    swapped = partners[skin.joints[partner, 0]]
    decided = (skin.weights[:, 0] > 0.7) & (skin.weights[partner, 0] > 0.7)
    assert np.mean(swapped[decided] == skin.joints[decided, 0]) > 0.999


def test_size_changes_nothing_but_the_size(skins):
    one, other = skins["T-pose"], skins["tiny"]
    assert np.array_equal(one.triangles, other.triangles)
    assert np.allclose(one.vertices, 1000.0 * other.vertices, atol=1e-6)
    # Rounding decides between joints that are equally near.
    assert np.mean(np.isclose(one.weights, other.weights, atol=1e-6)) > 0.99


@pytest.mark.parametrize("name", ["T-pose", "A-pose", "legs apart"])
def test_no_vertex_follows_both_legs_or_an_arm_and_a_leg(skins, name):
    skin = skins[name]
    left, right = influence(skin, "LeftUpLeg"), influence(skin, "RightUpLeg")
    assert np.all((left == 0.0) | (right == 0.0))
    for arm in ("LeftArm", "LeftForeArm", "LeftHand"):
        for trunk in ("Hips", "Spine", "LeftUpLeg", "RightArm", "Head"):
            assert np.all((influence(skin, arm) == 0.0) | (influence(skin, trunk) == 0.0)), (arm, trunk)


def test_weights_change_gradually_along_the_surface(skins):
    skin = skins["T-pose"]
    dense = np.zeros((len(skin.vertices), skin.skeleton.joint_count))
    np.add.at(dense, (np.arange(len(dense))[:, None], skin.joints), skin.weights)
    start, end = edges(skin.triangles).T
    assert np.abs(dense[start] - dense[end]).max() < 0.45
    assert np.percentile(np.abs(dense[start] - dense[end]).max(axis=1), 99) < 0.25


def test_the_rest_pose_leaves_the_skin_as_it_is(skins):
    for skin in skins.values():
        scale = np.abs(skin.vertices).max()
        assert np.allclose(skin.deform(posed(skin.skeleton))[0], skin.vertices, atol=1e-12 * scale)


def test_a_rigid_motion_moves_the_skin_rigidly(skins):
    skin = skins["T-pose"]
    turn = quaternion.normalize([0.3, -0.5, 0.7, 0.2])
    local = quaternion.identity(2, skin.skeleton.joint_count)
    local[1, 0] = turn
    motion = Motion(skin.skeleton, 30.0, [(0, 0, 0), (3, -2, 1)], local)
    (moved,) = skin.deform(motion, [1])
    expected = quaternion.rotate(turn, skin.vertices - skin.skeleton.rest_positions[0]) + (3, -2, 1)
    assert np.allclose(moved, expected)


def test_bent_knees_and_elbows_keep_most_of_their_volume(skins):
    skin = skins["T-pose"]
    knee = quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(100))
    elbow = quaternion.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(-100))
    (bent,) = skin.deform(posed(skin.skeleton, LeftLeg=knee, RightLeg=knee, LeftForeArm=elbow))
    assert volume(bent, skin.triangles) > 0.95 * volume(skin.vertices, skin.triangles)
    untouched = influence(skin, "Head") == 1.0
    assert np.allclose(bent[untouched], skin.vertices[untouched])


def test_fingers_are_pieces_of_their_own_on_a_smooth_body():
    skin = build_skin(Body.from_skeleton(with_fingers(person())))
    assert_sound(skin)
    assert piece_count(skin) == 1 + 16
    finger = influence(skin, "LeftHandRing2") > 0.0
    assert np.all(influence(skin, "LeftHandRing2")[finger] == 1.0)


def test_frames_that_do_not_exist_and_foreign_motions_are_refused(skins):
    skin = skins["T-pose"]
    with pytest.raises(InvalidInput, match="between 0 and 0"):
        skin.deform(posed(skin.skeleton), [1])
    with pytest.raises(InvalidInput, match="expected the body's own"):
        skin.deform(posed(horse()))


def test_hundreds_of_joints_take_bounded_time_and_memory():
    for skeleton in (chain(240, bone=(0.1, 0.03, 0.08)), chain(2000), with_spikes(120), with_spikes(1500)):
        body = Body.from_skeleton(skeleton)
        begin = time.perf_counter()
        skin = build_skin(body)
        assert time.perf_counter() - begin < 20.0
        assert_closed(skin.triangles)
        assert len(skin.vertices) < 15_000 + 140 * body.part_count


def with_spikes(count: int) -> Skeleton:
    directions = np.random.default_rng(0).normal(size=(count, 3))
    return Skeleton(["Root", *(f"Spike{i}" for i in range(count))], [-1, *[0] * count], [(0, 0, 0), *directions])


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(skeletons(max_joints=10), st.sampled_from((0.001, 1.0, 100.0)))
def test_any_skeleton_of_any_size_has_a_skin(skeleton: Skeleton, scale: float):
    scaled = Skeleton(
        skeleton.names, skeleton.parents, scale * skeleton.offsets, skeleton.tip_parents, scale * skeleton.tip_offsets
    )
    skin = build_skin(Body.from_skeleton(scaled))
    assert_sound(skin)
    assert len(skin.vertices) <= 20_000
