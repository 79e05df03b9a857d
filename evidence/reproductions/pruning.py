"""Pruned trees of all levels and a given size, as LK06 shows them."""

from __future__ import annotations

from typing import NamedTuple

from evidence.reproductions.subjects import HUB
from gambol.characters import Character
from gambol.trees import SearchTree, grow_pruned

DEPTH = 6  # [LK06 figure 4]
CELL_M = 0.28  # [LK06 3: 14 to 28 cm]
LARGEST_K = 100  # [LK06 3]
STEP = 1.15  # from one k to the next that is tried


class Pruned(NamedTuple):
    tree: SearchTree
    per_cell: int  # LK06's k


def prune_to(
    character: Character, nodes: int, *, depth: int = DEPTH, largest_k: int = LARGEST_K, seed: int = 0
) -> Pruned:
    """Return the pruned tree to a depth with the largest k that leaves at most so many nodes.

    LK06's tree has 220,000 nodes, of six levels, and k is 100; whose behaviors lead as far as jumps do covers more
    cells.  Were the number of nodes the limit, and not k, the last levels would be missing.
    """
    ks = sorted({round(STEP**power) for power in range(200) if STEP**power <= largest_k} | {largest_k})
    fitting: Pruned | None = None
    low, high = 0, len(ks) - 1
    while low <= high:
        middle = (low + high) // 2
        grown = grow_pruned(
            character, nodes=nodes + 1, per_cell=ks[middle], cell_m=CELL_M, depth=depth, begins=HUB, seed=seed
        )
        if len(grown) <= nodes:
            fitting, low = Pruned(grown, ks[middle]), middle + 1
        else:
            high = middle - 1
    if fitting is not None:
        return fitting
    tree = grow_pruned(character, nodes=nodes, per_cell=ks[0], cell_m=CELL_M, depth=depth, begins=HUB, seed=seed)
    return Pruned(tree, ks[0])
