"""Choose paths from the exhaustive tree, for comparison: four ways that others have to keep diverse ones [L09 4.7.2].

All begin with the exhaustive tree to a depth and add one path after another, of each the nodes that are not
yet there.  A path that has more of those than the budget of nodes has left is passed over, and the next best
is taken, until none fits: trees of one budget are of one size, or nearly.  Ties are broken by number, in the
order in which the exhaustive tree grows.

Default settings are the better ones of a few that we tried, as L09 says of its own: by how many queries trees of
all sizes of table 4.1 answer, the queries drawn with other seeds than those reported.

L09 only names the papers of the first three; what is here is our reading of them:

- Green and Kelly, *Toward optimal sampling in the space of paths* (2007): `grow_green_kelly`;
- Branicky, Knepper and Kuffner, *Path and trajectory diversity* (2008): `grow_inner_product`,
  `grow_inclusion_exclusion`;
- Erickson and LaValle, *Survivability: measuring and ensuring path diversity* (2009), which L09 had no time to
  compare with: `grow_survivor`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.search.moves import moves_of
from gambol.trees.budget import budget_nodes
from gambol.trees.candidates import Candidates, candidates_of, chosen_tree, path_cells
from gambol.trees.picking import (
    Picked,
    pick_by_inclusion_exclusion,
    pick_by_inner_product,
    pick_farthest,
    pick_survivors,
)
from gambol.trees.survival import random_boxes, survival_bits
from gambol.trees.tree import SearchTree

DEPTH = 5  # [L09 4.7.2]
ARC = 5  # column of `Moves.samples`


def grow_green_kelly(
    character: Character,
    *,
    nodes: int,
    depth: int = DEPTH,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
    points: int = 16,
) -> SearchTree:
    """Begin with the cheapest path and add the one farthest from those chosen: their covering radius shrinks.

    Candidates are the paths to leaves: Green and Kelly sample paths that all go equally far.  The distance of two
    is their mean separation at equal arc lengths, `points` of them from the root to the length of the longest
    path; one that has ended stays where it ended.  The covering radius, the largest distance of any candidate to
    the nearest one chosen, is in the notes.
    """
    if points < 1:
        raise InvalidInput(f"paths are compared at one point at least, not {points}")
    budget = budget_nodes(nodes, None, nodes) - 1
    candidates = candidates_of(character, depth=depth, begins=begins, endings=endings, seed=seed)
    leaves = candidates.leaves
    xs, ys = points_along(candidates, leaves, points)
    clips = candidates.clips[leaves]
    fitting = np.flatnonzero(clips <= budget)
    first = fitting[np.argmin(candidates.cost[leaves[fitting]])] if len(fitting) else -1
    picked, radius = pick_farthest(Picked(candidates.parent, budget), leaves, xs, ys, int(first))
    return chosen_tree(
        candidates,
        picked,
        builder="green-kelly",
        settings={"nodes": budget + 1, "points": points},
        notes={"covering_radius_m": None if radius is None else radius / points},
    )


def grow_inner_product(
    character: Character,
    *,
    nodes: int,
    depth: int = DEPTH,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
    cell_m: float = 0.5,
) -> SearchTree:
    """Begin with the cheapest path and add the one with the smallest sum of cells shared with those chosen.

    Candidates are the paths to all nodes.  A path's part has at most its sum, so short paths come first, as L09
    found.  Chosen is what was added for its own sake, not the nodes that came along.
    """
    budget = budget_nodes(nodes, None, nodes) - 1
    candidates = candidates_of(character, depth=depth, begins=begins, endings=endings, seed=seed)
    cells = path_cells(candidates, cell_m)
    picked = pick_by_inner_product(Picked(candidates.parent, budget), cells, candidates.cost)
    settings = {"nodes": budget + 1, "cell_m": float(cell_m)}
    return chosen_tree(candidates, picked, builder="inner-product", settings=settings, notes={})


def grow_inclusion_exclusion(
    character: Character,
    *,
    nodes: int,
    depth: int = DEPTH,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
    cell_m: float = 1.0,
    free: float = 0.6,
) -> SearchTree:
    """Add the path p with the largest q^|p| - sum of q^|p with s| over those chosen, q being `free`.

    Cells are free with probability q, each for itself, which fits cells as large as obstacles; |p| cells are p's,
    |p with s| those of p or s.  The chance that p is free and none of those chosen is, cut off after the pairs:
    once that is negative for all, the longest paths come first, as L09 found.  Candidates are the paths to all
    nodes.  Chosen is what was added for its own sake, not the nodes that came along.
    """
    if not 0.0 < free < 1.0:
        raise InvalidInput(f"a cell's probability to be free must lie between 0 and 1, not {free}")
    budget = budget_nodes(nodes, None, nodes) - 1
    candidates = candidates_of(character, depth=depth, begins=begins, endings=endings, seed=seed)
    cells = path_cells(candidates, cell_m)
    most = 2 * int(np.diff(cells.first).max()) * (int(candidates.clips.max()) + 1)
    powers = free ** np.arange(most + 1, dtype=np.float64)
    picked = pick_by_inclusion_exclusion(Picked(candidates.parent, budget), cells, powers)
    settings = {"nodes": budget + 1, "cell_m": float(cell_m), "free": float(free)}
    return chosen_tree(candidates, picked, builder="inclusion-exclusion", settings=settings, notes={})


def grow_survivor(
    character: Character,
    *,
    nodes: int,
    depth: int = DEPTH,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
    worlds: int = 4096,
    boxes: int = 40,
    sizes_m: tuple[float, float] = (0.5, 3.0),
    radius_m: float = 0.3,
    cell_m: float = 0.14,
) -> SearchTree:
    """Draw random worlds and add the path that survives in the most of those in which no other chosen one does.

    Where nothing is gained any more a new round begins: in round r worlds count in which fewer than r of those
    chosen survive.  Candidates are the paths to leaves, else the shortest would always survive best.  Each world
    has up to `boxes` boxes with sides of `sizes_m`, more than queries have: where most paths survive, little is
    learned.  A path survives if none of its cells has its middle within `radius_m` of a box.
    """
    budget = budget_nodes(nodes, None, nodes) - 1
    candidates = candidates_of(character, depth=depth, begins=begins, endings=endings, seed=seed)
    leaves, cells = candidates.leaves, path_cells(candidates, cell_m)
    drawn = random_boxes(cells, worlds=worlds, most=boxes, sizes_m=sizes_m, rng=np.random.default_rng(candidates.seed))
    survives = survival_bits(candidates.parent, cells, drawn, worlds=worlds, radius_m=radius_m)[leaves]
    picked, rounds = pick_survivors(Picked(candidates.parent, budget), leaves, survives)
    return chosen_tree(
        candidates,
        picked,
        builder="survivor",
        settings={
            "nodes": budget + 1,
            "worlds": worlds,
            "boxes": boxes,
            "sizes_m": [float(size) for size in sizes_m],
            "radius_m": float(radius_m),
            "cell_m": float(cell_m),
        },
        notes={
            "worlds_survivable": _worlds_in(survives),
            "worlds_survived": _worlds_in(survives[np.isin(leaves, picked)]),
            "rounds": rounds,
        },
    )


def points_along(candidates: Candidates, leaves: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y (count, P) of paths at equal arc lengths, the last of them the longest path's."""
    actions, arc = action_table(candidates.character), moves_of(candidates.character).samples[:, ARC]
    way = arc[actions.clip_samples + actions.duration]
    before_m, length_m = np.zeros(len(candidates)), np.zeros(len(candidates))
    for level in range(1, int(candidates.clips.max()) + 1):
        here = np.flatnonzero(candidates.clips == level)
        before_m[here] = length_m[candidates.parent[here]]
        length_m[here] = before_m[here] + way[candidates.clip[here]]
    step_m = float(length_m[leaves].max()) / count
    after_m = (np.arange(count) + 1) * (step_m if step_m > 0.0 else math.inf)
    xs, ys = (np.repeat(candidates.pose[leaves, axis].astype(np.float64)[None], count, axis=0) for axis in (0, 1))
    ends_m = _arcs_of_clips(actions, arc)
    chain, open_ = leaves, np.ones((count, len(leaves)), dtype=bool)
    for _ in range(int(candidates.clips.max())):  # from the last clip of each path to the first
        begun_m = np.where(chain > 0, before_m[chain], math.inf)
        point, path = np.nonzero(open_ & (after_m[:, None] > begun_m) & (after_m[:, None] <= length_m[chain]))
        xs[point, path], ys[point, path] = _places_along(candidates, chain[path], before_m, after_m[point], ends_m)
        open_[point, path] = False
        chain = np.maximum(candidates.parent[chain], 0)
    return xs, ys


