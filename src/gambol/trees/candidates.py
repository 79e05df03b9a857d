"""The paths to choose from: those of the exhaustive tree, the cells that each passes, and the tree of those chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gambol.characters.character import Character
from gambol.core import lib, pointer, struct
from gambol.errors import InvalidInput
from gambol.trees.assemble import Sprouts, assemble
from gambol.trees.exhaustive import grow_exhaustive
from gambol.trees.fit import fit
from gambol.trees.tracing import traces_of
from gambol.trees.tree import SearchTree

MOST_CANDIDATES = 2_000_000
MOST_CELLS = 4_000_000


class PathCells(NamedTuple):
    """Square cells over all paths, and for each node those that its clip is the first on its path to pass.

    So what a path passes is the sum along it, each cell counted once.
    """

    x0: float  # where cell 0 begins
    y0: float
    cell_m: float
    rows: int
    columns: int
    first: np.ndarray  # (N + 1,) int64
    cell: np.ndarray  # (E,) int32, row * columns + column


@dataclass(frozen=True, eq=False)
class Candidates:
    """The paths of a tree, as a rule the exhaustive one, level by level, siblings in the order of their clips.

    A node stands for the path that leads to it; its number breaks ties.
    """

    character: Character
    begins: str | None
    endings: tuple[str, ...]
    depth: int
    seed: int
    parent: np.ndarray  # (N,) int64, -1 at the root
    clip: np.ndarray  # (N,) int64, of the character's action table
    pose: np.ndarray  # (N, 3) float32
    cost: np.ndarray  # (N,) int64, whole units
    clips: np.ndarray  # (N,) int64, how many lead to a node

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def leaves(self) -> np.ndarray:
        """The nodes that nothing follows, increasing: their paths go on as far as the tree does."""
        is_leaf = np.ones(len(self), dtype=bool)
        is_leaf[self.parent[1:]] = False
        return np.flatnonzero(is_leaf)


def candidates_of(
    character: Character, *, depth: int, begins: str | None, endings: Sequence[str] | None, seed: int
) -> Candidates:
    """Return all paths of a character to a depth."""
    if depth < 1:
        raise InvalidInput(f"paths to choose from must have at least one clip, not {depth}")
    tree = grow_exhaustive(
        character, depth=depth, begins=begins, endings=endings, seed=seed, most_nodes=MOST_CANDIDATES
    )
    return paths_of(tree, character)


def paths_of(tree: SearchTree, character: Character) -> Candidates:
    """Return the paths of a tree of any builder, in the numbering of a character that has all of its behaviors."""
    clip = fit(tree, character).clip[tree.clip].astype(np.int64)
    if (clip[1:] < 0).any():
        raise InvalidInput(f"{character.name!r} lacks behaviors that this tree of {tree.character!r} plays")
    order = _order_of_growth(tree)
    rank = np.empty(len(tree), dtype=np.int64)
    rank[order] = np.arange(len(tree))
    parent = rank[tree.parent[order]]
    parent[0] = -1
    return Candidates(
        character=character,
        begins=tree.begins,
        endings=tuple(tree.settings.get("endings", ())),
        depth=int(tree.depth.max()),
        seed=int(tree.settings.get("seed", 0)),
        parent=parent,
        clip=clip[order],
        pose=tree.pose[order],
        cost=tree.cost[order].astype(np.int64),
        clips=tree.depth[order].astype(np.int64),
    )


def path_cells(candidates: Candidates, cell_m: float) -> PathCells:
    """Return the cells that paths pass, for each node those that no node before it on its path has passed."""
    if not (math.isfinite(cell_m) and cell_m > 0.0):
        raise InvalidInput(f"cells must have a positive size, not {cell_m} m")
    traces = traces_of(candidates.character, cell_m)
    reach = float(np.hypot(traces.x, traces.y).max()) + 2.0 * cell_m
    least = np.floor((candidates.pose[:, :2].min(axis=0).astype(np.float64) - reach) / cell_m)
    greatest = np.floor((candidates.pose[:, :2].max(axis=0).astype(np.float64) + reach) / cell_m)
    columns, rows = (int(size) for size in greatest - least + 2)
    if rows * columns > MOST_CELLS:
        raise InvalidInput(f"{rows * columns:,} cells of {cell_m} m are too many; take larger ones")
    most = 1 + int((traces.last - traces.first)[candidates.clip[1:]].sum())
    first, cell = np.zeros(len(candidates) + 1, dtype=np.int64), np.empty(most, dtype=np.int32)
    # The root in the middle of a cell: straight ahead is no border between two.
    corner = (float((least[0] - 0.5) * cell_m), float((least[1] - 0.5) * cell_m))
    plot = struct(
        "gb_plot", x0=corner[0], y0=corner[1], cell_m=cell_m, rows=rows, columns=columns, inside=None, passed=None,
        mark=None, marks=0,
    )  # fmt: skip
    nodes = [candidates.parent.astype(np.int32), candidates.clip.astype(np.int32)]
    lib.gb_plot_new_cells(
        traces.core.c, plot.c, pointer(candidates.pose, "float"), *(pointer(array, "int32_t") for array in nodes),
        len(candidates), pointer(first, "int64_t"), pointer(cell, "int32_t"),
    )  # fmt: skip
    return PathCells(*corner, float(cell_m), rows, columns, first, cell[: first[-1]].copy())


def chosen_tree(
    candidates: Candidates, picked: np.ndarray, *, builder: str, settings: Mapping[str, Any], notes: Mapping[str, Any]
) -> SearchTree:
    """Return the tree of the paths picked, in this order: of each the nodes that are not yet there."""
    number = np.full(len(candidates), -1, dtype=np.int64)
    number[0] = 0
    kept = [0]
    for pick in picked.tolist():
        new, node = [], pick
        while number[node] < 0:
            new.append(node)
            node = int(candidates.parent[node])
        for node in reversed(new):
            number[node] = len(kept)
            kept.append(node)
    nodes = np.array(kept, dtype=np.int64)
    parent = np.where(nodes > 0, number[candidates.parent[nodes]], -1)
    return assemble(
        candidates.character,
        Sprouts(parent, candidates.clip[nodes]),
        begins=candidates.begins,
        builder=builder,
        settings={
            "depth": candidates.depth,
            "endings": list(candidates.endings),
            "seed": candidates.seed,
            **settings,
        },
        notes={"candidates": len(candidates) - 1, "paths": len(picked), **notes},
    )


def _order_of_growth(tree: SearchTree) -> np.ndarray:
    rank = np.zeros(len(tree), dtype=np.int64)
    levels = [np.zeros(1, dtype=np.int64)]
    first = 1
    for depth in range(1, int(tree.depth.max()) + 1):
        level = np.flatnonzero(tree.depth == depth)
        level = level[np.lexsort((tree.clip[level], rank[tree.parent[level]]))]
        rank[level] = np.arange(first, first + len(level))
        first += len(level)
        levels.append(level)
    return np.concatenate(levels)
