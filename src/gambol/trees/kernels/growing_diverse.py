"""Grow the diverse tree: sample, nearest node, the child that spreads paths most evenly [L09 algorithm 2]."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.characters.kernels.clip_choice import WORD, scramble
from gambol.kernels.jit import allocation_free_kernel
from gambol.trees.kernels.growing import clip_of_child, row_of
from gambol.trees.kernels.growing_buckets import NONE, least_node_near, nearest_node, put_node, take_node
from gambol.trees.kernels.growing_trace import OUTSIDE, add_trace, trace
from gambol.trees.kernels.placing import child_pose

WHOLE = 4294967296.0  # 2 ** 32
TAKEN = np.uint8(1)


class Growth(NamedTuple):
    """Nodes in the order in which they grew; A is the most behaviors that may follow one."""

    parent: np.ndarray  # (N,) int64
    clip: np.ndarray  # (N,) int64
    pose: np.ndarray  # (N, 3) float32
    cost: np.ndarray  # (N,) int64 whole units from the root
    load: np.ndarray  # (N,) int64: cost times one more than the children, endings aside
    taken: np.ndarray  # (N, A) uint8: this child has grown or leaves the region
    cells: np.ndarray  # the region's cells
    counts: np.ndarray  # (3,) int64: nodes, samples drawn, counts of all cells together


@allocation_free_kernel
def random_word(seed, number, which):
    """Return 32 random bits: a hash of the seed and of what they are for."""
    word = scramble(seed & WORD)
    word = scramble(word ^ ((seed >> 32) & WORD))
    word = scramble(word ^ (number & WORD))
    word = scramble(word ^ ((number >> 32) & WORD))
    return scramble(word ^ which)


@allocation_free_kernel
def sample_place(plot, cells, seed, number):
    """Return a random place in the region: in a random cell of it."""
    cell = cells[(random_word(seed, number, np.int64(1)) * len(cells)) >> 32]
    x = plot.x0 + (cell % plot.columns + random_word(seed, number, np.int64(2)) / WHOLE) * plot.cell
    y = plot.y0 + (cell // plot.columns + random_word(seed, number, np.int64(3)) / WHOLE) * plot.cell
    return x, y


@allocation_free_kernel
def grow_diverse_nodes(branching, costs, traces, plot, buckets, growth, near, seed, most):
    """Add nodes until there are so many or no child is left.

    near: a node is expanded that is the least loaded within so many metres of a sample; where there is none
        (always, if it is 0), the nearest.
    """
    pose, counts, ncells = growth.pose, growth.counts, len(growth.cells)
    while counts[0] < most and buckets.held[0] > 0:
        x, y = sample_place(plot, growth.cells, seed, counts[1])
        counts[1] += 1
        node = np.int64(NONE)
        if near > 0.0:
            node = least_node_near(buckets, pose, growth.load, x, y, near)
        if node == NONE:
            node = nearest_node(buckets, pose, x, y)
        row = row_of(branching, node, growth.clip)
        first = branching.first_inner[row]
        heading = np.float64(pose[node, 2])
        cosine, sine = math.cos(heading), math.sin(heading)
        px, py = np.float64(pose[node, 0]), np.float64(pose[node, 1])
        best, best_length, best_rise, left = np.int64(NONE), np.int64(1), np.int64(0), 0
        for slot in range(branching.first_inner[row + 1] - first):
            if growth.taken[node, slot]:
                continue
            played = clip_of_child(branching, seed, node, branching.inner[first + slot])
            length, passed = trace(traces, plot, played, px, py, cosine, sine, next_mark(plot))
            if length == OUTSIDE:
                growth.taken[node, slot] = TAKEN
                continue
            left += 1
            # The rise of the measure times the number of cells, a whole number.
            rise = ncells * (2 * passed + length) - length * (2 * counts[2] + length)
            if best == NONE or rise * best_length < best_rise * length:
                best, best_length, best_rise = np.int64(slot), length, rise
        if best != NONE:
            growth.taken[node, best] = TAKEN
            left -= 1
            played = clip_of_child(branching, seed, node, branching.inner[first + best])
            child = add_node(branching, costs, growth, node, played)
            growth.load[node] += growth.cost[node]
            add_trace(traces, plot, played, px, py, cosine, sine, next_mark(plot))
            counts[2] += best_length
            put_node(buckets, pose, child)
            add_endings(branching, costs, traces, plot, growth, seed, child, most)
        if left == 0:
            take_node(buckets, pose, node)


@allocation_free_kernel
def next_mark(plot):
    """Return a mark that no trace had yet."""
    plot.marks[0] += 1
    return plot.marks[0]


@allocation_free_kernel
def add_node(branching, costs, growth, before, played):
    """Add a node and return its number."""
    pose, node = growth.pose, growth.counts[0]
    x, y, heading = child_pose(
        pose[before, 0], pose[before, 1], pose[before, 2],
        branching.displacement[played, 0], branching.displacement[played, 1], branching.displacement[played, 2],
    )  # fmt: skip
    pose[node, 0], pose[node, 1], pose[node, 2] = x, y, heading
    growth.parent[node], growth.clip[node] = before, played
    behavior = branching.clip_behavior[played]
    growth.cost[node] = growth.cost[before] + costs[row_of(branching, before, growth.clip), behavior]
    growth.load[node] = growth.cost[node]
    growth.counts[0] += 1
    return node


@allocation_free_kernel
def add_endings(branching, costs, traces, plot, growth, seed, node, most):
    """Add the endings that may follow a node and stay in the region, as far as there is room."""
    row = row_of(branching, node, growth.clip)
    pose = growth.pose
    heading = np.float64(pose[node, 2])
    cosine, sine = math.cos(heading), math.sin(heading)
    for entry in range(branching.first_ending[row], branching.first_ending[row + 1]):
        if growth.counts[0] >= most:
            break
        played = clip_of_child(branching, seed, node, branching.ending[entry])
        length, _ = trace(
            traces, plot, played, np.float64(pose[node, 0]), np.float64(pose[node, 1]), cosine, sine, next_mark(plot)
        )
        if length != OUTSIDE:
            add_node(branching, costs, growth, node, played)


@allocation_free_kernel
def adopt_nodes(branching, costs, traces, plot, buckets, growth, parent, clip):
    """Take over nodes that another way of growing chose, root and endings included, as if they had grown here."""
    pose = growth.pose
    for number in range(1, len(parent)):
        before, played = parent[number], clip[number]
        node = add_node(branching, costs, growth, before, played)
        behavior = branching.clip_behavior[played]
        if branching.is_ending[behavior]:
            continue
        growth.load[before] += growth.cost[before]
        row = row_of(branching, before, growth.clip)
        for entry in range(branching.first_inner[row], branching.first_inner[row + 1]):
            if branching.inner[entry] == behavior:
                growth.taken[before, entry - branching.first_inner[row]] = TAKEN
        heading = np.float64(pose[before, 2])
        cosine, sine = math.cos(heading), math.sin(heading)
        x, y = np.float64(pose[before, 0]), np.float64(pose[before, 1])
        length, _ = trace(traces, plot, played, x, y, cosine, sine, next_mark(plot))
        add_trace(traces, plot, played, x, y, cosine, sine, next_mark(plot))
        growth.counts[2] += length
        put_node(buckets, pose, node)
