"""The pruned tree: level by level, at most so many nodes a cell [LK06 3, L09 4.2.2]."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gambol.characters.action_table import action_table
from gambol.characters.character import Character
from gambol.core import lib, pointer
from gambol.errors import InvalidInput
from gambol.trees.assemble import assemble
from gambol.trees.branching import branching_of, branching_struct, checked_seed, chosen_endings
from gambol.trees.budget import budget_nodes
from gambol.trees.growth import Growth
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
    longest = float(np.hypot(*action_table(character).displacement[:, :2].T).max())
    core, growth = branching_struct(branching, character, seed), Growth(most)
    clip, held = pointer(growth.clip, "int32_t"), np.zeros((2, 0, 0), dtype=np.int32)
    first, last, level = 0, 1, 0
    while first < last < most and (depth is None or level < depth):
        level += 1
        held = _widened(held, float(np.abs(growth.pose[first:last, :2]).max()) + longest, cell_m)
        count = int(lib.gb_growth_count_children(core.c, clip, first, last))
        children = np.empty((2, count), dtype=np.int32)  # their parents and clips
        lists = [pointer(row, "int32_t") for row in children]
        lib.gb_growth_list_children(core.c, clip, first, last, *lists)
        order = np.random.default_rng((seed, level)).permutation(count)
        lib.gb_growth_keep_children(
            core.c, growth.core.c, pointer(order, "int64_t"), count, *lists, cell_m, per_cell,
            pointer(held, "int32_t"), held.shape[1],
        )  # fmt: skip
        first, last = last, len(growth)
    settings = {"nodes": most, "per_cell": per_cell, "cell_m": cell_m, "depth": depth, "endings": list(names)}
    return assemble(
        character,
        growth.sprouts,
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
