"""Grow the cheapest paths there are, one for each entry of two tables of states."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel
from gambol.trees.kernels.growing import clip_of_child, row_of
from gambol.trees.kernels.placing import TURN, child_pose

BENDS = 5  # a path is straight, or bends a little or much to the left or to the right


class Children(NamedTuple):
    """What may follow, the cheapest first: rows for each behavior and then one for the root."""

    behavior: np.ndarray
    cost: np.ndarray  # whole units
    first: np.ndarray  # (B + 2,)


class Tables(NamedTuple):
    """Which states a path leads to already.  K kinds of states, from 0 on; what ends a path is the last."""

    kind: np.ndarray  # (B,)
    fine: np.ndarray  # (K, rows, rows, sectors)
    fine_m: float
    bent: np.ndarray  # (K, rows, rows, sectors * BENDS)
    bent_m: float
    sectors: int
    bend: float  # area between a path and its chord, by the chord squared, from which on it is bent
    much: float  # and bent much
    reach_m: float


class Shoots(NamedTuple):
    """N nodes that grow."""

    parent: np.ndarray
    clip: np.ndarray
    pose: np.ndarray  # (N, 3) float32
    cost: np.ndarray
    area: np.ndarray  # between the path and its chord, to the left
    next_child: np.ndarray  # place in its row of the next child to look at
    waiting_cost: np.ndarray  # a heap of nodes by the cost of that child
    waiting_node: np.ndarray


@allocation_free_kernel
def comes_before(shoots, one, other):
    if shoots.waiting_cost[one] != shoots.waiting_cost[other]:
        return shoots.waiting_cost[one] < shoots.waiting_cost[other]
    return shoots.waiting_node[one] < shoots.waiting_node[other]


@allocation_free_kernel
def swap(shoots, one, other):
    cost, node = shoots.waiting_cost[one], shoots.waiting_node[one]
    shoots.waiting_cost[one], shoots.waiting_node[one] = shoots.waiting_cost[other], shoots.waiting_node[other]
    shoots.waiting_cost[other], shoots.waiting_node[other] = cost, node


@allocation_free_kernel
def sink(shoots, size):
    """Let the first of the heap go to its place."""
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            return
        if child + 1 < size and comes_before(shoots, child + 1, child):
            child += 1
        if not comes_before(shoots, child, at):
            return
        swap(shoots, child, at)
        at = child


@allocation_free_kernel
def rise(shoots, at):
    """Let one of the heap go up to its place."""
    while at > 0:
        above = (at - 1) // 2
        if not comes_before(shoots, at, above):
            return
        swap(shoots, at, above)
        at = above


@allocation_free_kernel
def is_new(tables, kind, x, y, heading, area):
    """Enter a path's end into both tables; return whether either had none there."""
    sector = np.int64(math.floor(heading / TURN * tables.sectors + 0.5)) % tables.sectors
    half = tables.fine.shape[1] // 2
    row, column = np.int64(math.floor(y / tables.fine_m)) + half, np.int64(math.floor(x / tables.fine_m)) + half
    fresh = not tables.fine[kind, row, column, sector]
    tables.fine[kind, row, column, sector] = True
    bend = area / (x * x + y * y + 1.0)
    side = 0
    if abs(bend) > tables.bend:
        side = (1 if bend > 0.0 else 2) + (2 if abs(bend) > tables.much else 0)
    half = tables.bent.shape[1] // 2
    row, column = np.int64(math.floor(y / tables.bent_m)) + half, np.int64(math.floor(x / tables.bent_m)) + half
    fresh = fresh or not tables.bent[kind, row, column, sector * BENDS + side]
    tables.bent[kind, row, column, sector * BENDS + side] = True
    return fresh


@allocation_free_kernel
def grow_cheapest_nodes(branching, children, tables, shoots, seed, most):
    """Grow nodes in the order of their costs, until there are so many or no state is left; return how many there are.

    Each node waits with its next child alone, so that no more than the nodes wait.
    """
    count, size = 1, 1
    shoots.next_child[0] = children.first[len(branching.is_ending)]
    shoots.waiting_cost[0], shoots.waiting_node[0] = children.cost[shoots.next_child[0]], 0
    while size > 0 and count < most:
        parent = shoots.waiting_node[0]
        cost = shoots.waiting_cost[0]
        entry = shoots.next_child[parent]
        row = row_of(branching, parent, shoots.clip)
        shoots.next_child[parent] = entry + 1
        if entry + 1 < children.first[row + 1]:
            shoots.waiting_cost[0] = shoots.cost[parent] + children.cost[entry + 1]
        else:
            size -= 1
            swap(shoots, 0, size)
        sink(shoots, size)
        behavior = np.int64(children.behavior[entry])
        clip = clip_of_child(branching, seed, parent, behavior)
        x, y, heading = child_pose(
            shoots.pose[parent, 0], shoots.pose[parent, 1], shoots.pose[parent, 2],
            branching.displacement[clip, 0], branching.displacement[clip, 1], branching.displacement[clip, 2],
        )  # fmt: skip
        if x * x + y * y > tables.reach_m * tables.reach_m:
            continue
        area = shoots.area[parent] + 0.5 * (shoots.pose[parent, 0] * y - shoots.pose[parent, 1] * x)
        if not is_new(tables, tables.kind[behavior], x, y, heading, area):
            continue
        shoots.parent[count], shoots.clip[count] = parent, clip
        shoots.pose[count, 0], shoots.pose[count, 1], shoots.pose[count, 2] = x, y, heading
        shoots.cost[count], shoots.area[count] = cost, area
        shoots.next_child[count] = children.first[behavior]
        if not branching.is_ending[behavior] and children.first[behavior] < children.first[behavior + 1]:
            shoots.waiting_cost[size] = cost + children.cost[children.first[behavior]]
            shoots.waiting_node[size] = count
            rise(shoots, size)
            size += 1
        count += 1
    return count
