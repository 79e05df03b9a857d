"""glTF files of other programs become motions that show the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from tests.support.gltf_files import (
    SWING,
    TIMES,
    GltfFile,
    blender_like,
    local_matrix,
    ours,
    three_bones,
    two_bones,
    world_matrices,
)

from gambol.errors import MalformedFile, UnknownName, UnreadableFile
from gambol.files.gltf import parse_gltf, read_gltf


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_a_file_in_blenders_style_keeps_every_joint_where_it_was(seed: int) -> None:
    file, rest, shown = blender_like(np.random.default_rng(seed))
    reading = parse_gltf(file.glb())
    motion = reading.motion
    assert motion.skeleton.names == ("Hips", "Spine", "Head", "Left Leg", "Left Foot")
    assert motion.rate_hz == 24.0
    np.testing.assert_allclose(motion.world_positions, ours(shown), atol=1e-6)
    np.testing.assert_allclose(motion.skeleton.rest_positions, ours(rest), atol=1e-6)
    assert motion.translations is None
    assert reading.notes == ()


def test_a_joint_that_turns_by_a_quarter_about_the_files_x_turns_about_our_y() -> None:
    file = three_bones()
    file.animate(1, "rotation", TIMES, np.tile([0.5**0.5, 0.0, 0.0, 0.5**0.5], (31, 1)))
    motion = parse_gltf(file.glb()).motion
    np.testing.assert_allclose(
        motion.world_rotations[0, motion.skeleton.index("Leg")], [0.5**0.5, 0.0, 0.5**0.5, 0.0], atol=1e-6
    )


def two_characters() -> GltfFile:
    file = GltfFile()
    for number, name in enumerate(("Ann", "Bob")):
        hip = file.node("Hip", translation=[float(number), 1.0, 0.0])
        file.node("Leg", parent=hip, translation=[0.0, -0.5, 0.0])
        file.node(f"{name} mesh", mesh=0, skin=number)
        file.skin([hip, hip + 1], name=name)
        file.animate(hip, "translation", TIMES, np.outer(TIMES, [0, 0, number + 1.0]), name=f"{name} walks")
        file.animate(hip, "translation", TIMES, np.outer(TIMES, [0, 0, number + 5.0]), name=f"{name} runs")
    return file


@pytest.mark.parametrize(("character", "speed"), [(None, 1.0), ("Ann", 1.0), ("Bob", 2.0), ("Bob mesh", 2.0)])
def test_a_character_is_chosen_by_name_and_else_the_first_is_taken(character: str | None, speed: float) -> None:
    motion = parse_gltf(two_characters().glb(), character=character).motion
    np.testing.assert_allclose(motion.root_positions[-1, 0], speed, atol=1e-6)
    assert motion.skeleton.names == ("Hip", "Leg")


def test_an_animation_is_chosen_by_name() -> None:
    motion = parse_gltf(two_characters().glb(), character="Bob", animation="Bob runs").motion
    np.testing.assert_allclose(motion.root_positions[-1, 0], 6.0, atol=1e-6)


def test_an_unknown_name_is_an_error_that_lists_what_there_is() -> None:
    with pytest.raises(UnknownName, match="Ann, Bob"):
        parse_gltf(two_characters().glb(), character="Xaver")
    with pytest.raises(UnknownName, match="Ann runs, Ann walks, Bob runs"):
        parse_gltf(two_characters().glb(), animation="xyz")


def test_skins_that_share_joints_are_one_character() -> None:
    file = three_bones()
    file.skin([1], name="Trousers")
    file.skin([0, 1, 2], name="Body")
    file.node("Trousers", mesh=0, skin=0)
    file.animate(1, "rotation", TIMES, SWING)
    assert parse_gltf(file.glb(), character="Trousers").motion.skeleton.names == ("Hip", "Leg", "Foot")


def test_without_a_skin_everything_that_moves_is_the_character() -> None:
    file = GltfFile()
    top = file.node("Scene", rotation=[0.0, 0.5**0.5, 0.0, 0.5**0.5])
    file.node("House", parent=top)
    hip = file.node("Hip", parent=top, translation=[0.0, 1.0, 0.0])
    file.node("Hat", parent=hip, translation=[0.0, 0.7, 0.0])
    file.animate(hip, "translation", TIMES, np.outer(TIMES, [0, 0, 1.0]))
    motion = parse_gltf(file.glb()).motion
    assert motion.skeleton.names == ("Hip", "Hat")
    np.testing.assert_allclose(motion.root_positions[-1], ours(np.array([1.0, 0.0, 0.0])), atol=1e-6)


def test_without_an_animation_the_rest_pose_is_one_frame() -> None:
    reading = parse_gltf(three_bones().glb())
    assert reading.motion.frame_count == 1
    assert any("no animation" in note for note in reading.notes)
    np.testing.assert_allclose(reading.motion.world_positions[0, 2], ours(np.array([0.0, 0.1, 0.1])), atol=1e-6)


def test_joints_without_a_common_joint_hang_on_their_common_ancestor_or_on_a_new_root() -> None:
    file = GltfFile()
    top = file.node("Rig", translation=[0.0, 1.0, 0.0])
    joints = [file.node(name, parent=top, translation=[0.1, 0.0, 0.0]) for name in ("A", "B")]
    file.skin(joints)
    file.animate(joints[0], "rotation", TIMES, SWING)
    assert parse_gltf(file.glb()).motion.skeleton.names == ("Rig", "A", "B")

    file.json["nodes"][top]["children"] = [joints[0]]
    reading = parse_gltf(file.glb())
    assert reading.motion.skeleton.names == ("root", "A", "B")
    assert any("origin" in note for note in reading.notes)


def test_missing_and_repeated_names_become_unique() -> None:
    file = three_bones()
    file.json["nodes"][1]["name"] = "Hip"
    del file.json["nodes"][2]["name"]
    reading = parse_gltf(file.glb())
    assert len(set(reading.motion.skeleton.names)) == 3
    assert any("no name" in note for note in reading.notes)
    assert any("more than once" in note for note in reading.notes)


def test_the_bind_pose_is_the_rest_pose_where_the_nodes_stand_otherwise() -> None:
    file = three_bones()
    bound = world_matrices(file)
    file.skin([0, 1, 2], np.linalg.inv(bound))
    file.node("Mesh", mesh=0, skin=0)
    file.json["nodes"][0]["rotation"] = Rotation.from_euler("y", 80, degrees=True).as_quat().tolist()
    file.json["nodes"][1]["rotation"] = SWING[7].tolist()  # exporters leave the nodes in the first frame's pose
    file.animate(1, "rotation", TIMES, SWING)
    motion = parse_gltf(file.glb()).motion
    np.testing.assert_allclose(motion.skeleton.rest_positions, ours(bound[:, :3, 3]), atol=1e-6)
    expected = [world_matrices(file, {(1, "rotation"): turn})[:3, :3, 3] for turn in SWING]
    np.testing.assert_allclose(motion.world_positions, ours(np.array(expected)), atol=1e-6)


def test_bind_matrices_that_fit_no_bone_are_not_believed() -> None:
    file = three_bones()
    stretched = world_matrices(file)
    stretched[:, :3, 3] *= [[1.0], [3.0], [9.0]]
    for inverse_binds in (np.linalg.inv(stretched), np.zeros((3, 4, 4))):
        file.json.pop("skins", None)
        file.skin([0, 1, 2], inverse_binds)
        reading = parse_gltf(file.glb())
        assert any("inverse bind" in note for note in reading.notes)
        np.testing.assert_allclose(reading.motion.skeleton.offsets[2], ours(np.array([0.0, -0.4, 0.1])), atol=1e-6)


@pytest.mark.parametrize("end", ["Leg_end", "Leg_End"])
def test_a_still_leaf_called_after_its_parent_is_a_tip(end: str) -> None:
    file = two_bones()
    tip = file.node(end, parent=1, translation=[0.0, -0.4, 0.0])
    file.skin([0, 1])  # exporters differ on whether leaves are joints
    file.animate(1, "rotation", TIMES, SWING)
    for joints in ([0, 1], [0, 1, tip]):
        file.json["skins"][0]["joints"] = joints
        skeleton = parse_gltf(file.glb()).motion.skeleton
        assert skeleton.names == ("Hip", "Leg")
        np.testing.assert_allclose(skeleton.tip_offsets, [ours(np.array([0.0, -0.4, 0.0]))], atol=1e-6)
    file.animate(tip, "rotation", TIMES, SWING)
    assert parse_gltf(file.glb()).motion.skeleton.names == ("Hip", "Leg", end)


@pytest.mark.parametrize("scale", [[2.0, 2.0, 2.0], [-1.0, 1.0, 1.0], [0.01, 0.01, 0.01]])
def test_rigid_bones_stay_rigid_below_even_and_mirroring_scales(scale: list[float]) -> None:
    file = three_bones()
    top = file.node("Top", scale=scale, rotation=SWING[4].tolist(), children=[0])
    file.animate(0, "rotation", TIMES, SWING[::-1])
    file.animate(1, "rotation", TIMES, SWING)
    motion = parse_gltf(file.glb()).motion
    expected = [
        world_matrices(file, {(0, "rotation"): first, (1, "rotation"): second})[:top, :3, 3]
        for first, second in zip(SWING[::-1], SWING, strict=True)
    ]
    np.testing.assert_allclose(motion.world_positions, ours(np.array(expected)), atol=1e-6)
    assert motion.translations is None


def test_uneven_and_changing_scales_move_joints_as_the_file_shows_them() -> None:
    file = three_bones()
    matrix = local_matrix({"rotation": SWING[9], "scale": [1.0, 0.5, 2.0]}, {})
    matrix[:3, 3] = [3.0, 2.0, 1.0]
    file.node("Top", matrix=matrix.T.ravel().tolist(), children=[0])
    file.animate(0, "rotation", TIMES, SWING[::-1])
    sizes = 1.0 + 0.3 * np.sin(TIMES[:, None] * [1.0, 2.0, 3.0])
    file.animate(1, "scale", TIMES, sizes)
    motion = parse_gltf(file.glb()).motion
    expected = [
        world_matrices(file, {(0, "rotation"): turn, (1, "scale"): size})[:3, :3, 3]
        for turn, size in zip(SWING[::-1], sizes, strict=True)
    ]
    np.testing.assert_allclose(motion.world_positions, ours(np.array(expected)), atol=1e-6)
    assert motion.translations is not None


def test_joints_scaled_to_nothing_are_read_without_complaint() -> None:
    file = three_bones()
    file.json["nodes"][0]["scale"] = [0.0, 0.0, 0.0]
    file.animate(1, "rotation", TIMES, SWING)
    motion = parse_gltf(file.glb()).motion
    np.testing.assert_allclose(motion.world_positions, np.broadcast_to([0.0, 0.0, 1.0], (31, 2, 3)), atol=1e-9)


def test_nodes_above_the_root_that_move_carry_it() -> None:
    file = three_bones()
    file.node("Platform", children=[0])
    file.skin([0, 1, 2])
    file.animate(3, "translation", TIMES, np.outer(TIMES, [1.0, 2.0, 3.0]))
    motion = parse_gltf(file.glb()).motion
    np.testing.assert_allclose(motion.root_positions, ours(np.outer(TIMES, [1.0, 2.0, 3.0]) + [0, 1, 0]), atol=1e-6)


def test_a_gltf_finds_its_buffer_inside_itself_or_beside_itself_and_nowhere_else(tmp_path) -> None:
    file = three_bones()
    file.animate(1, "rotation", TIMES, SWING)
    expected = parse_gltf(file.glb()).motion.world_positions
    np.testing.assert_array_equal(parse_gltf(file.gltf()).motion.world_positions, expected)

    folder = tmp_path / "files"
    folder.mkdir()
    path = folder / "a.gltf"
    for name, uri in (("keys.bin", "keys.bin"), ("my keys.bin", "my%20keys.bin")):
        (folder / name).write_bytes(file.binary)
        path.write_bytes(file.gltf(uri))
        np.testing.assert_array_equal(read_gltf(path).motion.world_positions, expected)

    (tmp_path / "secret.bin").write_bytes(file.binary)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    elsewhere = ("../secret.bin", "%2e%2e/secret.bin", str(tmp_path / "secret.bin"), "link.bin")
    for uri in (*elsewhere, "file:///etc/passwd", "http://localhost/keys.bin", "a\0b", "", "..", "c:\\keys.bin"):
        path.write_bytes(file.gltf(uri))
        with pytest.raises(MalformedFile, match="uri"):
            read_gltf(path)
    for uri in ("missing.bin", "x" * 5000, ".", "a.gltf/keys.bin"):
        path.write_bytes(file.gltf(uri))
        with pytest.raises(UnreadableFile, match="buffers"):
            read_gltf(path)


def test_errors_name_the_file(tmp_path) -> None:
    path = tmp_path / "bad.glb"
    path.write_bytes(b"glTF")
    with pytest.raises(MalformedFile, match=r"bad\.glb"):
        read_gltf(path)
    with pytest.raises(UnreadableFile, match=r"none\.glb"):
        read_gltf(tmp_path / "none.glb")
