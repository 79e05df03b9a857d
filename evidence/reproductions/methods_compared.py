"""The ways to grow a small tree that are compared [L09 4.7.2]."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from evidence.reproductions.subjects import HUB
from gambol.characters import Character
from gambol.trees import (
    Region,
    SearchTree,
    grow_diverse,
    grow_green_kelly,
    grow_inclusion_exclusion,
    grow_inner_product,
    grow_pruned,
    grow_survivor,
)

DEPTH = 5
GROWN_SEED = 1
SMALLEST_K = "pruned, smallest k"


class GrownTree(NamedTuple):
    tree: SearchTree
    time_s: float


def tree_builders(character: Character, region: Region, *, depth: int = DEPTH) -> dict[str, Callable[..., SearchTree]]:
    """Return the ways by name, each a function of a number of nodes; all but the diverse go to a depth at most."""
    common = {"character": character, "begins": HUB, "seed": GROWN_SEED}
    return {
        "diverse": partial(grow_diverse, region=region, **common),
        "pruned": partial(grow_pruned, depth=depth, **common),
        SMALLEST_K: partial(_grow_apart, depth=depth, **common),
        "inner product": partial(grow_inner_product, depth=depth, **common),
        "inclusion-exclusion": partial(grow_inclusion_exclusion, depth=depth, **common),
        "Green and Kelly": partial(grow_green_kelly, depth=depth, **common),
        "survivor": partial(grow_survivor, depth=depth, **common),
    }


def _grow_apart(*, nodes: int, **settings: Any) -> SearchTree:
    """Return a pruned tree with the smallest k that fills the budget: its paths are then the farthest apart."""
    for per_cell in (1, 2, 4, 8, 16, 32, 64):
        tree = grow_pruned(nodes=nodes, per_cell=per_cell, **settings)
        if len(tree) >= nodes:
            return tree
    return grow_pruned(nodes=nodes, **settings)


def grow_timed(build: Callable[..., SearchTree], nodes: int) -> GrownTree:
    """Return a tree of so many nodes and the seconds that growing it took."""
    begun = time.perf_counter()
    tree = build(nodes=nodes)
    return GrownTree(tree, time.perf_counter() - begun)
