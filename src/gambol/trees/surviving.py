"""The surviving tree: cheap ways that survive in random worlds where others do not, the rest spread evenly.

Ours, not the papers': it takes survivability [named in L09 4.7.2] to trees of any depth.  Nodes grow from the
cheapest on; one is kept if it gets to its state, a cell and a heading, in worlds in which nothing before it does.
What is left of the budget grows as the diverse tree does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gambol.characters.character import Character
from gambol.core import Struct, lib, struct
from gambol.errors import InvalidInput
from gambol.search.moves import COST_UNIT
from gambol.trees.assemble import Sprouts, assemble, group_of_clip
from gambol.trees.branching import Branching, branching_of, branching_struct, checked_seed, chosen_endings
from gambol.trees.budget import budget_nodes
from gambol.trees.candidates import PathCells
from gambol.trees.density import plot_of
from gambol.trees.diverse import checked_near, checked_region, spread, spreading_struct
from gambol.trees.fit import edge_costs
from gambol.trees.growth import Growth
from gambol.trees.region import Region
from gambol.trees.survival import WORD_BITS, random_boxes, shut_cells
from gambol.trees.tree import SearchTree

SURVIVING_NODES = 500_000
WORLDS = 512
STATE_CELL_M, HEADINGS = 1.0, 8
STEP = 20_000  # whole units of cost: children that differ by less are taken as they come
BOXES_A_M2 = 0.12  # at most: a world in which nothing survives teaches nothing


def grow_surviving(
    character: Character,
    *,
    nodes: int | None = None,
    bytes_: int | None = None,
    region: Region | None = None,
    share: float = 0.6,
    worlds: int = WORLDS,
    sizes_m: tuple[float, float] = (0.5, 4.0),
    radius_m: float = 0.35,
    near_m: float | None = None,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
) -> SearchTree:
    """Grow up to a share of the nodes by what survives in random worlds, the rest as in `grow_diverse`.

    In how many worlds a node must be the first to reach its state is chosen such that the share suffices.
    Worlds are of boxes with sides of `sizes_m` that keep `radius_m` off.
    """
    names, seed = chosen_endings(character, endings), checked_seed(seed)
    most = budget_nodes(nodes, bytes_, SURVIVING_NODES)
    region = checked_region(region)
    near_m = checked_near(near_m, region, most)
    if not 0.0 <= share <= 1.0:
        raise InvalidInput(f"a share lies between 0 and 1, not {share}")
    if not (math.isfinite(radius_m) and radius_m >= 0.0):
        raise InvalidInput(f"a radius must be finite and not negative, not {radius_m} m")
    branching = branching_of(character, begins, names)
    shut = shut_in_random_worlds(region, worlds, sizes_m, radius_m, seed=seed)
    begun, least = survivors(character, branching, region, shut, max(1, int(share * most)), seed)
    grown = spread(character, branching, region, begun, near_m, seed, most)
    settings = {
        "nodes": most, "region": region.facts(), "share": share, "worlds": worlds, "sizes_m": list(sizes_m),
        "radius_m": radius_m, "near_m": near_m, "endings": list(names), "seed": seed,
    }  # fmt: skip
    notes = {**grown.notes, "surviving_nodes": len(begun.parent), "least_worlds": least}
    return assemble(character, grown.sprouts, begins=begins, builder="surviving", settings=settings, notes=notes)


def shut_in_random_worlds(
    region: Region, worlds: int, sizes_m: tuple[float, float], radius_m: float, *, seed: int
) -> np.ndarray:
    """Return for each cell of a region's table (cells, words) a bit for each random world in which it is shut."""
    rows, columns = region.mask.shape
    root = math.floor(-region.y0 / region.cell_m) * columns + math.floor(-region.x0 / region.cell_m)
    cell = np.concatenate(([root], region.cells)).astype(np.int32)
    cells = PathCells(region.x0, region.y0, region.cell_m, rows, columns, np.zeros(1, np.int64), cell)
    most = max(1, round(BOXES_A_M2 * region.area_m2))
    drawn = random_boxes(cells, worlds=worlds, most=most, sizes_m=sizes_m, rng=np.random.default_rng(seed))
    shut = shut_cells(cells, drawn, worlds, radius_m)
    if worlds % WORD_BITS:
        shut[:, -1] |= ~((np.uint64(1) << np.uint64(worlds % WORD_BITS)) - np.uint64(1))
    return shut


def cost_steps(region: Region) -> int:
    """Return how many steps of cost there are: paths dearer than once around the region's box are left out."""
    return math.ceil(2.0 * sum(region.mask.shape) * region.cell_m / COST_UNIT / STEP)


def survivors(
    character: Character, branching: Branching, region: Region, shut: np.ndarray, most: int, seed: int
) -> tuple[Sprouts, int]:
    """Return nodes that survive, at most so many, and in how many worlds each had to be the first in its state.

    That number is halved as long as everything that should grow does; at last what lies between is tried.
    """
    best, best_least = Sprouts(np.array([-1]), np.array([0])), 0
    least = WORD_BITS * shut.shape[1] // 2
    while least >= 1:
        grown = survivors_of(character, branching, region, shut, most, seed, least=least)
        if grown is not None:
            best, best_least = grown, least
            least //= 2
        elif best_least == 2 * least and least >= 2:
            between = 3 * least // 2
            grown = survivors_of(character, branching, region, shut, most, seed, least=between)
            return (best, best_least) if grown is None else (grown, between)
        else:
            break
    return best, best_least


def survivors_of(
    character: Character, branching: Branching, region: Region, shut: np.ndarray, most: int, seed: int, *, least: int
) -> Sprouts | None:
    """Return the nodes that are the first in their states in so many worlds, or None if they are more than `most`."""
    growth, core = Growth(most), branching_struct(branching, character, seed)
    spreading = spreading_struct(character, branching, region, plot_of(region), most)
    surviving = _surviving_struct(character, branching, region, shut, most)
    all_looked_at = lib.gb_growth_survive(core.c, spreading.c, surviving.c, growth.core.c, least)
    return growth.sprouts if all_looked_at else None


def _surviving_struct(
    character: Character, branching: Branching, region: Region, shut: np.ndarray, most: int
) -> Struct:
    words, room, steps = shut.shape[1], most * branching.widest, cost_steps(region)
    rows, columns = (math.ceil(size * region.cell_m / STATE_CELL_M) + 1 for size in region.mask.shape)
    group = group_of_clip(edge_costs(character), np.arange(len(character.behaviors))).astype(np.int64)
    groups = int(group.max()) + 1
    return struct(
        "gb_surviving",
        words=words,
        shut=shut,
        reached=np.empty((most, words), dtype=np.uint64),
        covered=np.zeros((rows * columns * HEADINGS * groups, words), dtype=np.uint64),
        bits=np.zeros(words, dtype=np.uint64),
        group=group,
        groups=groups,
        headings=HEADINGS,
        cell_m=STATE_CELL_M,
        columns=columns,
        steps=steps,
        step=STEP,
        first=np.full(steps, -1, dtype=np.int32),
        after=np.empty(room, dtype=np.int32),
        parent=np.empty(room, dtype=np.int32),
        slot=np.empty(room, dtype=np.int32),
    )
