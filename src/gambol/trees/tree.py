"""A search tree: all the ways from one pose on that are worth remembering, whatever the world will be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.files.safetensors_file import SafetensorsFile
from gambol.geometry.arrays import Int32Array

Float32Array = NDArray[np.float32]
UInt16Array = NDArray[np.uint16]

MOST_NODES = 2**31 - 1
MOST_CLIPS = 2**16
MOST_FRAMES = 2**16 - 1  # a node's time, in planning frames: over half an hour
MOST_COST = 2**31 - 1  # in whole units of COST_UNIT: over two kilometres
NO_NODE = -1


@dataclass(frozen=True)
class TreeBehavior:
    """What a tree remembers of a behavior: enough to know it again."""

    name: str
    clips: int  # how many it has; a tree numbers clips through all behaviors
    digest: str  # of where its clips lead and how long they last: see `plan/tree/fit.py`


@dataclass(frozen=True, eq=False)
class GoalGrid:
    """Nodes by where they are: square cells that overlap, each with its nodes from the cheapest on [L09 4.3].

    Cell (row, column) of size `cell_m` begins at (x0 + column * cell_m, y0 + row * cell_m); listed are the
    nodes in the square of size `overlap_m` around its middle.  The lists of a cell are one for each group:
    behaviors after which the same ones may come.
    """

    x0: float
    y0: float
    cell_m: float
    overlap_m: float
    rows: int
    columns: int
    groups: int
    first_entry: NDArray[np.int64]  # (rows * columns * groups + 1,), by (row * columns + column) * groups + group
    entries: Int32Array  # (E,) nodes

    @property
    def bytes_used(self) -> int:
        return self.first_entry.nbytes + self.entries.nbytes


@dataclass(frozen=True, eq=False)
class SearchTree:
    """N nodes in columns; node 0 is the root, at pose (0, 0, 0), before anything is played.

    All others are in the order of the grid's cell they are in, then of cost: what is looked up together is
    side by side.  A node stands for the path from the root to it.  Poses are float32 by definition (see
    `placing.py`).  24 bytes a node.
    """

    character: str  # name, for people
    planning_rate_hz: float
    begins: str | None  # transition label at the root, for people
    builder: str
    settings: Mapping[str, Any]  # of the builder, seed included: plain values
    behaviors: tuple[TreeBehavior, ...]
    edge_cost: NDArray[np.int64]  # (B, B) whole units of playing a behavior after another, -1: may not follow
    first_cost: NDArray[np.int64]  # (B,) whole units of playing it first, -1: may not come first
    pose: Float32Array  # (N, 3) x, y, heading
    parent: Int32Array  # (N,) -1 at the root
    cost: Int32Array  # (N,) whole units from the root
    clip: UInt16Array  # (N,) clip that leads here, numbered through all behaviors; 0 at the root
    frame: UInt16Array  # (N,) planning frames since the root
    grid: GoalGrid
    notes: Mapping[str, Any] = field(default_factory=dict)  # measured while growing: plain values
    source: SafetensorsFile | None = field(default=None, repr=False)  # whose memory the arrays are; None: grown

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))
        object.__setattr__(self, "notes", MappingProxyType(dict(self.notes)))
        count = len(self.parent)
        for name, shape, kind in (
            ("pose", (count, 3), np.float32),
            ("parent", (count,), np.int32),
            ("cost", (count,), np.int32),
            ("clip", (count,), np.uint16),
            ("frame", (count,), np.uint16),
        ):
            array = getattr(self, name)
            if array.shape != shape or array.dtype != kind:
                raise InvalidInput(f"a tree's {name} must be {np.dtype(kind)} {shape}, not {array.dtype} {array.shape}")
        for array in (*(getattr(self, one.name) for one in fields(self)), self.grid.first_entry, self.grid.entries):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

    def __repr__(self) -> str:
        return f"SearchTree({self.character!r}, from {self.begins!r}, {self.builder}, {len(self):,} nodes)"

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def node_bytes(self) -> int:
        """Bytes of the nodes alone."""
        return sum(array.nbytes for array in (self.pose, self.parent, self.cost, self.clip, self.frame))

    @property
    def bytes_used(self) -> int:
        """Bytes of nodes and goal lists."""
        return self.node_bytes + self.grid.bytes_used

    @cached_property
    def clip_behavior(self) -> Int32Array:
        """The behavior of each clip (C,)."""
        return np.repeat(np.arange(len(self.behaviors), dtype=np.int32), [one.clips for one in self.behaviors])

    @cached_property
    def behavior_group(self) -> NDArray[np.int64]:
        """The group of each behavior (B,): the same for those after which the same ones may come."""
        _, group = np.unique(self.edge_cost >= 0, axis=0, return_inverse=True)
        return group.reshape(-1)

    @cached_property
    def first_nodes(self) -> Int32Array:
        """The children of the root."""
        return np.flatnonzero(self.parent == 0).astype(np.int32)

    @cached_property
    def last_frame(self) -> int:
        """The end of the longest path, in planning frames: no path has more clips."""
        return int(self.frame.max())

    @cached_property
    def depth(self) -> Int32Array:
        """How many clips lead to each node (N,)."""
        depth = (np.arange(len(self)) > 0).astype(np.int32)
        above = np.maximum(self.parent, 0)
        while above.any():  # each round looks twice as far up
            depth += depth[above]
            above = above[above]
        return depth

    def path_to(self, node: int) -> list[int]:
        """Return the nodes on the way to a node, without the root, that node last."""
        path: list[int] = []
        while node > 0:
            path.append(node)
            node = int(self.parent[node])
        return path[::-1]
