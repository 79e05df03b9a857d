"""The pruned tree: level by level, at most so many nodes a cell [LK06 3, L09 4.2.2]."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.trees.assemble import Sprouts, assemble
from gambol.trees.branching import branching_of, checked_seed, chosen_endings
from gambol.trees.budget import budget_nodes
from gambol.trees.kernels.growing_levels import count_children, keep_children, list_children
from gambol.trees.tree import SearchTree

PRUNED_NODES = 220_000  # [LK06 figure 4]
PER_CELL = 100  # [LK06 3: k]
ENVIRONMENT_CELL_M = 0.2  # [LK06 3: 14 to 28 cm]
MOST_CELLS = 50_000_000


def grow_pruned(
    character: Character,
    *,
    nodes: int | None = None,
    bytes_: int | None = None,
    per_cell: int = PER_CELL,
    cell_m: float = ENVIRONMENT_CELL_M,
    depth: int | None = None,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
) -> SearchTree:
    """Grow level by level, the children of a level in random order, as long as their cells hold fewer than `per_cell`.

    Endings have a count of their own: a place where many paths pass must not be one where none may end.
    """
    names, seed = chosen_endings(character, endings), checked_seed(seed)
    most = budget_nodes(nodes, bytes_, PRUNED_NODES)
    if per_cell < 1:
        raise InvalidInput(f"a cell must hold at least one node, not {per_cell}")
    if not (math.isfinite(cell_m) and cell_m > 0.0):
        raise InvalidInput(f"cells must have a positive size, not {cell_m} m")
    if depth is not None and depth < 0:
        raise InvalidInput(f"a depth must not be negative, not {depth}")
    branching = branching_of(character, begins, names)
    longest = float(np.hypot(*branching.displacement[:, :2].T).max())
    parent, clip = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    pose = np.zeros((most, 3), dtype=np.float32)
    parent[0], clip[0] = -1, 0
    held = np.zeros((2, 0, 0), dtype=np.int32)
    first, last, level = 0, 1, 0
    while first < last < most and (depth is None or level < depth):
        level += 1
        held = _widened(held, float(np.abs(pose[first:last, :2]).max()) + longest, cell_m)
        count = count_children(branching, clip, first, last)
        child_parent, child_clip = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        list_children(branching, seed, clip, first, last, child_parent, child_clip)
        order = np.random.default_rng((seed, level)).permutation(count)
        half = held.shape[1] // 2
        grown = keep_children(
            branching, order, child_parent, child_clip, half, cell_m, per_cell, most, held, parent, clip, pose, last
        )
        first, last = last, grown
    settings = {"nodes": most, "per_cell": per_cell, "cell_m": cell_m, "depth": depth, "endings": list(names)}
    return assemble(
        character,
        Sprouts(parent[:last], clip[:last]),
        begins=begins,
        builder="pruned",
        settings=settings | {"seed": seed},
    )


def _widened(held: np.ndarray, reach_m: float, cell_m: float) -> np.ndarray:
    """Return the counts in a square that reaches so far to all sides, the root in its middle."""
    half = math.ceil(reach_m / cell_m) + 2
    old = held.shape[1] // 2
    if half <= old:
        return held
    if (2 * half) ** 2 > MOST_CELLS:
        raise InvalidInput(f"a tree that reaches {reach_m:.0f} m has too many cells of {cell_m} m; limit its depth")
    return np.pad(held, ((0, 0), (half - old, half - old), (half - old, half - old)))
