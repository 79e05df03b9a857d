"""USD files of other programs: their joints end up where the USD library puts them."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from pxr import Gf, Sdf, Usd, UsdGeom
from tests.support.usd_files import SkelFile, library_positions, matrix

from gambol.errors import UnknownName
from gambol.files.usd import read_usd
from gambol.motion import Motion

SKEL = "/Group/Model/Skel"
ARM = ("Shoulder", "Shoulder/Elbow", "Shoulder/Elbow/Hand")
#: Frames that are turned at rest, as in rigs whose bones point along an axis of their own.
REST = (
    matrix((1, 2, 3), (1, 2, 3), 70.0),
    matrix((0, 30, 0), (3, -1, 2), 50.0),
    matrix((0, 25, 0), (0, 1, 1), -110.0),
)


def bending(rest: tuple[Gf.Matrix4d, ...] = REST, frames: int = 5) -> dict[float, list[Gf.Matrix4d]]:
    """Return an animation that bends the elbow, and walks the shoulder along."""
    return {
        float(frame): [
            matrix((0, 0, 0), (0, 1, 0), 8.0 * frame) * rest[0] * matrix((frame, 0.1 * frame, 0)),
            matrix((0, 0, 0), (1, 0, 0), 20.0 * frame) * rest[1],
            rest[2],
        ]
        for frame in range(frames)
    }


def bind_of(rest: tuple[Gf.Matrix4d, ...]) -> list[Gf.Matrix4d]:
    """Return a chain's matrices in the space of the skeleton."""
    shoulder, elbow, hand = rest
    return [shoulder, elbow * shoulder, hand * elbow * shoulder]


def arm(path: Path, **settings: object) -> SkelFile:
    file = SkelFile(path, **settings)  # pyright: ignore[reportArgumentType]
    file.skeleton(ARM, rest=REST, bind=bind_of(REST))
    return file


def check_positions(motion: Motion, path: Path, times: list[float] | None = None, skeleton: str = SKEL) -> None:
    expected = library_positions(path, skeleton, list(range(motion.frame_count)) if times is None else times)
    np.testing.assert_allclose(motion.world_positions, expected, rtol=0.0, atol=1e-5)


@pytest.mark.parametrize("up", ["Y", "Z"])
@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_turned_rest_frames_become_parallel_and_joints_stay_where_they_are(
    up: str, suffix: str, tmp_path: Path
) -> None:
    file = arm(tmp_path / f"arm{suffix}", up=up)
    file.bind(SKEL, file.animation(f"{SKEL}/Anim", ARM, bending()))
    reading = read_usd(file.save())
    motion = reading.motion
    assert reading.notes == ()
    assert motion.skeleton.names == ("Shoulder", "Elbow", "Hand")
    assert (motion.rate_hz, motion.frame_count) == (24.0, 5)
    assert motion.translations is None
    check_positions(motion, file.path)
    # At rest, local rotations are the identity: the first frame bends nothing.
    np.testing.assert_allclose(motion.rotations[0], [[1, 0, 0, 0]] * 3, atol=1e-6)


