"""What the core relies on in a search tree, whoever wrote it: checked in milliseconds, all nodes at once."""

from __future__ import annotations

import math

import numpy as np

from gambol.errors import InvalidInput
from gambol.trees.assemble import group_of_clip
from gambol.trees.tree import MOST_CLIPS, MOST_COST, SearchTree

FARTHEST_M = 1e5  # of a node or a grid's corner
MOST_LISTS = 2**31
CELL_SIZES_M = (0.01, 1e4)


def check_structure(tree: SearchTree) -> None:
    """Raise unless every number is within what it counts or points at, and every node's way leads to the root.

    Shapes and types of the nodes' arrays are checked where a tree is made.
    """
    _check_behaviors(tree)
    _check_nodes(tree)
    _check_grid(tree)


def _require(is_so: bool | np.bool_, message: str) -> None:
    if not is_so:
        raise InvalidInput(f"this is no proper search tree: {message}")


def _check_behaviors(tree: SearchTree) -> None:
    count = len(tree.behaviors)
    _require(all(one.clips >= 1 for one in tree.behaviors), "a behavior without clips")
    _require(sum(one.clips for one in tree.behaviors) <= MOST_CLIPS, f"more than {MOST_CLIPS:,} clips")
    _require(len({one.name for one in tree.behaviors}) == count, "two behaviors of one name")
    for name, shape in (("edge_cost", (count, count)), ("first_cost", (count,))):
        array = getattr(tree, name)
        fits = array.shape == shape and array.dtype == np.int64
        _require(fits, f"{name} must be int64 {shape}, not {array.dtype} {array.shape}")
        _require(array.min() >= -1 and array.max() <= MOST_COST, f"{name} out of range")


def _check_nodes(tree: SearchTree) -> None:
    count = len(tree)
    _require(count >= 1, "not even a root")
    root = (tree.parent[0], tree.cost[0], tree.clip[0], tree.frame[0], *tree.pose[0])
    _require(root == (-1, 0, 0, 0, 0.0, 0.0, 0.0), "the root must be at the origin, before anything is played")
    # Seen as unsigned, negative numbers are the largest: one pass over the array finds both.
    _require(count == 1 or tree.parent[1:].view(np.uint32).max() < count, "a parent that is no node")
    _require(tree.cost.view(np.uint32).max() <= MOST_COST, "a negative cost")
    _require(tree.clip.max() < len(tree.clip_behavior), "a clip that no behavior has")
    # Not a number fails both comparisons.
    _require(tree.pose.max() <= FARTHEST_M and tree.pose.min() >= -FARTHEST_M, "a node that is nowhere near")
    # Every clip lasts: a node is later than its parent, so no way goes round in circles, and all begin at the root.
    _require((tree.frame[tree.parent[1:]] < tree.frame[1:]).all(), "a node that is not later than its parent")


def _check_grid(tree: SearchTree) -> None:
    grid = tree.grid
    corner = max(abs(grid.x0), abs(grid.y0))
    _require(math.isfinite(corner) and corner <= FARTHEST_M, "a grid that is nowhere near")
    _require(CELL_SIZES_M[0] <= grid.cell_m <= grid.overlap_m <= CELL_SIZES_M[1], "goal cells of an impossible size")
    counts = (grid.rows, grid.columns, grid.groups)
    _require(min(counts) >= 1 and max(counts) <= MOST_LISTS, "a goal grid of an impossible size")
    lists = (grid.rows * grid.columns * grid.groups + 1,)
    fits = grid.first_entry.shape == lists and grid.first_entry.dtype == np.int64
    _require(fits, f"a goal grid of {lists[0] - 1:,} lists needs one number more")
    _require(grid.entries.ndim == 1 and grid.entries.dtype == np.int32, "entries must be a row of int32")
    first = grid.first_entry
    _require(first[0] == 0 and first[-1] == len(grid.entries), "goal lists that do not hold all entries")
    _require((first[1:] >= first[:-1]).all(), "a goal list that ends before it begins")
    if len(grid.entries):
        listed = grid.entries.view(np.uint32)
        _require(listed.max() < len(tree) and listed.min() >= 1, "a goal list with what is no node")
    groups = int(group_of_clip(tree.edge_cost, tree.clip_behavior).max()) + 1
    _require(grid.groups == groups, f"goal lists for {grid.groups} groups of behaviors, of which there are {groups}")
