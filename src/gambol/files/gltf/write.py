"""glTF out: write motions to a GLB file with skinned bodies, which any viewer can show."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol import __version__
from gambol.body.capsules import check_same_joints
from gambol.body.skin import Skin, skin_around
from gambol.errors import InvalidInput
from gambol.files import axes
from gambol.files.disk import write_atomically
from gambol.files.gltf.buffer import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, BufferWriter
from gambol.files.gltf.fields import Json
from gambol.files.reading import unique_names
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

INFLUENCES = 4  # the most joints that move a vertex; more would need a second set of attributes


def add_primitive(buffer: BufferWriter, skin: Skin) -> Json:
    """Append a skin's arrays and return the primitive that uses them."""
    joint_count = skin.skeleton.joint_count
    joints, weights = strongest_influences(skin.joints, skin.weights)
    if not 0 <= joints.min() <= joints.max() < joint_count:
        raise InvalidInput(f"the skin hangs on joints {joints.min()} to {joints.max()}; the skeleton has {joint_count}")
    corners = np.asarray(skin.triangles).reshape(-1, 3)
    flat = (corners[:, 0] == corners[:, 1]) | (corners[:, 1] == corners[:, 2]) | (corners[:, 2] == corners[:, 0])
    normals = axes.vectors_to_y_up(skin.normals)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(lengths > 0.0, normals / np.where(lengths > 0.0, lengths, 1.0), [0.0, 1.0, 0.0])
    # The largest value of an index type is reserved (primitive restart).
    index_type = np.uint16 if len(skin.vertices) <= 0xFFFF else np.uint32
    joint_type = np.uint8 if joint_count <= 0x100 else np.uint16
    attributes = {
        "POSITION": _vertices(buffer, axes.vectors_to_y_up(skin.vertices).astype(np.float32), bounds=True),
        "NORMAL": _vertices(buffer, normals.astype(np.float32)),
        "JOINTS_0": _vertices(buffer, joints.astype(joint_type)),
        "WEIGHTS_0": _vertices(buffer, weights.astype(np.float32)),
    }
    buffer.begin_view(target=ELEMENT_ARRAY_BUFFER)
    indices = buffer.add(corners[~flat].ravel().astype(index_type))
    return {"attributes": attributes, "indices": indices, "material": 0}


def _vertices(buffer: BufferWriter, values: NDArray, *, bounds: bool = False) -> int:
    buffer.begin_view(target=ARRAY_BUFFER)
    return buffer.add(values, bounds=bounds)


