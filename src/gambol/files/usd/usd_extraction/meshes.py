"""Take the meshes out of a stage."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom, UsdUtils, Vt

from .layers import PrivateLayers, Refusal
from .skeleton import FloatArray, shortened

Int64Array = NDArray[np.int64]

MEMORY_PER_CORNER = 128  # bytes for a corner of a triangle: points, triangles, and copies for the result
SHOWN = ("default", "render")  # purposes of meshes that are read


@dataclass
class MeshRequest:
    """What to read, and how much of it at most."""

    path: str
    max_bytes: int
    max_corners: int


def extract_meshes(request: MeshRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a report (text and numbers) and arrays: points and triangles of all meshes, one after another."""
    said = UsdUtils.CoalescingDiagnosticDelegate()  # keeps the library from printing
    path = Path(request.path).resolve()
    layers = PrivateLayers(path.parent, request.max_bytes)
    stage = Usd.Stage.Open(layers.load(str(path)))
    notes = shortened(layers.notes)
    prims, others = visible_meshes(stage)
    if others:
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(others.items()))
        notes.append(f"only meshes are read, not these other shapes: {listed}")
    time = Usd.TimeCode.EarliestTime()
    places = UsdGeom.XformCache(time)
    points, triangles, corners = [], [], 0
    for prim in prims:
        own_points, own_triangles = read_mesh(prim, time, request.max_corners - corners, layers)
        placed, mirrored = place(own_points, np.array(places.GetLocalToWorldTransform(prim)))
        corners += own_triangles.size + len(own_points)
        points.append(placed)
        triangles.append(own_triangles[:, ::-1] if mirrored else own_triangles)
    notes += shortened([f"the USD library says: {item.commentary}" for item in said.TakeUncoalescedDiagnostics()])
    arrays = {
        "points": np.concatenate([np.empty((0, 3)), *points]),
        "triangles": np.concatenate([np.empty((0, 3), dtype=np.int64), *triangles]),
        "point_counts": np.array([len(part) for part in points], dtype=np.int64),
        "triangle_counts": np.array([len(part) for part in triangles], dtype=np.int64),
    }
    return {
        "metres_per_unit": UsdGeom.GetStageMetersPerUnit(stage),
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "notes": notes,
    }, arrays


def visible_meshes(stage: Usd.Stage) -> tuple[list[Usd.Prim], Counter[str]]:
    """Return the visible meshes, and the number of other shapes by their kind."""
    meshes, others = [], Counter()
    for prim in stage.Traverse(Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)):
        if not (prim.IsA(UsdGeom.Gprim) or prim.IsA(UsdGeom.PointInstancer)):
            continue
        image = UsdGeom.Imageable(prim)
        if image.ComputeVisibility() == UsdGeom.Tokens.invisible or image.ComputePurpose() not in SHOWN:
            continue
        if prim.IsA(UsdGeom.Mesh):
            meshes.append(prim)
        else:
            others[prim.GetTypeName()] += 1
    return meshes, others


def read_mesh(
    prim: Usd.Prim, time: Usd.TimeCode, most_corners: int, layers: PrivateLayers
) -> tuple[FloatArray, Int64Array]:
    """Return points and triangles of one mesh, right side out in its own space; faces are cut into fans."""
    mesh = UsdGeom.Mesh(prim)
    points = numbers(mesh.GetPointsAttr(), time, Vt.Vec3fArray)
    counts = numbers(mesh.GetFaceVertexCountsAttr(), time, Vt.IntArray).astype(np.int64)
    indices = numbers(mesh.GetFaceVertexIndicesAttr(), time, Vt.IntArray).astype(np.int64)
    where = prim.GetPath()
    if len(points) + 3 * len(indices) > most_corners:
        raise Refusal("the meshes have more points and faces than are read")
    layers.limit_memory(MEMORY_PER_CORNER * (len(points) + 3 * len(indices)))
    if np.any(counts < 0) or counts.sum() != len(indices):
        raise Refusal(f"{where}: faceVertexCounts do not add up to the {len(indices)} faceVertexIndices")
    if len(indices) and (indices.min() < 0 or indices.max() >= len(points)):
        raise Refusal(f"{where}: a face names a point that does not exist; there are {len(points)}")
    holes = numbers(mesh.GetHoleIndicesAttr(), time, Vt.IntArray).astype(np.int64)
    kept = np.ones(len(counts), dtype=bool)
    kept[holes[(holes >= 0) & (holes < len(counts))]] = False
    triangles = fans(np.where(counts < 3, 0, counts) * kept, np.cumsum(counts) - counts, indices)
    left_handed = mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded
    return points.reshape(-1, 3).astype(np.float64), triangles[:, ::-1] if left_handed else triangles


def fans(counts: Int64Array, starts: Int64Array, indices: Int64Array) -> Int64Array:
    """Return the triangles (T, 3) of faces, given each face's number of corners and its start in `indices`."""
    each = np.maximum(counts - 2, 0)
    face = np.repeat(np.arange(len(counts)), each)
    step = np.arange(len(face)) - np.repeat(np.cumsum(each) - each, each)
    first = starts[face]
    return np.stack((indices[first], indices[first + step + 1], indices[first + step + 2]), axis=1)


def place(points: FloatArray, world_from_mesh: FloatArray) -> tuple[FloatArray, bool]:
    """Return points in the world, and whether that turns the mesh inside out; the matrix acts on row vectors."""
    turn = world_from_mesh[:3, :3]
    return points @ turn + world_from_mesh[3, :3], bool(np.linalg.det(turn) < 0.0)


def numbers(attribute: Usd.Attribute, time: Usd.TimeCode, kind: type) -> NDArray[Any]:
    """Return an attribute's array; empty if it has none."""
    value = attribute.Get(time)
    if value is None:
        return np.empty(0)
    if not isinstance(value, kind):
        raise Refusal(f"{attribute.GetPath()} is not an array of the kind that meshes have")
    return np.array(value)
