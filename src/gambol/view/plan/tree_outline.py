"""How far a search tree reaches, as an outline [LK06 figure 9]."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
import shapely

from gambol.geometry.arrays import FloatArray
from gambol.trees.trace_back import placed
from gambol.trees.tree import SearchTree
from gambol.world.obstacle import Pose

CELL_M = 0.5  # in which nodes are counted
BRIDGED_M = 1.0  # gaps and inlets narrower than twice this are no part of the outline
ROUGH_M = 0.1  # by which the outline may be off
APART_M = 0.7  # at most between two points of it: it is laid on hills

_KNOWN: WeakKeyDictionary[SearchTree, shapely.Geometry] = WeakKeyDictionary()


def tree_outline(tree: SearchTree, start: Pose, bounds: tuple[float, float, float, float]) -> FloatArray:
    """Return the outline of what a tree reaches of a world from a start, as segments (S, 2, 2)."""
    region = shapely.transform(_region(tree), lambda points: _placed(points, start))
    edges = [np.empty((0, 2, 2))]
    for part in shapely.get_parts(shapely.intersection(region, shapely.box(*bounds))):
        if isinstance(part, shapely.Polygon):
            edge = shapely.get_coordinates(shapely.segmentize(shapely.get_exterior_ring(part), APART_M))
            edges.append(np.stack((edge[:-1], edge[1:]), axis=1))
    return np.concatenate(edges)


def _region(tree: SearchTree) -> shapely.Geometry:
    """Return where a tree's nodes are, in its frame; worked out once."""
    if tree not in _KNOWN:
        cells = CELL_M * np.unique(np.floor(tree.pose[:, :2] / CELL_M).astype(np.int64), axis=0)
        squares = shapely.box(cells[:, 0], cells[:, 1], cells[:, 0] + CELL_M, cells[:, 1] + CELL_M)
        region = shapely.union_all(squares).buffer(BRIDGED_M).buffer(-BRIDGED_M)
        _KNOWN[tree] = shapely.simplify(region, ROUGH_M)
    return _KNOWN[tree]


def _placed(points: FloatArray, start: Pose) -> FloatArray:
    return placed(np.column_stack((points, np.zeros(len(points)))), start)[:, :2]
