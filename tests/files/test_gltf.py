"""Motions written as GLB come back as they were, and other programs accept the files."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.gltf_files import unpack_glb
from tests.support.strategies import motions

from gambol.body import Skin
from gambol.errors import InvalidInput
from gambol.files.gltf import GlbActor, cast_to_glb, parse_gltf, read_glb, to_glb, write, write_cast_glb, write_glb
from gambol.files.gltf.write import strongest_influences
from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton

TOOLS = Path(__file__).parent.parent.parent / "tools"
WITHIN_M = 1e-4

CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
CUBE_TRIANGLES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def boxes(skeleton: Skeleton) -> Skin:
    """A cube of 6 cm around each joint."""
    count = skeleton.joint_count
    joints = np.zeros((8 * count, 4), int)
    joints[:, 0] = np.repeat(np.arange(count), 8)
    return Skin(
        skeleton=skeleton,
        vertices=(skeleton.rest_positions[:, None] + 0.03 * CUBE).reshape(-1, 3),
        normals=np.tile(CUBE / np.sqrt(3.0), (count, 1)),
        triangles=(CUBE_TRIANGLES + 8 * np.arange(count)[:, None, None]).reshape(-1, 3),
        joints=joints,
        weights=np.tile([1.0, 0.0, 0.0, 0.0], (8 * count, 1)),
    )


def walker(*, frames: int = 40, rate_hz: float = 30.0) -> Motion:
    """Someone who turns, swings one leg, holds the other and stretches the neck, far from the origin."""
    skeleton = Skeleton(
        ["Hips", "Spine", "Head", "LeftUpLeg", "LeftLeg", "RightUpLeg"],
        [-1, 0, 1, 0, 3, 0],
        [[0, 0, 0.95], [0, 0, 0.3], [0, 0, 0.35], [0, 0.1, -0.05], [0, 0, -0.42], [0, -0.1, -0.05]],
        [2, 4, 5],
        [[0, 0, 0.2], [0.1, 0, -0.4], [0, 0, -0.8]],
    )
    seconds = np.arange(frames) / rate_hz
    rotations = quaternion.identity(frames, 6)
    rotations[:, 0] = quaternion.from_heading(seconds)
    rotations[:, 3] = quaternion.from_axis_angle([0, 1, 0], np.sin(5 * seconds))
    rotations[:, 5] = quaternion.from_axis_angle([0, 1, 0], 0.3)
    translations = np.tile(skeleton.offsets, (frames, 1, 1))
    translations[:, 2, 2] += 0.05 * np.sin(9 * seconds)
    roots = np.stack((400 + 1.3 * seconds, -200 + 0.1 * seconds, 0.95 + 0.02 * np.sin(10 * seconds)), axis=1)
    return Motion(skeleton, rate_hz, roots, rotations, translations)


def glb(motion: Motion, **options: str) -> bytes:
    return to_glb(motion, skin=boxes(motion.skeleton), **options)


@settings(deadline=None, max_examples=150)
@given(motions())
def test_a_motion_comes_back_within_a_tenth_of_a_millimetre(motion: Motion) -> None:
    reading = parse_gltf(glb(motion))
    again = reading.motion
    assert reading.notes == ()
    assert again.skeleton.names == motion.skeleton.names
    assert again.rate_hz == motion.rate_hz
    np.testing.assert_array_equal(again.skeleton.parents, motion.skeleton.parents)
    np.testing.assert_array_equal(again.skeleton.tip_parents, motion.skeleton.tip_parents)
    np.testing.assert_allclose(again.world_positions, motion.world_positions, rtol=0, atol=WITHIN_M)
    np.testing.assert_allclose(again.tip_positions, motion.tip_positions, rtol=0, atol=WITHIN_M)
    if motion.translations is None:
        assert again.translations is None
        np.testing.assert_allclose(again.skeleton.offsets, motion.skeleton.offsets, rtol=0, atol=1e-6)


@settings(deadline=None, max_examples=30)
@given(motions(max_frames=6), st.floats(0.5, 900.0))
def test_any_rate_comes_back_exactly(motion: Motion, rate_hz: float) -> None:
    motion = Motion(motion.skeleton, rate_hz, motion.root_positions, motion.rotations, motion.translations)
    again = parse_gltf(glb(motion)).motion
    assert (again.rate_hz, again.frame_count) == (rate_hz, motion.frame_count)
    np.testing.assert_allclose(again.world_positions, motion.world_positions, rtol=0, atol=WITHIN_M)


def test_long_motions_are_sampled_at_their_keys_though_times_have_32_bits() -> None:
    motion = walker(frames=40_000, rate_hz=59.94)
    again = parse_gltf(glb(motion)).motion
    assert again.frame_count == motion.frame_count
    np.testing.assert_allclose(again.world_positions, motion.world_positions, rtol=0, atol=WITHIN_M)


def test_the_file_stands_on_y_faces_z_and_says_who_wrote_it() -> None:
    contents, _ = unpack_glb(glb(walker(), name="Ann"))
    left_leg = next(node for node in contents["nodes"] if node["name"] == "LeftUpLeg")
    np.testing.assert_allclose(left_leg["translation"], [0.1, -0.05, 0.0], atol=1e-6)
    assert contents["asset"]["generator"].startswith("gambol ")
    assert [skin["name"] for skin in contents["skins"]] == ["Ann"]
    assert [animation["name"] for animation in contents["animations"]] == ["Ann"]


def test_only_what_moves_has_keys_and_what_is_held_has_one() -> None:
    motion = walker()
    contents, _ = unpack_glb(glb(motion))
    animation, accessors, nodes = contents["animations"][0], contents["accessors"], contents["nodes"]
    key_counts = {
        (nodes[channel["target"]["node"]]["name"], channel["target"]["path"]): accessors[
            animation["samplers"][channel["sampler"]]["output"]
        ]["count"]
        for channel in animation["channels"]
    }
    assert key_counts == {
        ("Hips", "translation"): 40,
        ("Hips", "rotation"): 40,
        ("Head", "translation"): 40,
        ("LeftUpLeg", "rotation"): 40,
        ("RightUpLeg", "rotation"): 1,
    }
    assert len({sampler["input"] for sampler in animation["samplers"]}) == 2


def test_a_joint_called_like_a_tip_stays_a_joint() -> None:
    skeleton = Skeleton(["Arm", "Arm_end", "Arm_End"], [-1, 0, 0], np.ones((3, 3)), [0], [[0, 0, 1]])
    motion = Motion(skeleton, 30.0, np.zeros((2, 3)), quaternion.identity(2, 3))
    again = parse_gltf(glb(motion)).motion.skeleton
    assert again.names == skeleton.names
    np.testing.assert_array_equal(again.tip_offsets, skeleton.tip_offsets)


def test_several_characters_share_a_file_and_each_comes_back() -> None:
    first, second = walker(), walker(frames=7, rate_hz=25.0)
    cast = [GlbActor("Ann", first, boxes(first.skeleton)), ("Bö b", second, boxes(second.skeleton))]
    data = cast_to_glb(cast)
    for name, motion, _ in cast:
        again = parse_gltf(data, character=name).motion
        assert (again.rate_hz, again.frame_count) == (motion.rate_hz, motion.frame_count)
        np.testing.assert_allclose(again.world_positions, motion.world_positions, rtol=0, atol=WITHIN_M)


def test_characters_with_the_same_skin_share_its_arrays() -> None:
    motion = walker()
    skin = boxes(motion.skeleton)
    one, many = (len(cast_to_glb([("x", motion, skin)] * count)) for count in (1, 10))
    mesh_bytes = skin.vertices.size * 4
    assert many < 10 * (one - mesh_bytes)


def test_namesakes_can_be_told_apart() -> None:
    motion, skin = walker(), boxes(walker().skeleton)
    contents, _ = unpack_glb(cast_to_glb([("Ann", motion, skin), ("Ann", motion, skin)]))
    assert [one["name"] for one in contents["skins"]] == ["Ann", "Ann_2"]


def test_the_first_animation_of_a_cast_plays_everyone() -> None:
    motion, skin = walker(), boxes(walker().skeleton)
    data = cast_to_glb([("Ann", motion, skin), ("everyone", motion, skin)])
    contents, _ = unpack_glb(data)
    everyone, *each = contents["animations"]
    assert [everyone["name"], *(one["name"] for one in each)] == ["everyone_2", "Ann", "everyone"]

    def moved(animation: dict) -> list[tuple]:
        return [
            (channel["target"]["node"], channel["target"]["path"], *animation["samplers"][channel["sampler"]].items())
            for channel in animation["channels"]
        ]

    assert moved(everyone) == [*moved(each[0]), *moved(each[1])]
    assert parse_gltf(data, character="Ann").notes == ()


def test_without_a_skin_the_body_of_the_skeleton_is_drawn() -> None:
    motion = walker(frames=3)
    contents, _ = unpack_glb(to_glb(motion))
    positions = contents["accessors"][contents["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    assert positions["count"] > 100
    assert positions["max"][1] > motion.skeleton.rest_positions[2, 2]  # the top of the head is above the joint


def test_the_same_motion_gives_the_same_bytes() -> None:
    assert glb(walker()) == glb(walker())


def test_a_cast_needs_somebody_and_a_skin_that_fits() -> None:
    motion = walker()
    with pytest.raises(InvalidInput):
        cast_to_glb([])
    other = Skeleton(["Other"], [-1], [[0, 0, 0]])
    with pytest.raises(InvalidInput):
        to_glb(motion, skin=boxes(other))


def test_motions_too_long_for_32_bit_times_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "MAX_FRAMES", 10)
    assert glb(walker(frames=10))
    with pytest.raises(InvalidInput, match="32-bit"):
        glb(walker(frames=11))


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_weights_add_up_no_joint_occurs_twice_and_idle_slots_name_joint_0(width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    joints = rng.integers(0, 5, (20, width))
    weights = rng.random((20, width)) * (rng.random((20, width)) < 0.7)
    weights[:, 0] += 0.1
    chosen, shares = strongest_influences(joints, weights)
    assert chosen.shape == shares.shape == (20, 4)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert np.all(chosen[shares == 0.0] == 0)
    for row, share in zip(chosen, shares, strict=True):
        used = row[share > 0.0]
        assert len(set(used)) == len(used)


def test_the_khronos_validator_finds_nothing_to_say(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed: the Khronos validator cannot run")
    if not (TOOLS / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("gltf-validator is not installed: run npm install in tools/")
    motion = walker()
    skin = boxes(motion.skeleton)
    still = Motion(motion.skeleton, 29.97, motion.root_positions[:1], motion.rotations[:1])
    write_glb(tmp_path / "one.glb", motion, skin=skin)
    write_glb(tmp_path / "still.glb", still, skin=skin, name="名 前")
    write_cast_glb(tmp_path / "cast.glb", [("Ann", motion, skin), ("Bob", still, skin)])
    files = sorted(map(str, tmp_path.glob("*.glb")))
    result = subprocess.run(["node", TOOLS / "validate_gltf.mjs", *files], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    for report in json.loads(result.stdout):
        assert report["issues"] == []


def test_a_written_file_is_read_by_its_path(tmp_path: Path) -> None:
    motion = walker()
    write_glb(tmp_path / "a.glb", motion, skin=boxes(motion.skeleton))
    np.testing.assert_allclose(
        read_glb(tmp_path / "a.glb").motion.world_positions, motion.world_positions, rtol=0, atol=WITHIN_M
    )
