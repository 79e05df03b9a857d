"""Choose paths by the cells that they share: the least inner product, the largest chance of being free alone."""

from __future__ import annotations

import numpy as np

from gambol.kernels.jit import kernel
from gambol.trees.kernels.choosing import add_path, missing_nodes


@kernel
def choose_by_inner_product(parent, cells, cost, deepest, budget, picked):
    """Fill picked with the nodes chosen, in order, and return how many; budget: nodes but for the root.

    All nodes are candidates that are not in the tree.  A path's sum is its parent's and the counts of its new cells.
    """
    is_in = np.zeros(len(parent), dtype=np.bool_)
    is_in[0] = True
    times = np.zeros(cells.rows * cells.columns, dtype=np.int64)  # how many of those chosen pass a cell
    sums = np.zeros(len(parent), dtype=np.int64)
    count = 0
    while True:
        best = -1
        for node in range(1, len(parent)):
            total = sums[parent[node]]
            for entry in range(cells.first[node], cells.first[node + 1]):
                total += times[cells.cell[entry]]
            sums[node] = total
            if is_in[node]:
                continue
            better = best < 0 or (cost[node] < cost[best] if count == 0 else total < sums[best])
            if better and (deepest <= budget or missing_nodes(parent, is_in, node) <= budget):
                best = node
        if best < 0:
            return count
        picked[count] = best
        count += 1
        budget -= add_path(parent, is_in, best)
        node = best
        while node >= 0:
            for entry in range(cells.first[node], cells.first[node + 1]):
                times[cells.cell[entry]] += 1
            node = parent[node]
        sums[0] = times[cells.cell[0]]


@kernel
def choose_by_inclusion_exclusion(parent, cells, powers, deepest, budget, picked):
    """Fill picked with the nodes chosen, in order, and return how many; budget: nodes but for the root.

    powers: of the chance that a cell is free.  All nodes are candidates that are not in the tree.
    """
    nodes = len(parent)
    is_in = np.zeros(nodes, dtype=np.bool_)
    is_in[0] = True
    size = np.ones(nodes, dtype=np.int64)
    for node in range(1, nodes):
        size[node] = size[parent[node]] + cells.first[node + 1] - cells.first[node]
    value = powers[size]
    is_marked = np.zeros(cells.rows * cells.columns, dtype=np.bool_)
    shared = np.zeros(nodes, dtype=np.int64)
    shared[0] = 1  # all paths pass the root's cell
    count = 0
    while True:
        best = -1
        for node in range(1, nodes):
            if (
                not is_in[node]
                and (best < 0 or value[node] > value[best])
                and (deepest <= budget or missing_nodes(parent, is_in, node) <= budget)
            ):
                best = node
        if best < 0:
            return count
        picked[count] = best
        count += 1
        budget -= add_path(parent, is_in, best)
        mark_path(parent, cells, best, is_marked, True)
        for node in range(1, nodes):
            common = shared[parent[node]]
            for entry in range(cells.first[node], cells.first[node + 1]):
                common += is_marked[cells.cell[entry]]
            shared[node] = common
            value[node] -= powers[size[node] + size[best] - common]
        mark_path(parent, cells, best, is_marked, False)


@kernel
def mark_path(parent, cells, node, is_marked, mark):
    while node >= 0:
        for entry in range(cells.first[node], cells.first[node + 1]):
            is_marked[cells.cell[entry]] = mark
        node = parent[node]
