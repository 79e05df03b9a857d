"""The connected surfaces of a mesh."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.files.mesh_file import FileMesh
from gambol.geometry.arrays import FloatArray, Int64Array

WELD_M = 1e-5  # metres, > 0: vertices are rounded to this and equal ones become one; larger loses fine detail
REST_M = 0.02  # metres: an opening counts as closed if all of it is this low above the lowest point; larger fills more


@dataclass(frozen=True, eq=False)
class Component:
    """Triangles connected by their edges."""

    vertices: FloatArray  # (V, 3), of the whole mesh
    triangles: Int64Array  # (T, 3), of this component
    closed: bool  # whether it separates an inside from an outside; an opening at its foot does not count

    @cached_property
    def corners(self) -> FloatArray:
        """Corners of the triangles, (T, 3, 3)."""
        return self.vertices[self.triangles]

    @cached_property
    def height_range(self) -> tuple[float, float]:
        """Least and greatest height."""
        return float(self.corners[..., 2].min()), float(self.corners[..., 2].max())

    @cached_property
    def plan_areas(self) -> FloatArray:
        """Areas of the triangles in plan view (T,), positive where they face up."""
        a, b, c = (self.corners[:, k, :2] for k in range(3))
        return 0.5 * np.asarray((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])

    @cached_property
    def areas(self) -> FloatArray:
        """True areas of the triangles (T,)."""
        a, b, c = (self.corners[:, k] for k in range(3))
        return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)

    @cached_property
    def volume(self) -> float:
        """Volume inside a closed component; negative if it is inside out, like the walls of a room."""
        above = self.corners[..., 2].mean(axis=1) - self.height_range[0]
        return float(np.sum(self.plan_areas * above))

    @property
    def solid(self) -> bool:
        """Whether its inside is filled."""
        return self.closed and self.volume > 0.0


def split_mesh(mesh: FileMesh) -> list[Component]:
    """Return the connected surfaces of a mesh.

    Neither different shapes of a file nor edges shared by more than two triangles connect surfaces: things that only
    touch stay two things.
    """
    vertices, triangles = _welded(mesh)
    if len(triangles) == 0:
        return []
    edges = np.stack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]], axis=1).reshape(-1, 2)
    forward = np.where(edges[:, 0] < edges[:, 1], 1, -1)
    keys = np.sort(edges, axis=1)
    edge = _numbered(keys[:, 0] * len(vertices) + keys[:, 1])
    face = np.repeat(np.arange(len(triangles)), 3)
    labels = _connected(edge, face, len(triangles))
    open_edge = _open_edges(edge, forward, labels[face])
    lowest = np.full(labels.max() + 1, np.inf)
    np.minimum.at(lowest, labels, vertices[triangles, 2].min(axis=1))
    too_high = open_edge & (vertices[edges, 2].max(axis=1) > lowest[labels[face]] + REST_M)
    closed = np.ones(len(lowest), dtype=bool)
    closed[labels[face][too_high]] = False
    return [Component(vertices, triangles[chosen], bool(closed[k])) for k, chosen in _by_label(labels)]


def _welded(mesh: FileMesh) -> tuple[FloatArray, Int64Array]:
    """Return vertices and triangles with equal vertices of a shape merged, without triangles that are only lines."""
    part_of_vertex = np.zeros(len(mesh.vertices), dtype=np.int64)
    part_of_vertex[mesh.triangles] = mesh.parts[:, None]
    places = np.column_stack((np.rint(mesh.vertices / WELD_M).astype(np.int64), part_of_vertex))
    _, first, number = np.unique(places, axis=0, return_index=True, return_inverse=True)
    triangles = number.reshape(-1)[mesh.triangles]
    a, b, c = triangles.T
    proper = (a != b) & (b != c) & (c != a)
    return np.ascontiguousarray(mesh.vertices[first]), triangles[proper]


def _numbered(keys: Int64Array) -> Int64Array:
    return np.unique(keys, return_inverse=True)[1].reshape(-1)


def _connected(edge: Int64Array, face: Int64Array, count: int) -> Int64Array:
    """Return the number of each face's component; edges shared by exactly two faces connect them."""
    order = np.argsort(edge, kind="stable")
    ordered, uses = edge[order], np.bincount(edge)
    first = order[np.flatnonzero(np.diff(ordered, prepend=-1))]  # the first use of each edge, by edge
    last = order[np.cumsum(uses) - 1]
    pair = uses == 2
    links = scipy.sparse.coo_array((np.ones(pair.sum()), (face[first[pair]], face[last[pair]])), shape=(count, count))
    return scipy.sparse.csgraph.connected_components(links, directed=False)[1].astype(np.int64)


def _open_edges(edge: Int64Array, forward: Int64Array, component: Int64Array) -> NDArray[np.bool_]:
    """Return which uses of edges have no matching use in the other direction in their component."""
    key = _numbered(edge * (component.max() + 1) + component)
    balance = np.bincount(key, weights=forward)
    uses = np.bincount(key)
    return ((uses != 2) | (balance != 0.0))[key]


def _by_label(labels: Int64Array) -> Iterator[tuple[int, Int64Array]]:
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels))
    yield from enumerate(np.split(order, ends[:-1]))
