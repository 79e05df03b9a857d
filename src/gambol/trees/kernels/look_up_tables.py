"""What a look-up reads and writes: a tree, the room around cells, what is asked, working memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.characters.action_table import ActionTable
from gambol.search.moves import Moves
from gambol.search.query import Query
from gambol.search.traffic_table import TrafficTable
from gambol.world.table import WorldTable


class TreeTable(NamedTuple):
    """A tree and how it fits a character."""

    pose: np.ndarray
    parent: np.ndarray
    cost: np.ndarray
    clip: np.ndarray
    frame: np.ndarray
    first_entry: np.ndarray
    entries: np.ndarray
    x0: float
    y0: float
    cell_m: float
    overlap_m: float
    rows: int
    columns: int
    groups: int
    first_nodes: np.ndarray  # children of the root
    clip_of: np.ndarray  # (C,) the character's clip for each of the tree's, -1: it has none
    glances: np.ndarray  # (C, 6) of the tree's clips, see the columns below
    least_ratio: float  # no path costs less than this times what the tree says
    costs_as_grown: bool  # every path costs what the tree says, in this world too


#: Columns of `TreeTable.glances`: room that surely is enough at the end and in the middle of a clip, room that surely
#: is not, and where the middle is: so much of the way from start to end, and of the same turned left, off the start.
END_ENOUGH, END_NEEDED, MIDDLE_ENOUGH, MIDDLE_NEEDED, ALONG, ACROSS = range(6)


class Room(NamedTuple):
    """How far it is from the middles of cells to the nearest obstacle or bound, in a byte each."""

    x0: float
    y0: float
    cell_m: float
    steps: np.ndarray  # (rows, columns) whole steps of STEP_M, the last one standing for all beyond


class Asked(NamedTuple):
    """What is the same in all queries of a batch; B behaviors of the character, G groups of the tree."""

    first: np.ndarray  # (B,) behaviors that may come first
    last: np.ndarray  # (B,) behaviors that may come last
    group: np.ndarray  # (G,) groups that hold any of these
    first_cost: np.ndarray  # (B,) whole units that a behavior costs more for coming first
    stays: bool  # who arrives must be able to stay, whatever passes


class Shut(NamedTuple):
    """Which parts of a world are connected: cells with the same number; 0 where nobody can be."""

    x0: float
    y0: float
    cell_m: float
    part: np.ndarray  # (rows, columns)


class Tables(NamedTuple):
    """All that a look-up reads."""

    world: WorldTable
    traffic: TrafficTable
    actions: ActionTable
    moves: Moves
    query: Query
    tree: TreeTable
    room: Room
    asked: Asked
    shut: Shut


class Scratch(NamedTuple):
    """What one thread writes into."""

    stamp: np.ndarray  # (N,) what the query of a number learnt of a node, in a byte
    number: np.ndarray  # (1,) of the query
    path: np.ndarray  # (deepest + 1,) nodes of a trace
    cursor: np.ndarray  # (K,) next entry of each list of candidates
    end: np.ndarray  # (K,)
    counts: np.ndarray
