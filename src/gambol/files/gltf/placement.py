"""Place the nodes of a glTF file in its world, at rest and in motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gambol.errors import MalformedFile
from gambol.files.gltf import fields
from gambol.files.gltf.animation import Channel, sample
from gambol.files.gltf.nodes import WORLD, Nodes
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray

Channels = Mapping[tuple[int, str], Channel]  # by node and path
Frame = tuple[FloatArray, FloatArray]  # linear (F or 1, 3, 3) and position (F or 1, 3)


@dataclass(frozen=True, eq=False)
class Placement:
    """Nodes in the world of the file: p_world = linear @ p_node + position."""

    linear: FloatArray  # (F, N, 3, 3) rotation, scale and, below uneven scales, shear
    position: FloatArray  # (F, N, 3)


class Placer:
    """Place chosen nodes in the world, at rest or at any times of an animation; still nodes are placed once."""

    def __init__(self, nodes: Nodes, chosen: Sequence[int], channels: Channels | None = None) -> None:
        self._nodes = nodes
        self._chosen = chosen
        self._channels = channels or {}
        used = nodes.with_ancestors(chosen)
        self.node_count = len(used)
        moving: set[int] = {node for node, _ in self._channels}
        self._still = [node for node in used if not self._moves_with(node, moving)]
        self._moving = [node for node in used if node in moving]
        self._rest = _RestPoses(nodes, used)
        self._worlds: dict[int, Frame] = {WORLD: (np.eye(3)[None], np.zeros((1, 3)))}
        for node in self._still:
            self._compose(self._worlds, node, self._rest.local(node))

    def _moves_with(self, node: int, moving: set[int]) -> bool:
        """Return whether a node moves, and mark it if its parent moves; call it with parents before children."""
        if self._nodes.parents[node] in moving:
            moving.add(node)
        return node in moving

    def at(self, times: FloatArray) -> Placement:
        """Return the places of the chosen nodes at these times."""
        worlds = dict(self._worlds)
        for node in self._moving:
            self._compose(worlds, node, self._local(node, times))
        linear = np.empty((len(times), len(self._chosen), 3, 3))
        position = np.empty((len(times), len(self._chosen), 3))
        for column, node in enumerate(self._chosen):
            linear[:, column], position[:, column] = worlds[node]
        if not all(np.all(np.abs(values) <= fields.MAX_VALUE) for values in (linear, position)):
            raise MalformedFile("scales and translations multiply to positions beyond any use")
        return Placement(linear, position)

    def _compose(self, worlds: dict[int, Frame], node: int, local: Frame) -> None:
        above, origin = worlds[self._nodes.parents[node]]
        with np.errstate(over="ignore", invalid="ignore"):
            worlds[node] = above @ local[0], origin + (above @ local[1][..., None])[..., 0]

    def _local(self, node: int, times: FloatArray) -> Frame:
        translation, rotation, scale = (self._channels.get((node, path)) for path in _PATHS)
        if rotation is None and scale is None and translation is None:
            return self._rest.local(node)
        rest = self._rest.parts(node)
        position, xyzw, size = (
            value[None] if channel is None else sample(channel, times)
            for value, channel in zip(rest, (translation, rotation, scale), strict=True)
        )
        return _linear(xyzw, size), position


_PATHS = ("translation", "rotation", "scale")
_DEFAULTS = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0))


class _RestPoses:
    """The nodes' own transforms, relative to their parents."""

    def __init__(self, nodes: Nodes, used: list[int]) -> None:
        self._row = {node: row for row, node in enumerate(used)}
        self._matrices: dict[int, FloatArray] = {}
        columns = []
        for path, default in zip(_PATHS, _DEFAULTS, strict=True):
            rows = [
                fields.numbers(nodes.specs[node], path, f"nodes[{node}]", count=len(default)) or default
                for node in used
            ]
            columns.append(np.reshape(rows, (-1, len(default))))
        self._translations, self._xyzw, self._scales = columns
        self._linear = _linear(self._xyzw, self._scales)
        for node in used:
            matrix = fields.numbers(nodes.specs[node], "matrix", f"nodes[{node}]", count=16)
            if matrix is not None:
                self._matrices[node] = np.reshape(matrix, (4, 4)).T  # column order in the file

    def local(self, node: int) -> Frame:
        if node in self._matrices:
            return self._matrices[node][None, :3, :3], self._matrices[node][None, :3, 3]
        row = self._row[node]
        return self._linear[row : row + 1], self._translations[row : row + 1]

    def parts(self, node: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return translation, rotation xyzw and scale."""
        if node in self._matrices:
            # The format forbids animating a node with a matrix; like other readers, we split the matrix.
            return _decompose(self._matrices[node])
        row = self._row[node]
        return self._translations[row], self._xyzw[row], self._scales[row]


def _linear(xyzw: FloatArray, scale: FloatArray) -> FloatArray:
    return quaternion.to_matrix(quaternion.normalize(xyzw[..., [3, 0, 1, 2]])) * scale[..., None, :]


def _decompose(affine: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Split an affine matrix into translation, rotation xyzw and scale, ignoring shear."""
    linear = affine[:3, :3]
    scale = np.linalg.norm(linear, axis=0)
    scale[0] *= -1.0 if np.linalg.det(linear) < 0.0 else 1.0
    wxyz = quaternion.from_matrix(linear / np.where(scale == 0.0, 1.0, scale))
    return affine[:3, 3], wxyz[[1, 2, 3, 0]], scale
