"""Grow, from the cheapest on, what gets somewhere in worlds in which nothing that has grown does."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel
from gambol.trees.kernels.choosing_survivors import ones
from gambol.trees.kernels.growing import clip_of_child, row_of
from gambol.trees.kernels.growing_diverse import add_endings, add_node
from gambol.trees.kernels.growing_trace import OUTSIDE
from gambol.trees.kernels.placing import TURN, child_pose

NONE = -1


class Survival(NamedTuple):
    """In which of 64 * W worlds nodes are reached, and states: cells by headings by groups of what may follow."""

    shut: np.ndarray  # (cells of the region, W) uint64: a bit for each world in which nobody may be there
    reached: np.ndarray  # (N, W) uint64: a bit for each world in which the path to a node survives
    covered: np.ndarray  # (S, W) uint64: a bit for each world in which some node in this state is reached
    bits: np.ndarray  # (W,) uint64, of the child that is looked at
    group: np.ndarray  # (B,) int64
    groups: int
    headings: int
    cell: float  # metres
    columns: int


class Waiting(NamedTuple):
    """Children that may grow, linked by cost in steps of a few centimetres."""

    first: np.ndarray  # (steps,) int32, or NONE
    after: np.ndarray  # (M,) int32, or NONE
    parent: np.ndarray  # (M,) int32
    slot: np.ndarray  # (M,) int32
    step: int  # whole units of cost


@allocation_free_kernel
def grow_surviving_nodes(branching, costs, traces, plot, survival, waiting, growth, least, seed, most):
    """Add from the cheapest on each child that is the first in its state in at least so many worlds.

    Return whether all were looked at: the budget may end before.
    """
    counts, words = growth.counts, len(survival.bits)
    for word in range(words):
        survival.reached[0, word] = ~np.uint64(0)
    held = put_children(branching, costs, waiting, growth, np.int64(0), np.int64(0))
    for step in range(len(waiting.first)):
        while waiting.first[step] != NONE:
            entry = waiting.first[step]
            waiting.first[step] = waiting.after[entry]
            node = np.int64(waiting.parent[entry])
            row = row_of(branching, node, growth.clip)
            behavior = np.int64(branching.inner[branching.first_inner[row] + waiting.slot[entry]])
            played = clip_of_child(branching, seed, node, behavior)
            if not survive(traces, plot, survival, growth, node, played):
                continue
            state = state_of(branching, plot, survival, growth, node, played, behavior)
            gain = 0
            for word in range(words):
                gain += ones(survival.bits[word] & ~survival.covered[state, word])
            if gain < least:
                continue
            if counts[0] >= most:
                return False
            child = add_node(branching, costs, growth, node, played)
            for word in range(words):
                survival.covered[state, word] |= survival.bits[word]
                survival.reached[child, word] = survival.bits[word]
            add_endings(branching, costs, traces, plot, growth, seed, child, most)
            held = put_children(branching, costs, waiting, growth, child, held)
    return True


@allocation_free_kernel
def put_children(branching, costs, waiting, growth, node, held):
    """Let a node's children wait by their costs; return how many wait or have waited."""
    row = row_of(branching, node, growth.clip)
    first = branching.first_inner[row]
    for slot in range(branching.first_inner[row + 1] - first):
        step = (growth.cost[node] + costs[row, branching.inner[first + slot]]) // waiting.step
        if step < len(waiting.first):
            waiting.after[held], waiting.parent[held], waiting.slot[held] = waiting.first[step], node, slot
            waiting.first[step] = held
            held += 1
    return held


@allocation_free_kernel
def survive(traces, plot, survival, growth, node, clip):
    """Fill the bits of a child: worlds in which its parent is reached and no cell on its way is shut.

    Return whether it stays in the region.
    """
    heading = np.float64(growth.pose[node, 2])
    cosine, sine = math.cos(heading), math.sin(heading)
    for word in range(len(survival.bits)):
        survival.bits[word] = survival.reached[node, word]
    before = OUTSIDE
    for point in range(traces.first[clip], traces.last[clip]):
        x = growth.pose[node, 0] + cosine * traces.x[point] - sine * traces.y[point]
        y = growth.pose[node, 1] + sine * traces.x[point] + cosine * traces.y[point]
        column, row = math.floor((x - plot.x0) / plot.cell), math.floor((y - plot.y0) / plot.cell)
        if row < 0 or row >= plot.rows or column < 0 or column >= plot.columns:
            return False
        cell = row * plot.columns + column
        if cell == before:
            continue
        if plot.inside[cell] == 0:
            return False
        for word in range(len(survival.bits)):
            survival.bits[word] &= ~survival.shut[cell, word]
        before = cell
    return True


@allocation_free_kernel
def state_of(branching, plot, survival, growth, node, clip, behavior):
    """Return the state in which a child would be."""
    x, y, heading = child_pose(
        growth.pose[node, 0], growth.pose[node, 1], growth.pose[node, 2],
        branching.displacement[clip, 0], branching.displacement[clip, 1], branching.displacement[clip, 2],
    )  # fmt: skip
    # Rounding may put a pose on the region's very edge beyond it.
    column = max(math.floor((x - plot.x0) / survival.cell), 0)
    row = max(math.floor((y - plot.y0) / survival.cell), 0)
    facing = math.floor((heading / TURN + 0.5) * survival.headings) % survival.headings
    return ((row * survival.columns + column) * survival.headings + facing) * survival.groups + survival.group[behavior]
