"""Pick paths one after another, in plain numpy: by the cells they share, how far apart they are, where they survive.

What is picked puts all nodes of its path into the tree; a path that has more nodes which are not there yet than the
budget has left is passed over.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.trees.candidates import PathCells
from gambol.trees.levels import level_slices, of_own_cells
from gambol.trees.survival import WORD_BITS

BLOCK = 256  # paths whose gain is counted at a time

Nodes = NDArray[np.int64]


class Picked:
    """The nodes of a tree that paths are added to, and how many more there may be."""

    def __init__(self, parent: Nodes, budget: int) -> None:
        self.parent, self.levels, self.budget = parent, level_slices(parent), budget
        self.is_in = np.zeros(len(parent), dtype=np.bool_)
        self.is_in[0] = True
        self.nodes: list[int] = []  # ends of the paths that were picked, in order

    def along(self, node: int) -> list[int]:
        """Return the nodes of a path, root included."""
        path = [node]
        while path[-1] > 0:
            path.append(int(self.parent[path[-1]]))
        return path

    def fits(self) -> NDArray[np.bool_]:
        """Return which paths are not in the tree yet and have few enough nodes that are not (N,)."""
        if len(self.levels) <= self.budget:
            return ~self.is_in
        missing = np.zeros(len(self.parent), dtype=np.int64)
        for level in self.levels:
            missing[level] = np.where(self.is_in[level], 0, 1 + missing[self.parent[level]])
        return ~self.is_in & (missing <= self.budget)

    def add(self, node: int) -> list[int]:
        """Put a path into the tree; return its nodes."""
        path = self.along(node)
        self.budget -= sum(not self.is_in[one] for one in path)
        self.is_in[path] = True
        self.nodes.append(node)
        return path

    @property
    def result(self) -> Nodes:
        return np.array(self.nodes, dtype=np.int64)


def pick_by_inner_product(picked: Picked, cells: PathCells, cost: Nodes) -> Nodes:
    """Pick the cheapest path, then the one with the least sum of cells shared with those picked."""
    times = np.zeros(cells.rows * cells.columns, dtype=np.int64)  # how many of those picked pass a cell
    sums = np.zeros(len(picked.parent), dtype=np.int64)
    while (fits := picked.fits()).any():
        own = of_own_cells(np.add, cells, times)
        sums[0] = own[0]
        for level in picked.levels:
            sums[level] = sums[picked.parent[level]] + own[level]
        best = _first_least(sums if picked.nodes else cost, fits)
        for node in picked.add(best):
            times[cells.cell[cells.first[node] : cells.first[node + 1]]] += 1
    return picked.result


def pick_by_inclusion_exclusion(picked: Picked, cells: PathCells, powers: NDArray[np.float64]) -> Nodes:
    """Pick the path with the largest power of its size, less those of its union with each one picked."""
    size = np.zeros(len(picked.parent), dtype=np.int64)
    size[0] = 1
    own, shared = np.diff(cells.first), np.ones(len(size), dtype=np.int64)  # all paths pass the root's cell
    for level in picked.levels:
        size[level] = size[picked.parent[level]] + own[level]
    value = powers[size]
    while (fits := picked.fits()).any():
        best = _first_least(-value, fits)
        is_marked = np.zeros(cells.rows * cells.columns, dtype=np.int64)
        for node in picked.add(best):
            is_marked[cells.cell[cells.first[node] : cells.first[node + 1]]] = 1
        common = of_own_cells(np.add, cells, is_marked)
        for level in picked.levels:
            shared[level] = shared[picked.parent[level]] + common[level]
        value[1:] -= powers[size[1:] + size[best] - shared[1:]]
    return picked.result


def pick_farthest(
    picked: Picked, leaves: Nodes, xs: NDArray[np.float64], ys: NDArray[np.float64], first: int
) -> tuple[Nodes, float | None]:
    """Pick the path farthest from those picked, beginning with one (-1: none fits); distances are sums over points.

    Also return the covering radius: the largest distance of any path to the nearest one picked.
    """
    nearest, radius, best = np.full(len(leaves), np.inf), None, first
    while best >= 0:
        picked.add(int(leaves[best]))
        apart = np.zeros(len(leaves))
        for x, y in zip(xs, ys, strict=True):
            apart += np.sqrt((x - x[best]) ** 2 + (y - y[best]) ** 2)
        nearest = np.minimum(nearest, apart)
        radius = float(nearest.max())
        best = _first_least(-nearest, picked.fits()[leaves])
    return picked.result, radius


def pick_survivors(picked: Picked, leaves: Nodes, survives: NDArray[np.uint64]) -> tuple[Nodes, int]:
    """Pick the path that survives in the most open worlds; also return the number of rounds.

    survives (P, words), by leaf.  In round r a world is open in which fewer than r of those picked survive; where
    nothing is gained any more a new round begins.
    """
    survivors = np.zeros(survives.shape[1] * WORD_BITS, dtype=np.int64)  # of those picked, by world
    turn, gain, open_ = 1, np.full(len(leaves), len(survivors)), _open_worlds(survivors, 1)
    while True:
        best = _most_gained(survives, open_, gain, picked.fits()[leaves])
        if best < 0:
            return picked.result, turn if picked.nodes else 0
        if gain[best] == 0 and turn <= survivors.max():  # once all worlds are open, what gains nothing survives nowhere
            turn += 1
            gain[:] = len(survivors)
        else:
            picked.add(int(leaves[best]))
            survivors += np.unpackbits(survives[best].view(np.uint8), bitorder="little")
        open_ = _open_worlds(survivors, turn)


def _open_worlds(survivors: NDArray[np.int64], turn: int) -> NDArray[np.uint64]:
    return np.packbits(survivors < turn, bitorder="little").view(np.uint64)


def _most_gained(
    survives: NDArray[np.uint64], open_: NDArray[np.uint64], gain: NDArray[np.int64], fits: NDArray[np.bool_]
) -> int:
    """Return the first of the paths that survive in the most open worlds, -1 without any that fits.

    gain: what each gained when last counted, a bound on what it gains now, as open worlds only become fewer; counted
    anew where that may be the most.
    """
    order = np.flatnonzero(fits)
    order = order[np.argsort(-gain[order], kind="stable")]
    most = -1
    for begin in range(0, len(order), BLOCK):
        block = order[begin : begin + BLOCK]
        if gain[block[0]] < most:
            break
        gain[block] = np.bitwise_count(survives[block] & open_).sum(axis=1, dtype=np.int64)
        most = max(most, int(gain[block].max()))
    counted = order[gain[order] == most]
    return int(counted.min()) if len(counted) else -1


def _first_least(values: NDArray, fits: NDArray[np.bool_]) -> int:
    """Return the first of those that fit with the least value, -1 without any."""
    fitting = np.flatnonzero(fits)
    return int(fitting[np.argmin(values[fitting])]) if len(fitting) else -1
