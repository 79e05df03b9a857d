"""glTF files made by hand, in the ways of other programs, and a slow but plain oracle of what they show."""

from __future__ import annotations

import base64
import copy
import json
import struct
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation, Slerp

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class GltfFile:
    """Builds a glTF file piece by piece; every method returns the index of what it added."""

    def __init__(self) -> None:
        self.json: dict[str, Any] = {"asset": {"version": "2.0"}, "nodes": [], "accessors": [], "bufferViews": []}
        self.binary = bytearray()

    def node(self, name: str | None = None, *, parent: int | None = None, **properties: Any) -> int:
        self.json["nodes"].append({**({} if name is None else {"name": name}), **properties})
        index = len(self.json["nodes"]) - 1
        if parent is not None:
            self.json["nodes"][parent].setdefault("children", []).append(index)
        return index

    def view(self, data: bytes, **properties: Any) -> int:
        self.binary += bytes(-len(self.binary) % 4)
        self.json["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **properties}
        )
        self.binary += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values: ArrayLike, kind: str = "f4", **properties: Any) -> int:
        table = np.asarray(values, "<" + kind)
        table = table.reshape(len(table), -1)
        spec = {"bufferView": self.view(table.tobytes()), "componentType": COMPONENTS[kind]}
        self.json["accessors"].append({**spec, "count": len(table), "type": KINDS[table.shape[1]], **properties})
        return len(self.json["accessors"]) - 1

    def skin(self, joints: list[int], inverse_binds: ArrayLike | None = None, **properties: Any) -> int:
        skin = {"joints": joints, **properties}
        if inverse_binds is not None:
            columns = np.asarray(inverse_binds).transpose(0, 2, 1).reshape(-1, 16)
            skin["inverseBindMatrices"] = self.accessor(columns)
        self.json.setdefault("skins", []).append(skin)
        return len(self.json["skins"]) - 1

    def animate(
        self, node: int, path: str, times: ArrayLike, values: ArrayLike, *, how: str = "LINEAR", name: str = "walk"
    ) -> None:
        self.channel(node, path, self.accessor(times), self.accessor(values), how=how, name=name)

    def channel(
        self, node: int, path: str, times: int, values: int, *, how: str = "LINEAR", name: str = "walk"
    ) -> None:
        animations = self.json.setdefault("animations", [])
        animation = next((one for one in animations if one["name"] == name), None)
        if animation is None:
            animation = {"name": name, "channels": [], "samplers": []}
            animations.append(animation)
        animation["samplers"].append({"input": times, "output": values, "interpolation": how})
        sampler = len(animation["samplers"]) - 1
        animation["channels"].append({"sampler": sampler, "target": {"node": node, "path": path}})

    def glb(self) -> bytes:
        return pack_glb({**self.json, "buffers": [{"byteLength": len(self.binary)}]}, bytes(self.binary))

    def gltf(self, uri: str | None = None) -> bytes:
        if uri is None:
            uri = "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        return json.dumps({**self.json, "buffers": [{"byteLength": len(self.binary), "uri": uri}]}).encode()


def pack_glb(contents: Any, binary: bytes) -> bytes:
    text = contents if isinstance(contents, bytes) else json.dumps(contents).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def unpack_glb(data: bytes) -> tuple[dict[str, Any], bytes]:
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def local_matrix(node: dict[str, Any], moved: dict[str, NDArray]) -> NDArray:
    if "matrix" in node:
        return np.reshape(node["matrix"], (4, 4)).T
    matrix = np.eye(4)
    turn = moved.get("rotation", node.get("rotation", [0, 0, 0, 1]))
    matrix[:3, :3] = Rotation.from_quat(turn).as_matrix() * moved.get("scale", node.get("scale", [1, 1, 1]))
    matrix[:3, 3] = moved.get("translation", node.get("translation", [0, 0, 0]))
    return matrix


