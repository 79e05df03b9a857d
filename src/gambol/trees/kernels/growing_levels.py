"""Grow level by level: all children of a level, or those that find room in their cell."""

from __future__ import annotations

import math

from gambol.kernels.jit import allocation_free_kernel
from gambol.trees.kernels.growing import clip_of_child, row_of
from gambol.trees.kernels.placing import child_pose


@allocation_free_kernel
def count_children(branching, clip, first, last):
    """Return how many children the nodes from first to before last may have, endings included."""
    count = 0
    for node in range(first, last):
        if node == 0 or not branching.is_ending[branching.clip_behavior[clip[node]]]:
            row = row_of(branching, node, clip)
            count += branching.first_inner[row + 1] - branching.first_inner[row]
            count += branching.first_ending[row + 1] - branching.first_ending[row]
    return count


@allocation_free_kernel
def list_children(branching, seed, clip, first, last, child_parent, child_clip):
    """Fill in the children of the nodes from first to before last, each node's in order, endings after the others."""
    count = 0
    for node in range(first, last):
        if node == 0 or not branching.is_ending[branching.clip_behavior[clip[node]]]:
            row = row_of(branching, node, clip)
            for entry in range(branching.first_inner[row], branching.first_inner[row + 1]):
                child_parent[count] = node
                child_clip[count] = clip_of_child(branching, seed, node, branching.inner[entry])
                count += 1
            for entry in range(branching.first_ending[row], branching.first_ending[row + 1]):
                child_parent[count] = node
                child_clip[count] = clip_of_child(branching, seed, node, branching.ending[entry])
                count += 1


@allocation_free_kernel
def keep_children(
    branching, order, child_parent, child_clip, half, cell, per_cell, most, held, parent, clip, pose, count
):
    """Go through children in an order and add those whose cell holds fewer than so many; return the number of nodes.

    held (2, side, side): nodes a cell, those to go on with and endings apart; the root is in the middle.
    """
    for child in order:
        if count >= most:
            break
        before, played = child_parent[child], child_clip[child]
        x, y, heading = child_pose(
            pose[before, 0], pose[before, 1], pose[before, 2],
            branching.displacement[played, 0], branching.displacement[played, 1], branching.displacement[played, 2],
        )  # fmt: skip
        kind = 1 if branching.is_ending[branching.clip_behavior[played]] else 0
        row, column = math.floor(y / cell) + half, math.floor(x / cell) + half
        if held[kind, row, column] < per_cell:
            held[kind, row, column] += 1
            parent[count], clip[count] = before, played
            pose[count, 0], pose[count, 1], pose[count, 2] = x, y, heading
            count += 1
    return count
