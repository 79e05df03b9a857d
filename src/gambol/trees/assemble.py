"""From the nodes that a builder chose to a search tree: places, costs, order and the goal grid."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.characters.action_table import action_table
from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.search.moves import label_successors, moves_of
from gambol.trees.fit import edge_costs, tree_behaviors
from gambol.trees.placing import Clips, list_nodes, place_nodes
from gambol.trees.tree import MOST_CLIPS, MOST_COST, MOST_FRAMES, MOST_NODES, GoalGrid, SearchTree

CELL_M = 0.45  # [LK06 3: 45 to 90 cm]
OVERLAP_M = 1.45  # [L09 4.3: 105 to 210 cm]: goals of a tolerance up to 0.5 m need one cell
MOST_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class Sprouts:
    """What a builder hands over: nodes in an order in which parents come first; 0 is the root."""

    parent: np.ndarray  # (N,) -1 at the root
    clip: np.ndarray  # (N,) of the character's action table; anything at the root


def first_allowed(character: Character, begins: str | None) -> np.ndarray:
    """Return which behaviors may come first (B,): those that begin at a label, or all."""
    allowed = np.zeros(len(character.behaviors), dtype=bool)
    chosen = range(len(character.behaviors)) if begins is None else label_successors(character, begins)
    allowed[list(chosen)] = True
    if not allowed.any():
        labels = ", ".join(sorted({one.begins for one in character.behaviors}))
        raise InvalidInput(f"no behavior of {character.name!r} begins at {begins!r}; there are: {labels}")
    return allowed


def assemble(
    character: Character,
    sprouts: Sprouts,
    *,
    begins: str | None,
    builder: str,
    settings: Mapping[str, Any],
    notes: Mapping[str, Any] | None = None,
    cell_m: float = CELL_M,
    overlap_m: float = OVERLAP_M,
) -> SearchTree:
    """Place the nodes, put them in order and list them by cells."""
    if not (math.isfinite(cell_m) and 0.0 < cell_m <= overlap_m < math.inf):
        raise InvalidInput(f"goal cells must have a positive size and overlap, not {cell_m} in {overlap_m} m")
    actions, moves = action_table(character), moves_of(character)
    count = len(sprouts.parent)
    if len(actions.duration) > MOST_CLIPS:
        raise InvalidInput(
            f"a tree knows at most {MOST_CLIPS:,} clips, {character.name!r} has {len(actions.duration):,}"
        )
    if not 1 <= count <= MOST_NODES:
        raise InvalidInput(f"a tree has at least its root and at most {MOST_NODES:,} nodes, not {count:,}")
    edges = edge_costs(character)
    first = np.where(first_allowed(character, begins), moves.cost, -1)
    clips = Clips(actions.displacement, actions.duration, actions.clip_behavior, edges, first)
    pose, cost, frame = place_nodes(clips, sprouts.parent, sprouts.clip)
    if frame.max() > MOST_FRAMES or cost.max() > MOST_COST:
        raise InvalidInput("a path of this tree is longer than a tree can hold; grow it less deep")
    grid_shape = _shape(pose, cell_m)
    x0, y0, rows, columns = grid_shape
    home = _home(pose, x0, y0, cell_m, columns)
    order = np.concatenate(([0], 1 + np.lexsort((np.arange(1, count), cost[1:], home[1:]))))
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    parent = np.where(order > 0, rank[np.maximum(sprouts.parent[order], 0)], -1)
    pose, cost, clip, frame = pose[order], cost[order], sprouts.clip[order], frame[order]
    clip[0] = 0
    group = group_of_clip(edges, actions.clip_behavior)
    grid = _goal_grid(pose, cost, group[clip], (x0, y0, rows, columns), cell_m, overlap_m, int(group.max()) + 1)
    return SearchTree(
        character=character.name,
        planning_rate_hz=character.planning_rate_hz,
        begins=begins,
        builder=builder,
        settings=settings,
        behaviors=tree_behaviors(character),
        edge_cost=edges,
        first_cost=first,
        pose=pose,
        parent=parent.astype(np.int32),
        cost=cost.astype(np.int32),
        clip=clip.astype(np.uint16),
        frame=frame.astype(np.uint16),
        grid=grid,
        notes=notes or {},
    )


def group_of_clip(edge_cost: np.ndarray, clip_behavior: np.ndarray) -> np.ndarray:
    """Return the group of each clip (C,): the same for behaviors after which the same ones may come."""
    _, group = np.unique(edge_cost >= 0, axis=0, return_inverse=True)
    return group.reshape(-1)[clip_behavior]


def _shape(pose: np.ndarray, cell_m: float) -> tuple[float, float, int, int]:
    """Return where a grid around all nodes begins, its rows and columns; cells begin at multiples of their size."""
    least = np.floor(pose[:, :2].min(axis=0).astype(np.float64) / cell_m)
    greatest = np.floor(pose[:, :2].max(axis=0).astype(np.float64) / cell_m)
    columns, rows = (greatest - least + 1).astype(np.int64)
    if rows * columns > MOST_CELLS:
        raise InvalidInput(f"a grid of {rows * columns:,} goal cells is too large; take larger cells")
    return float(least[0] * cell_m), float(least[1] * cell_m), int(rows), int(columns)


def _home(pose: np.ndarray, x0: float, y0: float, cell_m: float, columns: int) -> np.ndarray:
    column = np.floor((pose[:, 0].astype(np.float64) - x0) / cell_m).astype(np.int64)
    row = np.floor((pose[:, 1].astype(np.float64) - y0) / cell_m).astype(np.int64)
    return row * columns + column


def _goal_grid(
    pose: np.ndarray,
    cost: np.ndarray,
    group: np.ndarray,
    shape: tuple[float, float, int, int],
    cell_m: float,
    overlap_m: float,
    groups: int,
) -> GoalGrid:
    """List every node but the root in all cells whose overlapped square it is in, the cheapest first."""
    x0, y0, rows, columns = shape
    # A cell around the nodes catches what lies in the overlap of cells that hold none themselves.
    around = math.ceil((overlap_m - cell_m) / 2.0 / cell_m)
    x0, y0 = x0 - around * cell_m, y0 - around * cell_m
    rows, columns = rows + 2 * around, columns + 2 * around
    by_cost = 1 + np.argsort(cost[1:], kind="stable")
    return list_nodes((x0, y0, rows, columns), (cell_m, overlap_m), pose, group, groups, by_cost)