def world_matrices(file: GltfFile, moved: dict[tuple[int, str], NDArray] | None = None) -> NDArray:
    """Return the matrices (N, 4, 4) of all nodes, with some properties replaced, by plain multiplication."""
    nodes = file.json["nodes"]
    parents = {child: index for index, node in enumerate(nodes) for child in node.get("children", [])}
    result = []
    for index in range(len(nodes)):
        matrix, node = np.eye(4), index
        while node is not None:
            own = {path: value for (of, path), value in (moved or {}).items() if of == node}
            matrix = local_matrix(nodes[node], own) @ matrix
            node = parents.get(node)
        result.append(matrix)
    return np.array(result)


def ours(file_vectors: NDArray) -> NDArray:
    """Return vectors of a Y-up file that faces +Z as Z up, X forward."""
    x, y, z = np.moveaxis(file_vectors, -1, 0)
    return np.stack((z, x, y), axis=-1)


def blender_like(rng: np.random.Generator) -> tuple[GltfFile, NDArray, NDArray]:
    """Return a file as Blender exports an armature that was imported from centimetres, and what it shows.

    Bones point along their own Y, so all rest frames are turned; the armature is turned and scaled
    by 0.01; the skin's bind matrices include it.  Also returned: joint positions at rest (J, 3) and
    moving (F, J, 3), in the file's axes.
    """
    file = GltfFile()
    armature = file.node(
        "Armature", rotation=[0.5**0.5, 0, 0, 0.5**0.5], scale=[0.01] * 3, translation=[0.3, 0.1, -0.2]
    )
    joints = []
    for name, above in (("Hips", None), ("Spine", 0), ("Head", 1), ("Left Leg", 0), ("Left Foot", 3)):
        joints.append(
            file.node(
                name,
                parent=armature if above is None else joints[above],
                translation=rng.normal(scale=30.0, size=3).tolist(),
                rotation=Rotation.random(random_state=rng).as_quat().tolist(),
            )
        )
    rest = world_matrices(file)
    body = file.node("Body", parent=armature, mesh=0, skin=0)
    file.json["meshes"] = [{"primitives": [{"attributes": {}}]}]
    file.skin(joints, np.linalg.inv(rest[joints]), name="Armature")
    times = np.arange(30) / 24.0 + 1.0 / 24.0  # Blender's first frame is 1, not 0
    turns = {joint: np.cumsum(rng.normal(scale=0.1, size=(len(times), 3)), axis=0) for joint in joints}
    steps = np.cumsum(rng.normal(scale=3.0, size=(len(times), 3)), axis=0)
    keys = {joint: (Rotation.from_rotvec(turns[joint])).as_quat().astype("f4") for joint in joints}
    for joint in joints:
        file.animate(joint, "rotation", times, keys[joint])
    file.animate(joints[0], "translation", times, steps)
    shown = []
    for frame in range(len(times)):
        moved = {(joint, "rotation"): keys[joint][frame] for joint in joints}
        moved[joints[0], "translation"] = steps[frame].astype("f4")
        shown.append(world_matrices(file, moved)[joints, :3, 3])
    assert body == len(file.json["nodes"]) - 1
    return file, rest[joints, :3, 3], np.array(shown)


TIMES = np.arange(31) / 30.0
SWING = Rotation.from_rotvec(np.outer(np.sin(TIMES * 5.0), [0.3, 0.2, 0.9])).as_quat()


def two_bones(**leg: object) -> GltfFile:
    """A hip and a leg of 0.5 m, without skin or animation."""
    file = GltfFile()
    file.node("Hip", translation=[0.0, 1.0, 0.0])
    file.node("Leg", parent=0, **{"translation": [0.0, -0.5, 0.0], **leg})
    return file


def three_bones() -> GltfFile:
    """A hip, a leg and a foot that shows how the leg turns."""
    file = two_bones()
    file.node("Foot", parent=1, translation=[0.0, -0.4, 0.1])
    return file


def slerp(times: ArrayLike, xyzw: ArrayLike, at: ArrayLike) -> NDArray:
    return Slerp(times, Rotation.from_quat(xyzw))(np.clip(at, np.min(times), np.max(times))).as_quat()


def changed(contents: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return the JSON with one value replaced, at a path such as "nodes.0.name"."""
    contents = copy.deepcopy(contents)
    *above, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    target = contents
    for part in above:
        target = target[part]
    target[last] = value
    return contents