def _arcs_of_clips(actions: ActionTable, arc: np.ndarray) -> np.ndarray:
    """Return the way since the start at each sample of each clip (C, most samples); infinite past the end."""
    number = np.arange(int(actions.duration.max()) + 1)
    samples = np.minimum(actions.clip_samples[:, None] + number, len(arc) - 1)
    return np.where(number <= actions.duration[:, None], arc[samples], math.inf)


def _places_along(
    candidates: Candidates, nodes: np.ndarray, before_m: np.ndarray, after_m: np.ndarray, arcs_m: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y (M,) where the paths to nodes (M,) are after some metres (M,), which their last clips hold."""
    actions, clip = action_table(candidates.character), candidates.clip[nodes]
    ends_m = before_m[nodes, None] + arcs_m[clip]
    sample = np.argmax(ends_m[:, 1:] >= after_m[:, None], axis=1) + 1
    row = np.arange(len(nodes))
    start, end = ends_m[row, sample - 1], ends_m[row, sample]
    share = np.where(end > start, (after_m - start) / np.where(end > start, end - start, 1.0), 1.0)
    late = actions.path[actions.clip_samples[clip] + sample]
    early = actions.path[actions.clip_samples[clip] + sample - 1]
    along, across = (early[:, axis] + share * (late[:, axis] - early[:, axis]) for axis in (0, 1))
    x, y, heading = candidates.pose[candidates.parent[nodes]].astype(np.float64).T
    cosine, sine = np.cos(heading), np.sin(heading)
    return x + cosine * along - sine * across, y + sine * along + cosine * across


def _worlds_in(survives: np.ndarray) -> int:
    """Return in how many worlds at least one path survives."""
    return int(np.bitwise_count(np.bitwise_or.reduce(survives, axis=0, initial=0)).sum())