def strongest_influences(joints: NDArray, weights: NDArray) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the four strongest joints of each vertex (V, 4) and weights that add up to one.

    As the format demands, no joint occurs twice, and a weight of zero belongs to joint 0.
    """
    joints = np.array(joints, dtype=np.int64)
    weights = np.maximum(np.array(weights, dtype=np.float64), 0.0)
    for late in range(1, joints.shape[1]):
        for early in range(late):
            same = joints[:, early] == joints[:, late]
            weights[same, early] += weights[same, late]
            weights[same, late] = 0.0
    order = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    joints, weights = np.take_along_axis(joints, order, axis=1), np.take_along_axis(weights, order, axis=1)
    missing = ((0, 0), (0, INFLUENCES - joints.shape[1]))
    joints, weights = np.pad(joints, missing), np.pad(weights, missing)
    total = weights.sum(axis=1, keepdims=True)
    if not np.all(total > 0.0):
        raise InvalidInput("each vertex of a skin needs a joint with a weight above zero")
    weights /= total
    return np.where(weights > 0.0, joints, 0), weights


Float32Array = NDArray[np.float32]
MAX_FRAMES = 1 << 23  # the most frames that are written: with more, neighbouring times may round to the same 24 bits
_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0], np.float32)


def add_animation(buffer: BufferWriter, motion: Motion, *, name: str, root_node: int) -> Json:
    """Append a motion's keys and return the animation of the nodes from `root_node` on.

    Properties that keep their node's value have no channel, constant ones have a single key, and the root's
    translation always has a key for each frame, which gives the motion its length.
    """
    animation = {"name": name, "channels": [], "samplers": [], "extras": {"gambol": {"rate_hz": motion.rate_hz}}}
    buffer.begin_view()
    times = _times(motion)
    inputs = {len(times): buffer.add(times, bounds=True)}

    def add(node: int, path: str, values: Float32Array, rest: Float32Array) -> None:
        if np.all(values == values[0]):
            if np.all(values[0] == rest):
                return
            values = values[:1]
        if len(values) not in inputs:
            inputs[len(values)] = buffer.add(times[: len(values)], bounds=True)
        _add_channel(animation, root_node + node, path, inputs[len(values)], buffer.add(values))

    _add_channel(animation, root_node, "translation", inputs[len(times)], buffer.add(_vectors(motion.root_positions)))
    rotations = axes.quaternions_to_y_up(motion.rotations)[..., [1, 2, 3, 0]].astype(np.float32)
    for joint in range(motion.skeleton.joint_count):
        add(joint, "rotation", rotations[:, joint], _IDENTITY)
        if joint > 0 and motion.translations is not None:
            rest = _vectors(motion.skeleton.offsets[joint])
            add(joint, "translation", _vectors(motion.translations[:, joint]), rest)
    return animation


def play_together(animations: Sequence[Json], *, name: str) -> Json:
    """Return an animation that plays several at once, with the same keys."""
    samplers: list[Json] = []
    channels: list[Json] = []
    for animation in animations:
        first = len(samplers)
        samplers += animation["samplers"]
        channels += [{**channel, "sampler": first + channel["sampler"]} for channel in animation["channels"]]
    return {"name": name, "channels": channels, "samplers": samplers, "extras": {"gambol": {"everyone": True}}}


def _times(motion: Motion) -> Float32Array:
    if motion.frame_count > MAX_FRAMES:
        raise InvalidInput(
            f"{motion.frame_count:,} frames are more than the {MAX_FRAMES:,} that the 32-bit times of glTF tell apart"
        )
    return (np.arange(motion.frame_count) / motion.rate_hz).astype(np.float32)


def _vectors(values: FloatArray) -> Float32Array:
    return axes.vectors_to_y_up(values).astype(np.float32)


def _add_channel(animation: Json, node: int, path: str, times: int, values: int) -> None:
    animation["channels"].append({"sampler": len(animation["samplers"]), "target": {"node": node, "path": path}})
    animation["samplers"].append({"input": times, "output": values, "interpolation": "LINEAR"})


CLAY = [0.45, 0.39, 0.33, 1.0]  # linear RGBA, 0 to 1: a warm grey that shows shading and is nobody's skin
ROUGHNESS = 0.85  # 0 to 1; larger: more matte
_CLAY: Json = {
    "name": "clay",
    "pbrMetallicRoughness": {"baseColorFactor": CLAY, "metallicFactor": 0.0, "roughnessFactor": ROUGHNESS},
}
EVERYONE = "everyone"  # name of the animation that plays all of a cast


class GlbActor(NamedTuple):
    """A character to write: a name, a motion, and a skin (None builds a body from the skeleton)."""

    name: str
    motion: Motion
    skin: Skin | None = None


def write_glb(path: Path | str, motion: Motion, *, skin: Skin | None = None, name: str = "character") -> None:
    """Write a GLB file; see `to_glb`."""
    write_atomically(path, to_glb(motion, skin=skin, name=name))


def write_cast_glb(path: Path | str, cast: Sequence[GlbActor]) -> None:
    """Write several characters into one GLB file; see `cast_to_glb`."""
    write_atomically(path, cast_to_glb(cast))


def to_glb(motion: Motion, *, skin: Skin | None = None, name: str = "character") -> bytes:
    """Return a motion as a GLB file: in metres, +Y up, facing +Z, with a skinned mesh.

    skin: the mesh to deform; None builds a body from the skeleton.
    """
    return cast_to_glb([GlbActor(name, motion, skin)])


def cast_to_glb(cast: Sequence[GlbActor]) -> bytes:
    """Return several characters in one GLB file, each with its skeleton, skin, mesh and animation.

    Repeated names are numbered ("Ann", "Ann_2").  An animation of everyone comes before those of several characters:
    most programs play a single animation, and begin with the first.  The same input gives the same bytes.
    """
    if not cast:
        raise InvalidInput("a GLB file needs at least one character")
    model: Json = {"asset": {"version": "2.0", "generator": f"gambol {__version__}"}, "scene": 0, "materials": [_CLAY]}
    writer = _Writer(model)
    performers = [GlbActor(*performer) for performer in cast]  # plain tuples will do
    names, _ = unique_names(performer.name for performer in performers)
    for name, performer in zip(names, performers, strict=True):
        writer.add(name, performer.motion, performer.skin)
    if len(names) > 1:
        *_, everyone = unique_names([*names, EVERYONE])[0]
        model["animations"].insert(0, play_together(model["animations"], name=everyone))
    return writer.buffer.to_glb()


class _Writer:
    """Add performers to a model; those that share a skeleton or a skin share its arrays too."""

    def __init__(self, model: Json) -> None:
        self.model = model
        self.buffer = BufferWriter(model)
        self._top_nodes: list[int] = []
        model["scenes"] = [{"nodes": self._top_nodes}]
        model |= {kind: [] for kind in ("nodes", "meshes", "skins", "animations")}
        # The keys are identities of objects, which is safe because the cast outlives the writer.
        self._default_skins: dict[int, Skin] = {}
        self._inverse_binds: dict[tuple[int, int], int] = {}
        self._primitives: dict[int, Json] = {}

    def add(self, name: str, motion: Motion, skin: Skin | None) -> None:
        skeleton, nodes = motion.skeleton, self.model["nodes"]
        meshes, skins = self.model["meshes"], self.model["skins"]
        if skin is None:
            skin = self._default_skin(skeleton)
        check_same_joints(skin.skeleton, skeleton)
        root = self._add_nodes(skeleton)
        joints = list(range(root, len(nodes)))
        # Blender makes one armature of all joints that have the same parent, so each character has its own.
        armature, body = len(nodes), len(nodes) + 1
        nodes.append({"name": name, "children": [root]})
        # A skinned mesh is at the top of the scene: its place comes from the joints alone.
        nodes.append({"name": f"{name}_body", "mesh": len(meshes), "skin": len(skins)})
        self._top_nodes += [armature, body]
        binds = self._inverse_bind_accessor(skin, skeleton)
        skins.append({"name": name, "joints": joints, "skeleton": armature, "inverseBindMatrices": binds})
        meshes.append({"name": name, "primitives": [self._primitive(skin)]})
        self.model["animations"].append(add_animation(self.buffer, motion, name=name, root_node=root))

    def _add_nodes(self, skeleton: Skeleton) -> int:
        """Append the joints, then the tips, and return the root's node."""
        nodes: list[Json] = self.model["nodes"]
        root = len(nodes)
        parents = [*skeleton.parents.tolist(), *skeleton.tip_parents.tolist()]
        offsets = np.concatenate((skeleton.offsets, skeleton.tip_offsets))
        for index, translation in enumerate(axes.vectors_to_y_up(offsets).astype(np.float32).tolist()):
            parent = parents[index]
            end = f"{skeleton.names[parent]}_end"
            is_tip = index >= skeleton.joint_count
            name = end if is_tip else skeleton.names[index]
            node = {"name": name, "translation": translation}
            if is_tip or (parent >= 0 and name.lower() == end.lower()):
                node["extras"] = {"gambol": {"tip": is_tip}}  # else readers would take a joint of such a name for a tip
            if parent >= 0:
                nodes[root + parent].setdefault("children", []).append(len(nodes))
            nodes.append(node)
        return root

    def _default_skin(self, skeleton: Skeleton) -> Skin:
        if id(skeleton) not in self._default_skins:
            self._default_skins[id(skeleton)] = skin_around(skeleton)
        return self._default_skins[id(skeleton)]

    def _inverse_bind_accessor(self, skin: Skin, skeleton: Skeleton) -> int:
        """Return the accessor of the inverted places of joints and tips in the skin's pose."""
        key = id(skin.skeleton), id(skeleton)
        if key not in self._inverse_binds:
            joints = skin.skeleton.rest_positions
            positions = np.concatenate((joints, joints[skeleton.tip_parents] + skeleton.tip_offsets))
            matrices = np.tile(np.eye(4, dtype=np.float32), (len(positions), 1, 1))
            matrices[:, 3, :3] = -axes.vectors_to_y_up(positions)  # column order, as in the format
            self.buffer.begin_view()
            self._inverse_binds[key] = self.buffer.add(matrices.reshape(-1, 16))
        return self._inverse_binds[key]

    def _primitive(self, skin: Skin) -> Json:
        if id(skin) not in self._primitives:
            self._primitives[id(skin)] = add_primitive(self.buffer, skin)
        return self._primitives[id(skin)]
