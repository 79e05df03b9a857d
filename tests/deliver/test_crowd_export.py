"""Recordings for other programs, read back by independent code."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdSkel
from tests.support.crowd_recordings import random_recording

from gambol.characters import load_character
from gambol.crowd import Recording, write_recording_bvh, write_recording_glb, write_recording_usd, write_table
from gambol.errors import InvalidInput, MissingExtra, UnknownName
from gambol.files import CrowdMember, read_bvh, read_gltf, write_crowd_usd

pytestmark = pytest.mark.slow

TENTH_MM = 1e-4


@pytest.fixture(scope="module")
def recording() -> Recording:
    kinds = (load_character("human").subset("crowd"), load_character("horse"))
    return random_recording(kinds, [0, 0, 1, 0, 1], frames=90, seed=5)


def _joint_positions(root: UsdSkel.Root, times: list[float]) -> np.ndarray:
    """Return joints and tips (F, J, 3) in the world as UsdSkel computes them, instance or not."""
    cache = UsdSkel.Cache()
    assert cache.Populate(root, Usd.TraverseInstanceProxies())
    (binding,) = cache.ComputeSkelBindings(root, Usd.TraverseInstanceProxies())
    assert len(binding.GetSkinningTargets()) == 1
    query = cache.GetSkelQuery(binding.GetSkeleton())
    assert bool(query.GetAnimQuery())
    worlds = [query.ComputeJointWorldTransforms(UsdGeom.XformCache(time)) for time in times]
    return np.array(worlds)[:, :, 3, :3]


@pytest.mark.parametrize("instanced", [True, False])
def test_usd_moves_everybody_as_the_recording_does(recording: Recording, tmp_path: Path, instanced: bool) -> None:
    path = tmp_path / "crowd.usdc"
    write_recording_usd(path, recording, instanced=instanced)
    stage = Usd.Stage.Open(str(path))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0.0, recording.duration_s * 60.0)
    roots = [prim for prim in Usd.PrimRange(stage.GetPrimAtPath("/World")) if prim.IsA(UsdSkel.Root)]
    assert [prim.GetDisplayName() for prim in roots] == list(recording.names)
    for n, prim in enumerate(roots):
        motion, start = recording.motion(n), recording.motion_start_s(n)
        frames = [0, 1, motion.frame_count // 3, motion.frame_count // 2, motion.frame_count - 1]
        codes = [60.0 * (start + frame / motion.rate_hz) for frame in frames]
        found = _joint_positions(UsdSkel.Root(prim), codes)
        expected = np.concatenate((motion.world_positions, motion.tip_positions), axis=1)[frames]
        np.testing.assert_allclose(found, expected, rtol=0, atol=TENTH_MM)
        for code, points in zip(codes, expected, strict=True):
            low, high = np.array(UsdSkel.Root(prim).GetExtentAttr().Get(code))
            joints = points[: motion.skeleton.joint_count]
            assert np.all(low <= joints)
            assert np.all(joints <= high)
        visible = UsdGeom.Imageable(prim)
        first, last = (2.0 * frame for frame in recording.presence(n))
        assert visible.ComputeVisibility(first) == visible.ComputeVisibility(last) == "inherited"
        assert first == 0.0 or visible.ComputeVisibility(first - 1.0) == "invisible"
        assert last == stage.GetEndTimeCode() or visible.ComputeVisibility(last + 1.0) == "invisible"


def test_each_kind_is_one_prototype_that_is_not_drawn_itself(recording: Recording, tmp_path: Path) -> None:
    write_recording_usd(tmp_path / "crowd.usda", recording)
    stage = Usd.Stage.Open(str(tmp_path / "crowd.usda"))
    assert len(stage.GetPrototypes()) == 2
    instances = [prim for prim in stage.Traverse() if prim.IsInstance()]
    assert len(instances) == len(recording)
    kinds = [prim.GetPrototype().GetName() for prim in instances]
    assert [kinds[0] == kind for kind in kinds] == [kind == recording.kind[0] for kind in recording.kind]
    assert not any(prim.IsA(UsdGeom.Mesh) for prim in stage.Traverse())
    text = (tmp_path / "crowd.usda").read_text()
    assert text.count("def Mesh") == text.count("def Skeleton ") == 2
    assert text.count("instanceable = true") == text.count("def SkelAnimation") == len(recording)


def test_without_instances_everybody_has_a_mesh(recording: Recording, tmp_path: Path) -> None:
    write_recording_usd(tmp_path / "crowd.usda", recording, instanced=False)
    stage = Usd.Stage.Open(str(tmp_path / "crowd.usda"))
    assert len(stage.GetPrototypes()) == 0
    assert sum(prim.IsA(UsdGeom.Mesh) for prim in stage.Traverse()) == len(recording)


@pytest.mark.parametrize(("suffix", "instanced"), [(".usda", True), (".usdz", True), (".usdc", False)])
def test_the_library_validates_crowds(recording: Recording, tmp_path: Path, suffix: str, instanced: bool) -> None:
    path = tmp_path / f"crowd{suffix}"
    write_recording_usd(path, recording, instanced=instanced, from_s=0.5, until_s=1.0)
    validation = pytest.importorskip("pxr.UsdValidation", reason="the rules of usdchecker come with newer versions")
    validators = validation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) >= 20
    stage = Usd.Stage.Open(str(path))
    assert [error.GetMessage() for error in validation.ValidationContext(validators).Validate(stage)] == []


def test_usd_takes_chosen_characters_and_a_range(recording: Recording, tmp_path: Path) -> None:
    path = tmp_path / "some.usdc"
    write_recording_usd(path, recording, who=["Ä3", 0], from_s=0.5, until_s=1.25)
    stage = Usd.Stage.Open(str(path))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (30.0, 75.0)
    roots = [prim for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)]
    assert [prim.GetDisplayName() for prim in roots] == ["Ä0", "Ä3"]
    motion = recording.motion(0, 1.0, 1.0)
    found = _joint_positions(UsdSkel.Root(roots[0]), [60.0])[0]
    np.testing.assert_allclose(found[: motion.skeleton.joint_count], motion.world_positions[0], rtol=0, atol=TENTH_MM)


def test_names_are_made_legal_and_different(recording: Recording, tmp_path: Path) -> None:
    motion = recording.motion(0, 1.0, 1.1)
    names = ("Prototypes", "Ann", "Ann", "Ann 2", "7")
    write_crowd_usd(tmp_path / "a.usda", [CrowdMember(name, "human", motion, 0.0) for name in names])
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    instances = [prim for prim in stage.Traverse() if prim.IsInstance()]
    assert [prim.GetName() for prim in instances] == ["Prototypes", "Ann", "Ann_2", "Ann_2_2", "_7"]


def test_what_usd_cannot_hold_is_refused(recording: Recording, tmp_path: Path) -> None:
    unlike = [CrowdMember(name, "one", recording.motion(n), 0.0) for n, name in ((0, "a"), (2, "b"))]
    with pytest.raises(InvalidInput, match="different skeletons"):
        write_crowd_usd(tmp_path / "b.usda", unlike)
    with pytest.raises(InvalidInput, match="at least one"):
        write_crowd_usd(tmp_path / "b.usda", [])
    with pytest.raises(UnknownName, match="suffix"):
        write_recording_usd(tmp_path / "b.fbx", recording)
    assert list(tmp_path.iterdir()) == []


def test_bvh_is_a_file_for_each(recording: Recording, tmp_path: Path) -> None:
    files = write_recording_bvh(tmp_path / "out.bvh", recording)
    assert [file.name for file in files] == [f"out-Ä{n}.bvh" for n in range(5)]
    for n, file in enumerate(files):
        motion, read = recording.motion(n), read_bvh(file).motion
        assert read.rate_hz == pytest.approx(motion.rate_hz, rel=1e-4)
        order = [read.skeleton.index(name) for name in motion.skeleton.names]
        np.testing.assert_allclose(read.world_positions[:, order], motion.world_positions, rtol=0, atol=TENTH_MM)
    (alone,) = write_recording_bvh(tmp_path / "ann.bvh", recording, who=[1], from_s=1.0)
    assert alone == tmp_path / "ann.bvh"
    assert read_bvh(alone).motion.frame_count == recording.motion(1, 1.0).frame_count


def test_glb_has_all_on_one_clock(recording: Recording, tmp_path: Path) -> None:
    write_recording_glb(tmp_path / "crowd.glb", recording, who=[0, 1], from_s=0.25)
    for n in (0, 1):
        read = read_gltf(tmp_path / "crowd.glb", character=recording.names[n]).motion
        motion, start = recording.motion(n, 0.25), recording.motion_start_s(n, 0.25)
        waits = round((start - 0.25) * 60.0)
        assert read.frame_count == round((recording.duration_s - 0.25) * 60.0) + 1
        held = np.clip(np.arange(read.frame_count) - waits, 0, motion.frame_count - 1)
        np.testing.assert_allclose(read.world_positions, motion.world_positions[held], rtol=0, atol=TENTH_MM)


def test_nothing_to_export_is_an_error(recording: Recording, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nothing from"):
        write_recording_glb(tmp_path / "a.glb", recording, from_s=50.0)
    with pytest.raises(InvalidInput, match="nobody is there"):
        write_recording_bvh(
            tmp_path / "a.bvh", recording, until_s=0.0, who=[n for n in range(5) if recording.presence(n)[0]]
        )
    with pytest.raises(InvalidInput, match="no character 9"):
        write_recording_bvh(tmp_path / "a.bvh", recording, who=[9])
    with pytest.raises(UnknownName):
        write_recording_bvh(tmp_path / "a.bvh", recording, who=["Zoe"])
    assert list(tmp_path.iterdir()) == []


def _expected_rows(recording: Recording, rate_hz: float) -> list[tuple[float, int]]:
    times = np.arange(int(recording.duration_s * rate_hz + 1e-9) + 1) / rate_hz
    return [
        (round(float(time), 6), n)
        for time in times
        for n in range(len(recording))
        if recording.presence(n)[0] <= time * 30.0 + 1e-6 and time * 30.0 <= recording.presence(n)[1] + 1e-6
    ]


def test_a_csv_table_says_where_everybody_was(recording: Recording, tmp_path: Path) -> None:
    count = write_table(tmp_path / "a.csv", recording)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["time_s", "id", "name", "x", "y", "heading_deg", "behavior"]
    assert [(float(row["time_s"]), int(row["id"])) for row in rows] == _expected_rows(recording, 10.0)
    assert count == len(rows)
    for row in rows:
        n, frame = int(row["id"]), round(30 * float(row["time_s"]))
        step = [one for one in recording.steps(n) if one.frame <= frame][-1]
        character = recording.characters[recording.kind[n]]
        behavior = character.behaviors[step.behavior]
        x, y, heading = behavior.clips[step.clip].place(np.array(step.pose))[frame - step.frame]
        assert (row["name"], row["behavior"]) == (recording.names[n], behavior.name)
        assert (float(row["x"]), float(row["y"])) == pytest.approx((x, y), abs=TENTH_MM)
        turn = np.radians(float(row["heading_deg"])) - heading
        assert abs(np.sin(turn / 2)) < 1e-3
        assert -180.0 <= float(row["heading_deg"]) <= 180.0


def test_a_table_has_the_rate_the_range_and_those_asked_for(recording: Recording, tmp_path: Path) -> None:
    write_table(tmp_path / "a.csv", recording, rate_hz=25.0, who=["Ä0"], from_s=1.0, until_s=1.5)
    with (tmp_path / "a.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["name"] for row in rows} == {"Ä0"}
    assert [float(row["time_s"]) for row in rows] == pytest.approx(1.0 + np.arange(13) / 25.0)
    with pytest.raises(InvalidInput, match="positive"):
        write_table(tmp_path / "a.csv", recording, rate_hz=0.0)
    with pytest.raises(UnknownName, match="suffix of a table"):
        write_table(tmp_path / "a.xlsx", recording)


def test_parquet_says_the_same_as_csv(recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an optional dependency")
    monkeypatch.setattr("gambol.crowd.table.ROWS_A_GROUP", 20)
    write_table(tmp_path / "a.csv", recording)
    assert write_table(tmp_path / "a.parquet", recording) == len(_expected_rows(recording, 10.0))
    table = parquet.read_table(tmp_path / "a.parquet")
    with (tmp_path / "a.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert parquet.ParquetFile(tmp_path / "a.parquet").num_row_groups > 1
    for name in ("time_s", "id", "x", "y", "heading_deg"):
        np.testing.assert_allclose(table[name].to_numpy(), [float(row[name]) for row in rows], rtol=1e-6, atol=1e-9)
    for name in ("name", "behavior"):
        assert table[name].to_pylist() == [row[name] for row in rows]


def test_parquet_without_its_library_says_what_to_install(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"gambol\[tables\]"):
        write_table(tmp_path / "a.parquet", recording)
    assert list(tmp_path.iterdir()) == []
