"""What the core reads and writes when a tree is looked up: structs laid out once and handed over by their addresses."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.core import Struct, ffi, lib, pointer, rows, struct, struct_of
from gambol.search.search import Setting
from gambol.search.way import ClosedCells
from gambol.trees.fit import Fit, fit
from gambol.trees.glances import Seen, glances, seen_of
from gambol.trees.tree import SearchTree
from gambol.world.standing import world_struct
from gambol.world.world import World

MOST_GLANCES = 16  # kept for each tree

_TREES: WeakKeyDictionary[SearchTree, Struct] = WeakKeyDictionary()
_ISLANDS: WeakKeyDictionary[ClosedCells, Struct] = WeakKeyDictionary()
_GLANCES: WeakKeyDictionary[Character, WeakKeyDictionary[SearchTree, dict[Seen, np.ndarray]]] = WeakKeyDictionary()


def tree_struct(tree: SearchTree) -> Struct:
    """Return a tree as the core reads it, laid out once."""
    if tree not in _TREES:
        grid, nodes = tree.grid, rows("gb_tree_node", len(tree))
        lib.gb_tree_lay_out(
            pointer(tree.pose, "float"), pointer(tree.parent, "int32_t"), pointer(tree.cost, "int32_t"),
            pointer(tree.clip, "uint16_t"), pointer(tree.frame, "uint16_t"), len(tree), pointer(nodes, "gb_tree_node"),
        )  # fmt: skip
        _TREES[tree] = struct(
            "gb_tree",
            count=len(tree),
            clips=len(tree.clip_behavior),
            nodes=nodes,
            parents=tree.parent,
            first_count=len(tree.first_nodes),
            first_nodes=tree.first_nodes,
            grid=struct_of("gb_tree_grid", grid),
            first_entry=grid.first_entry,
            entries=grid.entries,
        )
    return _TREES[tree]


def tables_struct(tree: SearchTree, setting: Setting) -> Struct:
    """Return all that look-ups of a tree read in a problem's world."""
    core, problem = setting.core, setting.problem
    return struct(
        "gb_tree_tables",
        world=core.world,
        traffic=core.traffic,
        actions=core.actions,
        moves=core.moves,
        query=core.query,
        tree=tree_struct(tree),
        fit=fit_struct(tree, setting, fit(tree, problem.character)),
        room=room_struct(problem.world),
        islands=islands_struct(setting.cells),
    )


def fit_struct(tree: SearchTree, setting: Setting, fitted: Fit) -> Struct:
    """Return what a tree's clips are to a problem's character in its world, as the core reads it."""
    problem = setting.problem
    has_slopes = setting.world.ground.has_terrain and (problem.climb_cost > 0.0 or problem.descend_cost > 0.0)
    return struct(
        "gb_tree_fit",
        clip_of=fitted.clip,
        glances=_known_glances(tree, setting),
        least_ratio=fitted.least_ratio,
        costs_as_grown=fitted.is_as_grown and not has_slopes,
    )


def _known_glances(tree: SearchTree, setting: Setting) -> np.ndarray:
    """Return what glances tell of a tree's clips, worked out once for all worlds that look the same at a glance."""
    character = setting.problem.character
    known = _GLANCES.setdefault(character, WeakKeyDictionary()).setdefault(tree, {})
    seen = seen_of(setting)
    if seen not in known:
        if len(known) >= MOST_GLANCES:
            known.clear()
        known[seen] = glances(tree, fit(tree, character), setting)
    return known[seen]


def room_struct(world: World) -> Struct:
    """Return how much room there is in a world, a part of what the core reads of it."""
    known = world_struct(world)
    return Struct(ffi.addressof(known.c, "room"), {"world": known})


def islands_struct(cells: ClosedCells) -> Struct:
    """Return which cells of a world are connected, worked out once."""
    if cells not in _ISLANDS:
        island = number_islands(cells.closed)
        _ISLANDS[cells] = struct_of("gb_islands", cells, rows=len(island), columns=island.shape[1], island=island)
    return _ISLANDS[cells]


def number_islands(closed: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return numbers (rows, columns), the same for open cells that are connected, by corners too; 0: closed."""
    height, width = closed.shape
    island, leaders = np.empty((height, width), np.int32), np.empty(height * (width // 2 + 1) + 1, np.int32)
    lib.gb_islands_number(
        pointer(np.ascontiguousarray(closed), "uint8_t"), height, width, pointer(island, "int32_t"),
        pointer(leaders, "int32_t"),
    )  # fmt: skip
    return island


def asked_struct(
    tree: SearchTree,
    fitted: Fit,
    may_begin: NDArray[np.bool_],
    may_end: NDArray[np.bool_],
    first_cost: NDArray[np.int64],
    *,
    stays: bool,
) -> Struct:
    """Return what the same holds of many questions, as the core reads it; all arrays are (B,)."""
    known = fitted.behavior >= 0
    groups = np.zeros(tree.grid.groups, dtype=np.bool_)
    groups[tree.behavior_group[known][may_end[fitted.behavior[known]]]] = True
    return struct(
        "gb_tree_asked",
        may_begin=may_begin,
        may_end=may_end,
        groups=groups,
        first_cost=first_cost,
        has_first_cost=first_cost.any(),
        stays=stays,
    )


class Scratch:
    """What the core writes into, for one thread that looks up one tree."""

    def __init__(self, tree: SearchTree) -> None:
        self.stamp = np.zeros(len(tree), np.uint8)  # what the last question learnt of each node
        self._tree = tree_struct(tree)
        self._tolerance_m = 0.0
        path, none = np.empty(tree.last_frame + 1, np.int32), np.empty(0, np.int64)
        zeros = dict.fromkeys(("samples", "candidates", "visited", "verified_edges", "reached_root"), 0)
        self.core = struct(
            "gb_tree_scratch", stamp=self.stamp, number=0, path=path, path_room=len(path), cursor=none, end=none,
            head=none, list_room=0, counts=struct("gb_tree_counts", **zeros),
        )  # fmt: skip
        #: The counts' bytes, to be read and set to 0 in one go.
        self.counts: Any = ffi.buffer(ffi.addressof(self.core.c, "counts"))

    @property
    def number(self) -> int:
        """The number of the last question: nodes that it stamped so are blocked; those with one more are free."""
        return int(self.core.c.number)

    def make_room(self, tolerance_m: float) -> None:
        """Have room for the lists of candidates of a goal."""
        if tolerance_m <= self._tolerance_m:
            return
        lists = int(lib.gb_tree_list_room(self._tree.c, tolerance_m))
        for name in ("cursor", "end", "head"):
            self.core.set(name, np.empty(lists, np.int64))
        self.core.set("list_room", lists)
        self._tolerance_m = tolerance_m
