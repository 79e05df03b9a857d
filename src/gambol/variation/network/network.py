"""Which numbers of a motion depend on which: the graphs of a dynamic Bayesian network [L09 5.2]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, Int64Array, frozen_array
from gambol.variation.network.tables import ParentLists

MOST_PARENTS = 15  # the most parents of a node (L09's have 2 to 15); larger: learning takes longer


@dataclass(frozen=True, eq=False)
class Network:
    """A prior network over the first two frames, and a transition network from two frames to the next.

    Nodes 0 to n - 1 are the numbers of the earlier of two frames, n to 2 n - 1 those of the later one.
    """

    prior: BoolArray  # (2n, 2n) whether the second node is a parent of the first
    transition: BoolArray  # (n, 2n) whether a node of two frames is a parent of a number in the next frame
    held: BoolArray  # (n,) numbers that are given: they may be parents, and have none

    def __post_init__(self) -> None:
        for name in ("prior", "transition", "held"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.bool_))
        count = len(self.held)
        if self.prior.shape != (2 * count, 2 * count) or self.transition.shape != (count, 2 * count):
            raise InvalidInput(
                f"networks over {count} numbers expected, not {self.prior.shape}, {self.transition.shape}"
            )
        free = ~self.held
        if not (self.transition & self_edges(count))[free].sum() == 2 * free.sum():
            raise InvalidInput("every number that varies must have itself, in both frames before, as a parent")
        if self.transition[self.held].any() or self.prior[np.tile(self.held, 2)].any():
            raise InvalidInput("a number that is held must have no parents")
        _ = self.order  # acyclic, or an error

    @property
    def count(self) -> int:
        """n: the degrees of freedom."""
        return len(self.held)

    @property
    def by_change(self) -> bool:
        """Return whether each number of the second frame has itself in the first as a parent, and is a change of it."""
        own = np.diagonal(self.prior[self.count :, : self.count])
        return bool((own | self.held).all())

    @cached_property
    def order(self) -> Int64Array:
        """Return the nodes (2n,) of the prior network, parents before children."""
        return topological_order(self.prior)


def self_edges(count: int) -> BoolArray:
    """Return the edges (n, 2n) of numbers that each depend on themselves alone."""
    return np.tile(np.eye(count, dtype=np.bool_), 2)


def topological_order(parents: BoolArray) -> Int64Array:
    """Return the nodes of a graph (M, M), parents before children."""
    waiting = parents.sum(axis=1)
    ready = [int(node) for node in np.flatnonzero(waiting == 0)]
    order = []
    while ready:
        node = ready.pop()
        order.append(node)
        children = np.flatnonzero(parents[:, node])
        waiting[children] -= 1
        ready.extend(int(child) for child in children if waiting[child] == 0)
    if len(order) < len(parents):
        raise InvalidInput("a prior network must have no cycles")
    return np.array(order, np.int64)


def ancestors_of(parents: BoolArray) -> BoolArray:
    """Return whether the second node is an ancestor of the first, for every two nodes (M, M) of a graph."""
    found = parents.copy()
    for node in topological_order(parents):
        found[node] |= found[parents[node]].any(axis=0)
    return found


def listed(parents: BoolArray) -> ParentLists:
    """Return parents (M, N) as lists, one after another."""
    starts = np.concatenate(([0], np.cumsum(parents.sum(axis=1)))).astype(np.int64)
    return ParentLists(starts, np.nonzero(parents)[1].astype(np.int64))
