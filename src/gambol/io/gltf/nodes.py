"""The node hierarchy of a glTF file: who hangs on whom, at rest and while moving."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import MalformedFile
from gambol.geometry import quaternion
from gambol.io.gltf import fields
from gambol.io.gltf.animation import Channel, sample
from gambol.io.gltf.fields import Json

FloatArray = NDArray[np.float64]
MAX_NODES = 100_000
WORLD = -1  # stands in the place of a node for the world itself


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of a file, in its axes and units."""

    specs: list[Json]
    names: list[str]  # "" where the file gives none
    parents: list[int]  # -1 for a root
    children: list[list[int]]
    order: list[int]  # parents before children
    rank: list[int]  # where a node is in that order

    def with_ancestors(self, chosen: Iterable[int]) -> list[int]:
        """Return these nodes and all above them, parents before children."""
        wanted: set[int] = set()
        for node in chosen:
            while node >= 0 and node not in wanted:
                wanted.add(node)
                node = self.parents[node]
        return sorted(wanted, key=self.rank.__getitem__)

    def with_descendants(self, chosen: Iterable[int]) -> list[int]:
        """Return these nodes and all below them, parents before children."""
        wanted = set(chosen)
        for node in self.order:
            if self.parents[node] in wanted:
                wanted.add(node)
        return [node for node in self.order if node in wanted]

    def common_ancestor(self, chosen: Iterable[int]) -> int:
        """Return the lowest node that is, or is above, each of these; -1 where there is none."""
        chosen = set(chosen)
        above = self.with_ancestors(chosen)
        below = {node: int(node in chosen) for node in above}
        for node in reversed(above):
            if self.parents[node] >= 0:
                below[self.parents[node]] += below[node]
        return next((node for node in reversed(above) if below[node] == len(chosen)), -1)


def read_nodes(contents: Json) -> Nodes:
    """Read the hierarchy and refuse what is not a forest."""
    specs = fields.objects(contents, "nodes")
    if not specs:
        raise MalformedFile("the file has no nodes, so nothing that could move")
    if len(specs) > MAX_NODES:
        raise MalformedFile(f"{len(specs):,} nodes are more than the {MAX_NODES:,} that are read")
    parents = [-1] * len(specs)
    children = []
    for node, spec in enumerate(specs):
        children.append(fields.indices(spec, "children", f"nodes[{node}]", below=len(specs)))
        for child in children[-1]:
            if parents[child] >= 0:
                raise MalformedFile(f"nodes[{child}] is a child of both nodes[{parents[child]}] and nodes[{node}]")
            parents[child] = node
    order = [node for node, parent in enumerate(parents) if parent < 0]
    for node in order:  # grows while it is walked: breadth first, without recursion
        order.extend(children[node])
    if len(order) < len(specs):
        cyclic = next(iter(set(range(len(specs))) - set(order)))
        raise MalformedFile(f"the node hierarchy is cyclic: nodes[{cyclic}] hangs on itself")
    rank = [0] * len(specs)
    for place_in_order, node in enumerate(order):
        rank[node] = place_in_order
    return Nodes(specs, [fields.text(spec, "name") for spec in specs], parents, children, order, rank)


@dataclass(frozen=True, eq=False)
class Placement:
    """Nodes in the world of the file: p_world = linear @ p_node + position."""

    linear: FloatArray  # (F, N, 3, 3) rotation, scale and, below uneven scales, shear
    position: FloatArray  # (F, N, 3)


def place(
    nodes: Nodes,
    chosen: Sequence[int],
    channels: Mapping[tuple[int, str], Channel],
    times: FloatArray,
) -> Placement:
    """Place the chosen nodes in the world at these times."""
    worlds: dict[int, tuple[FloatArray, FloatArray]] = {WORLD: (np.eye(3)[None], np.zeros((1, 3)))}
    with np.errstate(over="ignore", invalid="ignore"):
        for node in nodes.with_ancestors(chosen):
            linear, position = _local(nodes.specs[node], node, channels, times)
            above, origin = worlds[nodes.parents[node]]
            worlds[node] = above @ linear, origin + (above @ position[..., None])[..., 0]
    frames = len(times)
    result = Placement(
        np.stack([np.broadcast_to(worlds[node][0], (frames, 3, 3)) for node in chosen], axis=1),
        np.stack([np.broadcast_to(worlds[node][1], (frames, 3)) for node in chosen], axis=1),
    )
    if not all(np.all(np.abs(values) <= fields.MAX_VALUE) for values in (result.linear, result.position)):
        raise MalformedFile("scales and translations multiply to positions beyond any use")
    return result


def _local(
    spec: Json, node: int, channels: Mapping[tuple[int, str], Channel], times: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return a node relative to its parent: (F or 1, 3, 3) and (F or 1, 3)."""
    where = f"nodes[{node}]"
    matrix = fields.numbers(spec, "matrix", where, count=16)
    moving = [channels.get((node, path)) for path in ("translation", "rotation", "scale")]
    if matrix is not None:
        affine = np.reshape(matrix, (4, 4)).T  # the file's matrices are in column order
        if all(channel is None for channel in moving):
            return affine[None, :3, :3], affine[None, :3, 3]
        # The format forbids animating a node with a matrix; like other readers, take the matrix apart.
        rest = _decompose(affine)
    else:
        rest = (
            np.array(fields.numbers(spec, "translation", where, count=3) or (0.0, 0.0, 0.0)),
            np.array(fields.numbers(spec, "rotation", where, count=4) or (0.0, 0.0, 0.0, 1.0)),
            np.array(fields.numbers(spec, "scale", where, count=3) or (1.0, 1.0, 1.0)),
        )
    translation, xyzw, scale = (
        value[None] if channel is None else sample(channel, times) for value, channel in zip(rest, moving, strict=True)
    )
    rotation = quaternion.to_matrix(quaternion.normalize(xyzw[..., [3, 0, 1, 2]]))
    return rotation * scale[..., None, :], translation


def _decompose(affine: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Split an affine matrix into translation, rotation xyzw and scale, ignoring shear."""
    linear = affine[:3, :3]
    scale = np.linalg.norm(linear, axis=0)
    scale[0] *= -1.0 if np.linalg.det(linear) < 0.0 else 1.0
    wxyz = quaternion.from_matrix(linear / np.where(scale == 0.0, 1.0, scale))
    return affine[:3, 3], wxyz[[1, 2, 3, 0]], scale
