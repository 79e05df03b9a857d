"""The cheapest tree: what a forward search would find in an empty world, and ways that bend to either side of it.

Ours, not the papers': nodes grow in the order of their costs, as in Dijkstra's search, and a state that a
path leads to already is not reached again [the table of visited states, LK05 3.3].  Two tables say what the same
state is: one fine in place and heading; one coarser, but apart for paths that are straight and that bend to the left
or to the right, a little or much.  The first makes paths cheap, the second leaves a choice where something is in
the way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambol.characters.character import Character
from gambol.core import Struct, lib, pointer, struct, struct_of
from gambol.errors import InvalidInput
from gambol.search.moves import moves_of
from gambol.trees.assemble import assemble
from gambol.trees.branching import Branching, branching_of, branching_struct, checked_seed, chosen_endings
from gambol.trees.budget import budget_nodes
from gambol.trees.fit import edge_costs
from gambol.trees.growth import Growth
from gambol.trees.tree import SearchTree

CHEAPEST_NODES = 500_000
REACH_M = 16.0  # [L09 4.2: the region of the thesis]
SECTORS = 12  # of a full turn
COARSER = 1.6  # cells of the second table, by those of the first
BENT, BENT_MUCH = 0.1, 0.25
FILLED = 2.2  # nodes of both tables by entries of the first, measured
LEAST_CELL_M = 0.05
BENDS = 5  # a path is straight, or bends a little or much to the left or to the right


class Children(NamedTuple):
    """What may follow, the cheapest first: rows for each behavior and then one for the root."""

    behavior: np.ndarray
    cost: np.ndarray  # whole units
    first: np.ndarray  # (B + 2,)


def grow_cheapest(
    character: Character,
    *,
    nodes: int | None = None,
    bytes_: int | None = None,
    reach_m: float = REACH_M,
    cell_m: float | None = None,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
) -> SearchTree:
    """Grow nodes in the order of their costs, one for each state within reach.

    cell_m: of the finer table; by default so that the budget just covers all within reach.
    """
    names, seed = chosen_endings(character, endings), checked_seed(seed)
    most = budget_nodes(nodes, bytes_, CHEAPEST_NODES)
    if not (math.isfinite(reach_m) and reach_m > 0.0):
        raise InvalidInput(f"a tree must reach a positive distance, not {reach_m} m")
    if cell_m is not None and not LEAST_CELL_M <= cell_m <= reach_m:
        raise InvalidInput(f"cells must lie between {LEAST_CELL_M} m and the reach, {reach_m} m, not {cell_m}")
    branching, children = branching_of(character, begins, names), _children(character, begins, names)
    kind, kinds = _kinds(character, branching, children)
    if cell_m is None:
        cell_m = math.sqrt(FILLED * math.pi * SECTORS * kinds / most) * reach_m
        cell_m = min(max(cell_m, LEAST_CELL_M), reach_m)
    growth, core = Growth(most), branching_struct(branching, character, seed)
    states, rows = _states(kind, kinds, cell_m, reach_m), struct_of("gb_grown_children", children)
    area, following, waiting = np.empty(most), np.empty(most, np.int64), np.empty(most, np.int64)
    lib.gb_growth_cheapest(
        core.c, rows.c, states.c, growth.core.c, pointer(area, "double"), pointer(following, "int64_t"),
        pointer(waiting, "int64_t"),
    )  # fmt: skip
    settings = {"nodes": most, "reach_m": reach_m, "cell_m": cell_m, "endings": list(names), "seed": seed}
    return assemble(
        character,
        growth.sprouts,
        begins=begins,
        builder="cheapest",
        settings=settings,
    )


def _children(character: Character, begins: str | None, endings: Sequence[str]) -> Children:
    """Return what may follow each behavior, and then what may come first, each row by cost."""
    branching, moves = branching_of(character, begins, endings), moves_of(character)
    costs = np.vstack((edge_costs(character), moves.cost))
    rows = []
    for row in range(len(costs)):
        inner = branching.inner[branching.first_inner[row] : branching.first_inner[row + 1]]
        ending = branching.ending[branching.first_ending[row] : branching.first_ending[row + 1]]
        both = np.concatenate((inner, ending))
        rows.append(both[np.lexsort((both, costs[row, both]))])
    sizes = [len(row) for row in rows]
    return Children(
        behavior=np.concatenate(rows).astype(np.int32),
        cost=np.concatenate([costs[number, row] for number, row in enumerate(rows)]),
        first=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
    )


def _kinds(character: Character, branching: Branching, children: Children) -> tuple[np.ndarray, int]:
    """Return the kind of state after each behavior that a path may get to (B,), and how many there are.

    Endings are all of one kind.
    """
    reached = np.zeros(len(branching.is_ending), dtype=bool)
    waiting = [len(reached)]  # rows; the root's first
    while waiting:
        row = waiting.pop()
        for behavior in children.behavior[children.first[row] : children.first[row + 1]]:
            if not reached[behavior]:
                reached[behavior] = True
                waiting += [] if branching.is_ending[behavior] else [int(behavior)]
    state = moves_of(character).state
    _, kind = np.unique(np.where(branching.is_ending, state.max() + 1, state)[reached], return_inverse=True)
    of_behavior = np.zeros(len(reached), dtype=np.int64)
    of_behavior[reached] = kind.reshape(-1)
    return of_behavior, int(kind.max()) + 1


def _states(kind: np.ndarray, kinds: int, cell_m: float, reach_m: float) -> Struct:
    sides = [2 * (math.ceil(reach_m / size) + 1) for size in (cell_m, COARSER * cell_m)]
    return struct(
        "gb_grown_states",
        kind=kind,
        sectors=SECTORS,
        fine=np.zeros((kinds, sides[0], sides[0], SECTORS), dtype=np.uint8),
        fine_side=sides[0],
        fine_m=cell_m,
        bent=np.zeros((kinds, sides[1], sides[1], SECTORS * BENDS), dtype=np.uint8),
        bent_side=sides[1],
        bent_m=COARSER * cell_m,
        bend=BENT,
        much=BENT_MUCH,
        reach_m=reach_m,
    )
