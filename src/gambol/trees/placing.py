"""Where nodes are, and in which cells they are listed: for those who make trees and those who check them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.core import lib, pointer, struct, struct_of
from gambol.trees.tree import GoalGrid


class Clips(NamedTuple):
    """Clips by number and what their behaviors cost, see `gb_tree_clips`."""

    displacement: NDArray[np.float64]  # (C, 3) x, y, heading
    duration: NDArray[np.int32]  # (C,)
    behavior: NDArray[np.int32]  # (C,)
    edge_cost: NDArray[np.int64]  # (B, B) whole units of playing a behavior after another
    first_cost: NDArray[np.int64]  # (B,) whole units of playing it first


class Placed(NamedTuple):
    """N nodes and where and when they are."""

    pose: NDArray[np.float32]  # (N, 3)
    cost: NDArray[np.int64]  # (N,) whole units
    frame: NDArray[np.int64]  # (N,)


def place_nodes(clips: Clips, parent: NDArray[np.integer], clip: NDArray[np.integer]) -> Placed:
    """Place nodes that come after their parents; 0 is the root."""
    count = len(parent)
    placed = Placed(np.empty((count, 3), np.float32), np.empty(count, np.int64), np.empty(count, np.int64))
    lib.gb_tree_place(
        struct_of("gb_tree_clips", clips, behaviors=len(clips.first_cost)).c,
        pointer(parent.astype(np.int32), "int32_t"), pointer(clip.astype(np.int32), "int32_t"), count,
        pointer(placed.pose, "float"), pointer(placed.cost, "int64_t"), pointer(placed.frame, "int64_t"),
    )  # fmt: skip
    return placed


def list_nodes(
    shape: tuple[float, float, int, int],
    sizes_m: tuple[float, float],
    pose: NDArray[np.float32],
    group: NDArray[np.integer],
    groups: int,
    nodes: NDArray[np.integer],
) -> GoalGrid:
    """List nodes, in the order given, in all cells whose overlapped square they are in.

    shape: where cells begin, rows and columns.  sizes_m: of a cell and of its overlapped square.  group (N,) of each
    node, below `groups`.
    """
    x0, y0, rows, columns = shape
    grid = struct(
        "gb_tree_grid", x0=x0, y0=y0, cell_m=sizes_m[0], overlap_m=sizes_m[1], rows=rows, columns=columns, groups=groups
    )  # fmt: skip
    arrays = pose, group.astype(np.int32), nodes.astype(np.int32)
    listed = (*(pointer(array, kind) for array, kind in zip(arrays, ("float", "int32_t", "int32_t"), strict=True)),)
    sizes = np.zeros(rows * columns * groups + 1, dtype=np.int64)
    lib.gb_tree_count_entries(grid.c, *listed, len(nodes), pointer(sizes, "int64_t"))
    first_entry = np.cumsum(sizes)
    entries, place = np.empty(first_entry[-1], dtype=np.int32), first_entry.copy()
    lib.gb_tree_list_entries(grid.c, *listed, len(nodes), pointer(place, "int64_t"), pointer(entries, "int32_t"))
    return GoalGrid(x0, y0, *sizes_m, rows, columns, groups, first_entry, entries)