@pytest.mark.parametrize("metres", [0.01, 1.0, 0.0254])
def test_transforms_above_the_skeleton_count(metres: float, tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda", metres=metres)
    file.bind(SKEL, file.animation(f"{SKEL}/Anim", ARM, bending()))
    group = UsdGeom.Xformable(file.stage.GetPrimAtPath("/Group"))
    group.AddTransformOp().Set(matrix((5, -3, 2), (1, 1, 0), 40.0, scale=2.5))
    moving = UsdGeom.Xformable(file.stage.GetPrimAtPath("/Group/Model")).AddRotateYOp()
    for time in range(5):
        moving.Set(30.0 * time, time)
    motion = read_usd(file.save()).motion
    check_positions(motion, file.path)
    assert motion.translations is None


def test_an_animation_of_some_joints_in_another_order_leaves_the_rest_at_rest(tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda")
    samples = {time: [pose[1], pose[0]] for time, pose in bending().items()}
    file.bind(SKEL, file.animation("/Group/Anim", ("Shoulder/Elbow", "Shoulder", "Elsewhere")[:2], samples))
    check_positions(read_usd(file.save()).motion, file.path)


def test_an_animation_source_is_inherited(tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda")
    file.bind("/Group/Model", file.animation("/Group/Anim", ARM, bending()))
    motion = read_usd(file.save()).motion
    assert motion.frame_count == 5
    check_positions(motion, file.path)


def test_a_skeleton_without_a_skel_root_is_read_too(tmp_path: Path) -> None:
    file = SkelFile(tmp_path / "arm.usda")
    file.skeleton(ARM, rest=REST, kind="Scope")
    file.bind(SKEL, file.animation("/Group/Anim", ARM, bending()))
    motion = read_usd(file.save()).motion
    file.stage.DefinePrim("/Group/Model", "SkelRoot")
    check_positions(motion, file.save())


def test_scales_move_joints_but_are_not_kept(tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda")
    samples = {
        time: [matrix(scale=(1 + 0.1 * time, 1.0, 2.0)) * pose[0], *pose[1:]] for time, pose in bending().items()
    }
    file.bind(SKEL, file.animation(f"{SKEL}/Anim", ARM, samples))
    reading = read_usd(file.save())
    check_positions(reading.motion, file.path)
    assert reading.motion.translations is not None
    assert any("scale" in note for note in reading.notes)


def test_only_joints_that_translate_have_translations(tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda")
    samples = bending()
    for time, pose in samples.items():
        pose[2] = pose[2] * matrix((0, time, 0))
    file.bind(SKEL, file.animation(f"{SKEL}/Anim", ARM, samples))
    motion = read_usd(file.save()).motion
    check_positions(motion, file.path)
    assert motion.translations is not None
    np.testing.assert_array_equal(motion.translations[:, 1], np.tile(motion.skeleton.offsets[1], (5, 1)))


def test_sparse_samples_are_filled_in(tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda", codes_per_second=30.0)
    poses = bending()
    file.bind(SKEL, file.animation(f"{SKEL}/Anim", ARM, {10.0: poses[0], 15.0: poses[1], 22.0: poses[4]}))
    reading = read_usd(file.save())
    assert (reading.motion.frame_count, reading.motion.rate_hz) == (13, 30.0)
    check_positions(reading.motion, file.path, list(range(10, 23)))
    assert reading.notes == ("3 time samples became 13 frames, 30 a second",)
    finer = read_usd(file.path, rate_hz=120.0).motion
    assert (finer.frame_count, finer.rate_hz) == (49, 120.0)
    check_positions(finer, file.path, [10 + 0.25 * frame for frame in range(49)])


def test_samples_denser_than_time_codes_are_all_read(tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda", codes_per_second=1.0)  # time in seconds
    file.bind(SKEL, file.animation(f"{SKEL}/Anim", ARM, {time / 50.0: pose for time, pose in bending().items()}))
    reading = read_usd(file.save())
    assert reading.motion.rate_hz == pytest.approx(50.0)
    assert reading.notes == ()
    check_positions(reading.motion, file.path, [frame / 50.0 for frame in range(5)])


def test_without_an_animation_the_rest_pose_is_one_frame(tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda")
    reading = read_usd(file.save())
    assert reading.motion.frame_count == 1
    check_positions(reading.motion, file.path, [0.0])
    assert reading.notes == ("the skeleton is not animated: its rest pose is one frame",)
    file.animation("/Loose", ARM, bending())
    assert "/Loose" in read_usd(file.save()).notes[0]


def test_an_animation_of_other_joints_is_said(tmp_path: Path) -> None:
    file = arm(tmp_path / "arm.usda")
    file.bind(SKEL, file.animation("/Group/Anim", ("Leg",), {0.0: [matrix()]}))
    assert "moves no joint" in read_usd(file.save()).notes[0]


@pytest.mark.parametrize("poses", [("bind",), ("rest",), ()])
def test_any_rest_pose_or_none_will_do(poses: tuple[str, ...], tmp_path: Path) -> None:
    file = SkelFile(tmp_path / "arm.usda")
    both = {"bind": bind_of(REST), "rest": REST}
    file.skeleton(ARM, **{name: both[name] for name in poses})  # pyright: ignore[reportArgumentType]
    file.bind(SKEL, file.animation(f"{SKEL}/Anim", ARM, bending()))
    motion = read_usd(file.save()).motion
    check_positions(motion, file.path)
    assert motion.translations is None


def test_the_bind_pose_is_rest_unless_the_rest_transforms_fit_the_bones_better(tmp_path: Path) -> None:
    bent = (REST[0], matrix(degrees=90.0, axis=(1, 0, 0)) * REST[1], REST[2])
    short = [pose * matrix(scale=0.01) for pose in bind_of(REST)]  # a bind pose in metres, the rest in cm
    for name, bind, expected in (("bind", bind_of(REST), REST), ("rest", short, bent)):
        file = SkelFile(tmp_path / f"{name}.usda")
        file.skeleton(ARM, rest=bent, bind=bind)
        file.bind(SKEL, file.animation(f"{SKEL}/Anim", ARM, bending()))
        motion = read_usd(file.save()).motion
        check_positions(motion, file.path)
        at_rest = np.array(bind_of(expected))[:, 3, :3][:, [2, 0, 1]] * 0.01
        np.testing.assert_allclose(motion.skeleton.rest_positions, at_rest, atol=1e-5)


def test_several_roots_hang_on_a_new_one(tmp_path: Path) -> None:
    file = SkelFile(tmp_path / "two.usda")
    file.skeleton(("Left", "Right", "Left/Tip"), rest=[matrix((1, 0, 0)), matrix((-1, 0, 0)), matrix((0, 1, 0))])
    UsdGeom.Xformable(file.stage.GetPrimAtPath("/Group")).AddTranslateOp().Set(Gf.Vec3d(0, 7, 0))
    samples = {
        float(time): [matrix((1, time, 0)), matrix((-1, 0, time)), matrix((0, 1, 0), degrees=time)] for time in range(4)
    }
    file.bind(SKEL, file.animation(f"{SKEL}/Anim", ("Left", "Right", "Left/Tip"), samples))
    reading = read_usd(file.save())
    motion = reading.motion
    assert motion.skeleton.names == ("Skel", "Left", "Right", "Tip")
    assert any("several roots" in note for note in reading.notes)
    expected = library_positions(file.path, SKEL, list(range(4)))
    np.testing.assert_allclose(motion.world_positions[:, 1:], expected, atol=1e-6)


def test_repeated_names_are_numbered(tmp_path: Path) -> None:
    file = SkelFile(tmp_path / "arm.usda")
    file.skeleton(("A", "A/B", "A/B/B"), rest=REST)
    reading = read_usd(file.save())
    assert reading.motion.skeleton.names == ("A", "B", "B_2")


def test_characters_are_chosen_by_name_or_path(tmp_path: Path) -> None:
    file = arm(tmp_path / "cast.usda")
    file.skeleton(ARM[:2], rest=REST[:2], root="/Group/Other")
    file.skeleton(ARM[:1], rest=REST[:1], root="/Group/Model/Inner")
    path = file.save()
    assert read_usd(path, character="Other").motion.skeleton.joint_count == 2
    assert read_usd(path, character="/Group/Model/Inner/Skel").motion.skeleton.joint_count == 1
    assert read_usd(path).motion.skeleton.joint_count == 3
    with pytest.raises(UnknownName, match="'Other'"):
        read_usd(path, character="Othr")


def test_what_lies_beside_the_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = arm(tmp_path / "parts" / "arm.usdc", codes_per_second=24.0)
    part.bind(SKEL, part.animation(f"{SKEL}/Anim", ARM, bending()))
    part.stage.SetDefaultPrim(part.stage.GetPrimAtPath("/Group"))
    part.save()
    for arc in ("references", "payload", "subLayers"):
        path = tmp_path / f"{arc}.usda"
        stage = Usd.Stage.CreateNew(str(path))
        stage.SetTimeCodesPerSecond(24.0)
        prim = stage.OverridePrim("/Group") if arc == "subLayers" else stage.DefinePrim("/Group")
        if arc == "references":
            prim.GetReferences().AddReference("./parts/arm.usdc", Sdf.LayerOffset(100.0))
        elif arc == "payload":
            prim.GetPayloads().AddPayload("./parts/arm.usdc", Sdf.LayerOffset(100.0))
        else:
            stage.GetRootLayer().subLayerPaths = ["./gone.usda", "./parts/arm.usdc"]
            stage.GetRootLayer().subLayerOffsets[1] = Sdf.LayerOffset(100.0)
        stage.GetRootLayer().Save()
        reading = read_usd(path)
        assert reading.motion.frame_count == 5
        check_positions(reading.motion, path, [100.0 + frame for frame in range(5)])
        assert len(reading.notes) == (1 if arc == "subLayers" else 0)


def test_a_package_of_several_layers_is_read(tmp_path: Path) -> None:
    part = arm(tmp_path / "arm.usdc")
    part.bind(SKEL, part.animation(f"{SKEL}/Anim", ARM, bending()))
    part.save()
    stage = Usd.Stage.CreateNew(str(tmp_path / "top.usda"))
    stage.SetTimeCodesPerSecond(24.0)
    stage.DefinePrim("/Group").GetReferences().AddReference("./sub/arm.usdc", "/Group")
    stage.GetRootLayer().Save()
    with ZipFile(tmp_path / "all.usdz", "w") as package:
        package.write(tmp_path / "top.usda", "top.usda")
        package.write(tmp_path / "arm.usdc", "sub/arm.usdc")
    (tmp_path / "arm.usdc").unlink()
    motion = read_usd(tmp_path / "all.usdz").motion
    assert motion.frame_count == 5
    check_positions(motion, tmp_path / "all.usdz")
