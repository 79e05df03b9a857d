"""Mesh files, read."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

import numpy as np
import pytest
import trimesh
from pxr import Gf, Sdf, Usd, UsdGeom
from tests.support.mesh_files import box, floor, write

from gambol.errors import GambolError, InvalidInput, MalformedFile, UnknownName, UnreadableFile
from gambol.files.mesh_file import FileMesh, read_mesh

THINGS = [floor(), box((1.0, 2.0), (3.0, 3.5), (0.0, 0.7)), trimesh.creation.icosphere(subdivisions=1)]


def soup(mesh: FileMesh) -> np.ndarray:
    """Return the triangles' corners (T, 3, 3) in an order that does not depend on the file's."""
    corners = mesh.vertices[mesh.triangles].round(4) + 0.0
    first = np.array([min(range(3), key=lambda k: tuple(c[k])) for c in corners])
    turned = np.take_along_axis(corners, ((first[:, None] + np.arange(3)) % 3)[..., None], axis=1)
    return np.unique(turned.reshape(-1, 9), axis=0)


def expected() -> np.ndarray:
    whole = trimesh.util.concatenate(THINGS)
    return soup(FileMesh(whole.vertices, whole.faces, np.zeros(len(whole.faces))))


def write_usd_things(path: Path, *, up: str, metres: float) -> Path:
    """Write the things in the ways that meshes differ in: unit, axis, transforms, handedness, polygons, instances."""
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, metres)
    group = UsdGeom.Xform.Define(stage, "/Group")
    group.AddScaleOp().Set(Gf.Vec3f(2.0, 2.0, 2.0))
    for number, thing in enumerate(THINGS):
        points = np.asarray(thing.vertices) / metres / 2.0
        if up == "Y":
            points = points[:, [1, 2, 0]]
        faces = np.asarray(thing.faces)
        mesh = UsdGeom.Mesh.Define(stage, f"/Group/Thing{number}")
        if number == 0:  # mirrored by its transform, which turns it inside out
            points = points * (-1.0, 1.0, 1.0)
            mesh.AddScaleOp().Set(Gf.Vec3f(-1.0, 1.0, 1.0))
            faces = faces[:, ::-1]
        if number == 1:
            mesh.AddTranslateOp().Set(Gf.Vec3d(5.0, 6.0, 7.0))
            points = points - (5.0, 6.0, 7.0)
        if number == 2:
            mesh.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
            faces = faces[:, ::-1]
        mesh.CreatePointsAttr([Gf.Vec3f(*map(float, point)) for point in points])
        mesh.CreateFaceVertexCountsAttr([3] * len(faces))
        mesh.CreateFaceVertexIndicesAttr([int(k) for k in faces.ravel()])
    hidden = UsdGeom.Mesh.Define(stage, "/Hidden")
    hidden.CreatePointsAttr([(0, 0, 0), (9, 0, 0), (0, 9, 0)])
    hidden.CreateFaceVertexCountsAttr([3])
    hidden.CreateFaceVertexIndicesAttr([0, 1, 2])
    hidden.MakeInvisible()
    UsdGeom.Cube.Define(stage, "/Cube")
    stage.GetRootLayer().Save()
    return path


@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".obj", ".stl"])
def test_all_formats_tell_the_same(suffix: str, tmp_path: Path) -> None:
    mesh = read_mesh(write(tmp_path / f"things{suffix}", THINGS))
    np.testing.assert_allclose(soup(mesh), expected(), atol=2e-4)
    assert len(set(mesh.parts.tolist())) == (3 if suffix in (".glb", ".gltf") else 1)


@pytest.mark.parametrize(("suffix", "up", "metres"), [(".usda", "Y", 0.01), (".usdc", "Z", 1.0)])
def test_usd_says_its_axis_and_unit_itself(suffix: str, up: str, metres: float, tmp_path: Path) -> None:
    mesh = read_mesh(write_usd_things(tmp_path / f"things{suffix}", up=up, metres=metres))
    np.testing.assert_allclose(soup(mesh), expected(), atol=2e-4)
    assert any("1 Cube" in note for note in mesh.notes)


def test_polygons_and_instances_of_usd_are_read_as_triangles_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "instances.usda"
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, "Z")
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    face = UsdGeom.Mesh.Define(stage, "/_class_Tile/Face")
    stage.GetPrimAtPath("/_class_Tile").SetSpecifier(Sdf.SpecifierClass)
    face.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0.5, 1.5, 0), (0, 1, 0)])
    face.CreateFaceVertexCountsAttr([5])
    face.CreateFaceVertexIndicesAttr([0, 1, 2, 3, 4])
    for number in range(2):
        tile = UsdGeom.Xform.Define(stage, f"/Tile{number}")
        tile.GetPrim().GetReferences().AddInternalReference("/_class_Tile")
        tile.GetPrim().SetInstanceable(True)
        tile.AddTranslateOp().Set(Gf.Vec3d(10.0 * number, 0, 0))
    stage.GetRootLayer().Save()
    mesh = read_mesh(path)
    assert len(mesh.triangles) == 6
    corners = mesh.vertices[mesh.triangles]
    areas = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    assert areas.sum() == pytest.approx(2.5)
    assert mesh.vertices[:, 0].max() == pytest.approx(11.0)


def test_up_and_scale_are_as_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "box.stl", [box((1.0, 2.0), (3.0, 5.0), (7.0, 11.0))])
    np.testing.assert_allclose(read_mesh(path, scale=0.5).vertices.max(axis=0), (1.0, 2.5, 5.5))
    np.testing.assert_allclose(read_mesh(path, up="y").vertices.max(axis=0), (11.0, 2.0, 5.0))
    assert any("Z was taken" in note for note in read_mesh(path).notes)
    assert read_mesh(path, up="z").notes == ()
    with pytest.raises(InvalidInput, match="Y up"):
        read_mesh(write(tmp_path / "box.glb", THINGS), up="z")
    with pytest.raises(UnknownName, match="up axis"):
        read_mesh(path, up="x")
    for scale in (0.0, -1.0, math.nan):
        with pytest.raises(InvalidInput, match="scale"):
            read_mesh(path, scale=scale)


def test_what_is_not_there_or_has_another_suffix(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"gone\.glb"):
        read_mesh(tmp_path / "gone.glb")
    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(UnreadableFile, match="folder"):
        read_mesh(tmp_path / "folder.obj")
    with pytest.raises(UnknownName, match="suffix"):
        read_mesh(tmp_path / "room.fbx")


def glb(contents: dict, binary: bytes = b"") -> bytes:
    text = json.dumps(contents).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text
    if binary:
        body += struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body


TRIANGLE = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype="<f4")
GLTF = {
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36}],
}


def test_bad_files_are_named_with_what_is_wrong(tmp_path: Path) -> None:
    good = write(tmp_path / "good.glb", THINGS).read_bytes()
    stl = write(tmp_path / "good.stl", THINGS).read_bytes()
    assert len(read_mesh(saved(tmp_path / "one.glb", glb(GLTF, TRIANGLE.tobytes()))).triangles) == 1
    bad = {
        "empty.glb": (b"", "empty"),
        "cut.glb": (good[: len(good) // 2], "GLB"),
        "text.glb": (b"this is not a mesh at all, only text", "GLB"),
        "cut.stl": (stl[:100], "truncated"),
        "words.stl": (b"solid\nfacet normal x y z\n", "STL|no triangles"),
        "none.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "OBJ|no triangles"),
        "beyond.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "OBJ|does not exist"),
        "nan.glb": (glb(GLTF, (TRIANGLE * np.float32(np.nan)).tobytes()), "not finite"),
        "huge.glb": (glb(GLTF, (TRIANGLE * np.float32(1e9)).tobytes()), "another unit"),
        "many.glb": (glb({**GLTF, "accessors": [{**GLTF["accessors"][0], "count": 10**12}]}, bytes(36)), "GLB"),
        "packed.glb": (
            glb({**GLTF, "extensionsRequired": ["KHR_draco_mesh_compression"]}, TRIANGLE.tobytes()),
            "KHR_draco_mesh_compression",
        ),
        "bare.glb": (glb({"asset": {"version": "2.0"}}), "GLB|no triangles"),
        "deep.gltf": (b"{" * 100_000, "JSON"),
        "broken.usda": (b"#usda 1.0\ndef Mesh {", "broken"),
        "counts.usda": (
            b'#usda 1.0\ndef Mesh "M" {\n int[] faceVertexCounts = [3, 3]\n int[] faceVertexIndices = [0, 1, 2]\n'
            b" point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}\n",
            "add up",
        ),
        "beyond.usda": (
            b'#usda 1.0\ndef Mesh "M" {\n int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 7]\n'
            b" point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}\n",
            "does not exist",
        ),
        "none.usda": (b'#usda 1.0\ndef Xform "Nothing" {}\n', "no triangles"),
    }
    for name, (contents, message) in bad.items():
        path = saved(tmp_path / name, contents)
        with pytest.raises(MalformedFile, match=message) as caught:
            read_mesh(path)
        assert name in str(caught.value)


def saved(path: Path, contents: bytes) -> Path:
    path.write_bytes(contents)
    return path


def test_buffers_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    saved(tmp_path / "outside.bin", TRIANGLE.tobytes())
    for uri in ("../outside.bin", str(tmp_path / "outside.bin"), "https://example.com/outside.bin"):
        contents = {**GLTF, "buffers": [{"byteLength": 36, "uri": uri}]}
        with pytest.raises(MalformedFile, match=r"thing\.gltf"):
            read_mesh(saved(inside / "thing.gltf", json.dumps(contents).encode()))
    saved(inside / "own.bin", TRIANGLE.tobytes())
    contents = {**GLTF, "buffers": [{"byteLength": 36, "uri": "own.bin"}]}
    assert len(read_mesh(saved(inside / "thing.gltf", json.dumps(contents).encode())).triangles) == 1


@pytest.mark.parametrize("suffix", [".glb", ".obj", ".stl"])
def test_damaged_files_give_meshes_or_reasons(suffix: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    original = np.frombuffer(write(tmp_path / f"good{suffix}", THINGS).read_bytes(), dtype=np.uint8)
    read = refused = 0
    for number in range(150):
        data = original.copy()
        places = rng.integers(0, len(data), rng.integers(1, 8))
        data[places] = rng.integers(0, 256, len(places))
        if rng.random() < 0.3:
            data = data[: rng.integers(0, len(data))]
        try:
            mesh = read_mesh(saved(tmp_path / f"{number}{suffix}", data.tobytes()))
        except GambolError:
            refused += 1
        else:
            read += 1
            assert np.isfinite(mesh.vertices).all()
    assert read
    assert refused
