"""USD: what is written, and that it comes back."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pxr import Sdf, Usd, UsdGeom, UsdShade, UsdSkel
from tests.support.strategies import motions
from tests.support.usd_files import far_apart, octahedra, two_joints
from tools.authoring.walk import walk

from gambol.body import Body, build_skin
from gambol.errors import InvalidInput, MissingExtra, UnknownName
from gambol.files.bvh import read_bvh
from gambol.files.reading import Reading
from gambol.files.usd import read_usd, write_usd
from gambol.files.usd.transforms import motion_from_transforms
from gambol.files.usd.usd_extraction import layers
from gambol.files.usd.usd_extraction.skeleton import Request, extract
from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton

SUFFIXES = (".usda", ".usdc", ".usd", ".usdz")
TENTH_MM = 1e-4


@pytest.fixture(scope="module")
def walker() -> Motion:
    return walk(strides=1)


def read_here(path: Path, character: str | None = None) -> Reading:
    """Read a file we wrote ourselves in this process, a hundred times faster than in one of its own."""
    report, arrays = extract(Request(str(path), character, None, max_bytes=1 << 30, max_joint_frames=1 << 23))
    motion, notes = motion_from_transforms(report, arrays)
    return Reading(motion, (*report["notes"], *notes))


@pytest.fixture
def without_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "limit_memory", lambda size: None)


@pytest.mark.usefixtures("without_memory_limit")
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(motion=motions(), suffix=st.sampled_from(SUFFIXES))
def test_a_motion_comes_back_from_usd(motion: Motion, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"motion{suffix}"
    write_usd(path, motion, skin=octahedra(motion.skeleton))
    back = read_here(path).motion
    assert back.rate_hz == motion.rate_hz
    np.testing.assert_array_equal(back.skeleton.parents, motion.skeleton.parents)
    np.testing.assert_array_equal(back.skeleton.tip_parents, motion.skeleton.tip_parents)
    assert far_apart(back, motion) < TENTH_MM
    assert np.max(quaternion.angle(back.rotations, motion.rotations)) < 1e-5


@pytest.mark.usefixtures("without_memory_limit")
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(st.text(), min_size=2, max_size=2, unique=True), suffix=st.sampled_from((".usda", ".usdc")))
def test_any_names_come_back(names: list[str], suffix: str, tmp_path: Path) -> None:
    motion = two_joints(names=(names[0], names[1]))
    path = tmp_path / f"names{suffix}"
    cast = {names[0]: motion, names[1]: motion}
    if any("\0" in name for name in names):
        with pytest.raises(InvalidInput, match="not valid text"):
            write_usd(path, cast, skin=octahedra(motion.skeleton))
        return
    write_usd(path, cast, skin=octahedra(motion.skeleton))
    for name in filter(None, names):
        assert read_here(path, name).motion.skeleton.names == tuple(names)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reading_in_a_process_of_its_own_gives_the_same(suffix: str, tmp_path: Path, walker: Motion) -> None:
    path = tmp_path / f"walk{suffix}"
    write_usd(path, walker, skin=octahedra(walker.skeleton))
    reading = read_usd(path)
    assert reading.notes == ()
    assert reading.motion.translations is None
    assert far_apart(reading.motion, walker) < TENTH_MM


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_library_validates_what_we_write(suffix: str, tmp_path: Path, walker: Motion) -> None:
    path = tmp_path / f"cast{suffix}"
    boxes = octahedra(walker.skeleton)
    write_usd(path, {"Ann": walker, "Bob 2": walker}, skin=None if suffix == ".usda" else boxes)
    validation = pytest.importorskip("pxr.UsdValidation", reason="the rules of usdchecker come with newer versions")
    validators = validation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) >= 20
    stage = Usd.Stage.Open(str(path))
    assert [error.GetMessage() for error in validation.ValidationContext(validators).Validate(stage)] == []


def test_the_stage_says_axes_unit_rate_and_range(tmp_path: Path) -> None:
    path = tmp_path / "motion.usda"
    write_usd(path, two_joints(frames=7, rate_hz=59.94), name="Ann")
    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == 59.94
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0.0, 6.0)
    assert stage.GetDefaultPrim().GetPath() == "/World"
    assert stage.GetPrimAtPath("/World/Ann").IsA(UsdSkel.Root)
    assert Usd.ModelAPI(stage.GetPrimAtPath("/World/Ann")).GetKind() == "component"


def test_joints_are_legal_paths_and_tips_are_marked(tmp_path: Path) -> None:
    path = tmp_path / "motion.usda"
    write_usd(path, two_joints(names=("left arm", "left_arm")))
    stage = Usd.Stage.Open(str(path))
    skeleton = UsdSkel.Skeleton(stage.GetPrimAtPath("/World/Character/Skeleton"))
    joints = ["left_arm_2", "left_arm_2/left_arm", "left_arm_2/left_arm/left_arm_end"]
    assert list(skeleton.GetJointsAttr().Get()) == joints
    assert all(Sdf.Path(joint).IsPrimPath() for joint in joints)
    assert list(skeleton.GetJointNamesAttr().Get()) == ["left arm", "left_arm", "left_arm_end"]


def test_the_library_skins_the_mesh_as_we_do(tmp_path: Path, walker: Motion) -> None:
    path = tmp_path / "walk.usdc"
    skin = build_skin(Body.from_skeleton(walker.skeleton))
    write_usd(path, walker, skin=skin)
    stage = Usd.Stage.Open(str(path))
    root = UsdSkel.Root(stage.GetPrimAtPath("/World/Character"))
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.TraverseInstanceProxies())
    (binding,) = cache.ComputeSkelBindings(root, Usd.TraverseInstanceProxies())
    skeleton, (mesh,) = cache.GetSkelQuery(binding.GetSkeleton()), binding.GetSkinningTargets()
    assert mesh.GetNumInfluencesPerComponent() == 4
    for frame in (0, walker.frame_count // 2, walker.frame_count - 1):
        transforms = skeleton.ComputeSkinningTransforms(frame)
        points = UsdGeom.Mesh(mesh.GetPrim()).GetPointsAttr().Get()
        assert mesh.ComputeSkinnedPoints(transforms, points, frame)
        ours = skin.deform(walker, [frame])[0]
        assert np.abs(np.array(points) - ours).max() < TENTH_MM
        low, high = np.array(root.GetExtentAttr().Get(frame))
        assert np.all(low - TENTH_MM <= ours)
        assert np.all(ours <= high + TENTH_MM)


def test_the_mesh_is_no_subdivision_surface_and_wears_clay(tmp_path: Path, walker: Motion) -> None:
    path = tmp_path / "walk.usda"
    write_usd(path, walker)
    stage = Usd.Stage.Open(str(path))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/World/Character/Skin"))
    assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
    assert mesh.GetNormalsInterpolation() == "vertex"
    assert len(mesh.GetNormalsAttr().Get()) == len(mesh.GetPointsAttr().Get())
    np.testing.assert_allclose(mesh.GetExtentAttr().Get(), UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get()))
    material, _ = UsdShade.MaterialBindingAPI(mesh.GetPrim()).ComputeBoundMaterial()
    assert material.ComputeSurfaceSource()[0].GetIdAttr().Get() == "UsdPreviewSurface"


def test_characters_of_different_rates_share_a_stage(tmp_path: Path) -> None:
    path = tmp_path / "cast.usdc"
    cast = {"Ann": two_joints(frames=5, rate_hz=30.0), "Bob": two_joints(frames=9, rate_hz=23.7)}
    write_usd(path, cast, skin=octahedra(cast["Ann"].skeleton))
    for name, motion in cast.items():
        reading = read_usd(path, character=name)
        assert reading.motion.rate_hz == motion.rate_hz
        assert far_apart(reading.motion, motion) < TENTH_MM
    assert "the first of 2 characters: Ann, Bob" in read_usd(path).notes[0]
    with pytest.raises(UnknownName, match="Ann, Bob"):
        read_usd(path, character="Zoe")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_motion_gives_the_same_bytes(suffix: str, tmp_path: Path, walker: Motion) -> None:
    contents = set()
    for folder in ("a", "b"):
        path = tmp_path / folder / f"walk{suffix}"
        write_usd(path, walker, skin=octahedra(walker.skeleton))
        contents.add(path.read_bytes())
    assert len(contents) == 1


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gambol.files.usd import stage

    path = tmp_path / "motion.usda"
    path.write_text("old")

    def fail(layer: object, target: Path) -> None:
        target.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stage, "export", fail)
    with pytest.raises(Exception, match="No space left"):
        write_usd(path, two_joints())
    assert [(item.name, item.read_text()) for item in tmp_path.iterdir()] == [("motion.usda", "old")]


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="suffix"):
        write_usd(tmp_path / "motion.abc", two_joints())
    with pytest.raises(InvalidInput, match="at least one"):
        write_usd(tmp_path / "motion.usda", {})
    with pytest.raises(InvalidInput, match="joints"):
        write_usd(tmp_path / "motion.usda", two_joints(), skin=octahedra(Skeleton(["A"], [-1], [[0, 0, 0]])))
    far = Motion(Skeleton(["A"], [-1], [[0, 0, 0]]), 30.0, [[1e39, 0, 0]], quaternion.identity(1, 1))
    with pytest.raises(InvalidInput, match="32-bit"):
        write_usd(tmp_path / "motion.usda", far, skin=octahedra(far.skeleton))
    assert list(tmp_path.iterdir()) == []


def test_without_the_library_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "motion.usda"
    write_usd(path, two_joints())
    for name in [name for name in sys.modules if name.startswith("gambol.files.usd.") or name.split(".")[0] == "pxr"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("gambol.files.usd.stage", raising=False)
    monkeypatch.setitem(sys.modules, "pxr", None)
    for action in (lambda: write_usd(path, two_joints()), lambda: read_usd(path)):
        with pytest.raises(MissingExtra, match=r"gambol\[usd\]"):
            action()


def test_a_capture_comes_back_from_usd(mocap: Path, tmp_path: Path) -> None:
    capture = read_bvh(sorted(mocap.glob("walk_forward/*.bvh"))[0]).motion
    path = tmp_path / "capture.usdc"
    write_usd(path, capture)
    assert far_apart(read_usd(path).motion, capture) < TENTH_MM
