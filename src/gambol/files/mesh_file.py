"""Read triangle meshes of scenery: glTF, OBJ, STL and USD."""

from __future__ import annotations

import io
import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import FileProblem, InvalidInput, MalformedFile, UnknownName
from gambol.files.axes import vectors_from_y_up
from gambol.files.disk import read_bytes
from gambol.files.gltf.container import open_document
from gambol.files.usd.read_meshes import read_usd_meshes
from gambol.geometry.arrays import FloatArray, Int64Array, frozen_array

USD_SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")
GLTF_UP = {".glb": "y", ".gltf": "y"}  # the axis that is up, by the format's own rule
CUSTOMARY_UP = {".obj": "y", ".stl": "z"}  # the axis that is up in most programs, where the format has no rule
SUFFIXES = (*GLTF_UP, *CUSTOMARY_UP, *USD_SUFFIXES)
#: Extensions of glTF that concern looks only.  Others compress vertices or count them in another way.
HARMLESS_EXTENSIONS = ("KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_")
MAX_BYTES = 512 << 20  # bytes of the largest file that is read
MAX_TRIANGLES = 4_000_000  # the most triangles of a file that is read
MAX_EXTENT_M = 20_000.0  # metres from the origin: a mesh that reaches farther is refused


@dataclass(frozen=True, eq=False)
class FileMesh:
    """Triangles in metres and our axes, all shapes of a file in one."""

    vertices: FloatArray  # (V, 3)
    triangles: Int64Array  # (T, 3), counter-clockwise seen from outside
    parts: Int64Array  # (T,) the index of each triangle's shape in the file
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", frozen_array(self.vertices))
        object.__setattr__(self, "triangles", frozen_array(self.triangles, np.int64))
        object.__setattr__(self, "parts", frozen_array(self.parts, np.int64))
        if self.vertices.ndim != 2 or self.vertices.shape[1:] != (3,) or not np.isfinite(self.vertices).all():
            raise InvalidInput("a mesh needs finite vertices (V, 3)")
        if self.triangles.ndim != 2 or self.triangles.shape[1:] != (3,) or len(self.triangles) == 0:
            raise InvalidInput("a mesh needs triangles (T, 3)")
        if self.triangles.min() < 0 or self.triangles.max() >= len(self.vertices):
            raise InvalidInput("a mesh's triangles must name vertices that exist")
        if self.parts.shape != (len(self.triangles),):
            raise InvalidInput("a mesh needs the number of a part for each triangle")


def read_mesh(path: Path | str, *, up: str | None = None, scale: float = 1.0) -> FileMesh:
    """Read all triangles of a .glb, .gltf, .obj, .stl or USD file.

    up: "y" or "z" for OBJ and STL, which do not say it; None takes Y for OBJ and Z for STL.  glTF is Y up, and USD
        says which axis is up: for them any other value is an error.
    scale: factor on the file's lengths, besides USD's own unit.

    Shapes are placed as in the file's scene; instances count each time.  Materials are not read.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UnknownName("suffix of a mesh", path.suffix, SUFFIXES)
    if not (math.isfinite(scale) and scale > 0.0):
        raise InvalidInput(f"a scale must be positive, not {scale}")
    if up not in (None, "y", "z"):
        raise UnknownName("up axis", str(up), ("y", "z"))
    notes: list[str] = []
    if suffix in USD_SUFFIXES:
        shapes, own_up, said = read_usd_meshes(path)
        notes += said
    else:
        shapes = _shapes(path, suffix)
        own_up = GLTF_UP.get(suffix)
    if own_up is not None and up not in (None, own_up):
        raise InvalidInput(f"{path}: this file is {own_up.upper()} up, and not {up.upper()} up")
    if own_up is None and up is None:
        notes.append(
            f"{suffix[1:].upper()} files do not say which axis is up: {CUSTOMARY_UP[suffix].upper()} was taken"
        )
    axis = own_up or up or CUSTOMARY_UP[suffix]
    return _joined(path, shapes, axis, scale, notes)


def _shapes(path: Path, suffix: str) -> list[tuple[FloatArray, Int64Array]]:
    """Return vertices and triangles of each shape, placed as in the file's scene."""
    import trimesh  # slow to load, and only meshes need it
    from trimesh.resolvers import FilePathResolver

    data = read_bytes(path, max_bytes=MAX_BYTES)
    if not data:
        raise MalformedFile("the file is empty; expected a mesh", path=path)
    _check_contents(path, suffix, data)
    options: dict[str, Any] = {} if suffix == ".stl" else {"skip_materials": True}
    # The resolver finds files beside this one, and none outside the folder.
    resolver = FilePathResolver(str(path)) if suffix == ".gltf" else None
    try:
        with np.errstate(all="ignore"):  # numbers that are not finite are refused later
            scene = trimesh.load_scene(
                io.BytesIO(data), file_type=suffix[1:], resolver=resolver, process=False, **options
            )
            meshes = [shape for shape in scene.dump() if isinstance(shape, trimesh.Trimesh)]
            shapes = [
                (np.array(mesh.vertices, dtype=np.float64), np.array(mesh.faces, dtype=np.int64)) for mesh in meshes
            ]
    except Exception as error:  # whatever the library raises, the file is at fault
        said = f"{type(error).__name__}: {error}".split("\n", 1)[0][:200]
        if isinstance(error, ImportError):  # it tries to import a library for other encodings
            said = "its text is not UTF-8"
        raise MalformedFile(f"this is no {suffix[1:].upper()} mesh that can be read ({said})", path=path) from error
    return shapes


