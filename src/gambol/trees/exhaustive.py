"""The tree of everything: all nodes to a depth [LK06 3, L09 4.2.1]."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambol.characters.character import Character
from gambol.core import lib, pointer
from gambol.errors import InvalidInput
from gambol.trees.assemble import Sprouts, assemble
from gambol.trees.branching import Branching, branching_of, branching_struct, checked_seed, chosen_endings
from gambol.trees.tree import SearchTree

MOST_EXHAUSTIVE_NODES = 50_000_000


def grow_exhaustive(
    character: Character,
    *,
    depth: int,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
    most_nodes: int = MOST_EXHAUSTIVE_NODES,
) -> SearchTree:
    """Grow all nodes to a depth.  How many that is, is known beforehand: more than `most_nodes` are refused."""
    names, seed = chosen_endings(character, endings), checked_seed(seed)
    if depth < 0:
        raise InvalidInput(f"a depth must not be negative, not {depth}")
    branching = branching_of(character, begins, names)
    levels = level_sizes(branching, depth)
    total = sum(levels)
    if total > most_nodes:
        raise InvalidInput(
            f"all nodes of {character.name!r} to depth {depth} are {_readable(total)}, more than {most_nodes:,}"
        )
    parent, clip = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    parent[0], clip[0] = -1, 0
    first, last, core = 0, 1, branching_struct(branching, character, seed)
    for size in levels[1:]:
        children = slice(last, last + size)
        lib.gb_growth_list_children(
            core.c, pointer(clip, "int32_t"), first, last, pointer(parent[children], "int32_t"),
            pointer(clip[children], "int32_t"),
        )  # fmt: skip
        first, last = last, last + size
    settings = {"depth": depth, "endings": list(names), "seed": seed}
    return assemble(character, Sprouts(parent, clip), begins=begins, builder="exhaustive", settings=settings)


def level_sizes(branching: Branching, depth: int) -> list[int]:
    """Return how many nodes each level of the exhaustive tree has, counted by behavior without growing."""
    count = len(branching.is_ending)
    follows = np.zeros((count + 1, count), dtype=object)
    for row in range(count + 1):
        follows[row, branching.inner[branching.first_inner[row] : branching.first_inner[row + 1]]] = 1
        follows[row, branching.ending[branching.first_ending[row] : branching.first_ending[row + 1]]] = 1
    follows[:count][branching.is_ending] = 0
    sizes, level = [1], follows[count]
    for _ in range(depth):
        sizes.append(int(level.sum()))
        level = level @ follows[:count]
    return sizes


def _readable(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"some 10^{len(str(number)) - 1}"
