"""The papers' own look-up, to compare with: obstacles rasterised for each query, nodes and mid-times tested.

It is not sound: what lies between the points tested is never seen, so thin obstacles are tunnelled, and paths
that would collide are returned.  `gambol.trees.LookUp` answers soundly.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from evidence.reproductions.gridmap_kernels import (
    FIRST_KIND,
    LOOKED_UP,
    MARKED,
    NEVER,
    OCCUPIED,
    UNOCCUPIED,
    VISITED,
    RasterScratch,
    RasterTree,
    RasterWorld,
    answer_all,
    rasterize,
    rasterize_all,
    reset_environment,
)
from gambol.characters import Character
from gambol.characters.action_table import action_table
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.trees import SearchTree
from gambol.trees.fit import Fit, fit
from gambol.world import Obstacle, Piece, World
from gambol.world.standing import special_kinds

CELL_M = 0.14  # [LK06 3: 14 to 28 cm]
MOST_CELLS = 50_000_000
MOST_POINTS = 50_000_000  # of one world's obstacles


@dataclass(frozen=True, eq=False)
class RasterizedAnswers:
    """What became of Q queries."""

    nodes: NDArray[np.int64]  # (Q,) -1: no path found
    visited: NDArray[np.int64]  # (Q,) nodes that traces came to, the root included
    looked_up: NDArray[np.int64]  # (Q,) cells of the environment looked at
    marked: NDArray[np.int64]  # (Q,) cells of the environment marked
    rasterizing_s: float  # processor time, marking and resetting
    searching_s: float  # the rest of it


class RasterizedLookUp:
    """A tree in a world by environment gridmap and backward search, as printed [LK06 4.2, 4.3; L09 4.4, 4.5].

    The character is a disc of one radius, of all heights; obstacles grow by it.  Special motions, those of behaviors
    that an annotation says what they cross, must have their event in an annotated obstacle of that kind, to
    everything else it is a wall.  Bounds, terrain and regions in which a special motion may begin are not looked at;
    what moves is refused.  A goal is reached by any node listed in its cell of the tree's goal grid, whatever the
    distance, ending with any behavior or with those in `last`.

    Look-ups of one tree share their memory: one thread at a time.
    """

    def __init__(
        self,
        tree: SearchTree,
        character: Character,
        world: World,
        *,
        radius_m: float,
        cell_m: float = CELL_M,
        last: Sequence[str] | None = None,
    ) -> None:
        if not (math.isfinite(radius_m) and radius_m >= 0.0):
            raise InvalidInput(f"a radius must be finite and not negative, not {radius_m}")
        if not (math.isfinite(cell_m) and cell_m > 0.0):
            raise InvalidInput(f"cells must have a positive size, not {cell_m} m")
        if world.movers:
            raise InvalidInput(f"the rasterised look-up knows nothing of what moves, such as {world.movers[0].name!r}")
        names = None if last is None else tuple(last)
        self._tree, self._scratch = _tree_side(tree, character, float(cell_m), names)
        self._world = _world_side(tree, fit(tree, character), character, world, radius_m, cell_m / math.sqrt(2.0))

    def one(self, start: ArrayLike, goal: ArrayLike) -> int:
        """Return the cheapest node that the algorithm finds from a pose to a place, or -1."""
        return int(self.many(np.reshape(start, (1, 3)), np.reshape(goal, (1, 2)))[0])

    def many(self, starts: ArrayLike, goals: ArrayLike) -> NDArray[np.int64]:
        """Return the nodes (Q,) found from poses (Q, 3) to places (Q, 2)."""
        return self._answer(*_queries(starts, goals))[0]

    def measured(self, starts: ArrayLike, goals: ArrayLike) -> RasterizedAnswers:
        """Answer queries and say what they took; they are rasterised once more, alone, to tell the times apart."""
        queries = _queries(starts, goals)
        begun = time.process_time()
        rasterize_all(self._tree, self._world, self._scratch, queries[0])
        between = time.process_time()
        nodes, counts = self._answer(*queries)
        whole_s, rasterizing_s = time.process_time() - between, between - begun
        return RasterizedAnswers(
            nodes=nodes,
            visited=counts[:, VISITED],
            looked_up=counts[:, LOOKED_UP],
            marked=counts[:, MARKED],
            rasterizing_s=rasterizing_s,
            searching_s=max(0.0, whole_s - rasterizing_s),
        )

    def environment(self, start: ArrayLike) -> NDArray[np.int16]:
        """Return the environment gridmap (rows, columns) as a start has it: what each cell is marked with."""
        x, y, heading = np.array(start, dtype=np.float64).tolist()
        marked = rasterize(self._tree, self._world, self._scratch, x, y, heading)
        grid = self._scratch.environment.reshape(self._tree.rows, self._tree.columns).copy()
        reset_environment(self._scratch, marked)
        return grid

    @property
    def corner(self) -> tuple[float, float]:
        """Where the environment gridmap begins, in the tree's frame."""
        return self._tree.x0, self._tree.y0

    def _answer(
        self, starts: NDArray[np.float64], goals: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        nodes, counts = np.empty(len(starts), dtype=np.int64), np.zeros((len(starts), 3), dtype=np.int64)
        answer_all(self._tree, self._world, self._scratch, starts, goals, nodes, counts)
        return nodes, counts


_Sides = dict[tuple[float, tuple[str, ...] | None], tuple[RasterTree, RasterScratch]]
_TREE_SIDES: WeakKeyDictionary[SearchTree, WeakKeyDictionary[Character, _Sides]] = WeakKeyDictionary()


def _tree_side(
    tree: SearchTree, character: Character, cell_m: float, last: tuple[str, ...] | None
) -> tuple[RasterTree, RasterScratch]:
    """Return what does not depend on the world, worked out once."""
    known = _TREE_SIDES.setdefault(tree, WeakKeyDictionary()).setdefault(character, {})
    if (cell_m, last) not in known:
        known[cell_m, last] = _lay_out(tree, character, cell_m, last)
    return known[cell_m, last]


def _lay_out(
    tree: SearchTree, character: Character, cell_m: float, last: tuple[str, ...] | None
) -> tuple[RasterTree, RasterScratch]:
    clip = fit(tree, character).clip[tree.clip[1:]]
    if (clip < 0).any():
        raise InvalidInput(f"{character.name!r} lacks behaviors of this tree, which was grown for {tree.character!r}")
    nodes = tree.pose[:, :2].astype(np.float64)
    before = tree.pose[tree.parent[1:]].astype(np.float64)
    middles = np.concatenate((np.zeros((1, 2)), planar.compose(before, _mid_times(character)[clip])[:, :2]))
    places = np.concatenate((nodes, middles))
    # The root in the middle of a cell: straight ahead is no border between two.
    least, greatest = np.floor(places.min(axis=0) / cell_m + 0.5), np.floor(places.max(axis=0) / cell_m + 0.5)
    columns, rows = (int(size) for size in greatest - least + 1)
    if rows * columns > MOST_CELLS:
        raise InvalidInput(f"{rows * columns:,} cells of {cell_m} m are too many; take larger ones")
    column, row = (np.floor(places / cell_m + 0.5) - least).astype(np.int32).T
    cells = row * columns + column
    grid = tree.grid
    first_entry, entries = _goal_lists(tree, character, last)
    table = RasterTree(
        x0=float((least[0] - 0.5) * cell_m),
        y0=float((least[1] - 0.5) * cell_m),
        cell_m=cell_m,
        rows=rows,
        columns=columns,
        parent=tree.parent,
        clip=tree.clip,
        node_cell=np.ascontiguousarray(cells[: len(tree)]),
        mid_cell=np.ascontiguousarray(cells[len(tree) :]),
        goal_x0=grid.x0,
        goal_y0=grid.y0,
        goal_cell_m=grid.cell_m,
        goal_rows=grid.rows,
        goal_columns=grid.columns,
        first_entry=first_entry,
        entries=entries,
    )
    scratch = RasterScratch(
        environment=np.full(rows * columns, UNOCCUPIED, dtype=np.int16),
        blocked=np.zeros(len(tree), dtype=bool),
        marked=np.empty(rows * columns, dtype=np.int32),
    )
    return table, scratch


def _mid_times(character: Character) -> NDArray[np.float64]:
    """Return where each clip is (C, 3) half-way in time, or at its event if it is a special motion [LK06 3]."""
    actions = action_table(character)
    is_special = np.array([behavior.annotation.special is not None for behavior in character.behaviors])
    twice = np.where(is_special[actions.clip_behavior], 2 * actions.event, actions.duration)
    early, late = actions.clip_samples + twice // 2, actions.clip_samples + (twice + 1) // 2
    return 0.5 * (actions.path[early] + actions.path[late])


def _goal_lists(
    tree: SearchTree, character: Character, last: tuple[str, ...] | None
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return one list of nodes for each goal cell, by cost and then number; only those that may come last."""
    grid = tree.grid
    counts = np.diff(grid.first_entry)
    cell = np.repeat(np.arange(len(counts)) // grid.groups, counts)
    entries = np.array(grid.entries)
    if last is not None:
        for name in last:
            character.index(name)
        may_end = np.array([behavior.name in last for behavior in tree.behaviors])
        kept = may_end[tree.clip_behavior[tree.clip[entries]]]
        cell, entries = cell[kept], entries[kept]
    if grid.groups > 1:
        entries = entries[np.lexsort((entries, tree.cost[entries], cell))]
    sizes = np.bincount(cell, minlength=grid.rows * grid.columns)
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64), entries


def _world_side(
    tree: SearchTree, fitting: Fit, character: Character, world: World, radius_m: float, apart_m: float
) -> RasterWorld:
    kinds = special_kinds(world)
    points = [_points_inside(obstacle, radius_m, apart_m) for obstacle in world.obstacles]
    marks = [
        OCCUPIED if obstacle.special is None else FIRST_KIND + kinds.index(obstacle.special.kind)
        for obstacle in world.obstacles
    ]
    named = [behavior.annotation.special for behavior in character.behaviors]
    wanted = np.array(
        [UNOCCUPIED if kind is None else FIRST_KIND + kinds.index(kind) if kind in kinds else NEVER for kind in named],
        dtype=np.int16,
    )
    behavior = fitting.behavior[tree.clip_behavior]
    return RasterWorld(
        circle=np.array([_circle(group) for group in points], dtype=np.float64).reshape(-1, 3),
        mark=np.array(marks, dtype=np.int16),
        first_point=np.concatenate(([0], np.cumsum([len(group) for group in points]))).astype(np.int64),
        points=np.concatenate([np.empty((0, 2)), *points]),
        clip_mark=np.where(behavior >= 0, wanted[behavior], np.int16(NEVER)).astype(np.int16),
    )


def _points_inside(obstacle: Obstacle, radius_m: float, apart_m: float) -> NDArray[np.float64]:
    """Return points of an enlarged obstacle so near to each other that no cell inside it is missed [LK06 figure 8]."""
    return np.concatenate(
        [_points_of_piece(obstacle, piece, radius_m, apart_m) for piece in obstacle.footprint.placed(obstacle.pose)]
    )


def _points_of_piece(obstacle: Obstacle, piece: Piece, radius_m: float, apart_m: float) -> NDArray[np.float64]:
    """Return a square lattice along a piece's first side, from edge to edge, as far as it is inside."""
    corners, radius_m = piece.corners, piece.radius_m + radius_m
    along = corners[1] - corners[0] if len(corners) > 1 else np.array([1.0, 0.0])
    along = along / np.linalg.norm(along)
    own_from_world = np.array([along, (-along[1], along[0])])
    own = corners @ own_from_world.T
    least, greatest = own.min(axis=0) - radius_m, own.max(axis=0) + radius_m
    counts = np.ceil((greatest - least) / apart_m).astype(np.int64) + 1
    if math.prod(counts.tolist()) > MOST_POINTS:
        raise InvalidInput(
            f"obstacle {obstacle.name!r} is too large for points {apart_m:.3g} m apart; take larger cells"
        )
    x, y = np.meshgrid(
        np.linspace(least[0], greatest[0], counts[0]), np.linspace(least[1], greatest[1], counts[1]), indexing="ij"
    )
    lattice = np.column_stack((x.ravel(), y.ravel()))
    shape = (shapely.Point, shapely.LineString, shapely.Polygon)[min(len(own), 3) - 1](own)
    inside = shapely.distance(shape, shapely.points(lattice)) <= radius_m + 1e-9
    return np.concatenate((lattice[inside], own)) @ own_from_world  # of a small piece no lattice point may be inside


def _circle(points: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return a circle around points, centred on the box around them."""
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return float(centre[0]), float(centre[1]), float(np.hypot(*(points - centre).T).max())


def _queries(starts: ArrayLike, goals: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    poses, places = np.array(starts, dtype=np.float64), np.array(goals, dtype=np.float64)
    if poses.ndim != 2 or poses.shape[1] != 3 or places.shape != (len(poses), 2):
        raise InvalidInput(f"starts (Q, 3) and goals (Q, 2) expected, not {poses.shape} and {places.shape}")
    if not (np.isfinite(poses).all() and np.isfinite(places).all()):
        raise InvalidInput("starts and goals must be finite")
    return poses, places