def _check_contents(path: Path, suffix: str, data: bytes) -> None:
    """Refuse files that the library would read wrongly, or explain badly."""
    if suffix in GLTF_UP:
        try:
            needed = open_document(data, folder=path.parent).json.get("extensionsRequired", [])
        except FileProblem as problem:
            raise (problem if problem.path else problem.in_file(path)) from None
        needed = needed if isinstance(needed, list) else [needed]
        unknown = [name for name in needed if not str(name).startswith(HARMLESS_EXTENSIONS)]
        if unknown:
            raise MalformedFile(f"it needs the extension {unknown[0]}, which is not read; export it without", path=path)
    elif suffix == ".stl" and len(data) >= 84 and not data.lstrip().startswith(b"solid"):
        (count,) = struct.unpack_from("<I", data, 80)
        if len(data) < 84 + 50 * count:
            raise MalformedFile(
                f"it claims {count:,} triangles, {84 + 50 * count:,} bytes, and has {len(data):,}: truncated?",
                path=path,
            )


def _joined(
    path: Path, shapes: list[tuple[FloatArray, Int64Array]], axis: str, scale: float, notes: list[str]
) -> FileMesh:
    """Check the shapes, and put them together in metres and our axes."""
    vertices, triangles, parts, first = [], [], [], 0
    for number, (points, corners) in enumerate(shapes):
        if len(corners) == 0:
            continue
        if corners.min() < 0 or corners.max() >= len(points):
            raise MalformedFile(f"a triangle of shape {number} names a vertex that does not exist", path=path)
        used, corners = np.unique(corners, return_inverse=True)
        vertices.append(points[used])
        triangles.append(corners.reshape(-1, 3) + first)
        parts.append(np.full(len(triangles[-1]), number))
        first += len(used)
    if not triangles:
        raise MalformedFile("there are no triangles in it", path=path)
    count = sum(len(part) for part in parts)
    if count > MAX_TRIANGLES:
        raise MalformedFile(f"{count:,} triangles are more than the {MAX_TRIANGLES:,} that are read", path=path)
    points = np.concatenate(vertices) * scale
    if not np.isfinite(points).all():
        raise MalformedFile(f"{np.sum(~np.isfinite(points).all(axis=1)):,} vertices are not finite numbers", path=path)
    extent = float(np.abs(points).max())
    if extent > MAX_EXTENT_M:
        raise MalformedFile(
            f"it reaches {extent:,.0f} m from the origin, more than {MAX_EXTENT_M:,.0f}; "
            "is it in another unit? `scale` multiplies all lengths",
            path=path,
        )
    ours = vectors_from_y_up(points) if axis == "y" else points
    return FileMesh(ours, np.concatenate(triangles), np.concatenate(parts), tuple(notes))
