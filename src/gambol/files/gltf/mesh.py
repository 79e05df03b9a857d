"""Write a skin as a glTF mesh primitive."""

from __future__ import annotations

import numpy as np
import pygltflib
from numpy.typing import NDArray

from gambol.body.skin import Skin
from gambol.errors import InvalidInput
from gambol.files import axes
from gambol.files.gltf.buffer import BufferWriter

INFLUENCES = 4  # the most joints that move a vertex; more would need a second set of attributes


def add_primitive(buffer: BufferWriter, skin: Skin) -> pygltflib.Primitive:
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
    attributes = pygltflib.Attributes(
        POSITION=_vertices(buffer, axes.vectors_to_y_up(skin.vertices).astype(np.float32), bounds=True),
        NORMAL=_vertices(buffer, normals.astype(np.float32)),
        JOINTS_0=_vertices(buffer, joints.astype(joint_type)),
        WEIGHTS_0=_vertices(buffer, weights.astype(np.float32)),
    )
    buffer.begin_view(target=pygltflib.ELEMENT_ARRAY_BUFFER)
    indices = buffer.add(corners[~flat].ravel().astype(index_type))
    return pygltflib.Primitive(attributes=attributes, indices=indices, material=0, mode=pygltflib.TRIANGLES)


def _vertices(buffer: BufferWriter, values: NDArray, *, bounds: bool = False) -> int:
    buffer.begin_view(target=pygltflib.ARRAY_BUFFER)
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
